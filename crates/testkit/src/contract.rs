//! What every back end must keep, as functions over the ports.
//!
//! Each function takes fresh, empty back ends and panics where the contract is broken. The macros
//! [`ledger_contract!`](crate::ledger_contract) and [`search_contract!`](crate::search_contract)
//! make a test of each, so that a second back end runs the same list.

pub mod ledger;

pub mod records;

pub mod search;
