//! What Mostrador knows of human languages: normal form, words, stems, sentences, packs.
//!
//! Pure functions over texts and packs; no I/O. The words of a language live in `packs/`, never here.
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

mod lang;

mod pack;

mod normal;

mod words;

mod stem;

mod sentences;

pub use lang::{BadLang, Lang};
pub use normal::normalize;
pub use pack::{Overlay, Pack, PackError, Packs, Report, Talk, TextKey, Texts, fill};
pub use sentences::SentenceStream;
pub use words::{Token, words};
