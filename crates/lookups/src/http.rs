//! A look-up by a GET request to an address of the shop's: the host fixed, arguments encoded, the reply bounded.

mod address;

mod reach;

mod reply;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mostrador_answer::message::{Input, LookupSpec, Outcome};
use mostrador_answer::passage::Trust;
use mostrador_answer::ports::{Lookup, LookupResult, Unavailable};
use mostrador_answer::question::CustomerId;
use mostrador_language::Texts;
use reqwest::dns::Resolve;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode, Url};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use tokio::sync::OnceCell;

use self::address::Address;
use self::reach::{Guard, System};
use crate::error::LookupError;
use crate::parameters::{Arguments, CUSTOMER, Parameters};
use crate::shown::Shown;
use crate::texts::{self, Fixed};

const PART: &str = "look-up";

/// A look-up by a GET request.
#[derive(Debug, Clone)]
pub struct HttpConfig {
    /// The look-up's name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The address, with `{name}` for a parameter and `{customer}` for the caller, behind the host. `https`, or
    /// `http` for a host of `allow_private`.
    pub url: String,
    /// The host of `url`, where it may be one of the shop's own network or this machine. Otherwise only public
    /// addresses are reached.
    pub allow_private: Vec<String>,
    /// The environment variable of the key, for messages; `None` where none is wanted.
    pub key_env: Option<String>,
    /// What that variable holds; `None` where it is not set, which is an error of the first question.
    pub key: Option<SecretString>,
    /// The header that carries the key as it is; `None`: `Authorization: Bearer` and the key.
    pub key_header: Option<String>,
    /// The parameters, as the properties of a JSON Schema of an object.
    pub parameters: Map<String, Value>,
    /// Whether anybody may ask. Otherwise only a signed customer, and `url` names `{customer}`.
    pub public: bool,
    /// What of the reply the model sees, in this order: paths such as `order.state` or `/order/state`; empty: those
    /// that `result` names.
    pub fields: Vec<String>,
    /// What is said of the reply, with paths in braces; `None`: `path: value`, a line each.
    pub result: Option<String>,
    /// Whose words the results are.
    pub trust: Trust,
    /// The texts for errors: `unknown_record`, `missing_field`, `bad_field` and `lookup_failed`.
    pub texts: Texts,
    /// How long a look-up may take, connecting included.
    pub timeout: Duration,
}

/// Asks a service of the shop. No connection is made before the first question.
///
/// No redirect is followed and no proxy of the environment used. What a name stands for is looked at as it is
/// connected to, so that it cannot become another address in between.
pub struct HttpLookup {
    spec: LookupSpec,
    address: Address,
    key_env: Option<String>,
    key: Option<SecretString>,
    key_header: Option<HeaderName>,
    parameters: Parameters,
    shown: Shown,
    texts: Fixed,
    failed: LookupResult,
    names: Arc<dyn Resolve>,
    client: OnceCell<Client>,
}

impl std::fmt::Debug for HttpLookup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpLookup").field("spec", &self.spec).finish_non_exhaustive()
    }
}

impl HttpLookup {
    /// Checks the address and its parameters; nothing is called.
    ///
    /// # Errors
    /// [`LookupError`] for an address that is none, holds a secret, leads where it may not, or has a place that is no
    /// parameter; a parameter without a place; `{customer}` in a public one, or none in another.
    pub fn new(config: HttpConfig) -> Result<Self, LookupError> {
        Self::with_names(config, Arc::new(System))
    }

    /// The same, with names looked up by another.
    fn with_names(config: HttpConfig, names: Arc<dyn Resolve>) -> Result<Self, LookupError> {
        let parameters = Parameters::new(&config.name, &config.parameters)?;
        let shown = Shown::new(&config.name, &config.fields, config.result.as_deref())?;
        let texts = Fixed::of(&config.name, &config.texts)?;
        let failed = texts::failed(&config.name, &config.texts)?;
        let bad = |detail: String| LookupError::BadUrl { name: config.name.clone(), detail };
        let address = Address::parse(&config.url, &config.allow_private).map_err(bad)?;
        let places: Vec<&str> = address.names().collect();
        let shown_place = |name: &str| format!("{{{name}}}");
        parameters.check_places(&places, config.public, shown_place).map_err(bad)?;
        let key_header = config.key_header.as_ref().map(|name| {
            let name = HeaderName::from_bytes(name.as_bytes());
            name.map_err(|_| LookupError::BadResult {
                name: config.name.clone(),
                detail: "`key_header` is no name of a header; write one such as \"X-Api-Key\"".to_owned(),
            })
        });
        let spec = LookupSpec {
            name: config.name.clone(),
            description: config.description,
            parameters: parameters.offered(),
            schema: Some(parameters.schema().clone()),
            needs_customer: !config.public,
            trust: config.trust,
            timeout: config.timeout,
        };
        Ok(Self {
            spec,
            address,
            key_env: config.key_env,
            key: config.key,
            key_header: key_header.transpose()?,
            parameters,
            shown,
            texts,
            failed,
            names,
            client: OnceCell::new(),
        })
    }

