//! `[identity]`: which tokens say who asks, and the keys they are signed with.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::config::Config;
use crate::error::ShopError;
use crate::fields::{Filled, InFolder, Within};
use crate::folder::SHOP_FILE;

/// `[identity]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentityConfig {
    /// Whom tokens are for: their `aud`.
    pub audience: Filled,
    /// Who signs them: their `iss`; where it is left out, anybody who has a key.
    pub issuer: Option<Filled>,
    /// The claim that is the customer id.
    #[serde(default = "IdentityConfig::subject")]
    pub claim: Filled,
    /// How far the clocks of signer and program may be apart.
    #[serde(default = "IdentityConfig::leeway")]
    pub leeway_seconds: Within<0, 600>,
    /// The longest a token may be valid, from `iat`, or from now where it has none.
    #[serde(default = "IdentityConfig::day")]
    pub max_age_seconds: Within<60, 31_536_000>,
    /// The keys that are good now: several while one takes over from another.
    #[serde(default)]
    pub keys: Vec<Spanned<KeyConfig>>,
}

impl IdentityConfig {
    fn subject() -> Filled {
        Filled("sub".to_owned())
    }

    fn leeway() -> Within<0, 600> {
        Within::new(30)
    }

    fn day() -> Within<60, 31_536_000> {
        Within::new(86_400)
    }
}

/// `[[identity.keys]]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyConfig {
    /// Its name: the `kid` of the tokens signed with it.
    pub id: Filled,
    /// What it signs by.
    pub algorithm: Algorithm,
    /// The environment variable with the secret (HS256).
    pub secret_env: Option<Filled>,
    /// The file with the public key in PEM, in the shop folder (RS256, EdDSA).
    pub file: Option<InFolder>,
    /// The environment variable with the public key in PEM (RS256, EdDSA).
    pub public_key_env: Option<Filled>,
}

/// How a token is signed, by its name in RFC 7518 and RFC 8037.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Algorithm {
    /// HMAC with SHA-256: one secret on both sides.
    #[serde(rename = "HS256")]
    Hs256,
    /// RSA, PKCS #1 v1.5, with SHA-256.
    #[serde(rename = "RS256")]
    Rs256,
    /// Ed25519.
    #[serde(rename = "EdDSA")]
    EdDsa,
}

impl Algorithm {
    /// The name that a token's header gives it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Hs256 => "HS256",
            Algorithm::Rs256 => "RS256",
            Algorithm::EdDsa => "EdDSA",
        }
    }
}

/// Checks that the keys of `[identity]` fit together. `at` gives the line of a place.
pub(crate) fn check(config: &Config, at: &dyn Fn(Range<usize>) -> usize) -> Result<(), ShopError> {
    let Some(identity) = &config.identity else { return Ok(()) };
    if identity.get_ref().keys.is_empty() {
        let message = "`[identity]` has no key, so that no token could hold; add an `[[identity.keys]]`";
        return Err(ShopError::field(SHOP_FILE, at(identity.span()), message));
    }
    let mut ids = BTreeSet::new();
    for spanned in &identity.get_ref().keys {
        let key = spanned.get_ref();
        let problem = |message: String| Err(ShopError::field(SHOP_FILE, at(spanned.span()), message));
        let id = &key.id.0;
        if !ids.insert(id) {
            return problem(format!("two identity keys have the id `{id}`; give each its own"));
        }
        let public = [key.file.is_some(), key.public_key_env.is_some()];
        let public = public.into_iter().filter(|there| *there).count();
        match (key.algorithm, key.secret_env.is_some(), public) {
            (Algorithm::Hs256, true, 0) | (Algorithm::Rs256 | Algorithm::EdDsa, false, 1) => {}
            (Algorithm::Hs256, ..) => {
                return problem(format!(
                    "identity key `{id}`: HS256 needs `secret_env`, the environment variable with its secret, \
                     and neither `file` nor `public_key_env`"
                ));
            }
            (algorithm, ..) => {
                return problem(format!(
                    "identity key `{id}`: {} needs either `file` or `public_key_env`, with the public key in \
                     PEM, and no `secret_env`",
                    algorithm.name()
                ));
            }
        }
    }
    Ok(())
}
