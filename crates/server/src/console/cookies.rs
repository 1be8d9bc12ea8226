//! The cookies of the console: who is signed in, whose form it is, which language is read.

use axum::http::{HeaderMap, HeaderValue, header};

/// The session of an operator.
pub(super) const SESSION: &str = "mostrador_console";

/// Ties a form to the browser it was shown in, before anybody is signed in.
pub(super) const FORM: &str = "mostrador_form";

/// The language the console is read in.
pub(super) const LANGUAGE: &str = "mostrador_language";

/// A year, in seconds.
pub(super) const YEAR: u32 = 31_536_000;

/// The value of a cookie; the first one where there are several.
pub(super) fn read<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value)
}

/// The header that sets a cookie: for the console alone, never for a script, never from another site.
/// `seconds`: how long it is kept; `None`: until the browser is closed; `0`: it is taken away.
pub(super) fn set(name: &str, value: &str, seconds: Option<u32>, secure: bool) -> Option<HeaderValue> {
    let age = seconds.map(|seconds| format!("; Max-Age={seconds}")).unwrap_or_default();
    let secure = if secure { "; Secure" } else { "" };
    let line = format!("{name}={value}; Path=/console; HttpOnly; SameSite=Strict{age}{secure}");
    HeaderValue::from_str(&line).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; mostrador_console=x=y"));
        headers.append(header::COOKIE, HeaderValue::from_static("mostrador_console=z"));
        assert_eq!(read(&headers, SESSION), Some("x=y"));
        assert_eq!(read(&headers, "console"), None);
    }

    #[test]
    fn a_cookie_is_for_the_console_alone() {
        let line = set(SESSION, "abc", None, true).unwrap();
        assert_eq!(line, "mostrador_console=abc; Path=/console; HttpOnly; SameSite=Strict; Secure");
        assert!(set(SESSION, "a\nb", None, true).is_none());
    }
}
