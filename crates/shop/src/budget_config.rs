//! `[budget]`: what things cost, what may be spent, and what happens when that is used up.

use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::config::{Config, EmbedderKind};
use crate::embedder;
use crate::error::ShopError;
use crate::fields::{Amount, Currency, Filled, Within};
use crate::folder::SHOP_FILE;

/// How long a reservation stands when nobody says otherwise, and an answer takes no longer.
const MINUTES: u64 = 15;

/// What a customer gets past a cap.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// The fixed notice.
    #[default]
    Notice,
    /// What the documents say, quoted by no model, at no cost.
    Extractive,
}

/// `[budget]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetConfig {
    /// ISO 4217 code.
    #[serde(default = "BudgetConfig::euro")]
    pub currency: Currency,
    /// Price of a million input tokens.
    pub price_in_per_million: Amount,
    /// Price of a million output tokens.
    pub price_out_per_million: Amount,
    /// Price of a million input tokens that the provider read from its cache; without it, as any other.
    pub price_cached_in_per_million: Option<Amount>,
    /// The most a thousand questions may cost.
    pub per_1000_questions: Amount,
    /// The most a calendar month may cost.
    pub monthly_cap: Option<Amount>,
    /// The most a day may cost.
    pub daily_cap: Option<Amount>,
    /// The most one signed customer may cost in a day.
    pub daily_cap_per_customer: Option<Amount>,
    /// What a customer gets past a cap.
    #[serde(default)]
    pub over: Over,
    /// How long a reservation waits for its settlement before it is charged at its bound.
    pub reservation_minutes: Option<Spanned<Within<1, 1_440>>>,
    /// A day that costs more than so many times the mean of the seven before is warned of.
    #[serde(default = "BudgetConfig::spike")]
    pub spike_times: Within<2, 1_000>,
    /// The environment variable that holds the address which warnings are posted to.
    pub webhook_env: Option<Filled>,
    /// Questions a day, for the forecast.
    #[serde(default = "BudgetConfig::a_day")]
    pub questions_per_day: Within<1, 10_000_000>,
    /// Days in a month, for the forecast.
    #[serde(default = "BudgetConfig::days")]
    pub days_per_month: Within<1, 31>,
}

impl BudgetConfig {
    /// Prices and the price of a thousand questions; no cap, and all else as where it is left out.
    #[must_use]
    pub fn new(input: Amount, output: Amount, per_1000_questions: Amount) -> Self {
        Self {
            currency: Self::euro(),
            price_in_per_million: input,
            price_out_per_million: output,
            price_cached_in_per_million: None,
            per_1000_questions,
            monthly_cap: None,
            daily_cap: None,
            daily_cap_per_customer: None,
            over: Over::default(),
            reservation_minutes: None,
            spike_times: Self::spike(),
            webhook_env: None,
            questions_per_day: Self::a_day(),
            days_per_month: Self::days(),
        }
    }

    fn euro() -> Currency {
        Currency("EUR".to_owned())
    }

    fn spike() -> Within<2, 1_000> {
        Within::new(3)
    }

    fn a_day() -> Within<1, 10_000_000> {
        Within::new(100)
    }

    fn days() -> Within<1, 31> {
        Within::new(30)
    }
}

/// The longest that something reserved for may take, in seconds: an answer, or a call of a hosted embedder.
fn longest(config: &Config) -> u64 {
    let embedding = match embedder::kind(config) {
        EmbedderKind::OpenaiCompatible => config.embedder.timeout_seconds.get(),
        EmbedderKind::None | EmbedderKind::Axes | EmbedderKind::Local => 0,
    };
    config.limits.seconds.get().max(embedding)
}

/// How long a reservation waits for its settlement before whoever made it is taken to be gone.
#[must_use]
pub fn reservation_time(config: &Config) -> Duration {
    let named = config.budget.as_ref().and_then(|budget| budget.reservation_minutes.as_ref());
    let otherwise = MINUTES.max(longest(config) / 60 + 1);
    Duration::from_secs(60 * named.map_or(otherwise, |minutes| minutes.get_ref().get()))
}

