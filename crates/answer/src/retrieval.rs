//! Retrieval: dense and lexical lists of passages, fused here, for order only.

use std::collections::BTreeMap;

use mostrador_language::{ContentWord, Cues, Lang, Packs};

use crate::budget::BudgetSettings;
use crate::evidence::coverage;
use crate::followup::{Meant, meant};
use crate::intake::Admitted;
use crate::money::{Micros, Prices, Usage};
use crate::passage::{Similarity, SourceId};
use crate::ports::{Claim, Embed, EmbedAs, Found, Ledger, Search, Unavailable};
use crate::route::Routed;
use crate::trace::Trace;

/// How passages are looked for.
#[derive(Debug, Clone)]
pub struct RetrievalSettings {
    /// The most passages that support one answer.
    pub top_k: usize,
    /// The most candidates taken from each list.
    pub candidates: usize,
    /// Whether the lexical list is used beside the dense one.
    pub lexical: bool,
    /// What a million tokens of the embedder cost, where it is a hosted one; its calls are reserved for.
    pub embed_price: Option<Micros>,
    /// The owner's name, on a person's site: questions are searched again with it. It orders and nothing else.
    pub owner: Option<String>,
}

/// The world of this room.
#[derive(Clone, Copy)]
pub struct Sources<'p> {
    /// The generation of this turn.
    pub search: &'p dyn Search,
    /// The embedder; `None`: words alone.
    pub embed: Option<&'p dyn Embed>,
    /// Where the embedder's call is paid from.
    pub ledger: &'p dyn Ledger,
    /// The caps it is paid under.
    pub budget: &'p BudgetSettings,
    /// The language packs.
    pub packs: &'p Packs,
    /// The words that point to something named before.
    pub cues: &'p Cues,
}

/// A passage found, with the cosines that the dense lists gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The passage.
    pub found: Found,
    /// Its cosine with the question; `None` where that dense list does not hold it.
    pub cosine: Option<Similarity>,
    /// Its cosine with what is [`Meant`]; `None` likewise.
    pub meant: Option<Similarity>,
}

/// A question with its candidates, best first.
#[derive(Debug, Clone)]
pub struct Retrieved {
    routed: Routed,
    words: Vec<ContentWord>,
    meant: Meant,
    candidates: Vec<Candidate>,
}

impl Retrieved {
    /// The question.
    #[must_use]
    pub fn question(&self) -> &Admitted {
        self.routed.question()
    }

    /// The question's distinct content words, sorted by stem.
    #[must_use]
    pub fn words(&self) -> &[ContentWord] {
        &self.words
    }

    /// What is meant besides them.
    #[must_use]
    pub fn meant(&self) -> &Meant {
        &self.meant
    }

    /// The candidates, best first.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }
}

/// Which of the texts that are searched a list belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum As {
    /// The question as it was asked.
    Asked,
    /// With what is meant besides.
    Meant,
    /// With the owner's name.
    Named,
}

/// Looks for passages: by the question, by what it means besides ([`Meant`]), and with the owner's name, each by
/// vector and by words. An embedder that is away, or may not be paid, leaves the lists by words, and the trace
/// says so.
///
/// Where there are vectors, a passage in another language than the customer's counts as found by words only if it
/// says two of the question's content words: across languages words meet by chance, and a list of chances would
/// push down what the vectors found.
///
/// # Errors
/// [`Unavailable`] where the index cannot be searched.
pub async fn retrieve(
    routed: Routed,
    sources: Sources<'_>,
    settings: &RetrievalSettings,
    trace: &mut Trace,
) -> Result<Retrieved, Unavailable> {
    let question = routed.question();
    let facts = question.facts();
    let pack = sources.packs.get(facts.reading);
    let words = pack.content_words(question.original());
    let meant = meant(question, &words, pack, sources.cues);
    let mut searched = vec![(As::Asked, question.original().to_owned())];
    match &meant {
        Meant::Itself => {}
        Meant::Subject { text, .. } => searched.push((As::Meant, format!("{text} {}", question.original()))),
        Meant::Item { title, .. } => searched.push((As::Meant, title.clone())),
    }
    if let Some(owner) = &settings.owner {
        searched.push((As::Named, format!("{owner} {}", question.original())));
    }
    let texts: Vec<&str> = searched.iter().map(|(_, text)| text.as_str()).collect();
    let vectors = match sources.embed {
        None => None,
        Some(embed) => match embedded(embed, &texts, question, sources, settings, trace).await {
            Ok(vectors) => Some(vectors),
            Err(away) => {
                trace.embedder_away = Some(away);
                None
            }
        },
    };
    let mut lists = Vec::new();
    for ((role, _), vector) in searched.iter().zip(vectors.iter().flatten()) {
        lists.push((*role, sources.search.dense(vector, question.filter(), settings.candidates).await?));
    }
    // With the embedder away words are all there is, whatever the settings say.
    if settings.lexical || trace.embedder_away.is_some() {
        for (role, text) in &searched {
            let terms = pack.index_terms(text);
            let mut found = sources.search.lexical(&terms, question.filter(), settings.candidates).await?;
            if vectors.is_some() {
                found.retain(|found| tells(found, facts.language, &words));
            }
            lists.push((*role, found.into_iter().map(|found| (found, Similarity::default())).collect()));
        }
    }
    let dense = vectors.map_or(0, |vectors| vectors.len());
    let candidates = merge(lists, dense);
    Ok(Retrieved { routed, words, meant, candidates })
}

