//! What can be wrong with how an embedder is configured, found before anything is loaded or called.

/// An embedder that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbedderError {
    /// A file of the model folder is not there or cannot be read.
    #[error(
        "{folder}: {file} cannot be read ({detail}); a model folder has config.json, model.safetensors and tokenizer.json: \
         put them there, or correct `folder`"
    )]
    Folder {
        /// The folder, as the shop writes it.
        folder: String,
        /// The file.
        file: &'static str,
        /// What the system said.
        detail: String,
    },
    /// The address is none.
    #[error("{url:?} is no address of an embedding service; write one such as \"http://127.0.0.1:8080/v1\"")]
    Address {
        /// What was written.
        url: String,
    },
    /// The address holds what may be a secret.
    #[error(
        "`base_url` holds a user name, a password or a `?`; keys are named by `api_key_env` and never written"
    )]
    SecretInAddress,
    /// Prefixes and `input_type` say the same thing twice.
    #[error(
        "`input_type = true` and a prefix both tell questions from passages; keep the one the service wants"
    )]
    TwoMarks,
    /// The program was built without the embedder.
    #[error(
        "this program was built without the local embedder; build it with \
         `cargo build --release --features local-embed`, or set another `kind`"
    )]
    NotBuilt,
}
