//! A run of a suite: every case through the same engine, one after the other.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use async_trait::async_trait;
use mostrador_answer::engine::Engine;
use mostrador_answer::event::Answer;
use mostrador_shop::config::ModelKind;
use mostrador_shop::{Counter, ShopError};
use serde::Serialize;

use crate::case::Case;
use crate::expect::{Miss, judge};

/// What answers the cases.
#[async_trait]
pub trait Ask: Sync {
    /// The answer to a case.
    async fn ask(&self, case: &Case) -> Answer;
}

/// A shop's counter: the shop's own model, and the one a case names.
pub struct AtCounter {
    own: Arc<Engine>,
    others: BTreeMap<ModelKind, Arc<Engine>>,
}

impl AtCounter {
    /// Builds an engine for each model that the cases name.
    ///
    /// # Errors
    /// [`ShopError`] where a model that a case names cannot be built.
    pub fn new(counter: &Counter, cases: &[Case]) -> Result<Self, ShopError> {
        let mut others = BTreeMap::new();
        for kind in cases.iter().filter_map(|case| case.model) {
            if let Entry::Vacant(place) = others.entry(kind) {
                place.insert(counter.engine_with(kind)?);
            }
        }
        Ok(Self { own: counter.engine(), others })
    }
}

#[async_trait]
impl Ask for AtCounter {
    async fn ask(&self, case: &Case) -> Answer {
        let named = case.model.and_then(|kind| self.others.get(&kind));
        named.unwrap_or(&self.own).ask(case.asked()).await
    }
}

/// A case with what came of it.
#[derive(Debug, Clone, Serialize)]
pub struct Tried {
    /// The case.
    pub case: Case,
    /// Whether every expectation was met and nothing went wrong.
    pub passed: bool,
    /// The expectations not met.
    pub misses: Vec<Miss>,
    /// What went wrong, where the answer could not be had: counted, and never passed.
    pub error: Option<String>,
    /// The answer.
    pub answer: Answer,
}

/// The cases tried, in order.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// The cases with what came of them.
    pub tried: Vec<Tried>,
    /// How many there were to try.
    pub total: usize,
}

impl Run {
    /// Whether every case was tried.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.tried.len() == self.total
    }
}

/// Runs a suite. `on_case` is given each case with what came of it, in order: whoever drops the run
/// in the middle keeps those.
pub async fn run(cases: &[Case], ask: &dyn Ask, on_case: &mut (dyn FnMut(Tried) + Send)) {
    for case in cases {
        on_case(judged(case, ask.ask(case).await));
    }
}

/// Runs a whole suite.
pub async fn run_all(cases: &[Case], ask: &dyn Ask) -> Run {
    let mut tried = Vec::with_capacity(cases.len());
    run(cases, ask, &mut |case| tried.push(case)).await;
    Run { tried, total: cases.len() }
}

fn judged(case: &Case, answer: Answer) -> Tried {
    let misses = judge(case, &answer);
    // A model or a store that is away is an error of the run, unless that is what the case is about.
    let away = answer.closing.could_not() && case.ends != Some(answer.closing.ending);
    let error = away.then(|| {
        let rule = answer.closing.rule.as_ref().map_or("-", |rule| rule.0.as_str());
        format!("{rule}: {}", answer.closing.evidence)
    });
    // What another model said, since the shop's own was away, says nothing of the shop's own.
    let trace = &answer.closing.trace;
    let error = error.or_else(|| trace.handovers.first().or(trace.over_cap.as_ref()).cloned());
    Tried { case: case.clone(), passed: misses.is_empty() && error.is_none(), misses, error, answer }
}
