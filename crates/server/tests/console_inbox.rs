//! What waits for a colleague: approved as it was shown, once; answered by a person; taken over.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod browser;
mod common;

use browser::{Browser, between, serve_with_cases, store};
use common::{Running, asks, serve};
use mostrador_answer::ports::{Inbox, InboxEntry, UnixMillis};
use mostrador_answer::question::TurnId;
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_language::Lang;
use mostrador_testkit::{FakeProvider, FakeReply, FakeUsage, Step};
use serde_json::{Value, json};

const QUESTION: &str = "How much does delivery to a parcel shop cost?";

const PROMISE: &str = "We will refund you the price. Delivery to a parcel shop costs £2.40. [delivery#1]";

const RULE: &str = "[[rules]]\nname = \"no-refunds\"\npattern = 'will refund'\naction = \"await-approval\"\n";

/// A shop whose model promises money, so that every answer waits.
async fn promising() -> (FakeProvider, Running) {
    let provider = FakeProvider::start(vec![FakeReply::text(PROMISE), FakeReply::text(PROMISE)]).await;
    let server = serve_with_cases(&format!("{}{RULE}", asks(provider.address()))).await;
    (provider, server)
}

async fn lines(server: &Running, conversation: &Value) -> Vec<(String, String)> {
    let path = format!("/v1/conversations/{}", conversation.as_str().unwrap());
    let talk = server.get(&path).await.json();
    let text = |line: &Value, field: &str| line[field].as_str().unwrap().to_owned();
    talk["lines"].as_array().unwrap().iter().map(|line| (text(line, "speaker"), text(line, "text"))).collect()
}

