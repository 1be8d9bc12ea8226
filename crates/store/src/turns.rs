//! Finished turns: what the customer read, what operators may see of it, and what the customer thought of it.

use async_trait::async_trait;
use mostrador_answer::money::Micros;
use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::{ConversationId, CustomerId, TurnId};
use mostrador_language::Lang;
use serde::Serialize;
use serde_json::Value;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Sqlite, SqliteConnection};

use crate::group::Work;
use crate::rows::{rows, storable};
use crate::{Store, StoreError};

/// A finished turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TurnRecord {
    /// Its name.
    pub turn: TurnId,
    /// The conversation, if it was part of one.
    pub conversation: Option<ConversationId>,
    /// The customer, if signed.
    pub customer: Option<CustomerId>,
    /// What was asked.
    pub question: String,
    /// The answer as a caller of the service sees it.
    pub answer: Value,
    /// What the customer read.
    pub text: String,
    /// The passages it cites: an array.
    pub citations: Value,
    /// What only operators may see.
    pub record: Value,
    /// How it ended.
    pub ending: String,
    /// The rule that ended it early, if one did.
    pub rule: Option<String>,
    /// The language of the question.
    pub language: Lang,
    /// What it cost.
    pub cost: Micros,
    /// Tokens read by the model.
    pub input_tokens: u64,
    /// Tokens written by the model.
    pub output_tokens: u64,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
    /// When it ended.
    pub at: UnixMillis,
}

/// What a customer thought of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Feedback {
    /// Whether it helped.
    pub helpful: bool,
    /// What they said to it.
    pub comment: Option<String>,
    /// When.
    pub at: UnixMillis,
}

/// A turn outside a conversation, or in one that is there and is not another customer's. Its lines are added by a
/// trigger in the same statement.
const KEEP: &str = "
    INSERT INTO turns (turn, conversation, customer, question, answer, text, citations, record, ending, rule,
        language, cost, input_tokens, output_tokens, took_ms, at)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16
    WHERE ?2 IS NULL OR EXISTS (
        SELECT 1 FROM conversations WHERE id = ?2 AND (customer IS NULL OR customer = ?3)
    )";

/// A turn that waits to be kept.
struct KeepTurn {
    turn: String,
    conversation: Option<String>,
    query: Option<Query<'static, Sqlite, SqliteArguments>>,
}

#[async_trait]
impl Work for KeepTurn {
    type Done = ();

    async fn run(&mut self, store: &Store, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let Some(query) = self.query.take() else { return Ok(()) };
        let added = query.execute(connection).await.map_err(|error| match error.as_database_error() {
            Some(said) if said.is_unique_violation() => StoreError::KeptBefore(self.turn.clone()),
            _ => store.fault(error),
        })?;
        match self.conversation.take() {
            Some(conversation) if added.rows_affected() == 0 => Err(StoreError::NoConversation(conversation)),
            _ => Ok(()),
        }
    }
}

impl Store {
    /// Keeps a finished turn and, where it has a conversation, the customer's line and the assistant's, all or
    /// nothing. The assistant's line is kept only while no colleague has the conversation: the two share one lock,
    /// held in this statement.
    ///
    /// # Errors
    /// [`StoreError::KeptBefore`] for a turn that is kept already, [`StoreError::NoConversation`] where the
    /// conversation is not there (it may have been erased meanwhile) or is another customer's; nothing is kept then.
    pub async fn keep_turn(&self, turn: &TurnRecord) -> Result<(), StoreError> {
        self.grouped(KeepTurn {
            turn: turn.turn.0.clone(),
            conversation: turn.conversation.as_ref().map(|name| name.0.clone()),
            query: Some(
                sqlx::query(KEEP)
                    .bind(turn.turn.0.clone())
                    .bind(turn.conversation.as_ref().map(|name| name.0.clone()))
                    .bind(turn.customer.as_ref().map(|name| name.0.clone()))
                    .bind(turn.question.clone())
                    .bind(turn.answer.to_string())
                    .bind(turn.text.clone())
                    .bind(turn.citations.to_string())
                    .bind(turn.record.to_string())
                    .bind(turn.ending.clone())
                    .bind(turn.rule.clone())
                    .bind(String::from(turn.language))
                    .bind(storable("the cost", turn.cost.0)?)
                    .bind(storable("the number of input tokens", turn.input_tokens)?)
                    .bind(storable("the number of output tokens", turn.output_tokens)?)
                    .bind(turn.took_ms)
                    .bind(turn.at.0),
            ),
        })
        .await
    }

