//! A turn to its reader: the engine's events, each asked for at the conversation's lock before it goes out, and the
//! end only after what became of the turn is written down.
//!
//! It runs as a task of its own. A reader that leaves cancels the turn, which still settles what it used.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use mostrador_answer::engine::Turn;
use mostrador_answer::event::{Citation, Closing, Event};
use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::{Asked, ConversationId, CustomerId, Previous, Session, TurnId};
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_language::{Lang, TextKey, fill};
use mostrador_store::{StoreError, TurnRecord};
use tokio::sync::mpsc;
use tracing::Instrument;

use crate::app::App;
use crate::genai;
use crate::record::Said;
use crate::talk::{Gone, Talk, Ticket};
use crate::version::Version;

/// How many things may wait for a slow reader.
const WAITING: usize = 16;

/// What a reader is sent.
#[derive(Debug, Clone)]
pub(crate) enum Out {
    Sentence(String),
    Citation(Box<Citation>),
    Notice { key: TextKey, text: String },
    Done(Box<Done>),
}

/// The end of a turn, as a reader sees it.
#[derive(Debug, Clone)]
pub(crate) struct Done {
    pub(crate) turn: TurnId,
    pub(crate) conversation: Option<ConversationId>,
    pub(crate) ending: &'static str,
    pub(crate) language: Lang,
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
    /// The limit that was passed, where one was.
    pub(crate) limit: Option<String>,
}

/// How turns end that the engine did not end.
pub(crate) const COLLEAGUE: &str = "colleague";
pub(crate) const SUPERSEDED: &str = "superseded";
pub(crate) const INTERRUPTED: &str = "interrupted";

/// Who asks, as a request has it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asker {
    pub(crate) customer: Option<CustomerId>,
    pub(crate) locale: Option<Lang>,
    pub(crate) reply_to: Option<String>,
    pub(crate) address: Option<IpAddr>,
}

/// A question that may be answered now.
pub(crate) struct Job {
    pub(crate) version: Arc<Version>,
    pub(crate) ticket: Ticket,
    pub(crate) asker: Asker,
    /// Whether it belongs to a conversation that is kept.
    pub(crate) kept: bool,
    /// The turn before, where the request says it.
    pub(crate) previous: Option<Previous>,
}

/// Starts a turn as a task of its own; what it has to say arrives in the receiver.
pub(crate) fn start(app: &Arc<App>, job: Job) -> mpsc::Receiver<Out> {
    let (sender, receiver) = mpsc::channel(WAITING);
    let pump = Pump { app: Arc::clone(app), out: sender, said: Said::default() };
    let span = genai::turn(&job.version.engine.ports().model.id());
    app.tasks.spawn(pump.run(job).instrument(span));
    receiver
}

struct Pump {
    app: Arc<App>,
    out: mpsc::Sender<Out>,
    said: Said,
}

/// Why a turn is not listened to any longer.
enum Cut {
    /// The reader has left, or does not read.
    Left,
    /// The conversation's lock was taken.
    Gone(Gone),
    /// The program ends.
    Interrupted,
}

