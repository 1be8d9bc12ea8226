//! The vectors of a snapshot: a quantised scan over all of them, then exact scores for what could be among the best.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use mostrador_answer::passage::Similarity;
use simsimd::SpatialSimilarity;

use super::bytes::{Bytes, Sink, Sum};

const ROWS: &str = "vectors.f32";
const QUANTISED: &str = "vectors.i8";
const BOUNDS: &str = "vectors.bounds";

/// What rounding to millionths and sums of floats can add to a bound.
const SLACK: f32 = 4e-6;

/// A row as it is scanned: the direction of the vector is about `scale` times the small numbers.
#[derive(Debug, Clone, Copy, Default)]
struct Bound {
    scale: f32,
    /// The length of what is missing to the direction; rounded up.
    error: f32,
}

/// Takes the vectors of passage after passage, all of one length.
pub(crate) struct VectorsWriter {
    dimension: usize,
    /// Passages so far.
    count: u64,
    rows: Sink,
    quantised: Sink,
    bounds: Sink,
}

impl VectorsWriter {
    pub(crate) fn new(folder: Option<&Path>) -> io::Result<Self> {
        Ok(Self {
            dimension: 0,
            count: 0,
            rows: Sink::new(folder, ROWS)?,
            quantised: Sink::new(folder, QUANTISED)?,
            bounds: Sink::new(folder, BOUNDS)?,
        })
    }

    /// The length of the vectors; 0 before the first one.
    pub(crate) fn dimension(&self) -> usize {
        self.dimension
    }

    /// `vector`: empty for a passage without one, else of the length of the others.
    pub(crate) fn add(&mut self, vector: &[f32]) -> io::Result<()> {
        if self.dimension == 0 && !vector.is_empty() {
            self.dimension = vector.len();
            // Rows of those before, so that a row's number is its passage's.
            for _ in 0..self.count {
                self.row(&[])?;
            }
        }
        self.count += 1;
        if self.dimension > 0 { self.row(vector) } else { Ok(()) }
    }

    fn row(&mut self, vector: &[f32]) -> io::Result<()> {
        let zeros = vec![0.0; if vector.is_empty() { self.dimension } else { 0 }];
        let vector = if vector.is_empty() { &zeros } else { vector };
        for number in vector {
            self.rows.put(&number.to_le_bytes())?;
        }
        let (small, bound) = quantise(vector, 127);
        let small: Vec<u8> = small.iter().map(|number| (*number as i8).cast_unsigned()).collect();
        self.quantised.put(&small)?;
        self.bounds.put(&bound.scale.to_le_bytes())?;
        self.bounds.put(&bound.error.to_le_bytes())
    }

    pub(crate) fn finish(self) -> io::Result<(Vectors, [Sum; 3])> {
        let (rows, first) = self.rows.finish()?;
        let (quantised, second) = self.quantised.finish()?;
        let (bounds, third) = self.bounds.finish()?;
        let vectors =
            Vectors { dimension: self.dimension, rows, quantised, bounds, scanned: OnceLock::new() };
        Ok((vectors, [first, second, third]))
    }
}

/// The direction of a vector in whole numbers up to `most`, and how well they say it. A vector without a
/// direction is all zeros.
fn quantise(vector: &[f32], most: i32) -> (Vec<i32>, Bound) {
    let length = norm(vector);
    if !(length > 0.0 && length.is_finite()) {
        return (vec![0; vector.len()], Bound::default());
    }
    let direction = || vector.iter().map(|number| f64::from(*number) / length);
    let largest = direction().fold(0.0, |largest: f64, number| largest.max(number.abs()));
    let scale = (largest / f64::from(most)) as f32;
    let wide = f64::from(scale);
    // A scale too small for a float says nothing, and then the error is the whole length.
    let whole =
        |number: f64| if wide > 0.0 { ((number / wide).round() as i32).clamp(-most, most) } else { 0 };
    let small: Vec<i32> = direction().map(whole).collect();
    let missing = |(number, small): (f64, &i32)| (number - wide * f64::from(*small)).powi(2);
    let error = direction().zip(&small).map(missing).sum::<f64>().sqrt();
    (small, Bound { scale, error: (error * 1.000_001) as f32 + f32::MIN_POSITIVE })
}

/// In double precision: the sum of a thousand products keeps the digits a similarity is made of.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

fn norm(vector: &[f32]) -> f64 {
    dot(vector, vector).sqrt()
}

/// The vectors of all passages, by number.
#[derive(Debug)]
pub(crate) struct Vectors {
    dimension: usize,
    rows: Bytes,
    quantised: Bytes,
    bounds: Bytes,
    /// What is scanned, read when it is first needed: a question found by words alone never needs it.
    scanned: OnceLock<Scanned>,
}

