//! The inbox: what waits for a colleague.

use askama::Template;
use axum::response::Response;
use mostrador_answer::stop::Ending;
use mostrador_store::{Beside, InboxItem, Store};

use super::fault::Fault;
use super::groups::{Group, grouped};
use super::shell::{Here, Shell, moment, page};
use super::visit::{Reads, Signed, Visit};

/// As many held answers, and as many that were handed over, stand on a page.
const ON_A_PAGE: usize = 100;

/// As many questions are put together at once.
const TOGETHER: usize = 500;

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

/// Why entries wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// For an approval.
    Held,
    /// Handed over, or ended in another way that promises a colleague.
    Handed,
    /// Nothing supported an answer.
    Unanswered,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Held, Self::Handed, Self::Unanswered];

    /// The name in addresses.
    fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Handed => "handed",
            Self::Unanswered => "unanswered",
        }
    }

    fn of(ending: Ending) -> Self {
        match ending {
            Ending::Held => Self::Held,
            Ending::NoEvidence => Self::Unanswered,
            _ => Self::Handed,
        }
    }

    fn endings(self) -> Vec<Ending> {
        Ending::ALL.into_iter().filter(|ending| Self::of(*ending) == self).collect()
    }

    fn most(self) -> usize {
        if self == Self::Unanswered { TOGETHER } else { ON_A_PAGE }
    }
}

/// Where the entries are that a page does not show.
#[derive(Default)]
struct Leaf {
    kind: &'static str,
    older: Option<i64>,
    newer: Option<i64>,
}

#[derive(Template)]
#[template(path = "inbox.html")]
struct InboxPage {
    page: Shell,
    held: Vec<Row>,
    held_open: u64,
    held_leaf: Leaf,
    handed: Vec<Row>,
    handed_open: u64,
    handed_leaf: Leaf,
    unanswered: Vec<Together>,
    unanswered_open: u64,
    unanswered_leaf: Leaf,
}

/// The open entries: held answers, what was handed over, and what nobody could answer; each kind by itself, so that
/// none hides another. `kind` in the address with `after` or `before` shows a later or an earlier page of one.
pub(super) async fn list(visit: Signed<Reads>) -> Result<Response, Fault> {
    let store = visit.app.store();
    let counts = store.count_open().await?;
    let open = |kind| counts.iter().filter(|(ending, _)| Kind::of(*ending) == kind).map(|(_, n)| n).sum();
    let (held, held_leaf) = leaf(&visit, store, Kind::Held).await?;
    let (handed, handed_leaf) = leaf(&visit, store, Kind::Handed).await?;
    let (unanswered, unanswered_leaf) = leaf(&visit, store, Kind::Unanswered).await?;
    let shown = InboxPage {
        page: visit.shell(Here::Inbox),
        held: held.iter().map(Row::from).collect(),
        held_open: open(Kind::Held),
        held_leaf,
        handed: handed.iter().map(Row::from).collect(),
        handed_open: open(Kind::Handed),
        handed_leaf,
        unanswered: grouped(unanswered).iter().map(Together::from).collect(),
        unanswered_open: open(Kind::Unanswered),
        unanswered_leaf,
    };
    page(&visit, &shown)
}

/// The page of a kind that is asked for, the oldest entries where none is; nothing where another kind is.
async fn leaf(visit: &Visit, store: &Store, kind: Kind) -> Result<(Vec<InboxItem>, Leaf), Fault> {
    let asked = visit.asked("kind").and_then(|name| Kind::ALL.into_iter().find(|kind| kind.name() == name));
    if asked.is_some_and(|asked| asked != kind) {
        return Ok((Vec::new(), Leaf::default()));
    }
    let beside = match asked.and_then(|_| visit.asked_number("before")) {
        Some(id) => Beside::Before(id),
        None => Beside::After(asked.and_then(|_| visit.asked_number("after")).unwrap_or(0)),
    };
    let endings = kind.endings();
    let items = store.open_inbox(&endings, beside, kind.most()).await?;
    let (Some(first), Some(last)) = (items.first(), items.last()) else {
        return Ok((items, Leaf::default()));
    };
    let (first, last) = (first.id, last.id);
    let older = store.open_inbox(&endings, Beside::Before(first), 1).await?;
    let newer = store.open_inbox(&endings, Beside::After(last), 1).await?;
    let older = (!older.is_empty()).then_some(first);
    let newer = (!newer.is_empty()).then_some(last);
    Ok((items, Leaf { kind: kind.name(), older, newer }))
}
