//! The address that a call goes to, from the one that the shop writes.

use reqwest::Url;

use super::error::ProviderError;
use super::settings::Wire;

/// What stands in an address whose path names a deployment.
const DEPLOYMENTS: &str = "/openai/deployments/";

/// The address of the calls: `base` with what is missing of version and path.
///
/// A query stays only where the path names a deployment, and only `api-version`: in any other there may be a key.
pub(super) fn address(base: &str, wire: Wire) -> Result<Url, ProviderError> {
    // An address that is none may still hold a password, so that little of it is repeated.
    let wrong = || {
        let shown: String = base.rsplit('@').next().unwrap_or_default().chars().take(100).collect();
        let shown = shown.split('?').next().unwrap_or_default().to_owned();
        ProviderError::Address { url: shown }
    };
    let mut url = Url::parse(base.trim()).map_err(|_| wrong())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(ProviderError::SecretInAddress);
    }
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong());
    }
    let path = url.path().trim_end_matches('/').to_owned();
    let deployment = wire == Wire::OpenaiCompatible && path.contains(DEPLOYMENTS);
    if url.query().is_some() && !(deployment && only_a_version(&url)) {
        return Err(ProviderError::SecretInAddress);
    }
    let end = match wire {
        Wire::OpenaiCompatible => "/chat/completions",
        Wire::Messages => "/messages",
    };
    if !path.ends_with(end) {
        let versioned = deployment || path.split('/').any(is_version);
        url.set_path(&format!("{path}{}{end}", if versioned { "" } else { "/v1" }));
    } else {
        url.set_path(&path);
    }
    url.set_fragment(None);
    Ok(url)
}

fn only_a_version(url: &Url) -> bool {
    let mut pairs = url.query_pairs();
    pairs.next().is_some_and(|(name, _)| name == "api-version") && pairs.next().is_none()
}

/// `v1`, `v4`, `v1beta`.
fn is_version(segment: &str) -> bool {
    segment.strip_prefix('v').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_may_be_short_or_whole() {
        for base in [
            "http://127.0.0.1:80",
            "http://127.0.0.1/",
            "http://127.0.0.1/v1",
            "http://127.0.0.1/v1/",
            "http://127.0.0.1/v1/chat/completions",
            " http://127.0.0.1/v1/chat/completions/#x",
        ] {
            let url = address(base, Wire::OpenaiCompatible).unwrap();
            assert_eq!(url.as_str(), "http://127.0.0.1/v1/chat/completions", "{base}");
        }
        for base in ["https://a.example", "https://a.example/v1", "https://a.example/v1/messages"] {
            let url = address(base, Wire::Messages).unwrap();
            assert_eq!(url.as_str(), "https://a.example/v1/messages", "{base}");
        }
        for (base, path) in [
            ("https://a.example/api/paas/v4", "/api/paas/v4/chat/completions"),
            ("https://a.example/v1beta/openai/", "/v1beta/openai/chat/completions"),
            ("https://a.example/proxy", "/proxy/v1/chat/completions"),
        ] {
            assert_eq!(address(base, Wire::OpenaiCompatible).unwrap().path(), path);
        }
        for base in ["", "127.0.0.1:80", "ftp://a.example", "file:///tmp"] {
            let wrong = address(base, Wire::Messages);
            assert!(matches!(wrong, Err(ProviderError::Address { .. })), "{base}");
        }
    }

    #[test]
    fn an_address_of_a_deployment_keeps_its_version() {
        let whole = "https://a.example/openai/deployments/shop/chat/completions?api-version=2024-10-21";
        for base in [whole, "https://a.example/openai/deployments/shop?api-version=2024-10-21"] {
            assert_eq!(address(base, Wire::OpenaiCompatible).unwrap().as_str(), whole);
        }
    }

    #[test]
    fn what_may_be_a_secret_is_refused_and_not_repeated() {
        for base in [
            "https://user:hunter2@a.example/v1",
            "https://hunter2@a.example/v1",
            "https://a.example/v1?key=hunter2",
            "https://a.example/openai/deployments/shop?api-version=1&api-key=hunter2",
            "https://a.example/v1?api-version=hunter2",
            "http://user:hunter2@",
            "ftp://user:hunter2@a.example",
            "user:hunter2@a.example/v1?x",
            "nonsense?hunter2",
        ] {
            let error = address(base, Wire::OpenaiCompatible).unwrap_err().to_string();
            assert!(!error.contains("hunter2"), "{error}");
        }
    }
}
