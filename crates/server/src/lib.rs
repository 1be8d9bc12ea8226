//! The counter over HTTP: the API, the chat widget, the operators' console and the metrics.
//!
//! [`Server`] is the whole of it. A question takes the way `api` → `desk` (one lock a conversation) → `pump` (a turn
//! to its reader) → the engine, and what became of it is written down by `record` before its end is sent.
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

mod suite;

mod version;

mod app;

mod listen;

mod caller;

mod desk;

mod talk;

mod pump;

mod record;

mod genai;

mod stream;

mod api;

mod pages;

mod console;

mod metrics;

mod server;

pub use console::{is_operator_name, password_hash};
pub use error::ServeError;
pub use server::{Handle, Prepare, Server, ServerOptions};
pub use suite::{CaseDraft, Suite, SuiteReport};
