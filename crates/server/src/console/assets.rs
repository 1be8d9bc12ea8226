//! The style and the script of the console, from the program itself.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::fault::Fault;
use super::visit::Knock;

const STYLE: &str = include_str!("../../../../web/console.css");

const SCRIPT: &str = include_str!("../../../../web/console.js");

/// One of the two.
pub(super) async fn asset(visit: Knock) -> Result<Response, Fault> {
    // A dot is in no other name of an address here.
    let (kind, text) = match visit.asked_file() {
        Some("console.css") => ("text/css; charset=utf-8", STYLE),
        Some("console.js") => ("text/javascript; charset=utf-8", SCRIPT),
        _ => return Err(Fault::NotFound),
    };
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text).into_response())
}
