//! The area under the curve that a moving threshold draws: how well a strength tells two kinds of questions apart.
//!
//! It is the chance that a question which must be answered is stronger than one which must be refused, a tie counting
//! half: 1 tells them all apart, one half is no better than a coin. Shown, and compared with nothing.

use mostrador_answer::passage::Similarity;
use serde::Serialize;

use crate::calibrate::Distributions;

/// An area as counts: of all pairs of a question that must be answered and one that must be refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Area {
    /// Pairs in which the one to be answered is stronger, twice, and ties once.
    pub halves: usize,
    /// Questions that must be answered; one at least.
    pub answer: usize,
    /// Questions that must be refused; one at least.
    pub refuse: usize,
}

impl Area {
    /// The area of two distributions.
    #[must_use]
    pub fn of(both: &Distributions) -> Self {
        let halves = both.answer().iter().map(|strength| against(*strength, both.refuse())).sum();
        Self { halves, answer: both.answer().len(), refuse: both.refuse().len() }
    }

    /// The area as a share, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.halves as f64 / (2 * self.answer * self.refuse) as f64
    }

    /// Its standard error (Hanley and McNeil 1982), by the number of questions of each kind.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        let (area, answer, refuse) = (self.share(), self.answer as f64, self.refuse as f64);
        let squared = area * area;
        let first = area / (2.0 - area) - squared;
        let second = 2.0 * squared / (1.0 + area) - squared;
        let variance = area * (1.0 - area) + (answer - 1.0) * first + (refuse - 1.0) * second;
        (variance / (answer * refuse)).max(0.0).sqrt()
    }
}

/// How many of `refuse`, which ascend, lie below a strength, twice, and how many are as strong, once.
fn against(strength: Similarity, refuse: &[Similarity]) -> usize {
    let below = refuse.partition_point(|other| *other < strength);
    let at_most = refuse.partition_point(|other| *other <= strength);
    below + at_most
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::calibrate::{Expect, Measured};

    fn area(answer: &[u32], refuse: &[u32]) -> Area {
        let of = |strengths: &[u32], expect| {
            let one = |strength: &u32| Measured {
                question: String::new(),
                expect,
                strength: Similarity::from_millionths(*strength),
            };
            strengths.iter().map(one).collect::<Vec<_>>()
        };
        let all = [of(answer, Expect::Answer), of(refuse, Expect::Refuse)].concat();
        Area::of(&Distributions::new(&all).unwrap())
    }

    #[test]
    fn kinds_told_apart_have_all_of_it_and_ties_half() {
        assert_eq!(area(&[3, 4], &[1, 2, 2]).share(), 1.0);
        assert_eq!(area(&[1], &[3, 4]).share(), 0.0);
        assert_eq!(area(&[5, 5], &[5]).share(), 0.5);
        assert_eq!(area(&[2, 5], &[2, 1]), Area { halves: 7, answer: 2, refuse: 2 });
    }

    #[test]
    fn at_one_half_the_standard_error_is_that_of_the_rank_sum() {
        // Mann and Whitney 1947: (m + n + 1) / 12mn where the kinds do not differ.
        let coin = Area { halves: 12 * 20, answer: 12, refuse: 20 };
        assert!((coin.standard_error() - (33.0_f64 / (12.0 * 12.0 * 20.0)).sqrt()).abs() < 1e-12);
        assert_eq!(Area { halves: 480, ..coin }.standard_error(), 0.0, "nothing is left to chance");
    }

    proptest! {
        /// What is counted by places is what is counted pair by pair, and the two sides of a pair add up to one.
        #[test]
        fn every_pair_is_counted_once(
            answer in prop::collection::vec(0_u32..=9, 1..12),
            refuse in prop::collection::vec(0_u32..=9, 1..12),
        ) {
            let pairs = answer.iter().flat_map(|one| refuse.iter().map(move |other| (one, other)));
            let halves: usize = pairs.map(|(one, other)| 1 + usize::from(one > other) - usize::from(one < other)).sum();
            let there = area(&answer, &refuse);
            prop_assert_eq!(there.halves, halves);
            prop_assert_eq!(area(&refuse, &answer).halves + halves, 2 * answer.len() * refuse.len());
            prop_assert!(there.standard_error() >= 0.0);
        }
    }
}
