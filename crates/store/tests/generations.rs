//! Passages: a generation is whole or absent, also when the program dies while it is written.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::future::{Future, poll_fn};
use std::path::Path;
use std::pin::pin;
use std::process::Command;
use std::task::Poll;

use mostrador_answer::passage::{Passage, SourceId, Trust};
use mostrador_store::{Generation, GenerationId, Store, StoreError, StoreOptions, StoredPassage};
use mostrador_testkit::contract::search::passage;
use tempfile::TempDir;

fn passages(text: &str, count: usize) -> Vec<StoredPassage> {
    let one = |number: usize| {
        let vector = (!number.is_multiple_of(3)).then(|| vec![number as f32, f32::MIN_POSITIVE, -0.0]);
        (passage(&format!("shop#{number}"), "Delivery", text), vector)
    };
    (0..count).map(one).collect()
}

async fn open(path: &Path) -> Store {
    Store::open(path, StoreOptions::default()).await.unwrap()
}

/// Starts to write a generation and gives it up in the middle of it.
async fn half_way(store: &Store) {
    // Many: the writing lets others run every 128 passages at the latest.
    let new = passages("new", 10_000);
    let mut writing = pin!(store.replace_passages("new", "new", &new));
    let mut polls = 0;
    let finished = poll_fn(|context| {
        polls += 1;
        if polls > 60 {
            return Poll::Ready(false);
        }
        writing.as_mut().poll(context).map(|_| true)
    })
    .await;
    assert!(!finished, "the generation was written before it could be given up");
}

#[tokio::test]
async fn the_newest_generation_is_read_back_in_order() {
    let store = Store::in_memory().await.unwrap();
    assert_eq!(store.current_generation().await.unwrap(), None);
    assert_eq!(store.load_passages().await.unwrap(), []);

    let first = store.replace_passages("f1", "e1", &passages("old", 3)).await.unwrap();
    let mut new = passages("new", 20);
    new.reverse();
    new[0].0 = Passage {
        headings: vec!["\"quoted\"".to_owned(), String::new(), "返品".to_owned()],
        trust: Trust::Customer,
        language: "bg".parse().unwrap(),
        date: Some("2026-03-01".to_owned()),
        valid_until: Some("2026-12-31".to_owned()),
        read_at: Some(1_767_225_600_000),
        bytes: 7..19,
        also: vec![SourceId::new("copy#1").unwrap(), SourceId::new("copy#2").unwrap()],
        ..new[0].0.clone()
    };
    new[1].1 = Some(Vec::new());
    let second = store.replace_passages("f2", "e2", &new).await.unwrap();
    assert!(second > first);
    let current =
        Generation { id: second, fingerprint: "f2".to_owned(), embedder: "e2".to_owned(), passages: 20 };
    assert_eq!(store.current_generation().await.unwrap(), Some(current));
    assert_eq!(store.load_passages().await.unwrap(), new);

    let third = store.replace_passages("f3", "e3", &[]).await.unwrap();
    assert!(third > second);
    assert_eq!(store.load_passages().await.unwrap(), []);
    assert_eq!(store.current_generation().await.unwrap().unwrap().passages, 0);
}

#[tokio::test]
async fn two_passages_of_one_name_leave_the_old_generation() {
    let store = Store::in_memory().await.unwrap();
    let old = passages("old", 3);
    let generation = store.replace_passages("f1", "e1", &old).await.unwrap();
    let mut twice = passages("new", 3);
    twice.extend(passages("newer", 1));
    let error = store.replace_passages("f2", "e2", &twice).await.unwrap_err();
    assert!(matches!(&error, StoreError::DuplicateSource(name) if name.as_str() == "shop#0"), "{error}");
    assert_eq!(store.current_generation().await.unwrap().unwrap().id, generation);
    assert_eq!(store.load_passages().await.unwrap(), old);
}

#[tokio::test]
async fn a_writing_that_is_given_up_leaves_the_old_generation() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mostrador.db");
    for store in [Store::in_memory().await.unwrap(), open(&path).await] {
        let old = passages("old", 3);
        let generation = store.replace_passages("f1", "e1", &old).await.unwrap();
        half_way(&store).await;
        assert_eq!(store.current_generation().await.unwrap().unwrap().id, generation);
        assert_eq!(store.load_passages().await.unwrap(), old);

        let newer = store.replace_passages("f3", "e3", &passages("newer", 2)).await.unwrap();
        assert!(newer > generation);
    }
}

/// Readers of the file see the old generation while the new one is being written.
#[tokio::test]
async fn a_new_generation_is_seen_at_once_and_whole() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mostrador.db");
    let (writing, reading) = (open(&path).await, open(&path).await);
    let (old, new) = (passages("old", 40), passages("new", 400));
    writing.replace_passages("f1", "e1", &old).await.unwrap();
    let mut seen_old = 0;
    let written = async { writing.replace_passages("f2", "e2", &new).await.unwrap() };
    let mut written = pin!(written);
    let id = loop {
        let polled = poll_fn(|context| Poll::Ready(written.as_mut().poll(context))).await;
        let read = reading.load_passages().await.unwrap();
        match polled {
            Poll::Ready(id) => {
                assert_eq!(read, new);
                break id;
            }
            Poll::Pending if read == old => seen_old += 1,
            Poll::Pending => assert_eq!(read, new),
        }
    };
    assert!(seen_old > 0);
    assert_eq!(reading.current_generation().await.unwrap().unwrap().id, id);
}

const KILLED: &str = "MOSTRADOR_TEST_KILLED_STORE";

/// The log beside a store, where a transaction lies before it is committed and after.
fn log_size(path: &Path) -> u64 {
    std::fs::metadata(path.with_extension("db-wal")).map_or(0, |log| log.len())
}

/// The process that dies: it is this very test, started again with the path of a store.
fn die_half_way(path: &Path) -> ! {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = open(path).await;
        // More than fits the memory of a connection, so that a part is in the file already.
        let new = passages(&"long ".repeat(400), 5_000);
        let mut writing = pin!(store.replace_passages("new", "new", &new));
        poll_fn(|context| {
            if log_size(path) > 1_000_000 {
                std::process::abort();
            }
            writing.as_mut().poll(context).map(|_| ())
        })
        .await;
    });
    unreachable!("the generation was written before the process could die");
}

#[test]
fn a_process_that_dies_leaves_the_old_generation() {
    if let Some(path) = std::env::var_os(KILLED) {
        die_half_way(Path::new(&path));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mostrador.db");
    let old = passages("old", 3);
    let before: GenerationId = runtime.block_on(async {
        let store = open(&path).await;
        let id = store.replace_passages("f1", "e1", &old).await.unwrap();
        store.close().await;
        id
    });

    let died = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_process_that_dies_leaves_the_old_generation"])
        .env(KILLED, &path)
        .output()
        .unwrap();
    assert!(!died.status.success(), "{died:?}");
    assert!(!String::from_utf8_lossy(&died.stderr).contains("panicked"), "{died:?}");
    assert!(log_size(&path) > 1_000_000);

    runtime.block_on(async {
        let store = open(&path).await;
        assert_eq!(store.current_generation().await.unwrap().unwrap().id, before);
        assert_eq!(store.load_passages().await.unwrap(), old);
        store.replace_passages("f3", "e3", &passages("newer", 2)).await.unwrap();
    });
}
