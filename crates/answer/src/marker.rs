//! Markers: the names of passages in brackets, as a model writes them behind what it says.

use std::ops::Range;

/// A marker in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marker<'s> {
    /// What it names: letters, digits and signs of names with one `#`, or digits alone, which models write for a place
    /// in a list.
    pub(crate) name: &'s str,
    /// Where its bracket stands, in bytes; several names may share one.
    pub(crate) at: Range<usize>,
}

/// The markers of a sentence, in order. Several names may stand between one pair of brackets; where anything else
/// stands there too, it is no marker.
pub(crate) fn markers(sentence: &str) -> Vec<Marker<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut from) = (sentence, 0);
    while let Some(open) = rest.find('[') {
        let behind = rest.get(open + 1..).unwrap_or_default();
        let inside = behind.split_once(']').map(|(inside, _)| inside);
        let names = inside.map(names).unwrap_or_default();
        let length = if names.is_empty() { 1 } else { inside.map_or(0, str::len) + 2 };
        let at = from + open..from + open + length;
        found.extend(names.into_iter().map(|name| Marker { name, at: at.clone() }));
        rest = rest.get(open + length..).unwrap_or_default();
        from = at.end;
    }
    found
}

/// The names between two brackets; none where anything else stands there too.
fn names(inside: &str) -> Vec<&str> {
    let parts = inside.split([',', ';', ' ', '\u{60C}', '\u{3001}', '\u{FF0C}']);
    let names: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    if names.iter().all(|name| is_name(name)) { names } else { Vec::new() }
}

fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '#');
    let number = text.chars().all(|c| c.is_ascii_digit());
    number || (text.matches('#').count() == 1 && text.chars().all(fits))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(sentence: &str) -> Vec<&str> {
        markers(sentence).iter().map(|marker| marker.name).collect()
    }

    #[test]
    fn names_in_brackets_are_markers_and_other_brackets_are_none() {
        assert_eq!(names("Free. [returns#1] [uk/fees#12]"), ["returns#1", "uk/fees#12"]);
        assert_eq!(names("Free. [returns#1, fees#2]"), ["returns#1", "fees#2"]);
        assert_eq!(names("A [b] c [returns] [1] ]] [[returns#1]"), ["1", "returns#1"]);
        assert_eq!(markers("x [a#1]")[0].at, 2..7);
    }

    proptest! {
        #[test]
        fn any_text_has_markers_in_order_within_it(text in ".{0,60}") {
            let found = markers(&text);
            prop_assert!(found.iter().all(|marker| text.get(marker.at.clone()).is_some_and(|text| text.starts_with('['))));
            prop_assert!(found.windows(2).all(|pair| pair[0].at.start <= pair[1].at.start));
        }
    }
}
