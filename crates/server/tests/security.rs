//! What strangers try: other people's conversations, other pages, long and slow requests, odd paths.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::sync::Arc;

use common::{NoSuite, PATIENCE, folder, serve};
use mostrador_server::{ServeError, Server, ServerOptions};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const QUESTION: &str = "How much does delivery to a parcel shop cost?";

#[tokio::test(flavor = "multi_thread")]
async fn errors_have_a_stable_code_and_say_what_to_do() {
    let server = serve("[server]\nbody_bytes = 1000\n").await;
    let json = [("content-type", "application/json")];
    let long = format!("{{\"question\": \"{}\"}}", "x".repeat(2_000));
    for (method, path, headers, body, status, code) in [
        ("POST", "/v1/answers", &json[..], "{", 400, "bad_request"),
        ("POST", "/v1/answers", &json[..], "{\"question\": 1}", 400, "bad_request"),
        ("POST", "/v1/answers", &json[..], "{\"question\": \"a\", \"customer\": \"b\"}", 400, "bad_request"),
        ("POST", "/v1/answers", &json[..], "{\"question\": \"a\", \"locale\": \"xx\"}", 400, "bad_request"),
        (
            "POST",
            "/v1/answers",
            &json[..],
            "{\"question\": \"a\", \"conversation\": \"nobody\"}",
            404,
            "not_found",
        ),
        ("POST", "/v1/answers", &[("content-type", "text/plain")], "{}", 415, "not_json"),
        ("POST", "/v1/answers", &[], "{\"question\": \"a\"}", 415, "not_json"),
        ("POST", "/v1/answers", &json[..], long.as_str(), 413, "too_large"),
        ("GET", "/v1/answers", &[], "", 405, "method_not_allowed"),
        ("GET", "/v1/answers/none", &[], "", 404, "not_found"),
        ("GET", "/v1/answers/..%2f..%2fshop.toml", &[], "", 404, "not_found"),
        ("GET", "/../shop.toml", &[], "", 404, "not_found"),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd", &[], "", 404, "not_found"),
        ("GET", "/state/mostrador.db", &[], "", 404, "not_found"),
    ] {
        let reply = server.send(method, path, headers, body).await;
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (status, code),
            "{method} {path} {body}: {}",
            reply.body
        );
        assert!(reply.header("x-request-id").is_some_and(|id| id.len() == 32));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    }
    let token = [("content-type", "application/json"), ("authorization", "Bearer x.y.z")];
    let reply = server.send("POST", "/v1/answers", &token, "{\"question\": \"a\"}").await;
    assert_eq!((reply.status, reply.code().as_str()), (401, "bad_token"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_pages_may_call_it_only_where_they_are_listed() {
    let server = serve("[server]\norigins = [\"https://shop.example\"]\n").await;
    for (origin, allowed) in [
        ("https://shop.example", true),
        ("https://shop.example.evil.example", false),
        ("https://evil.example", false),
        ("null", false),
    ] {
        let headers = [("origin", origin), ("access-control-request-method", "POST")];
        let reply = server.send("OPTIONS", "/v1/answers", &headers, "").await;
        let given = reply.header("access-control-allow-origin");
        assert_eq!(given, allowed.then_some(origin), "{origin}");
        assert_eq!(reply.header("access-control-allow-credentials"), None);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_lets_nothing_in_that_is_not_its_own() {
    let server = serve("").await;
    let page = server.get("/").await;
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-frame-options"), Some("DENY"));
    assert!(
        page.body.contains("Corner &lt;b&gt;shop&lt;/b&gt;") && !page.body.contains("<b>"),
        "{}",
        page.body
    );
    let widget = server.get("/widget.js").await;
    let tag = widget.header("etag").unwrap().to_owned();
    let again = server.send("GET", "/widget.js", &[("if-none-match", &tag)], "").await;
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_count_the_caller_and_not_what_the_caller_says() {
    let server = serve("[limits]\naddress_minute = 2\n").await;
    for (forwarded, status) in [("198.51.100.1", 200), ("198.51.100.2", 200), ("198.51.100.3", 429)] {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", forwarded)];
        let body = json!({"question": QUESTION}).to_string();
        let reply = server.send("POST", "/v1/answers", &headers, &body).await;
        assert_eq!(reply.status, status, "{}", reply.body);
        assert_eq!(reply.header("retry-after").is_some(), status == 429);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_count_those_behind_a_listed_proxy_apart() {
    let more = "[limits]\naddress_minute = 1\n[server]\ntrusted_proxies = [\"127.0.0.1\"]\n";
    let server = serve(more).await;
    for (forwarded, status) in
        [("9.9.9.9, 198.51.100.1", 200), ("8.8.8.8, 198.51.100.1", 429), ("9.9.9.9, 198.51.100.2", 200)]
    {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", forwarded)];
        let body = json!({"question": QUESTION}).to_string();
        let reply = server.send("POST", "/v1/answers", &headers, &body).await;
        assert_eq!(reply.status, status, "{forwarded}: {}", reply.body);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_slow_is_let_go() {
    let server = serve("[server]\nread_seconds = 1\n").await;
    // A header that never ends.
    let mut slow = TcpStream::connect(server.address).await.unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nhost: counter\r\nx-slow: ").await.unwrap();
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(PATIENCE, slow.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "the connection is closed");
    // A body that never comes.
    let mut slow = TcpStream::connect(server.address).await.unwrap();
    let head = "POST /v1/answers HTTP/1.1\r\nhost: counter\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{";
    slow.write_all(head.as_bytes()).await.unwrap();
    let mut rest = vec![0; 256];
    let read = tokio::time::timeout(PATIENCE, slow.read(&mut rest)).await.expect("an answer").unwrap();
    assert!(String::from_utf8_lossy(&rest[..read]).contains("408"));
    // A form of the console that never comes, from whoever is not signed in.
    let mut slow = TcpStream::connect(server.address).await.unwrap();
    let head = "POST /console/sign-in HTTP/1.1\r\nhost: counter\r\nsec-fetch-site: same-origin\r\n\
                content-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\nname=o";
    slow.write_all(head.as_bytes()).await.unwrap();
    let read = tokio::time::timeout(PATIENCE, slow.read(&mut rest)).await.expect("an answer").unwrap();
    assert!(String::from_utf8_lossy(&rest[..read]).starts_with("HTTP/1.1 400"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_without_end_is_refused() {
    let server = serve("").await;
    let mut long = TcpStream::connect(server.address).await.unwrap();
    let head = format!("GET / HTTP/1.1\r\nhost: counter\r\nx-long: {}\r\n\r\n", "x".repeat(100_000));
    let _ = long.write_all(head.as_bytes()).await;
    let mut rest = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, long.read_to_end(&mut rest)).await.expect("it is closed");
    assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_passed_nothing_is_not_served() {
    let dir = folder("");
    let file = dir.path().join("shop.toml");
    let strict = std::fs::read_to_string(&file).unwrap().replace("release_gate = \"warn\"\n", "");
    let open = async |config: &str, suite: Result<String, String>| {
        std::fs::write(&file, config).unwrap();
        let options = ServerOptions { listen: Some("127.0.0.1:0".to_owned()), ..ServerOptions::default() };
        Server::open(dir.path(), Arc::new(NoSuite(suite)), options).await
    };
    let refused = open(&strict, Ok("cases".to_owned())).await;
    assert!(matches!(refused.err(), Some(ServeError::NotReleased { .. })));
    let without = open(&strict, Err("there are no cases".to_owned())).await;
    assert!(matches!(without.err(), Some(ServeError::Suite(_))));
    let lesson = format!("release_gate = \"warn\"\n{strict}[gate]\nmode = \"off\"\n");
    assert!(matches!(open(&lesson, Ok(String::new())).await.err(), Some(ServeError::NoGate)));
    let warned = open(&format!("release_gate = \"warn\"\n{strict}"), Ok(String::new())).await.unwrap();
    assert!(warned.warnings().iter().any(|warning| warning.contains("mostrador eval")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reload_drops_no_stream_and_serves_nothing_that_was_not_released() {
    let server = serve("").await;
    let conversation = server.post("/v1/conversations", &json!({})).await.json();
    let path = format!("/v1/conversations/{}/events", conversation["conversation"].as_str().unwrap());
    let mut stream = server.open("GET", &path, &[], "").await;
    assert_eq!(stream.event().await.unwrap().name, "colleague");
    let file = server.root().join("shop.toml");
    let config = std::fs::read_to_string(&file).unwrap();
    let reloaded = async |outcome: &str, count: usize| {
        let expected = format!("mostrador_reloads_total{{outcome=\"{outcome}\"}} {count}");
        let waiting = async {
            while !server.get("/metrics").await.body.contains(&expected) {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("{expected}"));
    };
    // Not released, and this shop wants that now.
    std::fs::write(&file, config.replace("\"warn\"", "\"refuse\"").replace("Corner", "Other")).unwrap();
    server.handle.reload();
    reloaded("refused", 1).await;
    assert!(server.get("/v1/site").await.json()["name"].as_str().unwrap().starts_with("Corner"));
    std::fs::write(&file, config.replace("Corner", "Third")).unwrap();
    server.handle.reload();
    reloaded("served", 1).await;
    assert!(server.get("/v1/site").await.json()["name"].as_str().unwrap().starts_with("Third"));
    // The stream that was open before is still open.
    let id = conversation["conversation"].as_str().unwrap();
    let wish = server.post(&format!("/v1/conversations/{id}/handoff"), &json!({"message": "hello"})).await;
    assert_eq!(wish.status, 202);
    drop(stream);
    server.stop().await;
}
