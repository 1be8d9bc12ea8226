//! Names that nobody guesses, and marks that nobody forges.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};
use sha2::{Digest, Sha256};

use super::fault::Fault;

/// A name of 32 random bytes, in letters that may stand in an address and a cookie.
///
/// # Errors
/// [`Fault::Broken`] where the system gives no randomness.
pub(super) fn token() -> Result<String, Fault> {
    let bytes: [u8; 32] = random()?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Random bytes of the system.
///
/// # Errors
/// As [`token`].
pub(super) fn random<const N: usize>() -> Result<[u8; N], Fault> {
    let mut bytes = [0; N];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| Fault::broken("the system gives no random bytes; check its random device"))?;
    Ok(bytes)
}

/// What is kept of a token: who reads the database cannot sign in with it.
pub(super) fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// A mark over texts, in their order; `of` keeps marks for one purpose apart from those for another.
pub(super) fn mark(secret: &[u8; 32], of: &str, texts: &[&str]) -> String {
    URL_SAFE_NO_PAD.encode(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), &joined(of, texts)))
}

/// Whether a mark was made over these texts. It takes as long for a wrong one as for a right one.
pub(super) fn is_marked(secret: &[u8; 32], of: &str, texts: &[&str], mark: &str) -> bool {
    let Ok(tag) = URL_SAFE_NO_PAD.decode(mark) else { return false };
    hmac::verify(&hmac::Key::new(hmac::HMAC_SHA256, secret), &joined(of, texts), &tag).is_ok()
}

/// Each text behind its length, so that no two lists of texts are joined to the same bytes.
fn joined(of: &str, texts: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for text in std::iter::once(&of).chain(texts) {
        bytes.extend((text.len() as u64).to_be_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_holds_for_its_texts_and_purpose_alone() {
        let secret = [7; 32];
        let made = mark(&secret, "form", &["ab", "c"]);
        assert!(is_marked(&secret, "form", &["ab", "c"], &made));
        assert!(!is_marked(&secret, "form", &["a", "bc"], &made));
        assert!(!is_marked(&secret, "seal", &["ab", "c"], &made));
        assert!(!is_marked(&[8; 32], "form", &["ab", "c"], &made));
        assert!(!is_marked(&secret, "form", &["ab", "c"], ""));
        assert!(!is_marked(&secret, "form", &["ab", "c"], "no mark at all!"));
    }

    #[test]
    fn no_two_tokens_are_the_same() {
        assert_ne!(token().unwrap(), token().unwrap());
        assert_eq!(token().unwrap().len(), 43);
    }
}
