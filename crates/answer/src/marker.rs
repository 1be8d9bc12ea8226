//! Markers: the names of passages in brackets, as a model writes them behind what it says.

use std::ops::Range;

use crate::passage::SourceId;

/// A marker in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marker {
    /// The passage it names.
    pub(crate) source: SourceId,
    /// Where it stands, brackets included, in bytes.
    pub(crate) at: Range<usize>,
}

/// The markers of a sentence, in order. One bracket may name several passages, with commas or semicolons between:
/// each is a marker then, over the whole of the bracket.
pub(crate) fn markers(sentence: &str) -> Vec<Marker> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((start, inside, end)) = bracket(sentence, from) {
        let names = inside.split([',', ';']).map(|name| SourceId::new(name.trim()));
        if let Ok(names) = names.collect::<Result<Vec<_>, _>>() {
            found.extend(names.into_iter().map(|source| Marker { source, at: start..end }));
        }
        from = end;
    }
    found
}

/// The next bracket from `from`: where it begins, what stands in it, where it ends.
fn bracket(text: &str, from: usize) -> Option<(usize, &str, usize)> {
    let rest = text.get(from..)?;
    let close = rest.find(']')?;
    match rest.get(..close)?.rfind('[') {
        Some(open) => Some((from + open, rest.get(open + 1..close)?, from + close + 1)),
        None => bracket(text, from + close + 1),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(sentence: &str) -> Vec<String> {
        markers(sentence).iter().map(|marker| marker.source.to_string()).collect()
    }

    #[test]
    fn names_in_brackets_are_markers_and_other_brackets_are_none() {
        assert_eq!(names("Free. [returns#1] [uk/fees#12]"), ["returns#1", "uk/fees#12"]);
        assert_eq!(names("Free. [returns#1, fees#2]"), ["returns#1", "fees#2"]);
        assert_eq!(names("A [b] c [returns] [1] ]] [[returns#1]"), ["returns#1"]);
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
