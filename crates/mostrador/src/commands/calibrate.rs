//! `mostrador calibrate`: measures where the threshold should stand; no model is asked.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::ValueEnum;
use mostrador_answer::engine::Engine;
use mostrador_answer::passage::Similarity;
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_evals::EvalError;
use mostrador_evals::calibrate::{
    Cut, Distributions, Expect, MOST_LOST_PERCENT, Measured, Part, Prefer, Question, exact, of_cases,
    read_questions, svg,
};
use mostrador_evals::case::read_suite;
use mostrador_shop::counter::database;
use mostrador_shop::{Counter, Keep, Shop};
use mostrador_store::{Calibration, Store, StoreOptions};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{Format, open, print, print_json, progress};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// More questions than the shop's cases, a JSON object a line: question, and expect (answer or refuse).
    #[arg(long, value_name = "FILE.jsonl")]
    questions: Option<PathBuf>,
    /// What matters more where both cannot be had.
    #[arg(long, value_enum, default_value_t)]
    prefer: Preference,
    /// Writes a picture of both distributions.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What a threshold is proposed for.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Preference {
    /// The share stopped less the share lost is largest.
    #[default]
    Balance,
    /// At most 5 in a hundred lost, and the most stopped.
    Stop,
    /// None lost, and the most stopped.
    Answer,
}

impl From<Preference> for Prefer {
    fn from(preference: Preference) -> Prefer {
        match preference {
            Preference::Balance => Prefer::Balance,
            Preference::Stop => Prefer::Stop,
            Preference::Answer => Prefer::Answer,
        }
    }
}

/// What was measured.
#[derive(Debug, Serialize)]
struct Calibrated {
    embedder: String,
    corpus: String,
    prefer: Prefer,
    current: Cut,
    proposed: Cut,
    /// From 0.05 to 1 in steps of 0.05.
    thresholds: Vec<Cut>,
    questions: Vec<Measured>,
    /// Questions that did not come as far as the search.
    left_out: Vec<String>,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Arc::new(Shop::read(&args.shop)?);
    let questions = questions(&shop, args.questions.as_deref())?;
    let counter = open(Arc::clone(&shop), Keep::OnDisk).await?;
    let engine = counter.engine();
    let (measured, left_out) = measure(&engine, questions).await?;
    let Some(both) = Distributions::new(&measured) else {
        let count = |expect| measured.iter().filter(|one| one.expect == expect).count();
        bail!(
            "{} questions that must be answered and {} that must be refused are too few: one of each is needed, \
             fifty make a figure; write cases with `cites` and with `ends: no-evidence`, or a file for --questions",
            count(Expect::Answer),
            count(Expect::Refuse)
        );
    };
    let prefer = Prefer::from(args.prefer);
    let steps = (1..=20).map(|step| both.at(Similarity::from_millionths(step * 50_000)));
    let result = Calibrated {
        embedder: embedder_id(&engine),
        corpus: counter.index().content.clone(),
        prefer,
        current: both.at(engine.settings().evidence.threshold),
        proposed: both.proposal(prefer),
        thresholds: steps.collect(),
        questions: measured,
        left_out,
    };
    if let Some(file) = &args.svg {
        let picture = svg(&both, &result.proposed, &result.current);
        std::fs::write(file, picture).with_context(|| {
            format!("--svg: {} cannot be written; name a file in a folder that is there", file.display())
        })?;
    }
    record(&counter, &result).await?;
    match args.format {
        Format::Text => print(&text(&result)?)?,
        Format::Json => print_json(&result)?,
    }
    Ok(Exit::Met)
}

