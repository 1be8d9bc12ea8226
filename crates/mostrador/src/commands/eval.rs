//! `mostrador eval`: runs the shop's cases and says whether this version may go out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mostrador_evals::case::{Case, read_suite};
use mostrador_evals::report;
use mostrador_evals::suite::{AtCounter, Run, run as run_suite, run_all};
use mostrador_evals::verdict::{Verdict, asks_own_model, verdict};
use mostrador_server::SuiteReport;
use mostrador_shop::counter::database;
use mostrador_shop::release::{prompt_version, version};
use mostrador_shop::{Counter, Keep, Shop};
use mostrador_store::{Release, Store, StoreOptions};

use crate::commands::calibrate::outdated;
use crate::exit::Exit;
use crate::model::{Model, read_shop};
use crate::output::{Format, open, print, print_json, progress};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// Uses a model of another kind than the shop's own; whatever it says, no release comes of it.
    #[arg(long, value_enum)]
    model: Option<Model>,
    /// How the report is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Arc::new(read_shop(&args.shop, args.model)?);
    let suite = read_suite(shop.root())?;
    asks_own_model(&shop, &suite.cases)?;
    let counter = open(Arc::clone(&shop), Keep::InMemory).await?;
    if let Some(outdated) = outdated(&counter).await? {
        eprintln!("warning: {outdated}");
    }
    // Taken before the run: what is edited meanwhile has not passed.
    let version = version(&shop, counter.index(), &suite.written)?;
    let run = interruptible(&counter, suite.cases).await?;
    let mut verdict = verdict(&shop, &run);
    let mut unrecorded = None;
    if verdict.released && args.model.is_none() {
        // A release that is not written down is none, and must not be announced.
        if let Err(error) = record(&shop, &counter, version, &verdict).await {
            verdict.released = false;
            unrecorded = Some(error.context("the suite passed, but the release could not be recorded"));
        }
    }
    match args.format {
        Format::Text => print(&report::text(&shop, &run, &verdict))?,
        Format::Json => {
            let mut report = report::json(&run, &verdict);
            if let Some(report) = report.as_object_mut() {
                report.insert("model".to_owned(), counter.engine().ports().model.id().into());
                report.insert("prompt".to_owned(), prompt_version(&shop).into());
            }
            print_json(&report)?;
        }
    }
    if args.model.is_some() {
        eprintln!("note: with --model nothing is released, whatever the suite says");
    }
    if let Some(error) = unrecorded {
        return Err(error);
    }
    Ok(exit(&run, &verdict))
}

/// Runs the whole suite over the shop as its files are now, and records the version where it may go out.
pub(crate) async fn whole(root: &Path) -> anyhow::Result<SuiteReport> {
    let shop = Arc::new(read_shop(root, None)?);
    let suite = read_suite(root)?;
    asks_own_model(&shop, &suite.cases)?;
    let counter = Counter::open(Arc::clone(&shop), Keep::InMemory, &mut |_| {}).await?;
    let version = version(&shop, counter.index(), &suite.written)?;
    let at_counter = AtCounter::new(&counter, &suite.cases)?;
    let run = run_all(&suite.cases, &at_counter).await;
    let verdict = verdict(&shop, &run);
    if verdict.released {
        record(&shop, &counter, version, &verdict).await?;
    }
    let missed: String = report::missed_texts(&run).iter().map(|text| format!("{text}\n")).collect();
    let text = format!("{}{missed}", report::text(&shop, &run, &verdict));
    Ok(SuiteReport { text, released: verdict.released, passed: verdict.passed, total: verdict.total })
}

/// Runs the suite until its end or the first interrupt; what was tried until then is kept.
async fn interruptible(counter: &Counter, cases: Vec<Case>) -> anyhow::Result<Run> {
    let at_counter = AtCounter::new(counter, &cases)?;
    let total = cases.len();
    let bar = progress(Some(total as u64));
    let mut tried = Vec::with_capacity(total);
    let mut on_case = |case| {
        tried.push(case);
        bar.inc(1);
    };
    tokio::select! {
        () = run_suite(&cases, &at_counter, &mut on_case) => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    bar.finish_and_clear();
    Ok(Run { tried, total })
}

fn exit(run: &Run, verdict: &Verdict) -> Exit {
    if verdict.released {
        return Exit::Met;
    }
    for missed in report::missed_texts(run) {
        eprintln!("{missed}");
    }
    if !run.complete() {
        eprintln!("error: stopped after {} of {} cases", run.tried.len(), run.total);
    }
    for reason in verdict.reasons() {
        eprintln!("not released: {reason}");
    }
    if verdict.complete { Exit::GateFailed } else { Exit::Incomplete }
}

async fn record(shop: &Shop, counter: &Counter, version: String, verdict: &Verdict) -> anyhow::Result<()> {
    let store = Store::open(&database(shop.root()), StoreOptions::default()).await?;
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let release = Release {
        hash: version,
        passed: count(verdict.passed),
        total: count(verdict.total),
        safety_passed: count(verdict.safety_passed),
        safety_total: count(verdict.safety_total),
        at: counter.engine().ports().clock.now(),
    };
    store.record_release(&release).await?;
    Ok(())
}
