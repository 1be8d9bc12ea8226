//! A JSON text posted to somebody who wants to know: sent once, and nothing but a yes is wanted back.

use std::time::Duration;

use reqwest::Url;
use reqwest::header::CONTENT_TYPE;
use secrecy::{ExposeSecret, SecretString};

use crate::http::{Http, cause};

/// What kept a text from being posted. The address is in none of them: it is often a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    /// It is no address.
    #[error("the address is none; write one that begins with https:// or http://")]
    BadAddress,
    /// It could not be sent.
    #[error("it could not be sent ({0}); check the address, and that the service runs")]
    NotSent(String),
    /// The service would not have it.
    #[error("the service answers with status {0}; check the address")]
    Refused(u16),
}

impl Http {
    /// Posts a JSON text; the whole of it may take `limit`. What comes back is not read.
    ///
    /// # Errors
    /// [`PostError`] where it was not taken; it may have arrived all the same.
    pub async fn post_json(
        &self,
        address: &SecretString,
        body: String,
        limit: Duration,
    ) -> Result<(), PostError> {
        let url = Url::parse(address.expose_secret()).map_err(|_| PostError::BadAddress)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(PostError::BadAddress);
        }
        let client = self.client(&url, limit).map_err(PostError::NotSent)?;
        let request = client.post(url).header(CONTENT_TYPE, "application/json").timeout(limit).body(body);
        let response = request.send().await.map_err(|error| PostError::NotSent(cause(&error)))?;
        match response.status() {
            status if status.is_success() => Ok(()),
            status => Err(PostError::Refused(status.as_u16())),
        }
    }
}
