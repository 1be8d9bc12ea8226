//! A clock that stands still.

use mostrador_answer::ports::{Clock, UnixMillis};

/// Always says the moment it was made with; by default 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FixedClock(pub UnixMillis);

impl Clock for FixedClock {
    fn now(&self) -> UnixMillis {
        self.0
    }
}
