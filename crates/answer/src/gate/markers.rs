//! Citation markers: what a sentence cites, and the sentence without them.

use crate::marker::markers;

/// A sentence taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Marked<'s> {
    /// What it says, with a space where a marker stood.
    pub(super) text: String,
    /// What stands between the brackets, each once, in order.
    pub(super) markers: Vec<&'s str>,
}

/// Takes the markers out of a sentence.
pub(super) fn take_out(sentence: &str) -> Marked<'_> {
    let mut marked = Marked::default();
    let mut from = 0;
    for marker in markers(sentence) {
        // The second name of a bracket stands where its first did.
        if marker.at.start >= from {
            marked.text.push_str(sentence.get(from..marker.at.start).unwrap_or_default());
            marked.text.push(' ');
            from = marker.at.end;
        }
        if !marked.markers.contains(&marker.name) {
            marked.markers.push(marker.name);
        }
    }
    marked.text.push_str(sentence.get(from..).unwrap_or_default());
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_taken_out_and_other_brackets_stay() {
        for (sentence, text, markers) in [
            ("It costs 5 €. [shipping#1]", "It costs 5 €.  ", vec!["shipping#1"]),
            ("A [a#1][b/c#2] b [a#1].", "A    b  .", vec!["a#1", "b/c#2"]),
            ("A [a#1, b#2]", "A  ", vec!["a#1", "b#2"]),
            ("Both [7] [4][1][4].", "Both      .", vec!["7", "4", "1"]),
            ("A [note] and [a#1", "A [note] and [a#1", vec![]),
            ("[see a#1] []", "[see a#1] []", vec![]),
            ("", "", vec![]),
        ] {
            assert_eq!(take_out(sentence), Marked { text: text.to_owned(), markers }, "{sentence}");
        }
    }
}
