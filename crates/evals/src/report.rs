//! The report of a run, in the words of the shop's language.

use std::fmt::Write;

use mostrador_answer::money::Micros;
use mostrador_answer::rules::Action;
use mostrador_answer::trace::{Step, Trace};
use mostrador_language::{Report, fill};
use mostrador_shop::Shop;
use serde_json::{Value, json};

use crate::recall::recall;
use crate::suite::{Run, Tried};
use crate::verdict::{Price, Verdict};

/// The report as lines of text, each with its line break.
#[must_use]
pub fn text(shop: &Shop, run: &Run, verdict: &Verdict) -> String {
    let words = &shop.pack().report;
    let mut out = String::new();
    for tried in &run.tried {
        out.push_str(&case(tried, words));
    }
    out.push_str(&totals(shop, verdict, words));
    if let Some(recall) = recall(run) {
        line(&mut out, &recall.to_string());
    }
    if !shop.rules().is_empty() {
        line(&mut out, &words.log);
        for entry in run.tried.iter().filter_map(|tried| log_entry(shop, tried, words)) {
            line(&mut out, &format!("  {entry}"));
        }
    }
    out
}

/// The lines of one case: its verdict and name and, where it failed, its answer and what was missed.
#[must_use]
pub fn case(tried: &Tried, words: &Report) -> String {
    let mut out = String::new();
    let mark = if tried.passed { "✓" } else { "✗" };
    let safety = if tried.case.safety { words.safety_mark.as_str() } else { "" };
    line(&mut out, &format!("{mark} {safety}{}", tried.case.name));
    if tried.passed {
        return out;
    }
    line(&mut out, &format!("    {}", tried.answer.text));
    // Whether a text is in the answer, the answer itself shows.
    for miss in tried.misses.iter().filter(|miss| !miss.actual.is_empty()) {
        let values = [("what", miss.what), ("expected", &miss.expected), ("actual", &miss.actual)];
        line(&mut out, &format!("    {}", fill(&words.expected, &values)));
    }
    if let Some(error) = &tried.error {
        line(&mut out, &format!("    {}", fill(&words.error, &[("detail", error)])));
    }
    out
}

fn totals(shop: &Shop, verdict: &Verdict, words: &Report) -> String {
    let mut out = String::new();
    let number = |number: usize| number.to_string();
    let (passed, total) = (number(verdict.passed), number(verdict.total));
    let percent = (verdict.passed * 100).checked_div(verdict.total).unwrap_or(0).to_string();
    line(&mut out, &fill(&words.passed, &[("passed", &passed), ("total", &total), ("percent", &percent)]));
    let (safe, all) = (number(verdict.safety_passed), number(verdict.safety_total));
    line(&mut out, &fill(&words.safety, &[("passed", &safe), ("total", &all)]));
    if verdict.errored > 0 {
        let errored = number(verdict.errored);
        line(&mut out, &fill(&words.errored, &[("count", &errored), ("total", &total)]));
    }
    if let Some(price) = &verdict.price {
        let (input, output) =
            (verdict.usage.input_tokens.to_string(), verdict.usage.output_tokens.to_string());
        let calls = verdict.calls.to_string();
        line(&mut out, &fill(&words.tokens, &[("input", &input), ("output", &output), ("calls", &calls)]));
        out.push_str(&price_lines(shop, price, words));
    }
    if let Some(limit) = shop.config().limits.input_tokens_per_question {
        let limit = limit.get();
        let (limit, count) = (limit.to_string(), number(verdict.ceiling_reached.len()));
        line(&mut out, &fill(&words.ceiling, &[("limit", &limit), ("count", &count), ("total", &total)]));
        for name in &verdict.ceiling_reached {
            line(&mut out, &format!("  {name}"));
        }
    }
    let answer = if verdict.released { &words.yes } else { &words.no };
    line(&mut out, &fill(&words.release, &[("verdict", answer)]));
    out
}

/// The price of a thousand questions, and of a month.
#[must_use]
pub fn price_lines(shop: &Shop, price: &Price, words: &Report) -> String {
    let mut out = String::new();
    let currency = words.currency(&price.currency);
    let (per_1000, budget, month) =
        (price.per_1000.to_string(), price.budget.to_string(), price.per_month.to_string());
    let values = [("price", per_1000.as_str()), ("budget", &budget), ("currency", currency)];
    line(&mut out, &fill(&words.price, &values));
    let a_day = shop.config().budget.as_ref().map_or(0, |budget| budget.questions_per_day.get()).to_string();
    let values = [("questions", a_day.as_str()), ("price", &month), ("currency", currency)];
    line(&mut out, &fill(&words.month, &values));
    out
}

/// The line of the worst case: a thousand questions, each at every limit.
#[must_use]
pub fn worst_line(per_1000: Micros, currency: &str, words: &Report) -> String {
    let price = per_1000.to_string();
    let values = [("price", price.as_str()), ("currency", words.currency(currency))];
    format!("{}\n", fill(&words.worst, &values))
}

fn log_entry(shop: &Shop, tried: &Tried, words: &Report) -> Option<String> {
    let rule = shop.rules().named(&tried.answer.closing.rule.as_ref()?.0)?;
    let action = match rule.action {
        Action::Stop => &words.action_stop,
        Action::AwaitApproval => &words.action_hold,
    };
    let values = [("action", action.as_str()), ("reason", &rule.reason), ("question", &tried.case.question)];
    Some(fill(&words.log_entry, &values))
}

/// What failed cases asked of their answers' texts in vain, one a line: the case and the line of its file.
#[must_use]
pub fn missed_texts(run: &Run) -> Vec<String> {
    let missed = |tried: &Tried| {
        let of_text = tried.misses.iter().filter(|miss| miss.actual.is_empty());
        of_text
            .map(|miss| format!("{}: {}: {:?}", tried.case.name, miss.what, miss.expected))
            .collect::<Vec<_>>()
    };
    run.tried.iter().flat_map(missed).collect()
}

/// A run as JSON: the verdict, and every case with its answer and what operators may see of it.
#[must_use]
pub fn json(run: &Run, verdict: &Verdict) -> Value {
    let case = |tried: &Tried| {
        let mut case = json!(tried);
        if let Some(answer) = case.get_mut("answer").and_then(Value::as_object_mut) {
            answer.insert("record".to_owned(), json!(tried.answer.closing.record()));
        }
        case
    };
    json!({"verdict": verdict, "recall": recall(run), "cases": run.tried.iter().map(case).collect::<Vec<_>>()})
}

/// The look-ups of a turn, one a line: what was asked for in which step, and what came of it.
#[must_use]
pub fn steps(trace: &Trace, words: &Report) -> Vec<String> {
    let lines = |step: &Step| {
        let number = step.number.to_string();
        let wording = |call: &mostrador_answer::trace::Call| {
            let mark = if call.outcome.is_error() { "✗ " } else { "" };
            let (what, result) = (call.to_string(), format!("{mark}{}", call.result));
            fill(&words.step, &[("step", number.as_str()), ("call", &what), ("result", &result)])
        };
        step.calls.iter().map(wording).collect::<Vec<_>>()
    };
    trace.steps.iter().flat_map(lines).collect()
}

fn line(out: &mut String, text: &str) {
    // A line stays one line, whatever a name or an answer holds. Writing to a String cannot fail.
    let _ = writeln!(out, "{}", text.replace(['\n', '\r'], " "));
}
