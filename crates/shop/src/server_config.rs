//! `[server]`, `[retention]` and `[personal_data]`: how a shop is served, and how long what was said is kept.

use std::net::IpAddr;

use ipnet::IpNet;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};

use crate::fields::Within;

/// Whether a version that did not pass the shop's cases is served.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseGate {
    /// It is not: the last one that passed goes on, or the program does not start.
    #[default]
    Refuse,
    /// It is, with a warning.
    Warn,
}

/// An address or a range of addresses, such as `10.0.0.0/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addresses(IpNet);

impl Addresses {
    /// Whether an address is one of these.
    #[must_use]
    pub fn hold(&self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}

impl<'de> Deserialize<'de> for Addresses {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let parsed = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
        parsed.map(Self).ok_or_else(|| {
            D::Error::custom(format!(
                "{text:?} is no address; write one such as \"127.0.0.1\", or a range such as \"10.0.0.0/8\""
            ))
        })
    }
}

/// An address and a port to listen on, such as `127.0.0.1:8080`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listen(pub String);

impl Listen {
    /// Reads one.
    ///
    /// # Errors
    /// Says how it is written.
    pub fn parse(text: &str) -> Result<Self, String> {
        let fits =
            text.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
        let wrong = || {
            format!("{text:?} is no address to listen on; write it with its port, such as \"127.0.0.1:8080\"")
        };
        if fits { Ok(Self(text.to_owned())) } else { Err(wrong()) }
    }
}

impl<'de> Deserialize<'de> for Listen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The origin of a page: scheme, host and port, as browsers send it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Origin(pub String);

impl<'de> Deserialize<'de> for Origin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
        if host.is_none_or(|host| host.is_empty() || !host.chars().all(plain)) {
            let message = format!(
                "{text:?} is no origin; write it as browsers send it, such as \"https://shop.example\", with no \
                 slash at the end"
            );
            return Err(D::Error::custom(message));
        }
        Ok(Self(text.to_ascii_lowercase()))
    }
}

/// `[server]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ServerConfig {
    /// The address and port it listens on.
    pub listen: Listen,
    /// Where the world reaches it, such as `https://chat.shop.example`; with https, cookies are sent over nothing else.
    pub public_url: Option<Origin>,
    /// The proxies whose word on where a request came from is taken.
    pub trusted_proxies: Vec<Addresses>,
    /// The pages of other origins that may use it from a browser.
    pub origins: Vec<Origin>,
    /// The most bytes of a request's body.
    pub body_bytes: Within<1_000, 10_000_000>,
    /// How long the header or the body of a request may take to arrive.
    pub read_seconds: Within<1, 600>,
    /// How long a stream is silent before a sign of life.
    pub heartbeat_seconds: Within<1, 20>,
    /// How long a reader may leave what was sent to it unread.
    pub write_seconds: Within<1, 600>,
    /// The most connections at once.
    pub connections: Within<1, 1_000_000>,
    /// How long it waits for the next message of a burst before it answers.
    pub burst_ms: Within<0, 10_000>,
    /// How long answers under way may take when it is told to end.
    pub shutdown_seconds: Within<0, 600>,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            listen: Listen("127.0.0.1:8080".to_owned()),
            public_url: None,
            trusted_proxies: Vec::new(),
            origins: Vec::new(),
            body_bytes: Within::new(64_000),
            read_seconds: Within::new(10),
            heartbeat_seconds: Within::new(15),
            write_seconds: Within::new(30),
            connections: Within::new(20_000),
            burst_ms: Within::new(0),
            shutdown_seconds: Within::new(5),
        }
    }
}

impl ServerConfig {
    /// Whether browsers reach it by https alone.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.0.starts_with("https://"))
    }
}

/// `[retention]`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetentionConfig {
    /// After so many days a conversation is erased; without it, none is.
    pub days: Option<Within<1, 36_500>>,
}

/// `[personal_data]`
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PersonalDataConfig {
    /// Whether e-mail addresses, telephone numbers, cards and accounts are taken out of customers' words before these
    /// are written down or go to a model.
    pub redact: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ServerConfig, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn addresses_stand_alone_or_in_ranges() {
        let config = read("trusted_proxies = [\"10.0.0.0/8\", \"192.0.2.7\", \"2001:db8::/32\"]").unwrap();
        let trusted = |address: &str| {
            let address = address.parse().unwrap();
            config.trusted_proxies.iter().any(|proxies| proxies.hold(address))
        };
        assert!(trusted("10.200.3.4") && trusted("192.0.2.7") && trusted("2001:db8::1"));
        assert!(!trusted("192.0.2.8") && !trusted("11.0.0.1") && !trusted("2001:db9::1"));
        assert!(read("trusted_proxies = [\"localhost\"]").unwrap_err().to_string().contains("no address"));
    }

    #[test]
    fn an_origin_is_what_a_browser_sends() {
        assert!(read("origins = [\"https://shop.example\", \"http://127.0.0.1:8080\"]").is_ok());
        for wrong in ["https://shop.example/", "shop.example", "*", "https://", "https://a b"] {
            let error = read(&format!("origins = [{wrong:?}]")).unwrap_err();
            assert!(error.to_string().contains("no origin"), "{wrong}");
        }
    }
}
