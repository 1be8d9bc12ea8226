//! Operators: who may come in, and what they may do. For owners.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use mostrador_store::{Operator, Role, StoreError};

use super::fault::Fault;
use super::invitations::Invited;
use super::shell::{Here, Shell, moment, page};
use super::visit::{Owns, Posted, Signed, Visit};

struct Row {
    id: i64,
    name: String,
    role: &'static str,
    disabled: bool,
    created: String,
}

#[derive(Template)]
#[template(path = "operators.html")]
struct OperatorsPage {
    page: Shell,
    rows: Vec<Row>,
    roles: [&'static str; 3],
    /// A link that was made, shown this once.
    link: Option<String>,
    fault: Option<&'static str>,
}

/// Who there is.
pub(super) async fn list(visit: Signed<Owns>) -> Result<Response, Fault> {
    show(&visit, None, None).await
}

/// Makes the link for a new operator.
pub(super) async fn invite(visit: Posted<Owns>) -> Result<Response, Fault> {
    let role = role(visit.field("role"))?;
    let invited = Invited::New { role, by: visit.operator().name.clone() };
    let token = visit.room.invitations.make(invited, visit.now())?;
    visit.log("operator.invited", "", role.name()).await?;
    show(&visit, Some(token), None).await
}

/// Makes the link for a new password, where one was forgotten.
pub(super) async fn again(visit: Posted<Owns>) -> Result<Response, Fault> {
    let Operator { id, name, .. } = named(&visit).await?;
    let (_, hash) = visit.app.store().operator(&name).await?.ok_or(Fault::NotFound)?;
    let invited = Invited::Again { id, name: name.clone(), by: visit.operator().name.clone(), hash };
    let token = visit.room.invitations.make(invited, visit.now())?;
    visit.log("operator.password-link", &name, "").await?;
    show(&visit, Some(token), None).await
}

/// Gives an operator another role.
pub(super) async fn set_role(visit: Posted<Owns>) -> Result<Response, Fault> {
    let role = role(visit.field("role"))?;
    let operator = named(&visit).await?;
    match visit.app.store().set_role(operator.id, role).await {
        Err(StoreError::LastOwner) => return show(&visit, None, Some("last_owner")).await,
        set => set?,
    };
    visit.log("operator.role", &operator.name, role.name()).await?;
    Ok(Redirect::to("/console/operators?note=saved").into_response())
}

/// Shuts an operator out at once, or lets them in again.
pub(super) async fn set_disabled(visit: Posted<Owns>) -> Result<Response, Fault> {
    let disabled = match visit.field("disabled") {
        "yes" => true,
        "no" => false,
        _ => return Err(Fault::BadForm),
    };
    let operator = named(&visit).await?;
    match visit.app.store().set_disabled(operator.id, disabled).await {
        Err(StoreError::LastOwner) => return show(&visit, None, Some("last_owner")).await,
        set => set?,
    };
    let action = if disabled { "operator.disabled" } else { "operator.enabled" };
    visit.log(action, &operator.name, "").await?;
    Ok(Redirect::to("/console/operators?note=saved").into_response())
}

async fn named(visit: &Visit) -> Result<Operator, Fault> {
    let id = visit.number("operator")?;
    let operators = visit.app.store().operators().await?;
    operators.into_iter().find(|operator| operator.id == id).ok_or(Fault::NotFound)
}

fn role(name: &str) -> Result<Role, Fault> {
    Role::parse(name).ok_or(Fault::BadForm)
}

async fn show(visit: &Visit, link: Option<String>, fault: Option<&'static str>) -> Result<Response, Fault> {
    let operators = visit.app.store().operators().await?;
    let rows = operators.into_iter().map(|operator| Row {
        id: operator.id,
        role: operator.role.name(),
        disabled: operator.disabled,
        created: moment(operator.created),
        name: operator.name,
    });
    let shown = OperatorsPage {
        page: visit.shell(Here::Operators),
        rows: rows.collect(),
        roles: Role::ALL.map(Role::name),
        link: link.map(|token| format!("/console/invitations/{token}")),
        fault,
    };
    let status = if fault.is_some() { StatusCode::CONFLICT } else { StatusCode::OK };
    Ok((status, page(visit, &shown)?).into_response())
}
