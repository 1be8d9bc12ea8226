//! Questions that touch money, or give the assistant orders: an answer to one is judged whole before it is shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::normal::Normal;
use crate::pack::{Pack, Packs, Phrasing};
use crate::refusal::{Category, Refusals};

/// What makes a question delicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Delicate {
    /// Money, a discount or something for nothing is asked for, or the terms are haggled about.
    Money,
    /// The assistant is told what to say or to be.
    Instructions,
}

impl Delicate {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Money, Self::Instructions];

    /// The questions that a shop may refuse for the same reason, and that are delicate where it does not.
    fn category(self) -> Category {
        match self {
            Self::Money => Category::Terms,
            Self::Instructions => Category::Instructions,
        }
    }
}

/// The delicate questions of every language there is a pack for, whatever language a question seems to be in.
///
/// Its phrases are wide where those of a refusal are narrow: a question taken for delicate is answered all the same.
#[derive(Debug)]
pub struct DelicateQuestions(Refusals);

impl DelicateQuestions {
    /// Those of the packs a shop works with.
    #[must_use]
    pub fn new(packs: &Packs) -> Self {
        let mut phrasings: BTreeMap<Category, Phrasing> = BTreeMap::new();
        for (delicate, phrasing) in Pack::languages().flat_map(|lang| packs.patterns(lang).delicate.each()) {
            let all = phrasings.entry(delicate.category()).or_default();
            all.phrases.extend(phrasing.phrases.iter().cloned());
            all.patterns.extend(phrasing.patterns.iter().cloned());
            all.except.extend(phrasing.except.iter().cloned());
        }
        let categories = Delicate::ALL.map(Delicate::category);
        Self(Refusals::of_packs(packs, &categories, phrasings))
    }

    /// Compiles everything now, so that no question has to wait for it.
    pub fn prepare(&self) {
        self.0.prepare();
    }

    /// What makes a text delicate, if something does; read as a refusal reads it.
    #[must_use]
    pub fn find(&self, text: &Normal) -> Option<Delicate> {
        let found = self.0.check(text)?;
        Delicate::ALL.into_iter().find(|delicate| delicate.category() == found.category)
    }
}
