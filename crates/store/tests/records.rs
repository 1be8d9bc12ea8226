//! Inbox and stop log keep what they are given, and it is there after the program has ended.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use mostrador_answer::ports::{Inbox, InboxEntry, StopLog, StopNote, UnixMillis};
use mostrador_answer::question::TurnId;
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_store::{Store, StoreOptions};
use mostrador_testkit::contract::records;
use tempfile::TempDir;

async fn inbox(store: &Store, limit: usize) -> Vec<InboxEntry> {
    let items = store.list_inbox(limit).await.unwrap();
    assert!(items.is_sorted_by(|newer, older| newer.id > older.id), "{items:?}");
    items.into_iter().map(|item| item.entry).collect()
}

#[tokio::test]
async fn an_inbox_gives_back_what_was_put() {
    let store = Store::in_memory().await.unwrap();
    records::an_inbox_gives_back_what_was_put(&store, async |limit| inbox(&store, limit).await).await;
}

#[tokio::test]
async fn a_stop_log_gives_back_what_was_noted() {
    let store = Store::in_memory().await.unwrap();
    let read = async |limit| store.list_stops(limit).await.unwrap();
    records::a_stop_log_gives_back_what_was_noted(&store, read).await;
}

/// No `close`: a process that ends at once leaves its log beside the file, and the next one reads it.
#[tokio::test]
async fn what_was_put_is_there_for_the_next_program() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state").join("mostrador.db");
    let entry = InboxEntry {
        turn: TurnId("turn-1".to_owned()),
        conversation: None,
        customer: None,
        address: None,
        ending: Ending::Held,
        rule: RuleName("money".to_owned()),
        question: "a\0b".to_owned(),
        answer: String::new(),
        evidence: String::new(),
        language: "en".parse().unwrap(),
        at: UnixMillis(i64::MAX),
    };
    let note = StopNote {
        turn: entry.turn.clone(),
        conversation: None,
        customer: None,
        ending: entry.ending,
        rule: entry.rule.clone(),
        evidence: String::new(),
        question: entry.question.clone(),
        at: UnixMillis(i64::MIN),
    };
    let first = Store::open(&path, StoreOptions::default()).await.unwrap();
    first.put(&entry).await.unwrap();
    first.note(&note).await.unwrap();
    let second = Store::open(&path, StoreOptions::default()).await.unwrap();
    assert_eq!(inbox(&second, 10).await, [entry]);
    assert_eq!(second.list_stops(10).await.unwrap(), [note]);
}
