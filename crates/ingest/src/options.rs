//! What is read, and how.

use std::path::PathBuf;

use mostrador_language::{Lang, Packs};

/// What is read, and how. `documents/` always is.
#[derive(Debug, Clone)]
pub struct Options {
    /// The language of files that do not say theirs.
    pub language: Lang,
    /// Whether `reviews/` is read too; its passages are marked as customers' words.
    pub reviews: bool,
    /// The packs that know where sentences of a language end.
    pub packs: Packs,
    /// The longest passage, in characters; single long lines and rows excepted.
    pub target: usize,
    /// When this is, in milliseconds since 1970: what passages say of when they were read.
    pub read_at: Option<i64>,
    /// The program that reads a PDF when called with [`READ_PDF`](crate::READ_PDF); without one PDF files
    /// are left out.
    pub program: Option<PathBuf>,
}

impl Options {
    /// `documents/` alone, passages of at most 900 characters, no PDF.
    #[must_use]
    pub fn new(language: Lang) -> Self {
        Self { language, reviews: false, packs: Packs::default(), target: 900, read_at: None, program: None }
    }
}
