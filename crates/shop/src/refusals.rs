//! `[refusal]` and `[promises]` of `shop.toml`: what is never answered, and what only a person may promise.

use std::collections::BTreeSet;

use mostrador_answer::gate::GateMode;
use mostrador_answer::promises::PromiseSettings;
use mostrador_answer::refusal::{OwnRefusal, RefusalSettings};
use mostrador_answer::release::ReleaseMode;
use mostrador_answer::rules::Action;
use mostrador_language::{Category, Family, Lang, Packs, Phrasing};
use serde::Deserialize;
use toml::Spanned;

use crate::config::Config;
use crate::error::ShopError;
use crate::fields::{Filled, Pattern, one_or_many};
use crate::folder::SHOP_FILE;

/// What kind of site it is, for what is refused where no categories are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Site {
    /// A shop: its terms are what its pages are about, so that questions for them are answered.
    Shop,
    /// A person's: everything is refused that would commit or expose somebody.
    Person,
    /// A place that is booked: what will be free and what the weather will do are ordinary questions there.
    Venue,
}

impl Site {
    fn categories(self) -> Vec<Category> {
        use Category::{Instructions, Private, Speculation, Tasks};
        match self {
            Self::Shop => vec![Private, Speculation, Instructions, Tasks],
            Self::Person => Category::ALL.to_vec(),
            Self::Venue => vec![Private, Instructions, Tasks],
        }
    }
}

/// `[refusal]`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RefusalConfig {
    /// What kind of site it is; a person's where there is an `[owner]`, else a shop.
    pub site: Option<Site>,
    /// What is refused, in the place of what that kind of site refuses.
    pub categories: Option<Vec<Category>>,
    /// The shop's own questions.
    pub patterns: Vec<Spanned<OwnPattern>>,
}

/// `[[refusal.patterns]]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnPattern {
    /// What the rule is called behind `refusal.`; the category where it is left out.
    pub name: Option<Filled>,
    /// The kind of question.
    pub category: Category,
    /// Phrases in the notation of the language packs; one, or a list.
    #[serde(default, deserialize_with = "one_or_many")]
    pub phrases: Vec<String>,
    /// A regular expression on words in lower case without accents and signs.
    pub pattern: Option<Pattern>,
    /// Phrases that are ordinary; one, or a list.
    #[serde(default, deserialize_with = "one_or_many")]
    pub except: Vec<String>,
    /// What the customer reads; the category's text where it is left out.
    pub text: Option<Filled>,
}

/// `[promises]`: what happens to an answer of a model that makes a promise.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PromisesConfig {
    /// Money to the customer.
    pub money: Option<PromiseAction>,
    /// A discount, a voucher, something for nothing.
    pub discount: Option<PromiseAction>,
    /// Something said to be done.
    pub done: Option<PromiseAction>,
    /// A question said to be with a colleague.
    pub handoff: Option<PromiseAction>,
}

/// What happens to such an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromiseAction {
    /// Nothing: it may be said.
    Off,
    /// It is stopped.
    Stop,
    /// It waits for a colleague's approval.
    AwaitApproval,
}

impl PromiseAction {
    fn action(self) -> Option<Action> {
        match self {
            Self::Off => None,
            Self::Stop => Some(Action::Stop),
            Self::AwaitApproval => Some(Action::AwaitApproval),
        }
    }
}

/// What a shop refuses. `at`: the line that a place of `shop.toml` is in.
///
/// # Errors
/// [`ShopError`] for a block of the shop's own that says nothing, cannot be read, or shares its name.
pub(crate) fn refusal(
    config: &Config,
    packs: &Packs,
    first: Lang,
    at: &dyn Fn(std::ops::Range<usize>) -> usize,
) -> Result<RefusalSettings, ShopError> {
    let RefusalConfig { site, categories, patterns } = &config.refusal;
    let site = site.unwrap_or(if config.owner.is_some() { Site::Person } else { Site::Shop });
    let categories = categories.clone().unwrap_or_else(|| site.categories());
    let mut names = BTreeSet::new();
    let mut own = Vec::new();
    for block in patterns {
        let problem = |message: String| ShopError::field(SHOP_FILE, at(block.span()), message);
        let written = block.get_ref();
        if written.phrases.is_empty() && written.pattern.is_none() {
            return Err(problem(
                "`[[refusal.patterns]]` refuses nothing; give it `phrases` or a `pattern`".to_owned(),
            ));
        }
        if let Some(name) = written.name.as_ref().filter(|name| !names.insert(*name)) {
            let message = format!("two patterns are called `{}`; give each its own name", name.0);
            return Err(problem(message));
        }
        let phrasing = Phrasing {
            phrases: written.phrases.clone(),
            patterns: written.pattern.iter().map(|pattern| pattern.0.clone()).collect(),
            except: written.except.clone(),
        };
        phrasing.check().map_err(|error| problem(format!("{error}; mend it, or take it out")))?;
        own.push(OwnRefusal {
            name: written.name.as_ref().map(|name| name.0.clone()),
            category: written.category,
            phrasing,
            text: written.text.as_ref().map(|text| text.0.clone()),
        });
    }
    let owner = config.owner.as_ref().map(|owner| owner.names.as_slice()).unwrap_or_default();
    RefusalSettings::new(packs, &categories, owner, own, first)
        .map_err(|error| ShopError::field(SHOP_FILE, 1, error.to_string()))
}

