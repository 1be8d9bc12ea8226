//! What is kept: ledger, inbox, stop log, releases, passages; in SQLite, one file, no service.
//!
//! [`Store`] is the database and implements the ports that need memory; each subject has its file
//! here and its migration in `migrations/sqlite/`. [`Snapshot`] finds passages; [`StoredIndex`] is the one
//! that is current. Nothing here decides anything about a question.
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

mod group;

mod schema;

mod month;

mod ledger;

mod audit;

mod warnings;

mod inbox;

mod decisions;

mod closings;

mod stops;

mod conversations;

mod word;

mod turns;

mod operators;

mod sign_in;

mod actions;

mod figures;

mod retention;

mod backup;

mod releases;

mod calibrations;

mod files;

mod generations;

mod assemble;

mod snapshot;

mod current;

mod rows;

pub use actions::Action;
pub use assemble::{Assembled, Assembly};
pub use audit::{DayReport, LedgerReport, Mismatch, Sums};
pub use calibrations::Calibration;
pub use closings::{Closed, How};
pub use conversations::{Conversation, ConversationHead, Line, Speaker, Taken};
pub use current::StoredIndex;
pub use database::{Store, StoreOptions};
pub use error::StoreError;
pub use figures::DaySpend;
pub use files::{BATCH, FileId, SameKey};
pub use generations::{Generation, GenerationId, IndexLock};
pub use inbox::{Beside, InboxItem};
pub use month::{Day, Month};
pub use operators::{Operator, Role};
pub use releases::Release;
pub use retention::Forgotten;
pub use sign_in::{Failures, OperatorSession};
pub use snapshot::{About, Snapshot, SnapshotWriter};
pub use turns::{Feedback, TurnRecord};
pub use warnings::{KeptWarning, Warning, WarningAbout};
