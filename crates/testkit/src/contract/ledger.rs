//! What every ledger must keep.

use std::sync::Arc;

use futures_util::future::join_all;
use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::ports::{Claim, Ledger, LedgerError, ReservationId, UnixMillis};
use mostrador_answer::question::TurnId;

/// 2026-07-01T00:00:00Z, the first millisecond of a month.
pub const JULY: UnixMillis = UnixMillis(1_782_864_000_000);

/// 2026-08-01T00:00:00Z.
pub const AUGUST: UnixMillis = UnixMillis(1_785_542_400_000);

const USAGE: Usage =
    Usage { input_tokens: 120, output_tokens: 30, cached_input_tokens: 0, reasoning_tokens: 0 };

/// A claim of `bound` at a moment, for a turn of its own.
#[must_use]
pub fn claim(turn: u64, bound: u64, cap: impl Into<Option<u64>>, at: UnixMillis) -> Claim {
    let turn = TurnId(format!("turn-{turn}"));
    Claim { turn, bound: Micros(bound), monthly_cap: cap.into().map(Micros), at }
}

/// What a ledger counts as spent and reserved in the month of `at`, read out of a refusal.
pub async fn committed(ledger: &dyn Ledger, at: UnixMillis) -> Micros {
    match ledger.reserve(&claim(0, 1, 0, at)).await {
        Err(LedgerError::OverCap { bound: Micros(1), committed, cap: Micros(0) }) => committed,
        other => panic!("a cap of nothing let 1 through, or failed: {other:?}"),
    }
}

async fn reserve(ledger: &dyn Ledger, claim: Claim) -> ReservationId {
    ledger.reserve(&claim).await.unwrap_or_else(|error| panic!("{claim:?}: {error}"))
}

async fn settle(ledger: &dyn Ledger, reservation: &ReservationId, spent: u64) {
    let settled = ledger.settle(reservation, Micros(spent), USAGE, JULY).await;
    settled.unwrap_or_else(|error| panic!("{reservation:?}: {error}"));
}

/// 200 claims at once against a cap with room for 10: 10 are reserved, and the others are told why not.
pub async fn of_two_hundred_at_once_ten_get_in(ledger: Arc<dyn Ledger>) {
    let claims = (1..=200).map(|turn| {
        let ledger = Arc::clone(&ledger);
        tokio::spawn(async move { ledger.reserve(&claim(turn, 100, 1_099, JULY)).await })
    });
    let outcomes: Vec<_> = join_all(claims).await.into_iter().map(Result::unwrap).collect();

    let reserved: Vec<&ReservationId> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).collect();
    assert_eq!(reserved.len(), 10);
    assert_eq!(reserved.iter().collect::<std::collections::HashSet<_>>().len(), 10, "{reserved:?}");
    let full = LedgerError::OverCap { bound: Micros(100), committed: Micros(1_000), cap: Micros(1_099) };
    for refused in outcomes.iter().filter_map(|outcome| outcome.as_ref().err()) {
        assert_eq!(*refused, full);
    }
    assert_eq!(committed(&*ledger, JULY).await, Micros(1_000));
}

/// A cap may be reached; it may not be passed.
pub async fn a_cap_may_be_reached_and_not_passed(ledger: Arc<dyn Ledger>) {
    reserve(&*ledger, claim(1, 60, 100, JULY)).await;
    let over = ledger.reserve(&claim(2, 41, 100, JULY)).await;
    let expected = LedgerError::OverCap { bound: Micros(41), committed: Micros(60), cap: Micros(100) };
    assert_eq!(over, Err(expected));
    reserve(&*ledger, claim(3, 40, 100, JULY)).await;
    reserve(&*ledger, claim(4, 0, 100, JULY)).await;
    assert_eq!(committed(&*ledger, JULY).await, Micros(100));
}

/// A settlement gives back what was reserved and not spent.
pub async fn what_was_not_spent_is_free_again(ledger: Arc<dyn Ledger>) {
    let first = reserve(&*ledger, claim(1, 100, 100, JULY)).await;
    settle(&*ledger, &first, 30).await;
    assert_eq!(committed(&*ledger, JULY).await, Micros(30));
    let second = reserve(&*ledger, claim(2, 70, 100, JULY)).await;
    settle(&*ledger, &second, 0).await;
    assert_eq!(committed(&*ledger, JULY).await, Micros(30));
}

/// What was really spent is kept even where it is more than was reserved; then the month is full.
pub async fn spending_more_than_reserved_is_kept(ledger: Arc<dyn Ledger>) {
    let reservation = reserve(&*ledger, claim(1, 50, 100, JULY)).await;
    settle(&*ledger, &reservation, 130).await;
    assert_eq!(committed(&*ledger, JULY).await, Micros(130));
    let over = ledger.reserve(&claim(2, 0, 100, JULY)).await;
    assert!(matches!(over, Err(LedgerError::OverCap { committed: Micros(130), .. })), "{over:?}");
}

/// Settling twice is an error and changes nothing.
pub async fn settling_twice_changes_nothing(ledger: Arc<dyn Ledger>) {
    let reservation = reserve(&*ledger, claim(1, 100, 100, JULY)).await;
    settle(&*ledger, &reservation, 40).await;
    for spent in [40, 7] {
        let again = ledger.settle(&reservation, Micros(spent), USAGE, JULY).await;
        assert!(matches!(again, Err(LedgerError::Refused(_))), "{again:?}");
    }
    assert_eq!(committed(&*ledger, JULY).await, Micros(40));
}

