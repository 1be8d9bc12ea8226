//! A held answer is decided about once, whoever else decides at the same moment, and what is sent reaches its customer alone.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use mostrador_answer::approval::{Approved, Conversations, Decided, Decision};
use mostrador_answer::ports::{Inbox, InboxEntry, UnixMillis};
use mostrador_answer::question::{ConversationId, CustomerId, TurnId};
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_answer::voice::VoiceSettings;
use mostrador_language::Lang;
use mostrador_store::{Store, StoreError, StoreOptions};

fn talk(name: &str) -> ConversationId {
    ConversationId(name.to_owned())
}

fn ana() -> CustomerId {
    CustomerId("ana".to_owned())
}

fn held(number: u32, customer: Option<CustomerId>) -> InboxEntry {
    InboxEntry {
        turn: TurnId(format!("turn-{number}")),
        conversation: Some(talk("talk-1")),
        customer,
        address: Some("ana@shop.example".to_owned()),
        ending: Ending::Held,
        rule: RuleName::own(RuleName::PROMISE_MONEY),
        question: "My lamp broke, will you refund me?".to_owned(),
        answer: format!("We will refund you, {number}. [returns#1]"),
        evidence: String::new(),
        language: Lang::EN,
        at: UnixMillis(1),
    }
}

fn approved(entry: &InboxEntry) -> Approved {
    Approved::new(entry, &VoiceSettings::default()).unwrap()
}

#[tokio::test]
async fn what_is_approved_is_sent_to_the_conversation_once_and_shown_once() {
    let store = Store::in_memory().await.unwrap();
    let entry = held(1, None);
    store.put(&entry).await.unwrap();
    assert_eq!(store.inbox_entry(1).await.unwrap().unwrap().decided, None);
    let decided = store.decide(1, Some(&approved(&entry)), "eva", UnixMillis(86_400_000)).await.unwrap();
    let expected =
        Decided { decision: Decision::Approved, person: "eva".to_owned(), at: UnixMillis(86_400_000) };
    assert_eq!(decided, expected);
    let item = store.inbox_entry(1).await.unwrap().unwrap();
    assert_eq!((&item.entry, item.decided), (&entry, Some(expected)));

    let unread = store.unread(&talk("talk-1"), None).await.unwrap();
    assert_eq!(unread.len(), 1);
    let sent = &unread[0];
    assert_eq!(
        (sent.text.as_str(), sent.cited[0].as_str()),
        ("We will refund you, 1. [returns#1]", "returns#1")
    );
    assert_eq!((&sent.question, &sent.address), (&entry.question, &entry.address));
    assert_eq!(store.unread(&talk("talk-2"), None).await.unwrap(), []);
    for _ in 0..2 {
        store.shown(sent, UnixMillis(3)).await.unwrap();
        assert_eq!(store.unread(&talk("talk-1"), None).await.unwrap(), []);
    }
    // No money moved.
    assert_eq!(store.verify().await.unwrap(), []);
    let report = store.ledger_report(&"1970-01".parse().unwrap()).await.unwrap();
    assert_eq!((report.spent.0, report.reserved.0), (0, 0));
}

#[tokio::test]
async fn a_second_decision_is_refused_with_who_and_when() {
    let store = Store::in_memory().await.unwrap();
    let entry = held(1, None);
    store.put(&entry).await.unwrap();
    store.decide(1, None, "eva", UnixMillis(86_400_000)).await.unwrap();
    let error = store.decide(1, Some(&approved(&entry)), "max", UnixMillis(9)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "entry 1 was rejected by \"eva\" on 1970-01-02; a decision is made once, and nothing was changed"
    );
    assert_eq!(store.unread(&talk("talk-1"), None).await.unwrap(), [], "what was rejected is not sent");
    let withheld = InboxEntry { ending: Ending::Withheld, ..held(2, None) };
    store.put(&withheld).await.unwrap();
    for entry in [2, 3] {
        let error = store.decide(entry, None, "eva", UnixMillis(9)).await.unwrap_err();
        assert!(matches!(error, StoreError::NotHeld(number) if number == entry), "{error}");
    }
}

#[tokio::test]
async fn what_was_sent_to_a_signed_customer_does_not_exist_for_others() {
    let store = Store::in_memory().await.unwrap();
    for (number, customer) in [(1, Some(ana())), (2, None)] {
        let entry = held(number, customer);
        store.put(&entry).await.unwrap();
        store.decide(i64::from(number), Some(&approved(&entry)), "eva", UnixMillis(9)).await.unwrap();
    }
    let unread = async |customer: Option<&CustomerId>| {
        let sent = store.unread(&talk("talk-1"), customer).await.unwrap();
        sent.into_iter().map(|sent| sent.text).collect::<Vec<_>>()
    };
    let (first, second) = ("We will refund you, 1. [returns#1]", "We will refund you, 2. [returns#1]");
    assert_eq!(unread(Some(&ana())).await, [first, second]);
    assert_eq!(unread(None).await, [second]);
    assert_eq!(unread(Some(&CustomerId("max".to_owned()))).await, [second]);
}

/// Two colleagues, each in a program of their own, decide at the same moment: one of them does, and one message is sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_decide_at_once_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mostrador.db");
    let first = Store::open(&path, StoreOptions::default()).await.unwrap();
    let second = Store::open(&path, StoreOptions::default()).await.unwrap();
    for number in 1..=20 {
        let entry = held(number, None);
        first.put(&entry).await.unwrap();
        let id = i64::from(number);
        let deciding = (0..6).map(|person: i64| {
            let store = if person % 2 == 0 { first.clone() } else { second.clone() };
            let approved = (person < 3).then(|| approved(&entry));
            tokio::spawn(async move {
                store.decide(id, approved.as_ref(), &person.to_string(), UnixMillis(person)).await
            })
        });
        let mut made = Vec::new();
        for decided in deciding.collect::<Vec<_>>() {
            match decided.await.unwrap() {
                Ok(decided) => made.push(decided),
                Err(StoreError::DecidedBefore { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(made.len(), 1);
        let item = second.inbox_entry(id).await.unwrap().unwrap();
        assert_eq!(item.decided.as_ref(), made.first());
        let sent = first.unread(&talk("talk-1"), None).await.unwrap();
        assert_eq!(sent.len(), usize::from(made[0].decision == Decision::Approved), "one message, or none");
        for sent in &sent {
            first.shown(sent, UnixMillis(0)).await.unwrap();
        }
    }
}
