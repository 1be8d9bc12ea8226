//! One entry of the inbox: approve what is shown, reject it, answer in one's own words, or close it.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use mostrador_answer::approval::{Approved, Decision, NotApproved};
use mostrador_answer::stop::Ending;
use mostrador_store::{How, InboxItem, StoreError};

use super::fault::Fault;
use super::seal::Sealed;
use super::shell::{Here, Shell, moment, page};
use super::visit::{Acts, Posted, Reads, Signed, Visit};

/// The most characters of an answer in one's own words.
pub(super) const LONGEST: usize = 4_000;

/// A text to approve, with its seal.
struct Draft {
    text: String,
    cited: Vec<String>,
    seal: String,
    until: i64,
}

/// How it ended, by whom and when.
struct Before {
    /// The name of its text.
    how: &'static str,
    person: String,
    at: String,
}

#[derive(Template)]
#[template(path = "entry.html")]
struct EntryPage {
    page: Shell,
    id: i64,
    question: String,
    ending: String,
    rule: String,
    evidence: String,
    raw: String,
    language: String,
    at: String,
    turn: Option<String>,
    conversation: Option<String>,
    /// Whether an answer of one's own would reach the customer in the conversation.
    reaches: bool,
    address: Option<String>,
    customer: Option<String>,
    draft: Option<Draft>,
    /// Why there is nothing to approve, by the name of its text.
    no_draft: Option<&'static str>,
    before: Option<Before>,
    open: bool,
    fault: Option<&'static str>,
    own: String,
}

/// The page of an entry.
pub(super) async fn show(visit: Signed<Reads>) -> Result<Response, Fault> {
    let item = read(&visit).await?;
    let shown = entry_page(&visit, &item, visit.operator().id, None).await?;
    page(&visit, &shown)
}

/// Sends the text that was shown, and no other.
pub(super) async fn approve(visit: Posted<Acts>) -> Result<Response, Fault> {
    let item = read(&visit).await?;
    let operator = visit.operator();
    let approved = match Approved::new(&item.entry, &visit.app.version().shop.settings().voice) {
        Ok(approved) => approved,
        Err(_) => return again(&visit, &item, operator.id, "approval_changed").await,
    };
    let sealed = Sealed { entry: item.id, text: approved.text(), operator: operator.id };
    let until = visit.field("until").parse().unwrap_or(0);
    if !sealed.holds(visit.app.secret(), visit.field("seal"), until, visit.now()) {
        return again(&visit, &item, operator.id, "approval_changed").await;
    }
    let decided = visit.app.store().decide(item.id, Some(&approved), &operator.name, visit.now()).await;
    if let Some(before) = settled(&visit, &item, operator.id, decided.err()).await? {
        return Ok(before);
    }
    visit.log("inbox.approved", &item.id.to_string(), "").await?;
    tell(&visit, &item);
    Ok(Redirect::to("/console/inbox?note=approved").into_response())
}

/// Decides that a held answer is not sent.
pub(super) async fn reject(visit: Posted<Acts>) -> Result<Response, Fault> {
    let item = read(&visit).await?;
    let operator = visit.operator();
    let decided = visit.app.store().decide(item.id, None, &operator.name, visit.now()).await;
    if let Some(before) = settled(&visit, &item, operator.id, decided.err()).await? {
        return Ok(before);
    }
    visit.log("inbox.rejected", &item.id.to_string(), "").await?;
    Ok(Redirect::to("/console/inbox?note=rejected").into_response())
}

/// Answers in the operator's own words, which closes the entry.
pub(super) async fn answer(visit: Posted<Acts>) -> Result<Response, Fault> {
    let item = read(&visit).await?;
    let operator = visit.operator();
    let text = visit.field("text");
    if text.is_empty() || text.chars().count() > LONGEST {
        return again(&visit, &item, operator.id, "text_unfit").await;
    }
    let answered = visit.app.store().answer_entry(item.id, &operator.name, text, visit.now()).await;
    let note = match answered {
        Ok(Some(_)) => "answered",
        Ok(None) => "answered_elsewhere",
        Err(error) => {
            return settled(&visit, &item, operator.id, Some(error)).await?.ok_or(Fault::Broken);
        }
    };
    visit.log("inbox.answered", &item.id.to_string(), "").await?;
    tell(&visit, &item);
    Ok(Redirect::to(&format!("/console/inbox?note={note}")).into_response())
}

