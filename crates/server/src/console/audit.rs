//! What operators did, newest first.

use askama::Template;
use axum::response::Response;

use super::fault::Fault;
use super::shell::{Here, Shell, moment, page};
use super::visit::{Reads, Signed};

/// As many actions stand on a page.
const ON_A_PAGE: usize = 100;

struct Row {
    at: String,
    operator: String,
    action: String,
    subject: String,
    detail: String,
}

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditPage {
    page: Shell,
    rows: Vec<Row>,
    /// Where the older ones are.
    older: Option<i64>,
}

/// The log of actions.
pub(super) async fn list(visit: Signed<Reads>) -> Result<Response, Fault> {
    let found = visit.app.store().actions(ON_A_PAGE, visit.asked_number("before")).await?;
    let full = found.len() == ON_A_PAGE;
    let older = found.last().filter(|_| full).map(|(id, _)| *id);
    let rows = found.into_iter().map(|(_, action)| Row {
        at: moment(action.at),
        operator: action.operator,
        action: action.action,
        subject: action.subject,
        detail: action.detail,
    });
    let shown = AuditPage { rows: rows.collect(), older, page: visit.shell(Here::Audit) };
    page(&visit, &shown)
}
