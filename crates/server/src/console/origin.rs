//! Whether a form was sent from a page of this very site.

use axum::http::{HeaderMap, header};

/// Whether a request comes from a page of this site, as far as the browser tells.
///
/// Pages are sent with `Referrer-Policy: no-referrer`, so that the browser does not tell the origin of our own forms
/// either; where it says nothing else, the mark in the form decides alone.
pub(super) fn is_ours(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text("sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    // An origin that is not told has no scheme.
    let host =
        text(header::ORIGIN.as_str()).and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    host.is_none_or(|host| Some(host) == text(header::HOST.as_str()))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn another_site_is_told_apart() {
        let judged = |lines: &[(&'static str, &'static str)]| {
            let line = |(name, value): &(&'static str, &'static str)| {
                (HeaderName::from_static(name), HeaderValue::from_static(value))
            };
            is_ours(&lines.iter().map(line).collect())
        };
        assert!(judged(&[("sec-fetch-site", "same-origin"), ("origin", "null")]));
        assert!(judged(&[("host", "shop.example"), ("origin", "https://shop.example")]));
        assert!(judged(&[("host", "shop.example"), ("origin", "null")]));
        assert!(judged(&[("host", "shop.example")]));
        assert!(!judged(&[("sec-fetch-site", "cross-site")]));
        assert!(!judged(&[("sec-fetch-site", "same-site")]));
        assert!(!judged(&[("host", "shop.example"), ("origin", "https://evil.example")]));
        assert!(!judged(&[("host", "shop.example"), ("origin", "https://shop.example.evil.example")]));
        assert!(!judged(&[("origin", "https://shop.example")]));
    }
}
