//! Promises: what only a person of the shop may promise, beside the shop's own rules. Read by `rules`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mostrador_language::{Family, Normal, Pack, Packs, Promise, Promises, TextKey, normalize};

use crate::message::Outcome;
use crate::passage::{Passage, Trust};
use crate::ports::LookupResult;
use crate::rules::Action;
use crate::stop::{Ending, RuleName, Stop};

/// What happens to an answer that makes a promise, by family. Without any family nothing is looked for.
#[derive(Debug, Clone, Default)]
pub struct PromiseSettings {
    actions: BTreeMap<Family, Action>,
    promises: Option<Arc<Promises>>,
}

impl PromiseSettings {
    /// What happens with each of these families, as the packs word them; a family that is not there may be promised.
    #[must_use]
    pub fn new(packs: &Packs, actions: impl IntoIterator<Item = (Family, Action)>) -> Self {
        let actions: BTreeMap<Family, Action> = actions.into_iter().collect();
        let promises = (!actions.is_empty()).then(|| Arc::new(Promises::new(packs)));
        Self { actions, promises }
    }

    /// Whether any promise waits for approval, so that nothing is shown before the whole is judged.
    #[must_use]
    pub fn any_holds(&self) -> bool {
        self.actions.values().any(|action| *action == Action::AwaitApproval)
    }

    /// Compiles the phrases now, so that no answer waits for it.
    pub fn prepare(&self) {
        if let Some(promises) = &self.promises {
            promises.prepare();
        }
    }
}

/// What an answer has said so far, held against what it may promise.
///
/// A sentence that stands word for word in one of the shop's own passages under the answer, or in what a look-up
/// gave, is the shop's word and no promise of the model's.
#[derive(Debug)]
pub struct Heard<'t> {
    settings: &'t PromiseSettings,
    pack: &'t Pack,
    /// The sentences that may be said as they stand, in normal form.
    quotable: BTreeSet<String>,
    /// Whether a look-up found something, so that the state of a thing may be told from it.
    found: bool,
    /// The last sentence of the model's own: a promise may be spread over two.
    last: String,
}

impl<'t> Heard<'t> {
    /// Nothing said yet. `passages`: those under the answer. `pack`: that of the answer's language.
    #[must_use]
    pub fn new(settings: &'t PromiseSettings, passages: &[Arc<Passage>], pack: &'t Pack) -> Self {
        let mut heard = Self { settings, pack, quotable: BTreeSet::new(), found: false, last: String::new() };
        if settings.promises.is_some() {
            for passage in passages.iter().filter(|passage| passage.trust == Trust::Shop) {
                heard.may_quote(&passage.text, Pack::of(passage.language));
            }
        }
        heard
    }

    /// Takes in what look-ups gave. `shops`: whether all that is open in this turn tells the shop's own words.
    pub(crate) fn looked(&mut self, result: &LookupResult, shops: bool) {
        if !shops || result.outcome != Outcome::Found {
            return;
        }
        self.found = true;
        if self.settings.promises.is_some() {
            self.may_quote(&result.content, self.pack);
        }
    }

    fn may_quote(&mut self, text: &str, pack: &Pack) {
        let sentences = pack.sentences(text);
        self.quotable.extend(sentences.iter().map(String::as_str).chain(text.lines()).map(bare));
    }

    /// Begins again: what comes next is no continuation.
    pub(crate) fn anew(&mut self) {
        self.last.clear();
    }

    /// Judges a sentence, or several, together with the last one before.
    ///
    /// # Errors
    /// A stop that names the family and what was found.
    pub(crate) fn judge(&mut self, text: &str) -> Result<(), Stop> {
        let Some(promises) = &self.settings.promises else {
            return Ok(());
        };
        let told = |family: &Family| *family == Family::State && self.found;
        let families: Vec<Family> =
            self.settings.actions.keys().copied().filter(|family| !told(family)).collect();
        for sentence in self.pack.sentences(text) {
            if self.quotable.contains(&bare(&sentence)) {
                self.last.clear();
                continue;
            }
            let both = format!("{} {sentence}", self.last);
            if let Some(promise) = promises.find(&Normal::of(&both), &families) {
                return Err(self.stop(&promise));
            }
            self.last = sentence;
        }
        Ok(())
    }

