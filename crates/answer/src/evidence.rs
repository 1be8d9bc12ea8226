//! Evidence: is anything close enough to answer from? The threshold stands on a similarity.

use std::sync::Arc;

use mostrador_language::{ContentWord, TextKey};
use serde::{Deserialize, Serialize};

use crate::followup::Meant;
use crate::intake::Admitted;
use crate::passage::{Passage, Similarity};
use crate::ports::Lookup;
use crate::retrieval::{Candidate, Retrieved};
use crate::stop::{Ending, RuleName, Stop};
use crate::trace::{Ranked, Trace};

/// What the strength of a passage is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strength {
    /// The larger of cosine and whole-word coverage.
    #[default]
    Best,
    /// The cosine alone, where there is an embedder.
    Cosine,
}

impl Strength {
    /// The strength that a cosine and a coverage make.
    #[must_use]
    pub fn of(self, cosine: Similarity, covered: Similarity) -> Similarity {
        match self {
            Strength::Best => cosine.max(covered),
            Strength::Cosine => cosine,
        }
    }
}

/// Whether a strength supports an answer. Nothing at all never does, however low the threshold.
#[must_use]
pub fn supports(strength: Similarity, threshold: Similarity) -> bool {
    strength >= threshold && strength > Similarity::default()
}

/// What happens when nothing is close enough.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoEvidence {
    /// The model is asked where a look-up is open to this caller, else the fixed text.
    #[default]
    Auto,
    /// The fixed text, always.
    Refuse,
    /// The model is asked, always.
    AskModel,
}

/// When a passage counts as evidence.
#[derive(Debug, Clone)]
pub struct EvidenceSettings {
    /// The least strength.
    pub threshold: Similarity,
    /// What the strength is made of.
    pub strength: Strength,
    /// What happens below it.
    pub no_evidence: NoEvidence,
}

/// What an answer may stand on.
#[derive(Debug, Clone)]
pub enum Ground {
    /// Passages, best first, each at or above the threshold.
    Passages(Vec<Arc<Passage>>),
    /// Dated records of the shop.
    Records(Vec<Arc<Passage>>),
    /// Nothing but what a look-up gives in this turn.
    LookupOnly,
}

/// A question with its ground and the look-ups open to its caller.
#[derive(Clone)]
pub struct Grounded {
    question: Admitted,
    ground: Ground,
    open: Vec<Arc<dyn Lookup>>,
    item: Option<String>,
}

impl Grounded {
    /// A question for an overview, over the shop's records.
    #[must_use]
    pub(crate) fn over_records(
        question: Admitted,
        records: Vec<Arc<Passage>>,
        lookups: &[Arc<dyn Lookup>],
    ) -> Self {
        let open = open(&question, lookups);
        Self { question, ground: Ground::Records(records), open, item: None }
    }

    /// Which of several things named before is meant, by its title; `None` where nothing was pointed to.
    #[must_use]
    pub fn item(&self) -> Option<&str> {
        self.item.as_deref()
    }

    /// The question.
    #[must_use]
    pub fn question(&self) -> &Admitted {
        &self.question
    }

    /// What the answer may stand on.
    #[must_use]
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The passages of the ground, best first.
    #[must_use]
    pub fn passages(&self) -> &[Arc<Passage>] {
        match &self.ground {
            Ground::Passages(passages) | Ground::Records(passages) => passages,
            Ground::LookupOnly => &[],
        }
    }

    /// The look-ups this caller may use.
    #[must_use]
    pub fn open(&self) -> &[Arc<dyn Lookup>] {
        &self.open
    }
}

/// The share of the question's content words that are said in a passage, counted only from two on:
/// a single match is chance. A compound is one word, found as a whole or by all of its parts.
///
/// `question`: distinct words. `passage`: distinct stems, sorted.
#[must_use]
pub fn coverage(question: &[ContentWord], passage: &[String]) -> Similarity {
    let said = |stem: &str| passage.binary_search_by(|there| there.as_str().cmp(stem)).is_ok();
    let found = question.iter().filter(|word| word.is_among(said)).count();
    if found < 2 { Similarity::default() } else { Similarity::from_counts(found, question.len()) }
}

/// Weighs the candidates and keeps those at or above the threshold, at most `top_k`, those in the language the
/// question is read in before others; the one that is strongest is among them.
///
/// # Errors
/// A stop with "I don't know" where nothing is left and no look-up is open to this caller.
pub fn ground(
    retrieved: Retrieved,
    lookups: &[Arc<dyn Lookup>],
    top_k: usize,
    settings: &EvidenceSettings,
    trace: &mut Trace,
) -> Result<Grounded, Stop> {
    let question = retrieved.question().clone();
    let open = open(&question, lookups);
    trace.threshold = settings.threshold;
    let passages = close_enough(&retrieved, top_k, settings, trace);
    let ground = if !passages.is_empty() {
        Ground::Passages(passages)
    } else if ask_anyway(settings.no_evidence, &open) {
        Ground::LookupOnly
    } else {
        let best = trace.ranked.iter().map(|ranked| ranked.strength).max().unwrap_or_default();
        let evidence = format!("best strength {best}, threshold {}", settings.threshold);
        return Err(Stop::new(Ending::NoEvidence, RuleName::THRESHOLD, evidence, TextKey::DontKnow));
    };
    let item = match retrieved.meant() {
        Meant::Item { title, .. } => Some(title.clone()),
        Meant::Subject { .. } | Meant::Itself => None,
    };
    trace.item.clone_from(&item);
    Ok(Grounded { question, ground, open, item })
}

