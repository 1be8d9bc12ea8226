//! The engine: the rooms in order, and a turn as a task that owns itself.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, select};
use mostrador_language::{Detected, Lang, Packs, TextKey, Texts, detect};
use tokio::sync::{mpsc, oneshot};

use crate::budget::{BudgetSettings, Funded, fund};
use crate::dialogue::{Dialogue, DialogueSettings};
use crate::event::{Answer, Closing, Event};
use crate::evidence::{EvidenceSettings, Ground, Grounded, ground};
use crate::gate::{GateSettings, Person, Readings, Strictness};
use crate::intake::{Admitted, IntakeSettings, TurnFacts, admit, enter};
use crate::money::{Micros, Usage};
use crate::ports::{
    Clock, Embed, Ids, Inbox, Index, Ledger, Limits, Lookup, Model, Records, Room, Runtime, StopLog, Timing,
    Unavailable,
};
use crate::promises::PromiseSettings;
use crate::question::Asked;
use crate::redaction::redact;
use crate::refusal::{RefusalSettings, clear};
use crate::release::{Outlet, Policy, ReleaseSettings, whole};
use crate::reply::{Outcome, close};
use crate::retrieval::{RetrievalSettings, Sources, retrieve};
use crate::route::{RouteSettings, Routed, route};
use crate::rules::Rules;
use crate::speech::{Judges, Speech};
use crate::stop::{Ending, RuleName, Stop};
use crate::trace::Trace;
use crate::voice::VoiceSettings;

/// How a shop wants its questions answered: one part a room.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether what is personal in a customer's words is taken out before anything else.
    pub redact: bool,
    /// Of `intake`.
    pub intake: IntakeSettings,
    /// Of `refusal`.
    pub refusal: RefusalSettings,
    /// Of `route`.
    pub route: RouteSettings,
    /// Of `retrieval`.
    pub retrieval: RetrievalSettings,
    /// Of `evidence`.
    pub evidence: EvidenceSettings,
    /// Of `budget`.
    pub budget: BudgetSettings,
    /// Of `dialogue`.
    pub dialogue: DialogueSettings,
    /// Of `rules`.
    pub rules: Rules,
    /// Of `rules` too: what only a person may promise.
    pub promises: PromiseSettings,
    /// Of `gate`.
    pub gate: GateSettings,
    /// Of `voice`.
    pub voice: VoiceSettings,
    /// When text is shown.
    pub release: ReleaseSettings,
    /// The shop's languages, the first first; never empty.
    pub languages: Vec<Lang>,
    /// The language packs, with the shop's own lists.
    pub packs: Packs,
    /// The shop's own fixed texts, by language; a language that is not there has its pack's.
    pub texts: BTreeMap<Lang, Texts>,
}

impl Settings {
    /// The shop's first language.
    #[must_use]
    pub fn first_language(&self) -> Lang {
        self.languages.first().copied().unwrap_or(Lang::EN)
    }

    /// What the words of a model are judged by that only quotes, past a cap: it speaks in the person of the pages and
    /// promises nothing but what they say.
    fn quoting(&self) -> (GateSettings, PromiseSettings) {
        let strictness = Strictness { person: Person::Any, ..self.gate.strictness };
        (GateSettings { strictness, ..self.gate.clone() }, PromiseSettings::default())
    }

    /// The fixed texts of a language: the shop's, else its pack's. Customers of any language there is a
    /// pack for are answered in it, also by a shop whose documents are in another.
    #[must_use]
    pub fn texts(&self, language: Lang) -> &Texts {
        self.texts.get(&language).unwrap_or_else(|| &self.packs.get(language).texts)
    }
}

