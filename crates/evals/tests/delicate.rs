//! Of what customers ask in the fixture shops, most is not delicate: those answers come by the sentence.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::path::Path;

use mostrador_language::{DelicateQuestions, Normal, Pack, Packs};

/// The most of a hundred golden questions that may be taken for delicate, in all languages together.
const MOST: usize = 15;

#[test]
fn most_ordinary_questions_are_not_taken_for_delicate() {
    let questions = DelicateQuestions::new(&Packs::default());
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let (mut delicate, mut all) = (0, 0);
    for lang in Pack::languages() {
        let golden = std::fs::read_to_string(fixtures.join(lang.code()).join("golden.jsonl")).unwrap();
        let asked: Vec<String> = golden
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .map(|line| line["question"].as_str().unwrap().to_owned())
            .collect();
        let found: Vec<&String> =
            asked.iter().filter(|question| questions.find(&Normal::of(question)).is_some()).collect();
        println!("{lang}: {} of {}", found.len(), asked.len());
        for question in &found {
            println!("  {question} ({:?})", questions.find(&Normal::of(question)).unwrap());
        }
        delicate += found.len();
        all += asked.len();
    }
    println!("all: {delicate} of {all}");
    assert!(delicate * 100 <= all * MOST, "{delicate} of {all}");
}