/// Closes an entry that needs no answer.
pub(super) async fn close(visit: Posted<Acts>) -> Result<Response, Fault> {
    let item = read(&visit).await?;
    let operator = visit.operator();
    let closed = visit.app.store().close_entry(item.id, &operator.name, visit.now()).await;
    if let Some(before) = settled(&visit, &item, operator.id, closed.err()).await? {
        return Ok(before);
    }
    visit.log("inbox.closed", &item.id.to_string(), "").await?;
    Ok(Redirect::to("/console/inbox?note=closed").into_response())
}

async fn read(visit: &Visit) -> Result<InboxItem, Fault> {
    visit.app.store().inbox_entry(visit.number("entry")?).await?.ok_or(Fault::NotFound)
}

/// Whether nobody has decided or closed it.
fn is_open(item: &InboxItem) -> bool {
    item.decided.is_none() && item.closed.is_none()
}

/// Shows the entry with what stood in the way, where somebody was there before.
async fn settled(
    visit: &Visit,
    item: &InboxItem,
    operator: i64,
    error: Option<StoreError>,
) -> Result<Option<Response>, Fault> {
    let text = match error {
        None => return Ok(None),
        Some(StoreError::DecidedBefore { .. }) => "decided_before",
        Some(StoreError::ClosedBefore { .. }) => "closed_before",
        Some(StoreError::NotHeld(_)) => "approval_changed",
        Some(StoreError::NoEntry(_)) => return Err(Fault::NotFound),
        Some(error) => return Err(error.into()),
    };
    let now = visit.app.store().inbox_entry(item.id).await?.ok_or(Fault::NotFound)?;
    again(visit, &now, operator, text).await.map(Some)
}

async fn again(
    visit: &Visit,
    item: &InboxItem,
    operator: i64,
    fault: &'static str,
) -> Result<Response, Fault> {
    let shown = entry_page(visit, item, operator, Some(fault)).await?;
    Ok((StatusCode::CONFLICT, page(visit, &shown)?).into_response())
}

/// Wakes the customer's stream.
fn tell(visit: &Visit, item: &InboxItem) {
    if let Some(conversation) = &item.entry.conversation {
        visit.app.desk().told(conversation);
    }
}

async fn entry_page(
    visit: &Visit,
    item: &InboxItem,
    operator: i64,
    fault: Option<&'static str>,
) -> Result<EntryPage, Fault> {
    let store = visit.app.store();
    let entry = &item.entry;
    let open = is_open(item);
    let conversation = match &entry.conversation {
        Some(id) => store.conversation(id).await?.map(|conversation| conversation.id.0),
        None => None,
    };
    let approved = Approved::new(entry, &visit.app.version().shop.settings().voice);
    let no_draft = match approved.as_ref().err().filter(|_| entry.ending == Ending::Held) {
        Some(NotApproved::Nowhere) => Some("no_draft_nowhere"),
        Some(_) => Some("no_draft_empty"),
        None => None,
    };
    let draft = approved.ok().filter(|_| open).map(|approved| {
        let sealed = Sealed { entry: item.id, text: approved.text(), operator };
        let (seal, until) = sealed.seal(visit.app.secret(), visit.now());
        let cited = approved.cited().iter().map(ToString::to_string).collect();
        Draft { text: approved.text().to_owned(), cited, seal, until }
    });
    Ok(EntryPage {
        page: visit.shell(Here::Inbox),
        id: item.id,
        question: entry.question.clone(),
        ending: entry.ending.name().to_owned(),
        rule: entry.rule.0.clone(),
        evidence: entry.evidence.clone(),
        raw: entry.answer.clone(),
        language: entry.language.to_string(),
        at: moment(entry.at),
        turn: store.turn(&entry.turn).await?.map(|turn| turn.turn.0),
        reaches: conversation.is_some(),
        conversation,
        address: entry.address.clone(),
        customer: entry.customer.as_ref().map(|customer| customer.0.clone()),
        draft,
        no_draft,
        before: before(item),
        open,
        fault,
        own: visit.field("text").to_owned(),
    })
}

/// How an entry ended, where it has.
fn before(item: &InboxItem) -> Option<Before> {
    let decided = item.decided.as_ref().map(|decided| {
        let how = match decided.decision {
            Decision::Approved => "was_approved",
            Decision::Rejected => "was_rejected",
        };
        Before { how, person: decided.person.clone(), at: moment(decided.at) }
    });
    let closed = item.closed.as_ref().map(|closed| {
        let how = match closed.how {
            How::Answered => "was_answered",
            How::Closed => "was_closed",
        };
        Before { how, person: closed.person.clone(), at: moment(closed.at) }
    });
    decided.or(closed)
}
