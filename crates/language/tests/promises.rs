//! Promises that only a person may make are found in every language, and what pages say of the same is not one.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use mostrador_language::{Family, Lang, Normal, Pack, Packs, Promises};
use serde::Deserialize;

/// A sentence of an answer, and the family of promise that it makes.
#[derive(Deserialize)]
struct Line {
    text: String,
    family: Option<Family>,
}

fn lines(lang: Lang) -> Vec<Line> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/inputs/promises/{lang}.jsonl"));
    std::fs::read_to_string(here).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn promises_are_found_and_terms_are_not_taken_for_them() {
    let promises = Promises::new(&Packs::default());
    let mut wrong = Vec::new();
    for lang in Pack::languages() {
        let lines = lines(lang);
        let (made, none): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line.family.is_some());
        assert!(made.len() >= 8 && none.len() >= 8, "{lang}");
        for family in Family::ALL {
            assert!(made.iter().any(|line| line.family == Some(family)), "{lang} has no {family:?}");
        }
        for line in lines {
            let found = promises.find(&Normal::of(&line.text), &Family::ALL);
            if found.as_ref().map(|promise| promise.family) != line.family {
                wrong.push(format!("{lang}: {} is {found:?}, not {:?}", line.text, line.family));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn only_the_families_asked_for_are_looked_for() {
    let promises = Promises::new(&Packs::default());
    promises.prepare();
    let text = Normal::of("I have cancelled it, and WE WILL REFUND YOU.");
    let found = promises.find(&text, &[Family::Money]).unwrap();
    assert_eq!(
        (found.family, found.lang, found.text.as_str()),
        (Family::Money, Lang::EN, "we will refund you")
    );
    assert_eq!(promises.find(&text, &Family::ALL).unwrap().family, Family::Done);
    assert_eq!(promises.find(&text, &[]), None);
}

#[test]
fn a_promise_that_is_denied_or_conditional_is_none() {
    let promises = Promises::new(&Packs::default());
    for text in ["If we refund you, it takes a week.", "We will not refund you.", "I have not cancelled it."]
    {
        assert_eq!(promises.find(&Normal::of(text), &Family::ALL), None, "{text}");
    }
}
