//! The seal of an approval: what is sent is what was shown, to this operator, not long ago.

use mostrador_answer::ports::UnixMillis;
use sha2::{Digest, Sha256};

use super::keys;

/// How long a page with an approval on it holds.
const HOLDS: i64 = 10 * 60_000;

/// What a mark of an approval is made for.
const APPROVAL: &str = "approval";

/// What an operator is about to approve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sealed<'t> {
    /// The entry of the inbox.
    pub(super) entry: i64,
    /// The text as it is shown, and as the customer would read it.
    pub(super) text: &'t str,
    /// The operator's number.
    pub(super) operator: i64,
}

impl Sealed<'_> {
    fn mark(&self, secret: &[u8; 32], until: i64, given: Option<&str>) -> (String, bool) {
        let text: String = Sha256::digest(self.text).iter().map(|byte| format!("{byte:02x}")).collect();
        let numbers = [self.entry, self.operator, until].map(|number| number.to_string());
        let [entry, operator, until] = &numbers;
        let texts = [entry.as_str(), text.as_str(), operator.as_str(), until.as_str()];
        let holds = given.is_some_and(|given| keys::is_marked(secret, APPROVAL, &texts, given));
        (keys::mark(secret, APPROVAL, &texts), holds)
    }

    /// The seal, and until when it holds.
    pub(super) fn seal(&self, secret: &[u8; 32], now: UnixMillis) -> (String, i64) {
        let until = now.0.saturating_add(HOLDS);
        (self.mark(secret, until, None).0, until)
    }

    /// Whether `seal` was made for this very text, entry and operator, and still holds.
    pub(super) fn holds(&self, secret: &[u8; 32], seal: &str, until: i64, now: UnixMillis) -> bool {
        until > now.0 && self.mark(secret, until, Some(seal)).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_holds_for_ten_minutes_and_for_what_was_shown() {
        let secret = [1; 32];
        let shown = Sealed { entry: 4, text: "We will refund you.", operator: 2 };
        let (seal, until) = shown.seal(&secret, UnixMillis(0));
        assert!(shown.holds(&secret, &seal, until, UnixMillis(HOLDS - 1)));
        assert!(!shown.holds(&secret, &seal, until, UnixMillis(HOLDS)));
        assert!(!shown.holds(&secret, &seal, until + 1, UnixMillis(0)));
        for other in [
            Sealed { entry: 5, ..shown },
            Sealed { text: "We will refund you!", ..shown },
            Sealed { operator: 3, ..shown },
        ] {
            assert!(!other.holds(&secret, &seal, until, UnixMillis(0)), "{other:?}");
        }
    }
}
