//! From the shop's files to passages: Markdown and plain text.
//!
//! [`read_folder`] walks the shop folder; each file is split into passages by the module of its kind.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod error;

mod folder;

mod read;

mod front_matter;

mod markdown;

mod html;

mod plain;

mod fingerprint;

pub use error::{IngestError, SkipReason, Skipped};
pub use fingerprint::fingerprint;
pub use read::{Options, Reading, read_folder};
