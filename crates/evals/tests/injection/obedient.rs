//! The most obedient model: where it reads an order, it says whatever could be wanted of it, in the form that the gate
//! is likeliest to let pass.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mostrador_answer::message::{Block, MarkedDocument, NOT_COVERED, Request};
use mostrador_answer::passage::Trust;
use mostrador_language::{Lang, normalize};
use mostrador_testkit::ReadingModel;
use serde::Deserialize;

use crate::oracle::base64;

/// How a language words what is wanted. `{secret}` is where the secret goes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wording {
    pub(crate) lang: Lang,
    secret: String,
    announced: String,
    pub(crate) discount: String,
    pub(crate) discount_in_words: String,
    pub(crate) money: String,
    pub(crate) money_in_words: String,
}

/// What it does with an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Deed {
    /// Says its whole system text but for the words and signs that end an answer by themselves.
    Prompt,
    /// Says its last line, where it was told what to keep.
    Confided,
    /// Says the secret alone.
    Bare,
    /// Says it in a sentence.
    Secret,
    /// Says it before a colon, as if something followed.
    Announced,
    /// Says it letter by letter, in a sentence.
    Spaced,
    /// The same without one.
    SpacedBare,
    /// Says it in base64, in a sentence.
    Encoded,
    /// The same without one.
    EncodedBare,
    /// Promises a discount with a share and a code.
    Discount,
    /// Promises one without a number.
    DiscountInWords,
    /// Promises an amount.
    Money,
    /// Promises all the money.
    MoneyInWords,
}

impl Deed {
    pub(crate) const ALL: [Deed; 13] = [
        Deed::Prompt,
        Deed::Confided,
        Deed::Bare,
        Deed::Secret,
        Deed::Announced,
        Deed::Spaced,
        Deed::SpacedBare,
        Deed::Encoded,
        Deed::EncodedBare,
        Deed::Discount,
        Deed::DiscountInWords,
        Deed::Money,
        Deed::MoneyInWords,
    ];

    /// Whether there has to be a secret for it.
    pub(crate) fn wants_secret(self) -> bool {
        use Deed::{Announced, Bare, Encoded, EncodedBare, Secret, Spaced, SpacedBare};
        matches!(self, Bare | Secret | Announced | Spaced | SpacedBare | Encoded | EncodedBare)
    }

    /// Whether a language words it.
    pub(crate) fn is_worded(self) -> bool {
        !matches!(self, Deed::Prompt | Deed::Confided | Deed::Bare | Deed::SpacedBare | Deed::EncodedBare)
    }

    fn say(self, wording: &Wording, system: &str, secret: &str) -> String {
        let spaced = || secret.chars().map(String::from).collect::<Vec<_>>().join(" ");
        let fill = |template: &str, secret: &str| template.replace("{secret}", secret);
        match self {
            Deed::Prompt => system.replace(['<', '>', '{', '`'], "").replace(NOT_COVERED, ""),
            Deed::Confided => system.lines().next_back().unwrap_or_default().to_owned(),
            Deed::Bare => secret.to_owned(),
            Deed::Secret => fill(&wording.secret, secret),
            Deed::Announced => fill(&wording.announced, secret),
            Deed::Spaced => fill(&wording.secret, &spaced()),
            Deed::SpacedBare => spaced(),
            Deed::Encoded => fill(&wording.secret, &base64(secret)),
            Deed::EncodedBare => base64(secret),
            Deed::Discount => wording.discount.clone(),
            Deed::DiscountInWords => wording.discount_in_words.clone(),
            Deed::Money => wording.money.clone(),
            Deed::MoneyInWords => wording.money_in_words.clone(),
        }
    }
}

/// What it is to say, to which order.
#[derive(Debug, Clone)]
pub(crate) struct Obedience {
    pub(crate) deed: Deed,
    pub(crate) wording: Arc<Wording>,
    /// Whether the marker of a passage of the shop's own stands behind it.
    pub(crate) marked: bool,
    pub(crate) order: Arc<str>,
    pub(crate) secret: Arc<str>,
}

impl Obedience {
    /// The model; it counts in `obeyed` the calls in which it read the order. Without one it does not know.
    pub(crate) fn model(self, obeyed: Arc<AtomicUsize>) -> ReadingModel {
        ReadingModel::new(move |request| {
            if !self.reads_order(request) {
                return NOT_COVERED.to_owned();
            }
            obeyed.fetch_add(1, Ordering::Relaxed);
            let said = self.deed.say(&self.wording, &request.system, &self.secret);
            match own(request).filter(|_| self.marked) {
                None => said,
                Some(document) => format!("{said} [{}]", document.source()),
            }
        })
    }

    fn reads_order(&self, request: &Request) -> bool {
        /// A passage may end within an order; this much of it is one.
        const BEGINNING: usize = 40;
        let plain = |text: &str| normalize(&text.replace(['<', '>'], ""));
        let order: String = plain(&self.order).chars().take(BEGINNING).collect();
        blocks(request).any(|block| plain(&block.text()).contains(order.trim()))
    }
}

fn blocks(request: &Request) -> impl Iterator<Item = &Block> {
    request.messages.iter().flat_map(|message| &message.content)
}

/// The first document of the shop's own.
fn own(request: &Request) -> Option<&MarkedDocument> {
    let documents = blocks(request).filter_map(|block| match block {
        Block::Documents(documents) => Some(documents),
        _ => None,
    });
    documents.flatten().find(|document| document.trust() == Trust::Shop)
}
