//! Decisions about held answers, each made once, and what was then sent to the customer.

use async_trait::async_trait;
use mostrador_answer::approval::{Approved, Conversations, Decided, Decision, Sent};
use mostrador_answer::event::Citation;
use mostrador_answer::passage::{Passage, SourceId};
use mostrador_answer::ports::{Unavailable, UnixMillis};
use mostrador_answer::question::{ConversationId, CustomerId};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::closings::REPLY;
use crate::{Store, StoreError};

/// The passage of a name in what is searched now.
const CITED: &str = "
    SELECT passage FROM passages JOIN generation_files ON generation_files.file = passages.file
    WHERE generation = (SELECT id FROM generations WHERE state = 'current') AND source = ?1";

const UNREAD: &str = "
    SELECT id, conversation, customer, address, question, text, cited, language, at FROM messages
    WHERE conversation = ?1 AND (customer IS NULL OR customer = ?2)
        AND NOT EXISTS (SELECT 1 FROM message_reads WHERE message = messages.id)
    ORDER BY id";

impl Store {
    /// Keeps what a person decided about a held answer, and sends it where it was approved: both or neither. Where its
    /// conversation is kept here, it is also a line of that person in it.
    ///
    /// # Errors
    /// [`StoreError::DecidedBefore`] and [`StoreError::ClosedBefore`] with who and when, [`StoreError::NotHeld`] for an entry that does not wait, or
    /// is not there; nothing is changed then.
    pub async fn decide(
        &self,
        entry: i64,
        approved: Option<&Approved>,
        person: &str,
        at: UnixMillis,
    ) -> Result<Decided, StoreError> {
        let fault = |error| self.fault(error);
        let decision = if approved.is_some() { Decision::Approved } else { Decision::Rejected };
        let citations = match approved {
            Some(approved) => self.citations(approved.cited()).await?,
            None => serde_json::Value::Array(Vec::new()),
        };
        let mut transaction = self.write().await?;
        match self.still_open(&mut transaction, entry).await {
            Err(StoreError::NoEntry(entry)) => return Err(StoreError::NotHeld(entry)),
            open => open?,
        }
        let added = sqlx::query(
            "INSERT INTO inbox_decisions (entry, decision, person, at)
             SELECT id, ?2, ?3, ?4 FROM inbox WHERE id = ?1 AND ending = 'held'",
        )
        .bind(entry)
        .bind(decision.name())
        .bind(person)
        .bind(at.0)
        .execute(&mut *transaction)
        .await
        .map_err(fault)?;
        if added.rows_affected() == 0 {
            return Err(StoreError::NotHeld(entry));
        }
        if let Some(approved) = approved {
            let cited: Vec<&str> = approved.cited().iter().map(SourceId::as_str).collect();
            sqlx::query(
                "INSERT INTO messages
                    (entry, conversation, customer, address, question, text, cited, language, at)
                 SELECT id, conversation, customer, address, question, ?2, ?3, language, ?4
                 FROM inbox WHERE id = ?1",
            )
            .bind(entry)
            .bind(approved.text())
            .bind(serde_json::Value::from(cited).to_string())
            .bind(at.0)
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
            sqlx::query(REPLY)
                .bind(entry)
                .bind(person)
                .bind(approved.text())
                .bind(citations.to_string())
                .bind(at.0)
                .execute(&mut *transaction)
                .await
                .map_err(fault)?;
        }
        transaction.commit().await.map_err(fault)?;
        Ok(Decided { decision, person: person.to_owned(), at })
    }

    /// The passages of these names as a citation shows them; one that is not searched any longer is left out.
    async fn citations(&self, names: &[SourceId]) -> Result<serde_json::Value, StoreError> {
        let mut citations = Vec::new();
        for name in names {
            let found: Option<String> = sqlx::query_scalar(CITED)
                .bind(name.as_str())
                .fetch_optional(self.reader())
                .await
                .map_err(|error| self.fault(error))?;
            let Some(text) = found else { continue };
            let passage: Passage =
                serde_json::from_str(&text).map_err(|error| self.damaged(error.to_string()))?;
            citations.push(Citation::from(&passage));
        }
        serde_json::to_value(citations).map_err(|error| self.damaged(error.to_string()))
    }

