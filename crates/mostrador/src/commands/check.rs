//! `mostrador check`: reads everything in a shop folder and says what it found.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use mostrador_answer::passage::Trust;
use mostrador_answer::ports::Filter;
use mostrador_evals::case::read_suite;
use mostrador_shop::counter::database;
use mostrador_shop::index::{NO_EMBEDDER, embedder_id};
use mostrador_shop::release::version;
use mostrador_shop::{Keep, Shop};
use mostrador_store::{Store, StoreOptions};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{Format, open, print, print_json};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// Ends with 2 where a file was skipped that may have held text.
    #[arg(long)]
    strict: bool,
    /// How the findings are printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What was found.
#[derive(Debug, Serialize)]
struct Found {
    name: String,
    language: String,
    model: String,
    files: usize,
    passages: usize,
    outsiders_passages: usize,
    /// What makes the vectors; `none` where words alone are searched.
    embedder: String,
    skipped: Vec<String>,
    rules: usize,
    cases: usize,
    safety_cases: usize,
    tools: Vec<Tool>,
    version: String,
    released: bool,
}

/// What search by meaning would add, in figures of docs/embedders.md, and how to have it.
pub(crate) const SEMANTIC: &str = "a question in another language than the pages is found seldom (in the first \
five .06 to .49 of the time, with a small embedder .86 to .99): `[embedder]` in shop.toml adds one, then \
`mostrador index`; see docs/embedders.md";

/// What a tool brings together. A turn that has all three of private data, outsiders' text and a way
/// out could be made to leak, so that reading the shop refuses such a tool.
#[derive(Debug, Serialize)]
struct Tool {
    name: String,
    private_data: bool,
    outsiders_text: bool,
    way_out: bool,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Arc::new(Shop::read(&args.shop)?);
    let suite = read_suite(shop.root())?;
    let cases = &suite.cases;
    let counter = open(Arc::clone(&shop), Keep::InMemory).await?;
    for case in cases {
        if let Some(kind) = case.model {
            counter.engine_with(kind)?;
        }
    }
    let index = counter.index();
    let version = version(&shop, index, &suite.written)?;
    let snapshot = counter.snapshot().await?;
    let outsiders = Filter { trust: Some(Trust::Customer), ..Filter::default() };
    let found = Found {
        name: shop.config().name.0.clone(),
        language: shop.language().to_string(),
        model: counter.engine().ports().model.id(),
        files: index.files.unwrap_or_default(),
        passages: snapshot.len(),
        outsiders_passages: snapshot.count(&outsiders),
        embedder: embedder_id(counter.engine().ports().embed.as_deref()),
        skipped: index.skipped.iter().map(|skipped| skipped.file.clone()).collect(),
        rules: shop.config().rules.len(),
        cases: cases.len(),
        safety_cases: cases.iter().filter(|case| case.safety).count(),
        tools: tools(&shop)?,
        released: released(&shop, &version).await?,
        version,
    };
    match args.format {
        Format::Text => print(&text(&found)?)?,
        Format::Json => print_json(&found)?,
    }
    Ok(if args.strict && index.loses_text() { Exit::BadInput } else { Exit::Met })
}

fn tools(shop: &Shop) -> anyhow::Result<Vec<Tool>> {
    let lookups = shop.lookups()?;
    let tools = lookups.iter().zip(&shop.config().tools).map(|(lookup, config)| {
        let spec = lookup.spec();
        Tool {
            name: spec.name.clone(),
            private_data: spec.needs_customer,
            // Reviews that are searched stand in the same turn as what the tool gives.
            outsiders_text: spec.trust == Trust::Customer || shop.config().retrieval.reviews,
            way_out: config.get_ref().way_out(),
        }
    });
    Ok(tools.collect())
}

/// Whether the suite has passed this very version. Looks without making a database.
async fn released(shop: &Shop, version: &str) -> anyhow::Result<bool> {
    let file = database(shop.root());
    if !file.exists() {
        return Ok(false);
    }
    Ok(Store::open(&file, StoreOptions::default()).await?.released(version).await?)
}

fn text(found: &Found) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    writeln!(out, "{} ({}), model {}", found.name, found.language, found.model)?;
    writeln!(
        out,
        "{} passages from {} files, {} of them by outsiders; {} files skipped",
        found.passages,
        found.files,
        found.outsiders_passages,
        found.skipped.len()
    )?;
    if found.embedder == NO_EMBEDDER {
        writeln!(out, "search: words alone; {SEMANTIC}")?;
    } else {
        writeln!(out, "search: words, and vectors by {}", found.embedder)?;
    }
    writeln!(
        out,
        "{} rules, {} cases, {} of them safety cases",
        found.rules, found.cases, found.safety_cases
    )?;
    for tool in &found.tools {
        let yes = |yes| if yes { "yes" } else { "no" };
        writeln!(
            out,
            "tool {}: private data {}, outsiders' text {}, a way out {}",
            tool.name,
            yes(tool.private_data),
            yes(tool.outsiders_text),
            yes(tool.way_out)
        )?;
    }
    let short: String = found.version.chars().take(12).collect();
    if found.released {
        writeln!(out, "version {short}: released")?;
    } else {
        writeln!(out, "version {short}: not released; run `mostrador eval` on this folder")?;
    }
    Ok(out)
}