/// The seal and its end, as they stand in the form.
fn sealed(page: &str) -> (String, String) {
    let value = |name: &str| between(page, &format!("name=\"{name}\" value=\""), "\"").to_owned();
    (value("seal"), value("until"))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_approved_as_it_was_shown_and_once() {
    let (_provider, server) = promising().await;
    let asked = server.ask(QUESTION).await;
    assert_eq!(asked["ending"], "held", "{asked}");
    let mut owner = Browser::owner(&server).await;
    let mut agent = owner.invite("agent", "anna").await;
    let inbox = agent.shown("/console/inbox").await;
    assert!(inbox.contains(QUESTION), "{inbox}");
    let page = agent.shown("/console/inbox/1").await;
    assert!(page.contains("We will refund you the price. Delivery to a parcel shop costs £2.40."), "{page}");
    let (seal, until) = sealed(&page);
    let approve = "/console/inbox/1/approve";
    let later = (until.parse::<i64>().unwrap() + 1).to_string();
    let of_owner = sealed(&owner.shown("/console/inbox/1").await);
    for (what, seal, until) in [
        ("no seal", "", until.as_str()),
        ("a later end", seal.as_str(), later.as_str()),
        ("an end that has passed", seal.as_str(), "1"),
        ("the seal that another operator was shown", of_owner.0.as_str(), of_owner.1.as_str()),
    ] {
        let reply = agent.post(approve, &[("seal", seal), ("until", until)]).await;
        assert_eq!(reply.status, 409, "{what}");
    }
    assert!(!lines(&server, &asked["conversation"]).await.iter().any(|(speaker, _)| speaker == "colleague"));
    let reply = agent.post(approve, &[("seal", &seal), ("until", &until)]).await;
    assert_eq!(reply.header("location"), Some("/console/inbox?note=approved"), "{}", reply.body);
    let said = lines(&server, &asked["conversation"]).await;
    let colleague: Vec<_> = said.iter().filter(|(speaker, _)| speaker == "colleague").collect();
    assert_eq!(colleague.len(), 1, "{said:?}");
    assert!(colleague[0].1.starts_with("We will refund you the price."));
    // The link is used up, for everybody.
    for (browser, seal) in [(&mut agent, (seal, until)), (&mut owner, of_owner)] {
        let reply = browser.post(approve, &[("seal", &seal.0), ("until", &seal.1)]).await;
        assert_eq!(reply.status, 409);
        assert!(
            reply.body.contains("A colleague was faster") && reply.body.contains("anna"),
            "{}",
            reply.body
        );
    }
    assert_eq!(lines(&server, &asked["conversation"]).await, said);
    let item = store(&server).await.inbox_entry(1).await.unwrap().unwrap();
    assert_eq!(item.decided.unwrap().person, "anna");
    let log = agent.shown("/console/audit").await;
    assert!(log.contains("answer approved") && log.contains("anna"), "{log}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seal_is_for_its_entry_and_for_the_words_that_were_shown() {
    let (_provider, server) = promising().await;
    server.ask(QUESTION).await;
    server.ask(QUESTION).await;
    let mut owner = Browser::owner(&server).await;
    let (seal, until) = sealed(&owner.shown("/console/inbox/1").await);
    let reply = owner.post("/console/inbox/2/approve", &[("seal", &seal), ("until", &until)]).await;
    assert_eq!(reply.status, 409, "the seal of another entry");
    // The shop changes how citations are shown, and so what the customer would read.
    let file = server.root().join("shop.toml");
    let config = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{config}[voice]\ncitations = \"hidden\"\n")).unwrap();
    server.handle.reload();
    let reloaded = async {
        while !server.get("/metrics").await.body.contains("mostrador_reloads_total{outcome=\"served\"} 1") {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(common::PATIENCE, reloaded).await.unwrap();
    let reply = owner.post("/console/inbox/1/approve", &[("seal", &seal), ("until", &until)]).await;
    assert_eq!(reply.status, 409, "other words than were shown");
    let (seal, until) = sealed(&reply.body);
    let reply = owner.post("/console/inbox/1/approve", &[("seal", &seal), ("until", &until)]).await;
    assert_eq!(reply.status, 303, "the page that explains it shows the new words");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_rejected_is_not_sent() {
    let (_provider, server) = promising().await;
    let asked = server.ask(QUESTION).await;
    let mut owner = Browser::owner(&server).await;
    let (seal, until) = sealed(&owner.shown("/console/inbox/1").await);
    assert_eq!(owner.post("/console/inbox/1/reject", &[]).await.status, 303);
    assert_eq!(
        owner.post("/console/inbox/1/approve", &[("seal", &seal), ("until", &until)]).await.status,
        409
    );
    assert_eq!(owner.post("/console/inbox/1/answer", &[("text", "hello")]).await.status, 409);
    assert!(!lines(&server, &asked["conversation"]).await.iter().any(|(speaker, _)| speaker == "colleague"));
    assert!(!owner.shown("/console/inbox").await.contains(QUESTION));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_answers_in_their_own_words_once() {
    let server = serve("").await;
    let asked = server.ask("Do you rent out kayaks by the hour?").await;
    assert_eq!(asked["ending"], "no-evidence", "{asked}");
    let mut owner = Browser::owner(&server).await;
    assert!(owner.shown("/console/inbox").await.contains("kayaks"));
    owner.shown("/console/inbox/1").await;
    for text in ["", "   ", &"x".repeat(4_001)] {
        assert_eq!(owner.post("/console/inbox/1/answer", &[("text", text)]).await.status, 409);
    }
    let words = "Not yet, but from May on: <b>ask again</b>.";
    assert_eq!(owner.post("/console/inbox/1/answer", &[("text", words)]).await.status, 303);
    let reply = owner.post("/console/inbox/1/answer", &[("text", "twice")]).await;
    assert!(reply.status == 409 && reply.body.contains("already closed"), "{}", reply.body);
    assert_eq!(owner.post("/console/inbox/1/close", &[]).await.status, 409);
    let said = lines(&server, &asked["conversation"]).await;
    assert_eq!(said.last().unwrap(), &("colleague".to_owned(), words.to_owned()));
    assert_eq!(said.iter().filter(|(speaker, _)| speaker == "colleague").count(), 1);
    let page =
        owner.shown(&format!("/console/conversations/{}", asked["conversation"].as_str().unwrap())).await;
    assert!(page.contains("&#60;b&#62;ask again") && !page.contains("<b>ask"), "{page}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_nobody_could_answer_stand_together() {
    let server = serve("").await;
    for question in
        ["Do you rent out kayaks?", "Is there a dentist near you?", "Can I rent a kayak from you?"]
    {
        server.ask(question).await;
    }
    let mut viewer = Browser::owner(&server).await.invite("viewer", "vera").await;
    let page = viewer.shown("/console/inbox").await;
    assert!(page.contains("Asked: 2") && page.contains("Similar questions: 1"), "{page}");
    assert!(page.find("kayaks").unwrap() < page.find("dentist").unwrap(), "the larger group comes first");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_kind_of_entry_hides_another_and_all_are_reached() {
    let server = serve("").await;
    let store = store(&server).await;
    let put = async |ending, question: String| {
        let entry = InboxEntry {
            turn: TurnId(question.clone()),
            conversation: None,
            customer: None,
            address: None,
            ending,
            rule: RuleName::own(RuleName::ACTION_HANDOFF),
            question,
            answer: String::new(),
            evidence: String::new(),
            language: Lang::EN,
            at: UnixMillis(1),
        };
        store.put(&entry).await.unwrap();
    };
    for number in 0..510 {
        put(Ending::NoEvidence, format!("unanswered-{number:03}")).await;
    }
    for number in 0..101 {
        put(Ending::HandedOver, format!("handed-{number:03}")).await;
    }
    let mut owner = Browser::owner(&server).await;
    let first = owner.shown("/console/inbox").await;
    assert!(first.contains("handed-000") && first.contains("handed-099") && !first.contains("handed-100"));
    assert!(first.contains("<span class=\"count\">510</span>"), "{first}");
    assert!(first.contains("<span class=\"count\">101</span>"), "{first}");
    assert!(!first.contains("unanswered-500") && !first.contains("rel=\"prev\""));
    let link = |page: &str, kind: &str, rel: &str| {
        let found = page.split("href=\"").find(|part| {
            part.starts_with(&format!("?kind={kind}&amp;")) && part.contains(&format!("rel=\"{rel}\""))
        });
        let path = found.and_then(|part| part.split('"').next()).unwrap_or_else(|| panic!("{kind} {rel}"));
        format!("/console/inbox{}", path.replace("&amp;", "&"))
    };
    let newer = owner.shown(&link(&first, "unanswered", "next")).await;
    assert!(newer.contains("unanswered-500") && newer.contains("unanswered-509"), "{newer}");
    assert!(!newer.contains("unanswered-499") && !newer.contains("handed-000"), "{newer}");
    let newer = owner.shown(&link(&first, "handed", "next")).await;
    assert!(newer.contains("handed-100") && !newer.contains("rel=\"next\""), "{newer}");
    let older = owner.shown(&link(&newer, "handed", "prev")).await;
    assert!(older.contains("handed-000") && older.contains("handed-099"), "{older}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_customer_wrote_is_shown_and_never_run() {
    let server = serve("").await;
    let marks = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg onload=alert(3)>";
    let question = format!("{QUESTION} {marks}");
    let asked = server.ask(&question).await;
    let conversation = asked["conversation"].as_str().unwrap();
    let turn = asked["turn"].as_str().unwrap();
    server.post(&format!("/v1/answers/{turn}/feedback"), &json!({"helpful": false, "comment": marks})).await;
    let wish = json!({"message": marks, "reply_to": "ana@shop.example"});
    assert_eq!(server.post(&format!("/v1/conversations/{conversation}/handoff"), &wish).await.status, 202);
    let mut owner = Browser::owner(&server).await;
    owner.get(&format!("/console/conversations/{conversation}")).await;
    owner.post(&format!("/console/conversations/{conversation}/take"), &[]).await;
    owner.post(&format!("/console/conversations/{conversation}/say"), &[("text", marks)]).await;
    let mut seen = 0;
    for path in [
        "/console/inbox".to_owned(),
        "/console/inbox/1".to_owned(),
        "/console/conversations".to_owned(),
        format!("/console/conversations/{conversation}"),
        "/console/turns".to_owned(),
        format!("/console/turns/{turn}"),
        "/console/audit".to_owned(),
        format!("/console/inbox?note={}", "%3Cscript%3Ealert(1)%3C/script%3E"),
    ] {
        let page = owner.shown(&path).await;
        for bad in ["<script>alert", "<img", "<svg onload", "onerror=alert(2)>"] {
            assert!(!page.contains(bad), "{path}: {bad}");
        }
        seen += usize::from(page.contains("&#60;script&#62;alert(1)"));
        if page.contains("&#60;script") {
            assert!(page.contains("dir=\"auto\""), "{path}");
        }
    }
    assert!(seen >= 5, "the words themselves can be read: {seen}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_colleague_takes_over_and_the_assistant_is_silent() {
    let stalls =
        FakeReply::events(vec![Step::Begin(FakeUsage::new(10, 5)), Step::Text(String::new()), Step::Stall]);
    let provider =
        FakeProvider::start(vec![stalls, FakeReply::text("Delivery costs £2.40. [delivery#1]")]).await;
    let server = serve(&asks(provider.address())).await;
    let opened = server.post("/v1/conversations", &json!({"locale": "en"})).await.json();
    let conversation = opened["conversation"].as_str().unwrap().to_owned();
    let mut stream = server.stream(&json!({"question": QUESTION, "conversation": conversation})).await;
    let heard = async {
        while provider.heard().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(common::PATIENCE, heard).await.unwrap();
    let mut owner = Browser::owner(&server).await;
    let mut agent = owner.invite("agent", "anna").await;
    // It has said nothing that was written down; it is there all the same.
    let place = format!("/console/conversations/{conversation}");
    agent.get("/console/conversations").await;
    let reply = agent.post(&format!("{place}/take"), &[]).await;
    assert_eq!(reply.header("location"), Some(place.as_str()), "{}", reply.body);
    let ended = stream.events().await;
    assert_eq!(ended.last().unwrap().data["ending"], "colleague", "{ended:?}");
    assert!(!ended.iter().any(|event| event.name == "sentence"), "{ended:?}");
    let page = agent.shown(&place).await;
    assert!(page.contains("Taken over by") && page.contains("anna"), "{page}");
    // Nobody else writes in it.
    owner.get(&place).await;
    assert_eq!(owner.post(&format!("{place}/take"), &[]).await.status, 409);
    assert_eq!(owner.post(&format!("{place}/say"), &[("text", "me too")]).await.status, 409);
    assert_eq!(agent.post(&format!("{place}/say"), &[("text", "It is £2.40.")]).await.status, 303);
    let next =
        server.post("/v1/answers", &json!({"question": "And home?", "conversation": conversation})).await;
    assert_eq!(next.json()["ending"], "colleague");
    assert_eq!(agent.post(&format!("{place}/give-back"), &[]).await.status, 303);
    assert_eq!(agent.post(&format!("{place}/say"), &[("text", "too late")]).await.status, 409);
    let said = lines(&server, &opened["conversation"]).await;
    assert!(said.contains(&("colleague".to_owned(), "It is £2.40.".to_owned())), "{said:?}");
    assert!(!said.iter().any(|(_, text)| text == "too late" || text == "me too"), "{said:?}");
    server.stop().await;
}
