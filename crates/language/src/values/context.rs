//! What was said right before a value and belongs to it.

use super::lexicon::Mean;
use super::types::{Bound, Period};

/// The words that stand directly before the place that is read, nothing but space and fillers between.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Context {
    pub(super) bound: Option<Bound>,
    /// The bound where it is a date or a time of day that follows.
    pub(super) in_time: Option<Bound>,
    pub(super) period: Option<Period>,
    pub(super) percent: bool,
    pub(super) between: bool,
    /// An hour follows: one by itself, or one with a mark behind it.
    pub(super) clock: Option<bool>,
    pub(super) afternoon: Option<bool>,
    pub(super) telephone: bool,
    pub(super) label: bool,
    /// There is anything at all.
    pub(super) active: bool,
}

/// Whether a phrase says something about a value behind it.
pub(super) fn announces(mean: Mean) -> bool {
    matches!(
        mean,
        Mean::Before(_)
            | Mean::Period(_)
            | Mean::PercentBefore
            | Mean::Between
            | Mean::ClockBefore(_)
            | Mean::DayPart(_)
            | Mean::Telephone
            | Mean::Label
    )
}

impl Context {
    /// Takes the meanings of one phrase.
    pub(super) fn take(&mut self, means: &[Mean]) {
        let mut named = false;
        for mean in means {
            match *mean {
                Mean::Before(bound @ (Bound::Until | Bound::Since)) => self.in_time = Some(bound),
                Mean::Before(bound) => self.bound = Some(bound),
                Mean::Period(period) => self.period = Some(period),
                Mean::PercentBefore => self.percent = true,
                Mean::Between => self.between = true,
                Mean::ClockBefore(bare) => self.clock = self.clock.max(Some(bare)),
                Mean::DayPart(afternoon) => self.afternoon = Some(afternoon),
                Mean::Telephone => (self.telephone, named) = (true, true),
                Mean::Label => (self.label, named) = (true, true),
                _ => continue,
            }
            self.active = true;
        }
        if !named && self.active {
            // "Orders of more than 50": the number is none of an order.
            (self.telephone, self.label) = (false, false);
        }
    }

    /// A full stop: what ends in one goes on behind it, but no period of a sentence before reaches the next.
    pub(super) fn stop(&mut self) {
        self.period = None;
    }

    /// What says that an hour follows, if anything does; see [`super::reader::Reader::time`].
    pub(super) fn hour(&self) -> Option<bool> {
        self.clock.or(self.afternoon.map(|_| false))
    }

    pub(super) fn clear(&mut self) {
        if self.active {
            *self = Self::default();
        }
    }
}
