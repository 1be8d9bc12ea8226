//! Redaction: what is personal in a customer's words is taken out before any room, any record and any model sees them,
//! and known again in this turn alone: to the shop's own look-ups, and in what the customer reads.

use std::sync::Arc;

use mostrador_language::personal;

use crate::message::Input;
use crate::question::{Asked, Previous};

/// What was taken out of the words of a turn: mark and original, in order. It is never written down.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Hidden(Arc<[(String, String)]>);

impl std::fmt::Debug for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hidden({})", self.0.len())
    }
}

impl Hidden {
    /// Whether nothing was taken out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A text with the originals in the place of their marks. An original is never read as a mark.
    #[must_use]
    pub fn restored(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('[') {
            let (before, from) = rest.split_at(at);
            out.push_str(before);
            let known = self.0.iter().find(|(mark, _)| from.starts_with(mark.as_str()));
            let (shown, used) = known.map_or(("[", 1), |(mark, original)| (original.as_str(), mark.len()));
            out.push_str(shown);
            rest = from.get(used..).unwrap_or_default();
        }
        out.push_str(rest);
        out
    }

    /// The arguments of a look-up with the originals in the place of their marks.
    #[must_use]
    pub(crate) fn restored_input(&self, input: &Input) -> Input {
        let restored = |value: &serde_json::Value| match value {
            serde_json::Value::String(text) => serde_json::Value::String(self.restored(text)),
            other => other.clone(),
        };
        input.iter().map(|(name, value)| (name.clone(), restored(value))).collect()
    }
}

/// Takes what is personal out of a question and of the turn before it.
#[must_use]
pub(crate) fn redact(mut asked: Asked) -> Asked {
    let mut hidden: Vec<(String, String)> = Vec::new();
    asked.previous = asked.previous.map(|previous| Previous {
        question: marked(&previous.question, &mut hidden),
        answer: previous.answer.map(|answer| marked(&answer, &mut hidden)),
    });
    asked.text = marked(&asked.text, &mut hidden);
    asked.session.hidden = Hidden(hidden.into());
    asked
}

/// A text without what is personal in it, for one that no turn is made of: nothing is known again.
#[must_use]
pub fn without(text: &str) -> String {
    marked(text, &mut Vec::new())
}

/// A text with a mark for each thing; the same thing has the same mark.
fn marked(text: &str, hidden: &mut Vec<(String, String)>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (place, kind) in personal(text) {
        let (Some(before), Some(original)) = (text.get(done..place.start), text.get(place.clone())) else {
            continue;
        };
        out.push_str(before);
        done = place.end;
        let known = hidden.iter().find(|(_, known)| known == original).map(|(mark, _)| mark.clone());
        let mark = known.unwrap_or_else(|| {
            let mark = format!("[{}-{}]", kind.name(), hidden.len() + 1);
            hidden.push((mark.clone(), original.to_owned()));
            mark
        });
        out.push_str(&mark);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Asked {
        redact(Asked::new(text))
    }

    #[test]
    fn what_is_taken_out_is_known_again() {
        let text = "I am ana@shop.example, +34 600 123 456; write to ana@shop.example or eva@shop.example";
        let asked = asked(text);
        assert_eq!(asked.text, "I am [email-1], [phone-2]; write to [email-1] or [email-3]");
        assert_eq!(asked.session.hidden.restored(&asked.text), text);
        assert_eq!(asked.session.hidden.restored("[email-9] [ [email-1"), "[email-9] [ [email-1");
        assert!(!format!("{asked:?}").contains("ana@"));
    }

    #[test]
    fn the_turn_before_is_read_with_the_same_marks() {
        let mut asked = Asked::new("and is ana@shop.example right?");
        asked.previous = Some(Previous::question("my address is ana@shop.example"));
        let asked = redact(asked);
        assert_eq!(asked.previous.unwrap().question, "my address is [email-1]");
        assert_eq!(asked.text, "and is [email-1] right?");
    }
}
