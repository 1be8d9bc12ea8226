//! What every ledger must keep.

use std::sync::Arc;

use futures_util::future::join_all;
use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::ports::{
    Caps, Claim, CustomerCap, Expired, Ledger, LedgerError, ReservationId, Span, UnixMillis,
};
use mostrador_answer::question::{CustomerId, TurnId};

/// 2026-07-01T00:00:00Z, the first millisecond of a month.
pub const JULY: UnixMillis = UnixMillis(1_782_864_000_000);

/// 2026-08-01T00:00:00Z.
pub const AUGUST: UnixMillis = UnixMillis(1_785_542_400_000);

/// A minute, in milliseconds.
const MINUTE: i64 = 60_000;

/// A day, in milliseconds.
const DAY: i64 = 24 * 60 * MINUTE;

const USAGE: Usage =
    Usage { input_tokens: 120, output_tokens: 30, cached_input_tokens: 0, reasoning_tokens: 0 };

/// A claim of `bound` at a moment, for a turn of its own, under a cap of the month.
#[must_use]
pub fn claim(turn: u64, bound: u64, cap: impl Into<Option<u64>>, at: UnixMillis) -> Claim {
    capped(turn, bound, Caps { month: cap.into().map(Micros), ..Caps::default() }, at)
}

/// The same under these caps.
#[must_use]
pub fn capped(turn: u64, bound: u64, caps: Caps, at: UnixMillis) -> Claim {
    Claim { turn: TurnId(format!("turn-{turn}")), bound: Micros(bound), caps, at }
}

/// A cap of the day.
#[must_use]
pub fn a_day(cap: u64) -> Caps {
    Caps { day: Some(Micros(cap)), ..Caps::default() }
}

/// A cap of a customer's day.
#[must_use]
pub fn a_customer(name: &str, cap: u64) -> Caps {
    let customer = CustomerCap { customer: CustomerId(name.to_owned()), cap: Micros(cap) };
    Caps { customer: Some(customer), ..Caps::default() }
}

/// What a ledger counts as spent and reserved in the month of `at`, read out of a refusal.
pub async fn committed(ledger: &dyn Ledger, at: UnixMillis) -> Micros {
    committed_in(ledger, Span::Month, claim(0, 1, 0, at).caps, at).await
}

/// The same of what another cap covers; `caps`: that one alone, of nothing.
pub async fn committed_in(ledger: &dyn Ledger, of: Span, caps: Caps, at: UnixMillis) -> Micros {
    match ledger.reserve(&capped(0, 1, caps, at)).await {
        Err(LedgerError::OverCap { span, bound: Micros(1), committed, cap: Micros(0) }) if span == of => {
            committed
        }
        other => panic!("a cap of nothing let 1 through, or failed: {other:?}"),
    }
}

fn over(span: Span, bound: u64, committed: u64, cap: u64) -> LedgerError {
    LedgerError::OverCap { span, bound: Micros(bound), committed: Micros(committed), cap: Micros(cap) }
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
    let full = over(Span::Month, 100, 1_000, 1_099);
    for refused in outcomes.iter().filter_map(|outcome| outcome.as_ref().err()) {
        assert_eq!(*refused, full);
    }
    assert_eq!(committed(&*ledger, JULY).await, Micros(1_000));
}

/// A cap may be reached; it may not be passed.
pub async fn a_cap_may_be_reached_and_not_passed(ledger: Arc<dyn Ledger>) {
    reserve(&*ledger, claim(1, 60, 100, JULY)).await;
    let refused = ledger.reserve(&claim(2, 41, 100, JULY)).await;
    assert_eq!(refused, Err(over(Span::Month, 41, 60, 100)));
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
    let refused = ledger.reserve(&claim(2, 0, 100, JULY)).await;
    assert_eq!(refused, Err(over(Span::Month, 0, 130, 100)));
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

/// A day begins at midnight UTC, and each has its cap to itself; a cap of the month holds beside it.
pub async fn every_day_has_its_own_cap(ledger: Arc<dyn Ledger>) {
    let next = UnixMillis(JULY.0 + DAY);
    let evening = UnixMillis(next.0 - 1);
    reserve(&*ledger, capped(1, 60, a_day(100), JULY)).await;
    let refused = ledger.reserve(&capped(2, 41, a_day(100), evening)).await;
    assert_eq!(refused, Err(over(Span::Day, 41, 60, 100)));
    reserve(&*ledger, capped(3, 40, a_day(100), evening)).await;
    reserve(&*ledger, capped(4, 70, a_day(100), next)).await;
    assert_eq!(committed_in(&*ledger, Span::Day, a_day(0), JULY).await, Micros(100));
    assert_eq!(committed_in(&*ledger, Span::Day, a_day(0), next).await, Micros(70));
    assert_eq!(committed(&*ledger, next).await, Micros(170));
    let both = Caps { month: Some(Micros(190)), ..a_day(100) };
    let refused = ledger.reserve(&capped(5, 21, both.clone(), next)).await;
    assert_eq!(refused, Err(over(Span::Month, 21, 170, 190)), "of several caps, that which covers most");
    reserve(&*ledger, capped(6, 20, both, next)).await;
}

/// What one customer has used up is open to the others, and to the same one on the next day.
pub async fn every_customer_has_a_cap_of_their_own(ledger: Arc<dyn Ledger>) {
    let first = reserve(&*ledger, capped(1, 80, a_customer("ana", 100), JULY)).await;
    let refused = ledger.reserve(&capped(2, 21, a_customer("ana", 100), JULY)).await;
    assert_eq!(refused, Err(over(Span::CustomerDay, 21, 80, 100)));
    reserve(&*ledger, capped(3, 100, a_customer("ben", 100), JULY)).await;
    reserve(&*ledger, capped(4, 1_000, Caps::default(), JULY)).await;
    settle(&*ledger, &first, 30).await;
    assert_eq!(committed_in(&*ledger, Span::CustomerDay, a_customer("ana", 0), JULY).await, Micros(30));
    reserve(&*ledger, capped(5, 70, a_customer("ana", 100), JULY)).await;
    let next = UnixMillis(JULY.0 + DAY);
    reserve(&*ledger, capped(6, 100, a_customer("ana", 100), next)).await;
    assert_eq!(committed(&*ledger, JULY).await, Micros(1_300));
}

/// 200 claims at once of one customer with room for 10, under wider caps.
pub async fn of_a_customers_two_hundred_at_once_ten_get_in(ledger: Arc<dyn Ledger>) {
    let caps = Caps { month: Some(Micros(5_000)), day: Some(Micros(2_000)), ..a_customer("ana", 1_099) };
    let claims = (1..=200).map(|turn| {
        let (ledger, claim) = (Arc::clone(&ledger), capped(turn, 100, caps.clone(), JULY));
        tokio::spawn(async move { ledger.reserve(&claim).await })
    });
    let outcomes: Vec<_> = join_all(claims).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 10);
    let full = over(Span::CustomerDay, 100, 1_000, 1_099);
    assert!(outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).all(|refused| *refused == full));
}

