//! Pieces of a file, each with the headings above it, before they are cut to size and named.

use std::ops::Range;

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The headings above it, outermost first.
    pub(crate) headings: Vec<String>,
    pub(crate) shape: Shape,
    pub(crate) text: String,
    /// Where it stands in its file, in bytes; `0..0` where the format has no such places.
    pub(crate) bytes: Range<u64>,
}

/// What a piece that is too long is cut into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Sentences.
    Prose,
    /// Lines: a list, a table, code. The first `lead` of them stand above every part.
    Lines { lead: usize },
}

impl Shape {
    /// A table whose first line is its header.
    pub(crate) const TABLE: Shape = Shape::Lines { lead: 1 };
    /// Lines of which none is above the others.
    pub(crate) const LINES: Shape = Shape::Lines { lead: 0 };
}

/// Collects the pieces of a file, and knows which headings stand above the next one.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pieces: Vec<Piece>,
    headings: Vec<(u8, String)>,
    has_first_level: bool,
}

impl Outline {
    /// A heading of a level, 1 the outermost: it ends those of its own level and below. An empty one only ends.
    pub(crate) fn heading(&mut self, level: u8, text: &str) {
        self.headings.retain(|(above, _)| *above < level);
        self.has_first_level |= level <= 1;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.headings.push((level, text));
        }
    }

    /// A block of text; one that says nothing is left out.
    pub(crate) fn block(&mut self, shape: Shape, text: String, bytes: Range<u64>) {
        if says_something(&text) {
            let headings = self.headings.iter().map(|(_, text)| text.clone()).collect();
            self.pieces.push(Piece { headings, shape, text, bytes });
        }
    }

    /// A list. A paragraph right above it that ends in a colon introduces it, and becomes its first line.
    pub(crate) fn list(&mut self, text: String, bytes: Range<u64>) {
        if !says_something(&text) {
            return;
        }
        let introduces = |above: &&mut Piece| {
            above.shape == Shape::Prose
                && above.text.trim_end().ends_with([':', '：'])
                && above.headings.iter().eq(self.headings.iter().map(|(_, text)| text))
        };
        if let Some(above) = self.pieces.last_mut().filter(introduces) {
            above.shape = Shape::Lines { lead: above.text.lines().count() };
            above.text = format!("{}\n{text}", above.text);
            above.bytes.end = above.bytes.end.max(bytes.end);
            return;
        }
        self.block(Shape::LINES, text, bytes);
    }

    /// The pieces in order. `title` is the outermost heading where there is none of the first level.
    pub(crate) fn finish(mut self, title: Option<&str>) -> Vec<Piece> {
        if let Some(title) = title.filter(|title| !self.has_first_level && says_something(title)) {
            for piece in &mut self.pieces {
                piece.headings.insert(0, title.to_owned());
            }
        }
        self.pieces
    }
}

/// Whether a text says anything: it has a letter or a digit.
pub(crate) fn says_something(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}
