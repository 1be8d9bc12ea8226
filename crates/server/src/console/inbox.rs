//! The inbox: what waits for a colleague.

use askama::Template;
use axum::response::Response;
use mostrador_answer::stop::Ending;
use mostrador_store::InboxItem;

use super::fault::Fault;
use super::groups::{Group, grouped};
use super::shell::{Here, Shell, moment, page};
use super::visit::{Reads, Signed};

/// As many entries of a kind are read at once, the oldest.
const MOST: usize = 500;

/// An entry in a list.
pub(super) struct Row {
    pub(super) id: i64,
    pub(super) question: String,
    pub(super) ending: String,
    pub(super) rule: String,
    pub(super) language: String,
    pub(super) at: String,
}

impl From<&InboxItem> for Row {
    fn from(item: &InboxItem) -> Self {
        let entry = &item.entry;
        Self {
            id: item.id,
            question: entry.question.clone(),
            ending: entry.ending.name().to_owned(),
            rule: entry.rule.0.clone(),
            language: entry.language.to_string(),
            at: moment(entry.at),
        }
    }
}

/// Questions that ask for one thing.
struct Together {
    first: Row,
    more: Vec<Row>,
    count: usize,
}

impl From<&Group> for Together {
    fn from(group: &Group) -> Self {
        let mut rows = group.items.iter().map(Row::from);
        let empty = || Row {
            id: 0,
            question: String::new(),
            ending: String::new(),
            rule: String::new(),
            language: String::new(),
            at: String::new(),
        };
        let first = rows.next().unwrap_or_else(empty);
        Self { first, more: rows.collect(), count: group.items.len() }
    }
}

#[derive(Template)]
#[template(path = "inbox.html")]
struct InboxPage {
    page: Shell,
    held: Vec<Row>,
    handed: Vec<Row>,
    unanswered: Vec<Together>,
    /// The number of unanswered questions.
    asked: usize,
}

/// The open entries: held answers, what was handed over, and what nobody could answer.
pub(super) async fn list(visit: Signed<Reads>) -> Result<Response, Fault> {
    let store = visit.app.store();
    let held = store.open_inbox(Some(Ending::Held), MOST).await?;
    let unanswered = store.open_inbox(Some(Ending::NoEvidence), MOST).await?;
    let all = store.open_inbox(None, MOST).await?;
    let is_other = |item: &&InboxItem| !matches!(item.entry.ending, Ending::Held | Ending::NoEvidence);
    let shown = InboxPage {
        page: visit.shell(Here::Inbox),
        held: held.iter().map(Row::from).collect(),
        handed: all.iter().filter(is_other).map(Row::from).collect(),
        asked: unanswered.len(),
        unanswered: grouped(unanswered).iter().map(Together::from).collect(),
    };
    page(&visit, &shown)
}
