//! Conversations: one answer to a burst, nothing of one customer for another, nothing acknowledged lost.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use common::{asks, serve, serve_folder};
use mostrador_testkit::{FakeProvider, FakeReply, FakeUsage, Step};
use serde_json::{Value, json};

const QUESTION: &str = "How much does delivery to a parcel shop cost?";

/// A reply that begins and then is silent until whoever asked has left.
fn stalls(text: &str) -> FakeReply {
    FakeReply::events(vec![Step::Begin(FakeUsage::new(10, 5)), Step::Text(text.to_owned()), Step::Stall])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_burst_of_three_messages_gets_one_answer() {
    let said = FakeReply::text("Delivery to a parcel shop costs £2.40. [delivery#1]");
    let provider = FakeProvider::start(vec![stalls(""), stalls(""), said]).await;
    let server = serve(&asks(provider.address())).await;
    let opened = server.post("/v1/conversations", &json!({"locale": "en"})).await;
    assert_eq!(opened.status, 201);
    let conversation = opened.json()["conversation"].as_str().unwrap().to_owned();
    let body = |text: &str| json!({"question": text, "conversation": conversation});
    let mut first = server.stream(&body("About the delivery to a parcel shop")).await;
    provider_heard(&provider, 1).await;
    let mut second = server.stream(&body("the cost of delivery to a parcel shop")).await;
    provider_heard(&provider, 2).await;
    let mut third = server.stream(&body("how much does delivery to a parcel shop cost?")).await;
    let endings = [first.events().await, second.events().await, third.events().await]
        .map(|events| events.last().unwrap().data["ending"].as_str().unwrap().to_owned());
    assert_eq!(endings, ["superseded", "superseded", "answered"]);
    provider.until_left(2).await;
    let asked = provider.heard()[2].body.to_string();
    assert!(asked.contains("About the delivery") && asked.contains("how much does"), "{asked}");
    let lines = server.get(&format!("/v1/conversations/{conversation}")).await.json();
    let speakers: Vec<&Value> =
        lines["lines"].as_array().unwrap().iter().map(|line| &line["speaker"]).collect();
    assert_eq!(speakers, ["customer", "assistant"]);
    server.stop().await;
}

async fn provider_heard(provider: &FakeProvider, count: usize) {
    let waiting = async {
        while provider.heard().len() < count {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(common::PATIENCE, waiting).await.expect("the model is asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_up_knows_what_was_asked_before() {
    let server = serve("").await;
    let first = server.ask("How much does delivery to your home cost?").await;
    let body = json!({"question": "and to a parcel shop?", "conversation": first["conversation"]});
    let second = server.post("/v1/answers", &body).await.json();
    assert!(second["text"].as_str().unwrap().contains("£2.40"), "{second}");
    assert_eq!(second["conversation"], first["conversation"]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_loses_nothing_that_was_acknowledged() {
    let server = serve("").await;
    let first = server.ask("How much does delivery to your home cost?").await;
    let server = serve_folder(server.stop().await).await;
    let conversation = first["conversation"].as_str().unwrap();
    let lines = server.get(&format!("/v1/conversations/{conversation}")).await.json();
    assert_eq!(lines["lines"][1]["text"], first["text"]);
    let body = json!({"question": "and to a parcel shop?", "conversation": conversation});
    let second = server.post("/v1/answers", &body).await.json();
    assert!(second["text"].as_str().unwrap().contains("£2.40"), "{second}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_in_mid_stream_says_so_and_keeps_what_was_read() {
    let provider =
        FakeProvider::start(vec![stalls("Delivery to a parcel shop costs £2.40. [delivery#1] And")]).await;
    let more = format!("{}[server]\nshutdown_seconds = 0\n", asks(provider.address()));
    let server = serve(&more).await;
    let mut stream = server.stream(&json!({"question": "What does a parcel shop mean for delivery?"})).await;
    let conversation = stream.header("mostrador-conversation").unwrap().to_owned();
    assert_eq!(stream.event().await.unwrap().name, "sentence");
    server.handle.stop();
    let rest = stream.events().await;
    let names: Vec<&str> = rest.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(&names[names.len() - 2..], ["notice", "done"]);
    assert_eq!(rest.last().unwrap().data["ending"], "interrupted");
    let dir = server.stop().await;
    std::fs::write(dir.path().join("shop.toml"), format!("release_gate = \"warn\"\n{}", common::SHOP))
        .unwrap();
    let server = serve_folder(dir).await;
    let lines = server.get(&format!("/v1/conversations/{conversation}")).await.body;
    assert!(lines.contains("£2.40"), "{lines}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_for_a_colleague_is_written_into_the_inbox() {
    let server = serve("").await;
    let answer = server.ask(QUESTION).await;
    let conversation = answer["conversation"].as_str().unwrap();
    let path = format!("/v1/conversations/{conversation}/handoff");
    let reply =
        server.post(&path, &json!({"message": "I want a person", "reply_to": "ana@mail.example"})).await;
    assert_eq!(reply.status, 202);
    assert_eq!(reply.json()["notice"]["key"], "handoff");
    let read = server.get(&format!("/v1/conversations/{conversation}")).await.json();
    assert_eq!(read["lines"].as_array().unwrap().last().unwrap()["text"], "I want a person");
    let bad = server.post(&path, &json!({"reply_to": "a\nb"})).await;
    assert_eq!(bad.code(), "bad_request");
    let dir = server.stop().await;
    let store = mostrador_store::Store::open(&dir.path().join("state/mostrador.db"), Default::default())
        .await
        .unwrap();
    let items = store.list_inbox(10).await.unwrap();
    assert_eq!(items[0].entry.question, "I want a person");
    assert_eq!(items[0].entry.address.as_deref(), Some("ana@mail.example"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_erased_is_gone() {
    let server = serve("").await;
    let answer = server.ask(QUESTION).await;
    let path = format!("/v1/conversations/{}", answer["conversation"].as_str().unwrap());
    assert_eq!(server.send("DELETE", &path, &[], "").await.status, 204);
    assert_eq!(server.get(&path).await.status, 404);
    assert_eq!(server.get(&format!("/v1/answers/{}", answer["turn"].as_str().unwrap())).await.status, 404);
    let body = json!({"question": QUESTION, "conversation": answer["conversation"]});
    assert_eq!(server.post("/v1/answers", &body).await.code(), "not_found");
    server.stop().await;
}

/// A thousand readers leave in the middle: no turn, no call and no reservation is left.
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_readers_who_leave_leave_nothing_behind() {
    const READERS: usize = 1_000;
    let provider =
        FakeProvider::start(vec![stalls("Delivery to a parcel shop costs £2.40. [delivery#1] And")]).await;
    let more = format!(
        "{}[limits]\naddress_minute = 0\naddress_hour = 0\naddress_day = 0\n[budget]\ncurrency = \"EUR\"\n\
         price_in_per_million = \"1.00\"\nprice_out_per_million = \"1.00\"\nper_1000_questions = \"900.00\"\n",
        asks(provider.address())
    );
    let server = serve(&more).await;
    for _ in 0..READERS / 50 {
        let mut streams = Vec::new();
        for _ in 0..50 {
            streams.push(
                server.stream(&json!({"question": "What does a parcel shop mean for delivery?"})).await,
            );
        }
        for stream in &mut streams {
            assert_eq!(stream.event().await.unwrap().name, "sentence");
        }
    }
    provider.until_left(READERS).await;
    let dir = server.stop().await;
    let store = mostrador_store::Store::open(&dir.path().join("state/mostrador.db"), Default::default())
        .await
        .unwrap();
    let days = store.days("0000-01-01", "9999-12-31").await.unwrap();
    assert_eq!(days.iter().map(|day| day.reserved.0).sum::<u64>(), 0);
    assert_eq!(days.iter().map(|day| day.questions).sum::<u64>(), READERS as u64);
}
