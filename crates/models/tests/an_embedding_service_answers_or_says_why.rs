//! The service embedder against a server on loopback that answers well, badly, late or not at all.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::time::Duration;

use mostrador_answer::ports::{Embed, EmbedAs};
use mostrador_models::{ServiceEmbedder, ServiceSettings};
use mostrador_testkit::{Canned, CannedServer};
use secrecy::SecretString;

const KEY: &str = "sk-very-secret";

fn settings(address: &str) -> ServiceSettings {
    ServiceSettings {
        base_url: address.to_owned(),
        model: "m".to_owned(),
        key_env: Some("SHOP_KEY".to_owned()),
        key: Some(SecretString::from(KEY)),
        batch: 2,
        timeout: Duration::from_secs(10),
        retries: 2,
        pause: Duration::from_millis(1),
        query_prefix: String::new(),
        passage_prefix: String::new(),
        input_type: false,
        dimensions: None,
    }
}

fn reply(status: u16, body: &str) -> Canned {
    Canned::Reply(status, "", body.to_owned())
}

/// What the embedder says where the server gives these replies, and how often it was asked.
async fn refusal(replies: Vec<Canned>, change: impl FnOnce(&mut ServiceSettings)) -> (String, usize) {
    let server = CannedServer::start(replies).await;
    let mut settings = settings(server.address());
    change(&mut settings);
    let error = ServiceEmbedder::new(settings).unwrap().embed(&["a", "b"], EmbedAs::Query).await.unwrap_err();
    assert_eq!(error.part, "embedder");
    let said = error.to_string();
    assert!(!said.contains(KEY), "{said}");
    (said, server.asked().len())
}

#[tokio::test]
async fn texts_go_in_batches_and_come_back_in_their_order() {
    let server = CannedServer::start(vec![Canned::Lengths]).await;
    let embedder = ServiceEmbedder::new(settings(server.address())).unwrap();
    let vectors = embedder.embed(&["a", "bb", "ccc", "dddd", "eeeee"], EmbedAs::Passage).await.unwrap();
    assert_eq!(vectors, [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0], [4.0, 1.0], [5.0, 1.0]]);
    let asked = server.asked();
    assert_eq!(asked.len(), 3);
    assert!(asked[0].starts_with("POST /v1/embeddings HTTP/1.1"), "{}", asked[0]);
    assert!(asked[0].contains(&format!("authorization: Bearer {KEY}")), "{}", asked[0]);
}

