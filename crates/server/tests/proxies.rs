//! What stands between a customer and the counter: a proxy that holds everything back, a line that breaks.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use common::{PATIENCE, Running, asks, serve};
use mostrador_testkit::{FakeProvider, FakeReply, FakeUsage, Step};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const QUESTION: &str = "How much does delivery to a parcel shop cost?";

/// Passes a request on, and the reply only as `back` does.
async fn proxy<F: Future<Output = ()> + Send + 'static>(
    server: &Running,
    back: impl Fn(TcpStream, TcpStream) -> F + Send + 'static,
) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let upstream = server.address;
    tokio::spawn(async move {
        let (mut caller, _) = listener.accept().await.unwrap();
        let mut server = TcpStream::connect(upstream).await.unwrap();
        let mut request = vec![0; 16_384];
        let count = caller.read(&mut request).await.unwrap();
        server.write_all(&request[..count]).await.unwrap();
        back(caller, server).await;
    });
    address
}

async fn through(address: std::net::SocketAddr, accept: &str) -> String {
    let body = json!({"question": QUESTION}).to_string();
    let request = format!(
        "POST /v1/answers HTTP/1.1\r\nhost: counter\r\nconnection: close\r\naccept: {accept}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut reply = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut reply)).await.expect("a reply");
    let _ = read;
    String::from_utf8_lossy(&reply).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_that_holds_everything_back_the_answer_is_whole() {
    let server = serve("").await;
    for accept in ["text/event-stream", "application/json"] {
        let address = proxy(&server, |mut caller: TcpStream, mut server: TcpStream| async move {
            let mut held = Vec::new();
            server.read_to_end(&mut held).await.unwrap();
            caller.write_all(&held).await.unwrap();
        })
        .await;
        let reply = through(address, accept).await;
        assert!(reply.contains("£2.40") && reply.contains("answered"), "{reply}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_breaks_leaves_what_was_read_and_the_question_can_be_asked_again() {
    let stalls = FakeReply::events(vec![
        Step::Begin(FakeUsage::new(10, 5)),
        Step::Text("Delivery to a parcel shop costs £2.40. [delivery#1] And".to_owned()),
        Step::Stall,
    ]);
    let whole = FakeReply::text("Delivery to a parcel shop costs £2.40. [delivery#1]");
    let provider = FakeProvider::start(vec![stalls, whole]).await;
    let server = serve(&asks(provider.address())).await;
    // Breaks as soon as the first sentence went by.
    let address = proxy(&server, |mut caller: TcpStream, mut server: TcpStream| async move {
        let mut passed = Vec::new();
        while !String::from_utf8_lossy(&passed).contains("£2.40") {
            let mut part = vec![0; 4_096];
            let count = server.read(&mut part).await.unwrap();
            assert!(count > 0);
            passed.extend_from_slice(&part[..count]);
            caller.write_all(&part[..count]).await.unwrap();
        }
    })
    .await;
    let reply = through(address, "text/event-stream").await;
    assert!(reply.contains("event: sentence") && !reply.contains("event: done"), "{reply}");
    let head = reply.lines().find_map(|line| line.strip_prefix("mostrador-conversation: "));
    let conversation = head.unwrap().trim().to_owned();
    provider.until_left(1).await;
    let path = format!("/v1/conversations/{conversation}");
    let kept = async {
        while !server.get(&path).await.body.contains("£2.40") {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, kept).await.expect("what was read is kept");
    let body = json!({"question": QUESTION, "conversation": conversation});
    let again = server.post("/v1/answers", &body).await.json();
    assert_eq!(again["ending"], "answered", "{again}");
    server.stop().await;
}
