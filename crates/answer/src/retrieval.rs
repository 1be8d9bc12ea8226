//! Retrieval: a dense and a lexical list of passages, fused here, for order only.

use std::collections::BTreeMap;

use mostrador_language::{ContentWord, Packs};

use crate::intake::Admitted;
use crate::passage::{Similarity, SourceId};
use crate::ports::{Embed, EmbedAs, Filter, Found, Search, Unavailable};
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
}

/// A passage found, with the cosine that the dense list gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The passage.
    pub found: Found,
    /// Its cosine with the question; `None` where the dense list does not hold it.
    pub cosine: Option<Similarity>,
}

/// A question with its candidates, best first.
#[derive(Debug, Clone)]
pub struct Retrieved {
    routed: Routed,
    words: Vec<ContentWord>,
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

    /// The candidates, best first.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }
}

/// Looks for passages. An embedder that is away leaves the lexical list, and the trace says so.
///
/// # Errors
/// [`Unavailable`] where the index cannot be searched.
pub async fn retrieve(
    routed: Routed,
    search: &dyn Search,
    embed: Option<&dyn Embed>,
    settings: &RetrievalSettings,
    packs: &Packs,
    trace: &mut Trace,
) -> Result<Retrieved, Unavailable> {
    let question = routed.question();
    let pack = packs.get(question.facts().reading);
    let words = pack.content_words(question.original());
    let filter = Filter::default();
    let mut dense = Vec::new();
    if let Some(embed) = embed {
        match embed.embed(&[question.original()], EmbedAs::Query).await {
            Ok(vectors) => {
                let vector = vectors.into_iter().next().unwrap_or_default();
                dense = search.dense(&vector, &filter, settings.candidates).await?;
            }
            Err(away) => trace.embedder_away = Some(away.to_string()),
        }
    }
    // With the embedder away words are all there is, whatever the settings say.
    let by_words = settings.lexical || trace.embedder_away.is_some();
    let lexical = if by_words {
        let terms = pack.index_terms(question.original());
        search.lexical(&terms, &filter, settings.candidates).await?
    } else {
        Vec::new()
    };
    let candidates = merge(dense, lexical);
    Ok(Retrieved { routed, words, candidates })
}

fn merge(dense: Vec<(Found, Similarity)>, lexical: Vec<Found>) -> Vec<Candidate> {
    let name = |found: &Found| found.passage.source.clone();
    let lists =
        [dense.iter().map(|(found, _)| name(found)).collect::<Vec<_>>(), lexical.iter().map(name).collect()];
    let mut by_source: BTreeMap<SourceId, Candidate> = BTreeMap::new();
    for (found, cosine) in dense {
        by_source.insert(name(&found), Candidate { found, cosine: Some(cosine) });
    }
    for found in lexical {
        by_source.entry(name(&found)).or_insert(Candidate { found, cosine: None });
    }
    fuse(&lists).into_iter().filter_map(|source| by_source.remove(&source)).collect()
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
