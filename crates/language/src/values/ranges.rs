//! One value, with the other end of its range where it has one.

use super::amounts::{Of, Part, Quantity};
use super::context::Context;
use super::dates::Dated;
use super::lexicon::Mean;
use super::reader::Reader;
use super::times::Timed;
use super::types::{Clock, Date, Kind};
use super::units::TimeUnit;

/// A kind of value, and where it ends.
pub(super) type Said = (Kind, usize);

impl Reader<'_> {
    /// Behind what stands between two ends of a range: a dash, or a word.
    pub(super) fn range_sign(&self, end: usize, between: bool) -> Option<usize> {
        let start = self.gap(end);
        if let Some(c @ ('-' | '\u{2010}' | '\u{2011}')) = self.char_at(start) {
            let behind = self.gap(start + c.len_utf8());
            // "3 -5": the second has a sign of its own.
            let own = start > end && behind == start + c.len_utf8();
            return (!own).then_some(behind);
        }
        let sign = |mean| match mean {
            Mean::To => Some(()),
            Mean::And => between.then_some(()),
            _ => None,
        };
        let found = self.here(start).pick_before_digit(sign);
        found.map(|((), end)| self.gap(end))
    }

    /// Behind a word that closes a range, where there is one.
    pub(super) fn range_close(&self, end: usize) -> usize {
        let close = |mean| (mean == Mean::Close).then_some(());
        self.here(self.gap(end)).pick(close).map_or(end, |((), end)| end)
    }

    /// A range of dates or a date.
    pub(super) fn dates(&self, (from, end): Dated, between: bool) -> Said {
        let to = self.range_sign(end, between).and_then(|start| self.any_date(start));
        match to {
            Some((to, end)) => (Kind::Date { from: fill(from, to), to: Some(to) }, end),
            None => (Kind::Date { from, to: None }, end),
        }
    }

    /// A date in any way of writing.
    pub(super) fn any_date(&self, at: usize) -> Option<Dated> {
        self.counted_date(at)
            .or_else(|| self.numeric_date(at))
            .or_else(|| self.day_first(at))
            .or_else(|| self.month_first(at))
    }

    /// A day in digits or words with the name of its month.
    pub(super) fn day_first(&self, at: usize) -> Option<Dated> {
        let (day, end) = self.day(at)?;
        self.month_behind(day, end)
    }

    /// A number that may be the day of a month, also as an ordinal.
    fn day(&self, at: usize) -> Option<(u64, usize)> {
        let ordinal = |mean| if let Mean::Ordinal(place) = mean { Some(place) } else { None };
        let (day, end) = match self.here(at).pick(ordinal) {
            Some(found) => found,
            None => {
                let part = self.bare(at)?;
                (part.whole()?, part.end)
            }
        };
        (1..=31).contains(&day).then_some((day, end))
    }

    /// The number at a place without what it counts, unless that makes an ordinal of it.
    fn bare(&self, at: usize) -> Option<Part> {
        let part = self.part(at);
        match part {
            Some(part) if matches!(part.of, Of::Nothing | Of::Order) => Some(part),
            Some(_) => None,
            None => {
                // A word that is a number only in company is in company of its month.
                let spelled = self.spelled(at)?;
                let reading = super::types::Reading::sure(spelled.value);
                Some(Part {
                    end: spelled.end,
                    quantity: Quantity::Number(reading),
                    of: Of::Nothing,
                    weak: false,
                    plain: None,
                    currency_first: false,
                })
            }
        }
    }

    /// A range of times of day, or one.
    pub(super) fn times(&self, from: Timed, context: &Context) -> Said {
        let to = self
            .range_sign(from.end, context.between)
            .and_then(|start| self.second_time(start, context.clock.max(Some(false))));
        match to {
            Some(to) => {
                let afternoon = from.afternoon.or(context.afternoon).or_else(|| shared_half(from, to));
                let kind =
                    Kind::Time { from: from.in_half(afternoon), to: Some(to.in_half(context.afternoon)) };
                (kind, self.range_close(to.end))
            }
            None => (Kind::Time { from: from.in_half(context.afternoon), to: None }, from.end),
        }
    }

    /// The time that closes a range; words that announce one may stand before it, or before the range.
    fn second_time(&self, at: usize, before: Option<bool>) -> Option<Timed> {
        let announced = |mean| if let Mean::ClockBefore(bare) = mean { Some(bare) } else { None };
        let announced = self.here(at).pick(announced);
        let part = |mean| if let Mean::DayPart(afternoon) = mean { Some(afternoon) } else { None };
        let half = self.here(at).pick(part);
        let start = announced.or(half).map_or(at, |(_, end)| self.gap(end));
        let timed = self.time(start, announced.map(|(bare, _)| bare).or(half.map(|_| false)).max(before))?;
        Some(Timed { afternoon: timed.afternoon.or(half.map(|(afternoon, _)| afternoon)), ..timed })
    }

    /// A number with what it counts, and with the other end of the range where there is one.
    pub(super) fn amounts(&self, first: Part, context: &Context) -> Option<Said> {
        let of = if context.percent && first.of == Of::Nothing { Of::Percent } else { first.of };
        let first = Part { of, ..first };
        self.range(first, context).or_else(|| Some((self.kind(first.quantity, None, first.of)?, first.end)))
    }

    fn range(&self, first: Part, context: &Context) -> Option<Said> {
        if let Some(said) = self.days(first, context.between) {
            return Some(said);
        }
        let start = self.range_sign(first.end, context.between)?;
        // The second end may repeat what stands before the first.
        let again = self.here(start).pick(|mean| (mean == Mean::PercentBefore).then_some(()));
        let start = again.map_or(start, |((), end)| end);
        if let Some(said) = self.hours(first, start, context) {
            return Some(said);
        }
        let second = self.part(start).filter(|second| !second.weak)?;
        let of = match (first.of, second.of) {
            (Of::Nothing, of) => of,
            (of, Of::Nothing) if first.currency_first || context.percent => of,
            (Of::Time(unit, clock), Of::Time(same, other)) if unit == same => Of::Time(unit, clock || other),
            (of, other) if of == other => of,
            _ => return None,
        };
        // A number of nothing and a smaller one are two numbers, or a name.
        let ordered = match (first.quantity, second.quantity) {
            (Quantity::Number(from), Quantity::Number(to)) => from.value <= to.value || of != Of::Nothing,
            _ => false,
        };
        let kind =
            self.kind(first.quantity, Some(second.quantity), of).filter(|_| ordered && of != Of::Order)?;
        Some((kind, self.range_close(second.end)))
    }

    /// Two days of one month, the first without its name.
    fn days(&self, first: Part, between: bool) -> Option<Said> {
        let day = first.whole().filter(|day| (1..=31).contains(day))?;
        // The first may have the full stop of an ordinal.
        let stop = self.numbers.dates.dotted && self.char_at(first.end) == Some('.');
        let start = self.range_sign(first.end + usize::from(stop), between)?;
        let found = self.day_first(start).or_else(|| self.counted_date(start));
        let (to, end) = found.filter(|(to, _)| to.day.is_some())?;
        let from = Date { day: u8::try_from(day).ok(), ..to };
        Some((Kind::Date { from, to: Some(to) }, end))
    }

    /// Two times of day, the first an hour that only the second tells to be one.
    fn hours(&self, first: Part, start: usize, context: &Context) -> Option<Said> {
        let clock = first.of == Of::Time(TimeUnit::Hour, true);
        let bare = Part { of: if clock { Of::Nothing } else { first.of }, ..first };
        let hour = bare.whole().and_then(|hour| u8::try_from(hour).ok()).filter(|hour| *hour <= 24)?;
        let to = self.second_time(start, None)?;
        let from = Timed { clock: Clock { hour, minute: 0 }, afternoon: None, end: first.end };
        let from = from.in_half(context.afternoon.or_else(|| shared_half(from, to)));
        let kind = Kind::Time { from, to: Some(to.in_half(context.afternoon)) };
        Some((kind, self.range_close(to.end)))
    }
}

/// Both ends of a range are in the half of the day that stands behind the last, if that puts them in order.
fn shared_half(from: Timed, to: Timed) -> Option<bool> {
    let half = to.afternoon?;
    let in_order = from.clock.hour % 12 <= to.clock.hour % 12;
    Some(if in_order { half } else { !half })
}

/// The first date of a range, with what only the last one says.
fn fill(from: Date, to: Date) -> Date {
    Date { year: from.year.or(to.year), month: from.month.or(to.month), ..from }
}
