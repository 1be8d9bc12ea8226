//! A number with what it is a number of: money, measures, lengths of time, shares.

use super::decimal::Decimal;
use super::digits::Digits;
use super::fractions::vulgar;
use super::lexicon::Mean;
use super::reader::Reader;
use super::types::{Amount, Calendar, Date, Kind, Reading};
use super::units::{TimeUnit, Unit};

/// How much, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    Number(Reading),
    Fraction(u64, u64),
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Nothing,
    /// Things for which a language has words of their own beside a number.
    Things,
    Percent,
    /// A currency by its place in the lexicon.
    Money(usize),
    Measure(Unit),
    /// A unit of time; whether it may be the hour of the clock.
    Time(TimeUnit, bool),
    Order,
}

/// A number and what it counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) end: usize,
    pub(super) quantity: Quantity,
    pub(super) of: Of,
    /// A number word that is none by itself.
    pub(super) weak: bool,
    /// In digits without any mark: how many.
    pub(super) plain: Option<usize>,
    /// The currency stands before the number.
    pub(super) currency_first: bool,
}

impl Quantity {
    pub(super) fn reading(self) -> Option<Reading> {
        match self {
            Quantity::Number(reading) => Some(reading),
            Quantity::Fraction(..) => None,
        }
    }
}

impl Part {
    /// The whole number, where it has no unit and can be read in no other way.
    pub(super) fn whole(&self) -> Option<u64> {
        let reading = self.quantity.reading().filter(|reading| reading.other.is_none())?;
        reading.value.whole().filter(|_| matches!(self.of, Of::Nothing | Of::Order))
    }
}

