//! Plain text: paragraphs with blank lines between.

use crate::read::{Piece, says_something};

/// A text's paragraphs, each with its lines joined by a space.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut paragraph = String::new();
    for line in text.lines().map(str::trim).chain([""]) {
        if !line.is_empty() {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line);
        } else if says_something(&paragraph) {
            pieces.push(Piece { headings: Vec::new(), text: std::mem::take(&mut paragraph) });
        } else {
            paragraph.clear();
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_end_at_blank_lines() {
        let texts: Vec<String> = pieces("\n  One\n line \n \t\n----\n\nTwo — 3.50 €.\n")
            .into_iter()
            .map(|piece| piece.text)
            .collect();
        assert_eq!(texts, ["One line", "Two — 3.50 €."]);
    }
}