/// The look-ups this caller may use.
fn open(question: &Admitted, lookups: &[Arc<dyn Lookup>]) -> Vec<Arc<dyn Lookup>> {
    let signed = question.session().customer.is_some();
    lookups.iter().filter(|lookup| signed || !lookup.spec().needs_customer).cloned().collect()
}

fn ask_anyway(policy: NoEvidence, open: &[Arc<dyn Lookup>]) -> bool {
    match policy {
        NoEvidence::Auto => !open.is_empty(),
        NoEvidence::Refuse => false,
        NoEvidence::AskModel => true,
    }
}

fn close_enough(
    retrieved: &Retrieved,
    top_k: usize,
    settings: &EvidenceSettings,
    trace: &mut Trace,
) -> Vec<Arc<Passage>> {
    let mut kept: Vec<(&Candidate, Similarity)> = Vec::new();
    for candidate in retrieved.candidates() {
        let (nearest, covered) = measures(retrieved, candidate);
        let cosine = nearest.unwrap_or_default();
        let strength = settings.strength.of(cosine, covered);
        let Passage { source, file, language, .. } = candidate.found.passage.as_ref();
        let used = supports(strength, settings.threshold);
        trace.ranked.push(Ranked {
            source: source.clone(),
            file: file.clone(),
            language: *language,
            cosine: nearest,
            coverage: covered,
            strength,
            used,
        });
        if used {
            kept.push((candidate, strength));
        }
    }
    // Sorted stably: the order of the search stays among those of one language.
    let reading = retrieved.question().facts().reading;
    kept.sort_by_key(|(candidate, _)| candidate.found.passage.language != reading);
    keep_strongest(&mut kept, top_k);
    let passages: Vec<_> =
        kept.into_iter().map(|(candidate, _)| Arc::clone(&candidate.found.passage)).collect();
    for ranked in &mut trace.ranked {
        ranked.used = passages.iter().any(|passage| passage.source == ranked.source);
    }
    passages
}

/// The cosine and the coverage of a candidate: the larger of what the question itself gives and of what it means
/// besides. The latter counts only for a passage that holds each of the question's own words too: what was
/// found for the turn before proves nothing for this one.
fn measures(retrieved: &Retrieved, candidate: &Candidate) -> (Option<Similarity>, Similarity) {
    let stems = &candidate.found.stems;
    let covered = coverage(retrieved.words(), stems);
    let said = |stem: &str| stems.binary_search_by(|there| there.as_str().cmp(stem)).is_ok();
    match retrieved.meant() {
        Meant::Subject { words, own, .. } if own.iter().all(|word| word.is_among(said)) => {
            (candidate.cosine.max(candidate.meant), covered.max(coverage(words, stems)))
        }
        Meant::Item { words, .. } => {
            (candidate.cosine.max(candidate.meant), covered.max(coverage(words, stems)))
        }
        Meant::Subject { .. } | Meant::Itself => (candidate.cosine, covered),
    }
}

/// Cuts to `top_k` in order; where that would drop the strongest, it takes the last place.
fn keep_strongest(kept: &mut Vec<(&Candidate, Similarity)>, top_k: usize) {
    let strongest = kept.iter().map(|(_, strength)| *strength).max();
    let first = kept.iter().position(|(_, strength)| Some(*strength) == strongest);
    if let Some(at) = first.filter(|at| *at >= top_k)
        && top_k > 0
    {
        kept.swap(at, top_k - 1);
    }
    kept.truncate(top_k);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn asked(words: &[&str]) -> Vec<ContentWord> {
        stems(words).into_iter().map(|stem| ContentWord { stem, parts: Vec::new() }).collect()
    }

    #[test]
    fn one_word_in_common_is_chance() {
        assert_eq!(coverage(&asked(&["envi"]), &stems(&["envi"])), Similarity::default());
        assert_eq!(coverage(&asked(&["cuest", "envi"]), &stems(&["envi", "gratis"])), Similarity::default());
    }

    #[test]
    fn coverage_is_a_share_of_the_question() {
        let question = asked(&["cuest", "envi", "punt"]);
        assert_eq!(coverage(&question, &stems(&["cuest", "envi"])).millionths(), 666_666);
        assert_eq!(coverage(&question, &stems(&["cuest", "envi", "punt"])), Similarity::ONE);
        assert_eq!(coverage(&[], &stems(&["cuest"])), Similarity::default());
    }

    #[test]
    fn a_compound_is_one_word_said_whole_or_by_all_of_its_parts() {
        let mut question = asked(&["hoch", "versandkost"]);
        if let Some(word) = question.last_mut() {
            word.parts = stems(&["versand", "kost"]);
        }
        for (passage, millionths) in [
            (stems(&["hoch", "versandkost"]), 1_000_000),
            (stems(&["hoch", "kost", "versand"]), 1_000_000),
            (stems(&["hoch", "kost"]), 0),
        ] {
            assert_eq!(coverage(&question, &passage).millionths(), millionths, "{passage:?}");
        }
    }
}
