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
    /// Those of `input_tokens` that the provider read from its cache.
    #[serde(default, skip_serializing_if = "is_none")]
    pub cached_input_tokens: u64,
    /// Those of `output_tokens` that the model thought and did not say.
    #[serde(default, skip_serializing_if = "is_none")]
    pub reasoning_tokens: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_none(tokens: &u64) -> bool {
    *tokens == 0
}

impl Usage {
    /// Tokens in and out, none of them cached or thought.
    #[must_use]
    pub fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self { input_tokens, output_tokens, ..Self::default() }
    }

    /// Adds another usage to this one; a sum that does not fit stays at the largest number.
    pub fn add(&mut self, other: Usage) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cached_input_tokens = self.cached_input_tokens.saturating_add(other.cached_input_tokens);
        self.reasoning_tokens = self.reasoning_tokens.saturating_add(other.reasoning_tokens);
    }
}

/// What a provider has reported of a call so far; a later figure takes the place of an earlier one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reported {
    /// Tokens of everything sent, cached ones among them; `None` where it said nothing of them.
    pub input_tokens: Option<u64>,
    /// Tokens of everything that came back, thought ones among them.
    pub output_tokens: Option<u64>,
    /// Input tokens read from the provider's cache.
    pub cached_input_tokens: Option<u64>,
    /// Output tokens that were thought and not said.
    pub reasoning_tokens: Option<u64>,
}

impl From<Usage> for Reported {
    fn from(usage: Usage) -> Self {
        Self {
            input_tokens: Some(usage.input_tokens),
            output_tokens: Some(usage.output_tokens),
            cached_input_tokens: Some(usage.cached_input_tokens),
            reasoning_tokens: Some(usage.reasoning_tokens),
        }
    }
}

impl Reported {
    /// Takes over every figure that `later` has.
    pub fn update(&mut self, later: Reported) {
        self.input_tokens = later.input_tokens.or(self.input_tokens);
        self.output_tokens = later.output_tokens.or(self.output_tokens);
        self.cached_input_tokens = later.cached_input_tokens.or(self.cached_input_tokens);
        self.reasoning_tokens = later.reasoning_tokens.or(self.reasoning_tokens);
    }

    /// Whether nothing has to be estimated.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.input_tokens.is_some() && self.output_tokens.is_some()
    }

    /// The usage, with its gaps filled from `estimate`. Parts never exceed what they are parts of.
    #[must_use]
    pub fn filled(&self, estimate: Usage) -> Usage {
        let input_tokens = self.input_tokens.unwrap_or(estimate.input_tokens);
        let output_tokens = self.output_tokens.unwrap_or(estimate.output_tokens);
        Usage {
            input_tokens,
            output_tokens,
            cached_input_tokens: self.cached_input_tokens.unwrap_or(0).min(input_tokens),
            reasoning_tokens: self.reasoning_tokens.unwrap_or(0).min(output_tokens),
        }
    }
}

/// What a model costs: micro-units a million tokens, in and out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prices {
    /// Micro-units a million input tokens.
    pub input_per_million: Micros,
    /// Micro-units a million output tokens.
    pub output_per_million: Micros,
    /// Micro-units a million input tokens that the provider read from its cache; `None`: as any other.
    #[serde(default)]
    pub cached_input_per_million: Option<Micros>,
    /// What a long call costs, where that is another price; `None`: as any other.
    #[serde(default)]
    pub long: Option<LongPrices>,
}

/// What a call costs whose input is longer than a provider's first tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LongPrices {
    /// A call of more input tokens than these is a long one, and all of it has the prices below.
    pub above_tokens: u64,
    /// Micro-units a million input tokens, cached ones included.
    pub input_per_million: Micros,
    /// Micro-units a million output tokens.
    pub output_per_million: Micros,
}

/// One million: tokens a price is quoted for, and micro-units in a unit.
pub const MILLION: u128 = 1_000_000;

impl Prices {
    /// The cost of a call's usage in millionths of a micro-unit, exact. For several calls added up it is the most they
    /// can have cost: none of them was longer than all.
    ///
    /// Totals are compared in this unit, so that no rounding decides a gate.
    #[must_use]
    pub fn exact(&self, usage: Usage) -> u128 {
        let price = |tokens: u64, price: Micros| u128::from(tokens) * u128::from(price.0);
        if let Some(long) = self.long.filter(|long| usage.input_tokens > long.above_tokens) {
            return price(usage.input_tokens, long.input_per_million)
                + price(usage.output_tokens, long.output_per_million);
        }
        let cached = usage.cached_input_tokens.min(usage.input_tokens);
        let cached_price = self.cached_input_per_million.unwrap_or(self.input_per_million);
        price(usage.input_tokens - cached, self.input_per_million)
            + price(cached, cached_price)
            + price(usage.output_tokens, self.output_per_million)
    }

    /// The most that a token can cost in and out, cached or not, in a short call and in one of any length.
    fn dearest(&self) -> [(Micros, Micros); 2] {
        let input = self.input_per_million.max(self.cached_input_per_million.unwrap_or_default());
        let short = (input, self.output_per_million);
        let any = self.long.map_or(short, |long| {
            (short.0.max(long.input_per_million), short.1.max(long.output_per_million))
        });
        [short, any]
    }

