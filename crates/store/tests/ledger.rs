//! Money: the contract of a ledger in memory and on file, and any interleaving under a cap.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use futures_util::future::join_all;
use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::ports::{Caps, Expired, Ledger, LedgerError, ReservationId, Span, UnixMillis};
use mostrador_store::{Day, Month, Store, StoreOptions, Sums};
use mostrador_testkit::contract::ledger::{AUGUST, JULY, a_customer, capped, claim};
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

/// A thousand claims at once against a cap of the month, the day or a customer, with room for a hundred and a half.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_thousand_at_once_a_hundred_get_in_and_not_a_micro_unit_more() {
    let room = 100 * 1_000 + 500;
    let month = Caps { month: Some(Micros(room)), ..Caps::default() };
    let day = Caps { day: Some(Micros(room)), ..Caps::default() };
    for caps in [month, day, a_customer("ana", room)] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("mostrador.db");
        let store = Store::open(&path, StoreOptions::default()).await.unwrap();
        let claims = (0..1_000).map(|turn| {
            let (store, claim) = (store.clone(), capped(turn, 1_000, caps.clone(), JULY));
            tokio::spawn(async move { store.reserve(&claim).await })
        });
        let outcomes: Vec<_> = join_all(claims).await.into_iter().map(Result::unwrap).collect();
        let refused = outcomes.iter().filter(|one| matches!(one, Err(LedgerError::OverCap { .. }))).count();
        assert_eq!((outcomes.iter().filter(|one| one.is_ok()).count(), refused), (100, 900));
        let report = store.ledger_report(&Month::of(JULY).unwrap()).await.unwrap();
        assert_eq!(told(report.sums), (0, 100_000, 100));
        assert_eq!(store.verify().await.unwrap(), []);
    }
}

const CAP: u64 = 100;

/// 2026-06-30, 2026-07-01 and 2026-07-02, at midnight: two days of one month, and one of another.
const MOMENTS: [UnixMillis; 3] = [UnixMillis(JULY.0 - DAY), JULY, UnixMillis(JULY.0 + DAY)];
const DAY: i64 = 86_400_000;
const MONTHS: [&[usize]; 2] = [&[0], &[1, 2]];
const DAILY: u64 = 80;
const A_CUSTOMERS: u64 = 50;