impl Pump {
    async fn run(mut self, job: Job) {
        let Job { version, ticket, asker, kept, previous } = job;
        let began = self.app.metrics.now();
        let Asker { customer, locale, reply_to, address } = asker;
        let conversation = kept.then(|| ticket.talk.id.clone());
        let previous = previous.or_else(|| ticket.previous.clone());
        let reply_to = reply_to.or_else(|| ticket.talk.address());
        let session = Session {
            customer: customer.clone(),
            locale,
            conversation: conversation.clone(),
            reply_to,
            address,
            // By whoever took the question in.
            counted: true,
            ..Session::default()
        };
        let asked = Asked { text: ticket.question(), session, previous, ..Asked::default() };
        let mut turn = version.engine.start(asked);
        let facts = turn.facts().clone();
        // One that is longer is not answered, and not kept whole.
        let most = version.engine.settings().intake.max_characters;
        let question: String = turn.question().chars().take(most).collect();
        let heard = self.hear(&mut turn, &ticket).await;
        let (closing, cut) = match heard {
            Ok(closing) => (Some(closing), None),
            Err(cut) => {
                // The turn is cancelled, and has settled what it used when this is over. Why it was is known here and
                // not there.
                let used = turn.leave().await;
                let used = used.map(|used| Closing { rule: None, evidence: String::new(), ..used });
                // A message that came meanwhile has taken the question over.
                let taken_over = self.said.text().is_empty() && ticket.is_superseded();
                (used, Some(if taken_over { Cut::Gone(Gone::Superseded) } else { cut }))
            }
        };
        if cut.is_none() {
            ticket.remember(&question, self.said.text());
        }
        if let Some(closing) = &closing {
            self.app.metrics.turn(closing);
        }
        let ending = match (&cut, &closing) {
            (Some(Cut::Gone(Gone::Colleague)), _) => COLLEAGUE,
            (Some(Cut::Gone(Gone::Superseded)), _) => SUPERSEDED,
            (Some(Cut::Interrupted), _) => INTERRUPTED,
            (None, Some(closing)) => closing.ending.name(),
            (Some(Cut::Left | Cut::Gone(Gone::Erased)), _) | (None, None) => Ending::Cancelled.name(),
        };
        let took = self.app.metrics.now().saturating_sub(began);
        self.app.metrics.ended(ending, took);
        genai::ended(&tracing::Span::current(), &facts.turn.0, ending, closing.as_ref());
        let done = Done {
            turn: facts.turn.clone(),
            conversation: conversation.clone(),
            ending,
            language: facts.language,
            input_tokens: closing.as_ref().map_or(0, |closing| closing.usage.input_tokens),
            output_tokens: closing.as_ref().map_or(0, |closing| closing.usage.output_tokens),
            limit: closing.as_ref().and_then(limit),
        };
        // A message that a newer one is answered with is written down with that one, and of whoever asks too often
        // nothing is kept.
        if ending != SUPERSEDED && done.limit.is_none() {
            let took = i64::try_from(took.as_millis()).unwrap_or(i64::MAX);
            let said = &self.said;
            let record = said.record(&done, question, customer, facts.at, closing.as_ref(), took);
            match self.keep(&ticket, &record).await {
                Ok(()) => {}
                // By another process; what this one erases is marked.
                Err(StoreError::NoConversation(_)) => ticket.talk.erase(),
                Err(error) => {
                    tracing::error!(turn = %facts.turn.0, %error, "a turn could not be written down");
                    self.app.metrics.unrecorded();
                    self.notice(&version, facts.language, TextKey::Unavailable).await;
                    let done = Done { ending: Ending::Failed.name(), ..done };
                    let _ = self.send(Out::Done(Box::new(done))).await;
                    return;
                }
            }
        }
        if ticket.talk.is_erased() {
            // What was written at the same moment may stand behind the erasure, and of a turn that is not kept itself
            // the rooms have written something down.
            self.erased(&ticket, &facts.turn).await;
        }
        // Free for the next message before the reader has read the end of this one.
        drop(ticket);
        match ending {
            COLLEAGUE => self.notice(&version, facts.language, TextKey::Colleague).await,
            INTERRUPTED => self.notice(&version, facts.language, TextKey::Interrupted).await,
            _ => {}
        }
        let _ = self.send(Out::Done(Box::new(done))).await;
    }

    /// Erased while the answer was under way: nothing of it is kept, also not what the rooms wrote down.
    async fn erased(&self, ticket: &Ticket, turn: &TurnId) {
        self.app.desk.forget(&ticket.talk.id);
        let store = &self.app.store;
        let gone = store.erase_conversation(&ticket.talk.id).await.and(store.erase_turn(turn).await);
        if let Err(error) = gone {
            tracing::error!(turn = %turn.0, %error, "what was written of an erased turn could not be erased");
        }
    }

    async fn keep(&self, ticket: &Ticket, record: &TurnRecord) -> Result<(), StoreError> {
        if record.conversation.is_none() || ticket.talk.is_stored() {
            return self.app.store.keep_turn(record).await;
        }
        // Queued in this order, so that both share a transaction.
        let (opened, kept) = tokio::join!(self.app.desk.keep(&ticket.talk), self.app.store.keep_turn(record));
        opened?;
        kept
    }

