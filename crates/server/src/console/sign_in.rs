//! Signing in and out.

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use mostrador_answer::ports::UnixMillis;

use super::fault::{Fault, SIGN_IN};
use super::shell::{Here, Shell, page};
use super::visit::{Knock, KnockPosted, Posted, Reads, Visit};
use super::{password, session};

/// So many failures under one name in [`WITHIN`] lock it for the rest of that time.
pub(super) const FAILURES: u32 = 5;

pub(super) const WITHIN: i64 = 15 * 60_000;

/// The most characters of an operator's name.
pub(super) const LONGEST_NAME: usize = 64;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage<'p> {
    page: Shell,
    name: &'p str,
    fault: Option<&'static str>,
}

/// The form.
pub(super) async fn show(visit: Knock) -> Result<Response, Fault> {
    page(&visit, &SignInPage { page: visit.shell(Here::Outside), name: "", fault: None })
}

/// Signs somebody in under a name that no session had before.
pub(super) async fn enter(visit: KnockPosted) -> Result<Response, Fault> {
    let (name, word) = (visit.field("name"), visit.raw_field("password"));
    if name.is_empty() || word.is_empty() || name.chars().count() > LONGEST_NAME {
        return refused(&visit, name, StatusCode::UNAUTHORIZED, "sign_in_wrong");
    }
    let store = visit.app.store();
    let now = visit.now();
    let since = UnixMillis(now.0.saturating_sub(WITHIN));
    if store.failures_since(name, since).await? >= FAILURES {
        return refused(&visit, name, StatusCode::TOO_MANY_REQUESTS, "sign_in_locked");
    }
    // Counted before the password is compared: many tries at once are not one.
    store.note_failure(name, now).await?;
    if store.failures_since(name, since).await? > FAILURES {
        return refused(&visit, name, StatusCode::TOO_MANY_REQUESTS, "sign_in_locked");
    }
    let known = store.operator(name).await?.filter(|(operator, _)| !operator.disabled);
    let (operator, hash) = known.unzip();
    let right = password::is_right(&visit.room, word, hash).await?;
    let Some(operator) = operator.filter(|_| right) else {
        return refused(&visit, name, StatusCode::UNAUTHORIZED, "sign_in_wrong");
    };
    store.clear_failures(name).await?;
    if let Some(before) = visit.carried() {
        session::close(&visit.app, before).await?;
    }
    let cookie = session::open(&visit.app, &operator).await?;
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/console/inbox")).into_response())
}

/// Signs out.
pub(super) async fn leave(visit: Posted<Reads>) -> Result<Response, Fault> {
    let gone = session::close(&visit.app, visit.token()).await?;
    let mut response = Redirect::to(SIGN_IN).into_response();
    response.headers_mut().extend(gone.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok(response)
}

fn refused(visit: &Visit, name: &str, status: StatusCode, fault: &'static str) -> Result<Response, Fault> {
    let shown = SignInPage { page: visit.shell(Here::Outside), name, fault: Some(fault) };
    Ok((status, page(visit, &shown)?).into_response())
}
