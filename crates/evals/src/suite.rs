//! A run of a suite: every case through the same engine, one after the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use mostrador_answer::engine::Engine;
use mostrador_answer::event::Answer;
use mostrador_answer::stop::Ending;
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
    others: BTreeMap<&'static str, Arc<Engine>>,
}

impl AtCounter {
    /// Builds an engine for each model that the cases name.
    ///
    /// # Errors
    /// [`ShopError`] where a model that a case names cannot be built.
    pub fn new(counter: &Counter, cases: &[Case]) -> Result<Self, ShopError> {
        let mut others = BTreeMap::new();
        for kind in cases.iter().filter_map(|case| case.model) {
            if !others.contains_key(key(kind)) {
                others.insert(key(kind), counter.engine_with(kind)?);
            }
        }
        Ok(Self { own: counter.engine(), others })
    }
}

fn key(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::Extractive => "extractive",
        ModelKind::Scripted => "scripted",
    }
}

#[async_trait]
impl Ask for AtCounter {
    async fn ask(&self, case: &Case) -> Answer {
        let named = case.model.and_then(|kind| self.others.get(key(kind)));
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

/// Runs a suite. `go_on` is asked before each case; `on_case` is told after it.
pub async fn run(
    cases: &[Case],
    ask: &dyn Ask,
    go_on: &(dyn Fn() -> bool + Sync),
    on_case: &mut (dyn FnMut(&Tried) + Send),
) -> Run {
    let mut tried = Vec::with_capacity(cases.len());
    for case in cases {
        if !go_on() {
            break;
        }
        let result = judged(case, ask.ask(case).await);
        on_case(&result);
        tried.push(result);
    }
    Run { tried, total: cases.len() }
}

fn judged(case: &Case, answer: Answer) -> Tried {
    let misses = judge(case, &answer);
    // A model or a store that is away is an error of the run, unless that is what the case is about.
    let away = answer.closing.ending == Ending::Failed && case.ends != Some(Ending::Failed);
    let error = away.then(|| {
        let rule = answer.closing.rule.as_ref().map_or("-", |rule| rule.0.as_str());
        format!("{rule}: {}", answer.closing.evidence)
    });
    Tried { case: case.clone(), passed: misses.is_empty() && error.is_none(), misses, error, answer }
}
