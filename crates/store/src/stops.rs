//! The stop log: every stop, which question, which rule, which evidence.

use async_trait::async_trait;
use mostrador_answer::ports::{StopLog, StopNote, Unavailable, UnixMillis};
use mostrador_answer::question::TurnId;
use mostrador_answer::stop::RuleName;

use crate::group::Statement;
use crate::rows::rows;
use crate::{Store, StoreError};

#[async_trait]
impl StopLog for Store {
    async fn note(&self, note: &StopNote) -> Result<(), Unavailable> {
        let note = sqlx::query(
            "INSERT INTO stops (turn, ending, rule, evidence, question, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .bind(note.turn.0.clone())
        .bind(note.ending.name())
        .bind(note.rule.0.clone())
        .bind(note.evidence.clone())
        .bind(note.question.clone())
        .bind(note.at.0);
        self.grouped(Statement::new(note)).await.map_err(|error| Unavailable::new("stop log", error))?;
        Ok(())
    }
}

impl Store {
    /// The newest `limit` notes in the order they were made, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn list_stops(&self, limit: usize) -> Result<Vec<StopNote>, StoreError> {
        let mut found: Vec<(String, String, String, String, String, i64)> = sqlx::query_as(
            "SELECT turn, ending, rule, evidence, question, at FROM stops ORDER BY id DESC LIMIT ?1",
        )
        .bind(rows(limit))
        .fetch_all(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        found.reverse();
        let note = |(turn, ending, rule, evidence, question, at): (String, String, String, _, _, _)| {
            Ok(StopNote {
                turn: TurnId(turn),
                ending: self.ending(&ending)?,
                rule: RuleName(rule),
                evidence,
                question,
                at: UnixMillis(at),
            })
        };
        found.into_iter().map(note).collect()
    }
}
