//! What is counted, for Prometheus: questions by ending, stops by rule, tokens, money, the time of each room, verdicts
//! of the gate. No label holds a customer's words or name.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use mostrador_answer::event::Closing;
use mostrador_answer::ports::{Room, Timing};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use tokio::time::Instant;

use crate::app::App;

type Labels = Vec<(&'static str, String)>;

/// From a tenth of a millisecond to two minutes, in seconds.
const ROOM_TIMES: [f64; 14] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0];

/// What is counted.
pub(crate) struct Metrics {
    began: Instant,
    registry: Registry,
    questions: Family<Labels, Counter>,
    stops: Family<Labels, Counter>,
    tokens: Family<Labels, Counter>,
    cost: Counter,
    gate: Family<Labels, Counter>,
    rooms: Family<Labels, Histogram, fn() -> Histogram>,
    times: Histogram,
    feedback: Family<Labels, Counter>,
    hand_offs: Counter,
    unrecorded: Counter,
    streams: Gauge,
    connections: Gauge,
    spent: Gauge<u64, AtomicU64>,
    reserved: Gauge<u64, AtomicU64>,
    reloads: Family<Labels, Counter>,
}

/// A stream that is counted as open until it is dropped.
pub(crate) struct OpenStream(Gauge);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.dec();
    }
}

fn room_times() -> Histogram {
    Histogram::new(ROOM_TIMES)
}

fn label(name: &'static str, value: &str) -> Labels {
    vec![(name, value.to_owned())]
}

impl Metrics {
    pub(crate) fn new() -> Arc<Self> {
        let mut registry = Registry::with_prefix("mostrador");
        let rooms = Family::new_with_constructor(room_times as fn() -> Histogram);
        let metrics = Self {
            began: Instant::now(),
            questions: Family::default(),
            stops: Family::default(),
            tokens: Family::default(),
            cost: Counter::default(),
            gate: Family::default(),
            rooms,
            times: Histogram::new(ROOM_TIMES),
            feedback: Family::default(),
            hand_offs: Counter::default(),
            unrecorded: Counter::default(),
            streams: Gauge::default(),
            connections: Gauge::default(),
            spent: Gauge::default(),
            reserved: Gauge::default(),
            reloads: Family::default(),
            registry: Registry::default(),
        };
        registry.register("questions", "Questions, by how they ended", metrics.questions.clone());
        registry.register("stops", "Questions that a rule ended, by the rule", metrics.stops.clone());
        registry.register("tokens", "Tokens of the model, read and written", metrics.tokens.clone());
        registry.register("cost_micros", "What answers have cost, in millionths", metrics.cost.clone());
        registry.register("gate_verdicts", "Sentences judged by the gate, by check", metrics.gate.clone());
        registry.register("room_seconds", "Time of each room", metrics.rooms.clone());
        registry.register("answer_seconds", "Time of whole answers", metrics.times.clone());
        registry.register("feedback", "Opinions of customers", metrics.feedback.clone());
        registry.register("handoffs", "Customers who asked for a colleague", metrics.hand_offs.clone());
        registry.register(
            "turns_unrecorded",
            "Turns that could not be written down",
            metrics.unrecorded.clone(),
        );
        registry.register("streams_open", "Conversations that are listened to", metrics.streams.clone());
        registry.register("connections_open", "Connections", metrics.connections.clone());
        registry.register("spent_today_micros", "Spent today (UTC), in millionths", metrics.spent.clone());
        registry.register(
            "reserved_today_micros",
            "Reserved of today, in millionths",
            metrics.reserved.clone(),
        );
        registry.register(
            "reloads",
            "Versions that were read anew, by what came of it",
            metrics.reloads.clone(),
        );
        Arc::new(Self { registry, ..metrics })
    }

    /// The time since the program began.
    pub(crate) fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// A rule that ended a question before there was a turn.
    pub(crate) fn stopped(&self, rule: &str) {
        self.stops.get_or_create(&label("rule", rule)).inc();
    }

    /// What a turn used, and what was judged in it; the rule that ended it, if one did.
    pub(crate) fn turn(&self, closing: &Closing) {
        if let Some(rule) = &closing.rule {
            self.stopped(&rule.0);
        }
        let count = |direction: &str, tokens: u64| {
            self.tokens.get_or_create(&label("direction", direction)).inc_by(tokens);
        };
        count("input", closing.usage.input_tokens);
        count("output", closing.usage.output_tokens);
        self.cost.inc_by(closing.cost.0);
        for judged in &closing.trace.sentences {
            self.gate.get_or_create(&label("check", judged.check.unwrap_or("passed"))).inc();
        }
    }

    /// A message has its answer.
    pub(crate) fn ended(&self, ending: &str, took: Duration) {
        self.questions.get_or_create(&label("ending", ending)).inc();
        self.times.observe(took.as_secs_f64());
    }

    pub(crate) fn feedback(&self, helpful: bool) {
        self.feedback.get_or_create(&label("helpful", if helpful { "true" } else { "false" })).inc();
    }

    pub(crate) fn handed_off(&self) {
        self.hand_offs.inc();
    }

    pub(crate) fn unrecorded(&self) {
        self.unrecorded.inc();
    }

    pub(crate) fn reloaded(&self, outcome: &str) {
        self.reloads.get_or_create(&label("outcome", outcome)).inc();
    }

    pub(crate) fn stream_opened(&self) -> OpenStream {
        self.streams.inc();
        OpenStream(self.streams.clone())
    }

    pub(crate) fn connected(&self) -> OpenStream {
        self.connections.inc();
        OpenStream(self.connections.clone())
    }

    /// All of it as text, with the purse as it stands now.
    pub(crate) async fn text(&self, app: &App) -> String {
        let today = app.clock_now().day();
        if let Ok(days) = app.store.days(&today, &today).await
            && let Some(day) = days.first()
        {
            self.spent.set(day.spent.0);
            self.reserved.set(day.reserved.0);
        }
        let mut text = String::new();
        // Writing to a text cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

impl Timing for Metrics {
    fn elapsed(&self) -> Duration {
        self.now()
    }

    fn took(&self, room: Room, time: Duration) {
        self.rooms.get_or_create(&label("room", room.name())).observe(time.as_secs_f64());
    }
}
