//! Signing in: sessions of operators, by the hash of what their browser holds, and sign-ins that failed.

use mostrador_answer::ports::UnixMillis;

use crate::{Operator, Store, StoreError};

/// An operator who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorSession {
    /// Who.
    pub operator: Operator,
    /// Since when.
    pub opened: UnixMillis,
    /// Until when, if it is not touched.
    pub expires: UnixMillis,
}

/// Sign-ins that failed under one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failures {
    /// From one address.
    pub here: u32,
    /// From anywhere, that address among them.
    pub anywhere: u32,
    /// Names that somebody at that address failed under.
    pub from_here: u32,
}

/// How long a failure is kept.
const DAY: i64 = 24 * 60 * 60 * 1000;

impl Store {
    /// Opens a session; those that have expired by `at` go.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written, or has the hash or lacks the operator.
    pub async fn open_session(
        &self,
        token_hash: &[u8; 32],
        operator: i64,
        at: UnixMillis,
        expires: UnixMillis,
    ) -> Result<(), StoreError> {
        let fault = |error| self.fault(error);
        let mut transaction = self.write().await?;
        sqlx::query("DELETE FROM operator_sessions WHERE expires <= ?1")
            .bind(at.0)
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
        sqlx::query(
            "INSERT INTO operator_sessions (token, operator, opened, expires) VALUES (?1, ?2, ?3, ?4)",
        )
        .bind(token_hash.as_slice())
        .bind(operator)
        .bind(at.0)
        .bind(expires.0)
        .execute(&mut *transaction)
        .await
        .map_err(fault)?;
        transaction.commit().await.map_err(fault)
    }

    /// A session that has not expired, of an operator who is not disabled.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn session(
        &self,
        token_hash: &[u8; 32],
        now: UnixMillis,
    ) -> Result<Option<OperatorSession>, StoreError> {
        let found = sqlx::query(
            "SELECT id, name, role, disabled, created, opened, expires
             FROM operator_sessions JOIN operators ON operators.id = operator
             WHERE token = ?1 AND expires > ?2 AND disabled = 0",
        )
        .bind(token_hash.as_slice())
        .bind(now.0)
        .fetch_optional(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        let session = |row| {
            Ok(OperatorSession {
                operator: self.operator_of(&row)?,
                opened: UnixMillis(self.column(&row, "opened")?),
                expires: UnixMillis(self.column(&row, "expires")?),
            })
        };
        found.map(session).transpose()
    }

    /// Puts the end of a session off; one that has expired stays so. Returns whether it is open.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn touch_session(
        &self,
        token_hash: &[u8; 32],
        now: UnixMillis,
        expires: UnixMillis,
    ) -> Result<bool, StoreError> {
        let touch =
            sqlx::query("UPDATE operator_sessions SET expires = ?3 WHERE token = ?1 AND expires > ?2")
                .bind(token_hash.as_slice())
                .bind(now.0)
                .bind(expires.0);
        let done = touch.execute(self.writer()).await.map_err(|error| self.fault(error))?;
        Ok(done.rows_affected() > 0)
    }

    /// Closes a session; one that is not there is closed.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn close_session(&self, token_hash: &[u8; 32]) -> Result<(), StoreError> {
        let close = sqlx::query("DELETE FROM operator_sessions WHERE token = ?1").bind(token_hash.as_slice());
        close.execute(self.writer()).await.map_err(|error| self.fault(error))?;
        Ok(())
    }

    /// Closes every session of an operator.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn close_sessions_of(&self, operator: i64) -> Result<(), StoreError> {
        let close = sqlx::query("DELETE FROM operator_sessions WHERE operator = ?1").bind(operator);
        close.execute(self.writer()).await.map_err(|error| self.fault(error))?;
        Ok(())
    }

    /// Notes that somebody at an address failed to sign in under a name, whether or not there is such an operator.
    /// Failures of more than a day before go, so that guessing does not fill the disk.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn note_failure(&self, name: &str, address: &str, at: UnixMillis) -> Result<(), StoreError> {
        let fault = |error| self.fault(error);
        let mut transaction = self.write().await?;
        sqlx::query("DELETE FROM sign_in_failures WHERE at < ?1")
            .bind(at.0.saturating_sub(DAY))
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
        sqlx::query("INSERT INTO sign_in_failures (name, address, at) VALUES (?1, ?2, ?3)")
            .bind(name)
            .bind(address)
            .bind(at.0)
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
        transaction.commit().await.map_err(fault)
    }

    /// How often somebody failed to sign in under a name, in whatever case, at `since` or later: from this address
    /// and from anywhere; and under how many names from this address. Reaches back a day at most.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn failures_since(
        &self,
        name: &str,
        address: &str,
        since: UnixMillis,
    ) -> Result<Failures, StoreError> {
        let (here, anywhere, from_here): (i64, i64, i64) = sqlx::query_as(
            "SELECT count(*) FILTER (WHERE name = ?1 AND address = ?2), count(*) FILTER (WHERE name = ?1),
                count(DISTINCT name) FILTER (WHERE address = ?2)
             FROM sign_in_failures WHERE at >= ?3",
        )
        .bind(name)
        .bind(address)
        .bind(since.0)
        .fetch_one(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        Ok(Failures {
            here: self.counted(here)?,
            anywhere: self.counted(anywhere)?,
            from_here: self.counted(from_here)?,
        })
    }

    /// Forgets the failures of a name: those from an address, or all.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn clear_failures(&self, name: &str, address: Option<&str>) -> Result<(), StoreError> {
        let clear =
            sqlx::query("DELETE FROM sign_in_failures WHERE name = ?1 AND (?2 IS NULL OR address = ?2)")
                .bind(name)
                .bind(address);
        clear.execute(self.writer()).await.map_err(|error| self.fault(error))?;
        Ok(())
    }
}
