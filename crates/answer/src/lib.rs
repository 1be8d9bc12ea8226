//! The story: what happens to a question between the customer and the answer, room by room.
//!
//! Read the modules in the order they are declared; each takes what the one before gives, and
//! [`engine::Engine::start`] calls them in that order. There is no HTTP here, no SQL, no clock and
//! no environment: those are the traits in [`ports`].
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

pub mod question;

pub mod stop;

pub mod redaction;

pub mod intake;

pub mod refusal;

pub mod route;

pub mod followup;

pub mod retrieval;

pub mod evidence;

pub mod budget;

pub mod dialogue;

mod tools;

mod window;

mod spending;

pub mod actions;

mod structured;

pub mod rules;

pub mod promises;

pub mod gate;

mod marker;

pub mod voice;

pub mod release;

mod shape;

mod speech;

pub mod reply;

pub mod approval;

pub mod engine;

pub mod ports;

mod fault;

pub mod message;

pub mod passage;

pub mod money;

pub mod event;

pub mod trace;