/// Of many settlements of one reservation at once, one is kept.
pub async fn of_many_settlements_at_once_one_is_kept(ledger: Arc<dyn Ledger>) {
    let reservation = reserve(&*ledger, claim(1, 100, 100, JULY)).await;
    let settlements = (0..20).map(|_| {
        let (ledger, reservation) = (Arc::clone(&ledger), reservation.clone());
        tokio::spawn(async move { ledger.settle(&reservation, Micros(40), USAGE, JULY).await })
    });
    let outcomes: Vec<_> = join_all(settlements).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    assert_eq!(committed(&*ledger, JULY).await, Micros(40));
}

/// Settling what was never reserved is an error and changes nothing.
pub async fn settling_what_was_never_reserved_changes_nothing(ledger: Arc<dyn Ledger>) {
    let reservation = reserve(&*ledger, claim(1, 100, 100, JULY)).await;
    settle(&*ledger, &reservation, 40).await;
    for unknown in [reservation.0 + 1_000, -1, 0, i64::MAX, i64::MIN] {
        let settled = ledger.settle(&ReservationId(unknown), Micros(1), USAGE, JULY).await;
        assert!(matches!(settled, Err(LedgerError::Refused(_))), "{unknown}: {settled:?}");
    }
    assert_eq!(committed(&*ledger, JULY).await, Micros(40));
}

/// A month begins at midnight UTC, and each has its cap to itself.
pub async fn every_month_has_its_own_cap(ledger: Arc<dyn Ledger>) {
    let july_ends = UnixMillis(AUGUST.0 - 1);
    reserve(&*ledger, claim(1, 100, 100, JULY)).await;
    assert!(ledger.reserve(&claim(2, 1, 100, july_ends)).await.is_err());
    reserve(&*ledger, claim(3, 70, 100, AUGUST)).await;
    let june_ends = UnixMillis(JULY.0 - 1);
    assert_eq!(committed(&*ledger, june_ends).await, Micros(0));
    assert_eq!(committed(&*ledger, july_ends).await, Micros(100));
    assert_eq!(committed(&*ledger, AUGUST).await, Micros(70));
}

/// What was reserved in July and settled in August was July's money.
pub async fn a_settlement_counts_where_it_was_reserved(ledger: Arc<dyn Ledger>) {
    let reservation = reserve(&*ledger, claim(1, 100, 100, JULY)).await;
    ledger.settle(&reservation, Micros(40), USAGE, AUGUST).await.unwrap();
    assert_eq!(committed(&*ledger, JULY).await, Micros(40));
    assert_eq!(committed(&*ledger, AUGUST).await, Micros(0));
}

/// Without a cap everything is reserved, and counted for those that have one.
pub async fn without_a_cap_it_is_counted_all_the_same(ledger: Arc<dyn Ledger>) {
    reserve(&*ledger, claim(1, 1_000_000_000_000, None, JULY)).await;
    assert_eq!(committed(&*ledger, JULY).await, Micros(1_000_000_000_000));
}

/// Amounts that do not add up in 64 bits are refused, not wrapped: the largest cap is a cap.
pub async fn sums_that_do_not_fit_are_refused(ledger: Arc<dyn Ledger>) {
    let most = i64::MAX as u64;
    let reservation = reserve(&*ledger, claim(1, most - 10, None, JULY)).await;
    for cap in [None, Some(u64::MAX), Some(most)] {
        for bound in [11, most, u64::MAX] {
            let refused = ledger.reserve(&claim(2, bound, cap, JULY)).await;
            assert!(refused.is_err(), "{bound} under {cap:?}: {refused:?}");
        }
    }
    assert_eq!(committed(&*ledger, JULY).await, Micros(most - 10));

    reserve(&*ledger, claim(3, 10, None, JULY)).await;
    for spent in [most - 9, most, u64::MAX] {
        let refused = ledger.settle(&reservation, Micros(spent), USAGE, JULY).await;
        assert!(refused.is_err(), "{spent}: {refused:?}");
    }
    let too_many = Usage::new(u64::MAX, 0);
    assert!(ledger.settle(&reservation, Micros(1), too_many, JULY).await.is_err());
    assert_eq!(committed(&*ledger, JULY).await, Micros(most));
    settle(&*ledger, &reservation, 1).await;
    assert_eq!(committed(&*ledger, JULY).await, Micros(11));
}

/// A moment that lies in no month is refused.
pub async fn a_moment_in_no_month_is_refused(ledger: Arc<dyn Ledger>) {
    for moment in [i64::MAX, i64::MIN] {
        let refused = ledger.reserve(&claim(1, 1, None, UnixMillis(moment))).await;
        assert!(matches!(refused, Err(LedgerError::Refused(_))), "{refused:?}");
    }
}

/// Makes a test of every function of [`contract::ledger`](crate::contract::ledger).
///
/// `$make`: an expression that gives a future of a fresh `Arc<dyn Ledger>` and of whatever must live
/// as long as it. The caller needs `tokio` with `macros` and `rt-multi-thread`.
#[macro_export]
macro_rules! ledger_contract {
    ($make:expr) => {
        $crate::ledger_contract!(@test $make =>
            of_two_hundred_at_once_ten_get_in,
            a_cap_may_be_reached_and_not_passed,
            what_was_not_spent_is_free_again,
            spending_more_than_reserved_is_kept,
            settling_twice_changes_nothing,
            of_many_settlements_at_once_one_is_kept,
            settling_what_was_never_reserved_changes_nothing,
            every_month_has_its_own_cap,
            a_settlement_counts_where_it_was_reserved,
            without_a_cap_it_is_counted_all_the_same,
            sums_that_do_not_fit_are_refused,
            a_moment_in_no_month_is_refused,
        );
    };
    (@test $make:expr => $($kept:ident,)+) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $kept() {
                let (ledger, _alive) = $make.await;
                $crate::contract::ledger::$kept(ledger).await;
            }
        )+
    };
}
