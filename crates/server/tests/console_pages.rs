//! What the pages tell, in which language, and what may be done on them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod browser;
mod common;

use std::collections::BTreeSet;
use std::sync::Arc;

use browser::{Browser, between, serve_with_cases, store};
use common::serve;
use mostrador_answer::question::{ConversationId, CustomerId, TurnId};
use mostrador_language::{Lang, Pack, wording};
use mostrador_shop::{Counter, Keep, Shop};
use mostrador_store::TurnRecord;
use serde_json::json;

const QUESTION: &str = "How much does delivery to a parcel shop cost?";

/// The names that templates and code ask texts by.
fn asked_for() -> BTreeSet<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut names = BTreeSet::new();
    let english = wording::console(Lang::EN);
    for folder in ["templates", "src/console"] {
        for file in std::fs::read_dir(root.join(folder)).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            for call in ["page.t(\"", "page.with(\""] {
                let calls = text.split(call).skip(1).filter_map(|rest| rest.split_once('"'));
                names.extend(calls.map(|(name, _)| name.to_owned()));
            }
            let quoted = text.split('"').filter(|part| english.contains_key(*part));
            names.extend(quoted.map(str::to_owned));
        }
    }
    names
}

#[test]
fn every_text_is_there_and_none_is_left_over() {
    let english = wording::console(Lang::EN);
    let asked = asked_for();
    let missing: Vec<_> = asked.iter().filter(|name| !english.contains_key(*name)).collect();
    assert!(missing.is_empty(), "no text for {missing:?}");
    // These are asked for by the names of records.
    let families =
        ["ending_", "role_", "may_", "speaker_", "outcome_", "release_", "whole_", "action_", "note_"];
    let of_family = |name: &str| families.iter().any(|family| name.starts_with(family));
    let over: Vec<_> = english.keys().filter(|name| !asked.contains(*name) && !of_family(name)).collect();
    assert!(over.is_empty(), "nobody asks for {over:?}");
    for ending in mostrador_answer::stop::Ending::ALL {
        let name = format!("ending_{}", ending.name().replace('-', "_"));
        assert!(english.contains_key(&name), "{name}");
    }
}

