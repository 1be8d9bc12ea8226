//! How often a question is answered that its passages do not answer, beside how often one is not that they do: NoMIRACL
//! through the evidence room and the extractive model, a threshold calibrated on one half and used on the other.
//!
//! `cargo bench -p mostrador-evals --bench abstention -- [--data FILE] [--embed FOLDER|ADDRESS] [--keep FOLDER] [--list FILE]`
//!
//! `--data`: the set, `../shared/data/abstention.jsonl` beside the repository where it is left out. `--embed`: the folder
//! of a local embedder, with `--features local-embed`, or the address of a service that takes `input_type`. `--keep`: where the shops and their vectors are kept between runs.
//! `--list`: a file to write each question to with its candidates, a JSON object a line.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a benchmark")]

mod data;

mod measure;

mod figures;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use mostrador_shop::counter::database;
use mostrador_shop::embedder::embedder;
use mostrador_shop::index::rebuild;
use mostrador_shop::{Counter, Keep, Shop};
use mostrador_store::{Store, StoreOptions};

use data::{Language, languages};
use figures::{comparison, table};
use measure::{Outcome, Way, outcome};

struct Arguments {
    data: PathBuf,
    embed: Option<String>,
    keep: Option<PathBuf>,
    list: Option<PathBuf>,
}

fn arguments() -> Arguments {
    let beside = "../../../shared/data/abstention.jsonl";
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(beside);
    let mut read = Arguments { data, embed: None, keep: None, list: None };
    // `cargo bench` adds `--bench`.
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        match (word.as_str(), words.next()) {
            ("--data", Some(file)) => read.data = file.into(),
            ("--embed", Some(place)) => read.embed = Some(place),
            ("--keep", Some(folder)) => read.keep = Some(folder.into()),
            ("--list", Some(file)) => read.list = Some(file.into()),
            _ => panic!("{word}: write [--data FILE] [--embed FOLDER|ADDRESS] [--keep FOLDER] [--list FILE]"),
        }
    }
    read
}

/// The `[embedder]` of a shop: what begins as an address is a service, all else a folder.
fn embedder_section(place: &str) -> String {
    if place.starts_with("http") {
        return format!(
            "[embedder]\nkind = \"openai-compatible\"\nbase_url = {place:?}\nmodel = \"abstention\"\n\
             input_type = true\ntimeout_seconds = 600\n"
        );
    }
    let folder = PathBuf::from(place).canonicalize().unwrap();
    format!("[embedder]\nkind = \"local\"\nfolder = {folder:?}\n")
}

#[tokio::main]
async fn main() -> ExitCode {
    let Arguments { data, embed, keep, list } = arguments();
    if !data.is_file() {
        // As the program ends when a run is not whole: what was skipped has shown nothing.
        println!("skipped: {} is absent; name the set with --data FILE", data.display());
        return ExitCode::from(3);
    }
    let embedder = embed.as_deref().map(embedder_section).unwrap_or_default();
    let temporary = tempfile::tempdir().unwrap();
    let root = keep.unwrap_or_else(|| temporary.path().to_owned());
    let languages = languages(&data, &root, &embedder);
    let ways: &[Way] = if embed.is_some() { &[Way::Words, Way::Cosine, Way::Best] } else { &[Way::Words] };
    let mut outcomes: Vec<Vec<Outcome>> = ways.iter().map(|_| Vec::new()).collect();
    for language in &languages {
        let counter = open(language).await;
        for (way, outcomes) in ways.iter().zip(&mut outcomes) {
            outcomes.push(outcome(language, &counter, *way).await);
        }
    }
    if let (Some(file), Some(last)) = (list, outcomes.last()) {
        std::fs::write(file, listed(&languages, last)).unwrap();
    }
    let names: Vec<&str> = languages.iter().map(|language| language.lang.code()).collect();
    for (way, outcomes) in ways.iter().zip(&outcomes) {
        println!("{}\n", table(way.name(), &names, outcomes));
    }
    for (way, outcomes_of) in ways.iter().zip(&outcomes).skip(1) {
        println!("{}", comparison(way.name(), outcomes_of, &outcomes[0]));
    }
    if embed.is_none() {
        println!("With an embedder: skipped, no --embed.");
    }
    ExitCode::SUCCESS
}

/// Opens a shop whose passages are embedded where they are new, as `mostrador index` does.
async fn open(language: &Language) -> Counter {
    let shop = Arc::new(Shop::read(&language.folder).unwrap());
    let store = Store::open(&database(shop.root()), StoreOptions::default()).await.unwrap();
    rebuild(&shop, &store, embedder(&shop).unwrap().as_deref(), &mut |_| {}).await.unwrap();
    Counter::open(shop, Keep::OnDisk, &mut |_| {}).await.unwrap()
}

/// Each question with what was measured of its candidates, a JSON object a line.
fn listed(languages: &[Language], outcomes: &[Outcome]) -> String {
    let mut out = String::new();
    for (language, outcome) in languages.iter().zip(outcomes) {
        for (measured, ranked) in outcome.measured.iter().zip(&outcome.ranked) {
            let line = serde_json::json!({"lang": language.lang, "measured": measured, "candidates": ranked});
            out.push_str(&format!("{line}\n"));
        }
    }
    out
}
