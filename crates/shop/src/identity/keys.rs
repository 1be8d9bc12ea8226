//! The keys that tokens are verified with, loaded from the environment and the shop folder.

use std::ffi::OsString;
use std::fmt;
use std::path::Path;

use ring::hmac;
use ring::signature::{self, UnparsedPublicKey, VerificationAlgorithm};
use rustls_pki_types::SubjectPublicKeyInfoDer;
use rustls_pki_types::pem::PemObject;
use secrecy::{ExposeSecret, SecretString};

use crate::error::ShopError;
use crate::identity::config::{Algorithm, KeyConfig};
use crate::identity::spki::{self, Kind};
use crate::read;

/// The least bytes of a secret: as many as the hash has (RFC 7518, section 3.2).
const LEAST_SECRET: usize = 32;

/// The least bits of an RSA key (RFC 7518, section 3.3).
const LEAST_RSA: usize = 2_048;

/// The most bits of an RSA key: what `ring` verifies.
const MOST_RSA: usize = 8_192;

/// Why a key of `[[identity.keys]]` cannot be used. It names the key and where it should be, never what it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("identity key `{id}`: {fault}")]
pub struct KeyError {
    /// The id of the key.
    pub id: String,
    /// What is wrong.
    pub fault: KeyFault,
}

/// What is wrong with a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyFault {
    /// The environment variable is not there.
    #[error("the environment variable {0} is not set, or is empty; set it before the program starts")]
    Unset(String),
    /// The environment variable is no text.
    #[error("the environment variable {0} is not UTF-8; write the key as text, such as base64")]
    NotText(String),
    /// The secret is too short.
    #[error(
        "the secret in {variable} has {bytes} bytes, and HS256 needs {LEAST_SECRET} or more; make one with \
         `openssl rand -base64 48`"
    )]
    ShortSecret {
        /// The environment variable.
        variable: String,
        /// How many bytes it has.
        bytes: usize,
    },
    /// The secret is a key in PEM.
    #[error(
        "{0} holds a key in PEM, and HS256 needs a secret; write the algorithm of that key, or make a secret \
         with `openssl rand -base64 48`"
    )]
    PemAsSecret(String),
    /// It is a private key.
    #[error(
        "{0} holds a private key; this program needs the public one alone (`openssl pkey -in PRIVATE.pem \
         -pubout`), and the private one belongs to the signer and to nobody else"
    )]
    Private(String),
    /// There is no public key.
    #[error(
        "{0} holds no public key; write it in PEM, beginning with `-----BEGIN PUBLIC KEY-----` (of a \
         certificate: `openssl x509 -in CERTIFICATE.pem -pubkey -noout`)"
    )]
    NotPublic(String),
    /// There are several keys.
    #[error("{0} holds more than one key; give each an `[[identity.keys]]` of its own")]
    Several(String),
    /// The public key is of another kind.
    #[error(
        "{place} holds no {needed} key, which the algorithm needs; write the one that belongs to the key"
    )]
    OtherKind {
        /// Where it is.
        place: String,
        /// The kind that the algorithm needs.
        needed: &'static str,
    },
    /// The RSA key has a size that is not used.
    #[error("the RSA key in {place} has {bits} bits; make one of {LEAST_RSA} to {MOST_RSA}")]
    RsaSize {
        /// Where it is.
        place: String,
        /// How many it has.
        bits: usize,
    },
}

/// A key and what it is for.
pub(crate) struct Key {
    id: String,
    algorithm: Algorithm,
    material: Material,
}

enum Material {
    Secret(hmac::Key),
    Public(UnparsedPublicKey<Vec<u8>>),
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("id", &self.id)
            .field("algorithm", &self.algorithm)
            .finish_non_exhaustive()
    }
}

impl Key {
    /// Loads a key. `variable` reads the environment.
    pub(crate) fn load(
        config: &KeyConfig,
        root: &Path,
        variable: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Self, ShopError> {
        let failed = |fault| KeyError { id: config.id.0.clone(), fault };
        let set = |name: &str| {
            let value = variable(name).filter(|value| !value.is_empty());
            let value = value.ok_or_else(|| failed(KeyFault::Unset(name.to_owned())))?;
            let text = value.into_string().map_err(|_| failed(KeyFault::NotText(name.to_owned())))?;
            Ok::<_, KeyError>(SecretString::from(text))
        };
        let material = match (config.algorithm, &config.secret_env, &config.file, &config.public_key_env) {
            (Algorithm::Hs256, Some(name), ..) => secret(&set(&name.0)?, &name.0).map_err(failed)?,
            (algorithm, _, Some(file), _) => {
                let written = SecretString::from(read::text(&root.join(&file.0))?);
                public(algorithm, &written, &file.0).map_err(failed)?
            }
            (algorithm, _, _, Some(name)) => public(algorithm, &set(&name.0)?, &name.0).map_err(failed)?,
            _ => return Err(failed(KeyFault::NotPublic("shop.toml".to_owned())).into()),
        };
        Ok(Self { id: config.id.0.clone(), algorithm: config.algorithm, material })
    }

    /// Its id.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// What it signs by.
    pub(crate) fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Whether a signature over `signed` holds.
    pub(crate) fn holds(&self, signed: &[u8], signature: &[u8]) -> bool {
        match &self.material {
            Material::Secret(key) => hmac::verify(key, signed, signature).is_ok(),
            Material::Public(key) => key.verify(signed, signature).is_ok(),
        }
    }
}

fn secret(written: &SecretString, variable: &str) -> Result<Material, KeyFault> {
    let written = written.expose_secret();
    let variable = || variable.to_owned();
    // A public key is known to everybody: as a secret it would let anybody sign.
    if written.contains("-----BEGIN ") {
        return Err(KeyFault::PemAsSecret(variable()));
    }
    if written.len() < LEAST_SECRET {
        return Err(KeyFault::ShortSecret { variable: variable(), bytes: written.len() });
    }
    Ok(Material::Secret(hmac::Key::new(hmac::HMAC_SHA256, written.as_bytes())))
}

fn public(algorithm: Algorithm, written: &SecretString, place: &str) -> Result<Material, KeyFault> {
    let written = written.expose_secret();
    let place = || place.to_owned();
    if written.contains("PRIVATE KEY-----") {
        return Err(KeyFault::Private(place()));
    }
    let mut found = SubjectPublicKeyInfoDer::pem_slice_iter(written.as_bytes());
    let Some(Ok(der)) = found.next() else { return Err(KeyFault::NotPublic(place())) };
    if found.next().is_some() {
        return Err(KeyFault::Several(place()));
    }
    let (kind, key) = spki::read(&der).ok_or_else(|| KeyFault::NotPublic(place()))?;
    let (how, needed): (&'static dyn VerificationAlgorithm, Kind) = match algorithm {
        Algorithm::EdDsa => (&signature::ED25519, Kind::Ed25519),
        Algorithm::Rs256 => (&signature::RSA_PKCS1_2048_8192_SHA256, Kind::Rsa),
        Algorithm::Hs256 => return Err(KeyFault::NotPublic(place())),
    };
    if kind != needed {
        return Err(KeyFault::OtherKind { place: place(), needed: needed.name() });
    }
    if kind == Kind::Rsa {
        let bits = spki::rsa_bits(key).ok_or_else(|| KeyFault::NotPublic(place()))?;
        if !(LEAST_RSA..=MOST_RSA).contains(&bits) {
            return Err(KeyFault::RsaSize { place: place(), bits });
        }
    }
    Ok(Material::Public(UnparsedPublicKey::new(how, key.to_vec())))
}
