//! Who may do what: a table over every address of the console.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod browser;
mod common;

use browser::{Browser, fresh, store};

/// Who may do something at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Anybody,
    Viewer,
    Agent,
    Owner,
}

use Who::{Agent, Anybody, Owner, Viewer};

const TABLE: [(&str, &str, Who); 38] = [
    ("GET", "/", Anybody),
    ("GET", "/static/{file}", Anybody),
    ("GET", "/sign-in", Anybody),
    ("POST", "/sign-in", Anybody),
    ("POST", "/sign-out", Viewer),
    ("GET", "/setup/{token}", Anybody),
    ("POST", "/setup/{token}", Anybody),
    ("GET", "/invitations/{token}", Anybody),
    ("POST", "/invitations/{token}", Anybody),
    ("GET", "/account", Viewer),
    ("POST", "/account", Viewer),
    ("GET", "/inbox", Viewer),
    ("GET", "/inbox/{entry}", Viewer),
    ("POST", "/inbox/{entry}/approve", Agent),
    ("POST", "/inbox/{entry}/reject", Agent),
    ("POST", "/inbox/{entry}/answer", Agent),
    ("POST", "/inbox/{entry}/close", Agent),
    ("GET", "/conversations", Viewer),
    ("GET", "/conversations/{conversation}", Viewer),
    ("POST", "/conversations/{conversation}/take", Agent),
    ("POST", "/conversations/{conversation}/give-back", Agent),
    ("POST", "/conversations/{conversation}/say", Agent),
    ("POST", "/conversations/{conversation}/erase", Owner),
    ("GET", "/turns", Viewer),
    ("GET", "/turns/{turn}", Viewer),
    ("POST", "/turns/{turn}/case", Agent),
    ("GET", "/suite", Viewer),
    ("POST", "/suite", Agent),
    ("GET", "/spend", Viewer),
    ("GET", "/documents", Viewer),
    ("GET", "/audit", Viewer),
    ("GET", "/operators", Owner),
    ("POST", "/operators", Owner),
    ("POST", "/operators/{operator}/role", Owner),
    ("POST", "/operators/{operator}/disabled", Owner),
    ("POST", "/operators/{operator}/password", Owner),
    ("GET", "/erasure", Owner),
    ("POST", "/erasure", Owner),
];

/// The addresses that the console has, as its source names them.
fn addresses() -> Vec<(String, String)> {
    let source = include_str!("../src/console.rs");
    let routes = source.lines().filter_map(|line| line.trim().strip_prefix(".route(\""));
    let of_route = |route: &str| {
        let (path, handlers) = route.split_once('"').unwrap();
        let has = |method: &str| handlers.contains(&format!("{method}("));
        let methods = [("get", "GET"), ("post", "POST")].into_iter().filter(|(method, _)| has(method));
        methods.map(|(_, name)| (name.to_owned(), path.to_owned())).collect::<Vec<_>>()
    };
    routes.flat_map(of_route).collect()
}

#[test]
fn no_address_is_missing_from_the_table() {
    let mut listed: Vec<_> =
        TABLE.iter().map(|(method, path, _)| ((*method).to_owned(), (*path).to_owned())).collect();
    let mut there = addresses();
    listed.sort();
    there.sort();
    assert_eq!(there, listed);
}

/// An address with names of nothing in its places: who may comes as far as to be told that there is none.
fn filled(path: &str) -> String {
    let filled =
        ["{entry}", "{operator}"].iter().fold(path.to_owned(), |path, part| path.replace(part, "4711"));
    let filled = ["{conversation}", "{turn}", "{token}", "{file}"]
        .iter()
        .fold(filled, |path, part| path.replace(part, "nothing"));
    format!("/console{}", if filled == "/" { "" } else { &filled })
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_does_what_is_not_for_their_role() {
    let server = fresh().await;
    let mut owner = Browser::owner(&server).await;
    let mut agent = owner.invite("agent", "anna").await;
    let mut viewer = owner.invite("viewer", "vera").await;
    let mut stranger = Browser::new(&server);
    let before = store(&server).await.actions(1_000, None).await.unwrap().len();
    for (method, path, least) in TABLE.iter().filter(|(.., least)| *least > Anybody) {
        let address = filled(path);
        for (who, browser) in [(Anybody, &mut stranger), (Viewer, &mut viewer), (Agent, &mut agent)] {
            browser.get("/console/inbox").await;
            if who >= *least {
                continue;
            }
            let reply = if *method == "GET" {
                browser.get(&address).await
            } else {
                browser.post(&address, &[]).await
            };
            if who == Anybody {
                assert_eq!(
                    (reply.status, reply.header("location")),
                    (303, Some("/console/sign-in")),
                    "{method} {path}"
                );
            } else {
                assert_eq!(reply.status, 403, "{who:?}: {method} {path}");
            }
        }
    }
    assert_eq!(store(&server).await.actions(1_000, None).await.unwrap().len(), before, "nothing was done");
    // With the role, all of it is reached: what is not there is said to be not there.
    for (method, path, least) in
        TABLE.iter().filter(|(_, path, least)| *least > Anybody && *path != "/sign-out")
    {
        let browser = match least {
            Owner => &mut owner,
            Agent => &mut agent,
            Viewer | Anybody => &mut viewer,
        };
        browser.get("/console/inbox").await;
        let address = filled(path);
        let reply =
            if *method == "GET" { browser.get(&address).await } else { browser.post(&address, &[]).await };
        assert!(![403, 500].contains(&reply.status), "{least:?}: {method} {path} is {}", reply.status);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_leads_to_no_file_and_no_fault() {
    let server = fresh().await;
    let mut owner = Browser::owner(&server).await;
    let names = [
        "..",
        "../shop.toml",
        "..%2f..%2fshop.toml",
        "%2e%2e%2fshop.toml",
        "....//shop.toml",
        "%00",
        "a%00b",
        "shop.toml%00",
        "%5c..%5cshop.toml",
        "-1",
        "99999999999999999999",
        "1;drop",
        "'",
        "%27%20OR%201=1--",
        "%ff",
        "%3Cscript%3E",
    ];
    for place in ["turns", "inbox", "conversations", "static", "setup", "invitations"] {
        for name in names {
            let reply = owner.get(&format!("/console/{place}/{name}")).await;
            assert!([404, 410].contains(&reply.status), "{place}/{name}: {}", reply.status);
            assert!(!reply.body.contains("languages ="), "{place}/{name}");
            assert!(!reply.body.contains("<script>"), "{place}/{name}");
        }
    }
    server.stop().await;
}
