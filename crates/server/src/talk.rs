//! A conversation under way: the one lock that the assistant and a colleague share.
//!
//! Whoever shows something to the customer asks here first, under the lock. A colleague who takes over sets the lock
//! before anything else, so that no sentence of the assistant follows, also none of an answer that had begun.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::{ConversationId, CustomerId, Previous};
use mostrador_language::Lang;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The most messages that may wait in one conversation.
const MOST_PENDING: usize = 20;

/// What a message of the customer came to.
pub(crate) enum Entered {
    /// It is answered, together with those before it that nobody answered.
    Answer(Ticket),
    /// A colleague has the conversation.
    Colleague,
    /// A newer message is answered for this one too.
    Superseded,
    /// So much waits already that nothing more is taken.
    Full,
    /// The conversation was erased.
    Erased,
}

/// Why the assistant may not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gone {
    /// A colleague has taken over.
    Colleague,
    /// A newer message is answered for this one too.
    Superseded,
    /// The conversation was erased.
    Erased,
}

/// A message that nobody has answered yet.
struct Message {
    number: u64,
    text: String,
    /// Whether its sender was told that a newer one is answered for it too: nobody else speaks for it any more.
    left_to_newer: bool,
}

/// A conversation under way.
pub(crate) struct Talk {
    pub(crate) id: ConversationId,
    /// Whose it is; `None`: of somebody who is not signed in.
    pub(crate) customer: Option<CustomerId>,
    state: Mutex<State>,
    changed: watch::Sender<u64>,
}

struct State {
    language: Lang,
    address: Option<String>,
    /// Whether the store knows it.
    stored: bool,
    taken: Option<String>,
    /// A colleague is about to take it: the lock is set here, and the store does not know yet.
    taking: bool,
    /// It was erased: nothing of it is kept any longer.
    erased: bool,
    previous: Option<Previous>,
    /// The number of the newest message.
    newest: u64,
    /// Messages that nobody has answered yet, oldest first.
    pending: Vec<Message>,
    running: Option<Running>,
    /// Answers that were stopped for a newer message and are not over yet: what they hold is not free before.
    settling: usize,
    /// How often it was decided who has the conversation.
    decisions: u64,
    used: UnixMillis,
}

struct Running {
    number: u64,
    messages: Vec<Message>,
    /// Whether the customer has read something of the answer.
    shown: bool,
    stop: CancellationToken,
}

/// What is known of a conversation when it is opened.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) id: ConversationId,
    pub(crate) customer: Option<CustomerId>,
    pub(crate) language: Lang,
    pub(crate) address: Option<String>,
    pub(crate) stored: bool,
    pub(crate) taken: Option<String>,
    pub(crate) previous: Option<Previous>,
}

