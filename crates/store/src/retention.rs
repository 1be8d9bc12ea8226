//! Forgetting: what customers said goes, what was decided and spent stays.

use std::time::Duration;

use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::{ConversationId, CustomerId, TurnId};
use serde::Serialize;
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{ConnectOptions, Connection, Row, Sqlite, SqliteConnection};
use tokio::time::sleep;

use crate::{Store, StoreError};

/// How often the write-ahead log is tried to be emptied beside others who read and write, and how long between.
const TRIES: usize = 10;
const AGAIN: Duration = Duration::from_millis(30);

/// What was forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Forgotten {
    /// Conversations that went, with their lines.
    pub conversations: u64,
    /// Turns that went, with their feedback.
    pub turns: u64,
    /// Entries of the inbox that were emptied.
    pub entries: u64,
    /// Notes of stops that were emptied.
    pub stops: u64,
    /// The conversations that went: whoever has one in memory forgets it too.
    pub erased: Vec<ConversationId>,
    /// Whether somebody who reads kept the write-ahead log from being emptied, so that the bytes may still lie in it.
    /// They go with the next time that this store forgets something, and when the database is closed.
    pub lingers: bool,
}

impl Forgotten {
    /// Whether there was nothing to forget.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        [self.conversations, self.turns, self.entries, self.stops] == [0; 4]
    }
}

/// The statements of a scope, in their order: each still finds what leads to its rows.
struct Scope {
    stops: &'static str,
    closings: &'static str,
    reads: &'static str,
    messages: &'static str,
    entries: &'static str,
    counted: &'static str,
    conversations: &'static str,
    turns: &'static str,
}

macro_rules! scope {
    (stops: $stops:literal, messages: $messages:literal, entries: $entries:literal, turns: $turns:literal,
        conversations: $conversations:literal) => {
        Scope {
            stops: concat!(
                "UPDATE stops SET question = '', evidence = '', conversation = NULL, customer = NULL
                 WHERE (question <> '' OR evidence <> '') AND (",
                $stops,
                ")"
            ),
            closings: concat!(
                "UPDATE inbox_closings SET text = NULL
                 WHERE text IS NOT NULL AND entry IN (SELECT id FROM inbox WHERE ",
                $entries,
                ")"
            ),
            reads: concat!(
                "DELETE FROM message_reads WHERE message IN (SELECT id FROM messages WHERE ",
                $messages,
                ")"
            ),
            messages: concat!("DELETE FROM messages WHERE ", $messages),
            entries: concat!(
                "UPDATE inbox SET question = '', answer = '', evidence = '', customer = NULL, address = NULL,
                    conversation = NULL, forgotten = 1
                 WHERE forgotten = 0 AND (",
                $entries,
                ")"
            ),
            counted: concat!("SELECT count(*) FROM turns WHERE ", $turns),
            turns: concat!("DELETE FROM turns WHERE ", $turns),
            conversations: concat!("DELETE FROM conversations WHERE ", $conversations, " RETURNING id"),
        }
    };
}

/// Before a moment. What belongs to a conversation in which something was said since then stays.
const OLD: Scope = scope!(
    stops: "at < ?1 AND NOT EXISTS (
        SELECT 1 FROM conversations WHERE id = stops.conversation AND last >= ?1)",
    messages: "at < ?1 AND NOT EXISTS (
        SELECT 1 FROM conversations WHERE id = messages.conversation AND last >= ?1)",
    entries: "at < ?1 AND NOT EXISTS (
        SELECT 1 FROM conversations WHERE id = inbox.conversation AND last >= ?1)",
    turns: "at < ?1 AND conversation IS NULL OR conversation IN (SELECT id FROM conversations WHERE last < ?1)",
    conversations: "last < ?1"
);

const CONVERSATION: Scope = scope!(
    stops: "conversation = ?1 OR turn IN (SELECT turn FROM turns WHERE conversation = ?1
        UNION SELECT turn FROM inbox WHERE conversation = ?1)",
    messages: "conversation = ?1",
    entries: "conversation = ?1",
    turns: "conversation = ?1",
    conversations: "id = ?1"
);

/// Of a customer, with conversations that began before they signed in.
const CUSTOMER: Scope = scope!(
    stops: "customer = ?1 OR conversation IN (
            SELECT id FROM conversations WHERE customer = ?1
            UNION SELECT conversation FROM turns WHERE customer = ?1)
        OR turn IN (SELECT turn FROM turns WHERE customer = ?1
        UNION SELECT turn FROM turns WHERE conversation IN (
            SELECT id FROM conversations WHERE customer = ?1
            UNION SELECT conversation FROM turns WHERE customer = ?1)
        UNION SELECT turn FROM inbox WHERE customer = ?1)",
    messages: "customer = ?1 OR conversation IN (
        SELECT id FROM conversations WHERE customer = ?1
        UNION SELECT conversation FROM turns WHERE customer = ?1)",
    entries: "customer = ?1 OR conversation IN (
        SELECT id FROM conversations WHERE customer = ?1
        UNION SELECT conversation FROM turns WHERE customer = ?1)",
    turns: "customer = ?1 AND conversation IS NULL OR conversation IN (
        SELECT id FROM conversations WHERE customer = ?1
        UNION SELECT conversation FROM turns WHERE customer = ?1)",
    conversations: "customer = ?1 OR id IN (SELECT conversation FROM turns WHERE customer = ?1)"
);

