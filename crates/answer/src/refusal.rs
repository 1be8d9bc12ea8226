//! Refusal: what the assistant must never answer, before anything is embedded, searched or called.

use std::collections::BTreeMap;
use std::sync::Arc;

use mostrador_language::{
    BadPattern, Category, Lang, Names, Normal, Packs, Phrasing, Refusals, Refused, TextKey,
};

use crate::intake::Admitted;
use crate::stop::{Ending, RuleName, Stop};

/// A question that no refusal pattern caught.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleared {
    admitted: Admitted,
}

impl Cleared {
    /// The question as it was let in.
    #[must_use]
    pub fn question(&self) -> &Admitted {
        &self.admitted
    }
}

/// Questions that a shop refuses besides those of the packs.
#[derive(Debug, Clone)]
pub struct OwnRefusal {
    /// What the rule is called behind `refusal.`; the category where there is none.
    pub name: Option<String>,
    /// The kind of question, whose fixed text is shown where there is no other.
    pub category: Category,
    /// The questions.
    pub phrasing: Phrasing,
    /// The shop's own text, in its first language; customers of another read that of the category.
    pub text: Option<String>,
}

/// What is refused; by default nothing. Clones share what was compiled.
#[derive(Debug, Clone, Default)]
pub struct RefusalSettings(Option<Arc<Refusing>>);

impl RefusalSettings {
    /// What is refused: these categories in every language, and the shop's own questions. `owner`: the names of
    /// the person whose site it is, none for a shop. `first`: the shop's first language, that of its own texts.
    ///
    /// # Errors
    /// The first of the shop's own phrases that cannot be read.
    pub fn new(
        packs: &Packs,
        categories: &[Category],
        owner: &[String],
        own: Vec<OwnRefusal>,
        first: Lang,
    ) -> Result<Self, BadPattern> {
        let own = own.into_iter().map(|own| Own::new(packs, own)).collect::<Result<_, _>>()?;
        let refusals = Refusals::new(packs, categories, &BTreeMap::new())?;
        let names = Names::new(packs, owner);
        Ok(Self(Some(Arc::new(Refusing { packs: packs.clone(), refusals, own, names, first }))))
    }

    /// Compiles everything now, so that no question waits for it.
    pub fn prepare(&self) {
        if let Some(refusing) = &self.0 {
            refusing.refusals.prepare();
            refusing.own.iter().for_each(|own| own.refusals.prepare());
        }
    }
}

/// Clears a question: by itself, then together with the one before it.
///
/// What was refused before does not make the next question refused: a phrase counts only where it ends in the
/// question itself, or where the question says nothing of its own ("And now?").
///
/// # Errors
/// A stop with the fixed text of the category that caught the question.
pub fn clear(admitted: Admitted, settings: &RefusalSettings) -> Result<Cleared, Stop> {
    match settings.0.as_deref().and_then(|refusing| refusing.stop(&admitted)) {
        None => Ok(Cleared { admitted }),
        Some(stop) => Err(stop),
    }
}

#[derive(Debug)]
struct Refusing {
    packs: Packs,
    refusals: Refusals,
    own: Vec<Own>,
    names: Names,
    first: Lang,
}

/// The shop's own questions, compiled apart from those of the packs: each has its own name and text.
#[derive(Debug)]
struct Own {
    name: Option<String>,
    refusals: Refusals,
    text: Option<String>,
}

impl Own {
    fn new(packs: &Packs, own: OwnRefusal) -> Result<Self, BadPattern> {
        let phrasing = BTreeMap::from([(own.category, own.phrasing)]);
        let refusals = Refusals::new(packs, &[], &phrasing)?;
        Ok(Self { name: own.name, refusals, text: own.text })
    }
}

/// How a text was read when it was caught.
#[derive(Debug, Clone, Copy)]
enum Read {
    Itself,
    WithPronoun,
    Across,
    GoingOn,
}

struct Caught<'r> {
    own: Option<&'r Own>,
    refused: Refused,
    words: String,
    read: Read,
}

impl Refusing {
    fn stop(&self, question: &Admitted) -> Option<Stop> {
        let caught = self.alone(question.original()).or_else(|| self.with_previous(question))?;
        Some(self.told(caught, question.facts().language))
    }

    /// A text by itself, and with the owner's name read as a pronoun.
    fn alone(&self, text: &str) -> Option<Caught<'_>> {
        let normal = Normal::of(text);
        let caught = self.check(text, Read::Itself, |refusals| refusals.check(&normal));
        caught.or_else(|| {
            self.names.readings(&normal).iter().find_map(|read| {
                let normal = Normal::of(read);
                self.check(read, Read::WithPronoun, |refusals| refusals.check(&normal))
            })
        })
    }

    fn with_previous(&self, question: &Admitted) -> Option<Caught<'_>> {
        let previous = question.previous()?.question.trim_end();
        let both = format!("{previous} {}", question.original());
        let (normal, from) = (Normal::of(&both), previous.len() + 1);
        let across = |refusals: &Refusals| refusals.check_across(&normal, from);
        self.check(&both, Read::Across, across).or_else(|| {
            let pack = self.packs.get(question.facts().language);
            let goes_on = pack.content_words(question.original()).is_empty();
            let before = goes_on.then(|| self.alone(previous)).flatten()?;
            Some(Caught { read: Read::GoingOn, ..before })
        })
    }

    /// The shop's own questions first: they have texts of their own.
    fn check(
        &self,
        text: &str,
        read: Read,
        check: impl Fn(&Refusals) -> Option<Refused>,
    ) -> Option<Caught<'_>> {
        let own = self.own.iter().map(|own| (Some(own), &own.refusals));
        own.chain([(None, &self.refusals)]).find_map(|(own, refusals)| {
            let refused = check(refusals)?;
            let words = text.get(refused.found.clone()).unwrap_or_default().to_owned();
            Some(Caught { own, refused, words, read })
        })
    }

    fn told(&self, caught: Caught<'_>, language: Lang) -> Stop {
        let Caught { own, refused, words, read } = caught;
        let name = own.and_then(|own| own.name.as_deref()).unwrap_or_else(|| named(refused.category));
        let how = match read {
            Read::Itself => "",
            Read::WithPronoun => ", with the owner's name read as a pronoun",
            Read::Across => ", together with the question before",
            Read::GoingOn => ", in the question before, which this one goes on from",
        };
        let evidence = format!("found {words:?} by {:?}{how}", refused.pattern);
        let rule = format!("{}{name}", RuleName::REFUSAL);
        let own_text = own.and_then(|own| own.text.clone()).filter(|_| language == self.first);
        Stop {
            wording: own_text,
            ..Stop::new(Ending::Refused, &rule, evidence, TextKey::refused(refused.category))
        }
    }
}

fn named(category: Category) -> &'static str {
    match category {
        Category::Terms => "terms",
        Category::Private => "private",
        Category::Speculation => "speculation",
        Category::Instructions => "instructions",
        Category::Tasks => "tasks",
    }
}
