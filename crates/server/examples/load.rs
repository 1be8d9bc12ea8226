//! What `scripts/load.sh` needs beside `wrk`: a bare server to compare with, and clients that hold streams open.
//!
//! `load hello ADDRESS`, `load first-byte ADDRESS ROUNDS`, `load idle ADDRESS STREAMS PID`, `load slow ADDRESS`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a measurement that goes wrong has to stop"
)]

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

const QUESTION: &str = "{\"question\": \"¿Cuánto cuesta el envío a un punto de recogida?\"}";

#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["hello", address] => hello(address).await,
        ["first-byte", address, rounds] => first_byte(address, rounds.parse().unwrap()).await,
        ["idle", address, streams, pid] => idle(address, streams.parse().unwrap(), pid).await,
        ["slow", address] => slow(address).await,
        _ => panic!("load hello|first-byte|idle|slow ADDRESS …"),
    }
}

/// The least that any server of this kind does: reads a body and answers with a few bytes.
async fn hello(address: &str) {
    let answer = axum::routing::post(async |_: axum::body::Bytes| "{\"text\": \"hello\"}");
    let listener = tokio::net::TcpListener::bind(address).await.unwrap();
    axum::serve(listener, axum::Router::new().route("/v1/answers", answer)).await.unwrap();
}

fn request(accept: &str) -> String {
    format!(
        "POST /v1/answers HTTP/1.1\r\nhost: load\r\ncontent-type: application/json\r\naccept: {accept}\r\n\
         content-length: {}\r\n\r\n{QUESTION}",
        QUESTION.len()
    )
}

fn has(text: &[u8], part: &str) -> bool {
    text.windows(part.len()).any(|window| window == part.as_bytes())
}

/// The time from a question to the first byte of its first sentence, and to its end, one question after the other.
async fn first_byte(address: &str, rounds: usize) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let (mut firsts, mut ends) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let began = Instant::now();
        stream.write_all(request("text/event-stream").as_bytes()).await.unwrap();
        let mut read = Vec::new();
        let mut first = None;
        loop {
            let mut part = vec![0; 16_384];
            let count = stream.read(&mut part).await.unwrap();
            assert!(count > 0, "the stream broke off: {}", String::from_utf8_lossy(&read));
            read.extend_from_slice(&part[..count]);
            if first.is_none() && has(&read, "event: sentence") {
                first = Some(began.elapsed());
            }
            if has(&read, "0\r\n\r\n") {
                break;
            }
        }
        firsts.push(first.expect("a sentence"));
        ends.push(began.elapsed());
    }
    for (what, times) in [("first sentence", &mut firsts), ("end", &mut ends)] {
        times.sort();
        let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
        let steps = times.iter().filter(|time| (38..48).contains(&time.as_millis())).count();
        println!(
            "{what}: p50 {:.3} ms, p95 {:.3} ms, p99 {:.3} ms, {} rounds, {steps} of 38 to 48 ms",
            at(50), at(95), at(99), times.len()
        );
    }
}

fn resident(pid: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() / 1_024
}

/// Holds streams open, and asks between them.
async fn idle(address: &str, streams: usize, pid: &str) {
    println!("before: {} MB resident", resident(pid));
    let mut open = Vec::new();
    for number in 0..streams {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let body = "{}";
        let begin = format!(
            "POST /v1/conversations HTTP/1.1\r\nhost: load\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{body}"
        );
        stream.write_all(begin.as_bytes()).await.unwrap();
        let mut read = vec![0; 4_096];
        let count = stream.read(&mut read).await.unwrap();
        let text = String::from_utf8_lossy(&read[..count]).into_owned();
        let id = text.split("\"conversation\":\"").nth(1).and_then(|rest| rest.split('"').next());
        let id = id.unwrap_or_else(|| panic!("{number}: {text}"));
        let listen = format!("GET /v1/conversations/{id}/events HTTP/1.1\r\nhost: load\r\n\r\n");
        stream.write_all(listen.as_bytes()).await.unwrap();
        let count = stream.read(&mut read).await.unwrap();
        assert!(count > 0);
        open.push(stream);
    }
    println!("{streams} idle streams: {} MB resident", resident(pid));
    first_byte(address, 500).await;
    drop(open);
    tokio::time::sleep(Duration::from_secs(2)).await;
    println!("after: {} MB resident", resident(pid));
}

/// Readers that ask and never read, and the time of others beside them.
async fn slow(address: &str) {
    first_byte(address, 500).await;
    let mut held = Vec::new();
    for _ in 0..500 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        for _ in 0..20 {
            let _ = stream.write_all(request("text/event-stream").as_bytes()).await;
        }
        held.push(stream);
    }
    println!("beside 500 readers that do not read:");
    first_byte(address, 500).await;
    drop(held);
}
