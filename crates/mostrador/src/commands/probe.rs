//! `mostrador probe`: runs one room on JSON lines from standard input, one JSON line out for each.

use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::ValueEnum;
use mostrador_answer::rules::{Action, Rules};
use mostrador_shop::{Keep, Shop};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::commands::search::hits;
use crate::exit::Exit;
use crate::output::{open, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The room.
    #[arg(value_enum)]
    room: Room,
    /// The shop folder.
    shop: PathBuf,
}

/// The rooms that can be run alone.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Room {
    /// {"question"} → the passages that would support an answer.
    Search,
    /// {"text"} → whether a text breaks a rule of the shop, and which.
    Rules,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    question: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    text: String,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Arc::new(Shop::read(&args.shop)?);
    match args.room {
        Room::Search => {
            let engine = open(shop, Keep::OnDisk).await?.engine();
            for (number, line) in (1..).zip(std::io::stdin().lock().lines()) {
                if let Some(Question { question }) = read(number, &line?)? {
                    print_line(&serde_json::to_value(hits(&engine, &question).await)?)?;
                }
            }
        }
        Room::Rules => {
            for (number, line) in (1..).zip(std::io::stdin().lock().lines()) {
                if let Some(Text { text }) = read(number, &line?)? {
                    print_line(&judged(shop.rules(), &text))?;
                }
            }
        }
    }
    Ok(Exit::Met)
}

fn judged(rules: &Rules, text: &str) -> Value {
    match rules.judge(text) {
        None => json!({"text": text, "verdict": "passes"}),
        Some(broken) => {
            let verdict = match broken.rule.action {
                Action::Stop => "withheld",
                Action::AwaitApproval => "held",
            };
            json!({"text": text, "verdict": verdict, "rule": broken.rule.name, "found": broken.found})
        }
    }
}

/// A line as its value; blank lines are passed over.
fn read<T: DeserializeOwned>(number: usize, line: &str) -> anyhow::Result<Option<T>> {
    if line.trim().is_empty() {
        return Ok(None);
    }
    serde_json::from_str(line).map(Some).with_context(|| format!("standard input, line {number}"))
}

fn print_line(value: &Value) -> anyhow::Result<()> {
    print(&format!("{value}\n"))
}