/// The world, as far as the story needs it.
#[derive(Clone)]
pub struct Ports {
    /// The index that passages are found in.
    pub index: Arc<dyn Index>,
    /// Makes vectors; `None`: search is by words alone.
    pub embed: Option<Arc<dyn Embed>>,
    /// The shop's dated facts; `None`: it keeps none.
    pub records: Option<Arc<dyn Records>>,
    /// Proposes answers.
    pub model: Arc<dyn Model>,
    /// Quotes the documents past a cap, at no cost; `None`: the customer reads the notice then.
    pub cheap: Option<Arc<dyn Model>>,
    /// Looks things up.
    pub lookups: Vec<Arc<dyn Lookup>>,
    /// Keeps money.
    pub ledger: Arc<dyn Ledger>,
    /// Keeps callers from asking too often; `None`: there are no limits.
    pub limits: Option<Arc<dyn Limits>>,
    /// Keeps what colleagues have to see.
    pub inbox: Arc<dyn Inbox>,
    /// Keeps every stop.
    pub stops: Arc<dyn StopLog>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes names.
    pub ids: Arc<dyn Ids>,
    /// Starts tasks.
    pub runtime: Arc<dyn Runtime>,
    /// Takes the time of each room; `None`: nobody asks.
    pub timing: Option<Arc<dyn Timing>>,
}

impl Ports {
    /// The time that a room takes.
    async fn timed<T>(&self, room: Room, work: impl Future<Output = T>) -> T {
        let Some(timing) = &self.timing else {
            return work.await;
        };
        let began = timing.elapsed();
        let done = work.await;
        timing.took(room, timing.elapsed().saturating_sub(began));
        done
    }
}

/// Answers questions for one shop.
pub struct Engine {
    pub(crate) settings: Settings,
    pub(crate) ports: Ports,
    /// What words are judged by where no money is reserved for them.
    quoting: (GateSettings, PromiseSettings),
    readings: Readings,
}

/// A question on its way. Dropping it cancels the turn, which still settles what it used.
#[derive(Debug)]
pub struct Turn {
    facts: TurnFacts,
    question: String,
    events: mpsc::Receiver<Event>,
    /// What it came to, where nobody was there to hear of it.
    finished: oneshot::Receiver<Closing>,
}

/// How many events may wait for a slow reader before the turn waits for them.
const EVENTS_WAITING: usize = 32;

impl Engine {
    /// An engine over a shop's settings and its part of the world.
    ///
    /// Phrases are compiled here, once for all engines that share them: no question waits for that.
    #[must_use]
    pub fn new(settings: Settings, ports: Ports) -> Self {
        settings.refusal.prepare();
        settings.promises.prepare();
        settings.release.prepare();
        Self { quoting: settings.quoting(), settings, ports, readings: Readings::default() }
    }

    /// How this shop wants its questions answered.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The world this engine works with.
    #[must_use]
    pub fn ports(&self) -> &Ports {
        &self.ports
    }

    /// Starts a turn: a task of its own, which outlives the caller as far as settlement goes.
    #[must_use]
    pub fn start(self: &Arc<Self>, asked: Asked) -> Turn {
        let asked = if self.settings.redact { redact(self.cut(asked)) } else { asked };
        let question = asked.text.clone();
        let hidden = asked.session.hidden.clone();
        let (sender, events) = mpsc::channel(EVENTS_WAITING);
        let (running, finished) = oneshot::channel();
        let engine = Arc::clone(self);
        let facts = self.facts(&asked);
        let known = facts.clone();
        let turn = async move {
            if let Some(unheard) = engine.answer(asked, known, Outlet::new(sender, hidden)).await {
                // Whoever dropped the turn does not ask.
                let _ = running.send(unheard);
            }
        };
        self.ports.runtime.spawn(Box::pin(turn));
        Turn { facts, question, events, finished }
    }

    /// A question with no more characters than show that it is too long: nothing reads one of any length before the
    /// room that refuses it.
    fn cut(&self, mut asked: Asked) -> Asked {
        let most = self.settings.intake.max_characters.saturating_add(1);
        if let Some((end, _)) = asked.text.char_indices().nth(most) {
            asked.text.truncate(end);
        }
        asked
    }

    /// A whole answer: a turn's events, collected.
    pub async fn ask(self: &Arc<Self>, asked: Asked) -> Answer {
        self.start(asked).collect().await
    }

    /// What an answer would stand on, with the trace of how it was found. No model is asked.
    pub async fn evidence(&self, asked: Asked) -> (Result<Grounded, Stop>, Trace) {
        let facts = self.facts(&asked);
        let mut trace = Trace::default();
        let grounded = self.ground(asked, facts, &mut trace).await;
        (grounded, trace)
    }

