//! Days of the week: one, several, or from one to another. They are found apart from the other values.

use super::around::Behind;
use super::fold::{Folding, Sort};
use super::here::Memory;
use super::lexicon::Mean;
use super::reader::Reader;
use super::types::{Bound, Days, Kind, Value};
use super::units::TimeUnit;
use crate::Pack;

/// How much a word says by itself that it is a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sure {
    /// Only at the end of a range: `周一至五`.
    Behind,
    /// In company of another day: `Sat`.
    InCompany,
    /// By itself.
    Alone,
}

/// Days that stand beside each other, and where they end.
#[derive(Debug, Clone, Copy)]
struct Named {
    days: Days,
    sure: Sure,
    /// How many names of days it is made of.
    count: usize,
    end: usize,
}

/// What was said right before a day.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    bound: Option<Bound>,
    between: bool,
    end: usize,
}

/// The mark of a list, or of a cell, is no longer.
const WIDEST_MARK: usize = 8;

/// No list names more.
const MOST_NAMED: usize = 14;

impl Pack {
    /// The values that a text states, with the days of the week that it names among them, in the order they stand in.
    ///
    /// The day of a date is no value of its own. A number word that is part of the name of a day is none either.
    #[must_use]
    pub fn values_and_days(&self, text: &str) -> Vec<Value> {
        let mut values = self.values(text);
        let days = self.days(text, &values);
        if !days.is_empty() {
            let named = |value: &Value| days.iter().any(|day| overlap(day, value));
            values.retain(|value| !named(value));
            values.extend(days);
            values.sort_by_key(|value| value.span.start);
        }
        values
    }

    fn days(&self, text: &str, values: &[Value]) -> Vec<Value> {
        let numbers = &self.numbers;
        if numbers.weekdays.is_empty() {
            return Vec::new();
        }
        let memory = Memory::default();
        let folding = Folding::new();
        let reader = Reader { text, numbers, lexicon: numbers.lexicon(), folding, memory: &memory };
        let mut days = Vec::new();
        let mut before = Before::default();
        let mut at = 0;
        while let Some(c) = reader.char_at(at) {
            let sort = folding.sort(c);
            if !matches!(sort, Sort::Letter | Sort::Han | Sort::Digit) {
                at += c.len_utf8();
                continue;
            }
            let next = values.partition_point(|value| value.span.end <= at);
            let inside = values.get(next).filter(|value| value.span.contains(&at));
            let begun = inside.filter(|value| value.span.start < at || !gives_way(value));
            if let Some(value) = begun {
                at = value.span.end.max(at + c.len_utf8());
                continue;
            }
            let since = if reader.gap(before.end) >= at { before } else { Before::default() };
            let listed = |end| reader.leads_hours(at, end, !days.is_empty());
            if let Some(named) = reader.named_days(at, since.between, listed) {
                let value = reader.of_days(at, named, since.bound);
                at = value.1;
                if !is_day_of_a_date(text, &value.0, values) {
                    days.push(value.0);
                }
                continue;
            }
            if let Some(found) = reader.before_days(at, since) {
                before = found;
                at = found.end.max(at + c.len_utf8());
                continue;
            }
            let end = match sort {
                Sort::Han => at,
                Sort::Digit => reader.run_end(at),
                _ => reader.word_end(at),
            };
            at = end.max(at + c.len_utf8());
        }
        days
    }
}

/// Whether a value may be part of the name of a day: "second" in one that counts its days.
fn gives_way(value: &Value) -> bool {
    matches!(
        value.kind,
        Kind::Number { .. } | Kind::Ordinal { .. } | Kind::Duration { .. } | Kind::Fraction { .. }
    )
}

fn overlap(one: &Value, other: &Value) -> bool {
    one.span.start < other.span.end && other.span.start < one.span.end
}