/// What is said of money and does not go together. `at` gives the line of a place.
pub(crate) fn check(config: &Config, at: &dyn Fn(Range<usize>) -> usize) -> Result<(), ShopError> {
    let problem = |span: Range<usize>, message: String| Err(ShopError::field(SHOP_FILE, at(span), message));
    let Some(budget) = &config.budget else {
        return Ok(());
    };
    if let Some(minutes) = &budget.reservation_minutes {
        let longest = longest(config);
        if minutes.get_ref().get() * 60 <= longest {
            let message = format!(
                "`reservation_minutes` is no longer than an answer or the embedder may take ({longest} seconds): what \
                 is still being spent would be charged; write {} or more",
                longest / 60 + 1
            );
            return problem(minutes.span(), message);
        }
    }
    // A price that nobody named is not nothing: the cap would be passed without a word.
    for name in config.model.fallback.get_ref() {
        let Some(model) = config.models.get(name) else { continue };
        if model.get_ref().kind.is_service() && model.get_ref().price_in_per_million.is_none() {
            let message = format!(
                "[models.{name}] has no price, and money is counted here; write `price_in_per_million` and \
                 `price_out_per_million`, \"0\" where it costs nothing"
            );
            return problem(model.span(), message);
        }
    }
    let embedder = &config.embedder;
    if embedder::kind(config) == EmbedderKind::OpenaiCompatible && embedder.price_per_million.is_none() {
        let span = embedder.kind.as_ref().map_or(0..0, Spanned::span);
        let message = "[embedder] has no price, and money is counted here; write `price_per_million`, \"0\" where it \
                       costs nothing";
        return problem(span, message.to_owned());
    }
    Ok(())
}

/// What the owner should know of money that nobody counts; `None`: all is counted.
#[must_use]
pub fn uncounted(config: &Config) -> Option<String> {
    let paid = config.model.kind.is_service() && config.budget.is_none();
    paid.then(|| {
        "the model is a service, and without `[budget]` nothing is reserved or capped; write its prices and a \
         `monthly_cap`, see docs/budget.md"
            .to_owned()
    })
}

/// What the owner should know where the variable of the webhook is not set here; `None`: it is, or there is none.
#[must_use]
pub fn webhook_not_set(config: &Config) -> Option<String> {
    let variable = &config.budget.as_ref()?.webhook_env.as_ref()?.0;
    let set = std::env::var_os(variable).is_some_and(|address| !address.is_empty());
    (!set).then(|| {
        format!(
            "`[budget] webhook_env` names {variable}, which is not set here: warnings would not be posted"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(rest: &str) -> u64 {
        let text = format!("name = \"a\"\nlanguages = [\"en\"]\n{rest}");
        reservation_time(&crate::read::toml(&text, SHOP_FILE).unwrap()).as_secs() / 60
    }

    #[test]
    fn a_reservation_outlasts_the_longest_answer_and_the_embedder() {
        let budget = "[budget]\nprice_in_per_million = \"1\"\nprice_out_per_million = \"1\"\nper_1000_questions = \"1\"\n";
        let embedder = "[embedder]\nkind = \"openai-compatible\"\ntimeout_seconds = 600\n";
        assert_eq!(minutes(""), 15);
        assert_eq!(minutes(&format!("{budget}reservation_minutes = 3\n")), 3);
        assert_eq!(minutes("[limits]\nseconds = 3600\n"), 61);
        assert_eq!(minutes(embedder), 15);
        let config: Config = crate::read::toml(
            &format!("name = \"a\"\nlanguages = [\"en\"]\n{embedder}price_per_million = \"1\"\n{budget}reservation_minutes = 10\n"),
            SHOP_FILE,
        )
        .unwrap();
        let error = check(&config, &|_| 7).unwrap_err().to_string();
        assert!(
            error.starts_with("shop.toml:7: `reservation_minutes`") && error.contains("write 11"),
            "{error}"
        );
    }
}
