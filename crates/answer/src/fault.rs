//! What can keep a model from answering, by name: the same names in traces, records and documents.

use serde::{Deserialize, Serialize};

/// What kept a model from answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// Something that its configuration needs is missing.
    NotConfigured,
    /// Its address has no name server's answer.
    NoSuchHost,
    /// Nobody listens, or the way there is closed.
    Unreachable,
    /// No secure connection could be made.
    Tls,
    /// No connection in the time for it.
    ConnectTimeout,
    /// The provider does not accept the key.
    Unauthorised,
    /// There is no such address or model.
    NotFound,
    /// The provider does not accept the request.
    BadRequest,
    /// Too many requests, or the account is used up.
    RateLimited,
    /// The provider is broken or busy.
    ServerError,
    /// No first token in the time for it.
    FirstTokenTimeout,
    /// Nothing more in the time between two tokens.
    Stalled,
    /// The whole call took longer than it may.
    CallTimeout,
    /// The reply broke off before its end.
    BrokeOff,
    /// The reply is no UTF-8.
    NotUtf8,
    /// The reply is no JSON.
    NotJson,
    /// The reply is JSON of another shape.
    WrongShape,
    /// The reply is longer than a reply may be.
    TooLong,
    /// No recording of this request.
    NotRecorded,
    /// No rule of the script fits.
    NoRule,
}

impl Fault {
    /// Every fault, in the order of a call.
    pub const ALL: [Fault; 20] = [
        Fault::NotConfigured,
        Fault::NoSuchHost,
        Fault::Unreachable,
        Fault::Tls,
        Fault::ConnectTimeout,
        Fault::Unauthorised,
        Fault::NotFound,
        Fault::BadRequest,
        Fault::RateLimited,
        Fault::ServerError,
        Fault::FirstTokenTimeout,
        Fault::Stalled,
        Fault::CallTimeout,
        Fault::BrokeOff,
        Fault::NotUtf8,
        Fault::NotJson,
        Fault::WrongShape,
        Fault::TooLong,
        Fault::NotRecorded,
        Fault::NoRule,
    ];

    /// The name in traces and records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fault::NotConfigured => "not-configured",
            Fault::NoSuchHost => "no-such-host",
            Fault::Unreachable => "unreachable",
            Fault::Tls => "tls",
            Fault::ConnectTimeout => "connect-timeout",
            Fault::Unauthorised => "unauthorised",
            Fault::NotFound => "not-found",
            Fault::BadRequest => "bad-request",
            Fault::RateLimited => "rate-limited",
            Fault::ServerError => "server-error",
            Fault::FirstTokenTimeout => "first-token-timeout",
            Fault::Stalled => "stalled",
            Fault::CallTimeout => "call-timeout",
            Fault::BrokeOff => "broke-off",
            Fault::NotUtf8 => "not-utf8",
            Fault::NotJson => "not-json",
            Fault::WrongShape => "wrong-shape",
            Fault::TooLong => "too-long",
            Fault::NotRecorded => "not-recorded",
            Fault::NoRule => "no-rule",
        }
    }
}

/// A model that could not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model {model} failed ({}): {detail}", fault.name())]
pub struct ModelError {
    /// The model.
    pub model: String,
    /// What kept it.
    pub fault: Fault,
    /// What happened, without secrets, and what to do.
    pub detail: String,
    /// Whether the provider may ask money for the call all the same: it had begun to work on it.
    pub charged: bool,
}
