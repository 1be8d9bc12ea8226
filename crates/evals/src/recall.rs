//! How well the search finds the passages that cases name: recall at a few ranks, and the mean reciprocal rank.

use std::fmt;

use serde::Serialize;

use crate::suite::{Run, Tried};

/// The ranks recall is measured at: below the four passages that a shop's `top_k` gives a model by default, since a
/// list that holds everything says nothing of its order.
pub const RANKS: [usize; 2] = [1, 3];

/// What the cases that name passages add up to. Shown, and compared with nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recall {
    /// Cases that name passages.
    pub cases: usize,
    /// Passages they name.
    pub named: usize,
    /// At each of [`RANKS`].
    pub at: Vec<RecallAt>,
    /// The sum, over the cases, of one divided by the rank of the first named passage, in millionths; a case
    /// none of whose passages was found adds nothing.
    pub reciprocal_ranks: u64,
}

/// Recall at a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RecallAt {
    /// The rank.
    pub k: usize,
    /// How many of the named passages stand among the first `k` of their question's candidates.
    pub found: usize,
    /// How many could stand there: a case that names more than `k` counts `k` of them.
    pub of: usize,
}

/// Counts over the cases that name passages, by the order retrieval gave their candidates; `None` without such a case.
#[must_use]
pub fn recall(run: &Run) -> Option<Recall> {
    let tried: Vec<&Tried> = run.tried.iter().filter(|tried| !tried.case.passages.is_empty()).collect();
    if tried.is_empty() {
        return None;
    }
    let at = RANKS.map(|k| RecallAt {
        k,
        found: tried.iter().map(|tried| ranks(tried).filter(|rank| *rank <= k).count()).sum(),
        of: tried.iter().map(|tried| tried.case.passages.len().min(k)).sum(),
    });
    let reciprocal = |tried: &&Tried| {
        let first = ranks(tried).min().and_then(|rank| u64::try_from(rank).ok());
        first.and_then(|rank| 1_000_000_u64.checked_div(rank)).unwrap_or_default()
    };
    Some(Recall {
        cases: tried.len(),
        named: tried.iter().map(|tried| tried.case.passages.len()).sum(),
        at: at.to_vec(),
        reciprocal_ranks: tried.iter().map(reciprocal).sum(),
    })
}

/// The ranks, from 1, at which a case's passages stand.
fn ranks(tried: &Tried) -> impl Iterator<Item = usize> {
    let ranked = &tried.answer.closing.trace.ranked;
    let named = |source: &str| tried.case.passages.iter().any(|passage| passage == source);
    (1..).zip(ranked).filter(move |(_, ranked)| named(ranked.source.as_str())).map(|(rank, _)| rank)
}

impl fmt::Display for Recall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for RecallAt { k, found, of } in &self.at {
            write!(f, "recall@{k} {found}/{of}  ")?;
        }
        let cases = u64::try_from(self.cases).unwrap_or(u64::MAX).max(1);
        let mean = (self.reciprocal_ranks + cases / 2) / cases;
        write!(f, "MRR {}.{:06} (n = {})", mean / 1_000_000, mean % 1_000_000, self.cases)
    }
}