impl Talk {
    pub(crate) fn new(known: Known, now: UnixMillis) -> Self {
        let Known { id, customer, language, address, stored, taken, previous } = known;
        let state = State {
            language,
            address,
            stored,
            taken,
            taking: false,
            erased: false,
            previous,
            newest: 0,
            pending: Vec::new(),
            running: None,
            settling: 0,
            decisions: 0,
            used: now,
        };
        Self { id, customer, state: Mutex::new(state), changed: watch::Sender::new(0) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells of each change: a new line, a colleague who comes or goes, an answer that ended.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub(crate) fn tell(&self) {
        self.changed.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Waits for the customer's turn. `burst`: how long to wait for a newer message first; `most`: the most characters
    /// of messages that are answered as one.
    pub(crate) async fn enter(
        self: &Arc<Self>,
        text: String,
        burst: Duration,
        most: usize,
        now: UnixMillis,
    ) -> Entered {
        let mut changes = self.changes();
        let number = {
            let mut state = self.state();
            state.used = now;
            if state.erased {
                return Entered::Erased;
            }
            if state.taken.is_some() {
                return Entered::Colleague;
            }
            let waiting = length(&state.pending);
            let length_with = |more: usize| waiting.saturating_add(more).saturating_add(text.chars().count());
            // One that is too long by itself is refused for that, and not for what waits.
            if state.pending.len() >= MOST_PENDING || (!state.pending.is_empty() && length_with(0) > most) {
                return Entered::Full;
            }
            state.newest += 1;
            let number = state.newest;
            // Nothing was read of it: the newer message is answered together with its own, if both are one question.
            let joins =
                |running: &mut Running| !running.shown && length_with(length(&running.messages)) <= most;
            if let Some(mut running) = state.running.take_if(joins) {
                running.stop.cancel();
                state.settling += 1;
                running.messages.iter_mut().for_each(|message| message.left_to_newer = true);
                // What ran is older than all that waits.
                state.pending.splice(0..0, running.messages);
            }
            state.pending.push(Message { number, text, left_to_newer: false });
            number
        };
        let mut waiting = Waiting { talk: self, number, over: false };
        self.tell();
        if !burst.is_zero() {
            tokio::time::sleep(burst).await;
        }
        loop {
            changes.mark_unchanged();
            if let Some(entered) = self.try_enter(number) {
                waiting.over = true;
                return entered;
            }
            // The sender lives as long as this does.
            let _ = changes.changed().await;
        }
    }

    fn try_enter(self: &Arc<Self>, number: u64) -> Option<Entered> {
        let mut state = self.state();
        if state.erased {
            return Some(Entered::Erased);
        }
        if state.taken.is_some() {
            return Some(Entered::Colleague);
        }
        if state.newest != number {
            let ours = state.pending.iter_mut().find(|message| message.number == number);
            ours.into_iter().for_each(|message| message.left_to_newer = true);
            return Some(Entered::Superseded);
        }
        if state.running.is_some() || state.settling > 0 {
            return None;
        }
        let messages = std::mem::take(&mut state.pending);
        let stop = CancellationToken::new();
        let question = messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n");
        state.running = Some(Running { number, messages, shown: false, stop: stop.clone() });
        let previous = state.previous.clone();
        Some(Entered::Answer(Ticket { talk: Arc::clone(self), number, question, previous, stop }))
    }

    /// A colleague takes the conversation. An answer under way is stopped.
    pub(crate) fn seize(&self, person: &str, now: UnixMillis) -> Seized {
        let seized = {
            let mut state = self.state();
            state.used = now;
            if let Some(running) = &state.running {
                running.stop.cancel();
            }
            // The others speak for themselves: they find that a colleague has the conversation.
            let left = std::mem::take(&mut state.pending).into_iter().filter(|message| message.left_to_newer);
            let unanswered = left.map(|message| message.text).collect();
            state.taking = true;
            Seized { before: state.taken.replace(person.to_owned()), unanswered }
        };
        self.tell();
        seized
    }

    /// The store has decided who has the conversation.
    pub(crate) fn decided(&self, taken: Option<String>) {
        {
            let mut state = self.state();
            state.taken = taken;
            state.taking = false;
            state.decisions = state.decisions.wrapping_add(1);
        }
        self.tell();
    }

    /// How often it was decided who has the conversation: asked before the store is read, see [`Talk::refresh`].
    pub(crate) fn decisions(&self) -> u64 {
        self.state().decisions
    }

    /// Sets who has the conversation, as the store said; not where a colleague took it or is about to take it since
    /// there were so many `decisions`.
    pub(crate) fn refresh(&self, taken: Option<String>, decisions: u64) {
        {
            let mut state = self.state();
            if state.taking || state.decisions != decisions {
                return;
            }
            state.taken = taken;
        }
        self.tell();
    }

    /// Waits while a colleague is about to take it.
    pub(crate) async fn until_decided(&self) {
        let mut changes = self.changes();
        let undecided = || {
            let state = self.state();
            state.taking && !state.erased
        };
        while undecided() {
            // The sender lives as long as this does.
            let _ = changes.changed().await;
        }
    }

    /// It was erased: an answer under way is stopped, and nothing more of it is kept.
    pub(crate) fn erase(&self) {
        {
            let mut state = self.state();
            state.erased = true;
            state.previous = None;
            state.address = None;
            state.pending.clear();
            if let Some(running) = &state.running {
                running.stop.cancel();
            }
        }
        self.tell();
    }

    pub(crate) fn is_erased(&self) -> bool {
        self.state().erased
    }

    pub(crate) fn taken(&self) -> Option<String> {
        self.state().taken.clone()
    }

    /// Whether an answer is under way.
    pub(crate) fn is_busy(&self) -> bool {
        let state = self.state();
        state.running.is_some() || state.settling > 0
    }

    pub(crate) fn language(&self) -> Lang {
        self.state().language
    }

    pub(crate) fn address(&self) -> Option<String> {
        self.state().address.clone()
    }

    pub(crate) fn set_address(&self, address: &str) {
        self.state().address = Some(address.to_owned());
    }

    /// Whether the store knows it.
    pub(crate) fn is_stored(&self) -> bool {
        self.state().stored
    }

    pub(crate) fn set_stored(&self) {
        self.state().stored = true;
    }

    /// Whether it has been quiet since `before` and can be read from the store again.
    pub(crate) fn is_idle(&self, before: UnixMillis) -> bool {
        let state = self.state();
        // What waits has its turn within that time, or nobody waits for it any more.
        state.running.is_none() && state.settling == 0 && state.used < before
    }
}

/// What a colleague finds who takes a conversation.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Seized {
    /// Who had it.
    pub(crate) before: Option<String>,
    /// Messages whose senders were told that a newer one is answered for them too, oldest first: nobody else brings
    /// them to the colleague.
    pub(crate) unanswered: Vec<String>,
}

/// The characters of some messages.
fn length(messages: &[Message]) -> usize {
    messages.iter().map(|message| message.text.chars().count() + 1).sum()
}

/// A message that waits; dropped before its turn, its customer has left.
struct Waiting<'t> {
    talk: &'t Talk,
    number: u64,
    over: bool,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        let mut state = self.talk.state();
        // What others were told a newer message is answered for stays, for the next one.
        let left_to_this = state.newest == self.number && state.pending.len() > 1;
        if !left_to_this {
            state.pending.retain(|message| message.number != self.number);
        }
    }
}

