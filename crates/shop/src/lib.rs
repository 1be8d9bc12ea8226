//! Reads a shop folder and builds the engine from it: configuration, ports wired to adapters.
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

pub mod error;

pub mod read;

pub mod fields;

pub mod config;

mod model_config;

pub mod budget_config;

pub mod server_config;

pub mod refusals;

pub mod folder;

pub mod embedder;

pub mod identity;

pub mod trifecta;

pub mod records;

pub mod tools;

pub mod index;

pub mod models;

mod recording;

mod limits;

mod watch;

mod warn;

pub mod counter;

pub mod release;

mod adapters;

pub use counter::{Counter, Keep, Pinned};
pub use error::ShopError;
pub use folder::Shop;
pub use identity::{Identity, TokenError};
pub use recording::Recording;
pub use records::records;
pub use warn::in_words;
pub use watch::OnWarning;
