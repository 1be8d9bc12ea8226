//! Money and tokens as integers: micro-units of a currency, prices a million tokens.

use serde::{Deserialize, Serialize};

/// An amount in micro-units of the shop's currency: `1_000_000` is one euro where that is euros.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Micros(pub u64);

/// Tokens a model was sent and wrote, over one call or several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of everything sent: system text, tools, every block of every message.
    pub input_tokens: u64,
    /// Tokens of what came back.
    pub output_tokens: u64,
}

impl Usage {
    /// Adds another usage to this one; a sum that does not fit stays at the largest number.
    pub fn add(&mut self, other: Usage) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}

/// What a model costs: micro-units a million tokens, in and out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prices {
    /// Micro-units a million input tokens.
    pub input_per_million: Micros,
    /// Micro-units a million output tokens.
    pub output_per_million: Micros,
}

/// One million: tokens a price is quoted for, and micro-units in a unit.
pub const MILLION: u128 = 1_000_000;

impl Prices {
    /// The cost of a usage in millionths of a micro-unit, exact.
    ///
    /// Totals are compared in this unit, so that no rounding decides a gate.
    #[must_use]
    pub fn exact(&self, usage: Usage) -> u128 {
        u128::from(usage.input_tokens) * u128::from(self.input_per_million.0)
            + u128::from(usage.output_tokens) * u128::from(self.output_per_million.0)
    }

    /// The cost of a usage in whole micro-units, rounded up: what the ledger keeps.
    #[must_use]
    pub fn cost(&self, usage: Usage) -> Micros {
        Micros(u64::try_from(self.exact(usage).div_ceil(MILLION)).unwrap_or(u64::MAX))
    }
}

impl std::fmt::Display for Micros {
    /// Two decimals, halves away from zero: `780272` is `0.78`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cents = (u128::from(self.0) + 5_000) / 10_000;
        write!(f, "{}.{:02}", cents / 100, cents % 100)
    }
}

/// An amount that is not money: what was wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an amount; write it as digits with at most six decimals, such as \"3.00\"")]
pub struct BadAmount(String);

impl std::str::FromStr for Micros {
    type Err = BadAmount;

    fn from_str(text: &str) -> Result<Self, BadAmount> {
        let bad = || BadAmount(text.to_owned());
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || part.len() > 6 || !digits(whole) || !digits(part) {
            return Err(bad());
        }
        let units: u64 = whole.parse().map_err(|_| bad())?;
        let micros: u64 = format!("{part:0<6}").parse().map_err(|_| bad())?;
        units.checked_mul(1_000_000).and_then(|sum| sum.checked_add(micros)).map(Micros).ok_or_else(bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_exactly_and_shown_with_two_decimals() {
        assert_eq!("3.00".parse(), Ok(Micros(3_000_000)));
        assert_eq!("0.000001".parse(), Ok(Micros(1)));
        assert_eq!("12".parse(), Ok(Micros(12_000_000)));
        for bad in ["", ".5", "1,5", "-1", "1.0000001", "99999999999999999999", "1.+3"] {
            assert!(bad.parse::<Micros>().is_err(), "{bad}");
        }
        assert_eq!(Micros(780_272).to_string(), "0.78");
        assert_eq!(Micros(995_000).to_string(), "1.00");
    }

    #[test]
    fn the_ledger_rounds_up_and_the_gate_does_not_round() {
        let prices = Prices { input_per_million: Micros(3_000_000), output_per_million: Micros(150_000) };
        let usage = Usage { input_tokens: 1, output_tokens: 1 };
        assert_eq!(prices.exact(usage), 3_150_000);
        assert_eq!(prices.cost(usage), Micros(4));
    }
}
