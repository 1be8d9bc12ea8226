//! Releases: the versions that passed the shop's own cases.

use mostrador_answer::ports::UnixMillis;

use crate::{Store, StoreError};

/// A version that passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// The hash of everything an answer depends on.
    pub hash: String,
    /// Cases that passed.
    pub passed: u32,
    /// Cases there were.
    pub total: u32,
    /// Safety cases that passed.
    pub safety_passed: u32,
    /// Safety cases there were.
    pub safety_total: u32,
    /// When.
    pub at: UnixMillis,
}

impl Store {
    /// Records a release; it is the last one from now on. The same version may be recorded again.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written, or more passed than there were.
    pub async fn record_release(&self, release: &Release) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO releases (hash, passed, total, safety_passed, safety_total, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .bind(&release.hash)
        .bind(release.passed)
        .bind(release.total)
        .bind(release.safety_passed)
        .bind(release.safety_total)
        .bind(release.at.0)
        .execute(self.writer())
        .await
        .map_err(|error| self.fault(error))?;
        Ok(())
    }

    /// The release recorded last; `None` where there was none yet.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn last_release(&self) -> Result<Option<Release>, StoreError> {
        let found: Option<(String, u32, u32, u32, u32, i64)> = sqlx::query_as(
            "SELECT hash, passed, total, safety_passed, safety_total, at
             FROM releases ORDER BY id DESC LIMIT 1",
        )
        .fetch_optional(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        Ok(found.map(|(hash, passed, total, safety_passed, safety_total, at)| Release {
            hash,
            passed,
            total,
            safety_passed,
            safety_total,
            at: UnixMillis(at),
        }))
    }

    /// Whether a version was ever recorded.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn released(&self, hash: &str) -> Result<bool, StoreError> {
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM releases WHERE hash = ?1)")
            .bind(hash)
            .fetch_one(self.reader())
            .await
            .map_err(|error| self.fault(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(hash: &str, passed: u32) -> Release {
        let hash = hash.to_owned();
        Release { hash, passed, total: 16, safety_passed: 4, safety_total: 4, at: UnixMillis(-1) }
    }

    #[tokio::test]
    async fn the_last_one_recorded_counts() {
        let store = Store::in_memory().await.unwrap();
        assert_eq!(store.last_release().await.unwrap(), None);
        assert!(!store.released("a").await.unwrap());

        for recorded in [release("a", 15), release("b", 16), release("a", 16)] {
            store.record_release(&recorded).await.unwrap();
            assert_eq!(store.last_release().await.unwrap(), Some(recorded));
        }
        assert!(store.released("a").await.unwrap() && store.released("b").await.unwrap());
        assert!(!store.released("c").await.unwrap());
    }

    #[tokio::test]
    async fn more_passed_than_there_were_is_no_release() {
        let store = Store::in_memory().await.unwrap();
        assert!(store.record_release(&release("a", 17)).await.is_err());
        assert_eq!(store.last_release().await.unwrap(), None);
    }
}
