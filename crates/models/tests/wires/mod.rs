//! Models on both wires against a provider on loopback, for the tests of this folder.

#![allow(dead_code, clippy::unwrap_used, reason = "helpers of tests; not every test file needs all of them")]

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use mostrador_answer::message::{Block, Delta, Message, Request, Role};
use mostrador_answer::ports::{Model, ModelError};
use mostrador_language::Lang;
use mostrador_models::{Http, Limits, ProviderModel, ProviderSettings, Wire};
use secrecy::SecretString;

pub(crate) const KEY: &str = "sk-very-secret";

pub(crate) const WIRES: [Wire; 2] = [Wire::OpenaiCompatible, Wire::Messages];

/// Time enough for a busy machine; a test of a limit sets its own.
pub(crate) const AMPLE: Duration = Duration::from_secs(60);

pub(crate) fn settings(wire: Wire, address: &str) -> ProviderSettings {
    ProviderSettings {
        base_url: Some(address.to_owned()),
        model: Some("m".to_owned()),
        key_env: Some("SHOP_KEY".to_owned()),
        key: Some(SecretString::from(KEY)),
        temperature: Some("0.2".to_owned()),
        retries: 0,
        pause: Duration::from_millis(1),
        limits: Limits { connect: AMPLE, first_token: AMPLE, between_tokens: AMPLE, call: AMPLE },
        ..ProviderSettings::new(wire)
    }
}

pub(crate) fn model(settings: ProviderSettings) -> ProviderModel {
    ProviderModel::new(settings, Http::new()).unwrap()
}

pub(crate) fn question(text: &str) -> Request {
    Request {
        system: "Answer from the documents.".to_owned(),
        messages: vec![Message { role: Role::User, content: vec![Block::Text(text.to_owned())] }],
        tools: Vec::new(),
        max_output_tokens: 300,
        language: Lang::EN,
        reading: Lang::EN,
        overview: false,
        output_schema: None,
    }
}

/// Everything that came but the counts of what is not said, and the error it ended with.
pub(crate) async fn hear(model: &dyn Model, request: Request) -> (Vec<Delta>, Option<ModelError>) {
    let (mut deltas, mut error) = (Vec::new(), None);
    let mut stream = model.stream(Arc::new(request));
    while let Some(said) = stream.next().await {
        assert!(error.is_none(), "something came behind the error");
        match said {
            Ok(Delta::Unsaid(_)) => {}
            Ok(delta) => deltas.push(delta),
            Err(failed) => error = Some(failed),
        }
    }
    (deltas, error)
}

pub(crate) fn text(deltas: &[Delta]) -> String {
    let texts = deltas.iter().filter_map(|delta| match delta {
        Delta::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}