    /// A turn by its name.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn turn(&self, id: &TurnId) -> Result<Option<TurnRecord>, StoreError> {
        let found = sqlx::query("SELECT * FROM turns WHERE turn = ?1")
            .bind(&id.0)
            .fetch_optional(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        found.map(|row| self.turn_of(&row)).transpose()
    }

    /// At most `limit` turns with a number below `before_id`, each with its number, newest first.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn list_turns(
        &self,
        limit: usize,
        before_id: Option<i64>,
    ) -> Result<Vec<(i64, TurnRecord)>, StoreError> {
        let found = sqlx::query("SELECT * FROM turns WHERE id < ?1 ORDER BY id DESC LIMIT ?2")
            .bind(before_id.unwrap_or(i64::MAX))
            .bind(rows(limit))
            .fetch_all(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        found.iter().map(|row| Ok((self.column(row, "id")?, self.turn_of(row)?))).collect()
    }

    /// Keeps what a customer thought of an answer, in the place of what they thought before. Returns whether there
    /// is such a turn.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn keep_feedback(
        &self,
        turn: &TurnId,
        helpful: bool,
        comment: Option<&str>,
        at: UnixMillis,
    ) -> Result<bool, StoreError> {
        let kept = sqlx::query(
            "INSERT INTO feedback (turn, helpful, comment, at)
             SELECT id, ?2, ?3, ?4 FROM turns WHERE turn = ?1
             ON CONFLICT (turn) DO UPDATE SET
                helpful = excluded.helpful, comment = excluded.comment, at = excluded.at",
        )
        .bind(&turn.0)
        .bind(helpful)
        .bind(comment)
        .bind(at.0)
        .execute(self.writer())
        .await
        .map_err(|error| self.fault(error))?;
        Ok(kept.rows_affected() > 0)
    }

    /// What a customer thought of a turn, if they said so.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn feedback(&self, turn: &TurnId) -> Result<Option<Feedback>, StoreError> {
        let found: Option<(bool, Option<String>, i64)> = sqlx::query_as(
            "SELECT helpful, comment, feedback.at FROM feedback JOIN turns ON turns.id = feedback.turn
             WHERE turns.turn = ?1",
        )
        .bind(&turn.0)
        .fetch_optional(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        Ok(found.map(|(helpful, comment, at)| Feedback { helpful, comment, at: UnixMillis(at) }))
    }

    fn turn_of(&self, row: &SqliteRow) -> Result<TurnRecord, StoreError> {
        Ok(TurnRecord {
            turn: TurnId(self.column(row, "turn")?),
            conversation: self.column::<Option<_>>(row, "conversation")?.map(ConversationId),
            customer: self.column::<Option<_>>(row, "customer")?.map(CustomerId),
            question: self.column(row, "question")?,
            answer: self.json(row, "answer")?,
            text: self.column(row, "text")?,
            citations: self.json(row, "citations")?,
            record: self.json(row, "record")?,
            ending: self.column(row, "ending")?,
            rule: self.column(row, "rule")?,
            language: self.parsed(self.column(row, "language")?)?,
            cost: self.money(self.column(row, "cost")?)?,
            input_tokens: self.counted(self.column(row, "input_tokens")?)?,
            output_tokens: self.counted(self.column(row, "output_tokens")?)?,
            took_ms: self.column(row, "took_ms")?,
            at: UnixMillis(self.column(row, "at")?),
        })
    }
}
