//! Read-only look-ups behind the Lookup port.
//!
//! [`TableLookup`] finds a record in a CSV or TOML table, [`SqlRecords`] the dated facts of a database. A look-up can change nothing, and what belongs
//! to somebody else does not exist for the caller.
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

mod texts;

mod parameters;

mod template;

mod shown;

mod rows;

mod config;

mod table;

mod database;

mod query;

mod dated;

mod records;

mod sql;

mod http;

mod cached;

pub use cached::Cached;
pub use config::TableConfig;
pub use dated::SkippedRow;
pub use error::{LookupError, Role};
pub use http::{HttpConfig, HttpLookup};
pub use records::{RecordsSettings, SqlRecords};
pub use sql::{SqlConfig, SqlLookup};
pub use table::TableLookup;
