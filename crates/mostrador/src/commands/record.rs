//! `mostrador record`: keeps what a real model says, to be replayed offline.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use mostrador_answer::question::{Asked, CustomerId};
use mostrador_evals::case::read_suite;
use mostrador_evals::verdict::is_own;
use mostrador_shop::Keep;

use crate::exit::Exit;
use crate::model::{Model, read_shop};
use crate::output::{open, print, progress};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// Asks this instead of the cases of the suite; may be given more than once.
    #[arg(long, value_name = "QUESTION")]
    question: Vec<String>,
    /// Asks the questions as this customer.
    #[arg(long = "as", value_name = "CUSTOMER", requires = "question")]
    customer: Option<String>,
    /// The recording's name: `recordings/NAME.jsonl`, which is written anew.
    #[arg(long, default_value = "suite")]
    name: String,
    /// Uses a model of another kind than the shop's own.
    #[arg(long, value_enum)]
    model: Option<Model>,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = read_shop(&args.shop, args.model)?;
    let kind = shop.config().model.kind;
    // What stands behind the model is not what is recorded.
    let shop = Arc::new(shop.with_model(kind));
    if !kind.is_service() {
        bail!(
            "the model of this shop is no service, and says the same again by itself; give `[model]` the kind \
             `openai-compatible` or `messages`, or name one by --model"
        );
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if args.name.is_empty() || !args.name.chars().all(plain) {
        bail!("--name {:?} is no file name; use letters, digits, `-` and `_`", args.name);
    }
    let asked = questions(args, &shop)?;
    let counter = open(Arc::clone(&shop), Keep::InMemory).await?;
    let shown = format!("{}/{}.jsonl", shop.config().model.recordings.0, args.name);
    let recording = counter.record(&shop.root().join(&shown))?;
    let bar = progress(Some(asked.len() as u64));
    let mut failed = Vec::new();
    for asked in asked {
        let question = asked.text.clone();
        let mut turn = recording.engine().start(asked);
        let answer = tokio::select! {
            answer = turn.collect() => answer,
            _ = tokio::signal::ctrl_c() => {
                turn.leave().await;
                bar.finish_and_clear();
                recording.discard()?;
                eprintln!("error: interrupted; {shown} is as it was before");
                return Ok(Exit::Incomplete);
            }
        };
        if answer.closing.could_not() {
            failed.push(format!("{question}: {}", answer.closing.evidence));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if failed.is_empty() {
        let exchanges = recording.keep()?;
        print(&format!("{exchanges} exchanges kept in {shown}\n"))?;
        return Ok(Exit::Met);
    }
    recording.discard()?;
    for failed in &failed {
        eprintln!("error: not recorded: {failed}");
    }
    eprintln!("error: {shown} is as it was before, since not all could be recorded");
    Ok(Exit::Incomplete)
}

/// What is asked: the questions that were given, else the cases that are put to the shop's own model.
fn questions(args: &Args, shop: &mostrador_shop::Shop) -> anyhow::Result<Vec<Asked>> {
    if args.question.is_empty() {
        let cases = read_suite(shop.root())?.cases;
        return Ok(cases.iter().filter(|case| is_own(shop, case)).map(|case| case.asked()).collect());
    }
    let asked = args.question.iter().map(|question| {
        let mut asked = Asked::new(question);
        asked.session.customer = args.customer.clone().map(CustomerId);
        asked
    });
    Ok(asked.collect())
}
