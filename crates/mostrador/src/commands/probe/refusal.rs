//! `probe refusal`: whether a question is refused before anything is looked up.

use std::collections::BTreeMap;

use mostrador_language::{Category, Normal, Packs, Refusals};
use serde::Deserialize;
use serde_json::{Value, json};

use super::each_line;

#[derive(Deserialize)]
struct Question {
    question: String,
}

/// `categories`: every one where none is named.
pub(super) fn run(packs: &Packs, categories: &[Category]) -> anyhow::Result<()> {
    let categories = if categories.is_empty() { &Category::ALL } else { categories };
    let refusals = Refusals::new(packs, categories, &BTreeMap::new())?;
    each_line(|line: Question| Ok(answer(&refusals, &line.question)))
}

fn answer(refusals: &Refusals, question: &str) -> Value {
    match refusals.check(&Normal::of(question)) {
        None => json!({"verdict": "answer"}),
        Some(refused) => {
            let found = question.get(refused.found).unwrap_or_default();
            json!({"verdict": "refuse", "category": refused.category, "found": found})
        }
    }
}
