//! A small world for the story: ports in memory that can be told to fail, and that remember.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use mostrador_answer::actions::ActionSettings;
use mostrador_answer::budget::BudgetSettings;
use mostrador_answer::dialogue::DialogueSettings;
use mostrador_answer::engine::{Engine, Ports, Settings};
use mostrador_answer::evidence::{EvidenceSettings, NoEvidence, Strength};
use mostrador_answer::gate::GateSettings;
use mostrador_answer::intake::IntakeSettings;
use mostrador_answer::message::{Input, LookupSpec, Outcome, Parameter};
use mostrador_answer::money::{Micros, Prices, Usage};
use mostrador_answer::passage::{Passage, Similarity, SourceId, Trust};
use mostrador_answer::ports::{
    Claim, Embed, Expired, Filter, Fixed, Found, Inbox, InboxEntry, Ledger, LedgerError, Limits, Lookup,
    LookupResult, Model, Records, ReservationId, Search, Span, StopLog, StopNote, Unavailable, UnixMillis,
};
use mostrador_answer::promises::PromiseSettings;
use mostrador_answer::question::CustomerId;
use mostrador_answer::refusal::RefusalSettings;
use mostrador_answer::release::{ReleaseMode, ReleaseSettings};
use mostrador_answer::retrieval::RetrievalSettings;
use mostrador_answer::route::RouteSettings;
use mostrador_answer::rules::Rules;
use mostrador_answer::voice::VoiceSettings;
use mostrador_language::{Lang, Pack, Packs};

use crate::lines::LinesModel;
use crate::{CountedIds, FixedClock, TokioRuntime};

/// Finds every passage for every question, in order; by words.
#[derive(Debug, Default)]
pub struct Shelf(pub Vec<Found>);

impl Shelf {
    /// A shelf with English texts `shelf#1`, `shelf#2`, … by the shop.
    #[must_use]
    pub fn of(texts: &[&str]) -> Self {
        let found = |(at, text): (usize, &&str)| Found {
            stems: Pack::of(Lang::EN).content_stems(text).into(),
            passage: Arc::new(Passage {
                file: "documents/shelf.md".to_owned(),
                ..Passage::new(SourceId::new(format!("shelf#{}", at + 1)).unwrap(), *text, Lang::EN)
            }),
        };
        Self(texts.iter().enumerate().map(found).collect())
    }
}

#[async_trait]
impl Search for Shelf {
    async fn dense(&self, _: &[f32], _: &Filter, _: usize) -> Result<Vec<(Found, Similarity)>, Unavailable> {
        Ok(Vec::new())
    }

    async fn lexical(&self, _: &[String], filter: &Filter, limit: usize) -> Result<Vec<Found>, Unavailable> {
        Ok(self.0.iter().filter(|found| filter.fits(&found.passage)).take(limit).cloned().collect())
    }
}

/// Remembers what was written, and can be away.
#[derive(Debug, Default)]
pub struct Desk {
    /// Whether every write fails.
    pub away: AtomicBool,
    /// What the inbox holds.
    pub inbox: Mutex<Vec<InboxEntry>>,
    /// What the stop log holds.
    pub stops: Mutex<Vec<StopNote>>,
    /// Settled amounts with their usage, in order.
    pub settled: Mutex<Vec<(Micros, Usage)>>,
    /// What was claimed, in order, refused or not.
    pub claims: Mutex<Vec<Claim>>,
    /// What is reserved and not settled.
    pub open: Mutex<BTreeMap<i64, Micros>>,
    next: AtomicI64,
}

impl Desk {
    fn reach(&self, part: &'static str) -> Result<(), Unavailable> {
        if self.away.load(Ordering::Relaxed) { Err(Unavailable::new(part, "away")) } else { Ok(()) }
    }
}

#[async_trait]
impl Ledger for Desk {
    async fn reserve(&self, claim: &Claim) -> Result<ReservationId, LedgerError> {
        self.reach("ledger").map_err(|error| LedgerError::Unavailable(error.to_string()))?;
        let mut open = self.open.lock().unwrap();
        self.claims.lock().unwrap().push(claim.clone());
        let settled: u64 = self.settled.lock().unwrap().iter().map(|(spent, _)| spent.0).sum();
        let committed = Micros(settled + open.values().map(|bound| bound.0).sum::<u64>());
        // Here it is always the same month.
        if let Some(cap) = claim.caps.month.filter(|cap| committed.0 + claim.bound.0 > cap.0) {
            return Err(LedgerError::OverCap { span: Span::Month, bound: claim.bound, committed, cap });
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        open.insert(id, claim.bound);
        Ok(ReservationId(id))
    }

    async fn settle(
        &self,
        reservation: &ReservationId,
        spent: Micros,
        usage: Usage,
        _: UnixMillis,
    ) -> Result<(), LedgerError> {
        self.open.lock().unwrap().remove(&reservation.0).expect("settled once, and only what was reserved");
        self.settled.lock().unwrap().push((spent, usage));
        Ok(())
    }

    async fn expire(&self, _: UnixMillis, _: UnixMillis) -> Result<Expired, LedgerError> {
        Ok(Expired::default())
    }
}

#[async_trait]
impl Inbox for Desk {
    async fn put(&self, entry: &InboxEntry) -> Result<(), Unavailable> {
        self.reach("inbox")?;
        self.inbox.lock().unwrap().push(entry.clone());
        Ok(())
    }
}

#[async_trait]
impl StopLog for Desk {
    async fn note(&self, note: &StopNote) -> Result<(), Unavailable> {
        self.reach("stop log")?;
        self.stops.lock().unwrap().push(note.clone());
        Ok(())
    }
}

/// A look-up of one number per customer: `42` belongs to `ana`. It can take its time.
#[derive(Debug)]
pub struct NumberLookup {
    /// How it is offered.
    pub spec: LookupSpec,
    /// What is told of a number that is found.
    pub found: String,
    /// How long it takes.
    pub takes: Duration,
    /// How often it was asked.
    pub asked: AtomicUsize,
}

impl NumberLookup {
    /// A look-up that takes `takes` and may take `timeout`.
    #[must_use]
    pub fn new(takes: Duration, timeout: Duration) -> Self {
        let spec = LookupSpec {
            name: "number".to_owned(),
            description: "Finds a number.".to_owned(),
            parameters: vec![Parameter { name: "value".to_owned(), pattern: None }],
            schema: None,
            needs_customer: true,
            trust: Trust::Shop,
            timeout,
        };
        Self { spec, found: "42 is yours".to_owned(), takes, asked: AtomicUsize::new(0) }
    }
}

#[async_trait]
impl Lookup for NumberLookup {
    fn spec(&self) -> &LookupSpec {
        &self.spec
    }

