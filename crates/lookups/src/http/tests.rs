//! Where a look-up can be led by its address, its arguments, and the names of a network.
#![cfg(test)]

use std::net::{IpAddr, SocketAddr};
use std::sync::Mutex;

use mostrador_language::TextKey;
use mostrador_testkit::{Canned, CannedServer};
use proptest::prelude::*;
use reqwest::dns::{Addrs, Name, Resolving};
use serde_json::json;

use super::*;

const JSON: &str = "content-type: application/json; charset=utf-8\r\n";

fn config(url: &str, allow_private: &[&str]) -> HttpConfig {
    HttpConfig {
        name: "order_state".to_owned(),
        description: "The state of an order. Reads only.".to_owned(),
        url: url.to_owned(),
        allow_private: allow_private.iter().map(|host| (*host).to_owned()).collect(),
        key_env: None,
        key: None,
        key_header: None,
        parameters: json!({"order": {"type": "string"}}).as_object().unwrap().clone(),
        public: false,
        fields: vec!["state".to_owned()],
        result: None,
        trust: Trust::Shop,
        texts: Texts::from([
            (TextKey::UnknownRecord, "no record {value}".to_owned()),
            (TextKey::MissingField, "{field} is missing".to_owned()),
            (TextKey::BadField, "{field} does not fit".to_owned()),
            (TextKey::LookupFailed, "not done".to_owned()),
        ]),
        timeout: Duration::from_secs(10),
    }
}

/// A look-up of a server on this machine.
fn here(server: &CannedServer, change: impl FnOnce(&mut HttpConfig)) -> HttpLookup {
    let url = format!("{}/orders/{{order}}?customer={{customer}}", server.address());
    let mut config = config(&url, &["127.0.0.1"]);
    change(&mut config);
    HttpLookup::new(config).unwrap()
}

fn ana() -> CustomerId {
    CustomerId("ana".to_owned())
}

fn input(value: &Value) -> Input {
    value.as_object().unwrap().clone()
}

async fn look(lookup: &HttpLookup, order: &str, caller: Option<&CustomerId>) -> LookupResult {
    lookup.look(&input(&json!({"order": order})), caller).await
}

fn result(outcome: Outcome, content: &str) -> LookupResult {
    LookupResult { outcome, content: content.to_owned() }
}

/// Names that lead where a test says, and what was asked for.
struct Names(Vec<IpAddr>, Mutex<Vec<String>>);

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        self.1.lock().unwrap().push(name.as_str().to_owned());
        let found: Vec<SocketAddr> = self.0.iter().map(|address| (*address, 0).into()).collect();
        Box::pin(async move { Ok(Box::new(found.into_iter()) as Addrs) })
    }
}

#[tokio::test]
async fn the_fields_of_the_reply_are_told_and_nothing_else() {
    let body = json!({"state": "<b>sent</b>", "eta": "soon", "card": "4111"}).to_string();
    let server = CannedServer::start(vec![Canned::Reply(200, JSON, body)]).await;
    let lookup = here(&server, |config| config.fields = vec!["state".to_owned(), "eta".to_owned()]);
    let seen = look(&lookup, "204418", Some(&ana())).await;
    assert_eq!(seen, result(Outcome::Found, "state: bsent/b\neta: soon"));
    let asked = server.asked();
    assert!(asked[0].starts_with("GET /orders/204418?customer=ana HTTP/1.1\r\n"), "{}", asked[0]);
    let sentence = here(&server, |config| {
        config.fields.clear();
        config.result = Some("Order: {state}.".to_owned());
    });
    assert_eq!(look(&sentence, "1", Some(&ana())).await.content, "Order: bsent/b.");
}

