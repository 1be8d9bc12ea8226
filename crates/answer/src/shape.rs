//! Shape: an answer is sentences. What is none, a tag, a code fence or an object of a look-up that was written instead
//! of called, is refused and not repaired.

use mostrador_language::TextKey;

use crate::stop::{Ending, RuleName, Stop};

/// Whether a sentence has the shape of one.
///
/// Documents, the question and results come to the model without `<` and `>`, so a tag in its words is a mark that it
/// repeats, or one of its own notation: nothing of either is for a customer.
///
/// # Errors
/// A stop that names what was found; a colleague reads the reply.
pub(crate) fn shapely(sentence: &str) -> Result<(), Stop> {
    let found = match sentence.trim_start() {
        text if text.starts_with("```") => Some("a code fence"),
        text if text.starts_with('{') || text.starts_with("[{") => Some("an object"),
        text if has_tag(text) => Some("a tag"),
        _ => None,
    };
    found.map_or(Ok(()), |found| {
        let evidence = format!("{found} in {sentence:?}");
        Err(Stop::new(Ending::Withheld, RuleName::SHAPE, evidence, TextKey::Hold))
    })
}

fn has_tag(text: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '|' | '!');
    text.split('<').skip(1).any(|rest| rest.starts_with(begins))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_have_the_shape_and_notation_has_not() {
        for text in ["It costs 5 < 6.", "Use {size} here.", "See [returns#3].", "", "3 <- this"] {
            assert!(shapely(text).is_ok(), "{text}");
        }
        for text in [
            "{\"name\": \"get_order\"}",
            " [{\"name\": 1}]",
            "```json",
            "Here: <document source=\"a#1\">",
            "x </tool_call>",
            "<|im_end|>",
            "<!-- hidden -->",
        ] {
            assert_eq!(shapely(text).unwrap_err().rule.0, RuleName::SHAPE, "{text}");
        }
    }
}
