//! Conversations: who is in them, what was said, and who has the word.

use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::{ConversationId, CustomerId, TurnId};
use mostrador_language::Lang;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;

use crate::group::Statement;
use crate::rows::rows;
use crate::{Store, StoreError};

/// A conversation of a customer with the shop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conversation {
    /// Its name.
    pub id: ConversationId,
    /// The customer, if signed when it began: it does not exist for anybody else.
    pub customer: Option<CustomerId>,
    /// The language it began in.
    pub language: Lang,
    /// Where the customer wants to be answered, if they said so.
    pub address: Option<String>,
    /// When it began.
    pub started: UnixMillis,
    /// When something was last said in it.
    pub last: UnixMillis,
    /// The colleague who has it; the assistant is silent then.
    pub taken: Option<Taken>,
}

/// A colleague who has a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Taken {
    /// Who.
    pub person: String,
    /// Since when.
    pub at: UnixMillis,
}

/// Who said a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speaker {
    /// The customer.
    Customer,
    /// The program.
    Assistant,
    /// A person of the shop.
    Colleague,
}

impl Speaker {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Customer, Self::Assistant, Self::Colleague];

    /// The name in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Assistant => "assistant",
            Self::Colleague => "colleague",
        }
    }
}

/// Something said in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Its number; later lines have higher ones, in whatever conversation.
    pub id: i64,
    /// The conversation.
    pub conversation: ConversationId,
    /// Who said it.
    pub speaker: Speaker,
    /// The words, as they were read.
    pub text: String,
    /// The turn it is part of, if it is.
    pub turn: Option<TurnId>,
    /// The colleague who said it, where one did.
    pub person: Option<String>,
    /// The passages it cites: an array, empty where it cites none.
    pub citations: Value,
    /// How the turn ended; of the assistant's lines only.
    pub ending: Option<String>,
    /// The language of the turn; of the assistant's lines only.
    pub language: Option<Lang>,
    /// When.
    pub at: UnixMillis,
}

/// A conversation with the last thing that was said in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConversationHead {
    /// The conversation.
    pub conversation: Conversation,
    /// The last line, if anything was said.
    pub last_line: Option<Line>,
}

/// What is read of a line; its words may stand with its turn.
macro_rules! said {
    () => {
        "lines.id AS line, lines.conversation, speaker,
         coalesce(lines.text, CASE speaker WHEN 'customer' THEN question ELSE turns.text END) AS words,
         turns.turn AS turn_name, person,
         CASE speaker WHEN 'assistant' THEN turns.citations ELSE coalesce(lines.citations, '[]') END AS cited,
         CASE speaker WHEN 'assistant' THEN ending END AS turn_ending,
         CASE speaker WHEN 'assistant' THEN turns.language END AS spoken, lines.at AS said"
    };
}

macro_rules! lines {
    ($rest:literal) => {
        concat!("SELECT ", said!(), " FROM lines LEFT JOIN turns ON turns.id = lines.turn ", $rest)
    };
}

const AFTER: &str = lines!("WHERE lines.conversation = ?1 AND lines.id > ?2 ORDER BY lines.id LIMIT ?3");

const NEWEST: &str = lines!("WHERE lines.conversation = ?1 ORDER BY lines.id DESC LIMIT ?2");

const ONE_LINE: &str = lines!("WHERE lines.id = ?1");

const ONE: &str = "SELECT * FROM conversations WHERE id = ?1";

/// The heads of a page: each with the line that has the highest number, found by its index.
const HEADS: &str = concat!(
    "SELECT head.*, ",
    said!(),
    " FROM (SELECT * FROM conversations WHERE last < ?1 ORDER BY last DESC, id LIMIT ?2) AS head
     LEFT JOIN lines ON lines.id = (SELECT max(id) FROM lines WHERE lines.conversation = head.id)
     LEFT JOIN turns ON turns.id = lines.turn
     ORDER BY last DESC, head.id"
);

