//! How a command ended, as its exit code.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// What was asked for was done; a suite passed. 0.
    Met,
    /// The release gate did not open. 1.
    GateFailed,
    /// The configuration or the data is wrong. 2.
    BadInput,
    /// The run did not come to its end. 3.
    Incomplete,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Met => 0,
            Exit::GateFailed => 1,
            Exit::BadInput => 2,
            Exit::Incomplete => 3,
        })
    }
}
