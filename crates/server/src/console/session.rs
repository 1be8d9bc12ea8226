//! Sessions of operators: made at sign-in, kept as a hash, over after twelve idle hours or seven days.

use axum::http::HeaderValue;
use mostrador_answer::ports::UnixMillis;
use mostrador_store::Operator;

use super::fault::Fault;
use super::{cookies, keys};
use crate::app::App;

const MINUTE: i64 = 60_000;
const IDLE: i64 = 12 * 60 * MINUTE;
const LONGEST: i64 = 7 * 24 * 60 * MINUTE;

/// A session is not written more often than this: every page would be a write otherwise.
const TOUCHED_EVERY: i64 = 5 * MINUTE;

/// Opens a session under a name that nobody has seen before, and gives the cookie that carries it.
///
/// # Errors
/// [`Fault::Broken`] where it cannot be kept.
pub(super) async fn open(app: &App, operator: &Operator) -> Result<HeaderValue, Fault> {
    let token = keys::token()?;
    let now = app.clock_now();
    let expires = UnixMillis(now.0.saturating_add(IDLE));
    app.store().open_session(&keys::digest(&token), operator.id, now, expires).await?;
    cookies::set(cookies::SESSION, &token, None, app.secure_cookies())
        .ok_or_else(|| Fault::broken("a session's name fits in no cookie"))
}

/// Whose session it is; `None` where there is none of that name, or no longer. `active`: whether a person asks; what a
/// script asks for by itself does not keep a session open.
///
/// # Errors
/// [`Fault::Broken`] where the store cannot be read.
pub(super) async fn operator(app: &App, token: &str, active: bool) -> Result<Option<Operator>, Fault> {
    let now = app.clock_now();
    let hash = keys::digest(token);
    let Some(session) = app.store().session(&hash, now).await? else { return Ok(None) };
    let end = session.opened.0.saturating_add(LONGEST);
    if now.0 >= end {
        app.store().close_session(&hash).await?;
        return Ok(None);
    }
    let expires = now.0.saturating_add(IDLE).min(end);
    if active && expires.saturating_sub(session.expires.0) >= TOUCHED_EVERY {
        app.store().touch_session(&hash, now, UnixMillis(expires)).await?;
    }
    Ok(Some(session.operator))
}

/// Ends a session, and gives the cookie that takes its name from the browser.
///
/// # Errors
/// [`Fault::Broken`] where it cannot be ended.
pub(super) async fn close(app: &App, token: &str) -> Result<Option<HeaderValue>, Fault> {
    app.store().close_session(&keys::digest(token)).await?;
    Ok(cookies::set(cookies::SESSION, "", Some(0), app.secure_cookies()))
}
