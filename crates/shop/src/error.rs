//! What can be wrong with a shop folder, said so that its owner can mend it.

use std::path::{Path, PathBuf};

/// An error in a shop folder, or on the way to a running engine.
#[derive(Debug, thiserror::Error)]
pub enum ShopError {
    /// A file of the shop does not fit: which, where, and what to do.
    #[error("{file}:{line}: {message}")]
    Field {
        /// The file, relative to the shop folder.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong and what to do; names the key.
        message: String,
    },
    /// A file cannot be read.
    #[error("{}: cannot be read; check that it is there, readable and UTF-8", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There is no shop here.
    #[error("{}", no_shop(.0))]
    NoShop(PathBuf),
    /// The documents cannot be read.
    #[error(transparent)]
    Documents(#[from] mostrador_ingest::IngestError),
    /// The store cannot be opened, read or written.
    #[error(transparent)]
    Store(#[from] mostrador_store::StoreError),
    /// A look-up cannot be built.
    #[error(transparent)]
    Lookup(#[from] mostrador_lookups::LookupError),
    /// The embedder cannot be made.
    #[error("shop.toml: [embedder]: {0}")]
    Embedder(#[from] mostrador_models::EmbedderError),
    /// A key that tokens are verified with cannot be used.
    #[error("shop.toml: [[identity.keys]]: {0}")]
    Identity(#[from] crate::identity::keys::KeyError),
    /// Private data, outsiders' text and a way out are together.
    #[error(transparent)]
    Trifecta(#[from] crate::trifecta::TrifectaError),
    /// The model cannot be made.
    #[error("shop.toml: [model]: {0}")]
    Model(#[from] mostrador_models::ProviderError),
    /// The recordings cannot be read.
    #[error(transparent)]
    Recordings(#[from] mostrador_models::CassetteError),
    /// A recording cannot be written.
    #[error("{}: cannot be written ({source}); make room, or correct the path", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The embedder could not make the vectors of the passages.
    #[error("the passages could not be embedded: {0}")]
    Embedding(#[from] mostrador_answer::ports::Unavailable),
}

fn no_shop(path: &Path) -> String {
    let path_shown = path.display();
    if path.is_file() {
        return format!("{path_shown} is a file; name the shop folder that it stands in");
    }
    format!("{path_shown} is no shop folder: it has no shop.toml; make one with `mostrador new {path_shown}`")
}

impl ShopError {
    /// An error at a line of a file.
    #[must_use]
    pub fn field(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self::Field { file: file.to_owned(), line, message: message.into() }
    }
}
