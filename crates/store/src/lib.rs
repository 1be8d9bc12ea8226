//! What is kept: ledger, inbox, stop log, releases, passages; in SQLite, one file, no service.
//!
//! [`Store`] is the database and implements the ports that need memory; each subject has its file
//! here and its migration in `migrations/sqlite/`. [`MemoryIndex`] finds passages once they are
//! loaded. Nothing here decides anything about a question.
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

mod database;

mod schema;

mod month;

mod ledger;

mod audit;

mod inbox;

mod stops;

mod releases;

mod calibrations;

mod passages;

mod search;

mod rows;

pub use audit::{LedgerReport, Mismatch};
pub use calibrations::Calibration;
pub use database::{Store, StoreOptions};
pub use error::StoreError;
pub use inbox::InboxItem;
pub use month::Month;
pub use passages::{Generation, GenerationId, StoredPassage};
pub use releases::Release;
pub use search::MemoryIndex;
