//! The commands, one file each.

pub(crate) mod ask;
pub(crate) mod backup;
pub(crate) mod calibrate;
pub(crate) mod check;
pub(crate) mod cost;
pub(crate) mod erase;
pub(crate) mod eval;
pub(crate) mod inbox;
pub(crate) mod index;
pub(crate) mod ledger;
pub(crate) mod new;
pub(crate) mod operator;
pub(crate) mod probe;
pub(crate) mod read_pdf;
pub(crate) mod record;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod session;
