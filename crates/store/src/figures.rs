//! Figures for the shop's owner: spend by day, stops by rule.

use mostrador_answer::money::Micros;
use mostrador_answer::ports::UnixMillis;
use serde::Serialize;

use crate::{Store, StoreError};

/// What a day cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DaySpend {
    /// The day (UTC), ISO 8601.
    pub day: String,
    /// What was spent.
    pub spent: Micros,
    /// What is still reserved.
    pub reserved: Micros,
    /// The questions for which something was reserved.
    pub questions: u64,
}

impl Store {
    /// The days from `from` to `to`, both included, ISO 8601, oldest first; those without a question are left out.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn days(&self, from: &str, to: &str) -> Result<Vec<DaySpend>, StoreError> {
        let found: Vec<(String, i64, i64, i64)> = sqlx::query_as(
            "SELECT day, spent, reserved, questions FROM ledger_days WHERE day BETWEEN ?1 AND ?2 ORDER BY day",
        )
        .bind(from)
        .bind(to)
        .fetch_all(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        let spend = |(day, spent, reserved, questions): (String, i64, i64, i64)| {
            Ok(DaySpend {
                day,
                spent: self.money(spent)?,
                reserved: self.money(reserved)?,
                questions: self.counted(questions)?,
            })
        };
        found.into_iter().map(spend).collect()
    }

    /// How often each rule ended a turn, from `from` to before `to`: ending, rule and count, most often first.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn stops_by_rule(
        &self,
        from: UnixMillis,
        to: UnixMillis,
    ) -> Result<Vec<(String, String, u64)>, StoreError> {
        let found: Vec<(String, String, i64)> = sqlx::query_as(
            "SELECT ending, rule, count(*) AS number FROM stops WHERE at >= ?1 AND at < ?2
             GROUP BY ending, rule ORDER BY number DESC, ending, rule",
        )
        .bind(from.0)
        .bind(to.0)
        .fetch_all(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        found.into_iter().map(|(ending, rule, number)| Ok((ending, rule, self.counted(number)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use mostrador_answer::money::Usage;
    use mostrador_answer::ports::{Caps, Claim, Ledger, StopLog, StopNote};
    use mostrador_answer::question::TurnId;
    use mostrador_answer::stop::{Ending, RuleName};

    use super::*;

    const DAY: i64 = 86_400_000;

    #[tokio::test]
    async fn days_are_those_asked_for() {
        let store = Store::in_memory().await.unwrap();
        for day in 0..4 {
            let at = UnixMillis(day * DAY);
            let turn = TurnId(format!("turn-{day}"));
            let claim = Claim { turn, bound: Micros(10), caps: Caps::default(), at };
            let reserved = store.reserve(&claim).await.unwrap();
            if day == 1 {
                store.settle(&reserved, Micros(4), Usage::default(), at).await.unwrap();
            }
        }
        let spend = |day: &str, spent, reserved| DaySpend {
            day: day.to_owned(),
            spent: Micros(spent),
            reserved: Micros(reserved),
            questions: 1,
        };
        let found = store.days("1970-01-02", "1970-01-03").await.unwrap();
        assert_eq!(found, [spend("1970-01-02", 4, 0), spend("1970-01-03", 0, 10)]);
    }

    #[tokio::test]
    async fn stops_are_counted_by_rule_in_their_time() {
        let store = Store::in_memory().await.unwrap();
        for (at, rule) in [(0, "b"), (1, "a"), (2, "b"), (3, "b"), (4, "a"), (5, "a")] {
            let note = StopNote {
                turn: TurnId("turn".to_owned()),
                conversation: None,
                customer: None,
                ending: Ending::Refused,
                rule: RuleName(rule.to_owned()),
                evidence: String::new(),
                question: String::new(),
                at: UnixMillis(at),
            };
            store.note(&note).await.unwrap();
        }
        let counted = |rule: &str, number| ("refused".to_owned(), rule.to_owned(), number);
        let found = store.stops_by_rule(UnixMillis(1), UnixMillis(5)).await.unwrap();
        assert_eq!(found, [counted("a", 2), counted("b", 2)]);
        let found = store.stops_by_rule(UnixMillis(0), UnixMillis(4)).await.unwrap();
        assert_eq!(found, [counted("b", 3), counted("a", 1)]);
    }
}
