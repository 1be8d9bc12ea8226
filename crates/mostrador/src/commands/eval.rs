//! `mostrador eval`: runs the shop's cases and says whether this version may go out.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mostrador_evals::case::read_cases;
use mostrador_evals::report;
use mostrador_evals::suite::{AtCounter, Run, run as run_suite};
use mostrador_evals::verdict::{Verdict, verdict};
use mostrador_shop::counter::database;
use mostrador_shop::release::version;
use mostrador_shop::{Counter, Keep, Shop};
use mostrador_store::{Release, Store, StoreOptions};
use serde_json::json;

use crate::exit::Exit;
use crate::output::{Format, open, print, print_json, progress};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// How the report is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Arc::new(Shop::read(&args.shop)?);
    let cases = read_cases(shop.root())?;
    let counter = open(Arc::clone(&shop), Keep::InMemory).await?;
    let at_counter = AtCounter::new(&counter, &cases)?;
    let stopped = stop_on_interrupt();
    let bar = progress(Some(cases.len() as u64));
    let go_on = || !stopped.load(Ordering::Relaxed);
    let run = run_suite(&cases, &at_counter, &go_on, &mut |_| bar.inc(1)).await;
    bar.finish_and_clear();
    let verdict = verdict(&shop, &run);
    match args.format {
        Format::Text => print(&report::text(&shop, &run, &verdict))?,
        Format::Json => print_json(&json!({"verdict": &verdict, "cases": &run.tried}))?,
    }
    if verdict.released {
        record(&shop, &counter, &verdict).await?;
    }
    Ok(exit(&run, &verdict))
}

fn exit(run: &Run, verdict: &Verdict) -> Exit {
    if verdict.released {
        return Exit::Met;
    }
    if !run.complete() {
        eprintln!("error: stopped after {} of {} cases", run.tried.len(), run.total);
    }
    if verdict.complete { Exit::GateFailed } else { Exit::Incomplete }
}

/// A flag that is raised by the first interrupt, so that the run ends between two cases.
fn stop_on_interrupt() -> Arc<AtomicBool> {
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stopped);
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            flag.store(true, Ordering::Relaxed);
        }
    });
    stopped
}

async fn record(shop: &Shop, counter: &Counter, verdict: &Verdict) -> anyhow::Result<()> {
    let store = Store::open(&database(shop.root()), StoreOptions::default()).await?;
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let release = Release {
        hash: version(shop, counter.index())?,
        passed: count(verdict.passed),
        total: count(verdict.total),
        safety_passed: count(verdict.safety_passed),
        safety_total: count(verdict.safety_total),
        at: counter.engine().ports().clock.now(),
    };
    store.record_release(&release).await?;
    Ok(())
}