#[tokio::test]
async fn nothing_is_called_before_the_first_text() {
    let server = CannedServer::start(vec![Canned::Lengths]).await;
    let embedder = ServiceEmbedder::new(settings(server.address())).unwrap();
    assert!(embedder.embed(&[], EmbedAs::Query).await.unwrap().is_empty());
    assert!(!format!("{} {embedder:?}", embedder.id()).contains(KEY));
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn questions_and_passages_are_told_apart_as_configured() {
    let server = CannedServer::start(vec![Canned::Lengths]).await;
    let typed = ServiceSettings { input_type: true, ..settings(server.address()) };
    let prefixed = ServiceSettings {
        query_prefix: "query: ".to_owned(),
        passage_prefix: "passage: ".to_owned(),
        ..settings(server.address())
    };
    let sized = ServiceSettings { dimensions: Some(2), ..settings(server.address()) };
    for settings in [&typed, &prefixed, &sized] {
        let embedder = ServiceEmbedder::new(settings.clone()).unwrap();
        embedder.embed(&["a"], EmbedAs::Query).await.unwrap();
        embedder.embed(&["a"], EmbedAs::Passage).await.unwrap();
    }
    let asked = server.asked();
    assert!(asked[0].contains(r#""input_type":"query""#) && asked[1].contains(r#""input_type":"passage""#));
    assert!(asked[2].contains(r#"["query: a"]"#) && asked[3].contains(r#"["passage: a"]"#));
    assert!(asked[4].contains(r#""dimensions":2"#));
    let ids: std::collections::BTreeSet<String> = [&typed, &prefixed, &sized, &settings(server.address())]
        .map(|settings| ServiceEmbedder::new(settings.clone()).unwrap().id())
        .into();
    assert_eq!(ids.len(), 4);
    let both = ServiceSettings { input_type: true, ..prefixed };
    assert!(ServiceEmbedder::new(both).unwrap_err().to_string().contains("keep the one"));
}

#[tokio::test]
async fn a_busy_service_is_asked_again() {
    for status in [429, 500, 503] {
        let server = CannedServer::start(vec![
            Canned::Reply(status, "retry-after: 0\r\n", "busy".to_owned()),
            Canned::BreaksOff,
            Canned::Lengths,
        ])
        .await;
        let embedder = ServiceEmbedder::new(settings(server.address())).unwrap();
        assert_eq!(embedder.embed(&["a"], EmbedAs::Query).await.unwrap(), [[1.0, 1.0]]);
        assert_eq!(server.asked().len(), 3);
    }
}

#[tokio::test]
async fn repeats_are_bounded_and_only_where_they_may_help() {
    for (status, asked, says) in [
        (500, 3, "look at the service"),
        (429, 3, "higher rate"),
        (400, 1, "check `model`"),
        (401, 1, "check the key in SHOP_KEY"),
        (404, 1, "check `base_url` and `model`"),
        (413, 1, "lower `batch`"),
        (302, 1, "check `base_url`"),
    ] {
        let body = format!("no: {KEY} is\nwrong");
        let (said, count) = refusal(vec![reply(status, &body)], |_| {}).await;
        assert!(said.contains(says) && said.contains(&status.to_string()), "{said}");
        assert_eq!(count, asked, "{status}");
    }
}

#[tokio::test]
async fn a_pause_longer_than_the_limit_is_not_waited_for() {
    let (said, count) =
        refusal(vec![Canned::Reply(429, "retry-after: 3600\r\n", String::new())], |_| {}).await;
    assert!(said.contains("429") && said.contains("3600"), "{said}");
    assert_eq!(count, 1);
}

#[tokio::test]
async fn replies_that_are_no_vectors_say_what_to_do() {
    for (canned, says) in [
        (reply(200, r#"{"data":[{"index":0,"embedding":[1]}]}"#), "lower `batch`"),
        (
            reply(200, r#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[null]}]}"#),
            "look at the service",
        ),
        (reply(200, "<html></html>"), "check that `base_url`"),
        (Canned::Zeros(70 << 20), "lower `batch`"),
    ] {
        let (said, count) = refusal(vec![canned], |_| {}).await;
        assert!(said.contains(says), "{said}");
        assert_eq!(count, 1);
    }
    let two = r#"{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1,2]}]}"#;
    let (said, _) = refusal(vec![reply(200, two)], |settings| settings.dimensions = Some(3)).await;
    assert!(said.contains("correct `dimensions`"), "{said}");
}

#[tokio::test]
async fn a_silent_service_and_one_that_is_away_end_in_time() {
    let (said, _) =
        refusal(vec![Canned::Silence], |settings| settings.timeout = Duration::from_millis(50)).await;
    assert!(said.contains("`timeout_seconds`") || said.contains("no answer in time"), "{said}");
    let (said, _) = refusal(vec![], |settings| settings.base_url = "http://127.0.0.1:1".to_owned()).await;
    assert!(said.contains("check `base_url` and that the service runs"), "{said}");
}

#[tokio::test]
async fn a_key_that_is_not_set_is_named_and_nothing_is_called() {
    let (said, count) = refusal(vec![Canned::Lengths], |settings| settings.key = None).await;
    assert!(said.contains("SHOP_KEY is not set"), "{said}");
    assert_eq!(count, 0);
    let (said, count) = refusal(vec![Canned::Lengths], |settings| settings.key = Some("a\nb".into())).await;
    assert!(said.contains("SHOP_KEY") && said.contains("header"), "{said}");
    assert_eq!(count, 0);
}
