//! Conversations: read them, take one over, write in it, give it back.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::ConversationId;
use mostrador_store::{Conversation, Line, Role, StoreError};

use super::entry::LONGEST;
use super::erasure::tell_lingering;
use super::fault::Fault;
use super::shell::{Here, Shell, moment, page};
use super::visit::{Acts, Owns, Posted, Reads, Signed, Visit};

/// As many conversations stand on a page.
const ON_A_PAGE: usize = 50;

/// As many lines of a conversation are shown, the newest.
const LINES: usize = 300;

/// A conversation in the list.
struct Head {
    id: String,
    last: String,
    language: String,
    taken: Option<String>,
    customer: Option<String>,
    speaker: String,
    text: String,
}

#[derive(Template)]
#[template(path = "conversations.html")]
struct ListPage {
    page: Shell,
    heads: Vec<Head>,
    /// Where the older ones are.
    older: Option<i64>,
}

/// What was said, by whom.
struct Said {
    id: i64,
    /// `customer`, `assistant` or `colleague`.
    speaker: &'static str,
    person: Option<String>,
    text: String,
    sources: Vec<String>,
    turn: Option<String>,
    ending: Option<String>,
    at: String,
}

#[derive(Template)]
#[template(path = "conversation.html")]
struct OnePage {
    page: Shell,
    id: String,
    language: String,
    customer: Option<String>,
    address: Option<String>,
    started: String,
    taken: Option<String>,
    mine: bool,
    lines: Vec<Said>,
    /// Whether older lines are not shown.
    cut: bool,
    fault: Option<&'static str>,
    own: String,
}

/// The conversations, newest activity first.
pub(super) async fn list(visit: Signed<Reads>) -> Result<Response, Fault> {
    let before = visit.asked_number("before").map(UnixMillis);
    let heads = visit.app.store().list_conversations(ON_A_PAGE, before).await?;
    let full = heads.len() == ON_A_PAGE;
    let older = heads.last().filter(|_| full).map(|head| head.conversation.last.0);
    let heads = heads.into_iter().map(|head| {
        let last = head.last_line.as_ref();
        Head {
            id: head.conversation.id.0,
            last: moment(head.conversation.last),
            language: head.conversation.language.to_string(),
            taken: head.conversation.taken.map(|taken| taken.person),
            customer: head.conversation.customer.map(|customer| customer.0),
            speaker: last.map(|line| line.speaker.name().to_owned()).unwrap_or_default(),
            text: last.map(|line| line.text.chars().take(200).collect()).unwrap_or_default(),
        }
    });
    let shown = ListPage { heads: heads.collect(), older, page: visit.shell(Here::Conversations) };
    page(&visit, &shown)
}

/// One conversation.
pub(super) async fn show(visit: Signed<Reads>) -> Result<Response, Fault> {
    let shown = one(&visit, &visit.operator().name, None).await?;
    page(&visit, &shown)
}

/// Takes it over: from then on the assistant is silent.
pub(super) async fn take(visit: Posted<Acts>) -> Result<Response, Fault> {
    let conversation = known(&visit).await?;
    let redact = visit.app.version().engine.settings().redact;
    let taken = visit.app.desk().take_over(&conversation.id, &visit.operator().name, redact).await;
    acted(&visit, &conversation.id, taken, "conversation.taken").await
}

/// Gives it back to the assistant.
pub(super) async fn give_back(visit: Posted<Acts>) -> Result<Response, Fault> {
    let conversation = known(&visit).await?;
    // An owner may end what a colleague has left open.
    let force = visit.operator().role >= Role::Owner;
    let given = visit.app.desk().give_back(&conversation.id, &visit.operator().name, force).await;
    acted(&visit, &conversation.id, given, "conversation.given-back").await
}

/// Says something to the customer, while the operator has the conversation.
pub(super) async fn say(visit: Posted<Acts>) -> Result<Response, Fault> {
    let conversation = known(&visit).await?;
    let text = visit.field("text");
    if text.is_empty() || text.chars().count() > LONGEST {
        return again(&visit, "text_unfit").await;
    }
    let said = visit.app.desk().say(&conversation.id, &visit.operator().name, text).await;
    acted(&visit, &conversation.id, said.map(|_| ()), "conversation.said").await
}

/// Erases it with all that was said in it.
pub(super) async fn erase(visit: Posted<Owns>) -> Result<Response, Fault> {
    let conversation = known(&visit).await?;
    if visit.field("sure") != "yes" {
        return Err(Fault::BadForm);
    }
    let gone = visit.app.store().erase_conversation(&conversation.id).await?;
    visit.app.desk().forget(&conversation.id);
    tell_lingering(&gone);
    visit.log("conversation.erased", &conversation.id.0, "").await?;
    Ok(Redirect::to("/console/conversations?note=erased").into_response())
}

async fn known(visit: &Visit) -> Result<Conversation, Fault> {
    let id = ConversationId(visit.name("conversation")?.to_owned());
    visit.app.store().conversation(&id).await?.ok_or(Fault::NotFound)
}

async fn acted(
    visit: &Posted<Acts>,
    id: &ConversationId,
    done: Result<(), StoreError>,
    action: &str,
) -> Result<Response, Fault> {
    match done {
        Ok(()) => {
            visit.log(action, &id.0, "").await?;
            Ok(Redirect::to(&format!("/console/conversations/{}", id.0)).into_response())
        }
        Err(StoreError::TakenBefore { .. }) => again(visit, "taken_before").await,
        Err(StoreError::NotTaken(_)) => again(visit, "not_taken").await,
        Err(error) => Err(error.into()),
    }
}

async fn again(visit: &Posted<Acts>, fault: &'static str) -> Result<Response, Fault> {
    let shown = one(visit, &visit.operator().name, Some(fault)).await?;
    Ok((StatusCode::CONFLICT, page(visit, &shown)?).into_response())
}

async fn one(visit: &Visit, me: &str, fault: Option<&'static str>) -> Result<OnePage, Fault> {
    let conversation = known(visit).await?;
    let lines = visit.app.store().last_lines(&conversation.id, LINES).await?;
    let taken = conversation.taken.map(|taken| taken.person);
    Ok(OnePage {
        page: visit.shell(Here::Conversations),
        id: conversation.id.0,
        language: conversation.language.to_string(),
        customer: conversation.customer.map(|customer| customer.0),
        address: conversation.address,
        started: moment(conversation.started),
        mine: taken.as_deref() == Some(me),
        taken,
        cut: lines.len() == LINES,
        lines: lines.into_iter().map(said).collect(),
        fault,
        own: visit.field("text").to_owned(),
    })
}

fn said(line: Line) -> Said {
    Said {
        id: line.id,
        speaker: line.speaker.name(),
        person: line.person,
        text: line.text,
        sources: super::turns::sources(&line.citations),
        turn: line.turn.map(|turn| turn.0),
        ending: line.ending,
        at: moment(line.at),
    }
}
