//! Money: the contract of a ledger in memory and on file, and any interleaving under a cap.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use futures_util::future::join_all;
use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::ports::{Ledger, LedgerError, ReservationId, UnixMillis};
use mostrador_store::{Month, Store, StoreOptions};
use mostrador_testkit::contract::ledger::{AUGUST, JULY, claim};
use proptest::prelude::*;
use tempfile::TempDir;

async fn in_memory() -> (Arc<dyn Ledger>, ()) {
    (Arc::new(Store::in_memory().await.unwrap()), ())
}

async fn on_file() -> (Arc<dyn Ledger>, TempDir) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mostrador.db");
    (Arc::new(Store::open(&path, StoreOptions::default()).await.unwrap()), folder)
}

mod memory {
    mostrador_testkit::ledger_contract!(super::in_memory());
}

mod file {
    mostrador_testkit::ledger_contract!(super::on_file());
}

/// Two programs on one file, such as `serve` and `ask`: each has its own connection, the cap is one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_stores_on_one_file_share_the_cap() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mostrador.db");
    let stores = [
        Store::open(&path, StoreOptions::default()).await.unwrap(),
        Store::open(&path, StoreOptions::default()).await.unwrap(),
    ];
    let claims = (0..200).map(|turn: u64| {
        let store = stores[usize::from(turn.is_multiple_of(2))].clone();
        tokio::spawn(async move { store.reserve(&claim(turn, 100, 1_000, JULY)).await })
    });
    let outcomes: Vec<_> = join_all(claims).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 10);
    assert!(
        outcomes.iter().all(|outcome| !matches!(outcome, Err(LedgerError::Unavailable(_)))),
        "{outcomes:?}"
    );
    assert_eq!(stores[0].verify().await.unwrap(), []);
}

const CAP: u64 = 100;
const MOMENTS: [UnixMillis; 2] = [JULY, AUGUST];

#[derive(Debug, Clone)]
enum Step {
    Reserve {
        turn: u64,
        bound: u64,
        month: usize,
    },
    /// Of the reservations made so far, this one; perhaps settled already.
    Settle {
        which: usize,
        spent: u64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..6_u64, 0..60_u64, 0..MOMENTS.len()).prop_map(|(turn, bound, month)| Step::Reserve {
            turn,
            bound,
            month
        }),
        (0..8_usize, 0..60_u64).prop_map(|(which, spent)| Step::Settle { which, spent }),
    ]
}

/// What a ledger is, told in the simplest way.
#[derive(Default)]
struct Model {
    reservations: Vec<Reservation>,
}

struct Reservation {
    id: ReservationId,
    turn: u64,
    month: usize,
    bound: u64,
    spent: Option<u64>,
}

impl Model {
    fn of(&self, month: usize) -> impl Iterator<Item = &Reservation> {
        self.reservations.iter().filter(move |reservation| reservation.month == month)
    }

    fn spent(&self, month: usize) -> u64 {
        self.of(month).filter_map(|reservation| reservation.spent).sum()
    }

    fn reserved(&self, month: usize) -> u64 {
        self.of(month).filter(|reservation| reservation.spent.is_none()).map(|open| open.bound).sum()
    }

    fn questions(&self, month: usize) -> u64 {
        let turns: std::collections::HashSet<u64> = self.of(month).map(|made| made.turn).collect();
        turns.len() as u64
    }

    async fn take(&mut self, store: &Store, step: Step) {
        match step {
            Step::Reserve { turn, bound, month } => {
                let committed = self.spent(month) + self.reserved(month);
                match store.reserve(&claim(turn, bound, CAP, MOMENTS[month])).await {
                    Ok(id) => {
                        assert!(committed + bound <= CAP, "{bound} on top of {committed} was let in");
                        self.reservations.push(Reservation { id, turn, month, bound, spent: None });
                    }
                    Err(refused) => {
                        assert!(committed + bound > CAP, "{bound} on top of {committed} was kept out");
                        let (bound, committed) = (Micros(bound), Micros(committed));
                        assert_eq!(refused, LedgerError::OverCap { bound, committed, cap: Micros(CAP) });
                    }
                }
            }
            Step::Settle { which, spent } => {
                let Some(reservation) = self.reservations.get_mut(which) else {
                    return;
                };
                let settled = store.settle(&reservation.id, Micros(spent), Usage::default(), AUGUST).await;
                assert_eq!(settled.is_ok(), reservation.spent.is_none(), "{settled:?}");
                reservation.spent.get_or_insert(spent);
            }
        }
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_interleaving_keeps_the_cap(steps in prop::collection::vec(step(), 1..40)) {
        runtime().block_on(async {
            let store = Store::in_memory().await.unwrap();
            let mut model = Model::default();
            for step in steps {
                model.take(&store, step).await;
                for (month, moment) in MOMENTS.into_iter().enumerate() {
                    let report = store.ledger_report(&Month::of(moment).unwrap()).await.unwrap();
                    assert_eq!(report.spent, Micros(model.spent(month)));
                    assert_eq!(report.reserved, Micros(model.reserved(month)));
                    assert_eq!(report.questions, model.questions(month));
                }
            }
            assert_eq!(store.verify().await.unwrap(), []);
        });
    }

    #[test]
    fn any_claims_at_once_keep_the_cap_and_leave_no_room_unused(
        bounds in prop::collection::vec(0..60_u64, 1..40)
    ) {
        runtime().block_on(async {
            let store = Store::in_memory().await.unwrap();
            let claims = (0..).zip(&bounds).map(|(turn, bound)| {
                let (store, claim) = (store.clone(), claim(turn, *bound, CAP, JULY));
                tokio::spawn(async move { store.reserve(&claim).await.is_ok() })
            });
            let let_in: Vec<bool> = join_all(claims).await.into_iter().map(Result::unwrap).collect();
            let sum: u64 = bounds.iter().zip(&let_in).filter(|(_, is_in)| **is_in).map(|(bound, _)| bound).sum();
            assert!(sum <= CAP);
            for (bound, _) in bounds.iter().zip(&let_in).filter(|(_, is_in)| !**is_in) {
                assert!(sum + bound > CAP, "{bound} would have fitted on top of {sum}");
            }
            let report = store.ledger_report(&Month::of(JULY).unwrap()).await.unwrap();
            assert_eq!(report.reserved, Micros(sum));
            assert_eq!(store.verify().await.unwrap(), []);
        });
    }
}
