//! `mostrador cost`: forecasts what questions will cost, at the rate of the suite and at worst.

use std::path::PathBuf;
use std::sync::Arc;

use mostrador_evals::EvalError;
use mostrador_evals::case::read_suite;
use mostrador_evals::forecast::worst_per_1000;
use mostrador_evals::report::{price_lines, worst_line};
use mostrador_evals::suite::{AtCounter, Run, run as run_suite};
use mostrador_evals::verdict::{asks_own_model, is_own, verdict};
use mostrador_shop::{Keep, Shop};
use serde_json::json;

use crate::exit::Exit;
use crate::output::{Format, open, print, print_json, progress};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// How the forecast is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Arc::new(Shop::read(&args.shop)?);
    if shop.config().budget.is_none() {
        return Err(EvalError::NoBudget.into());
    }
    // Only what the shop's own model would be asked says what it will cost.
    let mut cases = read_suite(shop.root())?.cases;
    asks_own_model(&shop, &cases)?;
    cases.retain(|case| is_own(&shop, case));
    let counter = open(Arc::clone(&shop), Keep::InMemory).await?;
    let worst = worst_per_1000(&counter).await?;
    let at_counter = AtCounter::new(&counter, &cases)?;
    let bar = progress(Some(cases.len() as u64));
    let mut tried = Vec::with_capacity(cases.len());
    run_suite(&cases, &at_counter, &mut |case| {
        tried.push(case);
        bar.inc(1);
    })
    .await;
    bar.finish_and_clear();
    let verdict = verdict(&shop, &Run { tried, total: cases.len() });
    let Some(price) = &verdict.price else {
        return Err(EvalError::NoBudget.into());
    };
    let words = &shop.pack().report;
    match args.format {
        Format::Text => {
            let forecast = price_lines(&shop, price, words);
            print(&format!("{forecast}{}", worst_line(worst, &price.currency, words)))?;
        }
        Format::Json => print_json(&json!({
            "currency": price.currency,
            "questions": price.questions,
            "usage": verdict.usage,
            "usage_counted": verdict.usage_counted,
            "per_1000": price.per_1000,
            "per_month": price.per_month,
            "worst_per_1000": worst,
            "budget_per_1000": price.budget,
            "within": price.within,
        }))?,
    }
    Ok(Exit::Met)
}
