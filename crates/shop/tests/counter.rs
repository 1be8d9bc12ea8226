//! A counter that is opened: who may ask how often, and what was left unsettled by whoever had it open before.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::sync::{Arc, Mutex};

use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::ports::{Caps, Claim, Ledger, UnixMillis};
use mostrador_answer::question::{Asked, TurnId};
use mostrador_answer::stop::Ending;
use mostrador_shop::counter::{database, now};
use mostrador_shop::{Counter, Keep, Shop};
use mostrador_store::{Store, StoreOptions};
use tempfile::TempDir;

const MINUTE: i64 = 60_000;

fn folder(more: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("documents")).unwrap();
    std::fs::write(dir.path().join("documents/returns.md"), "Returns are free within 30 days.\n").unwrap();
    let shop = format!("name = \"Probe\"\nlanguages = [\"en\"]\n{more}");
    std::fs::write(dir.path().join("shop.toml"), shop).unwrap();
    dir
}

async fn open(root: &Path, keep: Keep) -> Counter {
    Counter::open(Arc::new(Shop::read(root).unwrap()), keep, &mut |_| {}).await.unwrap()
}

fn from(address: &str) -> Asked {
    let mut asked = Asked::new("Are returns free?");
    asked.session.address = Some(address.parse().unwrap());
    asked
}

#[tokio::test]
async fn an_address_that_asks_too_often_waits_and_a_suite_does_not() {
    let dir = folder("[limits]\naddress_minute = 2\n");
    for (keep, third) in [(Keep::OnDisk, Ending::Refused), (Keep::InMemory, Ending::Answered)] {
        let engine = open(dir.path(), keep).await.engine();
        for _ in 0..2 {
            assert_eq!(engine.ask(from("192.0.2.1")).await.closing.ending, Ending::Answered);
        }
        let closing = engine.ask(from("192.0.2.1")).await.closing;
        assert_eq!(closing.ending, third, "{keep:?}");
        assert_eq!(closing.rule.is_some_and(|rule| rule.0 == "limits.address-minute"), keep == Keep::OnDisk);
        assert_eq!(engine.ask(from("192.0.2.2")).await.closing.ending, Ending::Answered);
    }
}

#[tokio::test]
async fn what_nobody_settled_is_charged_when_the_shop_is_opened_and_corrected_when_it_is_settled_after_all() {
    let money =
        "[budget]\nprice_in_per_million = \"1\"\nprice_out_per_million = \"1\"\nper_1000_questions = \"1\"\n";
    let dir = folder(money);
    let store = Store::open(&database(dir.path()), StoreOptions::default()).await.unwrap();
    let ago = |minutes: i64| UnixMillis(now().0 - minutes * MINUTE);
    let claim = |turn: &str, at| Claim {
        turn: TurnId(turn.to_owned()),
        bound: Micros(500_000),
        caps: Caps::default(),
        at,
    };
    let dead = store.reserve(&claim("dead", ago(16))).await.unwrap();
    let under_way = store.reserve(&claim("under way", ago(14))).await.unwrap();

    let counter = open(dir.path(), Keep::OnDisk).await;
    let said = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&said);
    counter.on_warning(Box::new(move |words| heard.lock().unwrap().push(words.to_owned())));
    let expected = "1 reservations were never settled and are charged at their bound, 0.50 EUR";
    assert_eq!(*said.lock().unwrap(), [expected], "also what was said before anybody listened");
    assert_eq!(counter.sweep().await.unwrap().reservations, 0);

    for reservation in [&dead, &under_way] {
        store.settle(reservation, Micros(1), Usage::default(), now()).await.unwrap();
        assert!(store.settle(reservation, Micros(1), Usage::default(), now()).await.is_err());
    }
    assert_eq!(store.verify().await.unwrap(), []);
}
