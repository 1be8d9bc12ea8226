//! An embedder behind an OpenAI-compatible service: `POST /v1/embeddings`, in batches, retried within a time limit.

mod call;

mod reply;

use std::sync::OnceLock;
use std::time::Duration;

use async_trait::async_trait;
use mostrador_answer::ports::{Embed, EmbedAs, Unavailable};
use reqwest::Url;
use secrecy::SecretString;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use self::call::Caller;
use crate::embedder::EmbedderError;

const PART: &str = "embedder";

/// Where the service is and how it is asked.
#[derive(Debug, Clone)]
pub struct ServiceSettings {
    /// Its address, with or without `/v1` at the end; `http` or `https`, no user name or password in it.
    pub base_url: String,
    /// The model, as the service calls it.
    pub model: String,
    /// The environment variable of the key, for messages; `None` where the service wants no key.
    pub key_env: Option<String>,
    /// What that variable holds; `None` where it is not set, which is an error of the first call.
    pub key: Option<SecretString>,
    /// The most texts in a request.
    pub batch: usize,
    /// How long a batch may take, repeats and pauses counted.
    pub timeout: Duration,
    /// How often a request is repeated when the service is busy, broken or away.
    pub retries: u32,
    /// The first pause before a repeat; each further one is twice as long, and up to a half is added by chance.
    pub pause: Duration,
    /// Put before a question.
    pub query_prefix: String,
    /// Put before a passage.
    pub passage_prefix: String,
    /// Whether the service is told `input_type`: `query` or `passage`.
    pub input_type: bool,
    /// How many numbers a vector has; asked for and checked where given.
    pub dimensions: Option<usize>,
}

/// Asks an embedding service. No connection is made before the first text.
#[derive(Debug)]
pub struct ServiceEmbedder {
    settings: ServiceSettings,
    url: Url,
    caller: OnceLock<Caller>,
}

impl ServiceEmbedder {
    /// Checks the settings; nothing is called.
    ///
    /// # Errors
    /// [`EmbedderError`] for an address that is none, and for prefixes beside `input_type`.
    pub fn new(settings: ServiceSettings) -> Result<Self, EmbedderError> {
        let url = address(&settings.base_url)?;
        if settings.input_type && !(settings.query_prefix.is_empty() && settings.passage_prefix.is_empty()) {
            return Err(EmbedderError::TwoMarks);
        }
        Ok(Self { settings, url, caller: OnceLock::new() })
    }

    fn caller(&self) -> Result<&Caller, Unavailable> {
        if self.caller.get().is_none() {
            let made = Caller::new(&self.settings, self.url.clone());
            // Where two came at once, the first one stays.
            let _ = self.caller.set(made.map_err(|detail| Unavailable::new(PART, detail))?);
        }
        self.caller.get().ok_or_else(|| Unavailable::new(PART, "the client could not be made; try again"))
    }

    fn body(&self, texts: &[&str], role: EmbedAs) -> Value {
        let settings = &self.settings;
        let (prefix, kind) = match role {
            EmbedAs::Query => (&settings.query_prefix, "query"),
            EmbedAs::Passage => (&settings.passage_prefix, "passage"),
        };
        // Some services refuse an empty text.
        let input = texts.iter().map(|text| if text.is_empty() { " " } else { text });
        let input: Vec<String> = input.map(|text| format!("{prefix}{text}")).collect();
        let mut body = json!({ "model": settings.model, "input": input, "encoding_format": "float" });
        if let Some(body) = body.as_object_mut() {
            if settings.input_type {
                body.insert("input_type".to_owned(), kind.into());
            }
            if let Some(dimensions) = settings.dimensions {
                body.insert("dimensions".to_owned(), dimensions.into());
            }
        }
        body
    }
}

#[async_trait]
impl Embed for ServiceEmbedder {
    /// `openai-compatible:`, the model, the dimensions where they are set, and a hash of the prefixes. The address is
    /// not in it: the same model elsewhere gives the same vectors.
    fn id(&self) -> String {
        let settings = &self.settings;
        let mut hash = Sha256::new();
        hash.update((settings.query_prefix.len() as u64).to_le_bytes());
        hash.update(&settings.query_prefix);
        hash.update(&settings.passage_prefix);
        hash.update([u8::from(settings.input_type)]);
        let short: String = hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        let dimensions = settings.dimensions.map_or_else(String::new, |size| format!(":{size}"));
        format!("openai-compatible:{}{dimensions}:{short}", settings.model)
    }

    async fn embed(&self, texts: &[&str], role: EmbedAs) -> Result<Vec<Vec<f32>>, Unavailable> {
        let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
        for batch in texts.chunks(self.settings.batch.max(1)) {
            let caller = self.caller()?;
            let body = self.body(batch, role).to_string();
            let reply = caller.ask(body).await.map_err(|detail| Unavailable::new(PART, detail))?;
            let size = vectors.first().map(Vec::len).or(self.settings.dimensions);
            let found = reply::vectors(&reply, batch.len(), size);
            vectors.extend(found.map_err(|detail| Unavailable::new(PART, detail))?);
        }
        Ok(vectors)
    }
}

/// The address of the embeddings, from that of the service.
fn address(base: &str) -> Result<Url, EmbedderError> {
    let wrong = |shown: &str| EmbedderError::Address { url: shown.to_owned() };
    let mut url = Url::parse(base.trim()).map_err(|_| wrong(base))?;
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
        // What stands there may be a secret, so it is not repeated.
        return Err(EmbedderError::SecretInAddress);
    }
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong(base));
    }
    let path = url.path().trim_end_matches('/').to_owned();
    let path = path.strip_suffix("/embeddings").unwrap_or(&path);
    let versioned = path.ends_with("/v1");
    url.set_path(&format!("{path}{}/embeddings", if versioned { "" } else { "/v1" }));
    url.set_fragment(None);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_may_end_in_v1_or_not() {
        for base in
            ["http://127.0.0.1:80", "http://127.0.0.1/", "http://127.0.0.1/v1", "http://127.0.0.1/v1/"]
        {
            assert_eq!(address(base).unwrap().as_str(), "http://127.0.0.1/v1/embeddings");
        }
        assert_eq!(address("https://a.example/api/v1").unwrap().path(), "/api/v1/embeddings");
        for base in ["", "127.0.0.1:80", "ftp://a.example", "file:///tmp"] {
            assert!(matches!(address(base), Err(EmbedderError::Address { .. })), "{base}");
        }
    }

    #[test]
    fn a_secret_in_the_address_is_refused_and_not_repeated() {
        for base in ["https://user:hunter2@a.example/v1", "https://a.example/v1?key=hunter2"] {
            let error = address(base).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }
}
