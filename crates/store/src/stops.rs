//! The stop log: every stop, which question, which rule, which evidence.

use async_trait::async_trait;
use mostrador_answer::ports::{StopLog, StopNote, Unavailable, UnixMillis};
use mostrador_answer::question::{ConversationId, CustomerId, TurnId};
use mostrador_answer::stop::RuleName;
use sqlx::sqlite::SqliteRow;

use crate::group::Statement;
use crate::rows::rows;
use crate::{Store, StoreError};

#[async_trait]
impl StopLog for Store {
    async fn note(&self, note: &StopNote) -> Result<(), Unavailable> {
        let note = sqlx::query(
            "INSERT INTO stops (turn, ending, rule, evidence, question, at, conversation, customer)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )
        .bind(note.turn.0.clone())
        .bind(note.ending.name())
        .bind(note.rule.0.clone())
        .bind(note.evidence.clone())
        .bind(note.question.clone())
        .bind(note.at.0)
        .bind(note.conversation.as_ref().map(|name| name.0.clone()))
        .bind(note.customer.as_ref().map(|name| name.0.clone()));
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
        let mut found = sqlx::query("SELECT * FROM stops ORDER BY id DESC LIMIT ?1")
            .bind(rows(limit))
            .fetch_all(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        found.reverse();
        let note = |row: SqliteRow| {
            Ok(StopNote {
                turn: TurnId(self.column(&row, "turn")?),
                conversation: self.column::<Option<_>>(&row, "conversation")?.map(ConversationId),
                customer: self.column::<Option<_>>(&row, "customer")?.map(CustomerId),
                ending: self.ending(self.column(&row, "ending")?)?,
                rule: RuleName(self.column(&row, "rule")?),
                evidence: self.column(&row, "evidence")?,
                question: self.column(&row, "question")?,
                at: UnixMillis(self.column(&row, "at")?),
            })
        };
        found.into_iter().map(note).collect()
    }
}
