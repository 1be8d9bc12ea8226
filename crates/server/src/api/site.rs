//! `GET /v1/site`: what a page needs to know before its first question.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use mostrador_language::{Lang, wording};
use serde::Deserialize;
use serde_json::json;

use crate::api::answers::language;
use crate::api::body::Wish;
use crate::app::App;

/// Whose texts are wanted.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Wanted {
    #[serde(default)]
    locale: Option<String>,
}

/// The shop's name, its languages, and what the widget says in one of them.
#[utoipa::path(get, path = "/v1/site", tag = "site", params(("locale" = Option<String>, Query)),
    responses((status = 200, description = "name, locale, direction, languages, texts")))]
pub(crate) async fn site(State(app): State<Arc<App>>, Wish(wanted): Wish<Wanted>) -> Response {
    let version = app.version();
    let shop = &version.shop;
    let wanted = wanted.locale.as_deref().and_then(|locale| language(locale).ok());
    let locale = wanted.unwrap_or_else(|| shop.language());
    let body = json!({
        "name": shop.config().name.0,
        "locale": locale.code(),
        "direction": direction(locale),
        "languages": shop.config().languages.get_ref().iter().map(|lang| lang.code()).collect::<Vec<_>>(),
        "texts": wording::widget(locale),
        "handoff": true,
    });
    Json(body).into_response()
}

/// Which way a language is written.
pub(crate) fn direction(lang: Lang) -> &'static str {
    if lang.is_right_to_left() { "rtl" } else { "ltr" }
}
