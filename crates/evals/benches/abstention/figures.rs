//! The figures as Markdown: a table a way, and how far two ways differ.

use std::fmt::Write as _;

use mostrador_answer::passage::Similarity;
use mostrador_evals::area::Area;
use mostrador_evals::calibrate::{Distributions, Expect, Measured};

use crate::measure::Outcome;

/// What GPT-4 hallucinated and where it abstained on the whole set, in percent, as its authors measured it (Thakur et
/// al. 2024, NoMIRACL).
const GPT_4: [(&str, usize, usize); 9] = [
    ("en", 43, 5),
    ("es", 13, 17),
    ("de", 37, 10),
    ("fr", 48, 11),
    ("ru", 44, 7),
    ("ar", 42, 11),
    ("fa", 44, 14),
    ("hi", 18, 21),
    ("zh", 44, 4),
];

/// How often the questions are drawn anew for a standard error.
const ROUNDS: usize = 2_000;

/// The table of a way, a line a language, with the mean area.
pub(crate) fn table(way: &str, languages: &[&str], outcomes: &[Outcome]) -> String {
    let head = [
        "language",
        "hallucinated",
        "abstained",
        "area",
        "standard error",
        "GPT-4 hallucinated / abstained",
        "hallucinated where no more is abstained than by GPT-4",
        "stopped before the search",
    ];
    let mut out = format!("Strength: {way}.\n\n| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    let mut areas = Vec::new();
    for (language, outcome) in languages.iter().zip(outcomes) {
        let both = Distributions::new(&outcome.measured).unwrap();
        let area = Area::of(&both);
        let peer = GPT_4.iter().find(|(name, ..)| name == language);
        let (peers, beside) = peer.map_or_else(Default::default, |(_, hallucinated, abstained)| {
            let (let_past, of) = at_most(&both, *abstained);
            (format!("{hallucinated} % / {abstained} %"), part((let_past, of)))
        });
        let (share, error) = (area.share(), area.standard_error());
        writeln!(
            out,
            "| {language} | {} | {} | {share:.3} | {error:.3} | {peers} | {beside} | {} |",
            part(outcome.hallucinated),
            part(outcome.abstained),
            outcome.stopped_before.len(),
        )
        .unwrap();
        areas.push(area);
    }
    let mean = areas.iter().map(Area::share).sum::<f64>() / areas.len() as f64;
    // The languages' questions are others, so that their errors add up as variances.
    let error =
        areas.iter().map(|area| area.standard_error().powi(2)).sum::<f64>().sqrt() / areas.len() as f64;
    for stopped in outcomes.iter().flat_map(|outcome| &outcome.stopped_before) {
        writeln!(out, "\nStopped before the search: {stopped}").unwrap();
    }
    write!(out, "\nMean area over {} languages: {mean:.3}, standard error {error:.3}.", areas.len()).unwrap();
    out
}

/// How far the mean area of a way lies above that of another, with the standard error of the difference: the questions
/// of each language and kind are drawn anew, the same ones for both.
pub(crate) fn comparison(way: &str, outcomes: &[Outcome], words: &[Outcome]) -> String {
    let of = |outcomes: &[Outcome]| mean_area(outcomes.iter().map(|outcome| outcome.measured.clone()));
    let gain = of(outcomes) - of(words);
    let mut draw = Draw(1);
    let drawn: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let places: Vec<Vec<usize>> = words.iter().map(|outcome| draw.again(&outcome.measured)).collect();
            let of = |outcomes: &[Outcome]| {
                let pick = |(outcome, places): (&Outcome, &Vec<usize>)| {
                    places.iter().map(|at| outcome.measured[*at].clone()).collect::<Vec<_>>()
                };
                mean_area(outcomes.iter().zip(&places).map(pick))
            };
            of(outcomes) - of(words)
        })
        .collect();
    let mean = drawn.iter().sum::<f64>() / ROUNDS as f64;
    let variance = drawn.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (ROUNDS - 1) as f64;
    let met = if gain >= 0.05 { "met" } else { "not met" };
    let error = variance.sqrt();
    format!("Mean area, {way}, less coverage alone: {gain:+.3}, standard error {error:.3} (aim .05: {met}).")
}

fn mean_area(languages: impl Iterator<Item = Vec<Measured>>) -> f64 {
    let areas: Vec<f64> =
        languages.map(|measured| Area::of(&Distributions::new(&measured).unwrap()).share()).collect();
    areas.iter().sum::<f64>() / areas.len() as f64
}

/// The fewest of the questions to be refused that are let past where at most so many percent of the others are lost; the
/// threshold is the best for these very questions.
fn at_most(both: &Distributions, percent: usize) -> (usize, usize) {
    let thresholds = both.answer().iter().chain(both.refuse());
    let above = thresholds.map(|strength| Similarity::from_millionths(strength.millionths() + 1));
    let cuts = above.chain([Similarity::default()]).map(|threshold| both.at(threshold));
    let allowed = cuts.filter(|cut| cut.lost.count * 100 <= percent * cut.lost.of);
    let stopped = allowed.map(|cut| cut.stopped.count).max().unwrap_or_default();
    (both.refuse().len() - stopped, both.refuse().len())
}

fn part((count, of): (usize, usize)) -> String {
    format!("{} % ({count} of {of})", (count * 100 + of / 2) / of.max(1))
}

/// Numbers that look drawn, the same ones in every run (Steele, Lea and Flood 2014, `SplitMix64`).
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap()
    }

    /// As many places of each kind as there are, drawn with return.
    fn again(&mut self, measured: &[Measured]) -> Vec<usize> {
        let mut places = Vec::new();
        for kind in [Expect::Answer, Expect::Refuse] {
            let of_kind: Vec<usize> = (0..measured.len()).filter(|at| measured[*at].expect == kind).collect();
            places.extend(of_kind.iter().map(|_| of_kind[self.below(of_kind.len())]));
        }
        places
    }
}
