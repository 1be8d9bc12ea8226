//! Questions over HTTP: as JSON, as events, again, and as a chat completion.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::time::Duration;

use common::{asks, serve};
use mostrador_testkit::{FakeProvider, FakeReply, FakeUsage, Step};
use serde_json::{Value, json};

const QUESTION: &str = "How much does delivery to a parcel shop cost?";

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_comes_with_its_source_and_can_be_read_again() {
    let server = serve("").await;
    let reply = server.post("/v1/answers", &json!({"question": QUESTION})).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    let answer = reply.json();
    assert!(answer["text"].as_str().unwrap().contains("£2.40"), "{answer}");
    assert_eq!(answer["ending"], "answered");
    assert_eq!(answer["citations"][0]["file"], "documents/delivery.md");
    assert_eq!(reply.header("mostrador-conversation"), answer["conversation"].as_str());
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let again = server.get(&format!("/v1/answers/{}", answer["turn"].as_str().unwrap())).await;
    assert_eq!(again.json(), answer);
    let nothing = server.ask("Do you rent out kayaks by the hour?").await;
    assert_eq!(nothing["ending"], "no-evidence");
    assert_eq!(nothing["notices"][0]["key"], "dont_know");
    assert_eq!(nothing["citations"], json!([]));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_streamed_sentence_by_sentence_and_nothing_comes_after_its_end() {
    let server = serve("").await;
    let mut stream = server.stream(&json!({"question": QUESTION})).await;
    assert_eq!(stream.header("content-type"), Some("text/event-stream; charset=utf-8"));
    assert_eq!(stream.header("x-accel-buffering"), Some("no"));
    assert!(stream.header("cache-control").unwrap().contains("no-transform"));
    let conversation = stream.header("mostrador-conversation").unwrap().to_owned();
    let events = stream.events().await;
    let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    assert!(names.contains(&"sentence") && names.contains(&"citation"), "{names:?}");
    assert_eq!(names.iter().position(|name| *name == "done"), Some(names.len() - 1));
    let ids: Vec<String> = events.iter().map(|event| event.id.clone().unwrap()).collect();
    let counted: Vec<String> = (1..=events.len()).map(|id| id.to_string()).collect();
    assert_eq!(ids, counted);
    let done = &events.last().unwrap().data;
    assert_eq!(done["ending"], "answered");
    assert_eq!(done["conversation"], conversation.as_str());
    // A finished turn is read again as events too.
    let headers = [("accept", "text/event-stream")];
    let path = format!("/v1/answers/{}", done["turn"].as_str().unwrap());
    let again = server.open("GET", &path, &headers, "").await.events().await;
    assert_eq!(again.last().unwrap().data, *done);
    let lines = server.get(&format!("/v1/conversations/{conversation}")).await.json();
    let speakers: Vec<&Value> = lines["lines"].as_array().unwrap().iter().map(|line| &line["speaker"]).collect();
    assert_eq!(speakers, ["customer", "assistant"]);
    server.stop().await;
}

/// Hard case 24: right headers, a sign of life, and plain JSON for whoever does not stream.
#[tokio::test(flavor = "multi_thread")]
async fn hard_case_24_a_silent_stream_gives_signs_of_life() {
    let silent = FakeReply::events(vec![Step::Begin(FakeUsage::new(10, 5)), Step::Stall]);
    let provider = FakeProvider::start(vec![silent]).await;
    let more = format!("{}[server]\nheartbeat_seconds = 1\n", asks(provider.address()));
    let server = serve(&more).await;
    let mut stream = server.stream(&json!({"question": QUESTION})).await;
    let block = stream.block().await.unwrap();
    assert!(block.starts_with(':'), "{block:?}");
    drop(stream);
    provider.until_left(1).await;
    server.stop().await;
}

/// Hard case 25: no event waits for the acknowledgement of the one before.
#[tokio::test(flavor = "multi_thread")]
async fn hard_case_25_small_writes_do_not_wait_forty_milliseconds() {
    let server = serve("[limits]\naddress_minute = 0\naddress_hour = 0\n").await;
    let mut times = Vec::new();
    for _ in 0..40 {
        let began = tokio::time::Instant::now();
        let events = server.stream(&json!({"question": QUESTION})).await.events().await;
        assert!(events.len() >= 3);
        times.push(began.elapsed());
    }
    times.sort();
    // The step of a delayed acknowledgement is 40 ms, at least, in every one of them.
    assert!(times[times.len() / 2] < Duration::from_millis(40), "{:?}", times[times.len() / 2]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_existing_chat_client_can_be_pointed_at_it() {
    let server = serve("").await;
    let messages = json!([{"role": "system", "content": "You may give discounts."}, {"role": "user", "content": QUESTION}]);
    let reply = server.post("/v1/chat/completions", &json!({"model": "gpt-4o", "messages": messages})).await.json();
    let text = reply["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(text.contains("£2.40"), "{reply}");
    assert_eq!(reply["mostrador"]["citations"][0]["file"], "documents/delivery.md");
    let body = json!({"model": "x", "messages": messages, "stream": true, "stream_options": {"include_usage": true}});
    let headers = [("content-type", "application/json")];
    let events = server.open("POST", "/v1/chat/completions", &headers, &body.to_string()).await.events().await;
    let streamed: String =
        events.iter().filter_map(|event| event.data["choices"][0]["delta"]["content"].as_str()).collect();
    assert_eq!(streamed.trim_end(), text);
    assert_eq!(events.last().unwrap().data, "[DONE]");
    assert!(events.iter().any(|event| event.data["usage"]["total_tokens"].is_u64()));
    let wrong = json!({"messages": [{"role": "assistant", "content": "x"}]});
    assert_eq!(server.post("/v1/chat/completions", &wrong).await.code(), "bad_request");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_customer_thinks_of_an_answer_is_kept() {
    let server = serve("").await;
    let answer = server.ask(QUESTION).await;
    let path = format!("/v1/answers/{}/feedback", answer["turn"].as_str().unwrap());
    assert_eq!(server.post(&path, &json!({"helpful": true, "comment": "thanks"})).await.status, 204);
    assert_eq!(server.post("/v1/answers/none/feedback", &json!({"helpful": true})).await.status, 404);
    assert_eq!(server.post(&path, &json!({"helpful": "yes"})).await.code(), "bad_request");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn personal_data_is_taken_out_before_the_model_and_the_store() {
    let said = "Delivery to a parcel shop costs £2.40. [delivery#1]";
    let provider = FakeProvider::start(vec![FakeReply::text(said)]).await;
    let server = serve(&format!("{}[personal_data]\nredact = true\n", asks(provider.address()))).await;
    let question = format!("I am ana@mail.example, +34 600 123 456. {QUESTION}");
    let answer = server.ask(&question).await;
    assert_eq!(answer["ending"], "answered", "{answer}");
    let sent = provider.heard()[0].body.to_string();
    assert!(sent.contains("[email-1]") && !sent.contains("ana@") && !sent.contains("600 123"), "{sent}");
    let conversation = answer["conversation"].as_str().unwrap().to_owned();
    let lines = server.get(&format!("/v1/conversations/{conversation}")).await.body;
    assert!(lines.contains("[email-1]") && !lines.contains("ana@mail"), "{lines}");
    let dir = server.stop().await;
    for file in std::fs::read_dir(dir.path().join("state")).unwrap() {
        let file = file.unwrap().path();
        if file.is_file() {
            let bytes = std::fs::read(&file).unwrap();
            assert!(!bytes.windows(8).any(|window| window == b"ana@mail"), "{}", file.display());
        }
    }
}
