//! Messages, colleagues and erasure while an answer is under way, and readers who do not read.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod browser;
mod common;

use std::time::Duration;

use browser::{Browser, store};
use common::{PATIENCE, Running, asks, serve};
use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::ConversationId;
use mostrador_store::Release;
use mostrador_testkit::{FakeProvider, FakeReply, FakeUsage, Step};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const QUESTION: &str = "How much does delivery to a parcel shop cost?";
const SAID: &str = "Delivery to a parcel shop costs £2.40. [delivery#1] And";

/// A reply that begins and then is silent until whoever asked has left.
fn stalls(text: &str) -> FakeReply {
    FakeReply::events(vec![Step::Begin(FakeUsage::new(10, 5)), Step::Text(text.to_owned()), Step::Stall])
}

async fn opened(server: &Running) -> String {
    let opened = server.post("/v1/conversations", &json!({"locale": "en"})).await;
    opened.json()["conversation"].as_str().unwrap().to_owned()
}

async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("never: {what}"));
}

/// What the customer said and was told, by the words.
async fn lines(server: &Running, conversation: &str) -> Vec<String> {
    let read = server.get(&format!("/v1/conversations/{conversation}")).await.json();
    let lines = read["lines"].as_array().unwrap().iter();
    lines.map(|line| line["text"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_past_a_limit_stops_no_answer_and_erasure_leaves_nothing_of_one() {
    let provider = FakeProvider::start(vec![stalls("")]).await;
    let server = serve(&format!("{}[limits]\nsession_minute = 1\n", asks(provider.address()))).await;
    let conversation = opened(&server).await;
    let body = json!({"question": QUESTION, "conversation": conversation});
    let mut first = server.stream(&body).await;
    until("the model is asked", async || provider.heard().len() == 1).await;
    let second = server.post("/v1/answers", &body).await;
    assert_eq!((second.status, second.code().as_str()), (429, "too_many_questions"));
    let events = server.stream(&body).await.events().await;
    let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["notice", "done"], "a limit is told as events to whoever reads events");
    assert_eq!(events[1].data["ending"], "refused");
    let metrics = server.get("/metrics").await.body;
    assert!(metrics.contains("limits.session-minute"), "{metrics}");

    let place = format!("/v1/conversations/{conversation}");
    assert_eq!(server.send("DELETE", &place, &[], "").await.status, 204);
    let events = first.events().await;
    assert_eq!(events.len(), 1, "no colleague has come: {events:?}");
    assert_eq!(events[0].data["ending"], "cancelled");
    provider.until_left(1).await;
    assert_eq!(server.get(&place).await.status, 404);
    assert_eq!(server.post("/v1/answers", &body).await.status, 404);
    let elsewhere = store(&server).await;
    let stops = elsewhere.list_stops(100).await.unwrap();
    assert!(stops.iter().any(|stop| stop.rule.0 == "limits.session-minute"), "{stops:?}");
    assert!(stops.iter().all(|stop| stop.question.is_empty() && stop.conversation.is_none()), "{stops:?}");
    assert_eq!(elsewhere.list_turns(100, None).await.unwrap(), []);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_is_too_long_is_not_kept_whole() {
    let server = serve("").await;
    let long = "delivery ".repeat(4_000);
    let answer = server.ask(&long).await;
    assert_eq!(answer["ending"], "refused");
    let stops = store(&server).await.list_stops(10).await.unwrap();
    let longest = stops.iter().map(|stop| stop.question.len()).max().unwrap();
    assert!(longest < long.len() / 2, "{longest}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_when_a_colleague_comes_is_given_to_them() {
    let provider = FakeProvider::start(vec![stalls(SAID)]).await;
    let server = serve(&asks(provider.address())).await;
    let mut owner = Browser::owner(&server).await;
    let conversation = opened(&server).await;
    let body = |text: &str| json!({"question": text, "conversation": conversation});
    let mut first = server.stream(&body(QUESTION)).await;
    assert_eq!(first.event().await.unwrap().name, "sentence");
    let mut second = server.stream(&body("Please cancel order 4711")).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let mut third = server.stream(&body("Are you there?")).await;
    assert_eq!(second.events().await.last().unwrap().data["ending"], "superseded");
    let place = format!("/console/conversations/{conversation}");
    owner.get(&place).await;
    assert!(owner.post(&format!("{place}/take"), &[]).await.status < 400);
    assert_eq!(third.events().await.last().unwrap().data["ending"], "colleague");
    let said = lines(&server, &conversation).await;
    for words in [QUESTION, "Please cancel order 4711", "Are you there?"] {
        assert_eq!(said.iter().filter(|line| *line == words).count(), 1, "{words}: {said:?}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_left_to_a_message_whose_reader_leaves_is_written_down() {
    let provider = FakeProvider::start(vec![stalls(SAID), stalls("")]).await;
    let server = serve(&asks(provider.address())).await;
    let conversation = opened(&server).await;
    let body = |text: &str| json!({"question": text, "conversation": conversation});
    let mut first = server.stream(&body(QUESTION)).await;
    assert_eq!(first.event().await.unwrap().name, "sentence");
    let mut second = server.stream(&body("Are returns free?")).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let third = server.stream(&body("What does a parcel shop cost for delivery?")).await;
    assert_eq!(second.events().await.last().unwrap().data["ending"], "superseded");
    // Whoever wrote the third leaves while it waits, and the first one too.
    drop(third);
    drop(first);
    until("it is written down", async || {
        lines(&server, &conversation).await.iter().any(|line| line.contains("Are returns free?"))
    })
    .await;
    provider.until_left(1).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_while_their_message_waits_is_not_answered_at_length() {
    let provider = FakeProvider::start(vec![stalls(""), stalls("")]).await;
    let server = serve(&asks(provider.address())).await;
    let conversation = opened(&server).await;
    let body = json!({"question": QUESTION, "conversation": conversation});
    let mut first = server.stream(&body).await;
    until("the model is asked", async || provider.heard().len() == 1).await;
    let second = server.stream(&body).await;
    until("the model is asked again", async || provider.heard().len() == 2).await;
    assert_eq!(first.events().await.last().unwrap().data["ending"], "superseded");
    drop(second);
    provider.until_left(2).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_to_a_colleague_are_counted_too() {
    let server = serve("[limits]\nsession_minute = 2\n").await;
    let mut owner = Browser::owner(&server).await;
    let conversation = opened(&server).await;
    let place = format!("/console/conversations/{conversation}");
    owner.get(&place).await;
    assert!(owner.post(&format!("{place}/take"), &[]).await.status < 400);
    let body = json!({"question": "Hello?", "conversation": conversation});
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(server.post("/v1/answers", &body).await.status);
    }
    assert_eq!(answers, [200, 200, 429]);
    assert_eq!(lines(&server, &conversation).await.len(), 2);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_process_erases_is_gone_here_too() {
    let server = serve("").await;
    let conversation = server.ask(QUESTION).await["conversation"].as_str().unwrap().to_owned();
    let mut listening =
        server.open("GET", &format!("/v1/conversations/{conversation}/events"), &[], "").await;
    assert_eq!(listening.event().await.unwrap().name, "colleague");
    let elsewhere = store(&server).await;
    elsewhere.erase_conversation(&ConversationId(conversation.clone())).await.unwrap();
    assert_eq!(listening.events().await, [], "its stream ends");
    let body = json!({"question": QUESTION, "conversation": conversation});
    assert_eq!(server.post("/v1/answers", &body).await.status, 404);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_has_passed_its_cases_is_served_without_being_told() {
    let server = serve("").await;
    let config = server.root().join("shop.toml");
    let changed = std::fs::read_to_string(&config).unwrap().replace("Corner <b>shop</b>", "Market hall");
    std::fs::write(&config, changed).unwrap();
    let release = Release {
        hash: "another".to_owned(),
        passed: 1,
        total: 1,
        safety_passed: 0,
        safety_total: 0,
        at: UnixMillis(1),
    };
    store(&server).await.record_release(&release).await.unwrap();
    until("the new name is told", async || server.get("/v1/site").await.json()["name"] == "Market hall")
        .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_needs_a_key_may_send_any_where_there_are_no_customers() {
    let server = serve("").await;
    let body = json!({"messages": [{"role": "user", "content": QUESTION},
        {"role": "assistant", "tool_calls": []}, {"role": "user", "content": QUESTION}], "stream": null})
    .to_string();
    let headers = [("content-type", "application/json"), ("authorization", "Bearer sk-none")];
    let answer = server.send("POST", "/v1/chat/completions", &headers, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.body.contains("£2.40"), "{}", answer.body);
    let asked = json!({"question": QUESTION}).to_string();
    assert_eq!(server.send("POST", "/v1/answers", &headers, &asked).await.code(), "bad_token");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_have_one_shape_and_requests_a_name_of_ours() {
    let server = serve("").await;
    let named = server.send("GET", "/v1/site", &[("x-request-id", "theirs")], "").await;
    let name = named.header("x-request-id").unwrap();
    assert!(name != "theirs" && name.len() == 32, "{name}");
    let conversation = opened(&server).await;
    let wrong = server.get(&format!("/v1/conversations/{conversation}?after=abc")).await;
    assert_eq!((wrong.status, wrong.code().as_str()), (400, "bad_request"));
    let nothing = server.get("/v1/conversations/%ff%fe").await;
    assert_eq!((nothing.status, nothing.code().as_str()), (404, "not_found"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_who_does_not_read_is_let_go_whatever_they_asked_for() {
    const ASKED: usize = 600;
    let server = serve("[server]\nwrite_seconds = 1\n").await;
    let size = server.get("/widget.js").await.body.len();
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = "GET /widget.js HTTP/1.1\r\nhost: counter\r\n\r\n".repeat(ASKED);
    stream.write_all(request.as_bytes()).await.unwrap();
    let open = async || {
        let metrics = server.get("/metrics").await.body;
        let line = metrics.lines().find(|line| line.starts_with("mostrador_connections_open ")).unwrap();
        line.rsplit(' ').next().unwrap().parse::<u32>().unwrap()
    };
    // The request that asks is a connection too.
    until("the connection is let go", async || open().await == 1).await;
    let mut read = Vec::new();
    let _ = stream.read_to_end(&mut read).await;
    assert!(read.len() < ASKED * size, "{} of {}", read.len(), ASKED * size);
    server.stop().await;
}
