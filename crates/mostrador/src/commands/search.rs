//! `mostrador search`: shows which passages would support an answer.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use mostrador_answer::engine::Engine;
use mostrador_answer::question::Asked;
use mostrador_answer::trace::Ranked;
use mostrador_language::fill;
use mostrador_shop::{Keep, Shop};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{Format, open, print, print_json};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// The questions.
    #[arg(required = true)]
    questions: Vec<String>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A question with the passages that would support an answer, best first.
#[derive(Debug, Serialize)]
pub(crate) struct Hits {
    question: String,
    threshold: String,
    hits: Vec<Ranked>,
}

/// Searches as the rooms before the model do.
pub(crate) async fn hits(engine: &Engine, question: &str) -> Hits {
    let (grounded, trace) = engine.evidence(Asked::new(question)).await;
    let passages = grounded.as_ref().map_or(&[][..], |grounded| grounded.passages());
    let ranked = |source| trace.ranked.iter().find(|ranked| ranked.source == source).cloned();
    Hits {
        question: question.to_owned(),
        threshold: trace.threshold.to_string(),
        hits: passages.iter().filter_map(|passage| ranked(passage.source.clone())).collect(),
    }
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Arc::new(Shop::read(&args.shop)?);
    let counter = open(Arc::clone(&shop), Keep::OnDisk).await?;
    let engine = counter.engine();
    let mut found = Vec::with_capacity(args.questions.len());
    for question in &args.questions {
        found.push(hits(&engine, question).await);
    }
    match args.format {
        Format::Text => print(&text(&found, &shop.pack().report.nothing_above)?)?,
        Format::Json => print_json(&found)?,
    }
    Ok(Exit::Met)
}

fn text(found: &[Hits], nothing_above: &str) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    for hits in found {
        writeln!(out, "{}", hits.question)?;
        for hit in &hits.hits {
            writeln!(out, "  {} {}", hit.source, hit.strength)?;
        }
        if hits.hits.is_empty() {
            writeln!(out, "  {}", fill(nothing_above, &[("threshold", &hits.threshold)]))?;
        }
    }
    Ok(out)
}
