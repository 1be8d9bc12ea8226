//! What a text names without a value beside it: periods in the head of a column, and the one of `a visit`.

use std::ops::Range;

use super::around::{period_of_time, period_of_unit};
use super::decimal::Decimal;
use super::fold::{Folding, Sort};
use super::here::{Here, Memory};
use super::lexicon::Mean;
use super::reader::Reader;
use super::types::{Bound, Kind, Period, Value};
use crate::Pack;

impl Pack {
    /// The periods that a text names, with where each stands, in bytes and in order: `monthly`, `Price a week`, `day`.
    /// `values`: those of the text; their units are no periods, but those of one are: `a week`.
    #[must_use]
    pub fn periods(&self, text: &str, values: &[Value]) -> Vec<(Range<usize>, Period)> {
        let of_value = |value: &Value| value.as_period().map(|period| (value.span.clone(), period));
        let mut periods: Vec<(Range<usize>, Period)> = values.iter().filter_map(of_value).collect();
        self.each_phrase(text, |at, here| {
            let next = values.partition_point(|value| value.span.end <= at);
            if values.get(next).is_some_and(|value| value.span.contains(&at)) {
                return None;
            }
            let (period, end) = here.pick(|mean| match mean {
                Mean::Period(period) => Some(period),
                Mean::Time(unit) => period_of_time(unit),
                Mean::Unit(unit) => period_of_unit(unit),
                _ => None,
            })?;
            periods.push((at..end, period));
            Some(end)
        });
        periods.sort_by_key(|(span, _)| span.start);
        periods
    }

    /// Those whom a text names and a value may be counted for each of, with where each stands, in bytes and in order:
    /// `children pay`.
    #[must_use]
    pub fn payers(&self, text: &str) -> Vec<(Range<usize>, Period)> {
        let mut payers = Vec::new();
        self.each_phrase(text, |at, here| {
            let (payer, end) =
                here.pick(|mean| if let Mean::Payer(payer) = mean { Some(payer) } else { None })?;
            payers.push((at..end, payer));
            Some(end)
        });
        payers
    }

    /// Where a text names parts of the day, in bytes: `in the afternoon`.
    #[must_use]
    pub fn day_parts(&self, text: &str) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        self.each_phrase(text, |at, here| {
            let ((), end) = here.pick(|mean| matches!(mean, Mean::DayPart(_)).then_some(()))?;
            parts.push(at..end);
            Some(end)
        });
        parts
    }

    /// The limits that a text names without a value: `maximum weight`.
    #[must_use]
    pub fn bounds(&self, text: &str) -> Vec<Bound> {
        let mut bounds = Vec::new();
        self.each_phrase(text, |_, here| {
            let (bound, end) = here.pick(|mean| match mean {
                Mean::Before(bound) | Mean::After(bound) => Some(bound),
                _ => None,
            })?;
            bounds.push(bound);
            Some(end)
        });
        bounds
    }

    /// Whether a text has a word that may be the number one and may be an article.
    #[must_use]
    pub fn says_one(&self, text: &str) -> bool {
        let mut one = false;
        self.each_phrase(text, |_, here| {
            one |= here.has(|mean| mean == Mean::Weak(Decimal::from(1)));
            None
        });
        one
    }

    /// Shows `look` the phrases at the beginning of each word; where it says so, it goes on behind one of them.
    fn each_phrase(&self, text: &str, mut look: impl FnMut(usize, &Here<'_>) -> Option<usize>) {
        let numbers = &self.numbers;
        let memory = Memory::default();
        let folding = Folding::new();
        let reader = Reader { text, numbers, lexicon: numbers.lexicon(), folding, memory: &memory };
        let mut at = 0;
        while let Some(c) = reader.char_at(at) {
            let sort = folding.sort(c);
            if !matches!(sort, Sort::Letter | Sort::Han) {
                at += c.len_utf8();
                continue;
            }
            let next = if sort == Sort::Han {
                at + c.len_utf8()
            } else {
                reader.word_end(at).max(at + c.len_utf8())
            };
            at = look(at, &reader.look(at)).unwrap_or(next).max(at + c.len_utf8());
        }
    }
}

impl Value {
    /// The period that a length of one such is: `a week`, `one month`.
    #[must_use]
    pub fn as_period(&self) -> Option<Period> {
        match self.kind {
            Kind::Duration { amount, unit, .. } if self.bound.is_none() && amount.is_one() => {
                period_of_time(unit)
            }
            _ => None,
        }
    }

    /// Whether it is the bare number one.
    #[must_use]
    pub fn is_one(&self) -> bool {
        matches!(self.kind, Kind::Number { amount } if self.bound.is_none() && amount.is_one())
    }
}
