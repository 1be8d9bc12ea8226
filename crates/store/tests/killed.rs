//! A process that is killed between reservation and settlement, a hundred times: the ledger adds up, no cap is passed,
//! and what was left open is charged when it expires.
//!
//! It has a `main` of its own, since it is both: the test, and with `KILLED_STORE` set the process that is killed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::ports::{Caps, Expired, Ledger, LedgerError, ReservationId, UnixMillis};
use mostrador_store::{Month, Store, StoreOptions, Sums};
use mostrador_testkit::contract::ledger::{JULY, capped};

const STORE: &str = "KILLED_STORE";
const WAITS: &str = "KILLED_WAITS";

/// Killed so often between the two for certain, and so often more wherever they happen to be.
const BETWEEN: u64 = 100;
const ANYWHERE: u64 = 20;

const BOUND: u64 = 100;
const SPENT: u64 = 30;

/// Room for a hundred that are left open and what is settled beside them; those killed anywhere come to the cap.
const CAP: u64 = 14_000;

fn main() {
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    match std::env::var_os(STORE) {
        Some(path) => runtime.block_on(the_one_that_is_killed(Path::new(&path))),
        None => runtime.block_on(killed_a_hundred_times_the_ledger_adds_up()),
    }
}

async fn open(path: &Path) -> Store {
    Store::open(path, StoreOptions::default()).await.unwrap()
}

fn say(words: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{words}").unwrap();
    out.flush().unwrap();
}

/// Waits to be killed: nothing ever comes.
fn wait() {
    std::io::stdin().read_exact(&mut [0]).unwrap();
}

/// Reserves and settles, again and again, or waits between the two.
async fn the_one_that_is_killed(path: &Path) {
    let waits_at: Option<u64> = std::env::var(WAITS).ok().and_then(|turn| turn.parse().ok());
    let store = open(path).await;
    let caps = Caps { month: Some(Micros(CAP)), day: Some(Micros(CAP)), customer: None };
    for turn in 1.. {
        match store.reserve(&capped(turn, BOUND, caps.clone(), JULY)).await {
            Ok(reserved) => {
                say(&format!("reserved {}", reserved.0));
                if waits_at == Some(turn) {
                    wait();
                }
                store.settle(&reserved, Micros(SPENT), Usage::new(10, 5), JULY).await.unwrap();
                say("settled");
            }
            Err(LedgerError::OverCap { .. }) => {
                say("full");
                wait();
            }
            Err(error) => panic!("{error}"),
        }
    }
}

fn start(path: &Path, waits_at: Option<u64>) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(STORE, path).stdin(Stdio::piped()).stdout(Stdio::piped());
    if let Some(turn) = waits_at {
        command.env(WAITS, turn.to_string());
    }
    command.spawn().unwrap()
}

/// What a killed process had said: the reservations that it did not say it had settled, and how many it had.
#[derive(Default)]
struct Said {
    open: Vec<i64>,
    settled: u64,
}

/// Kills a process once it has reserved so often: where it waits, or wherever it is by then.
fn kill_after(path: &Path, reservations: u64, waits: bool) -> Said {
    let mut child = start(path, waits.then_some(reservations));
    let mut said = Said::default();
    let mut seen = 0;
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while seen < reservations {
        let line = lines.next().expect("it goes on until it is killed").unwrap();
        match line.strip_prefix("reserved ") {
            Some(id) => {
                said.open.push(id.parse().unwrap());
                seen += 1;
            }
            None if line == "settled" => {
                said.open.pop();
                said.settled += 1;
            }
            // The cap is full.
            None => break,
        }
    }
    // SIGKILL on Unix: nothing of it runs any more.
    child.kill().unwrap();
    child.wait().unwrap();
    said
}

async fn sums(store: &Store) -> Sums {
    store.ledger_report(&Month::of(JULY).unwrap()).await.unwrap().sums
}

async fn killed_a_hundred_times_the_ledger_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mostrador.db");
    let (mut between, mut settled) = (Vec::new(), 0);
    for round in 0..BETWEEN + ANYWHERE {
        let waits = round < BETWEEN;
        let said = kill_after(&path, 1 + round % 3, waits);
        settled += said.settled;
        if waits {
            between.extend(said.open);
        }
        let store = open(&path).await;
        store.verify_day(JULY).await.unwrap();
        assert_eq!(store.verify().await.unwrap(), [], "after round {round}");
        let now = sums(&store).await;
        assert!(now.spent.0 + now.reserved.0 <= CAP, "{now:?} after round {round}");
        store.close().await;
    }

    let store = open(&path).await;
    let before = sums(&store).await;
    let open_now = before.reserved.0 / BOUND;
    assert_eq!(between.len() as u64, BETWEEN);
    assert!(open_now >= BETWEEN, "{open_now} are open");
    assert!(before.spent.0 >= settled * SPENT, "what was said to be settled is settled");
    let later = UnixMillis(JULY.0 + 1);
    let expired = store.expire(later, later).await.unwrap();
    assert_eq!(expired, Expired { reservations: open_now, charged: before.reserved });
    let after = sums(&store).await;
    assert_eq!((after.spent.0, after.reserved.0), (before.spent.0 + before.reserved.0, 0));
    assert!(after.spent.0 <= CAP);

    // Whoever was only slow, and not dead, still corrects it.
    let late = ReservationId(*between.first().unwrap());
    store.settle(&late, Micros(SPENT), Usage::new(10, 5), later).await.unwrap();
    assert_eq!(sums(&store).await.spent.0, after.spent.0 - BOUND + SPENT);
    assert_eq!(store.verify().await.unwrap(), []);
    println!(
        "killed {BETWEEN} times between reservation and settlement and {ANYWHERE} times anywhere: \
         {} spent of {CAP}, {open_now} charged at their bound",
        after.spent.0
    );
}
