//! How a provider is asked: what the shop says, and what the environment says instead.

use std::time::Duration;

use secrecy::SecretString;

use super::error::ProviderError;

/// What an address and a model are named by where the environment overrides the shop.
const BASE_URL: &str = "LLM_BASE_URL";
const MODEL: &str = "LLM_MODEL";
const TEMPERATURE: &str = "LLM_TEMPERATURE";
const KEY: &str = "LLM_API_KEY";

/// A line that works once a model runs on this machine.
const EXAMPLE: &str =
    "LLM_BASE_URL=http://127.0.0.1:11434/v1 LLM_MODEL=qwen3 mostrador ask SHOP \"QUESTION\"";

/// What a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// `POST /v1/chat/completions`, as OpenAI and many servers have it.
    OpenaiCompatible,
    /// `POST /v1/messages`, as Anthropic has it.
    Messages,
}

/// How long the parts of a call may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Until there is a connection, TLS included.
    pub connect: Duration,
    /// From the request to the first text or look-up; thinking and signs of life do not count. Only where the reply
    /// is streamed.
    pub first_token: Duration,
    /// From then on, between two signs that the model is at work; thinking counts, signs of life of the
    /// connection do not. Only where the reply is streamed.
    pub between_tokens: Duration,
    /// The whole call: repeats, pauses and the reply.
    pub call: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            first_token: Duration::from_secs(30),
            between_tokens: Duration::from_secs(20),
            call: Duration::from_secs(120),
        }
    }
}

/// Where a provider is and how it is asked.
#[derive(Debug, Clone)]
pub struct ProviderSettings {
    /// What it speaks.
    pub wire: Wire,
    /// Its address: `http` or `https`, with or without the version and the rest of the path, no user name or
    /// password in it. `None` is an error of the first call.
    pub base_url: Option<String>,
    /// The model, as the provider calls it. `None` is an error of the first call.
    pub model: Option<String>,
    /// The environment variable that the shop names for the key; `None` where the provider wants no key.
    pub key_env: Option<String>,
    /// The key. `None` is an error of the first call where `key_env` is set.
    pub key: Option<SecretString>,
    /// A header that carries the bare key, such as `api-key`; `None`: `authorization: Bearer KEY` on the one wire,
    /// `x-api-key: KEY` on the other.
    pub key_header: Option<String>,
    /// The temperature as a decimal number; `None`: the provider's own. It is sent and decides nothing here.
    pub temperature: Option<String>,
    /// Whether the output limit is sent as `max_completion_tokens`, as OpenAI's reasoning models want it.
    pub max_completion_tokens: bool,
    /// Whether the reply is asked for piece by piece.
    pub stream: bool,
    /// How often a call is repeated before anything came back, where the provider is busy, broken or away.
    pub retries: u32,
    /// The first pause before a repeat; each further one is twice as long, and up to a half is added by chance.
    pub pause: Duration,
    /// How long the parts of a call may take.
    pub limits: Limits,
    /// The most bytes of a reply, as they come over the wire.
    pub max_reply_bytes: usize,
}

impl ProviderSettings {
    /// Settings without address, model and key; two repeats, half a second of first pause, 4 MiB of reply.
    #[must_use]
    pub fn new(wire: Wire) -> Self {
        Self {
            wire,
            base_url: None,
            model: None,
            key_env: None,
            key: None,
            key_header: None,
            temperature: None,
            max_completion_tokens: false,
            stream: true,
            retries: 2,
            pause: Duration::from_millis(500),
            limits: Limits::default(),
            max_reply_bytes: 4 * 1024 * 1024,
        }
    }

    /// Takes over what the environment sets: `LLM_BASE_URL`, `LLM_MODEL`, `LLM_TEMPERATURE` and `LLM_API_KEY`, read
    /// through `read`. One that is set to nothing takes away what the shop says. With another address the shop's key
    /// is not sent any more; only that of `LLM_API_KEY` is.
    ///
    /// # Errors
    /// [`ProviderError`] for a temperature that is no number.
    pub fn with_environment(mut self, read: &dyn Fn(&str) -> Option<String>) -> Result<Self, ProviderError> {
        let over = |name: &str, own: Option<String>| match read(name) {
            Some(set) => Some(set.trim().to_owned()).filter(|set| !set.is_empty()),
            None => own,
        };
        let before = self.base_url.clone();
        self.base_url = over(BASE_URL, self.base_url);
        if self.base_url.is_some() && self.base_url != before {
            // The shop's key is for the shop's address, and is told to no other.
            (self.key, self.key_env) = (None, None);
        }
        self.model = over(MODEL, self.model);
        self.temperature = over(TEMPERATURE, self.temperature);
        if let Some(key) = read(KEY) {
            let key = key.trim();
            self.key = (!key.is_empty()).then(|| SecretString::from(key));
            if self.key.is_some() {
                self.key_env = Some(KEY.to_owned());
            }
        }
        self.temperature()?;
        Ok(self)
    }

