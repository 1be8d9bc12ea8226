//! Times of day as they are spoken: half past nine, a quarter to ten.

use super::fold::Sort as Letters;
use super::lexicon::Mean;
use super::reader::Reader;
use super::times::Timed;
use super::types::Clock;

/// An hour that is named, and where it ends.
struct Hour {
    hour: u8,
    end: usize,
    sort: Sort,
}

/// What it is named by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// A number.
    Number,
    /// A word that may be an article, or a place in an order.
    Doubtful,
    /// A word that names hours and nothing else.
    Hour,
}

impl Reader<'_> {
    /// The spoken time that begins here. `before`: words that announce an hour stand before it, see
    /// [`Reader::time`].
    pub(super) fn spoken_time(&self, at: usize, before: Option<bool>) -> Option<Timed> {
        let minutes = |mean| if let Mean::BeforeHour(minutes) = mean { Some(minutes) } else { None };
        if let Some((minutes, end)) = self.here(at).pick(minutes) {
            let start = self.gap(end);
            let ordinal = |mean| match mean {
                Mean::Ordinal(place) => u8::try_from(place).ok().filter(|hour| (1..=12).contains(hour)),
                _ => None,
            };
            let of_order = || {
                let (hour, end) = self.here(start).pick(ordinal)?;
                Some(Hour { hour, end, sort: Sort::Doubtful })
            };
            let hour = self.spoken_hour(start).or_else(of_order)?;
            let timed = self.closed(away(hour.hour, minutes), hour.end);
            // "Half of the tenth page", "a quarter to a third".
            let goes_on = self.sort_at(self.gap(timed.end)) == Some(Letters::Letter);
            let doubtful = hour.sort == Sort::Doubtful && before.is_none() && timed.afternoon.is_none();
            return (self.ends_bare(hour.end) && !(doubtful && goes_on)).then_some(timed);
        }
        let hour = self.spoken_hour(at)?;
        let mark = |mean| if let Mean::ClockMark(alone) = mean { Some(alone) } else { None };
        let mark = self.here(self.link(hour.end)).pick(mark);
        let end = mark.map_or(hour.end, |(_, end)| end);
        let named = hour.sort == Sort::Hour;
        let sure = named || before.is_some() || mark.is_some_and(|(alone, _)| alone);
        if let Some((minutes, end)) = self.behind_hour(end).filter(|_| sure) {
            return self.ends_bare(end).then(|| self.closed(away(hour.hour, minutes), end));
        }
        if !named || mark.is_some() {
            return None;
        }
        let timed = self.closed(away(hour.hour, 0), hour.end);
        (before == Some(true) || timed.afternoon.is_some()).then_some(timed)
    }

    /// The minutes that stand behind an hour in words.
    fn behind_hour(&self, end: usize) -> Option<(i8, usize)> {
        self.here(self.gap(end)).pick(|mean| match mean {
            Mean::AfterHour(minutes) => Some(minutes),
            Mean::HalfPast => Some(30),
            _ => None,
        })
    }

    fn spoken_hour(&self, at: usize) -> Option<Hour> {
        let named = |mean| if let Mean::Hour(hour) = mean { Some(hour) } else { None };
        if let Some((hour, end)) = self.here(at).pick(named) {
            return Some(Hour { hour, end, sort: Sort::Hour });
        }
        let (hour, end, weak) = match self.integer(at, 2) {
            Some((hour, _, end)) => (hour, end, false),
            None if self.digit_at(at).is_some() => return None,
            None => {
                let spelled = self.spelled(at)?;
                (spelled.value.whole()?, spelled.end, spelled.weak)
            }
        };
        let hour = u8::try_from(hour).ok().filter(|hour| (1..=24).contains(hour))?;
        Some(Hour { hour, end, sort: if weak { Sort::Doubtful } else { Sort::Number } })
    }
}

/// So many minutes after an hour, or before it. On a clock of twelve hours, twelve comes before one.
fn away(hour: u8, minutes: i8) -> Clock {
    match u8::try_from(minutes) {
        Ok(minute) => Clock { hour, minute },
        Err(_) => {
            let hour = if matches!(hour, 0 | 1) { 12 } else { hour - 1 };
            Clock { hour, minute: 60 - minutes.unsigned_abs().min(60) }
        }
    }
}
