//! A turn becomes the draft of a case: a file that a person reviews and moves into the shop's `cases/`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mostrador_answer::stop::Ending;
use mostrador_store::TurnRecord;
use tokio::task::spawn_blocking;

use super::fault::Fault;
use super::shell::{Here, Shell, page};
use super::turns::{read, sources};
use super::visit::{Acts, Posted};
use crate::suite::CaseDraft;

/// The most characters of a case's name.
const LONGEST_NAME: usize = 60;

/// What the form of a case begins with: a click takes it as it is.
pub(super) struct CaseForm {
    pub(super) name: String,
    pub(super) sources: Vec<String>,
    /// Who asked, where they were signed in.
    pub(super) customer: Option<String>,
}

impl CaseForm {
    /// The form for a turn: it must end as it ended, and cite what it cited.
    pub(super) fn of(record: &TurnRecord) -> Self {
        let letters = record.turn.0.chars().rev().filter(char::is_ascii_alphanumeric).take(12);
        let end: String = letters.collect::<Vec<_>>().into_iter().rev().collect();
        let customer = record.customer.as_ref().map(|customer| customer.0.clone());
        Self { name: format!("turn-{}", end.to_ascii_lowercase()), sources: distinct(record), customer }
    }

    /// Whether a case can expect how this turn ended.
    pub(super) fn fits(record: &TurnRecord) -> bool {
        Ending::ALL.iter().any(|ending| ending.name() == record.ending && *ending != Ending::Cancelled)
    }
}

fn distinct(record: &TurnRecord) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for source in sources(&record.citations) {
        if !names.contains(&source) {
            names.push(source);
        }
    }
    names
}

#[derive(Template)]
#[template(path = "case.html")]
struct CasePage {
    page: Shell,
    turn: String,
    /// The file, as it is named in the shop's folder; empty where none was written.
    file: String,
    written: String,
    fault: Option<&'static str>,
    /// Why it could not be written.
    detail: String,
}

/// Whether a name may become a file's: lower-case letters, digits and dashes, nothing that leads elsewhere.
fn is_file_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.len() <= LONGEST_NAME && name.bytes().all(fits) && !name.starts_with('-')
}

/// Writes the case, and shows it.
pub(super) async fn write(visit: Posted<Acts>) -> Result<Response, Fault> {
    let record = read(&visit).await?;
    let name = visit.field("name").to_owned();
    let shown = |file: String, written: String, fault: Option<&'static str>, detail: String| {
        let turn = record.turn.0.clone();
        let status = if fault.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
        let case = CasePage { page: visit.shell(Here::Turns), turn, file, written, fault, detail };
        Ok((status, page(&visit, &case)?).into_response())
    };
    if !is_file_name(&name) {
        return shown(String::new(), String::new(), Some("case_name_unfit"), String::new());
    }
    if !CaseForm::fits(&record) {
        return shown(String::new(), String::new(), Some("case_ending_unfit"), String::new());
    }
    let draft = CaseDraft {
        question: record.question.clone(),
        // A file of cases is read by more people than the console, and outlives erasure.
        customer: record.customer.as_ref().filter(|_| visit.field("as") == "yes").map(|one| one.0.clone()),
        ending: record.ending.clone(),
        must_say: visit.lines_of("must_say"),
        must_not_say: visit.lines_of("must_not_say"),
        sources: if visit.field("cite") == "yes" { distinct(&record) } else { Vec::new() },
    };
    let app = Arc::clone(&visit.app);
    let file = name.clone();
    let wrote = spawn_blocking(move || app.suite().map(|suite| suite.write_case(&file, &draft)));
    let path = match wrote.await.map_err(Fault::broken)?.ok_or(Fault::Away)? {
        Ok(path) => path,
        Err(detail) => return shown(String::new(), String::new(), Some("case_not_written"), detail),
    };
    visit.log("case.written", &name, &record.turn.0).await?;
    let file = path.strip_prefix(visit.app.root()).unwrap_or(&path).display().to_string();
    let written = spawn_blocking(move || std::fs::read_to_string(path)).await.map_err(Fault::broken)?;
    shown(file, written.map_err(Fault::broken)?, None, String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_to_no_other_folder() {
        assert!(is_file_name("lamp-that-broke-2"));
        for bad in ["", "../x", "a/b", "a\\b", "a.b", "-a", "A", "a b", "..", "a\0", &"a".repeat(61)] {
            assert!(!is_file_name(bad), "{bad:?}");
        }
    }
}
