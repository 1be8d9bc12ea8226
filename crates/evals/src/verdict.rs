//! The release gate: counts, compared as integers.

use mostrador_answer::money::{MILLION, Micros, Usage};
use mostrador_shop::Shop;
use mostrador_shop::config::BudgetConfig;
use serde::Serialize;

use crate::case::Case;
use crate::error::EvalError;
use crate::suite::{Run, Tried};

/// What a run adds up to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Cases passed.
    pub passed: usize,
    /// Cases in the suite, errored ones and those not tried included.
    pub total: usize,
    /// Safety cases passed.
    pub safety_passed: usize,
    /// Safety cases in the run.
    pub safety_total: usize,
    /// Cases whose answer could not be had.
    pub errored: usize,
    /// Tokens of the cases put to the shop's own model.
    pub usage: Usage,
    /// Whether all of them are the provider's count.
    pub usage_counted: bool,
    /// Calls of the shop's own model.
    pub calls: u32,
    /// The questions that reached the ceiling of input tokens.
    pub ceiling_reached: Vec<String>,
    /// The price; `None` where the shop has no budget.
    pub price: Option<Price>,
    /// The least share that passes, in percent.
    pub min_pass_percent: u32,
    /// Whether every case was tried and none errored.
    pub complete: bool,
    /// Whether this version may go out.
    pub released: bool,
}

/// What the questions of a run cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Price {
    /// ISO 4217 code.
    pub currency: String,
    /// All of the run, in millionths of a micro-unit.
    #[serde(skip)]
    pub exact: u128,
    /// The questions it was for.
    pub questions: usize,
    /// A thousand questions at this rate, rounded to a micro-unit.
    pub per_1000: Micros,
    /// A month at the forecast's questions a day, rounded to a micro-unit.
    pub per_month: Micros,
    /// The most a thousand questions may cost.
    pub budget: Micros,
    /// Whether it is within the budget.
    pub within: bool,
}

impl Price {
    /// The price of `questions` that used `usage`; `None` for no question.
    #[must_use]
    pub fn new(budget: &BudgetConfig, exact: u128, questions: usize) -> Option<Self> {
        let count = questions as u128;
        let month = u128::from(budget.questions_per_day.get()) * u128::from(budget.days_per_month.get());
        let per = |times: u128| {
            // Halves away from zero.
            let whole = count * MILLION;
            let rounded = (exact * times + whole / 2).checked_div(whole)?;
            Some(Micros(u64::try_from(rounded).unwrap_or(u64::MAX)))
        };
        let limit = budget.per_1000_questions.0;
        Some(Self {
            currency: budget.currency.0.clone(),
            exact,
            questions,
            per_1000: per(1_000)?,
            per_month: per(month)?,
            budget: limit,
            within: exact * 1_000 <= u128::from(limit.0) * MILLION * count,
        })
    }
}

/// Whether `passed` of `total` is at least `percent` of a hundred; nothing of nothing is not.
#[must_use]
pub fn reaches(passed: usize, total: usize, percent: u32) -> bool {
    total > 0 && passed as u128 * 100 >= total as u128 * u128::from(percent)
}

/// Whether a case is put to the shop's own model.
#[must_use]
pub fn is_own(shop: &Shop, case: &Case) -> bool {
    case.model.is_none_or(|kind| kind == shop.config().model.kind)
}

/// A suite says something of the model that customers meet only where it asks that model.
///
/// # Errors
/// [`EvalError::NoOwnCase`] where every case names another one.
pub fn asks_own_model(shop: &Shop, cases: &[Case]) -> Result<(), EvalError> {
    if cases.iter().any(|case| is_own(shop, case)) { Ok(()) } else { Err(EvalError::NoOwnCase) }
}

impl Verdict {
    /// Why this version may not go out, for people; empty where it may.
    #[must_use]
    pub fn reasons(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        if !reaches(self.passed, self.total, self.min_pass_percent) {
            let Self { passed, total, min_pass_percent, .. } = self;
            reasons.push(format!(
                "{passed} of {total} cases passed, {min_pass_percent} in a hundred are needed"
            ));
        }
        if self.safety_passed < self.safety_total {
            let failed = self.safety_total - self.safety_passed;
            reasons
                .push(format!("{failed} of {} safety cases failed, and all are needed", self.safety_total));
        }
        if let Some(price) = self.price.as_ref().filter(|price| !price.within) {
            let Price { per_1000, budget, currency, .. } = price;
            reasons.push(format!("a thousand questions cost {per_1000} {currency}, the budget is {budget}"));
        }
        if !self.complete {
            reasons.push(format!("the run is not complete: {} cases errored", self.errored));
        }
        reasons
    }
}

/// Adds a run up.
#[must_use]
pub fn verdict(shop: &Shop, run: &Run) -> Verdict {
    // Only what the shop's own model is asked says what the shop will pay.
    let own: Vec<&Tried> = run.tried.iter().filter(|tried| is_own(shop, &tried.case)).collect();
    let mut usage = Usage::default();
    for tried in &own {
        usage.add(tried.answer.closing.usage);
    }
    let budget = shop.config().budget.as_ref();
    let exact = own.iter().map(|tried| tried.answer.closing.spent).sum();
    let price = budget.and_then(|budget| Price::new(budget, exact, own.len()));
    let count = |test: &dyn Fn(&&Tried) -> bool| run.tried.iter().filter(test).count();
    let passed = count(&|tried| tried.passed);
    let safety_total = count(&|tried| tried.case.safety);
    let safety_passed = count(&|tried| tried.case.safety && tried.passed);
    let errored = count(&|tried| tried.error.is_some());
    let min_pass_percent = shop.config().suite.min_pass_percent.count();
    let complete = run.complete() && errored == 0;
    let within = price.as_ref().is_none_or(|price| price.within);
    let met = reaches(passed, run.total, min_pass_percent) && safety_passed == safety_total && within;
    let reached = run.tried.iter().filter(|tried| tried.answer.closing.trace.ceiling_reached);
    Verdict {
        passed,
        total: run.total,
        safety_passed,
        safety_total,
        errored,
        usage,
        usage_counted: own.iter().all(|tried| tried.answer.closing.usage_counted),
        calls: own.iter().map(|tried| tried.answer.closing.calls).sum(),
        ceiling_reached: reached.map(|tried| tried.case.name.clone()).collect(),
        price,
        min_pass_percent,
        complete,
        released: complete && met,
    }
}

#[cfg(test)]
mod tests {
    use mostrador_shop::fields::{Amount, Within};

    use super::*;

    #[test]
    fn shares_are_compared_as_counts() {
        assert!(reaches(2, 3, 66));
        assert!(!reaches(2, 3, 67));
        assert!(reaches(9, 10, 90));
        assert!(!reaches(0, 0, 0));
    }

    #[test]
    fn the_price_is_exact_and_rounded_only_to_be_shown() {
        let amount = |text: &str| Amount(text.parse().unwrap());
        let budget = BudgetConfig {
            questions_per_day: Within::new(2_000),
            ..BudgetConfig::new(amount("3"), amount("15"), amount("0.780272"))
        };
        // 1921 tokens in and 188 out over eleven questions: 780.2727… micro-units a question.
        let exact = 1_921 * 3_000_000 + 188 * 15_000_000;
        let price = Price::new(&budget, exact, 11).unwrap();
        assert_eq!((price.per_1000, price.per_month), (Micros(780_273), Micros(46_816_364)));
        assert!(!price.within, "0.7802727… is more than 0.780272");
        assert!(Price::new(&budget, exact, 0).is_none());
    }
}
