//! The desk: the conversations under way, and what colleagues do in them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mostrador_answer::ports::{Clock, UnixMillis};
use mostrador_answer::question::{ConversationId, CustomerId, Previous};
use mostrador_answer::redaction::without;
use mostrador_language::Lang;
use mostrador_store::{Conversation, Line, Speaker, Store, StoreError};

use crate::app::random_name;
use crate::error::ServeError;
use crate::talk::{Known, Seized, Talk};

/// So many conversations may be kept in memory before quiet ones are let go.
const MOST_QUIET: usize = 4_096;

/// How long a conversation is quiet before it is let go.
const QUIET: i64 = 60_000;

/// How long a colleague waits for an answer under way to be written down.
const SETTLING: Duration = Duration::from_secs(5);

/// The lines that tell what was asked and answered last.
const LAST_LINES: usize = 4;

/// The conversations under way.
pub(crate) struct Desk {
    store: Store,
    clock: Arc<dyn Clock>,
    talks: Mutex<Talks>,
    /// Colleagues take and give back one after the other.
    deciding: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Talks {
    by_id: HashMap<ConversationId, Arc<Talk>>,
    /// When as many as this are there, quiet ones are looked for.
    tidy_at: usize,
}

impl Desk {
    pub(crate) fn new(store: Store, clock: Arc<dyn Clock>) -> Self {
        let talks = Talks { by_id: HashMap::new(), tidy_at: MOST_QUIET };
        Self { store, clock, talks: Mutex::new(talks), deciding: tokio::sync::Mutex::new(()) }
    }

    fn talks(&self) -> MutexGuard<'_, Talks> {
        self.talks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new conversation. The store hears of it with its first turn, or by [`Desk::keep`].
    pub(crate) fn begin(
        &self,
        customer: Option<CustomerId>,
        language: Lang,
        address: Option<String>,
    ) -> Result<Arc<Talk>, ServeError> {
        let id = ConversationId(random_name()?);
        let known = Known { id, customer, language, address, stored: false, taken: None, previous: None };
        Ok(self.put(Talk::new(known, self.clock.now())))
    }

    /// A conversation of this customer; `None` where there is none, or it is somebody else's: what is not theirs does
    /// not exist for them.
    pub(crate) async fn talk(
        &self,
        id: &ConversationId,
        customer: Option<&CustomerId>,
    ) -> Result<Option<Arc<Talk>>, StoreError> {
        let talk = self.any(id).await?;
        Ok(talk.filter(|talk| talk.customer.as_ref() == customer))
    }

    /// A conversation, whoever's it is: for colleagues.
    async fn any(&self, id: &ConversationId) -> Result<Option<Arc<Talk>>, StoreError> {
        let quiet_since = UnixMillis(self.clock.now().0.saturating_sub(QUIET));
        {
            let mut talks = self.talks();
            match talks.by_id.get(id) {
                // What another process did to it is read with its first use after a while.
                Some(talk)
                    if talk.is_stored() && Arc::strong_count(talk) == 1 && talk.is_idle(quiet_since) =>
                {
                    talks.by_id.remove(id);
                }
                Some(talk) => return Ok(Some(Arc::clone(talk))),
                None => {}
            }
        }
        let Some(conversation) = self.store.conversation(id).await? else { return Ok(None) };
        let previous = previous(&self.store.last_lines(id, LAST_LINES).await?);
        let Conversation { id, customer, language, address, taken, .. } = conversation;
        let taken = taken.map(|taken| taken.person);
        let known = Known { id, customer, language, address, stored: true, taken, previous };
        Ok(Some(self.put(Talk::new(known, self.clock.now()))))
    }

    /// Keeps it in memory, unless another request has meanwhile.
    fn put(&self, talk: Talk) -> Arc<Talk> {
        let quiet_since = UnixMillis(self.clock.now().0.saturating_sub(QUIET));
        let mut talks = self.talks();
        if talks.by_id.len() >= talks.tidy_at {
            // Whoever holds one still needs it; the store has all the others.
            talks.by_id.retain(|_, talk| Arc::strong_count(talk) > 1 || !talk.is_idle(quiet_since));
            talks.tidy_at = MOST_QUIET.max(talks.by_id.len() * 2);
        }
        Arc::clone(talks.by_id.entry(talk.id.clone()).or_insert_with(|| Arc::new(talk)))
    }

