//! The questions of a calibration: from the suite's cases, and from a file.

use std::path::Path;

use mostrador_answer::question::Asked;
use mostrador_answer::stop::{Ending, RuleName};
use serde::Deserialize;

use super::Expect;
use crate::case::Case;
use crate::error::EvalError;

/// A question with what must come of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The question as it is asked.
    pub asked: Asked,
    /// What must come of it.
    pub expect: Expect,
}

/// The largest file of questions that is read, in bytes.
const LARGEST: u64 = 64 * 1024 * 1024;

/// The questions of a suite that say something of the threshold.
///
/// A case that cites or names passages, or ends answered, must be answered; one that ends without evidence must be
/// refused. A signed customer's case is left out, since a look-up may answer it; so is one in which the model says
/// that it does not know, which happens above the threshold. With `lookups` (the shop has one that is open to
/// everybody) a case must name passages to count as answered from them.
#[must_use]
pub fn of_cases(cases: &[Case], lookups: bool) -> Vec<Question> {
    let expect = |case: &Case| {
        let by_documents = !case.cites.is_empty() || !case.passages.is_empty();
        match case.ends {
            Some(Ending::Answered) if by_documents || !lookups => Some(Expect::Answer),
            None if by_documents => Some(Expect::Answer),
            Some(Ending::NoEvidence)
                if case.rule.as_deref().is_none_or(|rule| rule == RuleName::THRESHOLD) =>
            {
                Some(Expect::Refuse)
            }
            _ => None,
        }
    };
    let unsigned = cases.iter().filter(|case| case.customer.is_none());
    unsigned.filter_map(|case| Some(Question { asked: case.asked(), expect: expect(case)? })).collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    question: String,
    expect: Expect,
}

/// Reads questions, a JSON object a line: `{"question": "…", "expect": "answer"}` or `"refuse"`. Blank lines are
/// passed over.
///
/// # Errors
/// [`EvalError::Questions`] names the file and the line.
pub fn read_questions(file: &Path) -> Result<Vec<Question>, EvalError> {
    let shown = file.display().to_string();
    let fault = |line, detail: String| EvalError::Questions { file: shown.clone(), line, detail };
    let size = std::fs::metadata(file).map_err(|error| fault(0, error.to_string()))?.len();
    if size > LARGEST {
        return Err(fault(0, format!("it has {size} bytes, at most {LARGEST} are read; take a sample")));
    }
    let text = std::fs::read_to_string(file).map_err(|error| fault(0, error.to_string()))?;
    let mut questions = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let line: Line = serde_json::from_str(line).map_err(|error| {
            fault(number, format!(r#"{error}; write {{"question": "…", "expect": "answer"}} or "refuse""#))
        })?;
        questions.push(Question { asked: Asked::new(line.question), expect: line.expect });
    }
    Ok(questions)
}
