//! A language model behind a provider's interface: OpenAI-compatible chat completions, or Messages.

mod address;

mod call;

mod calls;

mod error;

mod messages_reply;

mod messages_request;

mod openai_reply;

mod openai_request;

mod reading;

mod refused;

mod reply;

mod settings;

mod sse;

use std::sync::Arc;

use futures_util::stream::BoxStream;
use mostrador_answer::message::{Delta, Request};
use mostrador_answer::ports::{Fault, Model, ModelError};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, Method, Url};
use secrecy::ExposeSecret as _;

pub use self::error::ProviderError;
pub use self::settings::{Limits, ProviderSettings, Wire};

use self::call::Failed;
use crate::http::Http;

/// The most characters of an error's detail: the provider's own words may be any length.
const MOST_DETAIL: usize = 500;

/// A model that a provider runs. No connection is made before the first call.
#[derive(Debug, Clone)]
pub struct ProviderModel(Arc<Provider>);

#[derive(Debug)]
struct Provider {
    settings: ProviderSettings,
    url: Option<Url>,
    key: Option<(HeaderName, HeaderValue)>,
    temperature: Option<serde_json::Number>,
    http: Http,
}

impl ProviderModel {
    /// Checks the settings; nothing is called. What is missing is an error of the first call
    /// ([`ProviderSettings::missing`] says it beforehand).
    ///
    /// # Errors
    /// [`ProviderError`] for an address, a temperature, a header or a key that is none.
    pub fn new(settings: ProviderSettings, http: Http) -> Result<Self, ProviderError> {
        let base = settings.base_url.as_deref().filter(|base| !base.trim().is_empty());
        let url = base.map(|base| address::address(base, settings.wire)).transpose()?;
        let temperature = settings.temperature()?;
        let key = key(&settings)?;
        Ok(Self(Arc::new(Provider { settings, url, key, temperature, http })))
    }
}

impl Model for ProviderModel {
    fn id(&self) -> String {
        self.0.id().to_owned()
    }

    fn counts_tokens(&self) -> bool {
        true
    }

    fn stream(&self, request: Arc<Request>) -> BoxStream<'static, Result<Delta, ModelError>> {
        call::stream(Arc::clone(&self.0), request)
    }
}

impl Provider {
    fn id(&self) -> &str {
        match (&self.settings.model, self.settings.wire) {
            (Some(model), _) => model,
            (None, Wire::OpenaiCompatible) => "openai-compatible",
            (None, Wire::Messages) => "messages",
        }
    }

    /// The request as it goes out, written once for all its repeats.
    fn request(&self, asked: &Request) -> Result<(Client, reqwest::Request), Failed> {
        let none = |detail: String| Failed::last(Fault::NotConfigured, detail, false);
        if let Some(missing) = self.settings.missing() {
            return Err(none(missing));
        }
        let Some(url) = &self.url else { return Err(none("no address of a model is set".to_owned())) };
        let client = self.http.client(url, self.settings.limits.connect);
        let client = client.map_err(|detail| Failed::last(Fault::Tls, detail, false))?;
        let mut body = match self.settings.wire {
            Wire::OpenaiCompatible => openai_request::body(asked, self.id(), &self.settings),
            Wire::Messages => messages_request::body(asked, self.id(), &self.settings),
        };
        if let Some(temperature) = &self.temperature {
            body.insert("temperature".to_owned(), serde_json::Value::Number(temperature.clone()));
        }
        let mut request = reqwest::Request::new(Method::POST, url.clone());
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some((name, value)) = &self.key {
            headers.insert(name, value.clone());
        }
        if self.settings.wire == Wire::Messages {
            headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
        }
        *request.body_mut() = Some(serde_json::Value::Object(body).to_string().into());
        Ok((client, request))
    }

    fn shown(&self) -> String {
        self.url.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    /// The error as it goes on: the key taken out, on one line, and no longer than it has to be.
    fn error(&self, failed: Failed) -> ModelError {
        let mut detail = failed.detail;
        if let Some(key) = self.settings.key.as_ref().filter(|key| !key.expose_secret().is_empty()) {
            detail = detail.replace(key.expose_secret(), "[key]");
        }
        // Cut before spaces are taken out: a part of a key that was cut off where reading ended stays behind the cut.
        let cut: String = detail.chars().take(2 * MOST_DETAIL).collect();
        let visible = |letter: char| if letter.is_control() { ' ' } else { letter };
        let line = cut.chars().map(visible).collect::<String>();
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let detail = line.chars().take(MOST_DETAIL).collect();
        ModelError { model: self.id().to_owned(), fault: failed.fault, detail, charged: failed.charged }
    }
}

/// The header that carries the key.
fn key(settings: &ProviderSettings) -> Result<Option<(HeaderName, HeaderValue)>, ProviderError> {
    let Some(key) = &settings.key else { return Ok(None) };
    let key = key.expose_secret();
    let (name, value) = match (&settings.key_header, settings.wire) {
        (Some(name), _) => {
            let wrong = || ProviderError::KeyHeader { name: name.clone() };
            (HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?, key.to_owned())
        }
        (None, Wire::OpenaiCompatible) => (AUTHORIZATION, format!("Bearer {key}")),
        (None, Wire::Messages) => (HeaderName::from_static("x-api-key"), key.to_owned()),
    };
    let variable = || settings.key_env.clone().unwrap_or_else(|| "LLM_API_KEY".to_owned());
    let mut value = HeaderValue::from_str(&value).map_err(|_| ProviderError::Key { variable: variable() })?;
    value.set_sensitive(true);
    Ok(Some((name, value)))
}
