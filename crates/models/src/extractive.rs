//! The model that is no model: quotes the shop's documents, and asks a look-up for what it is given.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use mostrador_answer::actions::{ReplyAction, reply};
use mostrador_answer::message::{
    Delta, MarkedDocument, NOT_COVERED, Outcome, Request, StopReason, ToolResult, ToolUse,
};
use mostrador_answer::money::Usage;
use mostrador_answer::passage::Trust;
use mostrador_answer::ports::{Model, ModelError};
use mostrador_language::{Lang, Packs, TextKey, Texts};

use crate::exchange::Exchange;
use crate::quote::{Passages, headline, quotations};
use crate::units::closed;
use crate::values::Patterns;

/// The most look-ups asked for at once; further numbers in a question are left alone.
const MOST_LOOK_UPS: usize = 4;

/// Answers without a model, without a network and at no cost, the same every time.
///
/// - The question holds a value that fits a look-up's parameter patterns: it asks for that look-up,
///   once for each value.
/// - Results have come: what was found is said word for word, what was not by the shop's own
///   [`TextKey::NotFound`]. A look-up that failed is not talked over: the whole is [`NOT_COVERED`].
/// - The question is for an overview: the first sentence of each record, behind its date.
/// - Otherwise the best one or two sentences of the documents, each followed by its marker.
/// - Nothing fits: [`NOT_COVERED`].
///
/// Every call uses zero tokens, and that is exact.
#[derive(Debug, Default)]
pub struct ExtractiveModel {
    texts: BTreeMap<Lang, Texts>,
    packs: Packs,
    patterns: Patterns,
    passages: Passages,
}

impl ExtractiveModel {
    /// A model with the shop's own texts by language; what is missing comes from the language pack.
    #[must_use]
    pub fn new(texts: BTreeMap<Lang, Texts>, packs: Packs) -> Self {
        Self { texts, packs, ..Self::default() }
    }

    fn reply(&self, request: &Request) -> (Vec<Delta>, StopReason) {
        let exchange = Exchange::of(request);
        let say = |text: String| (vec![Delta::Text(text)], StopReason::EndTurn);
        if !exchange.results.is_empty() {
            return say(self.after_look_ups(&exchange, request));
        }
        let mut calls = self.patterns.calls(&exchange.question, &request.tools);
        calls.truncate(MOST_LOOK_UPS);
        if !calls.is_empty() {
            let uses = calls
                .into_iter()
                .enumerate()
                .map(|(n, (name, input))| Delta::ToolUse(ToolUse { id: exchange.call_id(n), name, input }));
            return (uses.collect(), StopReason::ToolUse);
        }
        let pack = self.packs.get(request.reading);
        let quoted = if request.overview {
            shops_own(&exchange).into_iter().filter_map(|record| headline(record, pack)).collect()
        } else {
            // What the customer points to is what the sentence is looked for by.
            let question = exchange
                .item
                .as_ref()
                .map_or(exchange.question.clone(), |item| format!("{item} {}", exchange.question));
            quotations(&self.passages, &question, &shops_own(&exchange), pack)
        };
        if quoted.is_empty() {
            return say(NOT_COVERED.to_owned());
        }
        let spaced = quoted
            .into_iter()
            .enumerate()
            .map(|(n, quotation)| Delta::Text(if n == 0 { quotation } else { format!(" {quotation}") }));
        (spaced.collect(), StopReason::EndTurn)
    }

    /// What the look-ups gave. Where they found nothing the number may have been no number of theirs
    /// (a year, a size), so what the documents say to the question stands behind it.
    fn after_look_ups(&self, exchange: &Exchange<'_>, request: &Request) -> String {
        let Some(told) = self.tell(&exchange.results, request.language) else {
            return NOT_COVERED.to_owned();
        };
        let nothing = exchange.results.iter().all(|result| result.outcome == Outcome::NotFound);
        if !nothing {
            return told;
        }
        let pack = self.packs.get(request.reading);
        let quoted = quotations(&self.passages, &exchange.question, &shops_own(exchange), pack);
        std::iter::once(told).chain(quoted).collect::<Vec<_>>().join(" ")
    }

    /// What the results say, each sentence once; `None` where one of them is a failure.
    fn tell(&self, results: &[&ToolResult], language: Lang) -> Option<String> {
        let mut told: Vec<String> = Vec::new();
        for result in results {
            let sentence = match result.outcome {
                Outcome::Found => closed(&result.content),
                Outcome::NotFound => self.not_found(language)?,
                Outcome::BadInput | Outcome::TimedOut | Outcome::Failed => return None,
            };
            if !told.contains(&sentence) {
                told.push(sentence);
            }
        }
        Some(told.join(" "))
    }

    fn not_found(&self, language: Lang) -> Option<String> {
        let own = self.texts.get(&language).and_then(|texts| texts.get(&TextKey::NotFound));
        let packed = || self.packs.get(language).texts.get(&TextKey::NotFound);
        own.or_else(packed).cloned()
    }
}

fn text(delta: &Delta) -> &str {
    match delta {
        Delta::Text(text) => text,
        _ => "",
    }
}

/// The documents that are the shop's own words: nobody else's are quoted as its answer.
fn shops_own<'a>(exchange: &Exchange<'a>) -> Vec<&'a MarkedDocument> {
    exchange.documents.iter().copied().filter(|document| document.trust() == Trust::Shop).collect()
}

impl Model for ExtractiveModel {
    fn id(&self) -> String {
        "extractive".to_owned()
    }

    fn counts_tokens(&self) -> bool {
        true
    }

    /// Streams a quotation at a time.
    fn stream(&self, request: Arc<Request>) -> BoxStream<'static, Result<Delta, ModelError>> {
        let (mut deltas, reason) = self.reply(&request);
        if request.output_schema.is_some() && reason == StopReason::EndTurn {
            let said: String = deltas.iter().map(text).collect();
            deltas = vec![Delta::Text(reply(ReplyAction::Answer.name(), &said))];
        }
        deltas.push(Delta::Usage(Usage::default().into()));
        deltas.push(Delta::End(reason));
        stream::iter(deltas.into_iter().map(Ok)).boxed()
    }
}
