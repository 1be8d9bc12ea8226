//! Signing in and out.

use std::net::{IpAddr, Ipv6Addr};

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use mostrador_answer::ports::UnixMillis;

use super::fault::{Fault, SIGN_IN};
use super::shell::{Here, Shell, page};
use super::visit::{Knock, KnockPosted, Posted, Reads, Visit};
use super::{password, session};

/// So many failures under one name from one address in [`WITHIN`] lock the name for that address for the rest of that
/// time.
const FAILURES: u32 = 5;

/// So many from anywhere lock it for everybody: whoever tries from many addresses does not get on for ever, and whoever
/// only wants to lock somebody out needs more than a few tries.
const ANYWHERE: u32 = 50;

/// Failures under so many names from one address let nobody sign in from there: one password is not tried with every
/// name.
const NAMES: u32 = 30;

const WITHIN: i64 = 15 * 60_000;

/// The most characters of an operator's name.
const LONGEST_NAME: usize = 64;

/// Whether an operator may be called so: what they sign in with has no space around it.
#[must_use]
pub fn is_operator_name(name: &str) -> bool {
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count());
    fits && name.trim() == name && !name.chars().any(char::is_control)
}

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
    if !may_try(&visit, name).await? {
        return refused(&visit, name, StatusCode::TOO_MANY_REQUESTS, "sign_in_locked");
    }
    let known = store.operator(name).await?.filter(|(operator, _)| !operator.disabled);
    let (operator, hash) = known.unzip();
    let right = password::is_right(&visit.room, word, hash).await?;
    let Some(operator) = operator.filter(|_| right) else {
        return refused(&visit, name, StatusCode::UNAUTHORIZED, "sign_in_wrong");
    };
    store.clear_failures(name, Some(&visit.address)).await?;
    if let Some(before) = visit.carried() {
        session::close(&visit.app, before).await?;
    }
    let cookie = session::open(&visit.app, &operator).await?;
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/console/inbox")).into_response())
}

/// Whether a password may be compared with that of a name now. It counts as a failure until it was right, so that many
/// tries at once are not one.
pub(super) async fn may_try(visit: &Visit, name: &str) -> Result<bool, Fault> {
    let store = visit.app.store();
    let now = visit.now();
    let since = UnixMillis(now.0.saturating_sub(WITHIN));
    let before = store.failures_since(name, &visit.address, since).await?;
    if before.here >= FAILURES || before.anywhere >= ANYWHERE || before.from_here >= NAMES {
        return Ok(false);
    }
    store.note_failure(name, &visit.address, now).await?;
    let after = store.failures_since(name, &visit.address, since).await?;
    Ok(after.here <= FAILURES && after.anywhere <= ANYWHERE && after.from_here <= NAMES)
}

/// What counts as one address, as it does for the limits: of IPv6 the network of a household, which has more addresses
/// than [`ANYWHERE`] allows tries.
pub(super) fn household(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
    }
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
