//! The address of a service with places for arguments, none of which can leave its place.

use std::net::IpAddr;

use reqwest::Url;

use super::reach::{Reach, reach};

/// Stands where a place is while the address is read.
const PLACE: &str = "mostrador-place-";

/// An address with places.
#[derive(Debug)]
pub(super) struct Address {
    pieces: Vec<Piece>,
    host: String,
    private: bool,
    plain: bool,
}

#[derive(Debug)]
enum Piece {
    Text(String),
    Place(String),
}

impl Address {
    /// Reads an address. Its places stand behind the host.
    ///
    /// # Errors
    /// What is wrong and what to do, to stand behind "`url`". No word of the address is in it where that may be secret.
    pub(super) fn parse(url: &str, allow_private: &[String]) -> Result<Self, String> {
        let none = || {
            "is no address; write one such as \"https://api.shop.example/orders/{order}?customer={customer}\""
                .to_owned()
        };
        if url.contains(PLACE) {
            return Err(none());
        }
        let authority = url.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#', '\\']).next());
        if authority.is_none_or(|authority| authority.contains(['{', '}'])) {
            return Err("has a place in its host; write the host out".to_owned());
        }
        let (marked, names) = marked(url).ok_or_else(none)?;
        let parsed = Url::parse(&marked).map_err(|_| none())?;
        if !parsed.username().is_empty() || parsed.password().is_some() {
            return Err(
                "holds a user name or a password; put the key in an environment variable and name it as \
                        `key_env`"
                    .to_owned(),
            );
        }
        let host = parsed.host_str().map(|host| host.trim_matches(['[', ']']).to_owned()).ok_or_else(none)?;
        if parsed.fragment().is_some() {
            return Err("has a `#`, which no service is ever sent; take it out".to_owned());
        }
        let allowed = |name: &String| name.trim_matches(['[', ']']).eq_ignore_ascii_case(&host);
        if let Some(other) = allow_private.iter().find(|name| !allowed(name)) {
            return Err(format!(
                "leads to {host}, and `allow_private` names {other}; correct one of the two"
            ));
        }
        let private = !allow_private.is_empty();
        check_host(&host, private)?;
        match parsed.scheme() {
            "https" => {}
            "http" if private => {}
            "http" => {
                return Err("begins with http, where anybody on the way reads along; write https".to_owned());
            }
            _ => return Err(none()),
        }
        let pieces = pieces(parsed.as_str(), names)
            .ok_or("has a place that the address does not keep; put it in a part of the path or a value")?;
        Ok(Self { pieces, host, private, plain: parsed.scheme() == "http" })
    }

    /// The host.
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Whether the host may be in the shop's own network.
    pub(super) fn may_be_private(&self) -> bool {
        self.private
    }

    /// Whether it goes without TLS.
    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    /// The names of the places.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Place(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// The address with its places filled; `None` where a value is missing or empty, or would be another path.
    pub(super) fn fill(&self, value: impl Fn(&str) -> Option<String>) -> Option<Url> {
        let mut filled = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Place(name) => {
                    let value = value(name).filter(|value| !value.is_empty())?;
                    value.bytes().for_each(|byte| encode(byte, &mut filled));
                }
            }
        }
        let url = Url::parse(&filled).ok()?;
        // A part that has become `.` or `..` is one that the parser takes away.
        (url.as_str() == filled).then_some(url)
    }
}

/// Everything but letters, digits and four signs as `%` and two digits.
fn encode(byte: u8, to: &mut String) {
    if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
        to.push(char::from(byte));
    } else {
        to.push_str(&format!("%{byte:02X}"));
    }
}

/// The address with a mark for each place, and the names of the places; `None` where braces do not match.
fn marked(url: &str) -> Option<(String, Vec<String>)> {
    let (mut marked, mut names) = (String::new(), Vec::new());
    let mut rest = url;
    while let Some((before, behind)) = rest.split_once('{') {
        let (name, after) = behind.split_once('}')?;
        if name.trim().is_empty() || before.contains('}') || name.contains('{') {
            return None;
        }
        marked.push_str(&format!("{before}{PLACE}{}-", names.len()));
        names.push(name.trim().to_owned());
        rest = after;
    }
    marked.push_str(rest);
    (!rest.contains('}')).then_some((marked, names))
}

fn pieces(canonical: &str, names: Vec<String>) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = canonical;
    for (at, name) in names.into_iter().enumerate() {
        let (before, after) = rest.split_once(&format!("{PLACE}{at}-"))?;
        pieces.push(Piece::Text(before.to_owned()));
        pieces.push(Piece::Place(name));
        rest = after;
    }
    pieces.push(Piece::Text(rest.to_owned()));
    Some(pieces)
}

/// A host that is written as an address never reaches a name server, so it is looked at here.
fn check_host(host: &str, private: bool) -> Result<(), String> {
    let name = host.trim_end_matches('.');
    let here = name == "localhost" || name.ends_with(".localhost");
    let found = match host.parse::<IpAddr>() {
        Ok(address) => reach(address),
        Err(_) if here => Reach::Private,
        Err(_) => Reach::Public,
    };
    match found {
        Reach::Public => Ok(()),
        Reach::Private if private => Ok(()),
        Reach::Private => Err(format!(
            "leads to {host}, which is this machine or a network of its own; where that is meant, write \
             `allow_private = [{host:?}]`"
        )),
        Reach::Never => Err(format!("leads to {host}, which no look-up may reach; write the service's own")),
    }
}
