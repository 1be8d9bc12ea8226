//! The abbreviations of a language, found at the end of what was read.

use std::collections::BTreeSet;

/// The abbreviations of one pack, lower case, without spaces and without their last full stop.
#[derive(Debug)]
pub(crate) struct Abbreviations {
    known: BTreeSet<String>,
    /// The longest in characters.
    longest: usize,
}

impl Abbreviations {
    /// Prepares the abbreviations of a pack.
    pub(crate) fn new(listed: &BTreeSet<String>) -> Self {
        let mut known = BTreeSet::new();
        for abbreviation in listed {
            let squeezed: String =
                abbreviation.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
            // Its parts end in a full stop too: none of them ends a sentence.
            let inner = squeezed.match_indices('.').filter_map(|(at, _)| squeezed.get(..at));
            known.extend(inner.map(str::to_owned));
            known.insert(squeezed);
        }
        let longest = known.iter().map(|one| one.chars().count()).max().unwrap_or_default();
        Self { known, longest }
    }

    /// Whether `text` ends in one of them, as whole words; spaces between its parts may be left out.
    pub(super) fn end(&self, text: &str) -> bool {
        // Read backwards, and never further than the longest, so that a full stop costs the same anywhere.
        let mut tail: Vec<char> = Vec::new();
        let mut before = text.chars().rev().peekable();
        while let Some(c) = before.next() {
            if !(c.is_alphanumeric() || c.is_whitespace() || c == '.' || c == '-') {
                return false;
            }
            if !c.is_whitespace() {
                tail.extend(c.to_lowercase());
            }
            if tail.len() > self.longest {
                return false;
            }
            let starts_word = c.is_alphanumeric() && !before.peek().is_some_and(|c| c.is_alphanumeric());
            if starts_word && self.known.contains(&tail.iter().rev().collect::<String>()) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_are_found_as_whole_words() {
        let abbreviations = Abbreviations::new(&["sr".to_owned(), "p. ej".to_owned()].into());
        for text in ["El Sr", "sr", "(sr", "p. ej", "Como p.ej", "p.  ej", "P"] {
            assert!(abbreviations.end(text), "{text}");
        }
        for text in ["israsr", "ej", "sr€", "sr.", "", "msr"] {
            assert!(!abbreviations.end(text), "{text}");
        }
    }
}
