//! What can go wrong with a request: one table from kind to status and code.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mostrador_store::StoreError;
use serde_json::json;

/// What went wrong with a request.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    #[error("{0}")]
    BadRequest(String),
    #[error("{0}")]
    BadToken(String),
    #[error("there is nothing of that name")]
    NotFound,
    #[error("this address takes other methods; see /v1/openapi.json")]
    MethodNotAllowed,
    #[error("the body did not arrive within {0} seconds")]
    TooSlow(u64),
    #[error("the body is longer than {0} bytes; send a shorter one")]
    TooLarge(u64),
    #[error("the body must be JSON; send it with `Content-Type: application/json`")]
    NotJson,
    /// With what the customer reads.
    #[error("{0}")]
    TooMany(String, u32),
    /// With what the customer reads, where there is a text for it.
    #[error("{0}")]
    Unavailable(String),
}

impl ApiError {
    /// The table: status and stable code.
    fn entry(&self) -> (StatusCode, &'static str) {
        match self {
            Self::BadRequest(_) => (StatusCode::BAD_REQUEST, "bad_request"),
            Self::BadToken(_) => (StatusCode::UNAUTHORIZED, "bad_token"),
            Self::NotFound => (StatusCode::NOT_FOUND, "not_found"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"),
            Self::TooSlow(_) => (StatusCode::REQUEST_TIMEOUT, "too_slow"),
            Self::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "too_large"),
            Self::NotJson => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json"),
            Self::TooMany(..) => (StatusCode::TOO_MANY_REQUESTS, "too_many_questions"),
            Self::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        }
    }

    fn retry_after(&self) -> Option<u32> {
        match self {
            Self::TooMany(_, seconds) => Some(*seconds),
            Self::Unavailable(_) => Some(5),
            _ => None,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, code) = self.entry();
        let body = json!({"error": {"code": code, "message": self.to_string()}});
        let mut response = (status, Json(body)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after() {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        // What the store says is for the operator: it names files. The name of a conversation is the key to it.
        if let StoreError::NoConversation(_) = error {
            return Self::NotFound;
        }
        tracing::error!(%error, "the store could not do what a request needs");
        Self::Unavailable("the store cannot be reached; try again".to_owned())
    }
}

impl From<crate::error::ServeError> for ApiError {
    fn from(error: crate::error::ServeError) -> Self {
        tracing::error!(%error, "a request could not be begun");
        Self::Unavailable("this cannot be done right now; try again".to_owned())
    }
}
