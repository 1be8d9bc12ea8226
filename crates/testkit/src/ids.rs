//! Names that are counted: the same in every run.

use std::sync::atomic::{AtomicU64, Ordering};

use mostrador_answer::ports::Ids;
use mostrador_answer::question::TurnId;

/// Turns called `turn-1`, `turn-2`, … in the order they were asked for.
#[derive(Debug, Default)]
pub struct CountedIds(AtomicU64);

impl Ids for CountedIds {
    fn turn(&self) -> TurnId {
        let before = self.0.fetch_add(1, Ordering::Relaxed);
        TurnId(format!("turn-{}", before + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_counted_from_one() {
        let ids = CountedIds::default();
        assert_eq!([ids.turn(), ids.turn()].map(|turn| turn.0), ["turn-1", "turn-2"]);
    }
}