#[test]
fn every_action_that_is_logged_has_a_text() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/console");
    let mut actions = 0;
    for file in std::fs::read_dir(root).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let is_action = |part: &&str| {
            ["inbox.", "conversation.", "customer.", "case.", "suite.", "operator."].iter().any(|kind| {
                part.strip_prefix(kind).is_some_and(|rest| !rest.is_empty() && !rest.contains(['.', ' ']))
            })
        };
        for action in text.split('"').filter(is_action).filter(|part| !part.ends_with("html")) {
            let name = format!("action_{}", action.replace(['.', '-'], "_"));
            assert!(wording::console(Lang::EN).contains_key(&name), "{name}");
            actions += 1;
        }
    }
    assert!(actions > 15, "{actions}");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_told_why_a_question_was_answered_so() {
    let server = serve("").await;
    let asked = server.ask(QUESTION).await;
    let turn = asked["turn"].as_str().unwrap();
    server.post(&format!("/v1/answers/{turn}/feedback"), &json!({"helpful": true})).await;
    let mut viewer = Browser::owner(&server).await.invite("viewer", "vera").await;
    let list = viewer.shown("/console/turns").await;
    assert!(list.contains(QUESTION) && list.contains(turn), "{list}");
    let page = viewer.shown(&format!("/console/turns/{turn}")).await;
    for part in [
        QUESTION,
        "delivery#1",
        "delivery.md",
        "A passage counts from a strength of 0.",
        "reached",
        "passed",
        "answered",
        "£2.40",
        "helpful",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("<form method=\"post\" action=\"/console/turns"), "a viewer makes no cases");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_click_makes_a_turn_a_case() {
    let server = serve_with_cases("").await;
    let asked = server.ask(QUESTION).await;
    let turn = asked["turn"].as_str().unwrap();
    let mut agent = Browser::owner(&server).await.invite("agent", "anna").await;
    let page = agent.shown(&format!("/console/turns/{turn}")).await;
    let name = between(&page, "id=\"case-name\" name=\"name\" value=\"", "\"").to_owned();
    let place = format!("/console/turns/{turn}/case");
    for bad in ["../../evil", "..", "a/b", "a.yaml", "", "A", "%2e%2e", "-x", &"x".repeat(61)] {
        assert_eq!(agent.post(&place, &[("name", bad)]).await.status, 400, "{bad}");
    }
    assert!(!server.root().join("cases").exists() && !server.root().join("evil.yaml").exists());
    let fields = [
        ("name", name.as_str()),
        ("cite", "yes"),
        ("must_say", "£2.40\n\n two days \n"),
        ("must_not_say", "£3.60"),
    ];
    let reply = agent.post(&place, &fields).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert!(reply.body.contains(&format!("cases/drafts/{name}.yaml")), "{}", reply.body);
    assert!(reply.body.contains("does not count yet") && reply.body.contains("mostrador eval"));
    let file = |name: &str| server.root().join(format!("cases/drafts/{name}.yaml"));
    let written = std::fs::read_to_string(file(&name)).unwrap();
    for part in [QUESTION, "\"answered\"", "\"£2.40\"", "\"two days\"", "\"£3.60\"", "\"delivery#1\""] {
        assert!(written.contains(part), "{part}: {written}");
    }
    let again = agent.post(&place, &fields).await;
    assert!(again.status == 400 && again.body.contains("is there already"), "{}", again.body);
    // Who asked stands in the file only on somebody's wish.
    let elsewhere = store(&server).await;
    let of_customer = TurnRecord {
        turn: TurnId("turn-of-c-102".to_owned()),
        conversation: None,
        customer: Some(CustomerId("c-102".to_owned())),
        ..elsewhere.turn(&TurnId(turn.to_owned())).await.unwrap().unwrap()
    };
    elsewhere.keep_turn(&of_customer).await.unwrap();
    let place = "/console/turns/turn-of-c-102";
    assert!(agent.shown(place).await.contains("<code>c-102</code>"));
    for (name, wish) in [("silent", "no"), ("named", "yes")] {
        let reply = agent.post(&format!("{place}/case"), &[("name", name), ("as", wish)]).await;
        assert_eq!(reply.status, 200, "{}", reply.body);
        let written = std::fs::read_to_string(file(name)).unwrap();
        assert_eq!(written.contains("c-102"), wish == "yes", "{written}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_suite_is_run_from_its_page_and_its_report_read_as_text() {
    let server = serve_with_cases("").await;
    let mut agent = Browser::owner(&server).await.invite("agent", "anna").await;
    agent.shown("/console/suite").await;
    assert_eq!(agent.post("/console/suite", &[]).await.status, 303);
    let report = async {
        loop {
            let page = agent.shown("/console/suite").await;
            if page.contains("Last report") {
                return page;
            }
        }
    };
    let page = tokio::time::timeout(common::PATIENCE, report).await.unwrap();
    assert!(page.contains("Passed: 3 of 4 &#60;b&#62;") && page.contains("Not released"), "{page}");
    let log: Vec<_> = store(&server).await.actions(10, None).await.unwrap();
    let done: Vec<&str> = log.iter().map(|(_, action)| action.action.as_str()).collect();
    assert!(done.contains(&"suite.run"), "{done:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn spending_stands_beside_the_cap_and_stops_by_their_reason() {
    let budget = "[budget]\ncurrency = \"GBP\"\nprice_in_per_million = \"2.00\"\nprice_out_per_million = \"8.00\"\n\
                  per_1000_questions = \"1.00\"\nmonthly_cap = \"35.00\"\ndaily_cap = \"3.50\"\n";
    let server = serve(budget).await;
    server.ask(QUESTION).await;
    server.ask("Do you rent out kayaks?").await;
    let mut viewer = Browser::owner(&server).await.invite("viewer", "vera").await;
    let page = viewer.shown("/console/spend").await;
    for part in ["35.00 GBP", "3.50 GBP", "evidence.threshold", "<svg", "<table"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let empty = viewer.shown("/console/spend?month=2020-02").await;
    assert!(empty.contains("2020-02") && empty.contains("Nothing was spent"), "{empty}");
    assert_eq!(viewer.get("/console/spend?month=%3Cscript%3E").await.status, 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_told_with_their_age_and_their_contradictions() {
    let dir = common::folder("");
    let other = "---\ndate: 2026-03-01\nvalid_until: 2026-04-01\n---\n\n# Delivery\n\n## Parcel shop\n\n\
                 Delivery to a parcel shop costs £9.90 and takes two working days.\n";
    std::fs::write(dir.path().join("documents/old.md"), other).unwrap();
    let server = common::serve_folder(dir).await;
    let mut viewer = Browser::owner(&server).await.invite("viewer", "vera").await;
    let page = viewer.shown("/console/documents").await;
    for part in ["documents/delivery.md", "documents/old.md", "£2.40", "£9.90", "delivery#1", "old#1"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_waits_for_its_cases_is_told_apart() {
    let server = serve("").await;
    let mut owner = Browser::owner(&server).await;
    let waits = "customers are still answered from the one before";
    assert!(!owner.shown("/console/documents").await.contains(waits));
    // From here on only what was released is served, and nothing was.
    let file = server.root().join("shop.toml");
    let config = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, config.replace("release_gate = \"warn\"\n", "")).unwrap();
    let added = "# Opening hours\n\nWe are open from Monday to Friday, from nine to five.\n";
    std::fs::write(server.root().join("documents/hours.md"), added).unwrap();
    let shop = Arc::new(Shop::read(server.root()).unwrap());
    let other = store(&server).await;
    Counter::open_over(shop, other, Keep::OnDisk, &mut |_| {}).await.unwrap();
    let page = owner.shown("/console/documents").await;
    assert!(page.contains(waits) && page.contains("documents/hours.md"), "{page}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_erases_a_conversation_and_a_customer() {
    let server = serve("").await;
    let asked = server.ask(QUESTION).await;
    let conversation = asked["conversation"].as_str().unwrap();
    let mut owner = Browser::owner(&server).await;
    let place = format!("/console/conversations/{conversation}");
    owner.shown(&place).await;
    assert_eq!(owner.post(&format!("{place}/erase"), &[]).await.status, 400, "not without being sure");
    assert_eq!(owner.post(&format!("{place}/erase"), &[("sure", "yes")]).await.status, 303);
    assert_eq!(owner.get(&place).await.status, 404);
    assert_eq!(server.get(&format!("/v1/conversations/{conversation}")).await.status, 404);
    let turn = format!("/console/turns/{}", asked["turn"].as_str().unwrap());
    assert_eq!(owner.get(&turn).await.status, 404);
    owner.shown("/console/erasure").await;
    let reply = owner.post("/console/erasure", &[("customer", "c-101"), ("sure", "yes")]).await;
    assert!(reply.status == 200 && reply.body.contains("Erased."), "{}", reply.body);
    // Of a customer whose conversation is still in memory, nothing is told any more.
    let asked = server.ask(QUESTION).await;
    let conversation = ConversationId(asked["conversation"].as_str().unwrap().to_owned());
    let elsewhere = store(&server).await;
    let of_customer = TurnRecord {
        turn: TurnId("turn-of-c-102".to_owned()),
        customer: Some(CustomerId("c-102".to_owned())),
        ..elsewhere.turn(&TurnId(asked["turn"].as_str().unwrap().to_owned())).await.unwrap().unwrap()
    };
    elsewhere.keep_turn(&of_customer).await.unwrap();
    let path = format!("/v1/conversations/{}", conversation.0);
    assert_eq!(server.get(&path).await.status, 200);
    owner.shown("/console/erasure").await;
    let reply = owner.post("/console/erasure", &[("customer", "c-102"), ("sure", "yes")]).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert_eq!(server.get(&path).await.status, 404, "the desk has forgotten it too");
    let log = owner.shown("/console/audit").await;
    assert!(log.contains("conversation erased") && log.contains("customer erased"), "{log}");
    assert!(!log.contains("c-101"), "who was erased is not kept in the log");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_console_is_read_in_every_language_and_in_both_directions() {
    let server = serve("").await;
    let mut owner = Browser::owner(&server).await;
    server.ask(QUESTION).await;
    for lang in Pack::languages() {
        for path in [
            "inbox",
            "conversations",
            "turns",
            "suite",
            "spend",
            "documents",
            "audit",
            "operators",
            "erasure",
            "account",
        ] {
            let page = owner.shown(&format!("/console/{path}?lang={lang}")).await;
            let direction = if [Lang::AR, Lang::FA].contains(&lang) { "rtl" } else { "ltr" };
            assert!(page.contains(&format!("<html lang=\"{lang}\" dir=\"{direction}\">")), "{lang} {path}");
            let texts = wording::console(lang);
            assert!(page.contains(texts["sign_out"].as_str()), "{lang} {path}");
            for empty in
                ["<h1></h1>", "<h2></h2>", "<button></button>", "<th scope=\"col\"></th>", "></label>"]
            {
                assert!(!page.contains(empty), "{lang} {path}: {empty}");
            }
        }
        // The next page is read in the same language, faults too.
        let fault = owner.get("/console/nowhere").await;
        assert_eq!(fault.status, 404);
        assert!(fault.body.contains(&format!("<html lang=\"{lang}\"")), "{lang}: {}", fault.body);
    }
    // A language that there is not changes nothing.
    assert!(owner.shown("/console/inbox?lang=xx").await.contains("<html lang=\"zh\""));
    let mut stranger = Browser::new(&server);
    assert!(
        stranger.get("/console/sign-in").await.body.contains("<html lang=\"en\""),
        "the shop's first language"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_control_has_a_name_and_every_page_a_heading() {
    let server = serve("").await;
    let asked = server.ask("Do you rent out kayaks?").await;
    let mut owner = Browser::owner(&server).await;
    let conversation = asked["conversation"].as_str().unwrap();
    owner.get("/console/conversations").await;
    owner.post(&format!("/console/conversations/{conversation}/take"), &[]).await;
    for path in [
        "inbox".to_owned(),
        "inbox/1".to_owned(),
        format!("conversations/{conversation}"),
        format!("turns/{}", asked["turn"].as_str().unwrap()),
        "operators".to_owned(),
        "erasure".to_owned(),
        "account".to_owned(),
        "sign-in".to_owned(),
        "spend".to_owned(),
    ] {
        let page = owner.shown(&format!("/console/{path}")).await;
        assert_eq!(page.matches("<h1>").count(), 1, "{path}");
        assert!(page.contains("<main id=\"main\"") && page.contains("href=\"#main\""), "{path}");
        for control in ["<input ", "<textarea ", "<select "] {
            for tag in page.split(control).skip(1).map(|rest| rest.split('>').next().unwrap()) {
                if tag.contains("type=\"hidden\"") {
                    continue;
                }
                let id = between(tag, "id=\"", "\"");
                assert!(page.contains(&format!("for=\"{id}\"")), "{path}: {control}{tag}");
            }
        }
        let ids: Vec<&str> =
            page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{path}: {ids:?}");
    }
    server.stop().await;
}
