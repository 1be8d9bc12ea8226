//! The ledger: money is reserved before it is spent, and what was spent replaces it.

use async_trait::async_trait;
use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::ports::{
    Claim, CustomerCap, Expired, Ledger, LedgerError, ReservationId, Span, UnixMillis,
};
use sha2::{Digest, Sha256};
use sqlx::SqliteConnection;

use crate::group::Work;
use crate::rows::storable;
use crate::{Day, Store, StoreError};

/// What is spent and reserved in the month of the day `?2`: of 31 rows at most, found by their key.
macro_rules! month {
    () => {
        "(SELECT coalesce(sum(spent + reserved), 0) FROM ledger_days
            WHERE day BETWEEN substr(?2, 1, 8) || '01' AND substr(?2, 1, 8) || '31')"
    };
}

/// Reserves where month, day and customer have room, in one statement: nothing can come between looking and adding.
///
/// It is written as subtractions because SQLite turns a sum past `i64` into a float; the limits and the totals are
/// never negative and never pass `i64::MAX`, so the differences always fit. The totals are one row a day, kept by
/// triggers: `benches/reserve.rs` measures the same time with a million entries in the month as with none.
const RESERVE: &str = concat!(
    "
    INSERT INTO ledger_reservations (turn, day, customer, amount, at)
    SELECT ?1, ?2, ?3, ?4, ?5
    WHERE ?4 <= ?6 - ",
    month!(),
    "
        AND ?4 <= ?7 - coalesce((SELECT spent + reserved FROM ledger_days WHERE day = ?2), 0)
        AND ?4 <= ?8 - coalesce((SELECT spent + reserved FROM ledger_customers WHERE customer = ?3), 0)"
);

/// What a refusal is explained by: spent and reserved in the month, on the day, and by the customer.
const COMMITTED: &str = concat!(
    "SELECT ",
    month!(),
    ",
        coalesce((SELECT spent + reserved FROM ledger_days WHERE day = ?2), 0),
        coalesce((SELECT spent + reserved FROM ledger_customers WHERE customer = ?1), 0)"
);

/// Settles where the reservation is open, and the month's totals still fit.
const SETTLE: &str = "
    INSERT INTO ledger_entries (kind, reservation, day, amount, input_tokens, output_tokens, at)
    SELECT 'settle', open.id, open.day, ?2, ?3, ?4, ?5
    FROM ledger_reservations AS open
    WHERE open.id = ?1 AND open.expired = 0
        AND ?2 <= 9223372036854775807 - (
            (SELECT sum(spent + reserved) FROM ledger_days
                WHERE day BETWEEN substr(open.day, 1, 8) || '01' AND substr(open.day, 1, 8) || '31')
            - open.amount)";

/// Corrects what an expiry has charged, once, where the month's totals still fit.
const CORRECT: &str = "
    INSERT INTO ledger_entries (kind, reservation, day, amount, input_tokens, output_tokens, at)
    SELECT 'correct', expired.reservation, expired.day, ?2 - expired.amount, ?3, ?4, ?5
    FROM ledger_entries AS expired
    WHERE expired.reservation = ?1 AND expired.kind = 'expire'
        AND NOT EXISTS (SELECT 1 FROM ledger_entries WHERE kind = 'correct' AND reservation = ?1)
        AND ?2 <= 9223372036854775807 - (
            (SELECT sum(spent + reserved) FROM ledger_days
                WHERE day BETWEEN substr(expired.day, 1, 8) || '01' AND substr(expired.day, 1, 8) || '31')
            - expired.amount)";

/// What became of a reservation that could not be settled.
const WHY_NOT: &str = "
    SELECT reserved.day, EXISTS (
        SELECT 1 FROM ledger_entries WHERE kind IN ('settle', 'correct') AND reservation = ?1
    )
    FROM ledger_entries AS reserved
    WHERE reserved.reservation = ?1 AND reserved.kind = 'reserve'";

/// What is open and was made before `?1`.
const OPEN_BEFORE: &str =
    "SELECT count(*), coalesce(sum(amount), 0) FROM ledger_reservations WHERE expired = 0 AND at < ?1";

/// Charges it at its bound.
const EXPIRE: &str = "
    INSERT INTO ledger_entries (kind, reservation, day, amount, at)
    SELECT 'expire', id, day, amount, ?2 FROM ledger_reservations WHERE expired = 0 AND at < ?1";

