//! Who is asking: the customer id of a token that the shop has signed, and of nothing else.

pub mod config;

pub mod keys;

mod spki;

mod token;

mod claims;

mod tests;

use std::ffi::OsString;

use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::CustomerId;

use crate::error::ShopError;
use crate::folder::Shop;
use crate::identity::claims::Expected;
use crate::identity::keys::Key;
use crate::identity::token::Compact;

/// The most bytes of a token.
pub const MOST_BYTES: usize = 8_192;

/// Why a token says nothing about who asks. It names the check and what to do, never the token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It is too long.
    #[error("the token is longer than {MOST_BYTES} bytes; sign one with fewer claims")]
    TooLong,
    /// It has another form.
    #[error(
        "the token is no signed token in compact form (three parts in base64url without padding, with dots \
         between them); pass what the shop's signer gave, whole"
    )]
    Malformed,
    /// A part of it is no JSON object, or names a key twice.
    #[error("the token's {0} is no JSON object, or names a key twice; sign another one")]
    NotJson(&'static str),
    /// It asks for extensions.
    #[error("the token's header has `crit`, extensions that this program does not know; sign without them")]
    Critical,
    /// It names no key, and there are several.
    #[error("the token's header has no `kid`, and shop.toml has several keys; put the id of the key there")]
    NoKeyId,
    /// Its key is not among the shop's.
    #[error(
        "the token's `kid` is the id of no key in shop.toml; sign with a key that is there, or add it to \
         [[identity.keys]]"
    )]
    UnknownKey,
    /// It was signed, or says so, by another algorithm than its key is for.
    #[error("the token's `alg` is not {0}, the algorithm of its key in shop.toml; sign with that")]
    OtherAlgorithm(&'static str),
    /// The signature does not hold.
    #[error("the token's signature does not hold: it was changed, or signed with another key; sign it again")]
    BadSignature,
    /// A moment is missing that must be there.
    #[error("the token has no `{0}`; sign one that has it, in seconds since 1970")]
    NoMoment(&'static str),
    /// A moment is no whole number.
    #[error("the token's `{0}` is no whole number of seconds since 1970; round it before signing")]
    BadMoment(&'static str),
    /// It has expired.
    #[error("the token has expired (`exp`); sign a new one, and see that the clocks agree")]
    Expired,
    /// It does not hold yet.
    #[error("the token does not hold yet (`{0}` lies ahead); see that the clocks agree")]
    TooEarly(&'static str),
    /// It would be valid for too long.
    #[error(
        "the token is valid for more than {0} seconds, the `max_age_seconds` of shop.toml; sign a shorter one"
    )]
    TooLasting(u64),
    /// It is for somebody else.
    #[error("the token's `aud` does not name {0:?}, the `audience` of shop.toml; sign one that does")]
    OtherAudience(String),
    /// It is by somebody else.
    #[error("the token's `iss` is not {0:?}, the `issuer` of shop.toml; sign one where it is")]
    OtherIssuer(String),
    /// It names no customer.
    #[error("the token has no `{0}`, which shop.toml takes the customer from; sign one that has it")]
    NoCustomer(String),
    /// What it names is no customer.
    #[error(
        "the token's `{0}` is no customer: a text of 1 to {most} characters without control characters, or a \
         whole number, is needed",
        most = claims::MOST_CHARACTERS
    )]
    BadCustomer(String),
}

/// What verifies the tokens of a shop: its keys, and what their claims must be.
#[derive(Debug)]
pub struct Identity {
    expected: Expected,
    keys: Vec<Key>,
}

impl Identity {
    /// Loads the keys of a shop; `None` where it has no `[identity]`.
    ///
    /// # Errors
    /// [`ShopError`] where a key cannot be had or is none: names the key and what to do.
    pub fn of(shop: &Shop) -> Result<Option<Self>, ShopError> {
        Self::load(shop, &|variable| std::env::var_os(variable))
    }

    fn load(shop: &Shop, variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Option<Self>, ShopError> {
        let Some(config) = &shop.config().identity else { return Ok(None) };
        let config = config.get_ref();
        let keys = config.keys.iter().map(|key| Key::load(key.get_ref(), shop.root(), variable));
        Ok(Some(Self { expected: Expected::new(config), keys: keys.collect::<Result<_, _>>()? }))
    }

    /// The customer that a token names, where everything about it holds at `now`: form, key, algorithm,
    /// signature, times, audience and issuer, in this order.
    ///
    /// # Errors
    /// [`TokenError`]: the first check that failed.
    pub fn verify(&self, token: &str, now: UnixMillis) -> Result<CustomerId, TokenError> {
        let compact = Compact::read(token)?;
        let key = self.key(&compact)?;
        // The key decides how it is verified; what the header says can only disagree.
        if compact.header("alg") != Some(key.algorithm().name()) {
            return Err(TokenError::OtherAlgorithm(key.algorithm().name()));
        }
        if !key.holds(compact.signed(), compact.signature()) {
            return Err(TokenError::BadSignature);
        }
        self.expected.customer(&compact.claims()?, now)
    }

    fn key(&self, compact: &Compact<'_>) -> Result<&Key, TokenError> {
        if !compact.names_key() {
            let [only] = self.keys.as_slice() else { return Err(TokenError::NoKeyId) };
            return Ok(only);
        }
        let id = compact.header("kid").ok_or(TokenError::UnknownKey)?;
        self.keys.iter().find(|key| key.id() == id).ok_or(TokenError::UnknownKey)
    }
}
