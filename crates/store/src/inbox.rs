//! The inbox: what was handed to a colleague.

use async_trait::async_trait;
use mostrador_answer::approval::Decided;
use mostrador_answer::ports::{Inbox, InboxEntry, Unavailable, UnixMillis};
use mostrador_answer::question::{ConversationId, CustomerId, TurnId};
use mostrador_answer::stop::{Ending, RuleName};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::group::Statement;
use crate::rows::rows;
use crate::{Closed, Store, StoreError};

/// An entry as it lies in the inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboxItem {
    /// Its number; later entries have higher ones.
    pub id: i64,
    /// What was handed over.
    pub entry: InboxEntry,
    /// What a person decided about it, where somebody has.
    pub decided: Option<Decided>,
    /// How it ended without a decision, where it has.
    pub closed: Option<Closed>,
}

/// Which part of a list of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// The ones that follow an entry of this number; `After(0)` are the oldest.
    After(i64),
    /// The ones right before it.
    Before(i64),
}

macro_rules! items {
    ($rest:literal) => {
        concat!(
            "SELECT id, turn, conversation, customer, address, ending, rule, question, answer, evidence,
                language, inbox.at AS put_at,
                decision, inbox_decisions.person AS person, inbox_decisions.at AS at,
                how, inbox_closings.person AS closed_by, inbox_closings.at AS closed_at
             FROM inbox LEFT JOIN inbox_decisions ON inbox_decisions.entry = id
                LEFT JOIN inbox_closings ON inbox_closings.entry = id ",
            $rest
        )
    };
}

const NEWEST: &str = items!("ORDER BY id DESC LIMIT ?1");

const AFTER: &str = items!(
    "WHERE decision IS NULL AND how IS NULL AND forgotten = 0 AND id > ?2
        AND ending IN (SELECT value FROM json_each(?1))
     ORDER BY id LIMIT ?3"
);

const BEFORE: &str = items!(
    "WHERE decision IS NULL AND how IS NULL AND forgotten = 0 AND id < ?2
        AND ending IN (SELECT value FROM json_each(?1))
     ORDER BY id DESC LIMIT ?3"
);

const COUNTED: &str = "
    SELECT ending, count(*) FROM inbox
        LEFT JOIN inbox_decisions ON inbox_decisions.entry = id
        LEFT JOIN inbox_closings ON inbox_closings.entry = id
    WHERE decision IS NULL AND how IS NULL AND forgotten = 0 GROUP BY ending ORDER BY ending";

const ONE: &str = items!("WHERE id = ?1");

#[async_trait]
impl Inbox for Store {
    async fn put(&self, entry: &InboxEntry) -> Result<(), Unavailable> {
        let put = sqlx::query(
            "INSERT INTO inbox
                (turn, conversation, customer, ending, rule, question, answer, evidence, language, at,
                 address)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )
        .bind(entry.turn.0.clone())
        .bind(entry.conversation.as_ref().map(|name| name.0.clone()))
        .bind(entry.customer.as_ref().map(|name| name.0.clone()))
        .bind(entry.ending.name())
        .bind(entry.rule.0.clone())
        .bind(entry.question.clone())
        .bind(entry.answer.clone())
        .bind(entry.evidence.clone())
        .bind(String::from(entry.language))
        .bind(entry.at.0)
        .bind(entry.address.clone());
        self.grouped(Statement::new(put)).await.map_err(|error| Unavailable::new("inbox", error))?;
        Ok(())
    }
}

impl Store {
    /// The newest `limit` entries, newest first: the last one put comes first.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn list_inbox(&self, limit: usize) -> Result<Vec<InboxItem>, StoreError> {
        let found = sqlx::query(NEWEST)
            .bind(rows(limit))
            .fetch_all(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        found.iter().map(|row| self.inbox_item(row)).collect()
    }

    /// At most `limit` entries of these endings that nobody has decided about or closed, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn open_inbox(
        &self,
        endings: &[Ending],
        beside: Beside,
        limit: usize,
    ) -> Result<Vec<InboxItem>, StoreError> {
        let (sql, id) = match beside {
            Beside::After(id) => (AFTER, id),
            Beside::Before(id) => (BEFORE, id),
        };
        let names = serde_json::Value::from_iter(endings.iter().map(|ending| ending.name()));
        let found = sqlx::query(sql)
            .bind(names.to_string())
            .bind(id)
            .bind(rows(limit))
            .fetch_all(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        let mut items =
            found.iter().map(|row| self.inbox_item(row)).collect::<Result<Vec<_>, StoreError>>()?;
        items.sort_unstable_by_key(|item| item.id);
        Ok(items)
    }

    /// How many entries of each ending nobody has decided about or closed; an ending that has none is left out.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn count_open(&self) -> Result<Vec<(Ending, u64)>, StoreError> {
        let found: Vec<(String, i64)> =
            sqlx::query_as(COUNTED).fetch_all(self.reader()).await.map_err(|error| self.fault(error))?;
        found.into_iter().map(|(name, count)| Ok((self.ending(&name)?, self.counted(count)?))).collect()
    }

    /// An entry by its number.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn inbox_entry(&self, id: i64) -> Result<Option<InboxItem>, StoreError> {
        let found = sqlx::query(ONE)
            .bind(id)
            .fetch_optional(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        found.map(|row| self.inbox_item(&row)).transpose()
    }

    pub(crate) fn inbox_item(&self, row: &SqliteRow) -> Result<InboxItem, StoreError> {
        let text = |column| row.try_get::<String, &str>(column).map_err(|error| self.fault(error));
        let name = |column| row.try_get::<Option<String>, &str>(column).map_err(|error| self.fault(error));
        let number = |column| row.try_get::<i64, &str>(column).map_err(|error| self.fault(error));
        let entry = InboxEntry {
            turn: TurnId(text("turn")?),
            conversation: name("conversation")?.map(ConversationId),
            customer: name("customer")?.map(CustomerId),
            address: name("address")?,
            ending: self.ending(&text("ending")?)?,
            rule: RuleName(text("rule")?),
            question: text("question")?,
            answer: text("answer")?,
            evidence: text("evidence")?,
            language: self.parsed(&text("language")?)?,
            at: UnixMillis(number("put_at")?),
        };
        let (decided, closed) = (self.decided_of(row)?, self.closed_of(row)?);
        Ok(InboxItem { id: number("id")?, entry, decided, closed })
    }
}