/// The shop's cases, where it has any, and the file's.
fn questions(shop: &Shop, file: Option<&Path>) -> anyhow::Result<Vec<Question>> {
    let lookups = shop.lookups()?.iter().any(|lookup| !lookup.spec().needs_customer);
    let mut questions = match read_suite(shop.root()) {
        Ok(suite) => of_cases(&suite.cases, lookups),
        Err(EvalError::NoCases(_)) if file.is_some() => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    if let Some(file) = file {
        questions.extend(read_questions(file)?);
    }
    Ok(questions)
}

/// The best strength of each question; apart, the questions that were stopped before the search.
async fn measure(engine: &Engine, questions: Vec<Question>) -> anyhow::Result<(Vec<Measured>, Vec<String>)> {
    let bar = progress(Some(questions.len() as u64));
    let (mut measured, mut left_out) = (Vec::new(), Vec::new());
    for Question { asked, expect } in questions {
        let question = asked.text.clone();
        let (grounded, trace) = engine.evidence(asked).await;
        bar.inc(1);
        if let Some(away) = &trace.embedder_away {
            bail!(
                "{question:?} was searched by words alone: {away}; calibrate again when the embedder is there"
            );
        }
        match grounded.err().filter(|stop| stop.rule.0 != RuleName::THRESHOLD) {
            Some(stop) if stop.ending == Ending::Failed => {
                bail!("{question:?} could not be searched for: {}", stop.evidence)
            }
            Some(stop) => left_out.push(format!("{question} ({})", stop.rule)),
            None => {
                let strength = trace.ranked.iter().map(|ranked| ranked.strength).max().unwrap_or_default();
                measured.push(Measured { question, expect, strength });
            }
        }
    }
    bar.finish_and_clear();
    Ok((measured, left_out))
}

async fn record(counter: &Counter, result: &Calibrated) -> anyhow::Result<()> {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let Cut { threshold, lost, stopped } = result.proposed;
    let calibration = Calibration {
        embedder: result.embedder.clone(),
        corpus: result.corpus.clone(),
        threshold,
        prefer: result.prefer.name().to_owned(),
        lost: count(lost.count),
        must_answer: count(lost.of),
        stopped: count(stopped.count),
        must_refuse: count(stopped.of),
        at: counter.engine().ports().clock.now(),
    };
    Ok(counter.store().record_calibration(&calibration).await?)
}

fn embedder_id(engine: &Engine) -> String {
    engine.ports().embed.as_ref().map_or_else(|| "none".to_owned(), |embed| embed.id())
}

/// What the last calibration no longer holds for, with the command that makes a new one; `None` where it holds or
/// there was none. Looks without making a database.
pub(crate) async fn outdated(counter: &Counter) -> anyhow::Result<Option<String>> {
    let shop = counter.shop();
    let file = database(shop.root());
    if !file.exists() {
        return Ok(None);
    }
    let store = Store::open(&file, StoreOptions::default()).await?;
    let Some(last) = store.last_calibration().await? else { return Ok(None) };
    let embedder = embedder_id(&counter.engine());
    let changed = if last.embedder != embedder {
        format!("the embedder was {} and is {embedder}", last.embedder)
    } else if last.corpus != counter.index().content {
        "the documents have changed".to_owned()
    } else {
        return Ok(None);
    };
    let root = shop.root().display();
    Ok(Some(format!("the threshold was calibrated before: {changed}; run `mostrador calibrate {root}`")))
}

fn text(result: &Calibrated) -> Result<String, std::fmt::Error> {
    let Calibrated { proposed, current, .. } = result;
    let mut out = String::new();
    writeln!(
        out,
        "embedder {}; {} must be answered, {} must be refused",
        result.embedder, proposed.lost.of, proposed.stopped.of
    )?;
    writeln!(out, "\nthreshold  lost                          stopped")?;
    for cut in &result.thresholds {
        row(&mut out, cut, "")?;
    }
    writeln!(out)?;
    row(&mut out, current, "now")?;
    let told = match result.prefer {
        Prefer::Balance => "most stopped less lost".to_owned(),
        Prefer::Stop => format!("most stopped with at most {MOST_LOST_PERCENT} % lost"),
        Prefer::Answer => "most stopped with none lost".to_owned(),
    };
    row(&mut out, proposed, &format!("proposed: {told}"))?;
    let below = |expect, is_below: bool| {
        let wrong =
            move |one: &&Measured| one.expect == expect && (one.strength < proposed.threshold) == is_below;
        result.questions.iter().filter(wrong)
    };
    for one in below(Expect::Answer, true) {
        writeln!(out, "  lost      {}  {}", exact(one.strength), one.question.replace('\n', " "))?;
    }
    for one in below(Expect::Refuse, false) {
        writeln!(out, "  let past  {}  {}", exact(one.strength), one.question.replace('\n', " "))?;
    }
    for question in &result.left_out {
        writeln!(out, "  left out  {}", question.replace('\n', " "))?;
    }
    if proposed.threshold != current.threshold {
        writeln!(
            out,
            "\nto take it, write in shop.toml:\n[evidence]\nthreshold = {}",
            exact(proposed.threshold)
        )?;
    }
    Ok(out)
}

fn row(out: &mut String, cut: &Cut, note: &str) -> std::fmt::Result {
    let line =
        format!("{:<9}  {:<28}  {:<28}  {note}", exact(cut.threshold), share(&cut.lost), share(&cut.stopped));
    writeln!(out, "{}", line.trim_end())
}

/// A part as counts, with its interval in percent.
fn share(part: &Part) -> String {
    let percent = |share: f64| share * 100.0;
    let (low, high) = (percent(part.interval.low), percent(part.interval.high));
    format!("{} of {} ({low:.1}-{high:.1} %)", part.count, part.of)
}