/// Months and days are those of the claim in UTC; what ends a reservation counts where it was made.
///
/// A settlement may be larger than its reservation, since it is what was really spent: the month can
/// pass the cap by that much, and nothing more is reserved in it. A reservation whose process died goes on
/// counting at its bound, and is charged at it when it expires: what it cost is unknown.
#[async_trait]
impl Ledger for Store {
    async fn reserve(&self, claim: &Claim) -> Result<ReservationId, LedgerError> {
        self.grouped(Claimed::of(claim).map_err(refusal)?).await.map_err(refusal)?
    }

    async fn settle(
        &self,
        reservation: &ReservationId,
        spent: Micros,
        usage: Usage,
        at: UnixMillis,
    ) -> Result<(), LedgerError> {
        self.settle_in_store(reservation.0, spent, usage, at).await.map_err(refusal)
    }

    async fn expire(&self, before: UnixMillis, at: UnixMillis) -> Result<Expired, LedgerError> {
        self.expire_in_store(before, at).await.map_err(refusal)
    }
}

/// A claim as the database takes it.
struct Claimed {
    claim: Claim,
    day: Day,
    /// The customer's row, where there is a cap for one.
    customer: Option<Vec<u8>>,
}

impl Claimed {
    fn of(claim: &Claim) -> Result<Self, StoreError> {
        let day = Day::of(claim.at)?;
        let customer = claim.caps.customer.as_ref().map(|cap| row_of(cap, &day));
        Ok(Self { claim: claim.clone(), day, customer })
    }

    /// Adds it where there is room. `None`: there was none, or the amount is beyond counting.
    async fn add(&self, connection: &mut SqliteConnection) -> Result<Option<ReservationId>, sqlx::Error> {
        let Ok(bound) = i64::try_from(self.claim.bound.0) else {
            return Ok(None);
        };
        // Where there is no cap, what can be counted is one.
        let limit =
            |cap: Option<Micros>| cap.map_or(i64::MAX, |cap| i64::try_from(cap.0).unwrap_or(i64::MAX));
        let caps = &self.claim.caps;
        // Not RETURNING with `fetch_optional`: the driver stops at the first row, and an error at the
        // commit behind it would go unseen.
        let done = sqlx::query(RESERVE)
            .bind(&self.claim.turn.0)
            .bind(self.day.as_str())
            .bind(self.customer.as_deref())
            .bind(bound)
            .bind(self.claim.at.0)
            .bind(limit(caps.month))
            .bind(limit(caps.day))
            .bind(limit(caps.customer.as_ref().map(|cap| cap.cap)))
            .execute(connection)
            .await?;
        Ok((done.rows_affected() == 1).then(|| ReservationId(done.last_insert_rowid())))
    }

    /// What was spent and reserved in what each cap covers.
    async fn committed(&self, connection: &mut SqliteConnection) -> Result<[i64; 3], sqlx::Error> {
        let (month, day, customer) = sqlx::query_as(COMMITTED)
            .bind(self.customer.as_deref())
            .bind(self.day.as_str())
            .fetch_one(connection)
            .await?;
        Ok([month, day, customer])
    }
}

#[async_trait]
impl Work for Claimed {
    type Done = Result<ReservationId, LedgerError>;

    /// Reserves, or says why not: in the same transaction, so that what the refusal says is what decided it.
    async fn run(
        &mut self,
        store: &Store,
        connection: &mut SqliteConnection,
    ) -> Result<Self::Done, StoreError> {
        if let Some(id) = self.add(connection).await.map_err(|error| store.fault(error))? {
            return Ok(Ok(id));
        }
        let committed = self.committed(connection).await.map_err(|error| store.fault(error))?;
        let Claim { bound, caps, .. } = &self.claim;
        let customers = caps.customer.as_ref().map(|cap| cap.cap);
        let caps = [(Span::Month, caps.month), (Span::Day, caps.day), (Span::CustomerDay, customers)];
        for ((span, cap), committed) in caps.into_iter().zip(committed) {
            let committed = store.money(committed)?;
            let wanted = u128::from(committed.0) + u128::from(bound.0);
            if let Some(cap) = cap.filter(|cap| wanted > u128::from(cap.0)) {
                return Ok(Err(LedgerError::OverCap { span, bound: *bound, committed, cap }));
            }
        }
        Err(StoreError::Overflow { month: self.day.month().to_string() })
    }
}

