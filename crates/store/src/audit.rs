//! What people read of the ledger: sums of a month and its days, and whether they agree with the entries.

use mostrador_answer::money::Micros;
use mostrador_answer::ports::UnixMillis;
use serde::Serialize;

use crate::{Day, Month, Store, StoreError};

/// Sums of the ledger.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Sums {
    /// What was spent: settlements, expiries and corrections.
    pub spent: Micros,
    /// What is still reserved: the reservations that are open, at their bound.
    pub reserved: Micros,
    /// The questions: turns for which something was reserved, each counted once.
    pub questions: u64,
}

/// A month of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerReport {
    /// The month.
    pub month: Month,
    /// What its days add up to.
    #[serde(flatten)]
    pub sums: Sums,
    /// Its days on which something was reserved, oldest first.
    pub days: Vec<DayReport>,
}

/// A day of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DayReport {
    /// The day.
    pub day: String,
    /// Its sums.
    #[serde(flatten)]
    pub sums: Sums,
}

/// A running total that is not what the entries add up to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// Which: a day, `open` for what waits for its settlement, `customers` for what counts under customers' caps.
    pub total: String,
    /// What the total says; reservations were decided by it.
    pub kept: Sums,
    /// What the entries add up to.
    pub counted: Sums,
}

/// The entries added up by day, with a condition on the reservation; then where the totals say otherwise.
macro_rules! differing {
    ($which:literal, $days:literal) => {
        concat!(
            "
    WITH counted AS (
        SELECT reserved.day AS day,
            sum(coalesce(ended.amount, 0) + coalesce(corrected.amount, 0)) AS spent,
            sum(CASE WHEN ended.id IS NULL THEN reserved.amount ELSE 0 END) AS reserved,
            count(DISTINCT reserved.turn) AS questions
        FROM ledger_entries AS reserved
        LEFT JOIN ledger_entries AS ended
            ON ended.reservation = reserved.reservation AND ended.kind IN ('settle', 'expire')
        LEFT JOIN ledger_entries AS corrected
            ON corrected.reservation = reserved.reservation AND corrected.kind = 'correct'
        WHERE reserved.kind = 'reserve'",
            $which,
            "
        GROUP BY reserved.day
    )
    SELECT coalesce(kept.day, counted.day),
        coalesce(kept.spent, 0), coalesce(kept.reserved, 0), coalesce(kept.questions, 0),
        coalesce(counted.spent, 0), coalesce(counted.reserved, 0), coalesce(counted.questions, 0)
    FROM ",
            $days,
            " AS kept FULL OUTER JOIN counted ON counted.day = kept.day
    WHERE kept.spent IS NOT counted.spent OR kept.reserved IS NOT counted.reserved
        OR kept.questions IS NOT counted.questions
    ORDER BY 1"
        )
    };
}

const EVERY_DAY: &str = differing!("", "ledger_days");

/// Reads the entries of one day and no others.
const ONE_DAY: &str = differing!(" AND reserved.day = ?1", "(SELECT * FROM ledger_days WHERE day = ?1)");

/// What waits for its settlement, beside the entries that have no end yet.
const OPEN: &str = "
    SELECT kept.amount, kept.number, counted.amount, counted.number
    FROM (SELECT coalesce(sum(amount), 0) AS amount, count(*) AS number
            FROM ledger_reservations WHERE expired = 0) AS kept,
        (SELECT coalesce(sum(amount), 0) AS amount, count(*) AS number FROM ledger_entries AS entry
            WHERE kind = 'reserve' AND NOT EXISTS (
                SELECT 1 FROM ledger_entries
                WHERE reservation = entry.reservation AND kind IN ('settle', 'expire')
            )) AS counted";

/// What customers' rows hold back, beside the open reservations that count in them.
const CUSTOMERS: &str = "
    SELECT coalesce((SELECT sum(reserved) FROM ledger_customers), 0),
        coalesce((SELECT sum(amount) FROM ledger_reservations
            WHERE expired = 0 AND customer IN (SELECT customer FROM ledger_customers)), 0)";

type Row = (String, i64, i64, i64);

