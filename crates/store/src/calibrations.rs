//! Calibrations: which threshold was proposed for which embedder and which corpus.

use mostrador_answer::passage::Similarity;
use mostrador_answer::ports::UnixMillis;

use crate::{Store, StoreError};

/// A threshold proposed from measured questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calibration {
    /// What embedded the passages and the questions; `none` where words alone were searched.
    pub embedder: String,
    /// The hash of what the passages say.
    pub corpus: String,
    /// The threshold proposed.
    pub threshold: Similarity,
    /// The preference it was proposed for.
    pub prefer: String,
    /// Questions that must be answered and lie below it.
    pub lost: u32,
    /// Questions that must be answered.
    pub must_answer: u32,
    /// Questions that must be refused and lie below it.
    pub stopped: u32,
    /// Questions that must be refused.
    pub must_refuse: u32,
    /// When.
    pub at: UnixMillis,
}

/// A row, in the order of the columns.
type Row = (String, String, u32, String, u32, u32, u32, u32, i64);

impl Store {
    /// Records a calibration; it is the last one from now on.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written, or a part is more than its whole.
    pub async fn record_calibration(&self, calibration: &Calibration) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO calibrations
             (embedder, corpus, threshold, prefer, lost, must_answer, stopped, must_refuse, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )
        .bind(&calibration.embedder)
        .bind(&calibration.corpus)
        .bind(calibration.threshold.millionths())
        .bind(&calibration.prefer)
        .bind(calibration.lost)
        .bind(calibration.must_answer)
        .bind(calibration.stopped)
        .bind(calibration.must_refuse)
        .bind(calibration.at.0)
        .execute(self.writer())
        .await
        .map_err(|error| self.fault(error))?;
        Ok(())
    }

    /// The calibration recorded last; `None` where there was none yet.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn last_calibration(&self) -> Result<Option<Calibration>, StoreError> {
        let found: Option<Row> = sqlx::query_as(
            "SELECT embedder, corpus, threshold, prefer, lost, must_answer, stopped, must_refuse, at
             FROM calibrations ORDER BY id DESC LIMIT 1",
        )
        .fetch_optional(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        Ok(found.map(|row| {
            let (embedder, corpus, threshold, prefer, lost, must_answer, stopped, must_refuse, at) = row;
            let threshold = Similarity::from_millionths(threshold);
            let at = UnixMillis(at);
            Calibration { embedder, corpus, threshold, prefer, lost, must_answer, stopped, must_refuse, at }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibration(embedder: &str, lost: u32) -> Calibration {
        Calibration {
            embedder: embedder.to_owned(),
            corpus: "c".to_owned(),
            threshold: Similarity::from_millionths(527_500),
            prefer: "balance".to_owned(),
            lost,
            must_answer: 20,
            stopped: 7,
            must_refuse: 7,
            at: UnixMillis(-1),
        }
    }

    #[tokio::test]
    async fn the_last_one_recorded_counts() {
        let store = Store::in_memory().await.unwrap();
        assert_eq!(store.last_calibration().await.unwrap(), None);
        for recorded in [calibration("none", 0), calibration("e5", 20), calibration("none", 0)] {
            store.record_calibration(&recorded).await.unwrap();
            assert_eq!(store.last_calibration().await.unwrap(), Some(recorded));
        }
    }

    #[tokio::test]
    async fn more_lost_than_there_were_is_no_calibration() {
        let store = Store::in_memory().await.unwrap();
        assert!(store.record_calibration(&calibration("none", 21)).await.is_err());
        assert_eq!(store.last_calibration().await.unwrap(), None);
    }
}
