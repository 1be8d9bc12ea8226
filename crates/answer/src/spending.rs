//! Spending: what the calls of a turn used and cost, as reported, with the gaps filled.

use crate::message::Handover;
use crate::money::{Prices, Reported, Usage};

/// What a dialogue has used so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) usage: Usage,
    /// What it cost, in millionths of a micro-unit.
    pub(crate) spent: u128,
    pub(crate) calls: u32,
    /// Whether all of it is the providers' own count.
    pub(crate) counted: bool,
    /// Whether a part of it fills a gap in what a provider reported.
    pub(crate) estimated: bool,
}

/// Adds calls up, each at the prices of the model that answered it.
#[derive(Debug, Clone)]
pub(crate) struct Spending {
    first: Speaker,
    now: Speaker,
    usage: Usage,
    exact: u128,
    counted: bool,
    estimated: bool,
}

/// Whose tokens are being counted.
#[derive(Debug, Clone, Copy)]
struct Speaker {
    prices: Prices,
    counts_tokens: bool,
}

impl Spending {
    pub(crate) fn new(prices: Prices, counts_tokens: bool) -> Self {
        let first = Speaker { prices, counts_tokens };
        Self { first, now: first, usage: Usage::default(), exact: 0, counted: true, estimated: false }
    }

    /// A call begins: with the first model, whoever answered the one before.
    pub(crate) fn begin(&mut self) {
        self.now = self.first;
    }

    /// Another model goes on.
    pub(crate) fn hand_over(&mut self, to: &Handover) {
        let prices = to.prices.unwrap_or(self.first.prices);
        self.now = Speaker { prices, counts_tokens: to.counts_tokens };
    }

    /// Enters a call, and gives what it used.
    pub(crate) fn call(&mut self, reported: Reported, estimate: Usage) -> Usage {
        let used = reported.filled(estimate);
        self.usage.add(used);
        self.exact = self.exact.saturating_add(self.now.prices.exact(used));
        self.estimated |= !reported.is_whole();
        self.counted &= self.now.counts_tokens && reported.is_whole();
        used
    }

    pub(crate) fn usage(&self) -> Usage {
        self.usage
    }

    pub(crate) fn used(&self, calls: u32) -> Used {
        let (usage, counted, estimated) = (self.usage, self.counted, self.estimated);
        Used { usage, spent: self.exact, calls, counted, estimated }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::{Micros, whole};

    fn prices(input: u64) -> Prices {
        Prices { input_per_million: Micros(input * 1_000_000), ..Prices::default() }
    }

    fn handover(prices: Option<Prices>) -> Handover {
        let model = "second".to_owned();
        Handover { model, prices, counts_tokens: false, because: "away".to_owned(), charged: true }
    }

    #[test]
    fn each_call_has_the_prices_of_who_answered_it() {
        let mut spending = Spending::new(prices(3), true);
        spending.begin();
        spending.call(Reported::default(), Usage::new(100, 0));
        spending.hand_over(&handover(Some(prices(1))));
        spending.call(Usage::new(10, 2).into(), Usage::new(100, 0));
        spending.begin();
        spending.call(Usage::new(20, 2).into(), Usage::new(100, 0));
        let used = spending.used(2);
        assert_eq!(whole(used.spent), Micros(100 * 3 + 10 + 20 * 3));
        assert_eq!(used.usage, Usage::new(130, 4));
        assert!(used.estimated && !used.counted);
    }
}
