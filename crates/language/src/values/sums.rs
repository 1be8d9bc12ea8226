//! Amounts in two parts: years and months, hours and a half, euros and cents.

use super::amounts::{Of, Part, Quantity};
use super::decimal::Decimal;
use super::fold::Sort;
use super::lexicon::Mean;
use super::reader::Reader;
use super::types::{Kind, Reading};
use super::units::TimeUnit;

impl Reader<'_> {
    /// A length of time or a sum of money with its smaller units behind it.
    pub(super) fn with_more(&self, part: Part) -> Part {
        let more = match part.of {
            Of::Time(unit, _) => self.and_a_half(part).or_else(|| self.and_time(part, unit)),
            Of::Measure(_) => self.and_a_half(part),
            Of::Money(currency) => self.and_cents(part, currency),
            _ => None,
        };
        more.unwrap_or(part)
    }

    /// Behind white space and a joiner, which may be left out; whether there was one.
    pub(super) fn behind_join(&self, at: usize) -> (usize, bool) {
        let start = self.gap(self.behind_stop(at));
        match self.here(start).pick(|mean| (mean == Mean::Join).then_some(())) {
            Some(((), end)) => (self.gap(end), true),
            None => {
                self.behind_joiner(start).filter(|_| start > at).map_or((start, false), |end| (end, true))
            }
        }
    }

    /// Behind the full stop of an abbreviated unit that digits follow; a whole word keeps its own.
    fn behind_stop(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default().chars().rev();
        let short = before.take(4).take_while(|c| c.is_alphabetic()).count() <= 3;
        let digits = || self.digit_at(self.gap(at + 1)).is_some();
        if self.char_at(at) == Some('.') && short && digits() { at + 1 } else { at }
    }

    /// "Two years and a half".
    fn and_a_half(&self, part: Part) -> Option<Part> {
        let start = self.half_behind(part.end)?;
        let half = |mean| matches!(mean, Mean::Fraction(1, 2) | Mean::UnitFraction(1, 2)).then_some(());
        let ((), end) = self.here(start).pick(half)?;
        if self.unit(self.link(end)).is_some() {
            return None;
        }
        let reading = part.quantity.reading()?.map(|number| number.plus(Decimal::new(5, 1)))?;
        Some(Part { end, quantity: Quantity::Number(reading), ..part })
    }

    /// "Hour and a half", where one of it is not said.
    pub(super) fn unit_and_a_half(&self, at: usize) -> Option<(Kind, usize)> {
        let time = |mean| if let Mean::Time(unit) = mean { Some(unit) } else { None };
        let (unit, end) = self.here(at).pick(time)?;
        let of = Of::Time(unit, false);
        let one = Part {
            end,
            quantity: Quantity::Number(Reading::sure(Decimal::from(1))),
            of,
            weak: false,
            plain: None,
            currency_first: false,
        };
        let (_, true) = self.behind_join(end) else {
            return None;
        };
        let part = self.and_a_half(one)?;
        Some((self.kind(part.quantity, None, of)?, part.end))
    }

    /// "An hour and thirty minutes".
    fn and_time(&self, part: Part, unit: TimeUnit) -> Option<Part> {
        let (start, _) = self.behind_join(part.end);
        if start == part.end && self.sort_at(start) != Some(Sort::Digit) {
            return None;
        }
        let more = self.number(start)?;
        let (Of::Time(smaller, _), end) = self.counted(&more)? else {
            return None;
        };
        let ((base, large), (same, small)) = (unit.measure(), smaller.measure());
        if base != same || small >= large {
            return None;
        }
        let reading = part
            .quantity
            .reading()?
            .map(|number| number.times(large / small)?.plus(more.quantity.reading()?.value))?;
        let part = Part { end, quantity: Quantity::Number(reading), of: Of::Time(smaller, false), ..part };
        // Seconds may follow minutes, and nothing follows seconds.
        Some(self.and_time(part, smaller).unwrap_or(part))
    }

    /// `3 € 50`, "three euros and fifty cents".
    fn and_cents(&self, part: Part, currency: usize) -> Option<Part> {
        let whole = part.quantity.reading().filter(|reading| reading.value.is_integer())?;
        let add = |cents: u64, end| {
            let cents = Decimal::from(cents).hundredth();
            let reading = whole.map(|whole| whole.plus(cents))?;
            Some(Part { end, quantity: Quantity::Number(Reading { other: None, ..reading }), ..part })
        };
        if let Some((cents, 2, end)) = self.integer(part.end, 2) {
            return add(cents, end);
        }
        let (start, _) = self.behind_join(part.end);
        if start == part.end {
            return None;
        }
        let more = self.number(start)?;
        let cents = |mean| (mean == Mean::Cents(currency)).then_some(());
        let ((), end) = self.here(self.link(more.end)).pick(cents)?;
        add(more.whole().filter(|cents| *cents < 100)?, end)
    }

    /// A number of cents, as part of its currency.
    pub(super) fn cents(&self, at: usize) -> Option<Part> {
        let number = self.number(at)?;
        let cents = |mean| if let Mean::Cents(currency) = mean { Some(currency) } else { None };
        let (currency, end) = self.here(self.link(number.end)).pick(cents)?;
        let reading = number.quantity.reading()?.map(|cents| Some(cents.hundredth()))?;
        let of = Of::Money(currency);
        Some(Part { end, of, quantity: Quantity::Number(reading), weak: false, ..number })
    }
}