impl Store {
    /// Opens a conversation as it is given.
    ///
    /// # Errors
    /// [`StoreError::OpenBefore`] where the name is taken, whoever has it.
    pub async fn open_conversation(&self, conversation: &Conversation) -> Result<(), StoreError> {
        let taken = conversation.taken.as_ref();
        let added = sqlx::query(
            "INSERT INTO conversations
                (id, customer, language, address, started, last, taken_by, taken_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO NOTHING",
        )
        .bind(conversation.id.0.clone())
        .bind(conversation.customer.as_ref().map(|customer| customer.0.clone()))
        .bind(conversation.language.code().to_owned())
        .bind(conversation.address.clone())
        .bind(conversation.started.0)
        .bind(conversation.last.0)
        .bind(taken.map(|taken| taken.person.clone()))
        .bind(taken.map(|taken| taken.at.0));
        let added = self.grouped(Statement::new(added)).await?;
        match added.rows_affected() {
            0 => Err(StoreError::OpenBefore(conversation.id.0.clone())),
            _ => Ok(()),
        }
    }

    /// A conversation by its name, whoever's it is: the caller asks whether its customer may see it.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn conversation(&self, id: &ConversationId) -> Result<Option<Conversation>, StoreError> {
        let found = sqlx::query(ONE)
            .bind(&id.0)
            .fetch_optional(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        found.map(|row| self.conversation_of(&row)).transpose()
    }

    /// At most `limit` lines with a number above `after`, oldest first; 0 begins at the first.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn lines(
        &self,
        id: &ConversationId,
        after: i64,
        limit: usize,
    ) -> Result<Vec<Line>, StoreError> {
        let found = sqlx::query(AFTER)
            .bind(&id.0)
            .bind(after)
            .bind(rows(limit))
            .fetch_all(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        found.iter().map(|row| self.line_of(row)).collect()
    }

    /// The newest `limit` lines, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn last_lines(&self, id: &ConversationId, limit: usize) -> Result<Vec<Line>, StoreError> {
        let found = sqlx::query(NEWEST)
            .bind(&id.0)
            .bind(rows(limit))
            .fetch_all(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        found.iter().rev().map(|row| self.line_of(row)).collect()
    }

    /// The conversations in which a colleague has written behind the line `after`, with the last line there is: a
    /// program that serves hears of what another process wrote.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn written_since(&self, after: i64) -> Result<(i64, Vec<ConversationId>), StoreError> {
        let fault = |error| self.fault(error);
        let last: Option<i64> =
            sqlx::query_scalar("SELECT max(id) FROM lines").fetch_one(self.reader()).await.map_err(fault)?;
        let last = last.unwrap_or(after).max(after);
        let written: Vec<String> = sqlx::query_scalar(
            "SELECT DISTINCT conversation FROM lines WHERE id > ?1 AND id <= ?2 AND speaker = 'colleague'",
        )
        .bind(after)
        .bind(last)
        .fetch_all(self.reader())
        .await
        .map_err(fault)?;
        Ok((last, written.into_iter().map(ConversationId).collect()))
    }

