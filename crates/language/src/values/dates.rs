//! Dates: in digits in the order of the language, of ISO 8601, with the name of the month, and counted.

use super::amounts::Of;
use super::fractions::is_fraction;
use super::lexicon::Mean;
use super::reader::Reader;
use super::types::{Calendar, Date};
use crate::pack::DateOrder;

/// A date, and where it ends.
pub(super) type Dated = (Date, usize);

impl Reader<'_> {
    /// A date in digits: three numbers with the same mark between them.
    pub(super) fn numeric_date(&self, at: usize) -> Option<Dated> {
        let (first, digits, end) = self.integer(at, 4)?;
        let mark = self.char_at(end).filter(|c| matches!(c, '/' | '.' | '-'))?;
        let (second, middle_digits, end) = self.integer(end + 1, 2)?;
        let year_last = digits <= 2;
        if self.char_at(end) != Some(mark) || (digits != 4 && !year_last) {
            return (mark == '/' || mark == '.')
                .then(|| self.day_and_month(mark, first, digits, (second, middle_digits), end))
                .flatten();
        }
        let Some((third, last_digits, end)) = self.integer(end + 1, if year_last { 4 } else { 2 }) else {
            return (mark == '.')
                .then(|| self.day_and_month(mark, first, digits, (second, middle_digits), end))?;
        };
        let goes_on = self.char_at(end) == Some(mark) && self.digit_at(end + 1).is_some();
        if goes_on
            || self.digit_at(end).is_some()
            || matches!(last_digits, 3)
            || (last_digits == 1 && year_last)
        {
            return None;
        }
        let date = if year_last {
            let year = if last_digits == 2 { 2000 + third } else { third };
            let day_first = self.numbers.dates.order != DateOrder::Mdy;
            let (day, month) = if day_first { (first, second) } else { (second, first) };
            valid(Some(year), month, Some(day)).or_else(|| valid(Some(year), day, Some(month)))?
        } else {
            valid(Some(first), second, Some(third))?
        };
        Some((self.in_calendar(date), end))
    }

    /// The years of the Iranian calendar are six hundred behind: where a pack knows its months, they tell it.
    fn in_calendar(&self, date: Date) -> Date {
        let solar = !self.numbers.dates.solar_months.is_empty();
        let hijri = date.year.is_some_and(|year| (1300..1500).contains(&year));
        if solar && hijri { Date { calendar: Calendar::SolarHijri, ..date } } else { date }
    }

    /// `24/12` and `24.12.`
    fn day_and_month(
        &self,
        mark: char,
        first: u64,
        first_digits: usize,
        (second, second_digits): (u64, usize),
        end: usize,
    ) -> Option<Dated> {
        if first_digits > 2 || second_digits > 2 || self.digit_at(end).is_some() {
            return None;
        }
        let day_first = self.numbers.dates.order == DateOrder::Dmy;
        let (day, month) = if day_first { (first, second) } else { (second, first) };
        // Round the clock, every day of the week.
        let always = (first, second) == (24, 7);
        let fraction = is_fraction(first, second);
        let date = valid(None, month, Some(day)).filter(|_| !always)?;
        match mark {
            '/' if self.char_at(end) != Some('/') && first != second && !fraction => Some((date, end)),
            '.' if self.numbers.dates.dotted && self.char_at(end) == Some('.') => {
                let behind = self.gap(end + 1);
                // A price with its thousandths is no date: what follows would be its unit.
                let goes_on = self.digit_at(end + 1).is_some();
                let unit = self.here(behind).has(|mean| matches!(mean, Mean::Currency(..) | Mean::Unit(_)));
                (!goes_on && !unit).then_some((date, end + 1))
            }
            _ => None,
        }
    }

    /// The name of a month behind a day, and a year behind that where there is one.
    pub(super) fn month_behind(&self, day: u64, at: usize) -> Option<Dated> {
        let at = if self.char_at(at) == Some('.') { at + 1 } else { at };
        let start = self.behind_date_join(self.link(at));
        let (month, calendar, _, end) = self.month(start)?;
        let date = valid(None, u64::from(month), Some(day))?;
        Some(self.year_behind(Date { calendar, ..date }, end))
    }

    /// A date that begins with the name of its month.
    pub(super) fn month_first(&self, at: usize) -> Option<Dated> {
        let (month, calendar, alone, end) = self.month(at)?;
        let date = Date { year: None, month: Some(month), day: None, calendar };
        if self.numbers.dates.month_first
            && let Some((day, _, behind)) = self.integer(self.gap(end), 2)
            && let Some(with_day) = valid(None, u64::from(month), Some(day))
            && self.char_at(behind).is_none_or(|c| !matches!(c, ':' | '%' | '/'))
        {
            let mark = self.here(behind).pick(|mean| (mean == Mean::OrdinalMark).then_some(()));
            let behind = mark.map_or(behind, |((), end)| end);
            let unit =
                |mean| matches!(mean, Mean::Currency(..) | Mean::Unit(_) | Mean::Time(_) | Mean::Percent);
            if !self.here(self.gap(behind)).has(unit) {
                return Some(self.year_behind(Date { calendar, ..with_day }, behind));
            }
        }
        let (date, end) = self.year_behind(date, end);
        (alone || date.year.is_some()).then_some((date, end))
    }

    /// Year, month and day by their words behind the numbers, as in Chinese; one of them by itself is enough.
    pub(super) fn counted_date(&self, at: usize) -> Option<Dated> {
        if self.numbers.dates.counted.is_empty() {
            return None;
        }
        let mut date = Date { year: None, month: None, day: None, calendar: Calendar::Gregorian };
        let mut end = at;
        let mut next = at;
        for part in 0..3 {
            let Some((number, behind)) = self.counted_part(next, part) else {
                continue;
            };
            match part {
                0 => date.year = u16::try_from(number).ok().filter(|year| (1000..=2100).contains(year)),
                1 => date.month = u8::try_from(number).ok().filter(|month| (1..=12).contains(month)),
                _ => date.day = u8::try_from(number).ok().filter(|day| (1..=31).contains(day)),
            }
            if [date.year.is_some(), date.month.is_some(), date.day.is_some()].get(part) != Some(&true) {
                break;
            }
            end = behind;
            next = self.gap(behind);
        }
        // A day by itself is a number of things as well.
        (date.year.is_some() || date.month.is_some()).then_some((date, end))
    }

    fn counted_part(&self, at: usize, wanted: usize) -> Option<(u64, usize)> {
        let (number, end) = match self.integer(at, 4) {
            Some((number, _, end)) => (number, end),
            None if self.digit_at(at).is_some() => return None,
            None => {
                let spelled = self.spelled(at)?;
                (spelled.value.whole()?, spelled.end)
            }
        };
        let mark = |mean| if let Mean::Counted(part) = mean { Some(usize::from(part)) } else { None };
        let (part, end) = self.here(self.gap(end)).pick(mark)?;
        (part == wanted).then_some((number, end))
    }

    fn month(&self, at: usize) -> Option<(u8, Calendar, bool, usize)> {
        let month = |mean| {
            if let Mean::Month(month, calendar, alone) = mean { Some((month, calendar, alone)) } else { None }
        };
        let ((month, calendar, alone), end) = self.here(at).pick(month)?;
        Some((month, calendar, alone, end))
    }

    fn behind_date_join(&self, at: usize) -> usize {
        let join = self.here(at).pick(|mean| (mean == Mean::DateJoin).then_some(()));
        join.map_or(at, |((), end)| self.gap(end))
    }

    /// The date with the year behind it, where there is one.
    pub(super) fn year_behind(&self, date: Date, end: usize) -> Dated {
        let mut start = end;
        if matches!(self.char_at(start), Some(',' | '.' | '\u{60C}')) {
            start += self.char_at(start).map_or(0, char::len_utf8);
        }
        let gap = self.gap(start);
        if gap == end {
            return (date, end);
        }
        let start = self.behind_date_join(gap);
        let Some((year, 4, behind)) = self.integer(start, 4) else {
            return (date, end);
        };
        let money = |mean| matches!(mean, Mean::Currency(..) | Mean::Unit(_) | Mean::Percent);
        let part = self.part(start).is_some_and(|part| matches!(part.of, Of::Money(_) | Of::Measure(_)));
        let here = self.here(self.gap(behind));
        let other = (part || here.has(money)) && !here.has(|mean| mean == Mean::YearMark);
        if !(1300..=2199).contains(&year) || other {
            return (date, end);
        }
        let mark = self.here(self.gap(behind)).pick(|mean| (mean == Mean::YearMark).then_some(()));
        let end = mark.map_or(behind, |((), end)| end);
        (Date { year: u16::try_from(year).ok(), ..date }, end)
    }
}

/// A date of which month and day exist.
fn valid(year: Option<u64>, month: u64, day: Option<u64>) -> Option<Date> {
    let longest = match month {
        2 => 29,
        4 | 6 | 9 | 11 => 30,
        // The first six months of the Iranian year have 31 days, April, its first, among them by number.
        1..=12 => 31,
        _ => return None,
    };
    let days = day.is_none_or(|day| (1..=longest.max(31)).contains(&day) && (day <= longest || day == 31));
    let year = match year {
        Some(year) => Some(u16::try_from(year).ok().filter(|year| (1000..=2999).contains(year))?),
        None => None,
    };
    days.then_some(Date {
        year,
        month: u8::try_from(month).ok(),
        day: day.and_then(|day| u8::try_from(day).ok()),
        calendar: Calendar::Gregorian,
    })
}
