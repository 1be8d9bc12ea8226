//! The strength of each question by the evidence room, and what came of it behind a calibrated threshold.

use std::sync::Arc;

use mostrador_answer::engine::Engine;
use mostrador_answer::evidence::Strength;
use mostrador_answer::passage::Similarity;
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_answer::trace::Ranked;
use mostrador_evals::calibrate::{Distributions, Expect, Measured, Prefer};
use mostrador_shop::Counter;

use crate::data::Language;

/// What the strength of a passage is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Coverage alone, without an embedder.
    Words,
    /// The cosine alone.
    Cosine,
    /// The larger of both, as a shop has it by default.
    Best,
}

impl Way {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Way::Words => "coverage alone",
            Way::Cosine => "cosine alone",
            Way::Best => "the larger of cosine and coverage",
        }
    }

    fn engine(self, counter: &Counter, threshold: Similarity) -> Arc<Engine> {
        let own = counter.engine();
        let (mut settings, mut ports) = (own.settings().clone(), own.ports().clone());
        settings.evidence.threshold = threshold;
        match self {
            Way::Words => ports.embed = None,
            Way::Cosine => {
                settings.evidence.strength = Strength::Cosine;
                settings.retrieval.lexical = false;
            }
            Way::Best => {}
        }
        Arc::new(Engine::new(settings, ports))
    }
}

/// What came of the questions of a language.
pub(crate) struct Outcome {
    /// Each question with its strength, in order.
    pub(crate) measured: Vec<Measured>,
    /// Answered although nothing answers; of how many.
    pub(crate) hallucinated: (usize, usize),
    /// Not answered although something answers; of how many.
    pub(crate) abstained: (usize, usize),
    /// Each question's candidates with their cosine and coverage, in order.
    pub(crate) ranked: Vec<Vec<Ranked>>,
    /// Questions that a room before the search stopped, each with its rule.
    pub(crate) stopped_before: Vec<String>,
}

/// Measures every question, calibrates on each half, and asks the other half behind that threshold.
pub(crate) async fn outcome(language: &Language, counter: &Counter, way: Way) -> Outcome {
    let engine = way.engine(counter, Similarity::default());
    let (mut measured, mut found, mut stopped_before) = (Vec::new(), Vec::new(), Vec::new());
    for question in &language.questions {
        let (grounded, trace) = engine.evidence(question.asked.clone()).await;
        assert_eq!(trace.embedder_away, None, "the embedder is away");
        if let Some(stop) = grounded.err().filter(|stop| stop.rule.0 != RuleName::THRESHOLD) {
            assert_ne!(stop.ending, Ending::Failed, "{}", stop.evidence);
            stopped_before.push(format!("{} ({})", question.asked.text, stop.rule));
        }
        let strength = trace.ranked.iter().map(|ranked| ranked.strength).max().unwrap_or_default();
        let question_text = question.asked.text.clone();
        measured.push(Measured { question: question_text, expect: question.expect, strength });
        found.push(trace.ranked);
    }
    let halves = halves(&measured);
    let (mut hallucinated, mut abstained) = ((0, 0), (0, 0));
    for half in [0, 1] {
        let other = measured.iter().zip(&halves).filter(|(_, there)| **there != half);
        let other: Vec<Measured> = other.map(|(one, _)| one.clone()).collect();
        let both = Distributions::new(&other).unwrap();
        let engine = way.engine(counter, both.proposal(Prefer::default()).threshold);
        let own = language.questions.iter().zip(&halves).filter(|(_, there)| **there == half);
        for (question, _) in own {
            let answer = engine.ask(question.asked.clone()).await;
            let answered = answer.closing.ending == Ending::Answered;
            let (wrong, part) = match question.expect {
                Expect::Answer => (!answered, &mut abstained),
                Expect::Refuse => (answered, &mut hallucinated),
            };
            *part = (part.0 + usize::from(wrong), part.1 + 1);
        }
    }
    Outcome { measured, ranked: found, hallucinated, abstained, stopped_before }
}

/// The half that each question is in: every other one of its kind.
fn halves(measured: &[Measured]) -> Vec<usize> {
    let mut seen = [0, 0];
    let half = |one: &Measured| {
        let kind = &mut seen[usize::from(one.expect == Expect::Refuse)];
        *kind += 1;
        *kind % 2
    };
    measured.iter().map(half).collect()
}
