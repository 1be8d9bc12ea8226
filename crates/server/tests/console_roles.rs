//! Who may do what: a table over every address of the console.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod browser;
mod common;

use browser::{Browser, arriving, between, fresh, store};

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

/// The path of the link on a page.
fn link(page: &str) -> String {
    format!("/console/invitations/{}", between(page, "href=\"/console/invitations/", "\""))
}

async fn follow(browser: &mut Browser<'_>, link: &str, name: &str) -> u16 {
    match browser.get(link).await.status {
        200 => browser.post(link, &arriving(name)).await.status,
        gone => gone,
    }
}

async fn number_of(server: &common::Running, name: &str) -> i64 {
    store(server).await.operator(name).await.unwrap().unwrap().0.id
}

#[tokio::test(flavor = "multi_thread")]
async fn links_of_somebody_who_was_shut_out_do_not_hold() {
    let server = fresh().await;
    let mut olga = Browser::owner(&server).await;
    let mut oscar = olga.invite("owner", "oscar").await;
    let vera = olga.invite("owner", "vera").await;
    oscar.get("/console/operators").await;
    let own = link(&oscar.post("/console/operators", &[("role", "owner")]).await.body);
    let place = format!("/console/operators/{}/password", number_of(&server, "vera").await);
    let other = link(&oscar.post(&place, &[]).await.body);
    olga.get("/console/operators").await;
    let out = format!("/console/operators/{}/disabled", number_of(&server, "oscar").await);
    assert_eq!(olga.post(&out, &[("disabled", "yes")]).await.status, 303);
    assert_eq!(oscar.get(&own).await.status, 410);
    assert_eq!(follow(&mut oscar, &own, "oscar2").await, 410);
    assert_eq!(follow(&mut oscar, &other, "vera").await, 410);
    let mut vera = vera;
    assert_eq!(vera.get("/console/operators").await.status, 200, "she is still signed in");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_went_astray_ends_with_the_next_and_with_a_new_password() {
    let server = fresh().await;
    let mut olga = Browser::owner(&server).await;
    olga.invite("agent", "anna").await;
    let place = format!("/console/operators/{}/password", number_of(&server, "anna").await);
    olga.get("/console/operators").await;
    let first = link(&olga.post(&place, &[]).await.body);
    let second = link(&olga.post(&place, &[]).await.body);
    let mut stranger = Browser::new(&server);
    assert_eq!(follow(&mut stranger, &first, "anna").await, 410);
    let mut anna = Browser::new(&server);
    assert_eq!(follow(&mut anna, &second, "anna").await, 303);
    olga.get("/console/operators").await;
    let third = link(&olga.post(&place, &[]).await.body);
    // She sets another herself, or somebody does on the command line.
    let id = number_of(&server, "anna").await;
    let hash = store(&server).await.operator("anna").await.unwrap().unwrap().1;
    store(&server).await.set_password(id, &format!("{hash}x")).await.unwrap();
    assert_eq!(follow(&mut stranger, &third, "anna").await, 410);
    server.stop().await;
}
