//! Times of day.

use super::context::Context;
use super::decimal::Decimal;
use super::lexicon::Mean;
use super::reader::Reader;
use super::types::Clock;

/// A time as it is written: on a clock of twelve hours its half of the day may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Timed {
    pub(super) clock: Clock,
    /// After noon, before noon, or not said.
    pub(super) afternoon: Option<bool>,
    pub(super) end: usize,
}

impl Timed {
    /// On a clock of twenty-four hours.
    pub(super) fn in_half(self, afternoon: Option<bool>) -> Clock {
        let hour = match (self.afternoon.or(afternoon), self.clock.hour) {
            (Some(true), hour @ 1..=11) => hour + 12,
            (Some(false), 12) => 0,
            (_, hour) => hour,
        };
        Clock { hour, ..self.clock }
    }
}

impl Reader<'_> {
    /// The time of day that begins here; `before`: words that announce one stand before it, and whether an
    /// hour by itself is one then.
    pub(super) fn time(&self, at: usize, before: Option<bool>) -> Option<Timed> {
        if let Some(found) = self.spoken_time(at, before) {
            return Some(found);
        }
        let (hour, end) = match self.integer(at, 2) {
            Some((hour, _, end)) => (hour, end),
            None if self.digit_at(at).is_some() => return None,
            None => return self.spelled_time(at, before),
        };
        let hour = u8::try_from(hour).ok().filter(|hour| *hour <= 24)?;
        if let Some(found) = self.with_minutes(hour, end) {
            return Some(found);
        }
        self.with_mark(Clock { hour, minute: 0 }, end, before)
    }

    /// The time of day that begins here, by what stands before it. Up to when, or from when on, something holds
    /// announces a half hour too: "until half past", where the half stands behind.
    pub(super) fn announced_time(&self, at: usize, context: &Context) -> Option<Timed> {
        let limited = || context.in_time.and_then(|_| self.spoken_time(at, Some(false)));
        self.time(at, context.hour()).or_else(limited)
    }

    /// Digits of minutes behind a mark.
    fn with_minutes(&self, hour: u8, end: usize) -> Option<Timed> {
        let mark = self.char_at(end)?;
        let colon = matches!(mark, ':' | '：');
        if colon || mark == '.' {
            let (minute, end) = self.minutes(end + mark.len_utf8())?;
            let clock = Clock { hour, minute };
            if colon {
                // Seconds are read over.
                let end = match self.char_at(end) {
                    Some(':') => self.minutes(end + 1)?.1,
                    _ => end,
                };
                return (self.char_at(end) != Some(':')).then(|| self.closed(clock, end));
            }
            let ended = self.closed(clock, end);
            return (ended.end > end).then_some(ended);
        }
        let start = self.gap(end);
        let ((), behind) = self.here(start).pick_before_digit(is_mark)?;
        let (minute, end) = self.minutes(self.gap(behind))?;
        let here = self.here(self.gap(end));
        let duration = here.has(|mean| matches!(mean, Mean::Time(_) | Mean::Currency(..) | Mean::Unit(_)));
        let marked = here.pick(|mean| (mean == Mean::MinuteMark).then_some(()));
        match marked {
            Some(((), end)) => Some(self.closed(Clock { hour, minute }, end)),
            None => (!duration).then(|| self.closed(Clock { hour, minute }, end)),
        }
    }

    fn minutes(&self, at: usize) -> Option<(u8, usize)> {
        let (minute, digits, end) = self.integer(at, 2)?;
        (digits == 2 && minute < 60).then(|| Some((u8::try_from(minute).ok()?, end)))?
    }

    /// The time with the mark and the part of the day that may stand behind it.
    pub(super) fn closed(&self, clock: Clock, end: usize) -> Timed {
        let mark = self.here(self.gap(end)).pick(is_mark);
        let end = mark.map_or(end, |((), end)| end);
        let (afternoon, end) = self.day_part(end, true);
        Timed { clock, afternoon, end }
    }

    /// The part of the day behind an hour, and where it ends. What is the name of a length of time too is one
    /// only where `sure`: "three nights" is no hour.
    fn day_part(&self, end: usize, sure: bool) -> (Option<bool>, usize) {
        let part = |mean| if let Mean::DayPart(afternoon) = mean { Some(afternoon) } else { None };
        let here = self.here(self.gap(end));
        let time = here.pick(|mean| matches!(mean, Mean::Time(_)).then_some(()));
        // "Hours of the evening" says more than "hours".
        let longer = |end: usize| time.is_none_or(|((), other)| end > other);
        let found = here.pick(part).filter(|(_, end)| sure || longer(*end));
        found.map_or((None, end), |(afternoon, end)| (Some(afternoon), end))
    }

    /// An hour without minutes: something behind it, or before it, must say that it is one.
    fn with_mark(&self, clock: Clock, end: usize, before: Option<bool>) -> Option<Timed> {
        let half = |end: usize| {
            let half = self.here(self.gap(end)).pick(|mean| (mean == Mean::HalfPast).then_some(()));
            half.map(|((), end)| end)
        };
        let sure = |mean| match mean {
            Mean::ClockMark(alone) => (alone || before.is_some()).then_some(()),
            _ => None,
        };
        let mark = self.here(self.link(end)).pick(sure);
        let behind = mark.map_or(end, |((), end)| end);
        let past = half(behind);
        let minute = if past.is_some() { 30 } else { clock.minute };
        let behind = past.unwrap_or(behind);
        let (afternoon, behind) = self.day_part(behind, mark.is_some() || before.is_some());
        let said = mark.is_some() || afternoon.is_some();
        let bare = before == Some(true) && (past.is_some() || self.ends_bare(end));
        (said || bare).then_some(Timed { clock: Clock { minute, ..clock }, afternoon, end: behind })
    }

    /// Whether nothing behind a number makes it a number of something.
    pub(super) fn ends_bare(&self, end: usize) -> bool {
        let unit = |mean| {
            matches!(
                mean,
                Mean::Currency(..)
                    | Mean::Unit(_)
                    | Mean::Time(_)
                    | Mean::Percent
                    | Mean::Times(_)
                    | Mean::Counter
            )
        };
        let goes_on = matches!(self.char_at(end), Some('.' | ',' | ':' | '/' | '-'))
            && self.char_at(end).is_some_and(|c| self.digit_at(end + c.len_utf8()).is_some());
        !goes_on && !self.here(self.link(end)).has(unit)
    }

    /// An hour in words; a half belongs to it in some languages.
    fn spelled_time(&self, at: usize, before: Option<bool>) -> Option<Timed> {
        let number = self.spelled(at)?;
        if number.weak && before.is_none() && self.numbers.numerals.by_digits {
            // Where words are not divided, the hour "one" and "a bit" are written alike.
            return None;
        }
        // An article behind a preposition is no hour, unless a mark says so.
        let before = if number.weak { before.min(Some(false)) } else { before };
        let (hour, minute) = match number.value.whole() {
            Some(hour) => (hour, 0),
            None => [(25_i128, 15_u8), (50, 30), (75, 45)].iter().find_map(|(hundredths, minute)| {
                let hour = number.value.plus(Decimal::new(-hundredths, 2))?.whole()?;
                Some((hour, *minute))
            })?,
        };
        let hour = u8::try_from(hour).ok().filter(|hour| (1..=24).contains(hour))?;
        self.with_mark(Clock { hour, minute }, number.end, before)
    }
}

fn is_mark(mean: Mean) -> Option<()> {
    matches!(mean, Mean::ClockMark(_)).then_some(())
}
