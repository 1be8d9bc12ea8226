//! Exact decimal numbers.

use std::cmp::Ordering;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most digits a number may have; what is longer is no quantity but an identifier.
pub(crate) const MOST_DIGITS: usize = 30;

/// An exact decimal number: an integer and how many of its digits stand behind the decimal mark.
///
/// Trailing zeros behind the mark are not kept, so that equal numbers are equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    mantissa: i128,
    scale: u32,
}

impl Decimal {
    /// `mantissa` with the last `scale` of its digits behind the decimal mark.
    #[must_use]
    pub fn new(mut mantissa: i128, mut scale: u32) -> Self {
        while scale > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            scale -= 1;
        }
        Self { mantissa, scale }
    }

    /// Whether it has no digits behind the decimal mark.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.scale == 0
    }

    /// The number where it is a whole one from zero on, and not too large.
    #[must_use]
    pub fn whole(self) -> Option<u64> {
        if self.scale == 0 { u64::try_from(self.mantissa).ok() } else { None }
    }

    /// Whether it is less than one.
    #[must_use]
    pub fn is_below_one(self) -> bool {
        10_i128.checked_pow(self.scale).is_none_or(|one| self.mantissa < one)
    }

    /// The product, or none where it has too many digits.
    #[must_use]
    pub fn times(self, factor: i128) -> Option<Self> {
        Some(Self::new(self.mantissa.checked_mul(factor)?, self.scale))
    }

    /// The sum, or none where it has too many digits.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let sum = self.mantissa_at(scale)?.checked_add(other.mantissa_at(scale)?)?;
        Some(Self::new(sum, scale))
    }

    /// The number a hundred times smaller.
    #[must_use]
    pub fn hundredth(self) -> Self {
        Self::new(self.mantissa, self.scale + 2)
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { mantissa: self.mantissa.saturating_neg(), scale: self.scale }
    }

    /// The fraction as a decimal number, or none where it would never end.
    #[must_use]
    pub fn of_fraction(over: u64, under: u64) -> Option<Self> {
        let (over, under) = (i128::from(over), i128::from(under));
        let mut power = 1_i128;
        // Whatever ends, ends within the number of twos or fives in the denominator; those of use are small.
        for scale in 0..=6 {
            if under != 0 && (over * power) % under == 0 {
                return Some(Self::new(over * power / under, scale));
            }
            power *= 10;
        }
        None
    }

    fn mantissa_at(self, scale: u32) -> Option<i128> {
        self.mantissa.checked_mul(10_i128.checked_pow(scale.checked_sub(self.scale)?)?)
    }
}

impl From<u64> for Decimal {
    fn from(number: u64) -> Self {
        Self { mantissa: i128::from(number), scale: 0 }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        match (self.mantissa_at(scale), other.mantissa_at(scale)) {
            (Some(ours), Some(theirs)) => ours.cmp(&theirs),
            // One of them is too large to be written with as many digits behind the mark: its whole part
            // decides, and where that is the same for both, what stands behind it.
            _ => {
                let parts = |one: &Self| {
                    let power = 10_i128.checked_pow(one.scale).unwrap_or(i128::MAX);
                    (one.mantissa.div_euclid(power), one.scale)
                };
                parts(self).cmp(&parts(other))
            }
        }
    }
}

/// A text that is no decimal number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no number; write digits, and a full stop before those behind the decimal mark")]
pub struct BadDecimal(String);

impl FromStr for Decimal {
    type Err = BadDecimal;

    /// Reads what `Display` writes: ASCII digits, a full stop as the decimal mark, a minus sign in front.
    fn from_str(text: &str) -> Result<Self, BadDecimal> {
        let bad = || BadDecimal(text.to_owned());
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (whole, behind) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let digits = format!("{whole}{behind}");
        let plain = !whole.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if !plain || digits.len() > MOST_DIGITS || unsigned.ends_with('.') {
            return Err(bad());
        }
        let mantissa: i128 = digits.parse().map_err(|_| bad())?;
        let number = Self::new(mantissa, u32::try_from(behind.len()).map_err(|_| bad())?);
        Ok(if text.starts_with('-') { number.negated() } else { number })
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.mantissa < 0 { "-" } else { "" };
        let digits = self.mantissa.unsigned_abs().to_string();
        let scale = self.scale as usize;
        if scale == 0 {
            return write!(f, "{sign}{digits}");
        }
        let padded = format!("{digits:0>width$}", width = scale + 1);
        let (whole, behind) = padded.split_at_checked(padded.len() - scale).unwrap_or((&padded, ""));
        write!(f, "{sign}{whole}.{behind}")
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_exact() {
        for (text, written) in [
            ("3.50", "3.5"),
            ("0.05", "0.05"),
            ("-0.5", "-0.5"),
            ("1200", "1200"),
            ("007", "7"),
            ("0.0", "0"),
        ] {
            assert_eq!(text.parse::<Decimal>().unwrap().to_string(), written);
        }
        for bad in ["", ".", "1.", ".5", "1,5", "--1", "1e5", &"9".repeat(31)] {
            assert!(bad.parse::<Decimal>().is_err(), "{bad:?}");
        }
        assert_eq!(Decimal::of_fraction(3, 4), "0.75".parse().ok());
        assert_eq!(Decimal::of_fraction(1, 3), None);
        assert_eq!(Decimal::of_fraction(1, 0), None);
        let huge: Decimal = "9".repeat(30).parse().unwrap();
        assert_eq!(huge.times(i128::MAX), None);
        assert!(huge > "0.0000000000000000000000000001".parse().unwrap());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(mantissa in -1_000_000_000_000_i128..1_000_000_000_000, scale in 0_u32..9) {
            let number = Decimal::new(mantissa, scale);
            prop_assert_eq!(number.to_string().parse::<Decimal>().unwrap(), number);
        }

        #[test]
        fn order_is_that_of_the_numbers(a in -100_000_i32..100_000, b in -100_000_i32..100_000) {
            let of = |n: i32| Decimal::new(i128::from(n), 2);
            prop_assert_eq!(of(a).cmp(&of(b)), a.cmp(&b));
            prop_assert_eq!(of(a).plus(of(b)), Some(of(a + b)));
        }
    }
}
