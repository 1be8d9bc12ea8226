//! A token in compact form (RFC 7515), taken apart before anything of it is believed.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::identity::{MOST_BYTES, TokenError};

/// The parts of a token.
pub(crate) struct Compact<'t> {
    header: Map<String, Value>,
    signed: &'t str,
    payload: &'t str,
    signature: Vec<u8>,
}

impl<'t> Compact<'t> {
    /// Takes a token apart. Its payload stays unread until the signature is known to hold.
    pub(crate) fn read(token: &'t str) -> Result<Self, TokenError> {
        if token.len() > MOST_BYTES {
            return Err(TokenError::TooLong);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (header, payload) = signed.split_once('.').ok_or(TokenError::Malformed)?;
        let header = object(&bytes(header)?).ok_or(TokenError::NotJson("header"))?;
        if header.contains_key("crit") {
            return Err(TokenError::Critical);
        }
        Ok(Self { header, signed, payload, signature: bytes(signature)? })
    }

    /// A text of the header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.header.get(name).and_then(Value::as_str)
    }

    /// Whether the header names a key, whatever it says.
    pub(crate) fn names_key(&self) -> bool {
        self.header.contains_key("kid")
    }

    /// What was signed.
    pub(crate) fn signed(&self) -> &[u8] {
        self.signed.as_bytes()
    }

    /// The signature.
    pub(crate) fn signature(&self) -> &[u8] {
        &self.signature
    }

    /// What it claims.
    pub(crate) fn claims(&self) -> Result<Map<String, Value>, TokenError> {
        object(&bytes(self.payload)?).ok_or(TokenError::NotJson("payload"))
    }
}

/// Strict: no padding, no white space, no bits left over, so that a token can be written in one way only.
fn bytes(part: &str) -> Result<Vec<u8>, TokenError> {
    URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Malformed)
}

fn object(json: &[u8]) -> Option<Map<String, Value>> {
    match serde_json::from_slice(json) {
        Ok(Once(Value::Object(object))) => Some(object),
        _ => None,
    }
}

/// JSON in which no object names a key twice: readers differ in which of the two they believe.
struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Strict).map(Once)
    }
}

struct Strict;

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Once(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((key, Once(value))) = map.next_entry::<String, Once>()? {
            if object.insert(key, value).is_some() {
                return Err(A::Error::custom("a key stands twice"));
            }
        }
        Ok(object.into())
    }
}
