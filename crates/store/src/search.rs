//! Finds passages in memory: by cosine, and by terms through an inverted index.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use async_trait::async_trait;
use mostrador_answer::passage::{Passage, Similarity};
use mostrador_answer::ports::{Filter, Found, Search, Unavailable};
use mostrador_language::Packs;

use crate::StoredPassage;

/// How fast a repeated word stops counting, and how much a long passage counts less: the values of
/// Robertson and Zaragoza 2009, section 3.5.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// All passages of a shop, analysed once. For the size of a shop's documents: every search by cosine
/// looks at every passage.
#[derive(Debug)]
pub struct MemoryIndex {
    passages: Vec<Indexed>,
    /// By term, the numbers of the passages that have it, ascending, with how often.
    postings: HashMap<String, Vec<(usize, u32)>>,
    /// Terms in a passage on average; 1 where there are none.
    average: f64,
}

#[derive(Debug)]
struct Indexed {
    found: Found,
    /// How many terms it has, repeats included.
    terms: usize,
    vector: Vec<f32>,
    /// The length of the vector; 0 for a passage that no vector finds.
    norm: f64,
}

impl MemoryIndex {
    /// Analyses passages, given in the order of the documents: headings and text in the
    /// language of each. A passage without a vector is found by its words alone.
    #[must_use]
    pub fn new(passages: Vec<StoredPassage>, packs: &Packs) -> Self {
        let mut postings: HashMap<String, Vec<(usize, u32)>> = HashMap::new();
        let analyse = |(number, (passage, vector)): (usize, StoredPassage)| {
            let text = searched(&passage);
            let pack = packs.get(passage.language);
            let terms = pack.index_terms(&text);
            let count = terms.len();
            for term in terms {
                let having = postings.entry(term).or_default();
                match having.last_mut() {
                    Some((last, times)) if *last == number => *times += 1,
                    _ => having.push((number, 1)),
                }
            }
            let found = Found { passage: Arc::new(passage), stems: pack.content_stems(&text).into() };
            let vector = vector.unwrap_or_default();
            Indexed { norm: norm(&vector), found, terms: count, vector }
        };
        let passages: Vec<Indexed> = passages.into_iter().enumerate().map(analyse).collect();
        let terms: usize = passages.iter().map(|indexed| indexed.terms).sum();
        let average = if terms == 0 { 1.0 } else { terms as f64 / passages.len() as f64 };
        Self { passages, postings, average }
    }

    /// How many passages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.passages.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// BM25 (Robertson and Zaragoza 2009) by passage number; 0 where no term is shared. The inverse document
    /// frequency has 1 added inside the logarithm, as Lucene does, since otherwise a term in most passages
    /// would count against them.
    fn bm25(&self, terms: &[String]) -> Vec<f64> {
        let total = self.passages.len() as f64;
        let mut scores = vec![0.0; self.passages.len()];
        // Sorted: sums of floats depend on their order.
        for term in terms.iter().collect::<BTreeSet<_>>() {
            let Some(having) = self.postings.get(term) else {
                continue;
            };
            let count = having.len() as f64;
            let rarity = (1.0 + (total - count + 0.5) / (count + 0.5)).ln();
            for (number, times) in having {
                if let (Some(score), Some(indexed)) = (scores.get_mut(*number), self.passages.get(*number)) {
                    let length = indexed.terms as f64 / self.average;
                    let times = f64::from(*times);
                    *score += rarity * times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * length));
                }
            }
        }
        scores
    }
}

impl Indexed {
    fn passage(&self) -> &Passage {
        &self.found.passage
    }
}

/// The headings and the text of a passage.
fn searched(passage: &Passage) -> String {
    let mut text = passage.headings.join("\n");
    text.push('\n');
    text.push_str(&passage.text);
    text
}

/// In double precision: the sum of a thousand products keeps the digits a similarity is made of.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

fn norm(vector: &[f32]) -> f64 {
    dot(vector, vector).sqrt()
}

#[async_trait]
impl Search for MemoryIndex {
    async fn dense(
        &self,
        vector: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<(Found, Similarity)>, Unavailable> {
        let length = norm(vector);
        let mut near = Vec::new();
        for (number, indexed) in self.passages.iter().enumerate() {
            if vector.is_empty() || indexed.vector.is_empty() || !filter.fits(indexed.passage()) {
                continue;
            }
            if vector.len() != indexed.vector.len() {
                return Err(Unavailable::new("index", mismatch(vector, indexed)));
            }
            // With a zero vector this is 0 / 0, not a number, and not-a-number is no similarity.
            let cosine = dot(vector, &indexed.vector) / (length * indexed.norm);
            let similarity = Similarity::from_cosine(cosine);
            if similarity > Similarity::default() {
                near.push((Reverse(similarity), number));
            }
        }
        near.sort_unstable();
        let found = near.into_iter().take(limit).filter_map(|(Reverse(similarity), number)| {
            Some((self.passages.get(number)?.found.clone(), similarity))
        });
        Ok(found.collect())
    }

    async fn lexical(
        &self,
        terms: &[String],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Found>, Unavailable> {
        let scores = self.bm25(terms);
        let mut shared: Vec<(f64, &Indexed)> =
            scores.into_iter().zip(&self.passages).filter(|(score, _)| *score > 0.0).collect();
        shared.retain(|(_, indexed)| filter.fits(indexed.passage()));
        // A stable sort: ties keep the order of the documents.
        shared.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        Ok(shared.into_iter().take(limit).map(|(_, indexed)| indexed.found.clone()).collect())
    }
}

fn mismatch(vector: &[f32], indexed: &Indexed) -> String {
    format!(
        "the vector of the question has {} numbers, that of {} has {}; index again with the embedder in use",
        vector.len(),
        indexed.passage().source,
        indexed.vector.len()
    )
}
