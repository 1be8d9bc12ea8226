//! Rules: what may not be said, whatever the documents hold. They read what the model really wrote.

use mostrador_language::{TextKey, normalize};
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use crate::promises::Heard;
use crate::stop::{Ending, RuleName, Stop};

/// What happens to an answer that breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// It is stopped.
    Stop,
    /// It waits for a colleague's approval.
    AwaitApproval,
}

/// A rule of the shop, as configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its name, unique in the shop.
    pub name: String,
    /// Why, in the shop's words.
    pub reason: String,
    /// Texts that may not occur, compared in the normal form, anywhere in a word or across words.
    pub words: Vec<String>,
    /// A pattern that may not occur, on the normal form, without regard to case.
    pub pattern: Option<String>,
    /// What happens then.
    pub action: Action,
}

/// A rule that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRule {
    /// It forbids nothing.
    #[error("rule {0:?} forbids nothing; give it words or a pattern")]
    Empty(String),
    /// Its pattern fits the empty text, and so every text.
    #[error("rule {0:?} has a pattern that fits every text; make it ask for something")]
    Everything(String),
    /// Its pattern is none.
    #[error("rule {name:?} has a pattern that cannot be read: {detail}")]
    Pattern {
        /// The rule.
        name: String,
        /// What is wrong.
        detail: String,
    },
    /// Two rules share a name.
    #[error("two rules are called {0:?}; give each its own name")]
    Duplicate(String),
}

#[derive(Debug, Clone)]
struct Compiled {
    rule: Rule,
    words: Vec<String>,
    pattern: Option<Regex>,
}

/// The rules of a shop, in order: the first that is broken decides.
#[derive(Debug, Clone, Default)]
pub struct Rules(Vec<Compiled>);

/// A rule that a text breaks, with the words that broke it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken<'r> {
    /// The rule.
    pub rule: &'r Rule,
    /// What was found, in the normal form.
    pub found: String,
}

impl Rules {
    /// Prepares rules for use.
    ///
    /// # Errors
    /// [`BadRule`] for one that forbids nothing, cannot be read, or shares its name.
    pub fn new(rules: Vec<Rule>) -> Result<Self, BadRule> {
        let mut all = Self::default();
        for rule in rules {
            all.push(rule)?;
        }
        Ok(all)
    }

    /// Adds a rule behind the others.
    ///
    /// # Errors
    /// [`BadRule`]; the rules then stay as they were.
    pub fn push(&mut self, rule: Rule) -> Result<(), BadRule> {
        if self.named(&rule.name).is_some() {
            return Err(BadRule::Duplicate(rule.name));
        }
        self.0.push(Compiled::new(rule)?);
        Ok(())
    }

    /// Whether there is no rule at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether any rule waits for approval, so that nothing is shown before the whole is judged.
    #[must_use]
    pub fn any_holds(&self) -> bool {
        self.0.iter().any(|compiled| compiled.rule.action == Action::AwaitApproval)
    }

    /// The rule of this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Rule> {
        self.0.iter().map(|compiled| &compiled.rule).find(|rule| rule.name == name)
    }

    /// The first rule that a text breaks.
    #[must_use]
    pub fn judge(&self, text: &str) -> Option<Broken<'_>> {
        if self.0.is_empty() {
            return None;
        }
        let normal = normalize(text);
        self.0.iter().find_map(|compiled| {
            let found = compiled.find(&normal)?;
            Some(Broken { rule: &compiled.rule, found })
        })
    }
}

impl Compiled {
    fn new(rule: Rule) -> Result<Self, BadRule> {
        let words: Vec<String> = rule.words.iter().map(|word| normalize(word)).collect();
        let blank = words.iter().any(String::is_empty) || rule.pattern.as_deref() == Some("");
        if blank || (words.is_empty() && rule.pattern.is_none()) {
            return Err(BadRule::Empty(rule.name));
        }
        let read = |pattern: &String| {
            RegexBuilder::new(pattern)
                .case_insensitive(true)
                .size_limit(1 << 20)
                .build()
                .map_err(|error| BadRule::Pattern { name: rule.name.clone(), detail: error.to_string() })
        };
        let pattern = rule.pattern.as_ref().map(read).transpose()?;
        if pattern.as_ref().is_some_and(|pattern| pattern.is_match("")) {
            return Err(BadRule::Everything(rule.name));
        }
        Ok(Self { rule, words, pattern })
    }

