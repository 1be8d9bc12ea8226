//! What every answer of the console carries: the headers that keep it to itself, and words for faults.

use askama::Template;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use mostrador_language::Lang;

use super::cookies;
use super::fault::{Fault, Unworded};
use super::shell::{Here, Shell, speaks};
use super::visit::{Noted, Read};

/// Nothing runs, loads or frames but what this server sends itself.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'; connect-src 'self'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

#[derive(Template)]
#[template(path = "fault.html")]
struct FaultPage {
    page: Shell,
    text: &'static str,
}

/// Sets the headers, words the faults, and keeps the language that was asked for.
pub(super) async fn dress(mut request: Request, next: Next) -> Response {
    let noted = Noted::default();
    request.extensions_mut().insert(noted.clone());
    let asked = asked_language(&request);
    let mut response = next.run(request).await;
    let read = noted.0.get().copied();
    let unworded = response.extensions_mut().remove::<Unworded>().map(|Unworded(fault)| fault);
    let status = response.status();
    let foreign = status.is_client_error() || status.is_server_error();
    let worded =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/html; charset=utf-8");
    if let Some(fault) = unworded {
        response = told(fault, status, read);
    } else if foreign && !worded {
        response = told(Fault::of(status), status, read);
    }
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Some(cookie) =
        asked.and_then(|lang| cookies::set(cookies::LANGUAGE, lang.code(), Some(cookies::YEAR), false))
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

fn asked_language(request: &Request) -> Option<Lang> {
    let pairs = request.uri().query()?.split('&');
    let code = pairs.filter_map(|pair| pair.strip_prefix("lang=")).next()?;
    code.parse().ok().filter(|lang| speaks(*lang))
}

fn told(fault: Fault, status: StatusCode, read: Option<Read>) -> Response {
    let page = Shell {
        lang: read.map_or(Lang::EN, |read| read.lang),
        shop: String::new(),
        here: Here::Outside,
        operator: String::new(),
        acts: false,
        owns: false,
        form: String::new(),
        note: None,
    };
    match (FaultPage { page, text: fault.text() }).render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => {
            tracing::error!(%error, "the page of a fault cannot be written");
            status.into_response()
        }
    }
}
