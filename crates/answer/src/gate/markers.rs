//! Citation markers: what a sentence cites, and the sentence without them.

/// A sentence taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Marked<'s> {
    /// What it says, with a space where a marker stood.
    pub(super) text: String,
    /// What stands between the brackets, each once, in order.
    pub(super) markers: Vec<&'s str>,
}

/// Takes the markers out of a sentence. A marker is what stands between brackets and could name a passage: letters,
/// digits and signs of names with one `#`, or digits alone, which models write for a place in a list; several
/// may stand between one pair of brackets.
pub(super) fn take_out(sentence: &str) -> Marked<'_> {
    let mut marked = Marked::default();
    let mut rest = sentence;
    while let Some((before, behind)) = rest.split_once('[') {
        marked.text.push_str(before);
        let names = behind.split_once(']').map(|(inside, after)| (names(inside), after));
        match names {
            Some((names, after)) if !names.is_empty() => {
                for name in names {
                    if !marked.markers.contains(&name) {
                        marked.markers.push(name);
                    }
                }
                marked.text.push(' ');
                rest = after;
            }
            _ => {
                marked.text.push('[');
                rest = behind;
            }
        }
    }
    marked.text.push_str(rest);
    marked
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
