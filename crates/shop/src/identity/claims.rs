//! What a token claims (RFC 7519): for whom, by whom, for how long, and which customer.

use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::CustomerId;
use serde_json::{Map, Value};

use crate::identity::TokenError;
use crate::identity::config::IdentityConfig;

/// The most characters of a customer id.
pub(crate) const MOST_CHARACTERS: usize = 200;

type Claims = Map<String, Value>;

/// What the claims of a token must be.
#[derive(Debug)]
pub(crate) struct Expected {
    audience: String,
    issuer: Option<String>,
    claim: String,
    leeway_seconds: u64,
    max_age_seconds: u64,
}

impl Expected {
    pub(crate) fn new(config: &IdentityConfig) -> Self {
        Self {
            audience: config.audience.0.clone(),
            issuer: config.issuer.as_ref().map(|issuer| issuer.0.clone()),
            claim: config.claim.0.clone(),
            leeway_seconds: config.leeway_seconds.get(),
            max_age_seconds: config.max_age_seconds.get(),
        }
    }

    /// The customer of claims that hold at `now`.
    pub(crate) fn customer(&self, claims: &Claims, now: UnixMillis) -> Result<CustomerId, TokenError> {
        self.in_time(claims, now)?;
        self.for_us(claims)?;
        let value = claims.get(&self.claim).ok_or_else(|| TokenError::NoCustomer(self.claim.clone()))?;
        id(value).ok_or_else(|| TokenError::BadCustomer(self.claim.clone()))
    }

    fn in_time(&self, claims: &Claims, now: UnixMillis) -> Result<(), TokenError> {
        let now = i128::from(now.0);
        let leeway = i128::from(self.leeway_seconds) * 1_000;
        let expires = moment(claims, "exp")?.ok_or(TokenError::NoMoment("exp"))?;
        if now >= expires + leeway {
            return Err(TokenError::Expired);
        }
        let issued = moment(claims, "iat")?;
        for (name, from) in [("nbf", moment(claims, "nbf")?), ("iat", issued)] {
            if from.is_some_and(|from| now + leeway < from) {
                return Err(TokenError::TooEarly(name));
            }
        }
        if expires - issued.unwrap_or(now + leeway) > i128::from(self.max_age_seconds) * 1_000 {
            return Err(TokenError::TooLasting(self.max_age_seconds));
        }
        Ok(())
    }

    fn for_us(&self, claims: &Claims) -> Result<(), TokenError> {
        let named = match claims.get("aud") {
            Some(Value::String(audience)) => *audience == self.audience,
            Some(Value::Array(all)) => all.iter().any(|audience| audience.as_str() == Some(&self.audience)),
            _ => false,
        };
        if !named {
            return Err(TokenError::OtherAudience(self.audience.clone()));
        }
        match &self.issuer {
            Some(issuer) if claims.get("iss").and_then(Value::as_str) != Some(issuer) => {
                Err(TokenError::OtherIssuer(issuer.clone()))
            }
            _ => Ok(()),
        }
    }
}

/// A moment in milliseconds since 1970; `None` where it is not claimed.
fn moment(claims: &Claims, name: &'static str) -> Result<Option<i128>, TokenError> {
    let Some(value) = claims.get(name) else { return Ok(None) };
    let seconds = value.as_i64().ok_or(TokenError::BadMoment(name))?;
    Ok(Some(i128::from(seconds) * 1_000))
}

fn id(value: &Value) -> Option<CustomerId> {
    let id = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if !number.is_f64() => number.to_string(),
        _ => return None,
    };
    let fits = !id.trim().is_empty()
        && id.chars().take(MOST_CHARACTERS + 1).count() <= MOST_CHARACTERS
        && !id.chars().any(char::is_control);
    fits.then_some(CustomerId(id))
}
