//! Entries of the inbox that wait for a person, and how they end without a decision.

use mostrador_answer::approval::Decided;
use mostrador_answer::ports::UnixMillis;
use serde::Serialize;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;

use crate::{Line, Store, StoreError};

/// How an entry ended that nobody decided about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// A colleague answered in their own words.
    Answered,
    /// There was nothing to say.
    Closed,
}

impl How {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Answered, Self::Closed];

    /// The name in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Closed => "closed",
        }
    }
}

/// An end, which an entry has once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Closed {
    /// How.
    pub how: How,
    /// By whom.
    pub person: String,
    /// When.
    pub at: UnixMillis,
}

const END: &str = "
    SELECT forgotten, decision, inbox_decisions.person AS person, inbox_decisions.at AS at,
        how, inbox_closings.person AS closed_by, inbox_closings.at AS closed_at
    FROM inbox LEFT JOIN inbox_decisions ON inbox_decisions.entry = id
        LEFT JOIN inbox_closings ON inbox_closings.entry = id
    WHERE id = ?1";

/// A colleague's line in the conversation of an entry, where there is one that its customer may read.
pub(crate) const REPLY: &str = "
    INSERT INTO lines (conversation, speaker, person, text, citations, at)
    SELECT conversations.id, 'colleague', ?2, ?3, ?4, ?5
    FROM inbox JOIN conversations ON conversations.id = inbox.conversation
    WHERE inbox.id = ?1 AND (conversations.customer IS NULL OR conversations.customer = inbox.customer)";

impl Store {
    /// Answers an entry in a colleague's own words and closes it: both or neither. Returns the line that was added to
    /// the entry's conversation. `None`: it has none here, so that the words are kept with the entry and have to be
    /// sent to its address.
    ///
    /// # Errors
    /// [`StoreError::DecidedBefore`], [`StoreError::ClosedBefore`], [`StoreError::NoEntry`]; nothing is changed then.
    pub async fn answer_entry(
        &self,
        entry: i64,
        person: &str,
        text: &str,
        at: UnixMillis,
    ) -> Result<Option<Line>, StoreError> {
        let fault = |error| self.fault(error);
        let mut transaction = self.write().await?;
        self.still_open(&mut transaction, entry).await?;
        let added = sqlx::query(REPLY)
            .bind(entry)
            .bind(person)
            .bind(text)
            .bind("[]")
            .bind(at.0)
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
        let line = match added.rows_affected() {
            0 => None,
            _ => Some(self.line(&mut transaction, added.last_insert_rowid()).await?),
        };
        let kept = line.is_none().then_some(text);
        self.add_closing(&mut transaction, entry, How::Answered, person, kept, at).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(line)
    }

    /// Closes an entry without a word.
    ///
    /// # Errors
    /// As [`Store::answer_entry`].
    pub async fn close_entry(&self, entry: i64, person: &str, at: UnixMillis) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        self.still_open(&mut transaction, entry).await?;
        self.add_closing(&mut transaction, entry, How::Closed, person, None, at).await?;
        transaction.commit().await.map_err(|error| self.fault(error))
    }

    /// Whether an entry has no end yet, inside the lock: whoever else ends it waits for this.
    pub(crate) async fn still_open(
        &self,
        connection: &mut SqliteConnection,
        entry: i64,
    ) -> Result<(), StoreError> {
        let found = sqlx::query(END).bind(entry).fetch_optional(connection).await;
        let row = found.map_err(|error| self.fault(error))?.ok_or(StoreError::NoEntry(entry))?;
        if let Some(decided) = self.decided_of(&row)? {
            return Err(StoreError::DecidedBefore { entry, decided });
        }
        if let Some(closed) = self.closed_of(&row)? {
            return Err(StoreError::ClosedBefore { entry, closed });
        }
        if self.column(&row, "forgotten")? { Err(StoreError::NoEntry(entry)) } else { Ok(()) }
    }

    async fn add_closing(
        &self,
        connection: &mut SqliteConnection,
        entry: i64,
        how: How,
        person: &str,
        text: Option<&str>,
        at: UnixMillis,
    ) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO inbox_closings (entry, how, person, text, at) VALUES (?1, ?2, ?3, ?4, ?5)")
            .bind(entry)
            .bind(how.name())
            .bind(person)
            .bind(text)
            .bind(at.0)
            .execute(connection)
            .await
            .map_err(|error| self.fault(error))?;
        Ok(())
    }

    /// What was decided, from a row that may have nothing of it.
    pub(crate) fn decided_of(&self, row: &SqliteRow) -> Result<Option<Decided>, StoreError> {
        let decision: Option<&str> = self.column(row, "decision")?;
        decision.is_some().then(|| self.decided(row)).transpose()
    }

    /// How an entry was closed, from a row that may have nothing of it.
    pub(crate) fn closed_of(&self, row: &SqliteRow) -> Result<Option<Closed>, StoreError> {
        let Some(name) = self.column::<Option<&str>>(row, "how")? else {
            return Ok(None);
        };
        let how = How::ALL.into_iter().find(|how| how.name() == name);
        Ok(Some(Closed {
            how: how.ok_or_else(|| self.damaged(format!("{name:?} closes no entry")))?,
            person: self.column(row, "closed_by")?,
            at: UnixMillis(self.column(row, "closed_at")?),
        }))
    }
}
