//! What was warned of: that much of a cap is used, or that a day costs far more than those before; once each.

use mostrador_answer::money::Micros;
use mostrador_answer::ports::{Span, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::rows::{rows, storable};
use crate::{Day, Store, StoreError};

/// What a warning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarningAbout {
    /// The cap of a month.
    Month,
    /// The cap of a day.
    Day,
    /// The cap that every customer has for a day: one of them has reached it. Which one is not kept.
    CustomerDay,
    /// A day that costs many times the mean of those before.
    Spike,
}

impl WarningAbout {
    const ALL: [WarningAbout; 4] =
        [WarningAbout::Month, WarningAbout::Day, WarningAbout::CustomerDay, WarningAbout::Spike];

    /// The name in records and JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            WarningAbout::Month => Span::Month.name(),
            WarningAbout::Day => Span::Day.name(),
            WarningAbout::CustomerDay => Span::CustomerDay.name(),
            WarningAbout::Spike => "spike",
        }
    }
}

impl From<Span> for WarningAbout {
    fn from(span: Span) -> Self {
        match span {
            Span::Month => WarningAbout::Month,
            Span::Day => WarningAbout::Day,
            Span::CustomerDay => WarningAbout::CustomerDay,
        }
    }
}

/// A warning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// What it is about.
    pub about: WarningAbout,
    /// The month or the day.
    pub period: String,
    /// The share of `most` that is passed, in percent.
    pub percent: u32,
    /// What was spent when it was passed.
    pub spent: Micros,
    /// The cap, or the mean of the days before.
    pub most: Micros,
    /// When.
    pub at: UnixMillis,
}

/// A warning that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeptWarning {
    /// Its number; later ones have higher ones.
    pub id: i64,
    /// The warning.
    #[serde(flatten)]
    pub warning: Warning,
    /// When the shop's webhook took it; `None`: not yet.
    pub sent: Option<UnixMillis>,
}

/// Keeps it unless as much was said before of the same cap; another cap is warned of anew.
const WARN: &str = "
    INSERT INTO ledger_warnings (about, period, percent, spent, most, at)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6
    WHERE NOT EXISTS (
        SELECT 1 FROM ledger_warnings
        WHERE about = ?1 AND period = ?2 AND percent >= ?3 AND (most = ?5 OR about = 'spike')
    )";

type Row = (i64, String, String, i64, i64, i64, i64, Option<i64>);

impl Store {
    /// Keeps a warning. `None`: it was said before, or more than it, and is not to be said again.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn warn(&self, warning: &Warning) -> Result<Option<i64>, StoreError> {
        let done = sqlx::query(WARN)
            .bind(warning.about.name())
            .bind(&warning.period)
            .bind(i64::from(warning.percent))
            .bind(storable("the amount", warning.spent.0)?)
            .bind(storable("the cap", warning.most.0)?)
            .bind(warning.at.0)
            .execute(self.writer())
            .await
            .map_err(|error| self.fault(error))?;
        Ok((done.rows_affected() == 1).then(|| done.last_insert_rowid()))
    }

    /// Notes that the shop's webhook took a warning.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn warning_sent(&self, id: i64, at: UnixMillis) -> Result<(), StoreError> {
        sqlx::query("UPDATE ledger_warnings SET sent = ?2 WHERE id = ?1")
            .bind(id)
            .bind(at.0)
            .execute(self.writer())
            .await
            .map_err(|error| self.fault(error))?;
        Ok(())
    }

    /// The newest `limit` warnings, newest first.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn list_warnings(&self, limit: usize) -> Result<Vec<KeptWarning>, StoreError> {
        let found: Vec<Row> = sqlx::query_as(
            "SELECT id, about, period, percent, spent, most, at, sent
             FROM ledger_warnings ORDER BY id DESC LIMIT ?1",
        )
        .bind(rows(limit))
        .fetch_all(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        let kept = |(id, about, period, percent, spent, most, at, sent): Row| {
            let named = WarningAbout::ALL.into_iter().find(|known| known.name() == about);
            let warning = Warning {
                about: named.ok_or_else(|| self.damaged(format!("{about:?} is no kind of warning")))?,
                period,
                percent: self.counted(percent)?,
                spent: self.money(spent)?,
                most: self.money(most)?,
                at: UnixMillis(at),
            };
            Ok(KeptWarning { id, warning, sent: sent.map(UnixMillis) })
        };
        found.into_iter().map(kept).collect()
    }

    /// What was spent on each of the `days` days before `day`, as far as anything was reserved on them.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn spent_before(&self, day: &Day, days: u8) -> Result<Vec<Micros>, StoreError> {
        let spent: Vec<i64> =
            sqlx::query_scalar("SELECT spent FROM ledger_days WHERE day >= ?1 AND day < ?2 ORDER BY day")
                .bind(day.before(days).as_str())
                .bind(day.as_str())
                .fetch_all(self.reader())
                .await
                .map_err(|error| self.fault(error))?;
        spent.into_iter().map(|spent| self.money(spent)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning(about: WarningAbout, percent: u32, most: u64) -> Warning {
        let period = "2026-07".to_owned();
        Warning { about, period, percent, spent: Micros(5), most: Micros(most), at: UnixMillis(1) }
    }

    #[tokio::test]
    async fn each_share_of_each_cap_is_said_once_and_never_after_a_larger_one() {
        let store = Store::in_memory().await.unwrap();
        for (about, percent, most, said) in [
            (WarningAbout::Month, 50, 10, true),
            (WarningAbout::Month, 50, 10, false),
            (WarningAbout::Month, 100, 10, true),
            (WarningAbout::Month, 80, 10, false),
            (WarningAbout::Day, 80, 10, true),
            // The owner has raised the cap.
            (WarningAbout::Month, 50, 20, true),
            // The mean changes with a late settlement; the day is the same.
            (WarningAbout::Spike, 300, 7, true),
            (WarningAbout::Spike, 300, 8, false),
        ] {
            let kept = store.warn(&warning(about, percent, most)).await.unwrap();
            assert_eq!(kept.is_some(), said, "{about:?} {percent} of {most}");
        }
        let kept = store.list_warnings(2).await.unwrap();
        let shown: Vec<_> = kept.iter().map(|kept| (kept.warning.about, kept.warning.percent)).collect();
        assert_eq!(shown, [(WarningAbout::Spike, 300), (WarningAbout::Month, 50)]);
    }

    #[tokio::test]
    async fn what_the_webhook_took_is_noted() {
        let store = Store::in_memory().await.unwrap();
        let id = store.warn(&warning(WarningAbout::Day, 50, 10)).await.unwrap().unwrap();
        assert_eq!(store.list_warnings(9).await.unwrap()[0].sent, None);
        store.warning_sent(id, UnixMillis(7)).await.unwrap();
        assert_eq!(store.list_warnings(9).await.unwrap()[0].sent, Some(UnixMillis(7)));
    }
}