    /// As [`Lookup::look`], with the reason where it could not be done: for the shop's own people, never for a model.
    ///
    /// # Errors
    /// [`Unavailable`] where the service cannot be asked; neither the key nor who asked is in it.
    pub async fn ask(&self, input: &Input, caller: Option<&CustomerId>) -> Result<LookupResult, Unavailable> {
        let arguments = match self.parameters.read(input, &self.texts) {
            Ok(arguments) => arguments,
            Err(result) => return Ok(result),
        };
        let caller = caller.map(|caller| caller.0.as_str()).filter(|caller| !caller.is_empty());
        if self.spec.needs_customer && caller.is_none() {
            return Ok(self.unknown(&arguments));
        }
        let value = |name: &str| {
            if name == CUSTOMER {
                return caller.map(str::to_owned);
            }
            arguments.iter().find(|(parameter, _)| *parameter == name).map(|(_, value)| value.to_string())
        };
        let Some(url) = self.address.fill(value) else {
            // An argument of dots alone would be another path; where none is, the caller's name is.
            let dots = |text: &str| text.chars().all(|c| c == '.');
            let bad = arguments.iter().find(|(_, value)| dots(&value.to_string()));
            return Ok(bad.map_or_else(|| self.unknown(&arguments), |(name, _)| self.texts.bad(name)));
        };
        let asked = tokio::time::timeout(self.spec.timeout, self.get(url)).await;
        let found = match asked {
            Ok(found) => found,
            Err(_) => Err(format!("gave no answer in {} ms", self.spec.timeout.as_millis())),
        };
        let found = found.map_err(|detail| {
            Unavailable::new(PART, format!("{} {detail}; look at the service and `url`", self.address.host()))
        })?;
        let Some(values) = found else { return Ok(self.unknown(&arguments)) };
        Ok(LookupResult { outcome: Outcome::Found, content: self.shown.text(&values) })
    }

    fn unknown(&self, arguments: &Arguments<'_>) -> LookupResult {
        let told: Vec<_> = arguments.iter().map(|(name, value)| (*name, value.to_string())).collect();
        self.texts.unknown(&told)
    }

    /// What of the reply may be seen; `None` where the service has no such thing.
    async fn get(&self, url: Url) -> Result<Option<Vec<Option<String>>>, String> {
        let client = self.client.get_or_try_init(async || self.connect()).await?;
        let mut request = client.get(url).header(ACCEPT, "application/json");
        if let Some(env) = &self.key_env {
            let (name, value) = self.header(env)?;
            request = request.header(name, value);
        }
        let response =
            request.send().await.map_err(|error| format!("cannot be reached ({})", cause(&error)))?;
        match response.status() {
            StatusCode::NOT_FOUND => Ok(None),
            status if status.is_success() => {
                let body = reply::json(response).await?;
                reply::values(&body, self.shown.fields())
            }
            status => Err(format!("answers with status {}", status.as_u16())),
        }
    }

    fn header(&self, env: &str) -> Result<(HeaderName, HeaderValue), String> {
        let key = self.key.as_ref().map(|key| key.expose_secret().trim()).filter(|key| !key.is_empty());
        let key = key.ok_or_else(|| format!("needs a key, and the environment variable {env} is not set"))?;
        let (name, text) = match &self.key_header {
            Some(name) => (name.clone(), key.to_owned()),
            None => (AUTHORIZATION, format!("Bearer {key}")),
        };
        let value = HeaderValue::from_str(&text);
        let mut value = value
            .map_err(|_| format!("cannot be sent the key in {env}: no header carries such a character"))?;
        value.set_sensitive(true);
        Ok((name, value))
    }

    fn connect(&self) -> Result<Client, String> {
        let guard = Guard { names: Arc::clone(&self.names), private: self.address.may_be_private() };
        Client::builder()
            .tls_backend_preconfigured(tls(self.address.is_plain())?)
            .redirect(Policy::none())
            .no_proxy()
            .dns_resolver(guard)
            .timeout(self.spec.timeout)
            .build()
            .map_err(|error| format!("cannot be asked ({})", cause(&error)))
    }
}

#[async_trait]
impl Lookup for HttpLookup {
    fn spec(&self) -> &LookupSpec {
        &self.spec
    }

    async fn look(&self, input: &Input, caller: Option<&CustomerId>) -> LookupResult {
        self.ask(input, caller).await.unwrap_or_else(|_| self.failed.clone())
    }
}

/// TLS with the certificates of the system; none where the address asks for none.
fn tls(plain: bool) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let failed = |error: rustls::Error| format!("cannot be asked: the system's certificates fail ({error})");
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(failed)?;
    if plain {
        return Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth());
    }
    Ok(builder.with_platform_verifier().map_err(failed)?.with_no_client_auth())
}

/// The innermost reason: those around it repeat the address, with who asked in it.
fn cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    match cause.downcast_ref::<reqwest::Error>() {
        Some(_) if error.is_timeout() => "no answer in time".to_owned(),
        Some(_) => "the request failed".to_owned(),
        None => cause.to_string(),
    }
}

mod tests;