/// Whether a single day stands beside a date that names its day.
fn is_day_of_a_date(text: &str, day: &Value, values: &[Value]) -> bool {
    let date = |value: &&Value| matches!(value.kind, Kind::Date { from, .. } if from.day.is_some());
    let one = matches!(day.kind, Kind::Weekdays { days, .. } if days.is_one());
    one && values.iter().filter(date).any(|date| {
        let between = if day.span.end <= date.span.start {
            text.get(day.span.end..date.span.start)
        } else {
            text.get(date.span.end..day.span.start)
        };
        between.is_some_and(|between| {
            let words: usize =
                between.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count();
            between.len() <= 12 && words <= 1 && !between.contains(['\n', '.', ';'])
        })
    })
}

impl Reader<'_> {
    /// The value of days that begin at a place, and where to go on.
    fn of_days(&self, at: usize, named: Named, bound: Option<Bound>) -> (Value, usize) {
        let (found, next) = self.behind(named.end, false, true);
        let behind = match found {
            Some(Behind::Bound(bound)) => Some(bound),
            _ => None,
        };
        // "From" before several days opens them, and so does what closes them.
        let bound = bound.or(behind).filter(|_| named.count == 1).map(Bound::in_time);
        let kind = Kind::Weekdays { days: named.days, whole: false };
        let next = if behind.is_some() { next } else { named.end };
        (Value { span: at..named.end, kind, bound, period: None, also: None }, next)
    }

    /// What may stand before a day and says something of it.
    fn before_days(&self, at: usize, before: Before) -> Option<Before> {
        let here = self.here(at);
        let bound = |mean| if let Mean::Before(bound) = mean { Some(bound) } else { None };
        let in_time = |mean| bound(mean).filter(|bound| matches!(bound, Bound::Until | Bound::Since));
        if let Some(((), end)) = here.pick(|mean| (mean == Mean::Between).then_some(())) {
            return Some(Before { bound: None, between: true, end });
        }
        if let Some((bound, end)) = here.pick(in_time).or_else(|| here.pick(bound)) {
            return Some(Before { bound: Some(bound), between: false, end });
        }
        let said = before.bound.is_some() || before.between;
        let filler = |mean| matches!(mean, Mean::DayFiller | Mean::Filler).then_some(());
        here.pick(filler).filter(|_| said).map(|((), end)| Before { end, ..before })
    }

    /// Whether what may be a day stands where a list of hours has one: `Sat 10-14` behind other days, `Sat: 10-14` or
    /// a cell of its own at the beginning.
    fn leads_hours(&self, at: usize, end: usize, others: bool) -> bool {
        let stop = self.char_at(end) == Some('.');
        let next = self.gap(if stop { end + 1 } else { end });
        let mark = self.char_at(next).filter(|c| matches!(c, ':' | '|'));
        let digit = |at: usize| self.digit_at(self.gap(at)).is_some();
        let before = self.text.get(..at).unwrap_or_default();
        let begins = || {
            !before.chars().rev().take(WIDEST_MARK).any(char::is_alphanumeric) && before.len() < WIDEST_MARK
        };
        match mark {
            Some(mark) => (others || begins()) && digit(next + mark.len_utf8()),
            None => others && digit(next),
        }
    }

    /// The days that are named from a place on. `listed_at`: whether a doubtful one is sure by what it ends before.
    fn named_days(&self, at: usize, between: bool, listed_at: impl Fn(usize) -> bool) -> Option<Named> {
        let first = self.days_to(at, between).filter(|first| first.sure > Sure::Behind)?;
        let (mut found, mut listed) = (first, first);
        let mut commas = 0;
        while listed.count < MOST_NAMED {
            let Some((joined, start)) = self.between_days(listed.end) else { break };
            let Some(next) = self.days_to(start, false).filter(|next| next.sure > Sure::Behind) else {
                break;
            };
            listed = listed.and(next);
            commas = if joined { 0 } else { commas + 1 };
            // "On Monday, Tuesday" may be the end of one statement and the beginning of the next.
            if joined || commas > 1 {
                found = listed;
            }
        }
        let sure = found.sure == Sure::Alone || found.count > 1;
        (sure || listed_at(found.end)).then_some(found)
    }

    /// A day, or from one to another.
    fn days_to(&self, at: usize, between: bool) -> Option<Named> {
        let from = self.weekday(at)?;
        if self.joiner(self.gap(from.end)).is_some() && !between {
            return Some(from);
        }
        let end = self.behind_day_stop(from.end);
        let to = self.range_sign(end, between).or_else(|| self.range_sign(from.end, between));
        let to = to.and_then(|start| self.weekday(self.behind_fillers(start)));
        let days = to.and_then(|to| Some((from.days.up_to(to.days)?, to)));
        Some(match days {
            Some((days, to)) => Named {
                days,
                sure: from.sure.max(to.sure),
                count: 2,
                end: self.range_close(self.behind_day_stop(to.end)),
            },
            None => from,
        })
    }

    /// The name of a day, or of several.
    fn weekday(&self, at: usize) -> Option<Named> {
        let name = |mean| if let Mean::Weekdays(days, sure) = mean { Some((days, sure)) } else { None };
        let ((days, sure), end) = self.here(at).pick(name)?;
        let unit = |mean| match mean {
            Mean::Time(unit) => unit != TimeUnit::Night,
            Mean::Counter | Mean::Unit(_) | Mean::Currency(..) => true,
            _ => false,
        };
        // "Once a week" is written as the first day of the week and a counter.
        let counted = self.numbers.numerals.by_digits && self.here(end).has(unit);
        (!counted || days.count() > 1).then_some(Named { days, sure, count: 1, end })
    }

    /// Behind the full stop of an abbreviation.
    fn behind_day_stop(&self, end: usize) -> usize {
        let stop = self.char_at(end) == Some('.');
        let goes_on =
            |c: char| c.is_lowercase() || c.is_numeric() || matches!(c, '-' | '\u{2013}' | ',' | '/');
        let behind = self.char_at(self.gap(end + 1)).is_some_and(goes_on);
        if stop && behind { end + 1 } else { end }
    }

    fn behind_fillers(&self, at: usize) -> usize {
        let mut start = at;
        for _ in 0..2 {
            match self.here(start).pick(|mean| (mean == Mean::DayFiller).then_some(())) {
                Some(((), end)) if self.weekday(start).is_none() => start = self.gap(end),
                _ => break,
            }
        }
        start
    }

    /// A word or sign that adds a day to those before it: where it ends.
    fn joiner(&self, at: usize) -> Option<usize> {
        if let Some(c @ ('/' | '&' | '+')) = self.char_at(at) {
            return Some(at + c.len_utf8());
        }
        let word = self.here(at).pick_part(|mean| (mean == Mean::DayJoin).then_some(()));
        let whole = self.here(at).pick(|mean| (mean == Mean::DayJoin).then_some(()));
        let han = self.sort_at(at) == Some(Sort::Han) || self.char_at(at) == Some('\u{3001}');
        whole.or(word.filter(|_| han)).map(|((), end)| end)
    }

    /// Behind what stands between two days of a list; whether that is more than a comma.
    fn between_days(&self, end: usize) -> Option<(bool, usize)> {
        let start = self.gap(self.behind_day_stop(end));
        // "Friday evenings and Saturdays".
        let part = self.here(start).pick(|mean| matches!(mean, Mean::DayPart(_)).then_some(()));
        let start = part.map_or(start, |((), end)| self.gap(end));
        let comma = matches!(self.char_at(start), Some(',' | '\u{60C}' | '\u{FF0C}'));
        let behind =
            if comma { self.gap(start + self.char_at(start).map_or(0, char::len_utf8)) } else { start };
        if let Some(joined) = self.joiner(behind).or_else(|| self.behind_joiner(behind)) {
            return Some((true, self.behind_fillers(self.gap(joined))));
        }
        let unspaced = start == end && self.sort_at(end) == Some(Sort::Han);
        (comma || unspaced).then(|| (unspaced, self.behind_fillers(behind)))
    }
}

impl Named {
    fn and(self, next: Self) -> Self {
        Self {
            days: self.days.and(next.days),
            sure: self.sure.max(next.sure),
            count: self.count + next.count,
            end: next.end,
        }
    }
}
