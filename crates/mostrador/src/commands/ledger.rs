//! `mostrador ledger`: what was spent and is reserved, and whether it adds up.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Subcommand;
use mostrador_answer::money::Micros;
use mostrador_shop::Shop;
use mostrador_shop::config::BudgetConfig;
use mostrador_shop::counter::{database, now};
use mostrador_shop::in_words;
use mostrador_store::{KeptWarning, LedgerReport, Mismatch, Month, Store, StoreOptions, Sums};
use serde::Serialize;
use serde_json::json;

use crate::exit::Exit;
use crate::output::{Format, print, print_json};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Shows a month and its days, with the caps beside them.
    Show(Show),
    /// Adds every entry up again; ends with 2 where a total says otherwise.
    Verify(Verify),
}

#[derive(Debug, clap::Args)]
struct Show {
    /// The shop folder.
    shop: PathBuf,
    /// The month (UTC), such as 2026-07; this one where it is left out.
    #[arg(long)]
    month: Option<Month>,
    /// How the sums are printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, clap::Args)]
struct Verify {
    /// The shop folder.
    shop: PathBuf,
    /// How the findings are printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The most warnings that are looked through for those of a month.
const MOST_WARNINGS: usize = 1_000;

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    match &args.what {
        What::Show(args) => show(args).await,
        What::Verify(args) => verify(args).await,
    }
}

/// The store of a shop; `None` where nothing was kept yet. None is made by looking.
async fn store(shop: &Shop) -> anyhow::Result<Option<Store>> {
    let file = database(shop.root());
    Ok(if file.exists() { Some(Store::open(&file, StoreOptions::default()).await?) } else { None })
}

/// What a month shows.
#[derive(Debug, Serialize)]
struct Shown {
    currency: Option<String>,
    #[serde(flatten)]
    report: LedgerReport,
    monthly_cap: Option<Micros>,
    daily_cap: Option<Micros>,
    daily_cap_per_customer: Option<Micros>,
    warnings: Vec<KeptWarning>,
}

async fn show(args: &Show) -> anyhow::Result<Exit> {
    let shop = Shop::read(&args.shop)?;
    let month = match &args.month {
        Some(month) => month.clone(),
        None => Month::of(now())?,
    };
    let (report, mut warnings) = match store(&shop).await? {
        Some(store) => (store.ledger_report(&month).await?, store.list_warnings(MOST_WARNINGS).await?),
        None => (LedgerReport { month: month.clone(), sums: Sums::default(), days: Vec::new() }, Vec::new()),
    };
    warnings.retain(|kept| kept.warning.period.starts_with(month.as_str()));
    warnings.reverse();
    let budget = shop.config().budget.as_ref();
    let shown = Shown {
        currency: budget.map(|budget| budget.currency.0.clone()),
        report,
        monthly_cap: budget.and_then(|budget| budget.monthly_cap).map(|cap| cap.0),
        daily_cap: budget.and_then(|budget| budget.daily_cap).map(|cap| cap.0),
        daily_cap_per_customer: budget.and_then(|budget| budget.daily_cap_per_customer).map(|cap| cap.0),
        warnings,
    };
    match args.format {
        Format::Text => print(&text(&shown, budget)?)?,
        Format::Json => print_json(&shown)?,
    }
    Ok(Exit::Met)
}

fn text(shown: &Shown, budget: Option<&BudgetConfig>) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    let currency = budget.map(|budget| format!(" {}", budget.currency.0)).unwrap_or_default();
    let line = |name: &str, sums: &Sums, cap: Option<Micros>| {
        let Sums { spent, reserved, questions } = sums;
        let cap = cap.map(|cap| format!(", cap {cap}")).unwrap_or_default();
        format!("{name}: spent {spent}{currency}, reserved {reserved}{cap}, {questions} questions")
    };
    writeln!(out, "{}", line(shown.report.month.as_str(), &shown.report.sums, shown.monthly_cap))?;
    for day in &shown.report.days {
        writeln!(out, "  {}", line(&day.day, &day.sums, shown.daily_cap))?;
    }
    if let Some(cap) = shown.daily_cap_per_customer {
        writeln!(out, "cap a customer and day: {cap}{currency}")?;
    }
    for KeptWarning { warning, sent, .. } in &shown.warnings {
        let sent = if sent.is_some() { ", posted" } else { "" };
        writeln!(out, "warned: {}{sent}", in_words(warning, currency.trim()))?;
    }
    Ok(out)
}

async fn verify(args: &Verify) -> anyhow::Result<Exit> {
    let shop = Shop::read(&args.shop)?;
    let differing = match store(&shop).await? {
        Some(store) => store.verify().await?,
        None => Vec::new(),
    };
    match args.format {
        Format::Text if differing.is_empty() => print("the ledger adds up\n")?,
        Format::Text => print(&differences(&differing)?)?,
        Format::Json => print_json(&json!({"adds_up": differing.is_empty(), "differing": differing}))?,
    }
    if differing.is_empty() {
        return Ok(Exit::Met);
    }
    eprintln!("error: the ledger does not add up; restore a backup of state/mostrador.db");
    Ok(Exit::BadInput)
}

/// In micro-units: what differs may be less than a cent.
fn differences(differing: &[Mismatch]) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    for Mismatch { total, kept, counted } in differing {
        writeln!(
            out,
            "{total}: the total says spent {}, reserved {}, {} questions; the entries add up to {}, {}, {} (micro-units)",
            kept.spent.0,
            kept.reserved.0,
            kept.questions,
            counted.spent.0,
            counted.reserved.0,
            counted.questions
        )?;
    }
    Ok(out)
}
