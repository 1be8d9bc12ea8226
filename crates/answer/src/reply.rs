//! Reply: the end of every turn. Real usage is settled, what promises a colleague is written to the
//! inbox before it is said, every stop leaves a record, and the answer closes.

use mostrador_language::{TextKey, Texts, fill};
use serde::Serialize;

use crate::engine::Engine;
use crate::event::Closing;
use crate::intake::TurnFacts;
use crate::money::{Micros, whole};
use crate::ports::{InboxEntry, ReservationId, StopNote};
use crate::question::Asked;
use crate::release::Outlet;
use crate::speech::Spoke;
use crate::spending::Used;
use crate::stop::{Ending, RuleName, Stop};
use crate::trace::Trace;

/// A text of the shop or of its language pack. No model wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FixedText {
    /// Which text.
    pub key: TextKey,
    text: String,
}

impl FixedText {
    /// Takes a text from the shop's texts and fills in its values.
    #[must_use]
    pub(crate) fn new(texts: &Texts, key: TextKey, values: &[(&str, &str)]) -> Self {
        let text = texts.get(&key).map(|text| fill(text, values)).unwrap_or_default();
        Self { key, text }
    }

    /// A text in the shop's own words, where it has some for this moment alone.
    #[must_use]
    pub(crate) fn worded(self, own: Option<String>) -> Self {
        Self { text: own.unwrap_or(self.text), ..self }
    }

    /// The words.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// What the rooms made of a question.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// How speech ended, or what stopped the question.
    pub(crate) ended: Result<Spoke, Stop>,
    /// What the model wrote, raw.
    pub(crate) raw: String,
    /// What the dialogue used.
    pub(crate) used: Used,
    /// Whether the answer stands on the shop's records.
    pub(crate) records: bool,
    /// What has to be settled; `None` where nothing was reserved.
    pub(crate) reservation: Option<ReservationId>,
}

impl Outcome {
    /// A question that no model was asked.
    pub(crate) fn stopped(stop: Stop) -> Self {
        Self {
            ended: Err(stop),
            raw: String::new(),
            used: Used::default(),
            records: false,
            reservation: None,
        }
    }
}

/// Ends a turn. What cannot be written down is said in the trace, and never silently dropped. Gives the end back where
/// nobody is there to hear it.
pub(crate) async fn close(
    engine: &Engine,
    asked: &Asked,
    facts: &TurnFacts,
    outcome: Outcome,
    outlet: Outlet,
    mut trace: Trace,
) -> Option<Closing> {
    let Outcome { ended, raw, used, records, reservation } = outcome;
    let answered = if records { Ending::Records } else { Ending::Answered };
    settle(engine, reservation, used, &mut trace).await;
    trace.usage_estimated = used.estimated;
    let (ending, rule, evidence, notice) = match ended {
        Ok(Spoke::Whole) => (answered, None, String::new(), None),
        Ok(Spoke::Truncated) => {
            let rule = RuleName::own(RuleName::TRUNCATED);
            let evidence = "the model ran into its output limit".to_owned();
            note(engine, asked, facts, answered, &rule, &evidence, &mut trace).await;
            (answered, Some(rule), evidence, Some((TextKey::Truncated, None)))
        }
        Err(stop) => {
            let stop = record(engine, asked, facts, &raw, stop, &mut trace).await;
            (stop.ending, Some(stop.rule), stop.evidence, Some((stop.text, stop.wording)))
        }
    };
    if let Some((key, own)) = notice {
        let limit = engine.settings.intake.max_characters.to_string();
        let texts = engine.settings.texts(facts.language);
        let text = FixedText::new(texts, key, &[("limit", &limit)]).worded(own);
        // Whoever left cannot read it; the record above stands all the same.
        let _ = outlet.notice(text).await;
    }
    let closing = Closing {
        ending,
        rule,
        evidence,
        raw,
        usage: used.usage,
        usage_counted: if used.calls == 0 { engine.ports.model.counts_tokens() } else { used.counted },
        calls: used.calls,
        spent: used.spent,
        cost: Micros(whole(used.spent).0.saturating_add(trace.embedding.0)),
        trace,
    };
    outlet.done(closing).await
}

async fn settle(engine: &Engine, reservation: Option<ReservationId>, used: Used, trace: &mut Trace) {
    let Some(reservation) = reservation else {
        return;
    };
    let at = engine.ports.clock.now();
    // Left open, the reservation goes on counting at its bound: too much, never too little.
    if let Err(error) = engine.ports.ledger.settle(&reservation, whole(used.spent), used.usage, at).await {
        trace.unrecorded.push(format!("settlement: {error}"));
    }
}

/// Writes a stop down. Where a colleague is promised and the inbox cannot take it, the promise is
/// not made: the stop becomes "try again later".
async fn record(
    engine: &Engine,
    asked: &Asked,
    facts: &TurnFacts,
    raw: &str,
    mut stop: Stop,
    trace: &mut Trace,
) -> Stop {
    if stop.ending.promises_colleague() {
        let entry = InboxEntry {
            turn: facts.turn.clone(),
            conversation: asked.session.conversation.clone(),
            customer: asked.session.customer.clone(),
            address: asked.session.reply_to.clone(),
            ending: stop.ending,
            rule: stop.rule.clone(),
            question: asked.text.clone(),
            answer: raw.to_owned(),
            evidence: stop.evidence.clone(),
            language: facts.language,
            at: facts.at,
        };
        if let Err(error) = engine.ports.inbox.put(&entry).await {
            trace.unrecorded.push(format!("inbox: {error}"));
            let evidence = format!("{error}; before that {}: {}", stop.rule, stop.evidence);
            stop = Stop::new(Ending::Failed, RuleName::STORE, evidence, TextKey::Unavailable);
        }
    }
    note(engine, asked, facts, stop.ending, &stop.rule, &stop.evidence, trace).await;
    stop
}

async fn note(
    engine: &Engine,
    asked: &Asked,
    facts: &TurnFacts,
    ending: Ending,
    rule: &RuleName,
    evidence: &str,
    trace: &mut Trace,
) {
    // Of what was too long its beginning says enough.
    let most = engine.settings.intake.max_characters;
    let note = StopNote {
        turn: facts.turn.clone(),
        conversation: asked.session.conversation.clone(),
        customer: asked.session.customer.clone(),
        ending,
        rule: rule.clone(),
        evidence: evidence.to_owned(),
        question: asked.text.chars().take(most).collect(),
        at: facts.at,
    };
    if let Err(error) = engine.ports.stops.note(&note).await {
        trace.unrecorded.push(format!("stop log: {error}"));
    }
}
