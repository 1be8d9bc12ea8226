//! The key inside a public key file: `SubjectPublicKeyInfo` of RFC 5280, as far as RSA and Ed25519 need it.

/// The kinds of public keys that verify tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// RSA (RFC 8017).
    Rsa,
    /// Ed25519 (RFC 8410).
    Ed25519,
    /// Another one, which verifies none.
    Other,
}

impl Kind {
    /// Its name for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Rsa => "RSA",
            Kind::Ed25519 => "Ed25519",
            Kind::Other => "other",
        }
    }
}

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OID: u8 = 0x06;
const SEQUENCE: u8 = 0x30;

/// 1.2.840.113549.1.1.1
const RSA: [u8; 9] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
/// 1.3.101.112
const ED25519: [u8; 3] = [0x2b, 0x65, 0x70];
/// RSA is named with parameters that are NULL.
const NULL: [u8; 2] = [0x05, 0x00];
/// Bytes of an Ed25519 key.
const ED25519_BYTES: usize = 32;

/// The kind of a public key and its bytes: of RSA a `RSAPublicKey`, of Ed25519 the point. `None`: it is broken.
pub(crate) fn read(der: &[u8]) -> Option<(Kind, &[u8])> {
    let info = whole(der, SEQUENCE)?;
    let (algorithm, rest) = first(info, SEQUENCE)?;
    let key = whole(rest, BIT_STRING)?;
    let (unused, key) = key.split_first()?;
    if *unused != 0 {
        return None;
    }
    let (oid, parameters) = first(algorithm, OID)?;
    if oid == RSA {
        return (parameters == NULL).then_some((Kind::Rsa, key));
    }
    if oid == ED25519 {
        return (parameters.is_empty() && key.len() == ED25519_BYTES).then_some((Kind::Ed25519, key));
    }
    Some((Kind::Other, key))
}

/// How many bits the modulus of a `RSAPublicKey` has.
pub(crate) fn rsa_bits(key: &[u8]) -> Option<usize> {
    let (modulus, rest) = first(whole(key, SEQUENCE)?, INTEGER)?;
    whole(rest, INTEGER)?;
    let leading: usize = modulus.iter().take_while(|byte| **byte == 0).count();
    let top = modulus.get(leading)?;
    let unset = usize::try_from(top.leading_zeros()).ok()?;
    (modulus.len() - leading).checked_mul(8)?.checked_sub(unset)
}

/// The content of the one element that `bytes` are.
fn whole(bytes: &[u8], tag: u8) -> Option<&[u8]> {
    first(bytes, tag).filter(|(_, rest)| rest.is_empty()).map(|(content, _)| content)
}

/// The content of the first element, and what stands after it.
fn first(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (found, rest) = bytes.split_first()?;
    if *found != tag {
        return None;
    }
    let (short, rest) = rest.split_first()?;
    // DER has one way to write a length: the shortest.
    let (length, rest) = match *short {
        length @ 0..=0x7f => (usize::from(length), rest),
        0x81 => {
            let (length, rest) = rest.split_first()?;
            (usize::from(*length).checked_sub(0x80)? + 0x80, rest)
        }
        0x82 => {
            let (length, rest) = rest.split_first_chunk::<2>()?;
            (usize::from(u16::from_be_bytes(*length)).checked_sub(0x100)? + 0x100, rest)
        }
        _ => return None,
    };
    rest.split_at_checked(length)
}
