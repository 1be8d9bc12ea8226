//! The audit log: what operators did. Rows are added and never changed.

use mostrador_answer::ports::UnixMillis;
use serde::Serialize;

use crate::rows::rows;
use crate::{Store, StoreError};

/// Something an operator did. It outlives erasure, so no word of a customer belongs in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Action {
    /// Who.
    pub operator: String,
    /// What, by its name in the console.
    pub action: String,
    /// To what: the name or number of an entry, a conversation, an operator.
    pub subject: String,
    /// What else there is to say.
    pub detail: String,
    /// When.
    pub at: UnixMillis,
}

impl Store {
    /// Adds to the audit log.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn log_action(&self, action: &Action) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO actions (operator, action, subject, detail, at) VALUES (?1, ?2, ?3, ?4, ?5)",
        )
        .bind(&action.operator)
        .bind(&action.action)
        .bind(&action.subject)
        .bind(&action.detail)
        .bind(action.at.0)
        .execute(self.writer())
        .await
        .map_err(|error| self.fault(error))?;
        Ok(())
    }

    /// At most `limit` actions with a number below `before_id`, each with its number, newest first.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn actions(
        &self,
        limit: usize,
        before_id: Option<i64>,
    ) -> Result<Vec<(i64, Action)>, StoreError> {
        let found: Vec<(i64, String, String, String, String, i64)> = sqlx::query_as(
            "SELECT id, operator, action, subject, detail, at FROM actions
             WHERE id < ?1 ORDER BY id DESC LIMIT ?2",
        )
        .bind(before_id.unwrap_or(i64::MAX))
        .bind(rows(limit))
        .fetch_all(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        let action = |(id, operator, action, subject, detail, at)| {
            (id, Action { operator, action, subject, detail, at: UnixMillis(at) })
        };
        Ok(found.into_iter().map(action).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(number: i64) -> Action {
        Action {
            operator: "eva".to_owned(),
            action: "approve".to_owned(),
            subject: format!("entry {number}"),
            detail: String::new(),
            at: UnixMillis(number),
        }
    }

    #[tokio::test]
    async fn actions_are_read_newest_first_and_cannot_be_changed() {
        let store = Store::in_memory().await.unwrap();
        for number in 1..=3 {
            store.log_action(&action(number)).await.unwrap();
        }
        for change in [
            "UPDATE actions SET operator = 'max'",
            "DELETE FROM actions",
            "INSERT OR REPLACE INTO actions VALUES (1, 'max', 'approve', '', '', 0)",
        ] {
            assert!(sqlx::query(change).execute(store.writer()).await.is_err(), "{change}");
        }
        let newest = store.actions(2, None).await.unwrap();
        assert_eq!(newest, [(3, action(3)), (2, action(2))]);
        assert_eq!(store.actions(2, Some(2)).await.unwrap(), [(1, action(1))]);
    }
}