#[derive(Debug, Clone)]
enum Step {
    Reserve {
        turn: u64,
        bound: u64,
        day: usize,
        /// One of two, or nobody who is signed in.
        customer: Option<u8>,
    },
    /// Of the reservations made so far, this one; perhaps settled already, perhaps expired.
    Settle { which: usize, spent: u64 },
    /// All that were made on this day or before.
    Expire { day: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let reserve = (0..6_u64, 0..60_u64, 0..MOMENTS.len(), prop::option::of(0..2_u8));
    prop_oneof![
        4 => reserve.prop_map(|(turn, bound, day, customer)| Step::Reserve { turn, bound, day, customer }),
        3 => (0..8_usize, 0..60_u64).prop_map(|(which, spent)| Step::Settle { which, spent }),
        1 => (0..MOMENTS.len()).prop_map(|day| Step::Expire { day }),
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
    day: usize,
    customer: Option<u8>,
    bound: u64,
    expired: bool,
    settled: Option<u64>,
}

impl Reservation {
    /// What it cost, once that is known or taken for known.
    fn spent(&self) -> Option<u64> {
        self.settled.or(self.expired.then_some(self.bound))
    }
}

/// Spent, reserved, questions.
type Counted = (u64, u64, u64);

impl Model {
    fn counted(&self, holds: impl Fn(&Reservation) -> bool) -> Counted {
        let those: Vec<&Reservation> = self.reservations.iter().filter(|made| holds(made)).collect();
        let spent = those.iter().filter_map(|made| made.spent()).sum();
        let reserved = those.iter().filter(|made| made.spent().is_none()).map(|open| open.bound).sum();
        let turns: std::collections::HashSet<(u64, usize)> =
            those.iter().map(|made| (made.turn, made.day)).collect();
        (spent, reserved, turns.len() as u64)
    }

    fn committed(&self, holds: impl Fn(&Reservation) -> bool) -> u64 {
        let (spent, reserved, _) = self.counted(holds);
        spent + reserved
    }

    /// The refusal that this claim meets, by the cap that covers most.
    fn refusal(&self, bound: u64, day: usize, customer: Option<u8>) -> Option<LedgerError> {
        let month = MONTHS.into_iter().find(|days| days.contains(&day)).unwrap();
        let of_customer = |made: &Reservation| made.day == day && made.customer == customer;
        let caps = [
            (Span::Month, CAP, self.committed(|made| month.contains(&made.day))),
            (Span::Day, DAILY, self.committed(|made| made.day == day)),
            (Span::CustomerDay, A_CUSTOMERS, customer.map_or(0, |_| self.committed(of_customer))),
        ];
        let held = caps.into_iter().filter(|(span, ..)| *span != Span::CustomerDay || customer.is_some());
        let over = held.into_iter().find(|(_, cap, committed)| committed + bound > *cap)?;
        let (span, cap, committed) = (over.0, Micros(over.1), Micros(over.2));
        Some(LedgerError::OverCap { span, bound: Micros(bound), committed, cap })
    }

    async fn take(&mut self, store: &Store, step: Step) {
        match step {
            Step::Reserve { turn, bound, day, customer } => {
                // What is kept of customers goes with the second day after; the first of these days has none.
                let customer = customer.filter(|_| day > 0);
                let caps = Caps {
                    month: Some(Micros(CAP)),
                    day: Some(Micros(DAILY)),
                    ..customer.map_or_else(Caps::default, |name| a_customer(&name.to_string(), A_CUSTOMERS))
                };
                match (
                    store.reserve(&capped(turn, bound, caps, MOMENTS[day])).await,
                    self.refusal(bound, day, customer),
                ) {
                    (Ok(id), None) => self.reservations.push(Reservation {
                        id,
                        turn,
                        day,
                        customer,
                        bound,
                        expired: false,
                        settled: None,
                    }),
                    (reserved, refusal) => assert_eq!(reserved.err(), refusal),
                }
            }
            Step::Settle { which, spent } => {
                let Some(reservation) = self.reservations.get_mut(which) else {
                    return;
                };
                let settled = store.settle(&reservation.id, Micros(spent), Usage::default(), AUGUST).await;
                assert_eq!(settled.is_ok(), reservation.settled.is_none(), "{settled:?}");
                reservation.settled.get_or_insert(spent);
            }
            Step::Expire { day } => {
                let open = |made: &&mut Reservation| made.day <= day && made.spent().is_none();
                let mut expected = Expired::default();
                for reservation in self.reservations.iter_mut().filter(open) {
                    reservation.expired = true;
                    expected.reservations += 1;
                    expected.charged.0 += reservation.bound;
                }
                assert_eq!(store.expire(UnixMillis(MOMENTS[day].0 + 1), AUGUST).await, Ok(expected));
            }
        }
    }
}

fn told(sums: Sums) -> Counted {
    (sums.spent.0, sums.reserved.0, sums.questions)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_interleaving_keeps_every_cap_and_adds_up(steps in prop::collection::vec(step(), 1..40)) {
        runtime().block_on(async {
            let store = Store::in_memory().await.unwrap();
            let mut model = Model::default();
            for step in steps {
                model.take(&store, step).await;
                for days in MONTHS {
                    let month = Month::of(MOMENTS[days[0]]).unwrap();
                    let report = store.ledger_report(&month).await.unwrap();
                    assert_eq!(told(report.sums), model.counted(|made| days.contains(&made.day)));
                    for shown in report.days {
                        let day = MOMENTS.iter().position(|at| Day::of(*at).unwrap().as_str() == shown.day);
                        assert_eq!(told(shown.sums), model.counted(|made| Some(made.day) == day));
                    }
                }
                assert_eq!(store.verify().await.unwrap(), []);
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
            assert_eq!(report.sums.reserved, Micros(sum));
            assert_eq!(store.verify().await.unwrap(), []);
        });
    }
}
