//! A price in tenths of the full one, as Chinese shops write a reduction: 八五折 and 8.5折 are 15 in a hundred off.

use super::decimal::Decimal;
use super::digits::Digits;
use super::lexicon::Mean;
use super::reader::Reader;
use super::types::{Amount, Kind, Reading};

/// So many digits say it at most: tenths, and hundredths behind them.
const LONGEST: usize = 2;

impl Reader<'_> {
    /// The reduction that begins here, and where it ends: what is taken off, as it is written with a percent sign.
    pub(super) fn tenths(&self, at: usize) -> Option<(Kind, usize)> {
        let (number, end) = if self.digit_at(at).is_some() {
            let Digits::Number(written) = self.digits(at)? else { return None };
            (written.reading.value, written.end)
        } else {
            self.spelled_digits(at)?
        };
        // Of longer words that begin so, such as "to fold", the whole is meant.
        let (means, end) = self.here(end).all(|_| true)?;
        means.contains(&Mean::Tenths).then_some(())?;
        let tenths = !number.is_integer() || number.whole().is_some_and(|number| number <= 10);
        let left = if tenths { number.times(10)? } else { number };
        let off = Decimal::from(100).plus(left.negated())?;
        if off.is_integer() && off.whole().is_none() {
            return None;
        }
        let amount = Amount::one(Reading::sure(off));
        Some((Kind::Percent { amount }, end))
    }

    /// Digits in words, one after the other.
    fn spelled_digits(&self, at: usize) -> Option<(Decimal, usize)> {
        let digit = |at: usize| {
            self.here(at).pick_part(|mean| match mean {
                Mean::Add(digit) | Mean::Weak(digit) => digit.whole().filter(|digit| *digit < 10),
                _ => None,
            })
        };
        let (mut number, mut end) = digit(at)?;
        for _ in 1..LONGEST {
            let Some((next, behind)) = digit(end) else { break };
            (number, end) = (number * 10 + next, behind);
        }
        Some((Decimal::from(number), end))
    }
}
