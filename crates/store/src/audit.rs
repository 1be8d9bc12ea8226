//! What people read of the ledger: a month's sums, and whether they agree with the entries.

use mostrador_answer::money::Micros;

use crate::{Month, Store, StoreError};

/// A month of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerReport {
    /// The month.
    pub month: Month,
    /// What was spent: the settlements.
    pub spent: Micros,
    /// What is still reserved: the reservations that are not settled, at their bound.
    pub reserved: Micros,
    /// The questions: turns for which something was reserved, each counted once.
    pub questions: u64,
}

/// A month whose running totals are not what its entries add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What the totals say; reservations were decided by it.
    pub kept: LedgerReport,
    /// What the entries add up to.
    pub counted: LedgerReport,
}

const VERIFY: &str = "
    WITH counted AS (
        SELECT entry.month AS month,
            sum(CASE WHEN entry.kind = 'settle' THEN entry.amount ELSE 0 END) AS spent,
            sum(CASE WHEN entry.kind = 'reserve' AND settled.id IS NULL THEN entry.amount ELSE 0 END)
                AS reserved,
            count(DISTINCT entry.turn) AS questions
        FROM ledger_entries AS entry
        LEFT JOIN ledger_entries AS settled ON settled.kind = 'settle' AND settled.reservation = entry.id
        GROUP BY entry.month
    )
    SELECT coalesce(kept.month, counted.month),
        coalesce(kept.spent, 0), coalesce(kept.reserved, 0), coalesce(kept.questions, 0),
        coalesce(counted.spent, 0), coalesce(counted.reserved, 0), coalesce(counted.questions, 0)
    FROM ledger_months AS kept FULL OUTER JOIN counted ON counted.month = kept.month
    WHERE kept.spent IS NOT counted.spent OR kept.reserved IS NOT counted.reserved
        OR kept.questions IS NOT counted.questions
    ORDER BY 1";

type Sums = (i64, i64, i64);

impl Store {
    /// The sums of a month; all zero where nothing was reserved in it.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn ledger_report(&self, month: &Month) -> Result<LedgerReport, StoreError> {
        let sums: Option<Sums> =
            sqlx::query_as("SELECT spent, reserved, questions FROM ledger_months WHERE month = ?1")
                .bind(month.as_str())
                .fetch_optional(self.reader())
                .await
                .map_err(|error| self.fault(error))?;
        self.report(month.clone(), sums.unwrap_or_default())
    }

    /// Adds all entries up again and returns the months where the running totals say otherwise,
    /// oldest first; empty when all is well. Reads every entry.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn verify(&self) -> Result<Vec<Mismatch>, StoreError> {
        let rows: Vec<(String, i64, i64, i64, i64, i64, i64)> =
            sqlx::query_as(VERIFY).fetch_all(self.reader()).await.map_err(|error| self.fault(error))?;
        let mismatch = |(month, a, b, c, d, e, f): (String, i64, i64, i64, i64, i64, i64)| {
            let month: Month = self.parsed(&month)?;
            Ok(Mismatch {
                kept: self.report(month.clone(), (a, b, c))?,
                counted: self.report(month, (d, e, f))?,
            })
        };
        rows.into_iter().map(mismatch).collect()
    }

    fn report(&self, month: Month, (spent, reserved, questions): Sums) -> Result<LedgerReport, StoreError> {
        Ok(LedgerReport {
            month,
            spent: self.money(spent)?,
            reserved: self.money(reserved)?,
            questions: self.counted(questions)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mostrador_answer::ports::{Claim, Ledger, UnixMillis};
    use mostrador_answer::question::TurnId;

    #[tokio::test]
    async fn totals_that_were_tampered_with_are_reported() {
        let store = Store::in_memory().await.unwrap();
        let turn = TurnId("turn-1".to_owned());
        let claim = Claim { turn, bound: Micros(7), monthly_cap: None, at: UnixMillis(0) };
        store.reserve(&claim).await.unwrap();
        assert_eq!(store.verify().await.unwrap(), Vec::new());

        for tampering in [
            "UPDATE ledger_months SET reserved = 0",
            "INSERT INTO ledger_months (month, spent, reserved, questions) VALUES ('1970-02', 1, 0, 0)",
        ] {
            sqlx::query(tampering).execute(store.writer()).await.unwrap();
        }
        let report = |month: &str, spent, reserved, questions| LedgerReport {
            month: month.parse().unwrap(),
            spent: Micros(spent),
            reserved: Micros(reserved),
            questions,
        };
        let expected = vec![
            Mismatch { kept: report("1970-01", 0, 0, 1), counted: report("1970-01", 0, 7, 1) },
            Mismatch { kept: report("1970-02", 1, 0, 0), counted: report("1970-02", 0, 0, 0) },
        ];
        assert_eq!(store.verify().await.unwrap(), expected);

        sqlx::query("DELETE FROM ledger_months").execute(store.writer()).await.unwrap();
        let lost = store.verify().await.unwrap();
        assert_eq!(
            lost,
            [Mismatch { kept: report("1970-01", 0, 0, 0), counted: report("1970-01", 0, 7, 1) }]
        );
    }

    #[tokio::test]
    async fn a_turn_that_reserves_twice_is_one_question() {
        let store = Store::in_memory().await.unwrap();
        for turn in ["turn-1", "turn-1", "turn-2"] {
            let turn = TurnId(turn.to_owned());
            let claim = Claim { turn, bound: Micros(1), monthly_cap: None, at: UnixMillis(0) };
            store.reserve(&claim).await.unwrap();
        }
        let report = store.ledger_report(&"1970-01".parse().unwrap()).await.unwrap();
        assert_eq!((report.reserved, report.questions), (Micros(3), 2));
        assert_eq!(store.verify().await.unwrap(), Vec::new());
    }
}
