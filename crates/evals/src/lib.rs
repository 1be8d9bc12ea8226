//! Cases, runs, the release gate and its reports.
//!
//! A suite asks every case through the very same engine that customers meet, judges each answer by
//! its text and its state, and says whether this version may go out. Shares are compared as counts.
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

pub mod case;

pub mod expect;

pub mod suite;

pub mod verdict;

pub mod recall;

pub mod interval;

pub mod calibrate;

pub mod area;

pub mod report;

pub mod forecast;

pub use error::EvalError;
