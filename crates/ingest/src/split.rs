//! Cuts pieces to size: prose between sentences, lists and tables between lines.

use mostrador_language::{Pack, SentenceStream};

use crate::piece::{Piece, Shape};

/// A line is cut only where it is this many times the target: half a row says less than a long one.
const LONGEST_LINE: usize = 4;

/// Cuts a piece into parts of at most `target` characters, in order; one that is not longer stays whole.
///
/// Prose is cut between sentences of the pack's language; each part but the first begins with the last
/// sentence of the part before, where that leaves room for a new one. Lines are cut between lines, each
/// stands in one part, and the leading ones (a table's header, a list's introduction) stand above every
/// part. Only a sentence longer than the target, or a line several times as long, is cut between words, or
/// between characters where it has no white space. The parts of a piece all keep its place in the file.
pub(crate) fn split(piece: Piece, target: usize, pack: &Pack) -> Vec<Piece> {
    let target = target.max(1);
    if length(&piece.text) <= target {
        return vec![piece];
    }
    let texts = match piece.shape {
        Shape::Prose => prose(&piece.text, target, pack),
        Shape::Lines { lead } => lines(&piece.text, lead, target),
    };
    let part = |text| Piece { text, headings: piece.headings.clone(), bytes: piece.bytes.clone(), ..piece };
    texts.into_iter().filter(|text| crate::piece::says_something(text)).map(part).collect()
}

fn prose(text: &str, target: usize, pack: &Pack) -> Vec<String> {
    let mut stream = SentenceStream::new(pack);
    let mut sentences = stream.push(text);
    sentences.extend(stream.finish());
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut size = 0;
    let mut last: Option<&str> = None;
    for sentence in sentences.iter().flat_map(|sentence| cut(sentence, target)) {
        let length = length(sentence);
        if size + length > target && size > 0 {
            parts.push(std::mem::take(&mut part).trim().to_owned());
            size = 0;
            if let Some((again, before)) = last.map(|last| (last, self::length(last)))
                && before + length <= target
            {
                part.push_str(again);
                size = before;
            }
        }
        part.push_str(sentence);
        size += length;
        last = Some(sentence);
    }
    parts.push(part.trim().to_owned());
    parts
}

fn lines(text: &str, lead: usize, target: usize) -> Vec<String> {
    let lead = if text.lines().nth(lead).is_some() { lead } else { 0 };
    let head: String = text.split_inclusive('\n').take(lead).collect();
    // A header that fills the target by itself would leave no room: then each part gets a line of its own.
    let room = target.saturating_sub(length(&head)).max(1);
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut size = 0;
    for line in text.split_inclusive('\n').skip(lead) {
        for line in cut(line, target.saturating_mul(LONGEST_LINE)) {
            let length = length(line);
            if size > 0 && size + length > room {
                parts.push(format!("{head}{part}").trim_end().to_owned());
                part.clear();
                size = 0;
            }
            part.push_str(line);
            size += length;
        }
    }
    parts.push(format!("{head}{part}").trim_end().to_owned());
    parts
}

/// Cuts a text into runs of at most `most` characters, behind white space where there is any.
fn cut(text: &str, most: usize) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut rest = text;
    while let Some((end, _)) = rest.char_indices().nth(most) {
        let (run, _) = rest.split_at(end);
        let at = run.rfind(char::is_whitespace).map_or(end, |space| next_char(run, space));
        let (run, after) = rest.split_at(at);
        runs.push(run);
        rest = after;
    }
    if !rest.is_empty() {
        runs.push(rest);
    }
    runs
}

fn next_char(text: &str, at: usize) -> usize {
    at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
}

/// The length of a text in characters.
fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mostrador_language::Lang;
    use proptest::prelude::*;

    fn piece(shape: Shape, text: &str) -> Piece {
        Piece { headings: vec!["H".to_owned()], shape, text: text.to_owned(), bytes: 3..9 }
    }

    fn texts(shape: Shape, text: &str, target: usize) -> Vec<String> {
        split(piece(shape, text), target, Pack::of(Lang::EN)).into_iter().map(|piece| piece.text).collect()
    }

    #[test]
    fn prose_is_cut_between_sentences_and_repeats_one() {
        let text = "One is 3.50 here. Two is there. Three is e.g. far. Four.";
        assert_eq!(
            texts(Shape::Prose, text, 34),
            [
                "One is 3.50 here. Two is there.",
                "Two is there. Three is e.g. far.",
                "Three is e.g. far. Four."
            ]
        );
        assert_eq!(texts(Shape::Prose, text, 100), [text]);
        // No room for the sentence before.
        assert_eq!(
            texts(Shape::Prose, "Aaaaaaaaaa bbbb. Cccccccccc dddd.", 18),
            ["Aaaaaaaaaa bbbb.", "Cccccccccc dddd."]
        );
    }

    #[test]
    fn what_has_no_sentences_is_cut_between_words_or_characters() {
        assert_eq!(texts(Shape::Prose, "aaa bbb ccc ddd", 8), ["aaa bbb", "ccc ddd"]);
        assert_eq!(texts(Shape::Prose, "abcdefgh", 3), ["abc", "def", "gh"]);
    }

    #[test]
    fn a_header_stands_above_every_part_and_each_row_in_one() {
        let text = "Size | Chest\nS | 88\nM | 92\nL | 96";
        assert_eq!(texts(Shape::TABLE, text, 28), ["Size | Chest\nS | 88\nM | 92", "Size | Chest\nL | 96"]);
        assert_eq!(
            texts(Shape::TABLE, text, 5),
            ["Size | Chest\nS | 88", "Size | Chest\nM | 92", "Size | Chest\nL | 96"]
        );
        assert_eq!(texts(Shape::LINES, "- a b c\n- d\n- e", 9), ["- a b c", "- d\n- e"]);
    }

    proptest! {
        #[test]
        fn every_word_is_kept_and_no_part_is_longer_than_the_target(
            words in prop::collection::vec("[a-z]{1,6}[.!]?", 1..60), target in 8_usize..60
        ) {
            let text = words.join(" ");
            let parts = texts(Shape::Prose, &text, target);
            prop_assert!(parts.iter().all(|part| length(part) <= target), "{parts:?}");
            let mut rest = text.as_str();
            for part in &parts {
                // Each part goes on where the one before ended, or repeats its end.
                let at = (0..=part.len()).find_map(|skip| rest.trim_start().strip_prefix(part.get(skip..)?.trim_start()));
                rest = at.unwrap();
            }
            prop_assert_eq!(rest.trim(), "");
        }

        #[test]
        fn every_row_is_in_exactly_one_part(rows in 1_usize..80, target in 10_usize..200) {
            let mut text = "number | size".to_owned();
            for row in 0..rows {
                text.push_str(&format!("\nrow{row} | {}", row * 7));
            }
            let parts = texts(Shape::TABLE, &text, target);
            prop_assert!(parts.iter().all(|part| part.starts_with("number | size\n")));
            let found: Vec<&str> = parts.iter().flat_map(|part| part.lines().skip(1)).collect();
            prop_assert_eq!(found, text.lines().skip(1).collect::<Vec<_>>());
        }

        #[test]
        fn any_text_is_cut_to_size(text in any::<String>(), target in 1_usize..40, lead in 0_usize..3) {
            for part in texts(Shape::Prose, &text, target) {
                prop_assert!(length(&part) <= target || length(&text) <= target);
            }
            texts(Shape::Lines { lead }, &text, target);
        }
    }
}