impl Reader<'_> {
    /// The number that begins here with what it counts, the currency before it or behind it.
    pub(super) fn part(&self, at: usize) -> Option<Part> {
        self.any_part(at).filter(|part| !part.weak)
    }

    /// As [`Reader::part`], and a word that is no number by itself.
    pub(super) fn any_part(&self, at: usize) -> Option<Part> {
        self.memory.part.or_find(at, || self.find_part(at))
    }

    fn find_part(&self, at: usize) -> Option<Part> {
        if let Some(part) = self.currency_first(at) {
            return Some(part);
        }
        let part = self.number(at)?;
        let Some((of, end)) = self.counted(&part) else {
            return Some(self.ordinal(part));
        };
        // "One piece" is most often an article before its noun.
        let one = part.quantity.reading().is_some_and(|reading| reading.value == Decimal::from(1));
        let weak = part.weak && one && of == Of::Things;
        Some(self.with_more(Part { of, end, weak, ..part }))
    }

    fn currency_first(&self, at: usize) -> Option<Part> {
        let before = |mean| if let Mean::Currency(currency, true) = mean { Some(currency) } else { None };
        let (currency, end) = self.here(at).pick_before_digit(before)?;
        let end = if self.char_at(end) == Some('.') { end + 1 } else { end };
        let start = self.gap(end);
        self.digit_at(start)?;
        let number = self.number(start)?;
        // A code or a sign may stand on both sides.
        let again = |mean| (mean == Mean::Currency(currency, true)).then_some(());
        let behind = self.here(self.gap(number.end)).pick(again);
        let end = behind.map_or(number.end, |((), end)| end);
        Some(Part { of: Of::Money(currency), end, currency_first: true, ..number })
    }

    /// The number that begins here, in digits or in words, without anything behind it.
    pub(super) fn number(&self, at: usize) -> Option<Part> {
        self.memory.number.or_find(at, || self.find_number(at))
    }

    fn find_number(&self, at: usize) -> Option<Part> {
        let c = self.char_at(at)?;
        let plain = |end, quantity| Part {
            end,
            quantity,
            of: Of::Nothing,
            weak: false,
            plain: None,
            currency_first: false,
        };
        if self.folding.digit(c).is_some() {
            if let Some((over, under, end)) = self.written_fraction(at) {
                return Some(plain(end, Quantity::fraction(over, under)));
            }
            let Digits::Number(written) = self.digits(at)? else {
                return None;
            };
            let number =
                Part { plain: written.plain, ..plain(written.end, Quantity::Number(written.reading)) };
            let more = self
                .and_fraction(number)
                .or_else(|| self.scaled(number, u64::MAX))
                .or_else(|| self.and_half(number));
            return Some(more.unwrap_or(number));
        }
        if let Some((over, under)) = vulgar(c) {
            return Some(plain(at + c.len_utf8(), Quantity::fraction(over, under)));
        }
        let fraction = |mean| match mean {
            Mean::Fraction(over, under) => Some((over, under, false)),
            Mean::UnitFraction(over, under) => Some((over, under, true)),
            _ => None,
        };
        let here = self.here(at);
        let spelled = self.spelled(at);
        if let Some(((over, under, weak), end)) = here.pick(fraction)
            && spelled.is_none_or(|spelled| spelled.end <= end)
        {
            return Some(Part { weak, ..plain(end, Quantity::fraction(over, under)) });
        }
        let spelled = spelled?;
        // "Two thirds", "a half".
        if let Some(((over, under, weak), end)) = self.here(self.link(spelled.end)).pick(fraction)
            && let Some(times) = spelled.value.whole().filter(|times| *times > 0 && *times < 100)
        {
            let weak = weak && spelled.weak;
            return Some(Part { weak, ..plain(end, Quantity::fraction(over * times, under)) });
        }
        let number = plain(spelled.end, Quantity::Number(Reading::sure(spelled.value)));
        let number = Part { weak: spelled.weak, ..number };
        Some(self.and_half(number).unwrap_or(number))
    }

    /// `3 million`: a scale below `limit`.
    fn scaled(&self, number: Part, limit: u64) -> Option<Part> {
        let scale = |mean| match mean {
            Mean::Times(scale @ 1000..) if scale < limit => Some(scale),
            _ => None,
        };
        let (scale, end) = self.here(self.link(number.end)).pick(scale)?;
        let reading = number.quantity.reading()?.map(|number| number.times(i128::from(scale)))?;
        let whole = Part { end, quantity: Quantity::Number(reading), plain: None, ..number };
        Some(self.and_scaled(whole, scale).unwrap_or(whole))
    }

    /// `3 million and 400 thousand`: a smaller part in digits, joined on. Each scale is met once, so that this ends.
    fn and_scaled(&self, number: Part, scale: u64) -> Option<Part> {
        let ((), join) = self.here(self.gap(number.end)).pick(|mean| (mean == Mean::Join).then_some(()))?;
        let start = self.gap(join);
        self.digit_at(start)?;
        let Digits::Number(written) = self.digits(start)? else { return None };
        let more = Part {
            end: written.end,
            quantity: Quantity::Number(written.reading),
            plain: written.plain,
            ..number
        };
        let more = self.scaled(more, scale)?;
        let (total, part) = (number.quantity.reading()?, more.quantity.reading()?);
        let below = part.value.whole().is_some_and(|part| part < scale);
        let reading = below.then(|| total.map(|total| total.plus(part.value))).flatten()?;
        Some(Part { end: more.end, quantity: Quantity::Number(reading), plain: None, ..number })
    }

    /// What stands behind a number and says what it counts; where that ends.
    pub(super) fn counted(&self, number: &Part) -> Option<(Of, usize)> {
        let start = self.link(number.end);
        if let Some(found) = self.unit_of(start, Some(number)) {
            return Some(found);
        }
        // "A million of euros", "half an hour".
        let little = |mean| matches!(mean, Mean::Filler | Mean::Weak(_)).then_some(());
        let ((), end) = self.here(start).pick(little)?;
        let (of, end) = self.unit(self.link(end))?;
        let fraction = number.quantity.reading().is_none_or(|reading| !reading.value.is_integer());
        (matches!(of, Of::Money(_)) || (fraction && number.plain.is_none())).then_some((of, end))
    }

    pub(super) fn unit(&self, at: usize) -> Option<(Of, usize)> {
        self.unit_of(at, None)
    }

    /// What stands here and may be counted by a number before it.
    fn unit_of(&self, at: usize, before: Option<&Part>) -> Option<(Of, usize)> {
        if self.digit_at(at).is_some() {
            return None;
        }
        let here = self.here(at);
        let of = |mean| match mean {
            Mean::Percent => Some(Of::Percent),
            Mean::Currency(currency, _) => Some(Of::Money(currency)),
            Mean::Unit(unit) => Some(Of::Measure(unit)),
            Mean::Time(unit) => Some(Of::Time(unit, false)),
            Mean::Counter => Some(Of::Things),
            _ => None,
        };
        // The sign of a currency may have its decimals right behind it.
        let sign =
            |mean| if let Mean::Currency(currency, true) = mean { Some(Of::Money(currency)) } else { None };
        let (of, end) = here.pick(of).or_else(|| here.pick_before_digit(sign))?;
        if of == Of::Measure(Unit::Gram) && here.has(|mean| mean == Mean::YearMark) {
            // In Cyrillic one letter stands for both; only years of our time are taken for years.
            let year = before.and_then(|part| part.whole()).is_some_and(|year| (2001..=2099).contains(&year));
            return Some((if year { Of::Time(TimeUnit::Year, false) } else { of }, end));
        }
        if let Of::Time(TimeUnit::Hour, _) = of {
            let clock = here.has(|mean| mean == Mean::ClockMark(false));
            return Some((Of::Time(TimeUnit::Hour, clock), end));
        }
        Some((of, end))
    }

    /// An ordinal mark in one with the digits, or with a hyphen between.
    fn ordinal(&self, number: Part) -> Part {
        let start = match self.char_at(number.end) {
            Some('-' | '\u{2010}' | '\u{2011}' | '.') => self.link(number.end).max(number.end + 1),
            _ => number.end,
        };
        // A place is a small number.
        if number.plain.is_none_or(|digits| digits > 4) {
            return number;
        }
        let mark = |mean| (mean == Mean::OrdinalMark).then_some(());
        match self.text.get(start..).and_then(|_| self.here(start).pick(mark)) {
            Some(((), end)) => Part { end, of: Of::Order, ..number },
            None => number,
        }
    }

    /// What a number with what it counts is, or a range of two.
    pub(super) fn kind(&self, from: Quantity, to: Option<Quantity>, of: Of) -> Option<Kind> {
        if let (Quantity::Fraction(over, under), None) = (from, to) {
            return Some(Kind::Fraction { over, under });
        }
        let to = match to {
            Some(to) => Some(to.reading()?),
            None => None,
        };
        let amount = Amount { from: from.reading()?, to };
        Some(match of {
            Of::Nothing | Of::Things => Kind::Number { amount },
            Of::Percent => Kind::Percent { amount },
            Of::Money(currency) => {
                // Nobody writes thousandths of money, unless the mark is that of the language's decimals.
                let sure = |reading: Reading| {
                    if reading.value.is_integer() { Reading::sure(reading.value) } else { reading }
                };
                let amount = Amount { from: sure(amount.from), to: amount.to.map(sure) };
                Kind::Money { amount, currency: self.lexicon.currency(currency)? }
            }
            Of::Measure(unit) => Kind::Measure { amount, unit },
            Of::Time(TimeUnit::Year, _) if year_of(amount.from).is_some() => Kind::Date {
                from: year_of(amount.from)?,
                to: match amount.to {
                    Some(to) => Some(year_of(to)?),
                    None => None,
                },
            },
            Of::Time(unit, clock) => Kind::Duration { amount, unit, clock },
            Of::Order => Kind::Ordinal { place: amount.from.value.whole()? },
        })
    }
}

/// Nothing lasts as many years: it is the year of that number.
fn year_of(number: Reading) -> Option<Date> {
    let year = number.value.whole().filter(|year| (1000..=2100).contains(year));
    let year = year.and_then(|year| u16::try_from(year).ok())?;
    Some(Date { year: Some(year), month: None, day: None, calendar: Calendar::Gregorian })
}
