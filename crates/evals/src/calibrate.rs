//! Calibration: where the threshold should stand, from questions that must be answered and questions that must not.
//!
//! Each question has the best strength that the search found for it; no model is asked. A threshold loses the
//! questions that must be answered and lie below it, and stops those that must be refused and lie below it.
//! Thresholds are millionths and shares are counts: no float decides.

mod plot;
mod questions;

use mostrador_answer::passage::Similarity;
use serde::{Deserialize, Serialize};

use crate::interval::{Interval, wilson};

pub use plot::svg;
pub use questions::{Question, of_cases, read_questions};

/// What must come of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expect {
    /// An answer from the documents.
    Answer,
    /// "I don't know".
    Refuse,
}

/// What matters more where both cannot be had.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prefer {
    /// The share stopped less the share lost is largest (Youden's J, 1950).
    #[default]
    Balance,
    /// At most [`MOST_LOST_PERCENT`] in a hundred lost, and the most stopped.
    Stop,
    /// None lost, and the most stopped.
    Answer,
}

impl Prefer {
    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Prefer::Balance => "balance",
            Prefer::Stop => "stop",
            Prefer::Answer => "answer",
        }
    }
}

/// The most that [`Prefer::Stop`] loses, in percent of the questions that must be answered.
pub const MOST_LOST_PERCENT: usize = 5;

/// A question with the best strength that was found for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Measured {
    /// The question.
    pub question: String,
    /// What must come of it.
    pub expect: Expect,
    /// The best strength among its candidates, in millionths.
    pub strength: Similarity,
}

/// Counts out of a number of questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Part {
    /// How many.
    pub count: usize,
    /// Of how many.
    pub of: usize,
    /// The 95 % interval of the share, to be shown.
    pub interval: Interval,
}

impl Part {
    fn new(count: usize, of: usize) -> Self {
        Self { count, of, interval: wilson(count, of) }
    }
}

/// What a threshold would do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cut {
    /// The threshold, in millionths.
    pub threshold: Similarity,
    /// Of the questions that must be answered, those below it.
    pub lost: Part,
    /// Of the questions that must be refused, those below it.
    pub stopped: Part,
}

/// Both distributions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Distributions {
    /// The strengths of the questions that must be answered, ascending.
    answer: Vec<Similarity>,
    /// The strengths of the questions that must be refused, ascending.
    refuse: Vec<Similarity>,
}

impl Distributions {
    /// The strengths, told apart; `None` where there is no question of one kind, since then any threshold is best.
    #[must_use]
    pub fn new(measured: &[Measured]) -> Option<Self> {
        let of = |expect| {
            let mut strengths: Vec<_> =
                measured.iter().filter(|one| one.expect == expect).map(|one| one.strength).collect();
            strengths.sort_unstable();
            strengths
        };
        let both = Self { answer: of(Expect::Answer), refuse: of(Expect::Refuse) };
        (!both.answer.is_empty() && !both.refuse.is_empty()).then_some(both)
    }

    /// The strengths of the questions that must be answered, ascending; one at least.
    #[must_use]
    pub fn answer(&self) -> &[Similarity] {
        &self.answer
    }

    /// The strengths of the questions that must be refused, ascending; one at least.
    #[must_use]
    pub fn refuse(&self) -> &[Similarity] {
        &self.refuse
    }

    /// What `threshold` would do. A strength of 0 is below every threshold, as in the evidence room.
    #[must_use]
    pub fn at(&self, threshold: Similarity) -> Cut {
        let threshold = threshold.max(Similarity::from_millionths(1));
        let below = |strengths: &[Similarity]| {
            Part::new(strengths.partition_point(|strength| *strength < threshold), strengths.len())
        };
        Cut { threshold, lost: below(&self.answer), stopped: below(&self.refuse) }
    }

    /// The threshold that suits a preference best, with what it would do.
    ///
    /// All thresholds between two neighbouring strengths do the same; one near their middle is taken, in as few
    /// digits as keep it between them. Ties: fewest lost, then the widest gap between the neighbours, then the lowest.
    #[must_use]
    pub fn proposal(&self, prefer: Prefer) -> Cut {
        let mut ends: Vec<u32> = self.answer.iter().chain(&self.refuse).map(|one| one.millionths()).collect();
        ends.extend([0, Similarity::ONE.millionths()]);
        ends.sort_unstable();
        ends.dedup();
        let mut best: Option<(Cut, u32)> = None;
        for pair in ends.windows(2) {
            let [from, to] = pair else { continue };
            // Above the lower neighbour, at most the upper one.
            let gap = to - from;
            let cut = self.at(between(*from, *to));
            let better = allowed(&cut, prefer)
                && best.is_none_or(|(there, widest)| rank(&cut, gap, prefer) > rank(&there, widest, prefer));
            if better {
                best = Some((cut, gap));
            }
        }
        // Where every question that must be answered has a strength of 0, each threshold loses them all.
        best.map_or_else(|| self.at(Similarity::from_millionths(1)), |(cut, _)| cut)
    }
}