    /// What was decided about an entry, from a row with `decision`, `person` and `at`.
    pub(crate) fn decided(&self, row: &SqliteRow) -> Result<Decided, StoreError> {
        let name: String = row.try_get("decision").map_err(|error| self.fault(error))?;
        let decision = Decision::ALL.into_iter().find(|decision| decision.name() == name);
        Ok(Decided {
            decision: decision.ok_or_else(|| self.damaged(format!("{name:?} is no decision")))?,
            person: row.try_get("person").map_err(|error| self.fault(error))?,
            at: UnixMillis(row.try_get("at").map_err(|error| self.fault(error))?),
        })
    }

    fn sent(&self, row: &SqliteRow) -> Result<Sent, StoreError> {
        let text = |column| row.try_get::<String, &str>(column).map_err(|error| self.fault(error));
        let name = |column| row.try_get::<Option<String>, &str>(column).map_err(|error| self.fault(error));
        let number = |column| row.try_get::<i64, &str>(column).map_err(|error| self.fault(error));
        let cited: Vec<SourceId> =
            serde_json::from_str(&text("cited")?).map_err(|error| self.damaged(error.to_string()))?;
        Ok(Sent {
            id: number("id")?,
            conversation: name("conversation")?.map(ConversationId),
            customer: name("customer")?.map(CustomerId),
            address: name("address")?,
            question: text("question")?,
            text: text("text")?,
            cited,
            language: self.parsed(&text("language")?)?,
            at: UnixMillis(number("at")?),
        })
    }
}

#[async_trait]
impl Conversations for Store {
    async fn unread(
        &self,
        conversation: &ConversationId,
        customer: Option<&CustomerId>,
    ) -> Result<Vec<Sent>, Unavailable> {
        let away = |error: StoreError| Unavailable::new("conversations", error);
        let rows = sqlx::query(UNREAD)
            .bind(&conversation.0)
            .bind(customer.map(|customer| &customer.0))
            .fetch_all(self.reader())
            .await
            .map_err(|error| away(self.fault(error)))?;
        rows.iter().map(|row| self.sent(row).map_err(away)).collect()
    }

    async fn shown(&self, message: &Sent, at: UnixMillis) -> Result<(), Unavailable> {
        sqlx::query(
            "INSERT INTO message_reads (message, at) VALUES (?1, ?2) ON CONFLICT (message) DO NOTHING",
        )
        .bind(message.id)
        .bind(at.0)
        .execute(self.writer())
        .await
        .map_err(|error| Unavailable::new("conversations", self.fault(error)))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever opens the file next, a decision stays as it was made, and only what was held has one.
    #[tokio::test]
    async fn decisions_cannot_be_changed() {
        let store = Store::in_memory().await.unwrap();
        for (id, ending) in [(1, "held"), (2, "withheld")] {
            sqlx::query(
                "INSERT INTO inbox (id, turn, ending, rule, question, answer, evidence, language, at)
                 VALUES (?1, 't', ?2, 'r', 'q', 'a', '', 'en', 0)",
            )
            .bind(id)
            .bind(ending)
            .execute(store.writer())
            .await
            .unwrap();
        }
        store.decide(1, None, "eva", UnixMillis(5)).await.unwrap();
        for change in [
            "UPDATE inbox_decisions SET person = 'max'",
            "DELETE FROM inbox_decisions",
            "INSERT OR REPLACE INTO inbox_decisions VALUES (1, 'approved', 'max', 6)",
            "INSERT INTO inbox_decisions VALUES (2, 'approved', 'max', 6)",
            "INSERT INTO inbox_decisions VALUES (7, 'approved', 'max', 6)",
        ] {
            assert!(sqlx::query(change).execute(store.writer()).await.is_err(), "{change}");
        }
    }
}