    /// The story. Gives its end where nobody listens any longer.
    async fn answer(&self, asked: Asked, facts: TurnFacts, mut outlet: Outlet) -> Option<Closing> {
        let mut trace = Trace::default();
        // Held until all is written down: a place is free when nothing of its question is under way.
        let place = enter(self.ports.limits.as_deref(), &asked.session, &mut trace).await;
        let funded = match &place {
            Ok(_) => self.fund(asked.clone(), facts.clone(), &mut trace).await,
            Err(stop) => Err(stop.clone()),
        };
        let outcome = match funded {
            Ok(funded) => {
                let spoken = self.speak(&funded, &facts, &mut outlet, &mut trace);
                self.ports.timed(Room::Dialogue, spoken).await
            }
            Err(stop) => Outcome::stopped(stop),
        };
        let closed = close(self, &asked, &facts, outcome, outlet, trace);
        let unheard = self.ports.timed(Room::Reply, closed).await;
        drop(place);
        unheard
    }

    /// From the question to the money for it; no model is called on the way.
    async fn fund(&self, asked: Asked, facts: TurnFacts, trace: &mut Trace) -> Result<Funded, Stop> {
        let grounded = self.ground(asked, facts, trace).await?;
        let Settings { budget, dialogue, .. } = &self.settings;
        self.ports.timed(Room::Budget, fund(grounded, dialogue, budget, &self.ports, trace)).await
    }

    /// From the question to what an answer may stand on.
    async fn ground(&self, asked: Asked, facts: TurnFacts, trace: &mut Trace) -> Result<Grounded, Stop> {
        let Settings { intake, refusal, route: ways, retrieval, evidence, budget, packs, .. } =
            &self.settings;
        let Ports { index, embed, lookups, ledger, records, .. } = &self.ports;
        let read = async {
            let cleared = clear(admit(asked, facts, intake)?, refusal)?;
            Ok(route(cleared, records.is_some(), ways))
        };
        let mut routed = self.ports.timed(Room::Intake, read).await?;
        if let Routed::Records(_) = routed {
            if let Some(grounded) = self.over_records(routed.question(), trace).await? {
                return Ok(grounded);
            }
            routed = routed.into_passages();
        }
        let search = index.current().await.map_err(away)?;
        let sources = Sources {
            search: search.as_ref(),
            embed: embed.as_deref(),
            ledger: ledger.as_ref(),
            budget,
            packs,
            cues: &ways.cues,
        };
        // Kept only where it may be asked once more: of the owner's records.
        let about_owner = ways.is_about_owner(routed.question()).then(|| routed.question().clone());
        let found = retrieve(routed, sources, retrieval, trace);
        let retrieved = self.ports.timed(Room::Retrieval, found).await.map_err(away)?;
        let judged = async { ground(retrieved, lookups, retrieval.top_k, evidence, trace) };
        let grounded = self.ports.timed(Room::Evidence, judged).await;
        let Some(question) = about_owner else {
            return grounded;
        };
        // Who this is all about is asked in words that stand on no page.
        let nothing = match &grounded {
            Ok(grounded) => grounded.passages().is_empty(),
            Err(stop) => stop.rule.0 == RuleName::THRESHOLD,
        };
        let records = if nothing { self.over_records(&question, trace).await? } else { None };
        records.map_or(grounded, Ok)
    }

    /// The newest records, in the language of the question, else in the shop's first; `None` where there are none.
    async fn over_records(&self, question: &Admitted, trace: &mut Trace) -> Result<Option<Grounded>, Stop> {
        let Some(records) = &self.ports.records else {
            return Ok(None);
        };
        let today = question.facts().at.day();
        let limit = self.settings.route.records;
        for language in [question.facts().language, self.settings.first_language()] {
            let newest = records.newest(&[language], &today, limit).await.map_err(away)?;
            if !newest.is_empty() {
                trace.records = newest.iter().map(|record| record.source.clone()).collect();
                return Ok(Some(Grounded::over_records(question.clone(), newest, &self.ports.lookups)));
            }
        }
        Ok(None)
    }