/// What was spent, for a reservation.
struct Settlement {
    reservation: i64,
    spent: i64,
    input: i64,
    output: i64,
    at: i64,
}

#[async_trait]
impl Work for Settlement {
    type Done = ();

    async fn run(&mut self, store: &Store, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        // What is no longer open may have expired.
        for way in [SETTLE, CORRECT] {
            let done = sqlx::query(way)
                .bind(self.reservation)
                .bind(self.spent)
                .bind(self.input)
                .bind(self.output)
                .bind(self.at)
                .execute(&mut *connection)
                .await
                .map_err(|error| store.fault(error))?;
            if done.rows_affected() == 1 {
                return Ok(());
            }
        }
        let found: Option<(String, bool)> = sqlx::query_as(WHY_NOT)
            .bind(self.reservation)
            .fetch_optional(connection)
            .await
            .map_err(|error| store.fault(error))?;
        Err(match found {
            None => StoreError::NoReservation(self.reservation),
            Some((_, true)) => StoreError::SettledBefore(self.reservation),
            Some((day, false)) => StoreError::Overflow { month: day.chars().take(7).collect() },
        })
    }
}

/// The name of a customer's row of a day: nobody can read the customer's own name in it, though somebody who guesses
/// it can see that it fits. That is why rows go soon.
fn row_of(cap: &CustomerCap, day: &Day) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(day.as_str());
    hash.update([0]);
    hash.update(&cap.customer.0);
    hash.finalize().to_vec()
}

impl Store {
    async fn settle_in_store(
        &self,
        reservation: i64,
        spent: Micros,
        usage: Usage,
        at: UnixMillis,
    ) -> Result<(), StoreError> {
        self.grouped(Settlement {
            reservation,
            spent: storable("the amount", spent.0)?,
            input: storable("the number of input tokens", usage.input_tokens)?,
            output: storable("the number of output tokens", usage.output_tokens)?,
            at: at.0,
        })
        .await
    }

