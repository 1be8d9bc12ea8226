//! What a reader hands on: a document's pieces, and what it says about itself.

use mostrador_answer::passage::Trust;
use mostrador_language::Lang;

use crate::error::SkipReason;
use crate::piece::Piece;

/// A document, or a part of one that is read bit by bit.
#[derive(Debug)]
pub(crate) struct Document {
    /// What the names of its passages begin with, where it is not the file's name; their count then starts anew.
    pub(crate) id: Option<String>,
    pub(crate) about: About,
    pub(crate) pieces: Vec<Piece>,
}

/// What holds for every passage of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) language: Lang,
    pub(crate) trust: Trust,
    /// ISO 8601.
    pub(crate) date: Option<String>,
    /// ISO 8601.
    pub(crate) valid_until: Option<String>,
}

/// The documents of a file, in order; after an error the rest may still be read.
pub(crate) type Documents = Box<dyn Iterator<Item = Result<Document, SkipReason>> + Send>;
