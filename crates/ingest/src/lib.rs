//! From the shop's files to passages: Markdown, HTML, text, CSV, JSON lines, DOCX and PDF.
//!
//! [`Reader`] walks the shop folder and hands out passages one by one; [`read_folder`] collects them. Each
//! file becomes pieces by the module of its kind, pieces are cut to size, and passages are named.
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

mod texts;

mod options;

mod decode;

mod document;

mod piece;

mod split;

mod same;

mod front_matter;

mod markdown;

mod html;

mod page;

mod plain;

mod rows;

mod jsonl;

mod docx;

mod pdf;

mod layout;

mod fingerprint;

pub use error::{IngestError, Note, SkipReason, Skipped};
pub use fingerprint::fingerprint;
pub use options::Options;
pub use pdf::{READ_PDF, read_pdf};
pub use read::{Event, Reader, Reading, Summary, read_folder};
pub use same::same_key;
pub use texts::{Text, TextReader, Texts};