/// What rooms wrote down of a turn that was not kept itself, since its conversation was erased meanwhile.
const TURN: Scope = scope!(
    stops: "turn = ?1",
    messages: "FALSE",
    entries: "turn = ?1",
    turns: "turn = ?1",
    conversations: "FALSE"
);

/// Which rows.
enum Key<'k> {
    Before(i64),
    Name(&'k str),
}

impl Key<'_> {
    fn bound(&self, sql: &'static str) -> Query<'static, Sqlite, SqliteArguments> {
        match self {
            Self::Before(moment) => sqlx::query(sql).bind(*moment),
            Self::Name(name) => sqlx::query(sql).bind((*name).to_owned()),
        }
    }
}

impl Store {
    /// Forgets what customers said before `at`: conversations in which nothing was said since, turns that belong to
    /// none, and the texts of entries of the inbox and of stops. What was decided, spent and done stays.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written; nothing is forgotten then.
    pub async fn forget_before(&self, at: UnixMillis) -> Result<Forgotten, StoreError> {
        self.forget(&OLD, &Key::Before(at.0)).await
    }

    /// Forgets a conversation.
    ///
    /// # Errors
    /// As [`Store::forget_before`].
    pub async fn erase_conversation(&self, id: &ConversationId) -> Result<Forgotten, StoreError> {
        self.forget(&CONVERSATION, &Key::Name(&id.0)).await
    }

    /// Forgets what was written down of a turn.
    ///
    /// # Errors
    /// As [`Store::forget_before`].
    pub async fn erase_turn(&self, turn: &TurnId) -> Result<Forgotten, StoreError> {
        self.forget(&TURN, &Key::Name(&turn.0)).await
    }

    /// Forgets a customer: their conversations, those they signed in to half-way among them, and what they asked
    /// outside any.
    ///
    /// # Errors
    /// As [`Store::forget_before`].
    pub async fn erase_customer(&self, customer: &CustomerId) -> Result<Forgotten, StoreError> {
        self.forget(&CUSTOMER, &Key::Name(&customer.0)).await
    }

    async fn forget(&self, scope: &Scope, key: &Key<'_>) -> Result<Forgotten, StoreError> {
        let fault = |error| self.fault(error);
        let mut transaction = self.write().await?;
        let stops = self.done(&mut transaction, key.bound(scope.stops)).await?;
        let mut more = 0;
        for statement in [scope.closings, scope.reads, scope.messages] {
            more += self.done(&mut transaction, key.bound(statement)).await?;
        }
        let entries = self.done(&mut transaction, key.bound(scope.entries)).await?;
        // Conversations take their turns along.
        let counted = key.bound(scope.counted).fetch_one(&mut *transaction).await.map_err(fault)?;
        let turns = self.counted(counted.try_get(0).map_err(fault)?)?;
        let gone = key.bound(scope.conversations).fetch_all(&mut *transaction).await.map_err(fault)?;
        let erased = gone.iter().map(|row| Ok(ConversationId(self.column(row, "id")?)));
        let erased = erased.collect::<Result<Vec<_>, StoreError>>()?;
        self.done(&mut transaction, key.bound(scope.turns)).await?;
        transaction.commit().await.map_err(fault)?;

        let conversations = u64::try_from(erased.len()).unwrap_or(u64::MAX);
        let forgotten = Forgotten { conversations, turns, entries, stops, erased, lingers: false };
        if forgotten.is_nothing() && more == 0 && !self.lingering() {
            return Ok(forgotten);
        }
        let lingers = !self.empty_log().await;
        self.set_lingering(lingers);
        Ok(Forgotten { lingers, ..forgotten })
    }

    /// Whether the log could be emptied: what is overwritten in the file still stands in it until then.
    ///
    /// By a connection of its own that waits for nobody: somebody who reads for long holds no writer up.
    async fn empty_log(&self) -> bool {
        let Some(options) = self.beside() else { return true };
        // What is forgotten is so, whatever becomes of the log.
        let Ok(mut connection) = options.clone().busy_timeout(Duration::ZERO).connect().await else {
            return false;
        };
        let mut emptied = false;
        for _ in 0..TRIES {
            let tried = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut connection).await;
            emptied = tried.is_ok_and(|row| row.try_get::<i64, _>(0).is_ok_and(|busy| busy == 0));
            if emptied {
                break;
            }
            sleep(AGAIN).await;
        }
        let _ = connection.close().await;
        emptied
    }

    async fn done(
        &self,
        connection: &mut SqliteConnection,
        query: Query<'static, Sqlite, SqliteArguments>,
    ) -> Result<u64, StoreError> {
        let done = query.execute(connection).await.map_err(|error| self.fault(error))?;
        Ok(done.rows_affected())
    }
}