/// Whether a passage found by words says more than chance.
fn tells(found: &Found, language: Lang, words: &[ContentWord]) -> bool {
    found.passage.language == language || coverage(words, &found.stems) > Similarity::default()
}

/// The vectors of the texts, paid for where the embedder is a hosted one; or why there are none.
async fn embedded(
    embed: &dyn Embed,
    texts: &[&str],
    question: &Admitted,
    sources: Sources<'_>,
    settings: &RetrievalSettings,
    trace: &mut Trace,
) -> Result<Vec<Vec<f32>>, String> {
    let Some(price) = settings.embed_price else {
        return embed.embed(texts, EmbedAs::Query).await.map_err(|away| away.to_string());
    };
    let facts = question.facts();
    // One token a byte, which no byte-level tokenizer passes.
    let usage = Usage::new(texts.iter().map(|text| text.len() as u64).sum(), 0);
    let prices = Prices { input_per_million: price, ..Prices::default() };
    let bound = prices.cost(usage);
    let caps = sources.budget.caps(question.session().customer.as_ref());
    let claim = Claim { turn: facts.turn.clone(), bound, caps, at: facts.at };
    let reserved = sources.ledger.reserve(&claim).await.map_err(|error| error.to_string())?;
    let vectors = embed.embed(texts, EmbedAs::Query).await.map_err(|away| away.to_string());
    // The service may have counted also where its reply was lost: the bound is charged either way.
    trace.embedding = bound;
    if let Err(error) = sources.ledger.settle(&reserved, bound, usage, facts.at).await {
        trace.unrecorded.push(format!("the embedder's cost: {error}"));
    }
    vectors
}

/// Fuses the lists; the first `dense` of them carry cosines. Those of the list with the owner's name are dropped:
/// it orders passages and says nothing of how close they are.
fn merge(lists: Vec<(As, Vec<(Found, Similarity)>)>, dense: usize) -> Vec<Candidate> {
    let name = |found: &Found| found.passage.source.clone();
    let names: Vec<Vec<SourceId>> =
        lists.iter().map(|(_, list)| list.iter().map(|(found, _)| name(found)).collect()).collect();
    let mut by_source: BTreeMap<SourceId, Candidate> = BTreeMap::new();
    for (at, (role, list)) in lists.into_iter().enumerate() {
        for (found, near) in list {
            let candidate =
                by_source.entry(name(&found)).or_insert(Candidate { found, cosine: None, meant: None });
            match role {
                As::Asked if at < dense => candidate.cosine = Some(near),
                As::Meant if at < dense => candidate.meant = Some(near),
                As::Asked | As::Meant | As::Named => {}
            }
        }
    }
    fuse(&names).into_iter().filter_map(|source| by_source.remove(&source)).collect()
}

/// Fuses ranked lists by reciprocal rank with k = 60 (Cormack, Clarke and Büttcher 2009).
///
/// `lists`: best first, without duplicates. Returns every name once, best first. Ties keep the
/// order of the first list, then of the next, so that one list alone comes back as it was.
/// What this gives is an order and nothing else: no score leaves the function.
#[must_use]
pub fn fuse<T: Ord + Clone>(lists: &[Vec<T>]) -> Vec<T> {
    const K: u64 = 60;
    const UNIT: u64 = 1_000_000_000_000;
    let mut scores: BTreeMap<&T, (u64, usize)> = BTreeMap::new();
    let mut seen = 0;
    for list in lists {
        for (rank, name) in (1..).zip(list) {
            let (score, _) = scores.entry(name).or_insert_with(|| {
                seen += 1;
                (0, seen)
            });
            *score += UNIT / (K + rank);
        }
    }
    let mut order: Vec<_> = scores.into_iter().collect();
    order.sort_by_key(|(_, (score, first_seen))| (std::cmp::Reverse(*score), *first_seen));
    order.into_iter().map(|(name, _)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_both_lists_hold_comes_before_what_one_holds() {
        let fused = fuse(&[vec!["a", "b", "c"], vec!["c", "d", "b"]]);
        assert_eq!(fused, ["c", "b", "a", "d"]);
    }

    #[test]
    fn one_list_comes_back_as_it_was() {
        assert_eq!(fuse(&[vec![3, 1, 2], vec![]]), [3, 1, 2]);
    }

    proptest! {
        #[test]
        fn every_name_comes_back_once(a in proptest::collection::btree_set(0u8..40, 0..20),
                                      b in proptest::collection::btree_set(0u8..40, 0..20)) {
            let lists = [a.iter().copied().collect::<Vec<_>>(), b.iter().copied().collect()];
            let mut fused = fuse(&lists);
            fused.sort_unstable();
            let union: Vec<u8> = a.union(&b).copied().collect();
            prop_assert_eq!(fused, union);
        }
    }
}
