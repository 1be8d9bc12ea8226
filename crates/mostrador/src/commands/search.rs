//! `mostrador search`: shows which passages would support an answer.

mod batch;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use mostrador_answer::engine::Engine;
use mostrador_answer::passage::Similarity;
use mostrador_answer::question::Asked;
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_answer::trace::Ranked;
use mostrador_language::fill;
use mostrador_shop::{Keep, Shop};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{open, print, print_json};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// The questions.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    questions: Vec<String>,
    /// Reads questions from a file, a JSON object a line: question, id, previous, locale, filter; - is standard input.
    #[arg(long, value_name = "FILE.jsonl")]
    batch: Option<PathBuf>,
    /// The most candidates printed for each question of a batch.
    #[arg(long, default_value_t = 10, requires = "batch")]
    top: usize,
    /// Shows what was found but is not close enough as well, marked with a dash.
    #[arg(long, conflicts_with = "batch")]
    all: bool,
    /// How the result is printed; a batch is always printed as jsonl.
    #[arg(long, value_enum)]
    format: Option<Format>,
}

/// How what was found is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs, all at once.
    Json,
    /// For programs, a line for each question as soon as it is searched for.
    Jsonl,
}

/// A question with what was found for it. Similarities are in millionths.
#[derive(Debug, Serialize)]
pub(crate) struct Hits {
    question: String,
    threshold: Similarity,
    /// What would support an answer, best first.
    hits: Vec<Ranked>,
    /// What was found and is not close enough, in the order of the search.
    below: Vec<Ranked>,
    /// Why the question did not come as far as the search.
    stopped: Option<String>,
    #[serde(skip)]
    failed: bool,
}

/// Searches as the rooms before the model do.
pub(crate) async fn hits(engine: &Engine, question: &str) -> Hits {
    let (grounded, trace) = engine.evidence(Asked::new(question)).await;
    let passages = grounded.as_ref().map_or(&[][..], |grounded| grounded.passages());
    let ranked = |source| trace.ranked.iter().find(|ranked| ranked.source == source).cloned();
    let stop = grounded.as_ref().err().filter(|stop| stop.rule.0 != RuleName::THRESHOLD);
    Hits {
        question: question.to_owned(),
        threshold: engine.settings().evidence.threshold,
        hits: passages.iter().filter_map(|passage| ranked(passage.source.clone())).collect(),
        below: trace.ranked.iter().filter(|ranked| !ranked.used).cloned().collect(),
        stopped: stop.map(|stop| format!("{} by {}: {}", stop.ending.name(), stop.rule, stop.evidence)),
        failed: stop.is_some_and(|stop| stop.ending == Ending::Failed),
    }
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    if let Some(file) = &args.batch {
        if args.format.is_some_and(|format| format != Format::Jsonl) {
            anyhow::bail!(
                "a batch is printed a line a question; leave --format out, or write --format jsonl"
            );
        }
        return batch::run(&args.shop, file, args.top).await;
    }
    let shop = Arc::new(Shop::read(&args.shop)?);
    let counter = open(Arc::clone(&shop), Keep::OnDisk).await?;
    let engine = counter.engine();
    let mut found = Vec::with_capacity(args.questions.len());
    for question in &args.questions {
        let hits = hits(&engine, question).await;
        if args.format == Some(Format::Jsonl) {
            print(&format!("{}\n", serde_json::to_string(&hits)?))?;
        }
        found.push(hits);
    }
    match args.format.unwrap_or(Format::Text) {
        Format::Text => print(&text(&found, &shop.pack().report.nothing_above, args.all)?)?,
        Format::Json => print_json(&found)?,
        Format::Jsonl => {}
    }
    Ok(if found.iter().any(|hits| hits.failed) { Exit::Incomplete } else { Exit::Met })
}

fn text(found: &[Hits], nothing_above: &str, all: bool) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    for hits in found {
        writeln!(out, "{}", hits.question)?;
        for hit in &hits.hits {
            writeln!(out, "  {} {}", hit.source, hit.strength)?;
        }
        if let Some(stopped) = &hits.stopped {
            writeln!(out, "  {stopped}")?;
        } else if hits.hits.is_empty() {
            writeln!(out, "  {}", fill(nothing_above, &[("threshold", &hits.threshold.to_string())]))?;
        }
        for hit in hits.below.iter().filter(|_| all) {
            writeln!(out, "  - {} {}", hit.source, hit.strength)?;
        }
    }
    Ok(out)
}