    async fn look(&self, input: &Input, caller: Option<&CustomerId>) -> LookupResult {
        self.asked.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(self.takes).await;
        let own = caller.is_some_and(|caller| caller.0 == "ana");
        match input.get("value").and_then(|value| value.as_str()) {
            Some("42") if own => LookupResult { outcome: Outcome::Found, content: self.found.clone() },
            _ => LookupResult { outcome: Outcome::NotFound, content: "no such number".to_owned() },
        }
    }
}

/// What the world's model costs.
const PRICES: Prices = Prices {
    input_per_million: Micros(3_000_000),
    output_per_million: Micros(15_000_000),
    cached_input_per_million: None,
    long: None,
};

/// A world with everything in reach of the test.
pub struct World {
    /// How the shop wants it.
    pub settings: Settings,
    /// What was written.
    pub desk: Arc<Desk>,
    /// What the model was asked.
    pub model: Arc<LinesModel>,
    /// What answers past a cap; none at first.
    pub cheap: Option<Arc<dyn Model>>,
    /// How often callers may ask; without limits at first.
    pub limits: Option<Arc<dyn Limits>>,
    /// The passages.
    pub shelf: Shelf,
    /// The embedder; none at first.
    pub embed: Option<Arc<dyn Embed>>,
    /// The records; none at first.
    pub records: Option<Arc<dyn Records>>,
    /// The look-ups.
    pub lookups: Vec<Arc<dyn Lookup>>,
}

impl World {
    /// An English shop over some texts, with a model that says `lines`.
    #[must_use]
    pub fn new(texts: &[&str], model: LinesModel) -> Self {
        let pack = Pack::builtin(Lang::EN).unwrap();
        let settings = Settings {
            redact: false,
            intake: IntakeSettings { max_characters: 500 },
            refusal: RefusalSettings::default(),
            route: RouteSettings::new(&Packs::default()),
            retrieval: RetrievalSettings {
                top_k: 3,
                candidates: 10,
                lexical: true,
                embed_price: None,
                owner: None,
            },
            evidence: EvidenceSettings {
                threshold: Similarity::from_millionths(300_000),
                strength: Strength::Best,
                no_evidence: NoEvidence::Auto,
            },
            budget: BudgetSettings { prices: PRICES, most: PRICES, ..BudgetSettings::default() },
            dialogue: DialogueSettings {
                system: "Answer from the documents.".to_owned(),
                max_steps: 3,
                max_output_tokens: 100,
                reasoning_tokens: 0,
                input_token_ceiling: None,
                max_calls_per_step: 4,
                max_result_bytes: 200,
                max_time: Duration::from_secs(60),
                context_tokens: None,
                actions: ActionSettings::default(),
            },
            rules: Rules::default(),
            promises: PromiseSettings::default(),
            gate: GateSettings::default(),
            voice: VoiceSettings::default(),
            release: ReleaseSettings::of_quotes(ReleaseMode::Auto),
            languages: vec![Lang::EN],
            packs: Packs::default(),
            texts: BTreeMap::from([(Lang::EN, pack.texts.clone())]),
        };
        Self {
            settings,
            desk: Arc::default(),
            model: Arc::new(model),
            cheap: None,
            limits: None,
            shelf: Shelf::of(texts),
            embed: None,
            records: None,
            lookups: Vec::new(),
        }
    }

    /// The engine of this world, on the runtime of the test.
    #[must_use]
    pub fn engine(&self) -> Arc<Engine> {
        self.engine_with(self.model.clone())
    }

    /// The same with another model.
    #[must_use]
    pub fn engine_with(&self, model: Arc<dyn Model>) -> Arc<Engine> {
        let ports = Ports {
            index: Arc::new(Fixed(Arc::new(Shelf(self.shelf.0.clone())))),
            embed: self.embed.clone(),
            records: self.records.clone(),
            model,
            cheap: self.cheap.clone(),
            limits: self.limits.clone(),
            lookups: self.lookups.clone(),
            ledger: self.desk.clone(),
            inbox: self.desk.clone(),
            stops: self.desk.clone(),
            clock: Arc::new(FixedClock::default()),
            ids: Arc::new(CountedIds::default()),
            runtime: Arc::new(TokioRuntime),
            timing: None,
        };
        Arc::new(Engine::new(self.settings.clone(), ports))
    }
}