#[derive(Debug)]
struct Scanned {
    quantised: Vec<i8>,
    bounds: Vec<Bound>,
}

impl Vectors {
    pub(crate) fn open(folder: &Path, dimension: usize) -> io::Result<Self> {
        let open = |name: &str| Bytes::open(&folder.join(name));
        let (rows, quantised, bounds) = (open(ROWS)?, open(QUANTISED)?, open(BOUNDS)?);
        Ok(Self { dimension, rows, quantised, bounds, scanned: OnceLock::new() })
    }

    /// The length of each; 0 where there are none.
    pub(crate) fn dimension(&self) -> usize {
        self.dimension
    }

    /// Whether the files hold a row for each of `count` passages.
    pub(crate) fn fit(&self, count: u64) -> bool {
        let rows = if self.dimension == 0 { 0 } else { count };
        let numbers = rows.saturating_mul(self.dimension as u64);
        self.quantised.len() == numbers && self.rows.len() == numbers * 4 && self.bounds.len() == rows * 8
    }

    fn scanned(&self) -> io::Result<&Scanned> {
        if let Some(scanned) = self.scanned.get() {
            return Ok(scanned);
        }
        let bounds = self.bounds.whole()?;
        let (pairs, _) = bounds.as_chunks::<8>();
        let bound = |[a, b, c, d, e, f, g, h]: &[u8; 8]| Bound {
            scale: f32::from_le_bytes([*a, *b, *c, *d]),
            error: f32::from_le_bytes([*e, *f, *g, *h]),
        };
        let scanned = Scanned {
            quantised: self.quantised.whole()?.into_iter().map(u8::cast_signed).collect(),
            bounds: pairs.iter().map(bound).collect(),
        };
        Ok(self.scanned.get_or_init(|| scanned))
    }

    /// The numbers of passages that fit, by cosine with `vector`, best first, ties by number, above 0.
    /// `fits`: one flag a passage; `None` where all fit.
    ///
    /// The scan gives each row a cosine that is at most a known distance off. A row is scored exactly where
    /// that distance would still take it into the list, so the list is that of an exact scan.
    pub(crate) fn find(
        &self,
        vector: &[f32],
        fits: Option<&[bool]>,
        limit: usize,
    ) -> io::Result<Vec<(u32, Similarity)>> {
        let length = norm(vector);
        if self.dimension != vector.len() || limit == 0 || !(length > 0.0 && length.is_finite()) {
            return Ok(Vec::new());
        }
        let scanned = self.scanned()?;
        let directed: Vec<f32> = vector.iter().map(|number| (f64::from(*number) / length) as f32).collect();
        let (small, coarse) = quantise(&directed, 127);
        let missing: Vec<f32> = directed
            .iter()
            .zip(&small)
            .map(|(number, small)| number - coarse.scale * *small as f32)
            .collect();
        let rest = norm(&missing) as f32;
        let (finer, fine) = quantise(&missing, 127);
        let fine = Bound { scale: fine.scale * rest, error: fine.error * rest };
        let narrow = |numbers: &[i32]| numbers.iter().map(|number| *number as i8).collect::<Vec<i8>>();
        let (small, finer) = (narrow(&small), narrow(&finer));
        let mut bar = Bar::new(limit);
        let mut possible: Vec<(f32, u32)> = Vec::new();
        let rows = scanned.quantised.chunks_exact(self.dimension).zip(&scanned.bounds);
        for (number, (row, bound)) in (0_u32..).zip(rows) {
            let fit = fits.is_none_or(|fits| fits.get(number as usize).copied().unwrap_or(false));
            if !fit || bound.scale <= 0.0 {
                continue;
            }
            let about = bound.scale * coarse.scale * product(row, &small);
            if about + coarse.error * (1.0 + bound.error) + bound.error + SLACK < bar.least {
                continue;
            }
            let about = about + bound.scale * fine.scale * product(row, &finer);
            let off = fine.error * (1.0 + bound.error) + bound.error + SLACK;
            if about + off >= bar.least {
                bar.push(about - off);
                possible.push((about + off, number));
            }
        }
        possible.retain(|(at_most, _)| *at_most >= bar.least && *at_most > 0.0);
        possible.sort_unstable_by(|(a, first), (b, second)| b.total_cmp(a).then(first.cmp(second)));
        self.exact(vector, length, &possible, limit)
    }