    /// Passes on what the turn says, until its end.
    async fn hear(&mut self, turn: &mut Turn, ticket: &Ticket) -> Result<Closing, Cut> {
        loop {
            let event = tokio::select! {
                biased;
                () = ticket.stop.cancelled() => return Err(Cut::Gone(ticket.gone())),
                () = self.app.closing.cancelled() => return Err(Cut::Interrupted),
                () = self.out.closed() => return Err(Cut::Left),
                event = turn.next() => event,
            };
            let out = match event {
                Some(Event::Sentence(sentence)) => {
                    ticket.may_show().map_err(Cut::Gone)?;
                    self.said.add(&Out::Sentence(sentence.kept().to_owned()));
                    self.show(Out::Sentence(sentence.text().to_owned()), ticket).await?;
                    continue;
                }
                Some(Event::Citation(citation)) => Out::Citation(Box::new(citation)),
                Some(Event::Notice(notice)) => {
                    Out::Notice { key: notice.key, text: notice.text().to_owned() }
                }
                Some(Event::Done(closing)) => return Ok(*closing),
                // The task was lost with its runtime, or says something this does not know.
                Some(_) => continue,
                None => return Err(Cut::Interrupted),
            };
            ticket.may_show().map_err(Cut::Gone)?;
            self.said.add(&out);
            self.show(out, ticket).await?;
        }
    }

    async fn notice(&mut self, version: &Version, language: Lang, key: TextKey) {
        let text = version.engine.settings().texts(language).get(&key).cloned().unwrap_or_default();
        let _ = self.send(Out::Notice { key, text }).await;
    }

    /// Shows something, unless the lock is taken or the program ends while a slow reader is waited for.
    async fn show(&self, out: Out, ticket: &Ticket) -> Result<(), Cut> {
        let patience = self.app.with_config(|config| Duration::from_secs(config.write_seconds.get()));
        tokio::select! {
            biased;
            sent = self.out.send_timeout(out, patience) => sent.map_err(|_| Cut::Left),
            () = ticket.stop.cancelled() => Err(Cut::Gone(ticket.gone())),
            () = self.app.closing.cancelled() => Err(Cut::Interrupted),
        }
    }

    /// Sends what ends an answer; when the program ends, a reader who does not read is not waited for.
    async fn send(&self, out: Out) -> Result<(), ()> {
        let patience = self.app.with_config(|config| Duration::from_secs(config.write_seconds.get()));
        let last = out.clone();
        tokio::select! {
            biased;
            sent = self.out.send_timeout(out, patience) => sent.map_err(|_| ()),
            () = self.app.closing.cancelled() => self.out.try_send(last).map_err(|_| ()),
        }
    }
}

fn limit(closing: &Closing) -> Option<String> {
    closing.rule.as_ref().and_then(|rule| rule.0.strip_prefix(RuleName::LIMIT)).map(str::to_owned)
}

/// What a customer reads whose words go to the colleague who has the conversation.
pub(crate) fn passed_on(version: &Version, talk: &Talk, at: UnixMillis) -> Vec<Out> {
    let language = talk.language();
    let text = version.engine.settings().texts(language).get(&TextKey::Colleague).cloned();
    let done = unanswered(talk, COLLEAGUE, at);
    vec![Out::Notice { key: TextKey::Colleague, text: text.unwrap_or_default() }, Out::Done(Box::new(done))]
}

/// What a customer reads whose message could not be taken.
pub(crate) fn failed(version: &Version, talk: &Talk, at: UnixMillis) -> Vec<Out> {
    ended_with(version, talk, TextKey::Unavailable, Ending::Failed, at)
}

/// What a customer reads whose message is too long for a colleague too.
pub(crate) fn too_long(version: &Version, talk: &Talk, at: UnixMillis) -> Vec<Out> {
    ended_with(version, talk, TextKey::TooLong, Ending::Refused, at)
}

fn ended_with(version: &Version, talk: &Talk, key: TextKey, ending: Ending, at: UnixMillis) -> Vec<Out> {
    let most = version.engine.settings().intake.max_characters.to_string();
    let text = version.engine.settings().texts(talk.language()).get(&key);
    let text = text.map(|text| fill(text, &[("limit", &most)])).unwrap_or_default();
    vec![Out::Notice { key, text }, Out::Done(Box::new(unanswered(talk, ending.name(), at)))]
}

/// The end of a message that no turn was made for.
pub(crate) fn unanswered(talk: &Talk, ending: &'static str, at: UnixMillis) -> Done {
    Done {
        turn: TurnId(format!("{}-{}", talk.id.0, at.0)),
        conversation: Some(talk.id.clone()),
        ending,
        language: talk.language(),
        input_tokens: 0,
        output_tokens: 0,
        limit: None,
    }
}