    /// The most that one call of this model and one of `other` cost together, for the same tokens: what a call costs
    /// that fails here and is made again there.
    #[must_use]
    pub fn and(&self, other: &Prices) -> Prices {
        let sum = |(a, b): (Micros, Micros), (c, d): (Micros, Micros)| {
            (Micros(a.0.saturating_add(c.0)), Micros(b.0.saturating_add(d.0)))
        };
        let ([short, any], [others_short, others_any]) = (self.dearest(), other.dearest());
        let (input_per_million, output_per_million) = sum(short, others_short);
        // From where the first of the two gets dearer, each counts at its dearest.
        let tiers = [self.long, other.long].into_iter().flatten().map(|long| long.above_tokens);
        let long = tiers.min().map(|above_tokens| {
            let (input_per_million, output_per_million) = sum(any, others_any);
            LongPrices { above_tokens, input_per_million, output_per_million }
        });
        Prices { input_per_million, output_per_million, cached_input_per_million: None, long }
    }

    /// These prices at their dearest for each token, whatever a provider says of its cache: what is reserved.
    #[must_use]
    pub fn at_most(&self) -> Prices {
        self.and(&Prices::default())
    }

    /// The cost of a usage in whole micro-units, rounded up: what the ledger keeps.
    #[must_use]
    pub fn cost(&self, usage: Usage) -> Micros {
        whole(self.exact(usage))
    }
}

/// Millionths of a micro-unit as whole micro-units, rounded up.
#[must_use]
pub fn whole(exact: u128) -> Micros {
    Micros(u64::try_from(exact.div_ceil(MILLION)).unwrap_or(u64::MAX))
}

impl Micros {
    /// All decimals that count, two at least: `480` is `0.00048`, `2_000_000` is `2.00`.
    #[must_use]
    pub fn fine(self) -> String {
        let text = format!("{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000);
        let counts = text.trim_end_matches('0').len().max(text.len() - 4);
        text.get(..counts).unwrap_or(&text).to_owned()
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
    fn small_amounts_keep_the_decimals_that_count() {
        for (micros, text) in [(0, "0.00"), (480, "0.00048"), (1_000_000, "1.00"), (1_230_001, "1.230001")] {
            assert_eq!(Micros(micros).fine(), text);
        }
    }

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
        let prices = Prices {
            input_per_million: Micros(3_000_000),
            output_per_million: Micros(150_000),
            ..Prices::default()
        };
        let usage = Usage::new(1, 1);
        assert_eq!(prices.exact(usage), 3_150_000);
        assert_eq!(prices.cost(usage), Micros(4));
    }

    #[test]
    fn cached_tokens_have_their_own_price_and_are_part_of_the_input() {
        let prices = Prices {
            input_per_million: Micros(2_000_000),
            output_per_million: Micros(8_000_000),
            cached_input_per_million: Some(Micros(500_000)),
            long: None,
        };
        let usage = Usage { cached_input_tokens: 80, ..Usage::new(100, 10) };
        assert_eq!(prices.cost(usage), Micros(20 * 2 + 40 + 10 * 8));
        // A provider that counts more cached tokens than tokens is not believed.
        let lie = Usage { cached_input_tokens: 900, ..Usage::new(100, 0) };
        assert_eq!(prices.cost(lie), Micros(50));
    }

    /// Hard case 20: what is reserved is the price of the dearer tier, as soon as any call could be in it.
    #[test]
    fn a_long_call_has_the_prices_of_its_tier_and_so_does_what_could_be_one() {
        let prices = Prices {
            input_per_million: Micros(2_000_000),
            output_per_million: Micros(8_000_000),
            cached_input_per_million: Some(Micros(500_000)),
            long: Some(LongPrices {
                above_tokens: 200,
                input_per_million: Micros(4_000_000),
                output_per_million: Micros(12_000_000),
            }),
        };
        let cached = |input| Usage { cached_input_tokens: 100, ..Usage::new(input, 10) };
        assert_eq!(prices.cost(cached(200)), Micros(100 * 2 + 50 + 10 * 8));
        assert_eq!(prices.cost(cached(201)), Micros(201 * 4 + 10 * 12));
        // Two calls of 150 tokens are short ones; added up they are taken for a long one: too much, never too little.
        let two = prices.cost(Usage::new(300, 20));
        assert!(two >= Micros(2 * prices.cost(Usage::new(150, 10)).0));
    }

    #[test]
    fn two_models_together_cost_the_dearest_of_each_from_the_first_tier_on() {
        let long = |above_tokens, input, output| LongPrices {
            above_tokens,
            input_per_million: Micros(input),
            output_per_million: Micros(output),
        };
        let first = Prices {
            input_per_million: Micros(2),
            output_per_million: Micros(8),
            cached_input_per_million: Some(Micros(3)),
            long: Some(long(1_000, 5, 7)),
        };
        let second = Prices {
            input_per_million: Micros(10),
            output_per_million: Micros(20),
            cached_input_per_million: None,
            long: Some(long(100, 40, 50)),
        };
        let together = first.and(&second);
        assert_eq!((together.input_per_million, together.output_per_million), (Micros(13), Micros(28)));
        // A tier that is cheaper than the first does not lower what is reserved.
        assert_eq!(together.long, Some(long(100, 45, 58)));
        assert_eq!(together.cached_input_per_million, None);
        assert_eq!(first.at_most().input_per_million, Micros(3), "a cache that costs more than the input");
    }

    #[test]
    fn gaps_are_filled_and_only_gaps() {
        let mut reported = Reported { input_tokens: Some(7), ..Reported::default() };
        assert_eq!(reported.filled(Usage::new(100, 40)), Usage::new(7, 40));
        assert!(!reported.is_whole());
        reported.update(Reported { output_tokens: Some(3), ..Reported::default() });
        assert_eq!(reported.filled(Usage::new(100, 40)), Usage::new(7, 3));
    }
}
