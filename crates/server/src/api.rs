//! The API: what a page, an app or another program asks the counter.

pub(crate) mod answers;

pub(crate) mod conversations;

pub(crate) mod completions;

pub(crate) mod site;

pub(crate) mod body;

pub(crate) mod error;

pub(crate) mod openapi;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, Method, header, request::Parts};
use axum::routing::{get, post};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::app::App;
use crate::stream::CONVERSATION;

/// How long a browser may keep what it was told of other origins.
const PREFLIGHT_FOR: std::time::Duration = std::time::Duration::from_secs(600);

pub(crate) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    Router::new()
        .route("/v1/site", get(site::site))
        .route("/v1/answers", post(answers::answer))
        .route("/v1/answers/{turn}", get(answers::again))
        .route("/v1/answers/{turn}/feedback", post(answers::feedback))
        .route("/v1/conversations", post(conversations::open))
        .route("/v1/conversations/{conversation}", get(conversations::read).delete(conversations::erase))
        .route("/v1/conversations/{conversation}/events", get(conversations::events))
        .route("/v1/conversations/{conversation}/handoff", post(conversations::hand_off))
        .route("/v1/chat/completions", post(completions::complete))
        .route("/v1/models", get(completions::models))
        .route("/v1/openapi.json", get(openapi::document))
        .layer(cors(app))
}

/// Pages of the listed origins, and no others, may call the API from a browser. No cookie is ever looked at here.
fn cors(app: &Arc<App>) -> CorsLayer {
    let app = Arc::clone(app);
    let listed = move |origin: &HeaderValue, _: &Parts| {
        let origin = origin.to_str().unwrap_or_default();
        app.with_config(|config| config.origins.iter().any(|known| known.0.eq_ignore_ascii_case(origin)))
    };
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(listed))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::ACCEPT,
            HeaderName::from_static("last-event-id"),
        ])
        .expose_headers([CONVERSATION, header::RETRY_AFTER])
        .max_age(PREFLIGHT_FOR)
}
