//! Where a request comes from and who that is: the address from the right, past the listed proxies only, and the
//! customer from the signed token only.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};
use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::CustomerId;
use mostrador_shop::server_config::Addresses;

use crate::api::error::ApiError;
use crate::version::Version;

const FORWARDED: &str = "x-forwarded-for";

/// The address of whoever asks. A proxy that is not listed is a caller like any other, and what a caller writes into the
/// header stands to the left of what the proxies have added.
pub(crate) fn address(peer: IpAddr, headers: &HeaderMap, proxies: &[Addresses]) -> IpAddr {
    let peer = peer.to_canonical();
    let trusted = |address: IpAddr| proxies.iter().any(|proxy| proxy.hold(address));
    if !trusted(peer) {
        return peer;
    }
    let mut nearest = peer;
    for value in headers.get_all(FORWARDED).iter().rev() {
        let Ok(value) = value.to_str() else { return nearest };
        for part in value.rsplit(',') {
            let Some(address) = parsed(part) else { return nearest };
            nearest = address;
            if !trusted(address) {
                return address;
            }
        }
    }
    nearest
}

/// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`.
fn parsed(part: &str) -> Option<IpAddr> {
    let part = part.trim();
    let plain = part.parse::<IpAddr>().ok();
    let with_port = || part.parse::<std::net::SocketAddr>().ok().map(|socket| socket.ip());
    let in_brackets = || part.strip_prefix('[')?.strip_suffix(']')?.parse::<IpAddr>().ok();
    plain.or_else(with_port).or_else(in_brackets).map(|address| address.to_canonical())
}

/// The customer of the `Authorization` header; `None` where there is none.
pub(crate) fn customer(
    headers: &HeaderMap,
    version: &Version,
    now: UnixMillis,
) -> Result<Option<CustomerId>, ApiError> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let refused = |message: &str| ApiError::BadToken(message.to_owned());
    let value = value.to_str().map_err(|_| refused("the token is no text"))?;
    let token = value
        .split_once(' ')
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token.trim())
        .ok_or_else(|| refused("write `Authorization: Bearer TOKEN`"))?;
    let Some(identity) = &version.identity else {
        return Err(refused("this shop verifies no tokens; leave the header out"));
    };
    identity.verify(token, now).map(Some).map_err(|error| ApiError::BadToken(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(list: &[&str]) -> Vec<Addresses> {
        list.iter().map(|one| serde_json::from_value(serde_json::json!(one)).unwrap()).collect()
    }

    fn from(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED, value.parse().unwrap());
        }
        address(peer.parse().unwrap(), &headers, &proxies(trusted)).to_string()
    }

    /// Hard case 21: the leftmost X-Forwarded-For is the caller's own word.
    #[test]
    fn hard_case_21_the_address_is_taken_from_the_right_past_the_listed_proxies_only() {
        let cases: [(&str, &[&str], &[&str], &str); 10] = [
            ("203.0.113.9", &["1.1.1.1"], &[], "203.0.113.9"),
            ("203.0.113.9", &["1.1.1.1"], &["10.0.0.0/8"], "203.0.113.9"),
            ("10.0.0.1", &["1.1.1.1, 198.51.100.7"], &["10.0.0.0/8"], "198.51.100.7"),
            ("10.0.0.1", &["1.1.1.1, 198.51.100.7, 10.0.0.2"], &["10.0.0.0/8"], "198.51.100.7"),
            ("10.0.0.1", &["1.1.1.1", "198.51.100.7"], &["10.0.0.0/8"], "198.51.100.7"),
            ("10.0.0.1", &["1.1.1.1, nonsense"], &["10.0.0.0/8"], "10.0.0.1"),
            ("10.0.0.1", &[], &["10.0.0.0/8"], "10.0.0.1"),
            ("10.0.0.1", &["10.0.0.3, 10.0.0.2"], &["10.0.0.0/8"], "10.0.0.3"),
            ("::ffff:10.0.0.1", &["[2001:db8::7]:443"], &["10.0.0.0/8"], "2001:db8::7"),
            ("10.0.0.1", &["198.51.100.7:4711"], &["10.0.0.1"], "198.51.100.7"),
        ];
        for (peer, forwarded, trusted, expected) in cases {
            assert_eq!(from(peer, forwarded, trusted), expected, "{peer} {forwarded:?}");
        }
    }
}