/// The right to answer. Dropped, the conversation is free for the next message.
pub(crate) struct Ticket {
    pub(crate) talk: Arc<Talk>,
    number: u64,
    question: String,
    pub(crate) previous: Option<Previous>,
    /// Cancelled when a colleague takes over or a newer message comes before anything was read.
    pub(crate) stop: CancellationToken,
}

impl Ticket {
    /// The messages it answers, as one question.
    pub(crate) fn question(&self) -> String {
        self.question.clone()
    }

    /// Asked before each thing that is shown; once it is `Ok`, the customer counts as having read of this answer.
    pub(crate) fn may_show(&self) -> Result<(), Gone> {
        let mut state = self.talk.state();
        if state.erased {
            return Err(Gone::Erased);
        }
        if state.taken.is_some() {
            return Err(Gone::Colleague);
        }
        match &mut state.running {
            Some(running) if running.number == self.number => {
                running.shown = true;
                Ok(())
            }
            _ => Err(Gone::Superseded),
        }
    }

    /// Why it was stopped: a newer message has its question where this no longer runs.
    pub(crate) fn gone(&self) -> Gone {
        if self.talk.is_erased() {
            Gone::Erased
        } else if self.is_superseded() {
            Gone::Superseded
        } else {
            Gone::Colleague
        }
    }

    /// Whether a newer message is answered for this one too.
    pub(crate) fn is_superseded(&self) -> bool {
        self.talk.state().running.as_ref().is_none_or(|running| running.number != self.number)
    }

