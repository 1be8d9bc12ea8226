//! The pages and files that are no API: the widget, a page to try it on, what machines ask, and the headers of all.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest, Sha256};

use crate::api::site::direction;
use crate::app::{App, hex};

/// What a page of ours may load and do: nothing but its own files.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const WIDGET: &str = include_str!("../../../web/widget.js");
const DEMO: &str = include_str!("../../../web/demo.html");
const DEMO_STYLE: &str = include_str!("../../../web/demo.css");

static WIDGET_TAG: LazyLock<String> = LazyLock::new(|| tag(WIDGET));
static STYLE_TAG: LazyLock<String> = LazyLock::new(|| tag(DEMO_STYLE));

fn tag(text: &str) -> String {
    let hash = hex(&Sha256::digest(text));
    format!("\"{}\"", hash.get(..16).unwrap_or(&hash))
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(demo))
        .route("/demo.css", get(style))
        .route("/widget.js", get(widget))
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
}

/// A file that a browser may keep as long as it is the same; any page may use it.
fn file(headers: &HeaderMap, kind: &'static str, text: &'static str, tag: &str) -> Response {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let same = known.is_some_and(|known| known.split(',').any(|known| known.trim().trim_start_matches("W/") == tag));
    let (status, body) = if same { (StatusCode::NOT_MODIFIED, "") } else { (StatusCode::OK, text) };
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300, must-revalidate"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    const POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(POLICY, HeaderValue::from_static("cross-origin"));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

async fn widget(headers: HeaderMap) -> Response {
    file(&headers, "text/javascript; charset=utf-8", WIDGET, &WIDGET_TAG)
}

async fn style(headers: HeaderMap) -> Response {
    file(&headers, "text/css; charset=utf-8", DEMO_STYLE, &STYLE_TAG)
}

/// A page with the widget on it.
async fn demo(State(app): State<Arc<App>>) -> Response {
    let version = app.version();
    let shop = &version.shop;
    let locale = shop.language();
    let values = [
        ("{{name}}", escaped(&shop.config().name.0)),
        ("{{locale}}", locale.code().to_owned()),
        ("{{direction}}", direction(locale).to_owned()),
    ];
    let page = values.iter().fold(DEMO.to_owned(), |page, (place, value)| page.replace(place, value));
    let mut response = Response::new(Body::from(page));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

/// The process lives.
async fn alive() -> &'static str {
    "ok\n"
}

/// Questions are answered: the store can be asked and the index is open.
async fn ready(State(app): State<Arc<App>>) -> Response {
    if app.ending.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "closing\n").into_response();
    }
    match app.store.last_release().await {
        Ok(_) => "ready\n".into_response(),
        Err(error) => {
            tracing::error!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "the store cannot be reached\n").into_response()
        }
    }
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    let text = app.metrics.text(&app).await;
    let mut response = text.into_response();
    let kind = HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
