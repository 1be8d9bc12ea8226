//! The body of a request: JSON of a known shape, bounded in size and in the time it takes to arrive.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::header;
use axum::http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use crate::api::error::ApiError;
use crate::app::App;

/// A body of this shape.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        // A form of another page cannot send this type without asking first.
        let sent = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let kind = sent.and_then(|sent| sent.split(';').next()).map(str::trim);
        if !kind.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
            return Err(ApiError::NotJson);
        }
        let bytes = read(request, app).await?;
        let mut json = serde_json::Deserializer::from_slice(&bytes);
        let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
            // At the top there is no field to name.
            let field = Some(error.path().to_string()).filter(|path| path != ".");
            let wrong = error.into_inner();
            ApiError::BadRequest(field.map_or_else(|| wrong.to_string(), |field| format!("{field}: {wrong}")))
        })?;
        json.end().map_err(|error| ApiError::BadRequest(error.to_string()))?;
        Ok(Self(value))
    }
}

/// What stands in the path of an address.
pub(crate) struct Name<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Name<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // A name that cannot be one is of nothing.
        let found = Path::<T>::from_request_parts(parts, state).await;
        found.map(|Path(name)| Self(name)).map_err(|_| ApiError::NotFound)
    }
}

/// What stands behind the question mark of an address.
pub(crate) struct Wish<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Wish<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let found = Query::<T>::from_request_parts(parts, state).await;
        found.map(|Query(wish)| Self(wish)).map_err(|error| ApiError::BadRequest(error.body_text()))
    }
}

/// The bytes of a body.
pub(crate) async fn read(request: Request, app: &App) -> Result<axum::body::Bytes, ApiError> {
    let (most, seconds) = app.with_config(|config| (config.body_bytes, config.read_seconds.get()));
    let arriving = Limited::new(request.into_body(), most.size()).collect();
    let arrived = tokio::time::timeout(Duration::from_secs(seconds), arriving).await;
    match arrived {
        Err(_) => Err(ApiError::TooSlow(seconds)),
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.downcast_ref::<LengthLimitError>().is_some() => {
            Err(ApiError::TooLarge(most.get()))
        }
        Ok(Err(_)) => Err(ApiError::BadRequest("the body broke off".to_owned())),
    }
}
