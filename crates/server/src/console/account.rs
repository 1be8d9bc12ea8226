//! One's own password.

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};

use super::fault::Fault;
use super::shell::{Here, Shell, page};
use super::sign_in::may_try;
use super::visit::{Posted, Reads, Signed, Visit};
use super::{password, session};

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    page: Shell,
    role: &'static str,
    fault: Option<&'static str>,
}

/// The form.
pub(super) async fn show(visit: Signed<Reads>) -> Result<Response, Fault> {
    let role = visit.operator().role.name();
    page(&visit, &AccountPage { page: visit.shell(Here::Account), role, fault: None })
}

/// Sets a new password, and ends every session that was opened with the old one.
pub(super) async fn change(visit: Posted<Reads>) -> Result<Response, Fault> {
    let operator = visit.operator();
    let store = visit.app.store();
    let new = visit.raw_field("password");
    if !password::fits(new) {
        return again(&visit, operator.role.name(), StatusCode::BAD_REQUEST, "password_unfit");
    }
    if new != visit.raw_field("again") {
        return again(&visit, operator.role.name(), StatusCode::BAD_REQUEST, "password_differs");
    }
    if !may_try(&visit, &operator.name).await? {
        return again(&visit, operator.role.name(), StatusCode::TOO_MANY_REQUESTS, "sign_in_locked");
    }
    let hash = store.operator(&operator.name).await?.map(|(_, hash)| hash);
    if !password::is_right(&visit.room, visit.raw_field("old"), hash).await? {
        return again(&visit, operator.role.name(), StatusCode::FORBIDDEN, "old_password_wrong");
    }
    store.clear_failures(&operator.name, Some(&visit.address)).await?;
    let hash = password::hashed(&visit.room, new).await?;
    store.set_password(operator.id, &hash).await?;
    visit.log("operator.password", &operator.name, "").await?;
    let cookie = session::open(&visit.app, operator).await?;
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/console/account?note=saved")).into_response())
}

fn again(
    visit: &Visit,
    role: &'static str,
    status: StatusCode,
    fault: &'static str,
) -> Result<Response, Fault> {
    let shown = AccountPage { page: visit.shell(Here::Account), role, fault: Some(fault) };
    Ok((status, page(visit, &shown)?).into_response())
}