/// What only a person of the shop may promise. Where the gate is off nothing is looked for but what the shop asks for;
/// an answer that has to be shown by the sentence cannot wait for approval, and is stopped.
pub(crate) fn promises(config: &Config, packs: &Packs) -> PromiseSettings {
    let PromisesConfig { money, discount, done, handoff } = config.promises;
    let checked = config.gate.mode == GateMode::On;
    let usual = |action| if checked { action } else { PromiseAction::Off };
    let held = match config.release {
        ReleaseMode::Sentence => PromiseAction::Stop,
        ReleaseMode::Auto | ReleaseMode::Whole => PromiseAction::AwaitApproval,
    };
    let done = done.unwrap_or(usual(PromiseAction::Stop));
    let actions = [
        (Family::Money, money.unwrap_or(usual(held))),
        (Family::Discount, discount.unwrap_or(usual(PromiseAction::Stop))),
        (Family::Done, done),
        (Family::State, done),
        (Family::Handoff, handoff.unwrap_or(usual(PromiseAction::Stop))),
    ];
    let chosen = actions.into_iter().filter_map(|(family, action)| Some((family, action.action()?)));
    PromiseSettings::new(packs, chosen)
}

#[cfg(test)]
mod tests {
    use mostrador_answer::engine::Settings;

    use super::*;
    use crate::Shop;
    use crate::config::ModelKind;

    fn shop(config: &str) -> Result<Shop, ShopError> {
        let dir = tempfile::tempdir().unwrap();
        let config = format!("name = \"Probe\"\nlanguages = [\"en\"]\n{config}");
        std::fs::write(dir.path().join(SHOP_FILE), config).unwrap();
        Shop::read(dir.path())
    }

    fn settings(config: &str) -> Settings {
        shop(config).unwrap().settings_with(ModelKind::Scripted)
    }

    #[test]
    fn promises_are_looked_for_where_there_is_a_model_and_a_gate() {
        assert!(settings("").promises.any_holds());
        assert!(!shop("").unwrap().settings_with(ModelKind::Extractive).promises.any_holds());
        assert!(!settings("[gate]\nmode = \"off\"\n").promises.any_holds());
        assert!(
            settings("[gate]\nmode = \"off\"\n[promises]\nmoney = \"await-approval\"\n").promises.any_holds()
        );
        assert!(
            !settings("release = \"sentence\"\n").promises.any_holds(),
            "nothing waits that was half shown"
        );
        assert!(!settings("[promises]\nmoney = \"off\"\n").promises.any_holds());
    }

    #[test]
    fn a_block_that_does_not_fit_is_named_with_its_line() {
        for (block, says) in [
            ("category = \"tasks\"\n", "refuses nothing"),
            ("category = \"tasks\"\nphrases = \"(a\"\n", "bracket"),
            ("category = \"taks\"\nphrases = \"a\"\n", "did you mean `tasks`?"),
            ("category = \"tasks\"\nphrase = \"a\"\n", "did you mean `phrases`?"),
            ("category = \"tasks\"\npattern = '('\n", "no regular expression"),
        ] {
            let error = shop(&format!("[[refusal.patterns]]\n{block}")).unwrap_err().to_string();
            assert!(error.starts_with("shop.toml:") && error.contains(says), "{block}: {error}");
        }
        let twice = "[[refusal.patterns]]\nname = \"a\"\ncategory = \"tasks\"\nphrases = \"b\"\n".repeat(2);
        assert!(shop(&twice).unwrap_err().to_string().contains("two patterns are called `a`"));
    }
}
