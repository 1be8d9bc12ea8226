//! How the local embedder is configured; known also where the program is built without it.

use std::path::PathBuf;

/// A model folder and what is put before the texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalSettings {
    /// Where it is.
    pub folder: PathBuf,
    /// The same as the shop writes it, for messages.
    pub shown: String,
    /// Put before a question.
    pub query_prefix: String,
    /// Put before a passage.
    pub passage_prefix: String,
}