    async fn expire_in_store(&self, before: UnixMillis, at: UnixMillis) -> Result<Expired, StoreError> {
        // Looked for by a reader first: where nothing has expired, nobody waits for the writer.
        let open = |executor| sqlx::query_as::<_, (i64, i64)>(OPEN_BEFORE).bind(before.0).fetch_one(executor);
        if open(self.reader()).await.map_err(|error| self.fault(error))?.0 == 0 {
            return Ok(Expired::default());
        }
        let mut transaction = self.write().await?;
        let fault = |error| self.fault(error);
        let (count, sum) = sqlx::query_as::<_, (i64, i64)>(OPEN_BEFORE)
            .bind(before.0)
            .fetch_one(&mut *transaction)
            .await
            .map_err(fault)?;
        sqlx::query(EXPIRE).bind(before.0).bind(at.0).execute(&mut *transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(Expired { reservations: self.counted(count)?, charged: self.money(sum)? })
    }
}

fn refusal(error: StoreError) -> LedgerError {
    match error {
        StoreError::NoReservation(_)
        | StoreError::SettledBefore(_)
        | StoreError::Overflow { .. }
        | StoreError::TooLarge { .. }
        | StoreError::BadTime(_) => LedgerError::Refused(error.to_string()),
        _ => LedgerError::Unavailable(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mostrador_answer::ports::Caps;
    use mostrador_answer::question::{CustomerId, TurnId};

    const MORNING: UnixMillis = UnixMillis(0);

    fn claim(turn: u64, caps: Caps, at: UnixMillis) -> Claim {
        Claim { turn: TurnId(format!("turn-{turn}")), bound: Micros(5), caps, at }
    }

    /// Reserving stays as fast as it is only while no step of it walks through the entries.
    #[tokio::test]
    async fn no_step_reads_all_entries() {
        let store = Store::in_memory().await.unwrap();
        for (name, sql) in [
            ("reserve", RESERVE),
            ("settle", SETTLE),
            ("correct", CORRECT),
            ("open before", OPEN_BEFORE),
            ("expire", EXPIRE),
        ] {
            let explain = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
            let plan: Vec<(i64, i64, i64, String)> =
                sqlx::query_as(explain).fetch_all(store.reader()).await.unwrap();
            let steps: Vec<&str> = plan.iter().map(|(.., step)| step.as_str()).collect();
            assert!(steps.iter().any(|step| step.starts_with("SEARCH")), "{name}: {steps:?}");
            assert!(!steps.iter().any(|step| step.starts_with("SCAN ledger")), "{name}: {steps:?}");
        }
    }

    /// Whatever opens the file next, entries stay as they were written.
    #[tokio::test]
    async fn entries_cannot_be_changed() {
        let store = Store::in_memory().await.unwrap();
        let reserved = store.reserve(&claim(1, Caps::default(), MORNING)).await.unwrap();
        store.settle(&reserved, Micros(3), Usage::default(), UnixMillis(0)).await.unwrap();
        for change in [
            "UPDATE ledger_entries SET amount = 0",
            "DELETE FROM ledger_entries",
            "INSERT OR REPLACE INTO ledger_entries (id, kind, reservation, day, turn, amount, at)
             VALUES (1, 'reserve', 1, '1970-01-01', 'turn-1', 0, 0)",
            "INSERT OR REPLACE INTO ledger_reservations (id, day, turn, amount, at)
             VALUES (1, '1970-01-01', 'turn-1', 0, 0)",
            "INSERT OR REPLACE INTO ledger_entries
             (kind, reservation, day, amount, input_tokens, output_tokens, at)
             VALUES ('settle', 1, '1970-01-01', 0, 0, 0, 0)",
            // Neither a second end, nor a correction of what did not expire.
            "INSERT INTO ledger_entries (kind, reservation, day, amount, at) VALUES ('expire', 1, '1970-01-01', 5, 0)",
            "INSERT INTO ledger_entries (kind, reservation, day, amount, input_tokens, output_tokens, at)
             VALUES ('correct', 1, '1970-01-01', -3, 0, 0, 0)",
            // Neither on another day, nor of what was never reserved, nor a reservation that nothing waits for.
            "INSERT INTO ledger_entries (kind, reservation, day, amount, at) VALUES ('expire', 1, '1970-01-02', 5, 0)",
            "INSERT INTO ledger_entries (kind, reservation, day, amount, at) VALUES ('expire', 2, '1970-01-01', 5, 0)",
            "INSERT INTO ledger_entries (kind, reservation, day, turn, amount, at)
             VALUES ('reserve', 2, '1970-01-01', 'turn-2', 5, 0)",
        ] {
            let refused = sqlx::query(change).execute(store.writer()).await;
            assert!(refused.is_err(), "{change}");
        }
        assert_eq!(store.verify().await.unwrap(), Vec::new());
        let report = store.ledger_report(&"1970-01".parse().unwrap()).await.unwrap();
        assert_eq!(
            (report.sums.spent, report.sums.reserved, report.sums.questions),
            (Micros(3), Micros(0), 1)
        );
    }

    #[tokio::test]
    async fn no_name_of_a_customer_is_kept_and_what_is_kept_goes_on_the_second_day_after() {
        const DAY: i64 = 86_400_000;
        let store = Store::in_memory().await.unwrap();
        let customer = CustomerCap { customer: CustomerId("zoe-1815".to_owned()), cap: Micros(20) };
        let caps = Caps { customer: Some(customer), ..Caps::default() };
        store.reserve(&claim(1, caps.clone(), MORNING)).await.unwrap();
        let rows = async || {
            let query = "SELECT (SELECT count(*) FROM ledger_customers),
                    (SELECT count(*) FROM ledger_reservations WHERE customer IS NOT NULL)";
            sqlx::query_as::<_, (i64, i64)>(query).fetch_one(store.reader()).await.unwrap()
        };
        assert_eq!(rows().await, (1, 1));
        let named = "SELECT count(*) FROM ledger_customers WHERE instr(customer, cast('zoe' AS BLOB)) > 0";
        assert_eq!(sqlx::query_scalar::<_, i64>(named).fetch_one(store.reader()).await.unwrap(), 0);
        store.reserve(&claim(2, Caps::default(), UnixMillis(2 * DAY - 1))).await.unwrap();
        assert_eq!(rows().await, (1, 1), "a settlement of yesterday's is still counted");
        store.reserve(&claim(3, Caps::default(), UnixMillis(2 * DAY))).await.unwrap();
        assert_eq!(rows().await, (0, 0));
        assert_eq!(store.verify().await.unwrap(), Vec::new());
    }
}