/// What nobody settled in time is charged at its bound, once, and what was settled or is younger is not.
pub async fn what_nobody_settles_is_charged_at_its_bound(ledger: Arc<dyn Ledger>) {
    let settled = reserve(&*ledger, capped(1, 100, a_customer("ana", 500), JULY)).await;
    reserve(&*ledger, capped(2, 40, a_customer("ana", 500), JULY)).await;
    reserve(&*ledger, claim(3, 20, None, JULY)).await;
    let later = UnixMillis(JULY.0 + MINUTE);
    reserve(&*ledger, claim(4, 7, None, later)).await;
    settle(&*ledger, &settled, 10).await;
    let expired = ledger.expire(later, UnixMillis(JULY.0 + 16 * MINUTE)).await;
    assert_eq!(expired, Ok(Expired { reservations: 2, charged: Micros(60) }));
    // Spent or reserved, it counts the same.
    assert_eq!(committed(&*ledger, JULY).await, Micros(77));
    assert_eq!(committed_in(&*ledger, Span::CustomerDay, a_customer("ana", 0), JULY).await, Micros(50));
    let again = ledger.expire(later, UnixMillis(JULY.0 + 17 * MINUTE)).await;
    assert_eq!(again, Ok(Expired::default()));
}

/// A settlement that comes after the expiry corrects it, once, in either direction.
pub async fn a_late_settlement_corrects_the_expiry(ledger: Arc<dyn Ledger>) {
    let less = reserve(&*ledger, capped(1, 100, a_customer("ana", 500), JULY)).await;
    let more = reserve(&*ledger, capped(2, 10, a_customer("ana", 500), JULY)).await;
    ledger.expire(UnixMillis(JULY.0 + 1), AUGUST).await.unwrap();
    assert_eq!(committed(&*ledger, JULY).await, Micros(110));
    settle(&*ledger, &less, 30).await;
    settle(&*ledger, &more, 15).await;
    assert_eq!(committed(&*ledger, JULY).await, Micros(45));
    assert_eq!(committed_in(&*ledger, Span::CustomerDay, a_customer("ana", 0), JULY).await, Micros(45));
    for reservation in [&less, &more] {
        let again = ledger.settle(reservation, Micros(1), USAGE, JULY).await;
        assert!(matches!(again, Err(LedgerError::Refused(_))), "{again:?}");
    }
    assert_eq!(ledger.expire(AUGUST, AUGUST).await, Ok(Expired::default()));
    assert_eq!(committed(&*ledger, JULY).await, Micros(45));
}

/// However settlements and expiries meet, each reservation ends once, at what was spent.
pub async fn settlements_and_expiries_at_once_lose_nothing(ledger: Arc<dyn Ledger>) {
    let mut reserved = Vec::new();
    for turn in 1..=40 {
        reserved.push(reserve(&*ledger, claim(turn, 100, None, JULY)).await);
    }
    let settlements = reserved.into_iter().enumerate().map(|(at, reservation)| {
        let ledger = Arc::clone(&ledger);
        tokio::spawn(async move {
            if at % 5 == 0 {
                ledger.expire(AUGUST, AUGUST).await.unwrap();
            }
            ledger.settle(&reservation, Micros(7), USAGE, AUGUST).await.unwrap();
        })
    });
    join_all(settlements).await.into_iter().for_each(Result::unwrap);
    assert_eq!(committed(&*ledger, JULY).await, Micros(40 * 7));
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
            every_day_has_its_own_cap,
            every_customer_has_a_cap_of_their_own,
            of_a_customers_two_hundred_at_once_ten_get_in,
            what_nobody_settles_is_charged_at_its_bound,
            a_late_settlement_corrects_the_expiry,
            settlements_and_expiries_at_once_lose_nothing,
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
