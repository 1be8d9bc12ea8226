//! Why this answer: the question as it was read, every score, every verdict, what it cost.

use std::path::Path;

use askama::Template;
use axum::response::Response;
use mostrador_answer::passage::Similarity;
use mostrador_answer::question::TurnId;
use mostrador_store::TurnRecord;
use serde_json::Value;

use super::cases::CaseForm;
use super::fault::Fault;
use super::shell::{Here, Shell, moment, page};
use super::visit::{Reads, Signed, Visit};

/// As many turns stand on a page.
const ON_A_PAGE: usize = 50;

/// The files and names of the passages in an array of citations.
pub(super) fn sources(citations: &Value) -> Vec<String> {
    texts_of(citations, "source")
}

fn texts_of(array: &Value, field: &str) -> Vec<String> {
    let items = array.as_array().into_iter().flatten();
    items.filter_map(|item| item.get(field)?.as_str()).map(str::to_owned).collect()
}

/// A turn in the list.
struct Row {
    turn: String,
    question: String,
    ending: String,
    rule: Option<String>,
    cost: String,
    at: String,
}

#[derive(Template)]
#[template(path = "turns.html")]
struct ListPage {
    page: Shell,
    rows: Vec<Row>,
    /// Where the older ones are.
    older: Option<i64>,
}

/// A candidate of retrieval.
struct Candidate {
    source: String,
    file: String,
    cosine: Option<String>,
    coverage: String,
    strength: String,
    /// Whether the strength reaches the threshold.
    reaches: bool,
    used: bool,
}

/// A sentence and what the gate said of it.
struct Verdict {
    sentence: String,
    check: Option<String>,
    evidence: Option<String>,
    quoted: Option<String>,
}

/// A look-up that was asked for.
struct Call {
    step: String,
    name: String,
    values: Vec<String>,
    outcome: String,
    result: String,
}

/// A passage that the answer cites.
struct Cited {
    source: String,
    headings: String,
    text: String,
    date: Option<String>,
}

#[derive(Template)]
#[template(path = "turn.html")]
struct OnePage {
    page: Shell,
    turn: String,
    conversation: Option<String>,
    question: String,
    /// The thing of several named before that was meant.
    item: Option<String>,
    language: String,
    text: String,
    ending: String,
    rule: Option<String>,
    evidence: String,
    raw: String,
    threshold: String,
    candidates: Vec<Candidate>,
    records: Vec<String>,
    calls: Vec<Call>,
    verdicts: Vec<Verdict>,
    cited: Vec<Cited>,
    /// How the text was released, and why as a whole.
    release: Option<String>,
    whole: Option<String>,
    /// Notes of the trace that only say that a part was away.
    away: Vec<String>,
    cost: String,
    reserved: String,
    currency: String,
    input_tokens: u64,
    output_tokens: u64,
    took_ms: i64,
    at: String,
    helpful: Option<bool>,
    comment: Option<String>,
    case: CaseForm,
    can_case: bool,
}

/// The turns, newest first.
pub(super) async fn list(visit: Signed<Reads>) -> Result<Response, Fault> {
    let found = visit.app.store().list_turns(ON_A_PAGE, visit.asked_number("before")).await?;
    let full = found.len() == ON_A_PAGE;
    let older = found.last().filter(|_| full).map(|(id, _)| *id);
    let rows = found.into_iter().map(|(_, record)| Row {
        turn: record.turn.0,
        question: record.question,
        ending: record.ending,
        rule: record.rule,
        cost: record.cost.to_string(),
        at: moment(record.at),
    });
    let shown = ListPage { rows: rows.collect(), older, page: visit.shell(Here::Turns) };
    page(&visit, &shown)
}

/// One turn.
pub(super) async fn show(visit: Signed<Reads>) -> Result<Response, Fault> {
    let record = read(&visit).await?;
    let feedback = visit.app.store().feedback(&record.turn).await?;
    let mut shown = one(&visit, record);
    if let Some(feedback) = feedback {
        shown.helpful = Some(feedback.helpful);
        shown.comment = feedback.comment;
    }
    page(&visit, &shown)
}

/// The turn that the address names.
///
/// # Errors
/// [`Fault::NotFound`].
pub(super) async fn read(visit: &Visit) -> Result<TurnRecord, Fault> {
    let turn = TurnId(visit.name("turn")?.to_owned());
    visit.app.store().turn(&turn).await?.ok_or(Fault::NotFound)
}

fn one(visit: &Visit, record: TurnRecord) -> OnePage {
    let trace = record.record.get("trace").unwrap_or(&Value::Null);
    let text = |field: &str| trace.get(field).and_then(Value::as_str).map(str::to_owned);
    let away = ["embedder_away", "limits_away", "over_cap", "fault"].into_iter().filter_map(text);
    let away = away.chain(plain_texts(trace.get("handovers"))).chain(plain_texts(trace.get("unrecorded")));
    let reserved = trace.get("reserved").and_then(Value::as_u64).unwrap_or_default();
    let threshold = similarity(trace.get("threshold"));
    let of_record =
        |field: &str| record.record.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (evidence, raw) = (of_record("evidence"), of_record("raw"));
    let version = visit.app.version();
    let currency = version.shop.config().budget.as_ref().map(|budget| budget.currency.0.clone());
    OnePage {
        page: visit.shell(Here::Turns),
        candidates: candidates(trace, threshold),
        records: plain_texts(trace.get("records")).collect(),
        calls: calls(trace),
        verdicts: verdicts(trace),
        cited: cited(&record.citations),
        release: text("release"),
        whole: text("whole"),
        item: text("item"),
        away: away.collect(),
        threshold: threshold.unwrap_or_default().to_string(),
        case: CaseForm::of(&record),
        can_case: CaseForm::fits(&record),
        turn: record.turn.0,
        conversation: record.conversation.map(|conversation| conversation.0),
        question: record.question,
        language: record.language.to_string(),
        text: record.text,
        ending: record.ending,
        rule: record.rule,
        evidence,
        raw,
        cost: record.cost.to_string(),
        reserved: mostrador_answer::money::Micros(reserved).to_string(),
        currency: currency.unwrap_or_default(),
        input_tokens: record.input_tokens,
        output_tokens: record.output_tokens,
        took_ms: record.took_ms,
        at: moment(record.at),
        helpful: None,
        comment: None,
    }
}

