//! `mostrador probe`: runs one room on JSON lines from standard input, one JSON line out for each.

mod normalize;

mod sentences;

mod values;

mod language;

mod refusal;

mod search;

mod evidence;

mod rules;

mod gate;

use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::ValueEnum;
use mostrador_language::{Category, Lang, Packs, detect};
use mostrador_shop::Shop;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::exit::Exit;
use crate::output::print;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The room.
    #[arg(value_enum)]
    room: Room,
    /// The shop folder; `search` and `rules` need one, the others use its language packs where it is given.
    shop: Option<PathBuf>,
    /// `refusal`: only this category, may be repeated: terms, private, speculation, instructions or tasks.
    #[arg(long, value_parser = category)]
    category: Vec<Category>,
}

/// The rooms that can be run alone.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Room {
    /// {"text"} → the form in which texts are compared.
    Normalize,
    /// {"lang"?, "text"} → its sentences.
    Sentences,
    /// {"lang"?, "text"} → the values it states.
    Values,
    /// {"text", "declared"?, "previous"?} → the language to answer in, and what decided it.
    Language,
    /// {"question"} → whether it is refused, for what, and by which words.
    Refusal,
    /// {"question"} → the passages that would support an answer.
    Search,
    /// {"question", "passages", "lang"?, "threshold"?} → how strong they are as evidence, and the verdict.
    Evidence,
    /// {"text"} → whether a text breaks a rule of the shop, and which.
    Rules,
    /// {"source" | "passages", "claim" | "answer", "lang"?, "look_ups"?, "verdict"?} → whether it is said by them.
    Gate,
}

/// A text, and its language where it is known.
#[derive(Deserialize)]
struct Text {
    text: String,
    lang: Option<Lang>,
}

impl Text {
    fn lang(&self) -> Lang {
        detect(&self.text, self.lang, None, &[]).lang()
    }
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = args.shop.as_deref().map(Shop::read).transpose()?.map(Arc::new);
    let packs = shop.as_ref().map_or_else(Packs::default, |shop| shop.packs().clone());
    let needed = || shop.clone().context("this room needs a shop folder: mostrador probe ROOM DIR");
    match args.room {
        Room::Normalize => normalize::run()?,
        Room::Sentences => sentences::run(&packs)?,
        Room::Values => values::run(&packs)?,
        Room::Language => language::run(shop.as_deref())?,
        Room::Refusal => refusal::run(&packs, &args.category)?,
        Room::Search => search::run(needed()?).await?,
        Room::Evidence => evidence::run(&packs, shop.as_deref())?,
        Room::Rules => rules::run(needed()?.rules())?,
        Room::Gate => gate::run(&packs)?,
    }
    Ok(Exit::Met)
}

fn category(name: &str) -> Result<Category, String> {
    serde_json::from_value(name.into()).map_err(|error| error.to_string())
}

/// Answers each line of standard input; blank lines are passed over.
fn each_line<Q: DeserializeOwned, A: Serialize>(
    mut answer: impl FnMut(Q) -> anyhow::Result<A>,
) -> anyhow::Result<()> {
    for question in lines() {
        let answer = answer(question?)?;
        print(&format!("{}\n", serde_json::to_string(&answer)?))?;
    }
    Ok(())
}

/// The lines of standard input as values; what cannot be read is named by its line.
fn lines<Q: DeserializeOwned>() -> impl Iterator<Item = anyhow::Result<Q>> {
    (1..).zip(std::io::stdin().lock().lines()).filter_map(|(number, line)| {
        let read = |line: String| {
            serde_json::from_str(&line).with_context(|| format!("standard input, line {number}"))
        };
        match line {
            Ok(line) if line.trim().is_empty() => None,
            Ok(line) => Some(read(line)),
            Err(error) => Some(Err(error.into())),
        }
    })
}