    fn find(&self, normal: &str) -> Option<String> {
        let word = self.words.iter().find(|word| normal.contains(word.as_str())).cloned();
        word.or_else(|| Some(self.pattern.as_ref()?.find(normal)?.as_str().to_owned()))
    }
}

/// A sentence, or a whole answer, as the model wrote it. It cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drafted(String);

impl Drafted {
    pub(crate) fn new(text: String) -> Self {
        Self(text)
    }
}

/// A sentence that breaks no rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruled(String);

impl Ruled {
    /// The sentence, raw.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Judges a sentence together with what the model wrote before it: a promise may be spread over two.
/// The shop's own rules first, then what only a person may promise.
///
/// # Errors
/// A stop that names the rule and what was found.
pub fn rule(drafted: Drafted, before: &str, rules: &Rules, heard: &mut Heard<'_>) -> Result<Ruled, Stop> {
    let whole = format!("{before}{}", drafted.0);
    if let Some(broken) = rules.judge(&whole) {
        return Err(stop(&broken));
    }
    if before.is_empty() {
        heard.anew();
    }
    heard.judge(&drafted.0)?;
    Ok(Ruled(drafted.0))
}

fn stop(broken: &Broken<'_>) -> Stop {
    let ending = match broken.rule.action {
        Action::Stop => Ending::Withheld,
        Action::AwaitApproval => Ending::Held,
    };
    Stop {
        ending,
        rule: RuleName(broken.rule.name.clone()),
        evidence: format!("found {:?}", broken.found),
        text: TextKey::Hold,
        wording: None,
    }
}

#[cfg(test)]
mod tests {
    use mostrador_language::{Lang, Pack};

    use super::*;
    use crate::promises::PromiseSettings;

    fn discount(words: &[&str], pattern: Option<&str>) -> Rule {
        Rule {
            name: "discount".to_owned(),
            reason: "no discounts".to_owned(),
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            pattern: pattern.map(str::to_owned),
            action: Action::Stop,
        }
    }

    #[test]
    fn words_are_found_in_the_normal_form() {
        let rules = Rules::new(vec![discount(&["%", "Te devolveremos"], None)]).unwrap();
        for text in ["un 100 ％ hoy", "TE DEVOLVEREMOS todo", "te\n devol\u{200b}veremos"] {
            assert!(rules.judge(text).is_some(), "{text:?}");
        }
        assert!(rules.judge("Puedes devolver en 14 días.").is_none());
    }

    #[test]
    fn a_promise_spread_over_two_sentences_is_caught_at_the_second() {
        let rules = Rules::new(vec![discount(&[], Some(r"free\W+of charge"))]).unwrap();
        let promises = PromiseSettings::default();
        let mut heard = Heard::new(&promises, &[], Pack::of(Lang::EN));
        let first = rule(Drafted::new("It is free. ".to_owned()), "", &rules, &mut heard).unwrap();
        let second = Drafted::new("Of charge, that is.".to_owned());
        let stopped = rule(second, first.text(), &rules, &mut heard).unwrap_err();
        assert_eq!(stopped.rule.0, "discount");
    }

    #[test]
    fn a_rule_that_forbids_nothing_is_refused() {
        assert!(matches!(Rules::new(vec![discount(&[], None)]), Err(BadRule::Empty(_))));
        assert!(matches!(Rules::new(vec![discount(&["\u{200b}"], None)]), Err(BadRule::Empty(_))));
        assert!(matches!(Rules::new(vec![discount(&[], Some("("))]), Err(BadRule::Pattern { .. })));
        assert!(matches!(Rules::new(vec![discount(&[], Some("x*"))]), Err(BadRule::Everything(_))));
        let twice = vec![discount(&["%"], None), discount(&["€"], None)];
        assert!(matches!(Rules::new(twice), Err(BadRule::Duplicate(_))));
    }
}