#[tokio::test]
async fn who_asks_comes_from_the_session_and_is_not_guessed() {
    let server = CannedServer::start(vec![Canned::Reply(200, JSON, r#"{"state": "sent"}"#.to_owned())]).await;
    let lookup = here(&server, |_| {});
    for nobody in [None, Some(CustomerId(String::new())), Some(CustomerId("..".to_owned()))] {
        // Two dots in a value of the query change no path, so the last one is asked for.
        let seen = look(&lookup, "204418", nobody.as_ref()).await;
        let expected = if nobody.as_ref().is_some_and(|nobody| !nobody.0.is_empty()) {
            result(Outcome::Found, "state: sent")
        } else {
            result(Outcome::NotFound, "no record 204418")
        };
        assert_eq!(seen, expected);
    }
    let both = lookup.look(&input(&json!({"order": "1", "customer": "luis"})), Some(&ana())).await;
    assert_eq!(both, result(Outcome::BadInput, "customer does not fit"));
    assert_eq!(server.asked().len(), 1);
    let odd = CustomerId("a&admin=1#/../x".to_owned());
    look(&lookup, "1", Some(&odd)).await;
    assert!(server.asked()[1].starts_with("GET /orders/1?customer=a%26admin%3D1%23%2F..%2Fx HTTP"));
}

#[tokio::test]
async fn an_argument_stays_in_its_place() {
    let server = CannedServer::start(vec![Canned::Reply(200, JSON, r#"{"state": "sent"}"#.to_owned())]).await;
    let lookup = here(&server, |_| {});
    for (order, path) in [
        ("../admin", "..%2Fadmin"),
        ("1/../../admin", "1%2F..%2F..%2Fadmin"),
        ("1?customer=luis", "1%3Fcustomer%3Dluis"),
        ("1#", "1%23"),
        ("@evil.example/", "%40evil.example%2F"),
        ("%2e%2e", "%252e%252e"),
        ("..%2f", "..%252f"),
        ("\\..\\", "%5C..%5C"),
        ("a b+c&d;e", "a%20b%2Bc%26d%3Be"),
        ("é", "%C3%A9"),
    ] {
        assert_eq!(look(&lookup, order, Some(&ana())).await.outcome, Outcome::Found);
        let asked = server.asked().pop().unwrap();
        assert!(asked.starts_with(&format!("GET /orders/{path}?customer=ana HTTP")), "{order}: {asked}");
    }
    let before = server.asked().len();
    for order in [".", "..", ""] {
        let seen = look(&lookup, order, Some(&ana())).await;
        assert_eq!(seen, result(Outcome::BadInput, "order does not fit"), "{order:?}");
    }
    assert_eq!(server.asked().len(), before);
}

#[tokio::test]
async fn a_service_that_knows_nothing_says_so_and_every_other_reply_is_a_failure() {
    let state = r#"{"state": "sent"}"#;
    for (canned, outcome, says) in [
        (Canned::Reply(404, "", "nothing".to_owned()), Outcome::NotFound, ""),
        (Canned::Reply(200, JSON, "{}".to_owned()), Outcome::NotFound, ""),
        (Canned::Reply(200, JSON, r#"{"status": "sent"}"#.to_owned()), Outcome::Failed, "`fields`"),
        (Canned::Reply(200, JSON, "{\"state\"".to_owned()), Outcome::Failed, "broken JSON"),
        (Canned::Reply(200, "content-type: text/html\r\n", state.to_owned()), Outcome::Failed, "than JSON"),
        (Canned::Reply(200, "", state.to_owned()), Outcome::Failed, "than JSON"),
        (Canned::Reply(403, JSON, state.to_owned()), Outcome::Failed, "status 403"),
        (Canned::Reply(500, JSON, state.to_owned()), Outcome::Failed, "status 500"),
        (Canned::Reply(200, JSON, format!("\"{}\"", "a".repeat(2_000_000))), Outcome::Failed, "bytes"),
        (Canned::BreaksOff, Outcome::Failed, ""),
    ] {
        let server = CannedServer::start(vec![canned.clone()]).await;
        let lookup = here(&server, |_| {});
        assert_eq!(look(&lookup, "1", Some(&ana())).await.outcome, outcome, "{canned:?}");
        if outcome == Outcome::Failed {
            assert_eq!(look(&lookup, "1", Some(&ana())).await.content, "not done");
            let error =
                lookup.ask(&input(&json!({"order": "1"})), Some(&ana())).await.unwrap_err().to_string();
            assert!(error.contains(says) && !error.contains("ana"), "{error}");
        }
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_wherever_it_leads() {
    let other = CannedServer::start(vec![Canned::Reply(200, JSON, r#"{"state": "sent"}"#.to_owned())]).await;
    let head = format!("location: {}/orders/1\r\n", other.address());
    let server = CannedServer::start(vec![Canned::Reply(302, head.leak(), String::new())]).await;
    let lookup = here(&server, |_| {});
    assert_eq!(look(&lookup, "1", Some(&ana())).await, result(Outcome::Failed, "not done"));
    assert!(other.asked().is_empty());
}

#[tokio::test]
async fn a_service_that_says_nothing_is_given_up() {
    let server = CannedServer::start(vec![Canned::Silence]).await;
    let lookup = here(&server, |config| config.timeout = Duration::from_millis(50));
    assert_eq!(look(&lookup, "1", Some(&ana())).await, result(Outcome::Failed, "not done"));
}

#[tokio::test]
async fn the_key_goes_in_its_header_and_nowhere_else() {
    let server = CannedServer::start(vec![Canned::Reply(401, JSON, "{}".to_owned())]).await;
    for (header, line) in
        [(None, "authorization: Bearer hunter2\r\n"), (Some("X-Api-Key"), "x-api-key: hunter2\r\n")]
    {
        let lookup = here(&server, |config| {
            config.key_env = Some("SHOP_API_KEY".to_owned());
            config.key = Some(SecretString::from("hunter2\n"));
            config.key_header = header.map(str::to_owned);
        });
        let error = lookup.ask(&input(&json!({"order": "1"})), Some(&ana())).await.unwrap_err().to_string();
        assert!(!format!("{error}{lookup:?}").contains("hunter2"), "{error}");
        let asked = server.asked().pop().unwrap();
        assert!(asked.contains(line) && asked.matches("hunter2").count() == 1, "{asked}");
    }
    let before = server.asked().len();
    let lookup = here(&server, |config| config.key_env = Some("SHOP_API_KEY".to_owned()));
    let error = lookup.ask(&input(&json!({"order": "1"})), Some(&ana())).await.unwrap_err().to_string();
    assert!(error.contains("SHOP_API_KEY is not set"), "{error}");
    assert_eq!(server.asked().len(), before);
}

#[test]
fn an_address_that_leads_inside_is_refused_in_every_form() {
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "017700000001",
        "0177.0.0.1",
        "127.0.0.1.",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "api.localhost",
        "10.0.0.8",
        "192.168.1.1",
        "172.16.5.4",
        "100.64.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[fd12::1]",
        "[64:ff9b::7f00:1]",
        "%31%32%37.0.0.1",
        "①②⑦.0.0.1",
        "1ocalhost.localhost",
    ] {
        let url = format!("https://{host}/orders/{{order}}?customer={{customer}}");
        let error = HttpLookup::new(config(&url, &[])).unwrap_err().to_string();
        assert!(error.contains("allow_private"), "{host}: {error}");
    }
    for host in [
        "169.254.169.254",
        "2852039166",
        "0xa9fea9fe",
        "0251.0376.0251.0376",
        "[::ffff:169.254.169.254]",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "0.0.0.0",
        "0",
        "[::]",
        "255.255.255.255",
        "224.0.0.1",
        "100.100.100.200",
    ] {
        let url = format!("https://{host}/orders/{{order}}?customer={{customer}}");
        let plain = Url::parse(&url.replace(['{', '}'], "")).unwrap().host_str().unwrap().to_owned();
        for allowed in [&[][..], &[plain.as_str()]] {
            let error = HttpLookup::new(config(&url, allowed)).unwrap_err().to_string();
            assert!(error.contains("no look-up may reach"), "{host}: {error}");
        }
    }
    assert!(HttpLookup::new(config("https://8.8.8.8/{order}?c={customer}", &[])).is_ok());
    assert!(HttpLookup::new(config("http://[::1]:8080/{order}?c={customer}", &["::1"])).is_ok());
}

#[tokio::test]
async fn a_name_that_leads_inside_is_not_connected_to() {
    let server = CannedServer::start(vec![Canned::Reply(200, JSON, r#"{"state": "sent"}"#.to_owned())]).await;
    let port = server.address().rsplit(':').next().unwrap().to_owned();
    for address in [
        "127.0.0.1",
        "::ffff:127.0.0.1",
        "::1",
        "10.0.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "fe80::1",
        "fd12::1",
    ] {
        let names = Arc::new(Names(vec![address.parse().unwrap()], Mutex::default()));
        let url = format!("https://orders.shop.example:{port}/orders/{{order}}?customer={{customer}}");
        let lookup = HttpLookup::with_names(config(&url, &[]), names.clone()).unwrap();
        let error = lookup.ask(&input(&json!({"order": "1"})), Some(&ana())).await.unwrap_err().to_string();
        assert!(error.contains("no address that a look-up may reach"), "{address}: {error}");
        assert_eq!(*names.1.lock().unwrap(), ["orders.shop.example"]);
    }
    assert!(server.asked().is_empty());
    // The same name, where the shop says that it is its own.
    let url = format!("http://orders.shop.example:{port}/orders/{{order}}?customer={{customer}}");
    let own = config(&url, &["orders.shop.example"]);
    let names = Arc::new(Names(vec!["127.0.0.1".parse().unwrap()], Mutex::default()));
    let lookup = HttpLookup::with_names(own.clone(), names).unwrap();
    assert_eq!(look(&lookup, "1", Some(&ana())).await, result(Outcome::Found, "state: sent"));
    let names = Arc::new(Names(vec!["169.254.169.254".parse().unwrap()], Mutex::default()));
    let lookup = HttpLookup::with_names(own, names).unwrap();
    assert_eq!(look(&lookup, "1", Some(&ana())).await.outcome, Outcome::Failed);
}

#[test]
fn an_address_that_does_not_fit_is_refused_with_the_reason() {
    for (url, allowed, says) in [
        ("https://{order}.shop.example/?customer={customer}", &[][..], "in its host"),
        ("https://{order}@shop.example/?customer={customer}", &[], "in its host"),
        ("https://shop.example\\{order}?customer={customer}", &["other.example"], "names other.example"),
        ("http://shop.example/{order}?customer={customer}", &[], "write https"),
        ("ftp://shop.example/{order}?customer={customer}", &[], "is no address"),
        ("{order}{customer}", &[], "in its host"),
        ("https://ana:hunter2@shop.example/{order}?customer={customer}", &[], "key_env"),
        ("https://shop.example/{order}#{customer}", &[], "`#`"),
        ("https://shop.example/{order}/../{customer}", &[], "does not keep"),
        ("https://shop.example/{order}?customer={customer", &[], "is no address"),
        ("https://shop.example/{order}}?customer={customer}", &[], "is no address"),
        ("https://shop.example/{order}?customer=ana", &[], "does not use {customer}"),
        ("https://shop.example/orders?customer={customer}", &[], "does not use the parameter {order}"),
        ("https://shop.example/{number}?customer={customer}", &[], "{number}"),
    ] {
        let error = HttpLookup::new(config(url, allowed)).unwrap_err().to_string();
        assert!(error.contains(says) && !error.contains("hunter2"), "{url}: {error}");
    }
    let public =
        HttpConfig { public: true, ..config("https://shop.example/{order}?customer={customer}", &[]) };
    assert!(HttpLookup::new(public).unwrap_err().to_string().contains("take out `public`"));
    let header = HttpConfig {
        key_header: Some("a b".to_owned()),
        ..config("https://shop.example/{order}?customer={customer}", &[])
    };
    assert!(HttpLookup::new(header).unwrap_err().to_string().contains("key_header"));
}

proptest! {
    #[test]
    fn any_text_stays_in_its_part_of_the_address(
        order in prop_oneof!["\\PC{0,20}", "[./%2eE\\\\?#@:;&= ]{0,12}"],
        who in "\\PC{1,12}",
    ) {
        let url = "https://api.shop.example/v1/orders/{order}/state?customer={customer}&full=1";
        let address = Address::parse(url, &[]).unwrap();
        let filled = address.fill(|name| Some(if name == "order" { order.clone() } else { who.clone() }));
        let Some(filled) = filled else {
            prop_assert!(matches!(order.as_str(), "" | "." | ".."));
            return Ok(());
        };
        prop_assert_eq!(filled.host_str(), Some("api.shop.example"));
        prop_assert_eq!((filled.scheme(), filled.port(), filled.fragment()), ("https", None, None));
        prop_assert!(filled.username().is_empty() && filled.password().is_none());
        let parts: Vec<_> = filled.path_segments().unwrap().collect();
        prop_assert_eq!(parts.len(), 4);
        prop_assert_eq!((parts[0], parts[1], parts[3]), ("v1", "orders", "state"));
        let pairs: Vec<_> = filled.query_pairs().collect();
        prop_assert_eq!(pairs.len(), 2);
        prop_assert_eq!((pairs[0].0.as_ref(), pairs[0].1.as_ref()), ("customer", who.as_str()));
    }
}
