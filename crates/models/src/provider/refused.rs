//! What a status other than success means, and how long to wait.

use std::time::Duration;

use mostrador_answer::ports::Fault;
use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

/// A refusal: what it is, what to say of it, and whether a repeat may help.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) fault: Fault,
    pub(super) detail: String,
    pub(super) again: bool,
}

/// What a status means for the owner; `said` is what came with it, `key_env` where the key is from.
pub(super) fn refused(status: StatusCode, said: &[u8], key_env: Option<&str>) -> Refused {
    let (fault, what) = match status.as_u16() {
        401 | 403 => {
            // Some providers repeat a part of the key here, so their words are left out.
            let key = key_env.map_or_else(
                || "name the key's environment variable as `api_key_env`, or set LLM_API_KEY".to_owned(),
                |variable| format!("check the key in {variable}"),
            );
            let detail = format!("the provider refuses access (status {}); {key}", status.as_u16());
            return Refused { fault: Fault::Unauthorised, detail, again: false };
        }
        404 => (Fault::NotFound, "check `base_url` and `model`"),
        300..=399 => (Fault::NotFound, "write the address that it leads to as `base_url`"),
        402 | 429 => (Fault::RateLimited, "wait, ask for a higher rate, or look at the account"),
        400..=499 => (Fault::BadRequest, "check `model` and what it takes"),
        500..=599 => (Fault::ServerError, "look at the provider, or try again later"),
        _ => (Fault::WrongShape, "check `base_url`"),
    };
    let detail =
        format!("the provider answers with status {}; {what}; it says: {}", status.as_u16(), words(said));
    let again =
        matches!(fault, Fault::RateLimited | Fault::ServerError) && status != StatusCode::PAYMENT_REQUIRED;
    Refused { fault, detail, again }
}

/// The provider's own words: its message where it is JSON, else all of it.
fn words(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let Ok(json) = serde_json::from_str::<Value>(&text) else { return text.into_owned() };
    let places = ["/error/message", "/message", "/error", "/detail"];
    let found = places.iter().find_map(|place| json.pointer(place).and_then(Value::as_str));
    found.map_or_else(|| text.clone().into_owned(), str::to_owned)
}

/// How long the provider asks to wait: seconds, or until a moment, by the provider's own clock.
pub(super) fn wait(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let asked = text(RETRY_AFTER)?;
    if let Ok(seconds) = asked.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let moment = |text: &str| jiff::fmt::rfc2822::parse(text).ok().map(|zoned| zoned.timestamp());
    let left = moment(asked)?.duration_since(moment(text(DATE)?)?);
    Some(Duration::try_from(left).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn a_pause_is_asked_for_in_seconds_or_until_a_moment() {
        assert_eq!(wait(&headers(&[("retry-after", " 7 ")])), Some(Duration::from_secs(7)));
        let date = ("date", "Wed, 21 Oct 2015 07:28:00 GMT");
        for (until, seconds) in [("Wed, 21 Oct 2015 07:28:30 GMT", 30), ("Wed, 21 Oct 2015 07:27:00 GMT", 0)]
        {
            let asked = headers(&[date, ("retry-after", until)]);
            assert_eq!(wait(&asked), Some(Duration::from_secs(seconds)), "{until}");
        }
        for bad in ["", "soon", "-1", "1.5"] {
            assert_eq!(wait(&headers(&[date, ("retry-after", bad)])), None, "{bad:?}");
        }
        assert_eq!(wait(&headers(&[("retry-after", "Wed, 21 Oct 2015 07:28:30 GMT")])), None);
    }

    #[test]
    fn the_providers_own_message_is_found_where_it_stands() {
        for said in [
            r#"{"error":{"message":"too hot","type":"x"}}"#,
            r#"{"error":"too hot"}"#,
            r#"{"message":"too hot"}"#,
            r#"{"detail":"too hot"}"#,
            "too hot",
        ] {
            let refused = refused(StatusCode::BAD_REQUEST, said.as_bytes(), None);
            assert!(refused.detail.ends_with("says: too hot"), "{}", refused.detail);
        }
    }

    #[test]
    fn words_beside_a_refused_key_are_left_out() {
        let refused = refused(StatusCode::UNAUTHORIZED, b"sk-12*** is wrong", Some("SHOP_KEY"));
        assert!(!refused.detail.contains("sk-12") && refused.detail.contains("SHOP_KEY"));
    }
}
