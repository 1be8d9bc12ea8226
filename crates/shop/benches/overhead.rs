//! Our time a question with a model over the network that answers at once: the whole turn, SQLite on file, and beside
//! it one bare request to the same provider, which is what the turn cannot do without.
//!
//! `cargo bench -p mostrador-shop --bench overhead`: prints medians and 95th percentiles in milliseconds.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing, missing_docs)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mostrador_answer::question::Asked;
use mostrador_answer::stop::Ending;
use mostrador_shop::{Counter, Keep, Shop};
use mostrador_testkit::{FakeProvider, FakeReply, copy_folder};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const ROUNDS: usize = 2_000;
const QUESTION: &str = "¿Cuánto cuesta el envío a un punto de recogida?";
const ANSWER: &str = "Se lo contamos en la página de envíos. [envios#1]";

fn print(what: &str, mut times: Vec<Duration>) -> f64 {
    times.sort();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    println!("{what}: p50 {:.3} ms, p95 {:.3} ms, {} rounds", at(50), at(95), times.len());
    at(50)
}

/// One request over an open connection, by hand: the least that any program needs for it.
async fn ask_bare(connection: &mut TcpStream, body: &str) {
    let head = "POST /v1/chat/completions HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json";
    let request = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    connection.write_all(request.as_bytes()).await.unwrap();
    let mut reply = Vec::new();
    // The last chunk of a body that comes in chunks.
    while !reply.ends_with(b"0\r\n\r\n") {
        assert_ne!(connection.read_buf(&mut reply).await.unwrap(), 0);
    }
    assert!(String::from_utf8_lossy(&reply).contains("[DONE]"));
}

fn main() {
    // The provider has a thread of its own, as it would have a machine of its own.
    let elsewhere =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let provider = elsewhere.block_on(FakeProvider::start(vec![FakeReply::text(ANSWER)]));
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tienda"), folder.path());
    let file = folder.path().join("shop.toml");
    let service =
        format!("kind = \"openai-compatible\"\nbase_url = \"{}\"\nmodel = \"m\"", provider.address());
    let shop = std::fs::read_to_string(&file).unwrap().replace("kind = \"extractive\"", &service);
    std::fs::write(&file, shop).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let shop = Arc::new(Shop::read(folder.path()).unwrap());
    let counter = runtime.block_on(Counter::open(shop, Keep::OnDisk, &mut |_| {})).unwrap();
    let engine = counter.engine();
    let bare = serde_json::json!({"model": "m", "stream": true, "messages": []}).to_string();
    let address = provider.address().trim_start_matches("http://");
    let mut connection = runtime.block_on(TcpStream::connect(address)).unwrap();
    connection.set_nodelay(true).unwrap();
    let (mut turns, mut requests) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS + 100 {
        let began = Instant::now();
        let answer = runtime.block_on(engine.ask(Asked::new(QUESTION)));
        let turn = began.elapsed();
        assert_eq!(answer.closing.ending, Ending::Answered, "{}", answer.closing.evidence);
        let began = Instant::now();
        runtime.block_on(ask_bare(&mut connection, &bare));
        let request = began.elapsed();
        // The first rounds open connections and fill caches.
        if round >= 100 {
            turns.push(turn);
            requests.push(request);
        }
    }
    let turn = print("a question, the provider's reply included", turns);
    let request = print("a bare request to the provider", requests);
    println!("ours, the difference of the medians: {:.3} ms (aim 1 ms)", turn - request);
}