    /// What was asked and read, for the next question.
    pub(crate) fn remember(&self, question: &str, answer: &str) {
        let previous = Previous { question: question.to_owned(), answer: Some(answer.to_owned()) };
        self.talk.state().previous = Some(previous);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        {
            let mut state = self.talk.state();
            if state.running.take_if(|running| running.number == self.number).is_none() {
                state.settling = state.settling.saturating_sub(1);
            }
        }
        self.talk.tell();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk() -> Arc<Talk> {
        let known = Known {
            id: ConversationId("talk".to_owned()),
            customer: None,
            language: Lang::EN,
            address: None,
            stored: true,
            taken: None,
            previous: None,
        };
        Arc::new(Talk::new(known, UnixMillis(0)))
    }

    /// The most characters of messages that are answered as one.
    const MOST: usize = 200;

    async fn enter(talk: &Arc<Talk>, text: &str) -> Entered {
        talk.enter(text.to_owned(), Duration::ZERO, MOST, UnixMillis(0)).await
    }

    #[tokio::test]
    async fn a_burst_gets_one_answer() {
        let talk = talk();
        let Entered::Answer(first) = enter(&talk, "Hello").await else { panic!("nobody was before") };
        let second = waits(&talk, "I have a question");
        tokio::task::yield_now().await;
        assert_eq!(first.may_show(), Err(Gone::Superseded));
        assert!(first.stop.is_cancelled() && !second.is_finished(), "the first is not over yet");
        drop(first);
        let Entered::Answer(second) = second.await.unwrap() else { panic!("the newest") };
        let third = waits(&talk, "What is delivery?");
        tokio::task::yield_now().await;
        drop(second);
        let Entered::Answer(third) = third.await.unwrap() else { panic!("the newest") };
        assert_eq!(third.question(), "Hello\nI have a question\nWhat is delivery?");
        assert_eq!(third.may_show(), Ok(()));
    }

    #[tokio::test]
    async fn what_was_read_is_not_taken_back_and_the_next_waits() {
        let talk = talk();
        let Entered::Answer(first) = enter(&talk, "one").await else { panic!() };
        first.may_show().unwrap();
        let waiting = ["two", "three"].map(|text| {
            let talk = Arc::clone(&talk);
            tokio::spawn(async move { enter(&talk, text).await })
        });
        tokio::task::yield_now().await;
        assert_eq!(first.may_show(), Ok(()));
        drop(first);
        let mut answered = Vec::new();
        for entered in waiting {
            match entered.await.unwrap() {
                Entered::Answer(ticket) => answered.push(ticket.question()),
                Entered::Superseded => {}
                Entered::Colleague | Entered::Full | Entered::Erased => panic!("nobody took over"),
            }
        }
        assert_eq!(answered, ["two\nthree"]);
    }

    #[tokio::test]
    async fn after_a_colleague_took_over_nothing_is_shown() {
        let talk = talk();
        let Entered::Answer(ticket) = enter(&talk, "one").await else { panic!() };
        ticket.may_show().unwrap();
        assert_eq!(talk.seize("eva", UnixMillis(0)), Seized::default());
        assert_eq!(ticket.may_show(), Err(Gone::Colleague));
        assert_eq!(ticket.gone(), Gone::Colleague);
        assert!(ticket.stop.is_cancelled() && talk.is_busy());
        assert!(matches!(enter(&talk, "two").await, Entered::Colleague));
        drop(ticket);
        assert!(!talk.is_busy());
        assert!(futures_util::poll!(std::pin::pin!(talk.until_decided())).is_pending());
        talk.refresh(None, talk.decisions());
        assert!(matches!(enter(&talk, "two").await, Entered::Colleague), "the store has not decided yet");
        talk.decided(None);
        talk.until_decided().await;
        assert!(matches!(enter(&talk, "three").await, Entered::Answer(_)));
    }

    #[tokio::test]
    async fn no_more_waits_than_is_answered_at_once() {
        let talk = talk();
        let Entered::Answer(first) = enter(&talk, "one").await else { panic!() };
        first.may_show().unwrap();
        let mut waiting = Vec::new();
        for _ in 0..MOST_PENDING {
            let mut entering = Box::pin(enter(&talk, "more"));
            assert!(futures_util::poll!(entering.as_mut()).is_pending());
            waiting.push(entering);
        }
        assert!(matches!(enter(&talk, "too much").await, Entered::Full));
    }

    #[tokio::test]
    async fn whoever_leaves_while_waiting_leaves_nothing_behind() {
        let talk = talk();
        let Entered::Answer(first) = enter(&talk, "one").await else { panic!() };
        first.may_show().unwrap();
        {
            let mut left = Box::pin(enter(&talk, "two"));
            assert!(futures_util::poll!(left.as_mut()).is_pending());
        }
        drop(first);
        let Entered::Answer(next) = enter(&talk, "three").await else { panic!() };
        assert_eq!(next.question(), "three");
    }

    /// A message that waits, known to do so.
    fn waits(talk: &Arc<Talk>, text: &str) -> tokio::task::JoinHandle<Entered> {
        let (talk, text) = (Arc::clone(talk), text.to_owned());
        tokio::spawn(async move { enter(&talk, &text).await })
    }

    /// A first message that is answered, a second that was left to the third, and the third, which waits.
    async fn left_to_the_third(talk: &Arc<Talk>) -> (Ticket, tokio::task::JoinHandle<Entered>) {
        let Entered::Answer(first) = enter(talk, "one").await else { panic!() };
        first.may_show().unwrap();
        let two = waits(talk, "two");
        tokio::task::yield_now().await;
        let three = waits(talk, "three");
        assert!(matches!(two.await.unwrap(), Entered::Superseded));
        (first, three)
    }

    #[tokio::test]
    async fn what_was_left_to_a_newer_message_outlives_whoever_wrote_that() {
        let talk = talk();
        let (first, three) = left_to_the_third(&talk).await;
        three.abort();
        assert!(three.await.is_err());
        drop(first);
        let Entered::Answer(next) = enter(&talk, "four").await else { panic!() };
        assert_eq!(next.question(), "two\nthree\nfour");
    }

    #[tokio::test]
    async fn a_colleague_is_given_what_was_left_to_a_newer_message() {
        let talk = talk();
        let (_first, three) = left_to_the_third(&talk).await;
        let seized = talk.seize("eva", UnixMillis(0));
        assert_eq!(seized, Seized { before: None, unanswered: vec!["two".to_owned()] });
        // The newest brings its own words.
        assert!(matches!(three.await.unwrap(), Entered::Colleague));
    }

    #[tokio::test]
    async fn a_message_that_is_too_long_with_those_before_stops_nothing() {
        let talk = talk();
        let half = "a".repeat(MOST * 2 / 3);
        let Entered::Answer(first) = enter(&talk, &half).await else { panic!() };
        let second = waits(&talk, &half);
        tokio::task::yield_now().await;
        assert_eq!(first.may_show(), Ok(()), "it goes on");
        assert!(matches!(enter(&talk, &half).await, Entered::Full));
        drop(first);
        let Entered::Answer(second) = second.await.unwrap() else { panic!("it is its turn") };
        assert_eq!(second.question(), half);
    }

    #[tokio::test]
    async fn in_a_conversation_that_was_erased_nothing_is_shown_and_nothing_asked() {
        let talk = talk();
        let Entered::Answer(first) = enter(&talk, "one").await else { panic!() };
        first.may_show().unwrap();
        let waiting = waits(&talk, "two");
        tokio::task::yield_now().await;
        talk.erase();
        assert_eq!((first.may_show(), first.gone()), (Err(Gone::Erased), Gone::Erased));
        assert!(first.stop.is_cancelled());
        assert!(matches!(waiting.await.unwrap(), Entered::Erased));
        assert!(matches!(enter(&talk, "three").await, Entered::Erased));
    }

    #[test]
    fn what_the_store_said_before_a_decision_does_not_undo_it() {
        let talk = talk();
        let before = talk.decisions();
        talk.seize("eva", UnixMillis(0));
        talk.decided(Some("eva".to_owned()));
        talk.refresh(None, before);
        assert_eq!(talk.taken().as_deref(), Some("eva"));
        talk.refresh(None, talk.decisions());
        assert_eq!(talk.taken(), None);
    }
}