    /// Scores rows, given by what their cosine is at most, highest first.
    fn exact(
        &self,
        vector: &[f32],
        length: f64,
        possible: &[(f32, u32)],
        limit: usize,
    ) -> io::Result<Vec<(u32, Similarity)>> {
        let mut best: BinaryHeap<(Reverse<Similarity>, u32)> = BinaryHeap::new();
        let mut bytes = vec![0; self.dimension * 4];
        let mut row = vec![0.0_f32; self.dimension];
        for (at_most, number) in possible {
            if best.len() >= limit
                && best
                    .peek()
                    .is_some_and(|(Reverse(worst), _)| Similarity::from_cosine(f64::from(*at_most)) < *worst)
            {
                break;
            }
            self.rows.read_at(u64::from(*number) * bytes.len() as u64, &mut bytes)?;
            for (number, bytes) in row.iter_mut().zip(bytes.as_chunks::<4>().0) {
                *number = f32::from_le_bytes(*bytes);
            }
            let similarity = Similarity::from_cosine(dot(vector, &row) / (length * norm(&row)));
            if similarity > Similarity::default() {
                best.push((Reverse(similarity), *number));
                if best.len() > limit {
                    best.pop();
                }
            }
        }
        Ok(best.into_sorted_vec().into_iter().map(|(Reverse(near), number)| (number, near)).collect())
    }
}

/// The least of the best lower bounds so far: what cannot reach it is not in the list.
struct Bar {
    limit: usize,
    best: BinaryHeap<Reverse<u32>>,
    least: f32,
}

impl Bar {
    fn new(limit: usize) -> Self {
        Self { limit, best: BinaryHeap::new(), least: 0.0 }
    }

    fn push(&mut self, lower: f32) {
        // Floats above 0 sort as their bits do; others never are in a list.
        if lower <= self.least {
            return;
        }
        self.best.push(Reverse(lower.to_bits()));
        if self.best.len() > self.limit {
            self.best.pop();
        }
        if self.best.len() == self.limit
            && let Some(Reverse(bits)) = self.best.peek()
        {
            self.least = f32::from_bits(*bits);
        }
    }
}

/// Whole numbers, at most 127 * 127 for each of some thousand places: exact in a double.
fn product(row: &[i8], query: &[i8]) -> f32 {
    <i8 as SpatialSimilarity>::dot(row, query).unwrap_or_default() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vectors(rows: &[Vec<f32>]) -> Vectors {
        let mut writer = VectorsWriter::new(None).unwrap();
        for row in rows {
            writer.add(row).unwrap();
        }
        writer.finish().unwrap().0
    }

    fn naive(rows: &[Vec<f32>], vector: &[f32], fits: &[bool], limit: usize) -> Vec<(u32, Similarity)> {
        let mut all: Vec<(Reverse<Similarity>, u32)> = Vec::new();
        for (number, row) in (0..).zip(rows) {
            let near = Similarity::from_cosine(dot(vector, row) / (norm(vector) * norm(row)));
            if fits[number as usize] && near > Similarity::default() {
                all.push((Reverse(near), number));
            }
        }
        all.sort_unstable();
        all.into_iter().take(limit).map(|(Reverse(near), number)| (number, near)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn the_list_is_that_of_an_exact_scan(
            dimension in 1_usize..40,
            seeds in prop::collection::vec((0_u32..4, prop::collection::vec(-1.0_f32..1.0, 40), any::<bool>()), 1..120),
            vector in prop::collection::vec(-1.0_f32..1.0, 40),
            closeness in 0.0_f32..1.0,
            limit in 0_usize..20,
        ) {
            // Clusters: rows near to the question and to each other, twins among them.
            let rows: Vec<Vec<f32>> = seeds.iter().map(|(kind, noise, _)| {
                let row = noise.iter().zip(&vector).take(dimension);
                row.map(|(noise, base)| match kind {
                    0 => *noise,
                    1 => base + noise * closeness,
                    2 => base + noise * 1e-4,
                    _ => base.mul_add(3.0, 0.0),
                }).collect()
            }).collect();
            let fits: Vec<bool> = seeds.iter().map(|(.., fit)| *fit).collect();
            let all = vec![true; rows.len()];
            let vector = &vector[..dimension];
            let index = vectors(&rows);
            prop_assert!(index.fit(rows.len() as u64));
            prop_assert_eq!(index.find(vector, None, limit).unwrap(), naive(&rows, vector, &all, limit));
            prop_assert_eq!(index.find(vector, Some(&fits), limit).unwrap(), naive(&rows, vector, &fits, limit));
        }

        #[test]
        fn any_numbers_are_searched_without_a_panic(
            rows in prop::collection::vec(prop::collection::vec(any::<f32>(), 3), 0..20),
            vector in prop::collection::vec(any::<f32>(), 3),
        ) {
            vectors(&rows).find(&vector, None, 5).unwrap();
        }
    }
}
