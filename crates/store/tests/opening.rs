//! Opening a store: what is wrong with the file is said, with its path and what to do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::time::Duration;

use futures_util::future::join_all;
use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::ports::{Inbox, InboxEntry, Ledger, LedgerError, StopLog, StopNote, UnixMillis};
use mostrador_answer::question::TurnId;
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_store::{Store, StoreError, StoreOptions};
use mostrador_testkit::contract::ledger::{JULY, claim};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use tempfile::TempDir;

const SHORT: StoreOptions = StoreOptions { busy_timeout: Duration::from_millis(30) };

async fn raw(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).create_if_missing(true).connect().await.unwrap()
}

async fn run(connection: &mut SqliteConnection, sql: &'static str) {
    sqlx::raw_sql(sql).execute(connection).await.unwrap();
}

async fn open(path: &Path) -> Result<Store, StoreError> {
    Store::open(path, StoreOptions::default()).await
}

/// The error names the path and what to do.
fn told(error: &StoreError, path: &Path, what: &str) {
    let message = error.to_string();
    assert!(message.contains(path.to_str().unwrap()), "{message}");
    assert!(message.contains(what), "{message}");
}

#[tokio::test]
async fn folder_and_file_are_made_and_opened_again() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state").join("deeper").join("mostrador.db");
    for turn in 1..=2 {
        let store = open(&path).await.unwrap();
        store.reserve(&claim(turn, 10, 100, JULY)).await.unwrap();
        store.close().await;
    }
    let refused = open(&path).await.unwrap().reserve(&claim(3, 100, 100, JULY)).await;
    assert!(matches!(refused, Err(LedgerError::OverCap { committed: Micros(20), .. })), "{refused:?}");
}

#[tokio::test]
async fn a_closed_store_answers_with_an_error() {
    let folder = TempDir::new().unwrap();
    let store = open(&folder.path().join("mostrador.db")).await.unwrap();
    store.close().await;
    assert!(store.reserve(&claim(1, 1, None, JULY)).await.is_err());
    assert!(store.current_generation().await.is_err());
    assert!(!folder.path().join("mostrador.db-wal").exists());
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let folder = TempDir::new().unwrap();
    let blocking = folder.path().join("state");
    std::fs::write(&blocking, "a file").unwrap();
    let error = open(&blocking.join("mostrador.db")).await.unwrap_err();
    assert!(matches!(error, StoreError::Folder { .. }), "{error}");
    told(&error, &blocking, "this user may write");
}

#[tokio::test]
async fn a_folder_in_the_place_of_the_file_is_named() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mostrador.db");
    std::fs::create_dir(&path).unwrap();
    let error = open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::NotWritable { .. }), "{error}");
    told(&error, &path, "check that it is a file");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_as_it_is() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mostrador.db");
    let text = "a text that somebody put here\n".repeat(400);
    std::fs::write(&path, &text).unwrap();
    let error = open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
    told(&error, &path, "move the file away");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[tokio::test]
async fn a_database_of_another_program_gets_no_tables() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("accounts.db");
    run(&mut raw(&path).await, "CREATE TABLE accounts (n INTEGER)").await;
    let error = open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
    told(&error, &path, "move the file away");
    let tables: Vec<String> =
        sqlx::query_scalar("SELECT name FROM sqlite_schema").fetch_all(&mut raw(&path).await).await.unwrap();
    assert_eq!(tables, ["accounts"]);
}

#[tokio::test]
async fn a_database_by_a_newer_program_is_not_touched() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mostrador.db");
    open(&path).await.unwrap().close().await;
    run(
        &mut raw(&path).await,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (99, 'later', TRUE, x'00', 0)",
    )
    .await;
    let error = open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
    told(&error, &path, "update this program");
}

#[tokio::test]
async fn a_database_with_another_schema_is_named() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mostrador.db");
    open(&path).await.unwrap().close().await;
    run(&mut raw(&path).await, "UPDATE _sqlx_migrations SET checksum = x'00' WHERE version = 2").await;
    let error = open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::OtherSchema { step: 2, .. }), "{error}");
    told(&error, &path, "step 2");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_that_make_the_same_file_at_once_all_open_it() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state").join("mostrador.db");
    let opening = (0..8).map(|_| {
        let path = path.clone();
        tokio::spawn(async move { open(&path).await })
    });
    for opened in join_all(opening).await {
        let store = opened.unwrap().unwrap_or_else(|error| panic!("{error}"));
        store.reserve(&claim(1, 1, None, JULY)).await.unwrap();
    }
}

/// SQLite gives some names a meaning of their own; here a name is a name.
#[tokio::test]
async fn a_name_with_a_meaning_for_the_driver_is_a_name() {
    let folder = TempDir::new().unwrap();
    for name in ["file:x.db?mode=memory", ":memory:", "a b%20'c.db"] {
        let path = folder.path().join(name);
        let store = open(&path).await.unwrap();
        store.close().await;
        assert!(path.is_file(), "{name}");
    }
}

#[tokio::test]
async fn what_another_process_holds_is_said_to_be_held() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mostrador.db");
    let store = Store::open(&path, SHORT).await.unwrap();
    let reserved = store.reserve(&claim(1, 1, None, JULY)).await.unwrap();

    let mut other = raw(&path).await;
    run(&mut other, "BEGIN EXCLUSIVE").await;
    let entry = InboxEntry {
        turn: TurnId("turn-1".to_owned()),
        conversation: None,
        customer: None,
        address: None,
        ending: Ending::Held,
        rule: RuleName("money".to_owned()),
        question: "the question".to_owned(),
        answer: String::new(),
        evidence: String::new(),
        language: "en".parse().unwrap(),
        at: UnixMillis(0),
    };
    let note = StopNote {
        turn: entry.turn.clone(),
        conversation: None,
        customer: None,
        ending: entry.ending,
        rule: entry.rule.clone(),
        evidence: String::new(),
        question: entry.question.clone(),
        at: UnixMillis(0),
    };
    let errors = [
        store.reserve(&claim(2, 1, None, JULY)).await.unwrap_err().to_string(),
        store.settle(&reserved, Micros(1), Usage::default(), JULY).await.unwrap_err().to_string(),
        store.put(&entry).await.unwrap_err().to_string(),
        store.note(&note).await.unwrap_err().to_string(),
        store.begin_file("documents/a.md", "0", "s").await.unwrap_err().to_string(),
    ];
    for (error, part) in errors.iter().zip(["the ledger", "the ledger", "inbox", "stop log", "the store"]) {
        assert!(error.starts_with(part), "{error}");
        assert!(error.contains("locked: another process has held it for more than 30ms"), "{error}");
        assert!(error.contains(path.to_str().unwrap()), "{error}");
        assert!(!error.contains("the question"), "{error}");
    }
    // What is only read is read all the same.
    assert_eq!(store.list_inbox(10).await.unwrap(), []);
    let again = Store::open(&path, SHORT).await.unwrap();
    assert_eq!(again.list_stops(10).await.unwrap(), []);

    run(&mut other, "ROLLBACK").await;
    store.settle(&reserved, Micros(1), Usage::default(), JULY).await.unwrap();
    store.put(&entry).await.unwrap();
}

#[tokio::test]
async fn a_file_that_another_process_has_for_itself_cannot_be_opened() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mostrador.db");
    open(&path).await.unwrap().close().await;
    let mut other = raw(&path).await;
    run(&mut other, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT").await;
    let error = Store::open(&path, SHORT).await.unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    told(&error, &path, "wait until it is done or stop it");

    other.close().await.unwrap();
    Store::open(&path, SHORT).await.unwrap();
}
