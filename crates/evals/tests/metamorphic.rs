//! The golden answers of a shop in each language pass the gate, and what was made of them passes or fails as it should:
//! another value, that of the neighbour, a denial, a condition left out, another unit, currency or period must fail;
//! another way to write the same must pass.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mostrador_answer::gate::{Prepared, Strictness, Verdict, judge};
use mostrador_answer::passage::Passage;
use mostrador_language::Lang;
use mostrador_shop::{Counter, Keep, Shop};
use mostrador_testkit::copy_folder;
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    id: String,
    cites: String,
    answer: String,
    variants: Vec<Variant>,
}

#[derive(Deserialize)]
struct Variant {
    kind: String,
    text: String,
    passes: bool,
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// What the gate makes of a language's golden answers and their variants: the tries that went as they should by kind,
/// of how many, and the others.
async fn tried(lang: &str) -> (BTreeMap<String, (usize, usize)>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&fixtures().join(lang), folder.path());
    let shop = Arc::new(Shop::read(folder.path()).unwrap());
    let counter = Counter::open(Arc::clone(&shop), Keep::InMemory, &mut |_| {}).await.unwrap();
    let passages: Vec<Arc<Passage>> =
        counter.snapshot().await.unwrap().passages().map(Result::unwrap).collect();
    let (mut kinds, mut wrong) = (BTreeMap::<String, (usize, usize)>::new(), Vec::new());
    let language: Lang = lang.parse().unwrap();
    for line in std::fs::read_to_string(folder.path().join("golden.jsonl")).unwrap().lines() {
        let golden: Golden = serde_json::from_str(line).unwrap();
        let page = golden.cites.split('#').next().unwrap().to_owned();
        // What a turn has: the passage, and its neighbours on the page.
        let given: Vec<_> = passages
            .iter()
            .filter(|passage| passage.source.as_str().split('#').next() == Some(page.as_str()))
            .cloned()
            .collect();
        assert!(
            given.iter().any(|passage| passage.source.as_str() == golden.cites),
            "{}: no passage",
            golden.id
        );
        let prepared = Prepared::new(&given, shop.packs());
        let own = Variant { kind: "answer".to_owned(), text: golden.answer, passes: true };
        for Variant { kind, text, passes } in std::iter::once(own).chain(golden.variants) {
            let verdict = judge(&text, language, &prepared, &Strictness::default());
            let (right, all) = kinds.entry(kind.clone()).or_default();
            *all += 1;
            if matches!(verdict, Verdict::Passed { .. }) == passes {
                *right += 1;
            } else {
                let why = verdict.why().map_or_else(|| "passed".to_owned(), ToString::to_string);
                wrong.push(format!("{} {kind}: {text} ({why})", golden.id));
            }
        }
    }
    (kinds, wrong)
}

#[tokio::test]
async fn golden_answers_pass_and_what_is_made_of_them_does_as_it_should() {
    let mut short = Vec::new();
    for lang in ["en", "es", "bg", "pt", "fr", "de", "ru", "ar", "fa", "hi", "zh"] {
        let (kinds, wrong) = tried(lang).await;
        let (right, all) = kinds.values().fold((0, 0), |sum, kind| (sum.0 + kind.0, sum.1 + kind.1));
        println!("{lang}: {right} of {all}; {kinds:?}");
        for wrong in &wrong {
            println!("  {wrong}");
        }
        if right * 100 < all * LEAST {
            short.push(format!("{lang}: {right} of {all}"));
        }
    }
    assert!(short.is_empty(), "below {LEAST} in a hundred: {short:?}");
}

/// What is reached today in every language, in percent; the aim is 97.
const LEAST: usize = 77;