    /// A number that changes when another process has written something.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn version_of_others(&self) -> Result<i64, StoreError> {
        // Of the one connection here that writes: its own writes do not count.
        let version = sqlx::query_scalar("PRAGMA data_version").fetch_one(self.writer()).await;
        version.map_err(|error| self.fault(error))
    }

    /// Those among some conversations that are not there: they were erased.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn missing_conversations(
        &self,
        ids: &[ConversationId],
    ) -> Result<Vec<ConversationId>, StoreError> {
        let names = Value::from_iter(ids.iter().map(|id| id.0.as_str()));
        let missing: Vec<String> = sqlx::query_scalar(
            "SELECT value FROM json_each(?1) WHERE value NOT IN (SELECT id FROM conversations)",
        )
        .bind(names.to_string())
        .fetch_all(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        Ok(missing.into_iter().map(ConversationId).collect())
    }

    /// At most `limit` conversations in which something was last said before `before`, the latest first.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn list_conversations(
        &self,
        limit: usize,
        before: Option<UnixMillis>,
    ) -> Result<Vec<ConversationHead>, StoreError> {
        let found = sqlx::query(HEADS)
            .bind(before.map_or(i64::MAX, |before| before.0))
            .bind(rows(limit))
            .fetch_all(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        let head = |row: &SqliteRow| {
            let said = self.column::<Option<i64>>(row, "line")?.is_some();
            Ok(ConversationHead {
                conversation: self.conversation_of(row)?,
                last_line: said.then(|| self.line_of(row)).transpose()?,
            })
        };
        found.iter().map(head).collect()
    }

    /// Keeps where the customer wants to be answered.
    ///
    /// # Errors
    /// [`StoreError::NoConversation`].
    pub async fn set_address(&self, id: &ConversationId, address: &str) -> Result<(), StoreError> {
        let changed = sqlx::query("UPDATE conversations SET address = ?2 WHERE id = ?1")
            .bind(&id.0)
            .bind(address)
            .execute(self.writer())
            .await
            .map_err(|error| self.fault(error))?;
        match changed.rows_affected() {
            0 => Err(StoreError::NoConversation(id.0.clone())),
            _ => Ok(()),
        }
    }

    pub(crate) fn conversation_of(&self, row: &SqliteRow) -> Result<Conversation, StoreError> {
        let taken: Option<String> = self.column(row, "taken_by")?;
        let since = self.column::<Option<i64>>(row, "taken_at")?.unwrap_or_default();
        Ok(Conversation {
            id: ConversationId(self.column(row, "id")?),
            customer: self.column::<Option<_>>(row, "customer")?.map(CustomerId),
            language: self.parsed(self.column(row, "language")?)?,
            address: self.column(row, "address")?,
            started: UnixMillis(self.column(row, "started")?),
            last: UnixMillis(self.column(row, "last")?),
            taken: taken.map(|person| Taken { person, at: UnixMillis(since) }),
        })
    }

    fn line_of(&self, row: &SqliteRow) -> Result<Line, StoreError> {
        let name: &str = self.column(row, "speaker")?;
        let speaker = Speaker::ALL.into_iter().find(|speaker| speaker.name() == name);
        Ok(Line {
            id: self.column(row, "line")?,
            conversation: ConversationId(self.column(row, "conversation")?),
            speaker: speaker.ok_or_else(|| self.damaged(format!("{name:?} speaks in no conversation")))?,
            text: self.column(row, "words")?,
            turn: self.column::<Option<_>>(row, "turn_name")?.map(TurnId),
            person: self.column(row, "person")?,
            citations: self.json(row, "cited")?,
            ending: self.column(row, "turn_ending")?,
            language: self
                .column::<Option<String>>(row, "spoken")?
                .map(|code| self.parsed(&code))
                .transpose()?,
            at: UnixMillis(self.column(row, "said")?),
        })
    }

    /// A line by its number, on the connection that has just added it.
    pub(crate) async fn line(&self, connection: &mut SqliteConnection, id: i64) -> Result<Line, StoreError> {
        let row = sqlx::query(ONE_LINE).bind(id).fetch_one(connection).await;
        self.line_of(&row.map_err(|error| self.fault(error))?)
    }

    /// A conversation inside a transaction.
    pub(crate) async fn conversation_in(
        &self,
        connection: &mut SqliteConnection,
        id: &ConversationId,
    ) -> Result<Conversation, StoreError> {
        let found = sqlx::query(ONE).bind(&id.0).fetch_optional(connection).await;
        let row = found.map_err(|error| self.fault(error))?;
        self.conversation_of(&row.ok_or_else(|| StoreError::NoConversation(id.0.clone()))?)
    }
}
