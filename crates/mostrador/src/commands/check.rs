//! `mostrador check`: reads everything in a shop folder and says what it found.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use mostrador_answer::gate::{Contradiction, contradictions};
use mostrador_answer::passage::{Passage, Trust};
use mostrador_answer::ports::Filter;
use mostrador_evals::case::read_suite;
use mostrador_shop::counter::{RECORDS, database};
use mostrador_shop::identity::config::{Algorithm, IdentityConfig, KeyConfig};
use mostrador_shop::identity::keys::KeyFault;
use mostrador_shop::index::{NO_EMBEDDER, embedder_id};
use mostrador_shop::models::missing;
use mostrador_shop::release::version;
use mostrador_shop::trifecta::Trifecta;
use mostrador_shop::{Identity, Keep, Shop, ShopError};
use mostrador_store::{Snapshot, Store, StoreOptions};
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
    identity: Option<Verifies>,
    trifecta: Trifecta,
    /// Passages that state different values of one thing.
    contradictions: Vec<Contradiction>,
    warnings: Vec<String>,
    version: String,
    released: bool,
}

/// What search by meaning would add, in figures of docs/embedders.md, and how to have it.
pub(crate) const SEMANTIC: &str = "a question in another language than the pages is found seldom (in the first \
five .06 to .49 of the time, with a small embedder .86 to .99): `[embedder]` in shop.toml adds one, then \
`mostrador index`; see docs/embedders.md";

/// What signed customers would add, and how to have them.
const UNSIGNED: &str = "nobody is signed in, and no look-up that needs a customer is offered (but to `ask --as`); \
`[identity]` in shop.toml says how tokens are verified, see docs/identity.md";

/// What the shop verifies its customers' tokens with.
#[derive(Debug, Serialize)]
struct Verifies {
    audience: String,
    keys: Vec<KeyId>,
}

/// A key, without the key.
#[derive(Debug, Serialize)]
struct KeyId {
    id: String,
    algorithm: Algorithm,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Arc::new(Shop::read(&args.shop)?);
    let trifecta = Trifecta::of(&shop).map_err(ShopError::from)?;
    let key_not_set = key_not_set(&shop)?;
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
    let contradictions = contradictions(&undated(&snapshot)?, shop.packs());
    let contradicted = contradictions.iter().map(told);
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
        identity: shop.config().identity.as_ref().map(|identity| verifies(identity.get_ref())),
        warnings: key_not_set
            .into_iter()
            .chain(missing(&shop)?)
            .chain(trifecta.warning())
            .chain(contradicted)
            .collect(),
        trifecta,
        contradictions,
        released: released(&shop, &version).await?,
        version,
    };
    match args.format {
        Format::Text => print(&text(&found)?)?,
        Format::Json => print_json(&found)?,
    }
    for warning in &found.warnings {
        eprintln!("warning: {warning}");
    }
    Ok(if args.strict && index.loses_text() { Exit::BadInput } else { Exit::Met })
}

/// All passages but those of the dated facts: what was said of one day may be otherwise on another.
fn undated(snapshot: &Snapshot) -> anyhow::Result<Vec<Arc<Passage>>> {
    let dated = format!("{RECORDS}/");
    let kept = |passage: &Arc<Passage>| !passage.file.starts_with(&dated);
    Ok(snapshot.passages().collect::<Result<Vec<_>, _>>()?.into_iter().filter(kept).collect())
}

fn told(pair: &Contradiction) -> String {
    let Contradiction { one, other } = pair;
    format!(
        "{} and {} contradict each other: {:?} in {:?}, and {:?} in {:?}; correct one of the pages, or say in both of \
         what each holds",
        one.source, other.source, one.value, one.sentence, other.value, other.sentence
    )
}

/// Loads the keys. One that only the running program is given is missed with a warning: a folder is checked
/// where secrets are not.
fn key_not_set(shop: &Shop) -> Result<Option<String>, ShopError> {
    match Identity::of(shop) {
        Err(ShopError::Identity(error)) if matches!(error.fault, KeyFault::Unset(_)) => {
            Ok(Some(ShopError::from(error).to_string()))
        }
        loaded => loaded.map(|_| None),
    }
}

fn verifies(config: &IdentityConfig) -> Verifies {
    let key = |key: &KeyConfig| KeyId { id: key.id.0.clone(), algorithm: key.algorithm };
    let keys = config.keys.iter().map(|spanned| key(spanned.get_ref()));
    Verifies { audience: config.audience.0.clone(), keys: keys.collect() }
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
    if !found.contradictions.is_empty() {
        writeln!(out, "pairs of passages that contradict each other: {}", found.contradictions.len())?;
    }
    writeln!(
        out,
        "{} rules, {} cases, {} of them safety cases",
        found.rules, found.cases, found.safety_cases
    )?;
    match &found.identity {
        Some(Verifies { audience, keys }) => {
            let keys = keys.iter().map(|key| format!("{} ({})", key.id, key.algorithm.name()));
            writeln!(
                out,
                "customers: by tokens for {audience:?}, keys {}",
                keys.collect::<Vec<_>>().join(", ")
            )?;
        }
        None => writeln!(out, "customers: {UNSIGNED}")?,
    }
    out.push_str(&table(&found.trifecta)?);
    let short: String = found.version.chars().take(12).collect();
    if found.released {
        writeln!(out, "version {short}: released")?;
    } else {
        writeln!(out, "version {short}: not released; run `mostrador eval` on this folder")?;
    }
    Ok(out)
}

/// What each part brings, one a line, and all of them together.
fn table(trifecta: &Trifecta) -> Result<String, std::fmt::Error> {
    const BRINGS: [&str; 3] = ["private data", "outsiders' text", "a way out"];
    let rows = || trifecta.parts.iter().chain([&trifecta.together]);
    let width = rows().map(|part| part.name.chars().count()).max().unwrap_or_default();
    let [private, outsiders, out] = BRINGS;
    let (first, second) = (private.len(), outsiders.len());
    let mut table = String::new();
    writeln!(table, "{:width$}  {private}  {outsiders}  {out}", "")?;
    for part in rows() {
        let yes = |yes| if yes { "yes" } else { "no" };
        writeln!(
            table,
            "{:width$}  {:<first$}  {:<second$}  {}",
            part.name,
            yes(part.private_data),
            yes(part.outsiders_text),
            yes(part.way_out),
        )?;
    }
    Ok(table)
}