fn similarity(value: Option<&Value>) -> Option<Similarity> {
    let millionths = value?.as_u64()?;
    Some(Similarity::from_millionths(u32::try_from(millionths).unwrap_or(u32::MAX)))
}

fn plain_texts(array: Option<&Value>) -> impl Iterator<Item = String> {
    let items = array.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned)
}

fn candidates(trace: &Value, threshold: Option<Similarity>) -> Vec<Candidate> {
    let ranked = trace.get("ranked").and_then(Value::as_array).into_iter().flatten();
    let candidate = |ranked: &Value| {
        let text = |field: &str| ranked.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let strength = similarity(ranked.get("strength")).unwrap_or_default();
        let file = text("file");
        let shown = Path::new(&file).file_name().map(|name| name.to_string_lossy().into_owned());
        Candidate {
            source: text("source"),
            file: shown.unwrap_or(file),
            cosine: similarity(ranked.get("cosine")).map(|cosine| cosine.to_string()),
            coverage: similarity(ranked.get("coverage")).unwrap_or_default().to_string(),
            strength: strength.to_string(),
            reaches: threshold.is_some_and(|threshold| strength >= threshold),
            used: ranked.get("used").and_then(Value::as_bool).unwrap_or_default(),
        }
    };
    ranked.map(candidate).collect()
}

fn verdicts(trace: &Value) -> Vec<Verdict> {
    let sentences = trace.get("sentences").and_then(Value::as_array).into_iter().flatten();
    let verdict = |judged: &Value| {
        let text = |field: &str| judged.get(field).and_then(Value::as_str).map(str::to_owned);
        Verdict {
            sentence: text("sentence").unwrap_or_default(),
            check: text("check"),
            evidence: text("evidence"),
            quoted: text("quoted"),
        }
    };
    sentences.map(verdict).collect()
}

fn calls(trace: &Value) -> Vec<Call> {
    let steps = trace.get("steps").and_then(Value::as_array).into_iter().flatten();
    let of_step = |step: &Value| {
        let number = step.get("number").map(ToString::to_string).unwrap_or_default();
        let calls = step.get("calls").and_then(Value::as_array).cloned().unwrap_or_default();
        calls.into_iter().map(move |call| {
            let text = |field: &str| call.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
            Call {
                step: number.clone(),
                name: text("name"),
                values: plain_texts(call.get("values")).collect(),
                outcome: text("outcome"),
                result: text("result"),
            }
        })
    };
    steps.flat_map(of_step).collect()
}

fn cited(citations: &Value) -> Vec<Cited> {
    let items = citations.as_array().into_iter().flatten();
    let one = |citation: &Value| {
        let text = |field: &str| citation.get(field).and_then(Value::as_str).map(str::to_owned);
        Cited {
            source: text("source").unwrap_or_default(),
            headings: plain_texts(citation.get("headings")).collect::<Vec<_>>().join(" › "),
            text: text("text").unwrap_or_default(),
            date: text("date"),
        }
    };
    items.map(one).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_trace_is_read_with_every_score_beside_the_threshold() {
        let trace = json!({"threshold": 400_000, "ranked": [
            {"source": "returns#1", "file": "documents/returns.md", "cosine": null, "coverage": 500_000,
             "strength": 500_000, "used": true},
            {"source": "faq#1", "file": "documents/faq.md", "cosine": 310_000, "coverage": 0,
             "strength": 310_000, "used": false},
        ], "sentences": [{"sentence": "Ten days. [faq#1]", "check": "gate.value-not-in-source", "evidence": "ten"}],
        "steps": [{"number": 1, "calls": [{"name": "order", "values": ["7"], "outcome": "found", "result": "sent"}]}]});
        let candidates = candidates(&trace, similarity(trace.get("threshold")));
        let [first, second] = &candidates[..] else { panic!("two") };
        assert_eq!((first.strength.as_str(), first.reaches, first.used), ("0.50", true, true));
        assert_eq!((second.cosine.as_deref(), second.reaches), (Some("0.31"), false));
        assert_eq!(verdicts(&trace)[0].check.as_deref(), Some("gate.value-not-in-source"));
        assert_eq!((calls(&trace)[0].step.as_str(), calls(&trace)[0].values.len()), ("1", 1));
    }

    #[test]
    fn a_record_of_another_shape_shows_nothing() {
        for odd in [json!(null), json!([]), json!({"ranked": 1, "sentences": {}, "steps": [1]})] {
            assert!(candidates(&odd, None).is_empty() && verdicts(&odd).is_empty() && calls(&odd).is_empty());
        }
    }
}
