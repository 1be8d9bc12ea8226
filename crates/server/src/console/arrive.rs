//! How somebody becomes an operator: by the link of the first run, or by an invitation.

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use mostrador_store::{Action, Operator, Role, StoreError};

use super::fault::Fault;
use super::invitations::Invited;
use super::shell::{Here, Shell, page};
use super::sign_in::is_operator_name;
use super::visit::{Knock, KnockPosted, Visit};
use super::{password, session};

#[derive(Template)]
#[template(path = "arrive.html")]
struct ArrivePage<'p> {
    page: Shell,
    /// The names of the page's texts.
    title: &'static str,
    intro: &'static str,
    /// A name that is not chosen any more.
    given: Option<&'p str>,
    name: &'p str,
    fault: Option<&'static str>,
}

impl<'p> ArrivePage<'p> {
    fn first(visit: &'p Visit, fault: Option<&'static str>) -> Self {
        let page = visit.shell(Here::Outside);
        let name = visit.field("name");
        Self { page, title: "setup_title", intro: "setup_intro", given: None, name, fault }
    }

    fn invited(visit: &'p Visit, invited: &'p Invited, fault: Option<&'static str>) -> Self {
        let page = visit.shell(Here::Outside);
        let name = visit.field("name");
        match invited {
            Invited::New { .. } => {
                Self { page, title: "invited_title", intro: "invited_intro", given: None, name, fault }
            }
            Invited::Again { name: given, .. } => {
                Self { page, title: "again_title", intro: "again_intro", given: Some(given), name, fault }
            }
        }
    }

    fn send(&self, visit: &Visit) -> Result<Response, Fault> {
        let status = if self.fault.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
        Ok((status, page(visit, self)?).into_response())
    }
}

/// The form of the first run. Looking at it does not use its link up.
pub(super) async fn first_form(visit: Knock) -> Result<Response, Fault> {
    if !visit.app.setup().knows(visit.name("token")?, visit.now()) || visit.app.store().any_operator().await?
    {
        return Err(Fault::BadLink);
    }
    ArrivePage::first(&visit, None).send(&visit)
}

/// Makes the first operator, an owner.
pub(super) async fn first(visit: KnockPosted) -> Result<Response, Fault> {
    let token = visit.name("token")?;
    if !visit.app.setup().knows(token, visit.now()) || visit.app.store().any_operator().await? {
        return Err(Fault::BadLink);
    }
    if let Some(fault) = unfit(&visit, true) {
        return ArrivePage::first(&visit, Some(fault)).send(&visit);
    }
    let name = visit.field("name");
    let hash = password::hashed(&visit.room, visit.raw_field("password")).await?;
    if !visit.app.setup().take(token, visit.now()) {
        return Err(Fault::BadLink);
    }
    let added = visit.app.store().add_first_operator(name, &hash, visit.now()).await?;
    let operator = added.ok_or(Fault::BadLink)?;
    log(&visit, &operator.name, "operator.first", &operator.name, Role::Owner.name()).await?;
    enter(&visit, &operator).await
}

/// The form of an invitation.
pub(super) async fn invited_form(visit: Knock) -> Result<Response, Fault> {
    let invited = waiting(&visit).await?;
    ArrivePage::invited(&visit, &invited, None).send(&visit)
}

/// Makes an operator of whoever was invited, or gives one a new password.
pub(super) async fn invited(visit: KnockPosted) -> Result<Response, Fault> {
    let token = visit.name("token")?;
    let invited = waiting(&visit).await?;
    let named = matches!(invited, Invited::New { .. });
    if let Some(fault) = unfit(&visit, named) {
        return ArrivePage::invited(&visit, &invited, Some(fault)).send(&visit);
    }
    let store = visit.app.store();
    if named && store.operator(visit.field("name")).await?.is_some() {
        return ArrivePage::invited(&visit, &invited, Some("name_taken")).send(&visit);
    }
    let hash = password::hashed(&visit.room, visit.raw_field("password")).await?;
    // Asked again: making the hash takes its time.
    waiting(&visit).await?;
    let operator = match visit.room.invitations.take(token, visit.now()).ok_or(Fault::BadLink)? {
        Invited::New { role, by } => {
            let added = store.add_operator(visit.field("name"), &hash, role, visit.now()).await;
            let operator = match added {
                Err(StoreError::NameTaken(_)) => return Err(Fault::BadLink),
                added => added?,
            };
            log(&visit, &by, "operator.added", &operator.name, role.name()).await?;
            operator
        }
        Invited::Again { id, name, by, .. } => {
            store.set_password(id, &hash).await?;
            store.clear_failures(&name, None).await?;
            log(&visit, &by, "operator.password", &name, "").await?;
            store.operator(&name).await?.ok_or(Fault::BadLink)?.0
        }
    };
    enter(&visit, &operator).await
}

/// What a link is for, if it still holds: whoever made it is an owner, and whom it is for has no other password since.
async fn waiting(visit: &Visit) -> Result<Invited, Fault> {
    let invited = visit.room.invitations.look(visit.name("token")?, visit.now()).ok_or(Fault::BadLink)?;
    let store = visit.app.store();
    let by = store.operator(invited.by()).await?;
    let by_owner = by.is_some_and(|(by, _)| by.role == Role::Owner && !by.disabled);
    let holds = match &invited {
        Invited::New { .. } => true,
        Invited::Again { name, hash, .. } => {
            store.operator(name).await?.is_some_and(|(operator, now)| !operator.disabled && now == *hash)
        }
    };
    if by_owner && holds { Ok(invited) } else { Err(Fault::BadLink) }
}

/// What is wrong with what was written, by the name of its text.
fn unfit(visit: &Visit, named: bool) -> Option<&'static str> {
    let name = visit.field("name");
    let word = visit.raw_field("password");
    if named && !is_operator_name(name) {
        return Some("name_unfit");
    }
    if !password::fits(word) {
        return Some("password_unfit");
    }
    (word != visit.raw_field("again")).then_some("password_differs")
}

async fn enter(visit: &Visit, operator: &Operator) -> Result<Response, Fault> {
    let cookie = session::open(&visit.app, operator).await?;
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/console/inbox")).into_response())
}

async fn log(visit: &Visit, by: &str, action: &str, subject: &str, detail: &str) -> Result<(), Fault> {
    let action = Action {
        operator: by.to_owned(),
        action: action.to_owned(),
        subject: subject.to_owned(),
        detail: detail.to_owned(),
        at: visit.now(),
    };
    Ok(visit.app.store().log_action(&action).await?)
}
