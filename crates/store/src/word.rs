//! The word: a conversation has one speaker for the shop, the assistant or one colleague.

use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::ConversationId;

use crate::{Line, Store, StoreError, Taken};

impl Store {
    /// Gives a conversation to a colleague. From then on no line of the assistant is added, not even of a turn that
    /// is under way. Once more by the same person changes nothing and gives what is kept.
    ///
    /// # Errors
    /// [`StoreError::TakenBefore`] where another colleague has it, [`StoreError::NoConversation`].
    pub async fn take_over(
        &self,
        id: &ConversationId,
        person: &str,
        at: UnixMillis,
    ) -> Result<Taken, StoreError> {
        let fault = |error| self.fault(error);
        let mut transaction = self.write().await?;
        let found = self.conversation_in(&mut transaction, id).await?;
        match found.taken {
            Some(taken) if taken.person == person => return Ok(taken),
            Some(taken) => return Err(StoreError::TakenBefore { taken }),
            None => {}
        }
        sqlx::query("UPDATE conversations SET taken_by = ?2, taken_at = ?3 WHERE id = ?1")
            .bind(&id.0)
            .bind(person)
            .bind(at.0)
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(Taken { person: person.to_owned(), at })
    }

    /// Gives a conversation back to the assistant. With `force` it may be another colleague's: whether this person
    /// may do that is the caller's to know.
    ///
    /// # Errors
    /// [`StoreError::NotTaken`] where this person does not have it (with `force`: nobody has),
    /// [`StoreError::NoConversation`].
    pub async fn give_back(
        &self,
        id: &ConversationId,
        person: &str,
        at: UnixMillis,
        force: bool,
    ) -> Result<(), StoreError> {
        let fault = |error| self.fault(error);
        let mut transaction = self.write().await?;
        let found = self.conversation_in(&mut transaction, id).await?;
        if !found.taken.is_some_and(|taken| force || taken.person == person) {
            return Err(StoreError::NotTaken(id.0.clone()));
        }
        sqlx::query(
            "UPDATE conversations SET taken_by = NULL, taken_at = NULL, last = max(last, ?2) WHERE id = ?1",
        )
        .bind(&id.0)
        .bind(at.0)
        .execute(&mut *transaction)
        .await
        .map_err(fault)?;
        transaction.commit().await.map_err(fault)
    }

    /// Adds a colleague's words.
    ///
    /// # Errors
    /// [`StoreError::NotTaken`] where this person does not have the conversation, [`StoreError::NoConversation`].
    pub async fn say(
        &self,
        id: &ConversationId,
        person: &str,
        text: &str,
        at: UnixMillis,
    ) -> Result<Line, StoreError> {
        self.add_line(id, Some(person), text, at, true).await
    }

    /// Adds a customer's words that a colleague will answer, so that no turn is made of them.
    ///
    /// # Errors
    /// [`StoreError::NotTaken`] where no colleague has the conversation any longer: they are a question to the
    /// assistant then. [`StoreError::NoConversation`].
    pub async fn customer_line(
        &self,
        id: &ConversationId,
        text: &str,
        at: UnixMillis,
    ) -> Result<Line, StoreError> {
        self.add_line(id, None, text, at, true).await
    }

    /// Adds what a customer says to whichever colleague comes; no turn is made of it.
    ///
    /// # Errors
    /// [`StoreError::NoConversation`].
    pub async fn customer_wish(
        &self,
        id: &ConversationId,
        text: &str,
        at: UnixMillis,
    ) -> Result<Line, StoreError> {
        self.add_line(id, None, text, at, false).await
    }

    async fn add_line(
        &self,
        id: &ConversationId,
        person: Option<&str>,
        text: &str,
        at: UnixMillis,
        taken: bool,
    ) -> Result<Line, StoreError> {
        let fault = |error| self.fault(error);
        let mut transaction = self.write().await?;
        let added = sqlx::query(
            "INSERT INTO lines (conversation, speaker, person, text, at)
             SELECT id, iif(?2 IS NULL, 'customer', 'colleague'), ?2, ?3, ?4 FROM conversations
             WHERE id = ?1 AND (NOT ?5 OR taken_by IS NOT NULL) AND (?2 IS NULL OR taken_by = ?2)",
        )
        .bind(&id.0)
        .bind(person)
        .bind(text)
        .bind(at.0)
        .bind(taken)
        .execute(&mut *transaction)
        .await
        .map_err(fault)?;
        if added.rows_affected() == 0 {
            self.conversation_in(&mut transaction, id).await?;
            return Err(StoreError::NotTaken(id.0.clone()));
        }
        let line = self.line(&mut transaction, added.last_insert_rowid()).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(line)
    }
}