impl Store {
    /// The sums of a month and of its days; all zero where nothing was reserved in it.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn ledger_report(&self, month: &Month) -> Result<LedgerReport, StoreError> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT day, spent, reserved, questions FROM ledger_days
             WHERE day BETWEEN ?1 || '-01' AND ?1 || '-31' ORDER BY day",
        )
        .bind(month.as_str())
        .fetch_all(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        let mut report = LedgerReport { month: month.clone(), sums: Sums::default(), days: Vec::new() };
        for (day, spent, reserved, questions) in rows {
            let sums = self.sums(spent, reserved, questions)?;
            let add = |a: Micros, b: Micros| Micros(a.0.saturating_add(b.0));
            report.sums = Sums {
                spent: add(report.sums.spent, sums.spent),
                reserved: add(report.sums.reserved, sums.reserved),
                questions: report.sums.questions.saturating_add(sums.questions),
            };
            report.days.push(DayReport { day, sums });
        }
        Ok(report)
    }

    /// Adds all entries up again and returns the totals that say otherwise, oldest day first; empty when all is well.
    /// Reads every entry.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn verify(&self) -> Result<Vec<Mismatch>, StoreError> {
        let mut differing = self.differing(EVERY_DAY, "").await?;
        let fault = |error| self.fault(error);
        let (kept, kept_number, counted, counted_number): (i64, i64, i64, i64) =
            sqlx::query_as(OPEN).fetch_one(self.reader()).await.map_err(fault)?;
        if (kept, kept_number) != (counted, counted_number) {
            differing.push(Mismatch {
                total: "open".to_owned(),
                kept: self.sums(0, kept, kept_number)?,
                counted: self.sums(0, counted, counted_number)?,
            });
        }
        let (kept, counted): (i64, i64) =
            sqlx::query_as(CUSTOMERS).fetch_one(self.reader()).await.map_err(fault)?;
        if kept != counted {
            differing.push(Mismatch {
                total: "customers".to_owned(),
                kept: self.sums(0, kept, 0)?,
                counted: self.sums(0, counted, 0)?,
            });
        }
        Ok(differing)
    }

    /// Adds the entries of the day of `at` up again: what can be done whenever a shop is opened, however many entries
    /// there are before that day.
    ///
    /// # Errors
    /// [`StoreError::Unbalanced`] where the day's total says otherwise, and where the database cannot be read.
    pub async fn verify_day(&self, at: UnixMillis) -> Result<(), StoreError> {
        let day = Day::of(at)?;
        match self.differing(ONE_DAY, day.as_str()).await?.is_empty() {
            true => Ok(()),
            false => Err(self.unbalanced(day.to_string())),
        }
    }

    async fn differing(&self, query: &'static str, day: &str) -> Result<Vec<Mismatch>, StoreError> {
        let query = sqlx::query_as(query);
        let query = if day.is_empty() { query } else { query.bind(day) };
        let rows: Vec<(String, i64, i64, i64, i64, i64, i64)> =
            query.fetch_all(self.reader()).await.map_err(|error| self.fault(error))?;
        let mismatch = |(total, a, b, c, d, e, f): (String, i64, i64, i64, i64, i64, i64)| {
            Ok(Mismatch { total, kept: self.sums(a, b, c)?, counted: self.sums(d, e, f)? })
        };
        rows.into_iter().map(mismatch).collect()
    }

    fn sums(&self, spent: i64, reserved: i64, questions: i64) -> Result<Sums, StoreError> {
        Ok(Sums {
            spent: self.money(spent)?,
            reserved: self.money(reserved)?,
            questions: self.counted(questions)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mostrador_answer::ports::{Caps, Claim, Ledger};
    use mostrador_answer::question::TurnId;

    fn claim(turn: &str, bound: u64) -> Claim {
        let turn = TurnId(turn.to_owned());
        Claim { turn, bound: Micros(bound), caps: Caps::default(), at: UnixMillis(0) }
    }

    #[tokio::test]
    async fn totals_that_were_tampered_with_are_reported() {
        let store = Store::in_memory().await.unwrap();
        store.reserve(&claim("turn-1", 7)).await.unwrap();
        assert_eq!(store.verify().await.unwrap(), Vec::new());
        store.verify_day(UnixMillis(0)).await.unwrap();

        for tampering in [
            "UPDATE ledger_days SET reserved = 0",
            "INSERT INTO ledger_days (day, spent, reserved, questions) VALUES ('1970-02-01', 1, 0, 0)",
        ] {
            sqlx::query(tampering).execute(store.writer()).await.unwrap();
        }
        let sums =
            |spent, reserved, questions| Sums { spent: Micros(spent), reserved: Micros(reserved), questions };
        let mismatch = |total: &str, kept, counted| Mismatch { total: total.to_owned(), kept, counted };
        let expected = [
            mismatch("1970-01-01", sums(0, 0, 1), sums(0, 7, 1)),
            mismatch("1970-02-01", sums(1, 0, 0), sums(0, 0, 0)),
        ];
        assert_eq!(store.verify().await.unwrap(), expected);
        let error = store.verify_day(UnixMillis(0)).await.unwrap_err().to_string();
        assert!(error.contains("1970-01-01") && error.contains("mostrador ledger verify"), "{error}");
        // A day that is in order is not kept from opening by one that was not.
        store.verify_day(UnixMillis(86_400_000)).await.unwrap();

        sqlx::query("DELETE FROM ledger_days").execute(store.writer()).await.unwrap();
        let lost = store.verify().await.unwrap();
        assert_eq!(lost, [mismatch("1970-01-01", sums(0, 0, 0), sums(0, 7, 1))]);
    }

    #[tokio::test]
    async fn a_reservation_that_nothing_waits_for_any_longer_is_reported() {
        let store = Store::in_memory().await.unwrap();
        store.reserve(&claim("turn-1", 7)).await.unwrap();
        sqlx::query("DELETE FROM ledger_reservations").execute(store.writer()).await.unwrap();
        let found = store.verify().await.unwrap();
        let [Mismatch { total, kept, counted }] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((total.as_str(), kept.reserved, counted.reserved), ("open", Micros(0), Micros(7)));
    }

    #[tokio::test]
    async fn a_turn_that_reserves_twice_is_one_question() {
        let store = Store::in_memory().await.unwrap();
        for turn in ["turn-1", "turn-1", "turn-2"] {
            store.reserve(&claim(turn, 1)).await.unwrap();
        }
        let report = store.ledger_report(&"1970-01".parse().unwrap()).await.unwrap();
        assert_eq!((report.sums.reserved, report.sums.questions), (Micros(3), 2));
        assert_eq!(report.days.len(), 1);
        assert_eq!(store.verify().await.unwrap(), Vec::new());
    }

    /// Opening a shop must not take longer with every month that it has been open.
    #[tokio::test]
    async fn a_day_is_added_up_without_reading_the_others() {
        let store = Store::in_memory().await.unwrap();
        let explain = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {ONE_DAY}"));
        let plan: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(explain).bind("1970-01-01").fetch_all(store.reader()).await.unwrap();
        let steps: Vec<&str> = plan.iter().map(|(.., step)| step.as_str()).collect();
        let scan = steps
            .iter()
            .find(|step| step.starts_with("SCAN") && (step.contains("ledger") || step.contains("reserved")));
        assert_eq!(scan, None, "{steps:?}");
    }
}
