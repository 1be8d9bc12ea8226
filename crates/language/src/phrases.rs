//! Phrases with alternatives and gaps, all looked for at once.

mod notation;

mod texts;

mod search;

pub(crate) use notation::BadPhrase;
pub(crate) use search::Phrases;
