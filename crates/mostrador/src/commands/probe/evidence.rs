//! `probe evidence`: what passages weigh against a question, by the code of the room.

use anyhow::bail;
use mostrador_answer::evidence::{Strength, coverage, supports};
use mostrador_answer::passage::Similarity;
use mostrador_language::{Lang, Packs, detect};
use mostrador_shop::Shop;
use serde::Deserialize;
use serde_json::{Value, json};

use super::each_line;

/// The threshold of a shop that sets none.
const THRESHOLD: Similarity = Similarity::from_millionths(400_000);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Weighed {
    question: String,
    passages: Vec<Passage>,
    lang: Option<Lang>,
    threshold: Option<f64>,
}

/// A passage as a text alone, or with what else the index knows of one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Passage {
    Text(String),
    Whole(Whole),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    text: String,
    title: Option<String>,
    lang: Option<Lang>,
    cosine: Option<f64>,
}

/// Similarities are in millionths, as in the other rooms.
pub(super) fn run(packs: &Packs, shop: Option<&Shop>) -> anyhow::Result<()> {
    let languages: Vec<Lang> = shop.map(|shop| shop.config().languages.get_ref().clone()).unwrap_or_default();
    let (own, strength) = shop.map_or((THRESHOLD, Strength::default()), |shop| {
        let evidence = &shop.config().evidence;
        (evidence.threshold.0, *evidence.strength.get_ref())
    });
    each_line(|line: Weighed| {
        let threshold = line.threshold.map_or(Ok(own), share)?;
        let lang = line.lang.unwrap_or_else(|| detect(&line.question, None, None, &languages).lang());
        let words = packs.get(lang).content_words(&line.question);
        let mut best = Similarity::default();
        let passages: Vec<Value> = line
            .passages
            .into_iter()
            .map(|passage| {
                let passage = match passage {
                    Passage::Text(text) => Whole { text, ..Whole::default() },
                    Passage::Whole(whole) => whole,
                };
                let text = format!("{}\n{}", passage.title.unwrap_or_default(), passage.text);
                let stems = packs.get(passage.lang.unwrap_or(lang)).content_stems(&text);
                let cosine = passage.cosine.map(Similarity::from_cosine);
                let coverage = coverage(&words, &stems);
                let strength = strength.of(cosine.unwrap_or_default(), coverage);
                best = best.max(strength);
                json!({"coverage": coverage, "strength": strength})
            })
            .collect();
        let verdict = if supports(best, threshold) { "answer" } else { "refuse" };
        Ok(json!({"strength": best, "threshold": threshold, "verdict": verdict, "passages": passages}))
    })
}

fn share(number: f64) -> anyhow::Result<Similarity> {
    if !(0.0..=1.0).contains(&number) {
        bail!("`threshold` is {number}; give a number from 0 to 1");
    }
    Ok(Similarity::from_cosine(number))
}
