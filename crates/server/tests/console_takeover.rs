//! The assistant and a colleague share one lock: also in the middle of an answer, also while messages come in.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod browser;
mod common;

use browser::Browser;
use common::{Running, asks, serve};
use mostrador_testkit::{FakeProvider, FakeReply, FakeUsage, Step};
use serde_json::{Value, json};

const QUESTION: &str = "How much does delivery to a parcel shop cost?";

/// A reply that begins and then is silent until whoever asked has left.
fn stalls() -> FakeReply {
    FakeReply::events(vec![
        Step::Begin(FakeUsage::new(10, 5)),
        Step::Text("Delivery to a parcel shop costs £2.40. [delivery#1] And".to_owned()),
        Step::Stall,
    ])
}

fn whole() -> FakeReply {
    FakeReply::text("Delivery to a parcel shop costs £2.40. [delivery#1]")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_under_way_stops_when_a_colleague_takes_over() {
    let provider = FakeProvider::start(vec![stalls(), whole()]).await;
    let server = serve(&asks(provider.address())).await;
    let mut owner = Browser::owner(&server).await;
    let conversation = opened(&server).await;
    let mut stream = server.stream(&json!({"question": QUESTION, "conversation": conversation})).await;
    assert_eq!(stream.event().await.unwrap().name, "sentence");
    let place = format!("/console/conversations/{conversation}");
    owner.get(&place).await;
    let taken = owner.post(&format!("{place}/take"), &[]).await;
    assert!(taken.status < 400, "{}", taken.body);
    let rest = stream.events().await;
    assert!(rest.iter().all(|event| event.name != "sentence"), "{rest:?}");
    assert_eq!(rest[rest.len() - 2].data["key"], "colleague");
    assert_eq!(rest.last().unwrap().data["ending"], "colleague");
    provider.until_left(1).await;
    // What was written until then was paid for.
    let turn = rest.last().unwrap().data["turn"].as_str().unwrap();
    let usage = server.get(&format!("/v1/answers/{turn}")).await.json()["usage"].clone();
    assert!(
        usage["input_tokens"].as_u64() >= Some(10) && usage["output_tokens"].as_u64() > Some(0),
        "{usage}"
    );
    // What was read is in the conversation, for the colleague too.
    let read = server.get(&format!("/v1/conversations/{conversation}")).await.json();
    assert_eq!(read["colleague"], true);
    assert!(read["lines"][1]["text"].as_str().unwrap().contains("£2.40"), "{read}");
    // Given back, nothing is answered that came before, and the next message once.
    let body = json!({"question": "Are you there?", "conversation": conversation});
    assert_eq!(server.post("/v1/answers", &body).await.json()["ending"], "colleague");
    assert!(owner.post(&format!("{place}/give-back"), &[]).await.status < 400);
    assert_eq!(provider.heard().len(), 1);
    let body = json!({"question": QUESTION, "conversation": conversation});
    assert_eq!(server.post("/v1/answers", &body).await.json()["ending"], "answered");
    assert_eq!(provider.heard().len(), 2);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_that_come_while_it_is_taken_go_to_the_colleague() {
    let provider = FakeProvider::start(vec![stalls()]).await;
    let more = "[limits]\naddress_minute = 0\naddress_hour = 0\nsession_minute = 0\n";
    let server = serve(&format!("{}{more}", asks(provider.address()))).await;
    let mut owner = Browser::owner(&server).await;
    for _ in 0..10 {
        let conversation = opened(&server).await;
        let mut first = server.stream(&json!({"question": QUESTION, "conversation": conversation})).await;
        assert_eq!(first.event().await.unwrap().name, "sentence");
        let body = json!({"question": "What does it cost to a parcel shop?", "conversation": conversation});
        let place = format!("/console/conversations/{conversation}");
        owner.get(&place).await;
        let take = format!("{place}/take");
        let (one, other, taken) = tokio::join!(
            server.post("/v1/answers", &body),
            server.post("/v1/answers", &body),
            owner.post(&take, &[])
        );
        assert!(taken.status < 400, "{}", taken.body);
        let endings = [one, other].map(|reply| reply.json()["ending"].as_str().unwrap().to_owned());
        assert!(
            endings.iter().all(|ending| ["colleague", "superseded"].contains(&ending.as_str())),
            "{endings:?}"
        );
        assert_eq!(first.events().await.last().unwrap().data["ending"], "colleague");
        // Memory and store agree.
        let read = server.get(&format!("/v1/conversations/{conversation}")).await.json();
        assert_eq!(read["colleague"], true);
        let next: Value = server.post("/v1/answers", &body).await.json();
        assert_eq!(next["ending"], "colleague");
        let lines = server.get(&format!("/v1/conversations/{conversation}")).await.json();
        let last = lines["lines"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["speaker"], "customer", "{lines}");
    }
    server.stop().await;
}

async fn opened(server: &Running) -> String {
    let opened = server.post("/v1/conversations", &json!({"locale": "en"})).await.json();
    opened["conversation"].as_str().unwrap().to_owned()
}