/// The threshold of the fewest digits that is nearest to the middle of two strengths, above the lower one and at most
/// the upper one; `from` is below `to`.
fn between(from: u32, to: u32) -> Similarity {
    let middle = from + (to - from).div_ceil(2);
    let rounded = |step: u32| (middle + step / 2) / step * step;
    let fits = |threshold: &u32| from < *threshold && *threshold <= to;
    let fewest = [10_000, 1_000, 100, 10].into_iter().map(rounded).find(fits);
    Similarity::from_millionths(fewest.unwrap_or(middle))
}

/// A similarity with every digit that it has, two at least, as `shop.toml` takes it.
#[must_use]
pub fn exact(similarity: Similarity) -> String {
    let millionths = similarity.millionths();
    let digits = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
    let kept = digits.trim_end_matches('0').len().max("0.00".len());
    digits.chars().take(kept).collect()
}

fn allowed(cut: &Cut, prefer: Prefer) -> bool {
    match prefer {
        Prefer::Balance => true,
        Prefer::Stop => cut.lost.count * 100 <= cut.lost.of * MOST_LOST_PERCENT,
        Prefer::Answer => cut.lost.count == 0,
    }
}

/// The highest is the best.
fn rank(cut: &Cut, gap: u32, prefer: Prefer) -> (i128, std::cmp::Reverse<usize>, u32) {
    let number = |count: usize| i128::try_from(count).unwrap_or(i128::MAX);
    let Cut { lost, stopped, .. } = cut;
    let gain = match prefer {
        // stopped / all that must be refused - lost / all that must be answered, by one denominator.
        Prefer::Balance => number(stopped.count) * number(lost.of) - number(lost.count) * number(stopped.of),
        Prefer::Stop | Prefer::Answer => number(stopped.count),
    };
    (gain, std::cmp::Reverse(lost.count), gap)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn distributions(answer: &[u32], refuse: &[u32]) -> Distributions {
        let measured = |strengths: &[u32], expect| {
            let one = |strength: &u32| Measured {
                question: String::new(),
                expect,
                strength: Similarity::from_millionths(*strength),
            };
            strengths.iter().map(one).collect::<Vec<_>>()
        };
        let all = [measured(answer, Expect::Answer), measured(refuse, Expect::Refuse)].concat();
        Distributions::new(&all).unwrap()
    }

    #[test]
    fn kinds_that_lie_apart_are_cut_in_the_middle() {
        let apart = distributions(&[600_000, 900_000], &[0, 200_000]);
        for prefer in [Prefer::Balance, Prefer::Stop, Prefer::Answer] {
            let cut = apart.proposal(prefer);
            assert_eq!(cut.threshold.millionths(), 400_000, "{prefer:?}");
            assert_eq!((cut.lost.count, cut.stopped.count), (0, 2));
        }
    }

    #[test]
    fn preferences_differ_where_kinds_overlap() {
        let mut answer = vec![500_000; 19];
        answer.push(100_000);
        let overlap = distributions(&answer, &[200_000, 300_000, 550_000, 550_000, 550_000]);
        let counts = |prefer| {
            let cut = overlap.proposal(prefer);
            (cut.lost.count, cut.stopped.count)
        };
        assert_eq!(counts(Prefer::Answer), (0, 0));
        assert_eq!(counts(Prefer::Stop), (1, 2), "one of twenty is five in a hundred");
        assert_eq!(counts(Prefer::Balance), (1, 2));
    }

    #[test]
    fn a_threshold_keeps_what_reaches_it_and_never_keeps_nothing() {
        let both = distributions(&[400_000], &[0]);
        assert_eq!(both.at(Similarity::from_millionths(400_000)).lost.count, 0);
        assert_eq!(both.at(Similarity::from_millionths(400_001)).lost.count, 1);
        assert_eq!(both.at(Similarity::default()).stopped.count, 1);
    }

    #[test]
    fn thresholds_have_as_few_digits_as_they_need() {
        for (from, to, threshold) in [
            (333_333, 666_666, "0.50"),
            (0, 1, "0.000001"),
            (499_999, 500_000, "0.50"),
            (812_345, 812_999, "0.8127"),
            (999_999, 1_000_000, "1.00"),
        ] {
            assert_eq!(exact(between(from, to)), threshold);
        }
    }

    #[test]
    fn one_kind_alone_proposes_nothing() {
        assert_eq!(Distributions::new(&[]), None);
        let one = Measured { question: String::new(), expect: Expect::Answer, strength: Similarity::ONE };
        assert_eq!(Distributions::new(&[one]), None);
    }

    proptest! {
        /// No threshold that a preference allows does better than the one proposed.
        #[test]
        fn nothing_is_better_than_the_proposal(
            answer in prop::collection::vec(0_u32..=20, 1..12),
            refuse in prop::collection::vec(0_u32..=20, 1..12),
            other in 0_u32..=1_000_000,
        ) {
            let scaled = |strengths: Vec<u32>| strengths.iter().map(|one| one * 50_000).collect::<Vec<_>>();
            let both = distributions(&scaled(answer), &scaled(refuse));
            let other = both.at(Similarity::from_millionths(other));
            for prefer in [Prefer::Balance, Prefer::Stop, Prefer::Answer] {
                let cut = both.proposal(prefer);
                if allowed(&other, prefer) && allowed(&cut, prefer) {
                    prop_assert!(rank(&cut, 0, prefer) >= rank(&other, 0, prefer));
                }
                prop_assert_eq!(both.at(cut.threshold), cut);
            }
        }
    }
}
