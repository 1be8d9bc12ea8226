//! A thousand turns at once, through the engine and the store, against a cap with room for a hundred.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use futures_util::stream::{self, BoxStream, StreamExt};
use mostrador_answer::engine::{Engine, Ports};
use mostrador_answer::message::{Delta, Request, StopReason};
use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::ports::{Model, ModelError, UnixMillis};
use mostrador_answer::question::{Asked, CustomerId};
use mostrador_answer::stop::Ending;
use mostrador_store::{Month, Store, StoreOptions, Sums};
use mostrador_testkit::{LinesModel, World};
use tokio::sync::watch;
use tokio::task::JoinSet;

const QUESTION: &str = "Are returns free?";
const TEXT: &str = "Returns are free. [shelf#1]";

/// A model that thinks until it is told to speak, so that what is reserved stays reserved until then.
struct Waiting(watch::Receiver<bool>);

impl Model for Waiting {
    fn id(&self) -> String {
        "waiting".to_owned()
    }

    fn counts_tokens(&self) -> bool {
        true
    }

    fn stream(&self, _: Arc<Request>) -> BoxStream<'static, Result<Delta, ModelError>> {
        let mut speaks = self.0.clone();
        let reply = async move {
            speaks.wait_for(|speaks| *speaks).await.unwrap();
            let usage = Delta::Usage(Usage::new(10, 5).into());
            stream::iter([Delta::Text(TEXT.to_owned()), usage, Delta::End(StopReason::EndTurn)].map(Ok))
        };
        stream::once(reply).flatten().boxed()
    }
}

/// What a turn of this world reserves.
async fn bound() -> u64 {
    let world = World::new(&["Returns are free."], LinesModel::saying(&[TEXT]));
    world.engine().ask(Asked::new(QUESTION)).await.closing.trace.reserved.0
}

async fn of_a_thousand_turns_a_hundred_are_funded(set: impl Fn(&mut World, Micros), customer: Option<&str>) {
    let bound = bound().await;
    // Room for a hundred, and for all but one micro-unit of the next.
    let cap = Micros(101 * bound - 1);
    let mut world = World::new(&["Returns are free."], LinesModel::default());
    set(&mut world, cap);
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("mostrador.db"), StoreOptions::default()).await.unwrap();
    let (speak, waiting) = watch::channel(false);
    let engine = world.engine_with(Arc::new(Waiting(waiting)));
    let ports = Ports { ledger: Arc::new(store.clone()), ..engine.ports().clone() };
    let engine = Arc::new(Engine::new(world.settings.clone(), ports));

    let mut turns = JoinSet::new();
    for _ in 0..1_000 {
        let (engine, mut asked) = (Arc::clone(&engine), Asked::new(QUESTION));
        asked.session.customer = customer.map(|name| CustomerId(name.to_owned()));
        turns.spawn(async move { engine.ask(asked).await.closing });
    }
    for _ in 0..900 {
        let refused = turns.join_next().await.unwrap().unwrap();
        assert_eq!((refused.ending, refused.calls), (Ending::OverBudget, 0));
    }
    let sums = async || {
        let month = Month::of(UnixMillis(0)).unwrap();
        store.ledger_report(&month).await.unwrap().sums
    };
    let held = Sums { spent: Micros(0), reserved: Micros(100 * bound), questions: 100 };
    assert_eq!(sums().await, held, "under {cap:?}, to the micro-unit");

    speak.send(true).unwrap();
    let answered = turns.join_all().await;
    assert!(answered.iter().all(|closing| closing.ending == Ending::Answered), "{answered:?}");
    let spent = Micros(answered.iter().map(|closing| closing.cost.0).sum());
    assert_eq!(sums().await, Sums { spent, reserved: Micros(0), questions: 100 });
    assert_eq!(store.verify().await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hard_case_19_a_thousand_turns_at_once_under_a_cap_of_the_month() {
    let set = |world: &mut World, cap| world.settings.budget.monthly_cap = Some(cap);
    of_a_thousand_turns_a_hundred_are_funded(set, None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_turns_at_once_of_one_customer_under_the_cap_of_the_day() {
    let set = |world: &mut World, cap| world.settings.budget.daily_cap_per_customer = Some(cap);
    of_a_thousand_turns_a_hundred_are_funded(set, Some("ana")).await;
}