    fn stop(&self, promise: &Promise) -> Stop {
        let ending = match self.settings.actions.get(&promise.family) {
            Some(Action::AwaitApproval) => Ending::Held,
            Some(Action::Stop) | None => Ending::Withheld,
        };
        let rule = match promise.family {
            Family::Money => RuleName::PROMISE_MONEY,
            Family::Discount => RuleName::PROMISE_DISCOUNT,
            Family::Done | Family::State => RuleName::PROMISE_DONE,
            Family::Handoff => RuleName::PROMISE_HANDOFF,
        };
        let evidence = format!("found {:?} ({})", promise.text, promise.lang);
        Stop::new(ending, rule, evidence, TextKey::Hold)
    }
}

/// A sentence in normal form, without its citation markers and the signs at its ends.
fn bare(sentence: &str) -> String {
    let mut plain = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        match after.split_once(']') {
            // What names a passage has its number behind a `#`.
            Some((marker, behind)) if marker.contains('#') => rest = behind,
            _ => {
                plain.push('[');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    let signs = |c: char| c.is_whitespace() || matches!(c, '.' | '!' | '-' | '*' | '\u{3002}' | '\u{964}');
    normalize(&plain).trim_matches(signs).to_owned()
}

#[cfg(test)]
mod tests {
    use mostrador_language::Lang;

    use super::*;
    use crate::passage::SourceId;

    fn settings() -> PromiseSettings {
        let actions = Family::ALL.map(|family| (family, Action::Stop));
        let money = (Family::Money, Action::AwaitApproval);
        PromiseSettings::new(&Packs::default(), actions.into_iter().chain([money]))
    }

    fn passage(text: &str, trust: Trust) -> Arc<Passage> {
        let source = SourceId::new("returns#1").unwrap();
        Arc::new(Passage { trust, ..Passage::new(source, text, Lang::EN) })
    }

    fn judged(passages: &[Arc<Passage>], texts: &[&str]) -> Result<(), Stop> {
        let settings = settings();
        let mut heard = Heard::new(&settings, passages, Pack::of(Lang::EN));
        texts.iter().try_for_each(|text| heard.judge(text))
    }

    #[test]
    fn each_family_has_its_rule_and_its_ending() {
        for (text, rule, ending) in [
            ("We will refund you.", RuleName::PROMISE_MONEY, Ending::Held),
            ("You get 20% off.", RuleName::PROMISE_DISCOUNT, Ending::Withheld),
            ("I have cancelled it.", RuleName::PROMISE_DONE, Ending::Withheld),
            ("Your order has been cancelled.", RuleName::PROMISE_DONE, Ending::Withheld),
            ("A colleague will call you.", RuleName::PROMISE_HANDOFF, Ending::Withheld),
        ] {
            let stop = judged(&[], &[text]).unwrap_err();
            assert_eq!((stop.rule.0.as_str(), stop.ending), (rule, ending), "{text}");
            assert!(stop.evidence.ends_with("(en)"), "{}", stop.evidence);
        }
        assert_eq!(judged(&[], &["Refunds go out within 8 days.", "Orders can be cancelled."]), Ok(()));
    }

    #[test]
    fn a_whole_sentence_of_the_shops_own_page_may_be_quoted() {
        let own = passage("We will refund you within 8 days. Keep the slip.", Trust::Shop);
        let quoted = "We will refund you within 8 days. [returns#1]";
        assert_eq!(judged(std::slice::from_ref(&own), &[quoted, "Keep the slip."]), Ok(()));
        // Half of a sentence may be another promise.
        assert!(judged(&[own], &["We will refund you."]).is_err());
        let others = passage("We will refund you within 8 days.", Trust::Customer);
        assert!(judged(&[others], &[quoted]).is_err());
    }

    #[test]
    fn a_promise_spread_over_two_sentences_is_found() {
        assert!(judged(&[], &["Of course. We will.", "Refund you, that is."]).is_err());
    }

    #[test]
    fn the_state_of_a_thing_may_be_told_from_what_was_looked_up() {
        let settings = settings();
        let mut heard = Heard::new(&settings, &[], Pack::of(Lang::EN));
        let result = LookupResult { outcome: Outcome::Found, content: "Status: cancelled".to_owned() };
        heard.looked(&result, true);
        assert_eq!(heard.judge("Your order has been cancelled."), Ok(()));
        assert!(heard.judge("I have cancelled it.").is_err());
    }

    #[test]
    fn nothing_is_looked_for_where_nothing_is_asked_for() {
        let settings = PromiseSettings::default();
        let mut heard = Heard::new(&settings, &[], Pack::of(Lang::EN));
        assert_eq!(heard.judge("We will refund you."), Ok(()));
        assert!(!settings.any_holds());
    }
}