    /// From the money to the customer; every sentence takes rules, gate and voice.
    async fn speak(
        &self,
        funded: &Funded,
        facts: &TurnFacts,
        outlet: &mut Outlet,
        trace: &mut Trace,
    ) -> Outcome {
        let Settings { dialogue, rules, release, .. } = &self.settings;
        let (gate, promises) = match funded.reservation() {
            Some(_) => (&self.settings.gate, &self.settings.promises),
            None => (&self.quoting.0, &self.quoting.1),
        };
        trace.whole = whole(release, funded.grounded(), rules.any_holds());
        let policy = if trace.whole.is_some() { Policy::Whole } else { Policy::Sentence };
        trace.release = Some(policy);
        let texts = self.settings.texts(facts.language);
        let limit = dialogue.max_time;
        let mut dialogue = Dialogue::begin(funded, dialogue, texts, self.ports.runtime.as_ref());
        let pack = self.settings.packs.get(facts.language);
        let judges = Judges { gate, promises, readings: &self.readings };
        let mut speech = Speech::new(funded.grounded(), &self.settings, judges, pack, policy, outlet);
        let ended = {
            let spoken = std::pin::pin!(speech.run(&mut dialogue, trace));
            match select(spoken, self.ports.runtime.sleep(limit)).await {
                Either::Left((ended, _)) => ended,
                Either::Right(((), _)) => Err(time_up(limit)),
            }
        };
        let used = dialogue.used();
        let records = matches!(funded.grounded().ground(), Ground::Records(_));
        let reservation = funded.reservation().cloned();
        Outcome { ended, raw: speech.into_raw(), used, records, reservation }
    }

    fn facts(&self, asked: &Asked) -> TurnFacts {
        let shop = &self.settings.languages;
        let before =
            asked.previous.as_ref().and_then(|previous| match detect(&previous.question, None, None, shop) {
                Detected::Text(lang) => Some(lang),
                _ => None,
            });
        let language = detect(&asked.text, asked.session.locale, before, shop).lang();
        let first = self.settings.first_language();
        TurnFacts {
            turn: self.ports.ids.turn(),
            at: self.ports.clock.now(),
            language,
            reading: if shop.contains(&language) { language } else { first },
        }
    }
}

fn time_up(limit: Duration) -> Stop {
    let evidence = format!("{} seconds", limit.as_secs());
    Stop::new(Ending::HandedOver, RuleName::TIME, evidence, TextKey::Handoff)
}

fn away(error: Unavailable) -> Stop {
    Stop::new(Ending::Failed, RuleName::STORE, error.to_string(), TextKey::Unavailable)
}

impl Turn {
    /// The turn's own facts: its name, when it began, its language.
    #[must_use]
    pub fn facts(&self) -> &TurnFacts {
        &self.facts
    }

    /// The customer's words as they may be written down.
    #[must_use]
    pub fn question(&self) -> &str {
        &self.question
    }

    /// The next event; `None` after [`Event::Done`].
    pub async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }

    /// Leaves: the turn is cancelled, and this completes when what it used is settled. Gives what it came to; `None`
    /// where it had said so before, or was lost with its runtime.
    pub async fn leave(self) -> Option<Closing> {
        let Self { mut events, finished, .. } = self;
        events.close();
        // What waited to be read when the customer left.
        while let Some(event) = events.recv().await {
            if let Event::Done(closing) = event {
                // Its place is free when its task is over.
                let _ = finished.await;
                return Some(*closing);
            }
        }
        finished.await.ok()
    }

    /// All of it. A turn that ended without saying so, since its task was dropped with its
    /// runtime, is a failed one.
    pub async fn collect(&mut self) -> Answer {
        let mut text = String::new();
        let mut citations = Vec::new();
        let mut closing = None;
        while let Some(event) = self.next().await {
            match event {
                Event::Sentence(sentence) => text.push_str(sentence.text()),
                Event::Citation(citation) => citations.push(citation),
                Event::Notice(notice) => {
                    if !text.is_empty() && !text.ends_with(char::is_whitespace) {
                        text.push(' ');
                    }
                    text.push_str(notice.text());
                }
                Event::Done(done) => closing = Some(*done),
            }
        }
        let closing = closing.unwrap_or_else(lost);
        Answer { text, citations, closing }
    }
}

fn lost() -> Closing {
    Closing {
        ending: Ending::Failed,
        rule: Some(RuleName::own(RuleName::STORE)),
        evidence: "the turn's task ended before its answer".to_owned(),
        raw: String::new(),
        usage: Usage::default(),
        usage_counted: false,
        calls: 0,
        cost: Micros::default(),
        spent: 0,
        trace: Trace::default(),
    }
}
