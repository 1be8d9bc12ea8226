//! Plain text: paragraphs with blank lines between.

use crate::decode::Clean;
use crate::piece::{Outline, Piece, Shape};

/// A text's paragraphs, each with its lines joined by a space.
pub(crate) fn pieces(clean: &Clean) -> Vec<Piece> {
    let mut outline = Outline::default();
    let mut paragraph = String::new();
    let mut begin = 0;
    let mut end = 0;
    let mut at = 0;
    for line in clean.text.split_inclusive('\n').chain([""]) {
        let text = line.trim();
        if text.is_empty() {
            outline.block(Shape::Prose, std::mem::take(&mut paragraph), clean.place(begin..end));
        } else {
            let first = at + (line.len() - line.trim_start().len());
            if paragraph.is_empty() {
                begin = first;
            } else {
                paragraph.push(' ');
            }
            paragraph.push_str(text);
            end = first + text.len();
        }
        at += line.len();
    }
    outline.finish(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_end_at_blank_lines() {
        let text = "\n  One\n line \n \t\n----\n\nTwo — 3.50 €.\n";
        let found = pieces(&Clean::new(text, Some(0)));
        let texts: Vec<&str> = found.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(texts, ["One line", "Two — 3.50 €."]);
        let at = |piece: &Piece| &text[piece.bytes.start as usize..piece.bytes.end as usize];
        assert_eq!(at(&found[0]), "One\n line");
        assert_eq!(at(&found[1]), "Two — 3.50 €.");
    }
}