    /// What is missing for a call, and how to set it; `None` where nothing is.
    #[must_use]
    pub fn missing(&self) -> Option<String> {
        let absent = |value: &Option<String>| value.as_deref().is_none_or(|value| value.trim().is_empty());
        if absent(&self.base_url) {
            return Some(format!(
                "no address of a model is set; write `base_url` into shop.toml or set {BASE_URL}, such as: {EXAMPLE}"
            ));
        }
        if absent(&self.model) {
            return Some(format!(
                "no model is set; write `model` into shop.toml or set {MODEL}, such as: {EXAMPLE}"
            ));
        }
        match (&self.key_env, &self.key) {
            (Some(variable), None) => Some(format!(
                "no key is set; set the environment variable {variable} to the provider's key, such as: \
                 {variable}=KEY mostrador ask SHOP \"QUESTION\""
            )),
            _ => None,
        }
    }

    /// The temperature as it is sent.
    pub(super) fn temperature(&self) -> Result<Option<serde_json::Number>, ProviderError> {
        let Some(text) = &self.temperature else { return Ok(None) };
        let number = text.trim().parse::<serde_json::Number>();
        number.map(Some).map_err(|_| ProviderError::Temperature { text: text.clone() })
    }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    fn shop() -> ProviderSettings {
        ProviderSettings {
            base_url: Some("http://127.0.0.1:1/v1".to_owned()),
            model: Some("m".to_owned()),
            temperature: Some("0".to_owned()),
            key_env: Some("SHOP_KEY".to_owned()),
            key: Some(SecretString::from("sk-shop")),
            ..ProviderSettings::new(Wire::OpenaiCompatible)
        }
    }

    fn with(pairs: &[(&str, &str)]) -> Result<ProviderSettings, ProviderError> {
        let read = |name: &str| {
            let found = pairs.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        shop().with_environment(&read)
    }

    #[test]
    fn the_environment_overrides_what_it_sets_and_nothing_else() {
        let same = with(&[]).unwrap();
        assert_eq!(
            (same.base_url.as_deref(), same.model.as_deref()),
            (Some("http://127.0.0.1:1/v1"), Some("m"))
        );
        let other = with(&[
            ("LLM_BASE_URL", " http://127.0.0.1:2 "),
            ("LLM_MODEL", "n"),
            ("LLM_TEMPERATURE", "0.7"),
            ("LLM_API_KEY", "sk-other\n"),
        ]);
        let other = other.unwrap();
        assert_eq!(
            (other.base_url.as_deref(), other.model.as_deref()),
            (Some("http://127.0.0.1:2"), Some("n"))
        );
        assert_eq!(other.temperature().unwrap().unwrap().to_string(), "0.7");
        assert_eq!(other.key.as_ref().unwrap().expose_secret(), "sk-other");
        assert!(!format!("{other:?}").contains("sk-other"));
    }

    #[test]
    fn what_is_set_to_nothing_is_missing_and_the_message_shows_a_line_that_works() {
        for (variable, setting) in [("LLM_BASE_URL", "`base_url`"), ("LLM_MODEL", "`model`")] {
            let missing = with(&[(variable, " ")]).unwrap().missing().unwrap();
            assert!(missing.contains(variable) && missing.contains(setting), "{missing}");
            assert!(missing.contains("LLM_BASE_URL=http://127.0.0.1:11434/v1 LLM_MODEL=qwen3"), "{missing}");
        }
        let missing = with(&[("LLM_API_KEY", "")]).unwrap().missing().unwrap();
        assert!(missing.contains("SHOP_KEY"), "{missing}");
        let free = ProviderSettings { key_env: None, key: None, ..shop() };
        assert_eq!(free.missing(), None);
    }

    #[test]
    fn the_shops_key_goes_to_no_other_address() {
        let other = with(&[("LLM_BASE_URL", "http://127.0.0.1:2")]).unwrap();
        assert!(other.key.is_none() && other.missing().is_none());
        let same = with(&[("LLM_BASE_URL", "http://127.0.0.1:1/v1")]).unwrap();
        assert_eq!(same.key.as_ref().unwrap().expose_secret(), "sk-shop");
        let own = with(&[("LLM_BASE_URL", "http://127.0.0.1:2"), ("LLM_API_KEY", "sk-other")]).unwrap();
        assert_eq!(own.key.as_ref().unwrap().expose_secret(), "sk-other");
    }

    #[test]
    fn a_temperature_that_is_no_number_is_an_error() {
        for text in ["warm", "0,5", "1e999", "NaN", "\"0\""] {
            let error = with(&[("LLM_TEMPERATURE", text)]).unwrap_err();
            assert!(error.to_string().contains("LLM_TEMPERATURE"), "{error}");
        }
        assert!(with(&[("LLM_TEMPERATURE", "")]).unwrap().temperature.is_none());
    }
}
