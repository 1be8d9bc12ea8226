//! For tests only: fixed clock and ids, a runtime, a provider that answers as it is told, a small world for the story, and the contract
//! every store keeps.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "a test that finds something wrong has to fail where it finds it"
)]

pub mod contract;

mod clock;

mod folder;

mod http;

mod ids;

mod runtime;

mod lines;

mod reading;

mod provider;

mod world;

pub use clock::FixedClock;
pub use folder::copy_folder;
pub use http::{Canned, CannedServer};
pub use ids::CountedIds;
pub use lines::{Line, LinesModel, call, end, say};
pub use provider::{FakeProvider, FakeReply, FakeUsage, FullHouse, Heard, Step, tool};
pub use reading::ReadingModel;
pub use runtime::TokioRuntime;
pub use world::{Desk, NumberLookup, Shelf, World};
