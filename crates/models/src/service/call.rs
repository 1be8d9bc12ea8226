//! One request to the service: repeated while that may help, ended by the time limit, its reply bounded.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};

use super::ServiceSettings;
use crate::http::{Http, cause, jittered};

/// The most bytes of a reply: 2,048 vectors of 1,536 numbers, written out, and some more.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// The most characters of the service's own words in an error.
const MOST_SAID: usize = 200;

/// A client for one service.
#[derive(Debug)]
pub(super) struct Caller {
    client: Client,
    url: Url,
    key: Option<SecretString>,
    authorization: Option<HeaderValue>,
    key_env: String,
    timeout: Duration,
    retries: u32,
    pause: Duration,
}

/// Why a request failed, and whether it may be repeated.
struct Failure {
    detail: String,
    again: bool,
    /// The pause that the service asks for.
    wait: Option<Duration>,
}

impl Failure {
    fn last(detail: String) -> Self {
        Self { detail, again: false, wait: None }
    }
}

impl Caller {
    pub(super) fn new(settings: &ServiceSettings, url: Url) -> Result<Self, String> {
        let key_env = settings.key_env.clone().unwrap_or_default();
        if settings.key_env.is_some() && settings.key.is_none() {
            return Err(format!(
                "the environment variable {key_env} is not set; set it to the service's key"
            ));
        }
        let header = settings.key.as_ref().map(|key| {
            let header = HeaderValue::from_str(&format!("Bearer {}", key.expose_secret()));
            let mut header = header.map_err(|_| {
                format!("the key in {key_env} has a character that no header can carry; set it again")
            })?;
            header.set_sensitive(true);
            Ok::<_, String>(header)
        });
        let client = Http::new().client(&url, settings.timeout)?;
        Ok(Self {
            client,
            url,
            key: settings.key.clone(),
            authorization: header.transpose()?,
            key_env,
            timeout: settings.timeout,
            retries: settings.retries,
            pause: settings.pause,
        })
    }

    /// Sends a request until it is answered, may not be repeated, or the time is over.
    pub(super) async fn ask(&self, body: String) -> Result<Vec<u8>, String> {
        match tokio::time::timeout(self.timeout, self.repeated(body)).await {
            Ok(answer) => answer,
            Err(_) => Err(format!(
                "{} gave no answer within {} ms; raise `timeout_seconds`, lower `batch`, or look at the service",
                self.shown(),
                self.timeout.as_millis()
            )),
        }
    }

    async fn repeated(&self, body: String) -> Result<Vec<u8>, String> {
        let mut pause = self.pause;
        let mut left = self.retries;
        loop {
            let failure = match self.once(body.clone()).await {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            if !failure.again || left == 0 {
                return Err(failure.detail);
            }
            let wait = failure.wait.unwrap_or_default().max(jittered(pause));
            if wait >= self.timeout {
                return Err(format!("{} (it asks for {} s of patience)", failure.detail, wait.as_secs()));
            }
            tokio::time::sleep(wait).await;
            pause = pause.saturating_mul(2);
            left -= 1;
        }
    }

    async fn once(&self, body: String) -> Result<Vec<u8>, Failure> {
        let mut request =
            self.client.post(self.url.clone()).header(CONTENT_TYPE, "application/json").body(body);
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        let response = request.send().await.map_err(|error| Failure {
            detail: format!(
                "{} cannot be reached ({}); check `base_url` and that the service runs",
                self.shown(),
                cause(&error)
            ),
            again: true,
            wait: None,
        })?;
        let status = response.status();
        let asked = response.headers().get(RETRY_AFTER).and_then(|wait| wait.to_str().ok());
        let wait = asked.and_then(|wait| wait.trim().parse().ok()).map(Duration::from_secs);
        let reply = self.bounded(response).await?;
        if status.is_success() {
            return Ok(reply);
        }
        Err(Failure {
            detail: self.refused(status, &reply),
            again: status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error(),
            wait,
        })
    }

    async fn bounded(&self, mut response: Response) -> Result<Vec<u8>, Failure> {
        let mut reply = Vec::new();
        loop {
            let part = response.chunk().await.map_err(|error| Failure {
                detail: format!(
                    "{} broke off its reply ({}); look at the service",
                    self.shown(),
                    cause(&error)
                ),
                again: true,
                wait: None,
            })?;
            let Some(part) = part else { return Ok(reply) };
            if reply.len() + part.len() > MOST_BYTES {
                return Err(Failure::last(format!(
                    "{} sent more than {MOST_BYTES} bytes for one batch; lower `batch`",
                    self.shown()
                )));
            }
            reply.extend_from_slice(&part);
        }
    }

    /// What a status means for the owner. The service's words are kept short, and the key is taken out of them.
    fn refused(&self, status: StatusCode, reply: &[u8]) -> String {
        let what = match status.as_u16() {
            401 | 403 => {
                // Some services repeat a part of the key here, so their words are left out.
                let key = if self.key_env.is_empty() {
                    "name the key's environment variable as `api_key_env`".to_owned()
                } else {
                    format!("check the key in {}", self.key_env)
                };
                return format!("{} refuses access (status {status}); {key}", self.shown());
            }
            404 => "check `base_url` and `model`",
            413 => "lower `batch`",
            429 => "lower `batch`, raise `retries`, or ask for a higher rate",
            400..=499 => "check `model`, `dimensions`, `input_type` and `batch`",
            500..=599 => "look at the service, or try again later",
            _ => "check `base_url`",
        };
        let said = String::from_utf8_lossy(reply.get(..4 * MOST_SAID).unwrap_or(reply)).into_owned();
        let said = match &self.key {
            Some(key) if !key.expose_secret().is_empty() => said.replace(key.expose_secret(), "[key]"),
            _ => said,
        };
        let said: String =
            said.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MOST_SAID).collect();
        format!("{} answers with status {status}; {what}; it says: {said:?}", self.shown())
    }

    fn shown(&self) -> String {
        format!("the embedding service {}", self.url)
    }
}