    /// Writes a conversation down that has had no turn yet.
    pub(crate) async fn keep(&self, talk: &Talk) -> Result<(), StoreError> {
        if talk.is_erased() {
            return Err(StoreError::NoConversation(talk.id.0.clone()));
        }
        if talk.is_stored() {
            return Ok(());
        }
        let now = self.clock.now();
        let conversation = Conversation {
            id: talk.id.clone(),
            customer: talk.customer.clone(),
            language: talk.language(),
            address: talk.address(),
            started: now,
            last: now,
            taken: None,
        };
        match self.store.open_conversation(&conversation).await {
            // The name is ours and nobody guesses it: another request has written it down at this moment.
            Ok(()) | Err(StoreError::OpenBefore(_)) => talk.set_stored(),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// A colleague takes a conversation: from this moment the assistant shows nothing more in it. An answer under way
    /// is stopped, and what was read of it is written down first, then what waited for an answer. `redact`: whether what
    /// is personal is taken out of that.
    pub(crate) async fn take_over(
        self: &Arc<Self>,
        id: &ConversationId,
        person: &str,
        redact: bool,
    ) -> Result<(), StoreError> {
        let Some(talk) = self.any(id).await? else {
            return Err(StoreError::NoConversation(id.0.clone()));
        };
        let (desk, person) = (Arc::clone(self), person.to_owned());
        // A task of its own: a colleague who closes the page in the middle does not leave it half taken.
        let taking = tokio::spawn(async move { desk.take(&talk, &person, redact).await });
        taking.await.unwrap_or_else(|_| Err(StoreError::NoConversation(id.0.clone())))
    }

    async fn take(&self, talk: &Talk, person: &str, redact: bool) -> Result<(), StoreError> {
        let _one = self.deciding.lock().await;
        self.keep(talk).await?;
        let mut changes = talk.changes();
        let Seized { before, unanswered } = talk.seize(person, self.clock.now());
        let settled = async {
            while talk.is_busy() {
                let _ = changes.changed().await;
            }
        };
        // One that hangs shows nothing more all the same.
        let _ = tokio::time::timeout(SETTLING, settled).await;
        for text in unanswered {
            let text = if redact { without(&text) } else { text };
            if let Err(error) = self.store.customer_wish(&talk.id, &text, self.clock.now()).await {
                // Whoever takes over does so all the same: the lock is set, and only what follows decides it.
                tracing::error!(%error, "a message that waited could not be given to the colleague");
            }
        }
        let taken = self.store.take_over(&talk.id, person, self.clock.now()).await;
        talk.decided(match &taken {
            Ok(taken) | Err(StoreError::TakenBefore { taken }) => Some(taken.person.clone()),
            Err(_) => before,
        });
        taken.map(|_| ())
    }

    /// A colleague gives it back: the assistant answers what comes next, and nothing that came before.
    pub(crate) async fn give_back(
        self: &Arc<Self>,
        id: &ConversationId,
        person: &str,
        force: bool,
    ) -> Result<(), StoreError> {
        let (desk, id, person) = (Arc::clone(self), id.clone(), person.to_owned());
        let gone = StoreError::NoConversation(id.0.clone());
        // A task of its own, as taking over is.
        let giving = tokio::spawn(async move {
            let _one = desk.deciding.lock().await;
            desk.store.give_back(&id, &person, desk.clock.now(), force).await?;
            if let Some(talk) = desk.any(&id).await? {
                talk.decided(None);
            }
            Ok(())
        });
        giving.await.unwrap_or(Err(gone))
    }

    /// Asks the store who has a conversation, where this process may be wrong about it.
    pub(crate) async fn refresh(&self, talk: &Talk) -> Result<(), StoreError> {
        talk.until_decided().await;
        let decisions = talk.decisions();
        let kept = self.store.conversation(&talk.id).await?;
        talk.refresh(kept.and_then(|kept| kept.taken).map(|taken| taken.person), decisions);
        Ok(())
    }

    /// A colleague's words to the customer.
    pub(crate) async fn say(
        &self,
        id: &ConversationId,
        person: &str,
        text: &str,
    ) -> Result<Line, StoreError> {
        let line = self.store.say(id, person, text, self.clock.now()).await?;
        self.told(id);
        Ok(line)
    }

    /// Wakes whoever reads this conversation: something was written in it.
    pub(crate) fn told(&self, id: &ConversationId) {
        if let Some(talk) = self.talks().by_id.get(id) {
            talk.tell();
        }
    }

    /// Forgets a conversation that was erased: nothing more is kept of an answer under way in it.
    pub(crate) fn forget(&self, id: &ConversationId) {
        let gone = self.talks().by_id.remove(id);
        if let Some(talk) = gone {
            talk.erase();
        }
    }

    /// Forgets the conversations of a customer, those among them that the store does not know yet.
    pub(crate) fn forget_customer(&self, customer: &CustomerId) {
        let theirs: Vec<_> =
            self.talks().by_id.extract_if(|_, talk| talk.customer.as_ref() == Some(customer)).collect();
        theirs.iter().for_each(|(_, talk)| talk.erase());
    }

    /// Forgets what another process has erased from the store.
    pub(crate) async fn forget_missing(&self) -> Result<(), StoreError> {
        let stored: Vec<ConversationId> = {
            let talks = self.talks();
            talks.by_id.values().filter(|talk| talk.is_stored()).map(|talk| talk.id.clone()).collect()
        };
        if stored.is_empty() {
            return Ok(());
        }
        self.store.missing_conversations(&stored).await?.iter().for_each(|id| self.forget(id));
        Ok(())
    }
}

/// The last question with its answer.
fn previous(lines: &[Line]) -> Option<Previous> {
    let asked = lines.iter().rposition(|line| line.speaker == Speaker::Customer)?;
    let question = lines.get(asked)?.text.clone();
    let answers: Vec<&str> = lines.iter().skip(asked + 1).map(|line| line.text.as_str()).collect();
    let answer = (!answers.is_empty()).then(|| answers.join("\n"));
    Some(Previous { question, answer })
}
