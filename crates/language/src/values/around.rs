//! What stands behind a value: its bound and what it is counted for each of.

use super::lexicon::Mean;
use super::reader::Reader;
use super::types::{Bound, Period};
use super::units::{TimeUnit, Unit};

#[derive(Debug, Clone, Copy)]
pub(super) enum Behind {
    Period(Period),
    Bound(Bound),
}

impl Reader<'_> {
    /// What stands behind a value and belongs to it, and where that ends.
    pub(super) fn behind(&self, end: usize, period: bool, in_time: bool) -> (Option<Behind>, usize) {
        let reader = self;
        if self.char_at(end) == Some('+') && self.digit_at(end + 1).is_none() {
            return (Some(Behind::Bound(Bound::AtLeast)), end + 1);
        }
        let mut start = self.gap(end);
        if self.char_at(start) == Some('.') && self.char_before(start).is_some_and(char::is_alphabetic) {
            // The full stop of an abbreviated unit, or of the sentence: only the former is gone past, and
            // which it is the next character tells.
            let next = self.gap(start + 1);
            let goes_on = match self.char_at(next) {
                Some('/') => true,
                Some(c) => next > start + 1 && c.is_lowercase(),
                None => false,
            };
            if goes_on {
                start = next;
            }
        }
        let of = |mean| match mean {
            Mean::After(Bound::Until | Bound::Since) if !in_time => None,
            Mean::Period(of) if period => Some(Behind::Period(of)),
            Mean::After(bound) => Some(Behind::Bound(bound)),
            _ => None,
        };
        if let Some((found, end)) = reader.here(start).pick(of) {
            return (Some(found), end);
        }
        match reader.char_at(start) {
            // "Five days, at most."
            Some(',' | '\u{60C}' | '，' | '(') => {
                let start = reader.gap(start + reader.char_at(start).map_or(0, char::len_utf8));
                let after =
                    |mean| if let Mean::After(bound) = mean { Some(Behind::Bound(bound)) } else { None };
                reader.here(start).pick(after).map_or((None, end), |(found, end)| (Some(found), end))
            }
            Some('/') if period => {
                let each = |mean| match mean {
                    Mean::Time(unit) => period_of_time(unit).map(Behind::Period),
                    Mean::Unit(unit) => period_of_unit(unit).map(Behind::Period),
                    _ => None,
                };
                let found = reader.here(reader.gap(start + 1)).pick(each);
                found.map_or((None, end), |(found, end)| (Some(found), end))
            }
            _ => (None, end),
        }
    }
}

impl Reader<'_> {
    /// What else a value is counted for each of, behind the first: "per person and night", "per child per week".
    /// One of the two is a length of time. What a digit follows is said of the next value.
    pub(super) fn second_period(&self, end: usize, first: Period) -> Option<(Period, usize)> {
        let (start, joined) = self.behind_join(end);
        let slash = self.char_at(start) == Some('/');
        let start = if slash { self.gap(start + 1) } else { start };
        let period = |mean| match mean {
            Mean::Period(period) => Some(period),
            Mean::Time(unit) if joined || slash => period_of_time(unit),
            _ => None,
        };
        let (second, end) = self.here(start).pick(period)?;
        let pair = first.is_of_time() != second.is_of_time();
        (pair && self.digit_at(self.gap(end)).is_none()).then_some((second, end))
    }
}

pub(super) fn period_of_time(unit: TimeUnit) -> Option<Period> {
    Some(match unit {
        TimeUnit::Minute => Period::Minute,
        TimeUnit::Hour => Period::Hour,
        TimeUnit::Day => Period::Day,
        TimeUnit::Night => Period::Night,
        TimeUnit::Week => Period::Week,
        TimeUnit::Month => Period::Month,
        TimeUnit::Quarter => Period::Quarter,
        TimeUnit::Year => Period::Year,
        _ => return None,
    })
}

pub(super) fn period_of_unit(unit: Unit) -> Option<Period> {
    Some(match unit {
        Unit::Kilogram => Period::Kilogram,
        Unit::Litre => Period::Litre,
        Unit::Metre => Period::Metre,
        Unit::SquareMetre => Period::SquareMetre,
        Unit::Kilometre => Period::Kilometre,
        _ => return None,
    })
}
