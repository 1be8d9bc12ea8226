//! `mostrador index`: reads the documents and makes them searchable; with `--watch`, whenever they change.

use std::path::PathBuf;
use std::time::Duration;

use mostrador_shop::Shop;
use mostrador_shop::counter::database;
use mostrador_shop::embedder::embedder;
use mostrador_shop::index::{Index, rebuild, stamp};
use mostrador_store::{Store, StoreOptions};
use serde_json::json;
use tokio::time::Instant;

use crate::exit::Exit;
use crate::output::{Format, print, print_json, progress, tick, warn_skipped};

/// How often a watched folder is looked at. Names, sizes and times are read, no contents.
const LOOK: Duration = Duration::from_millis(500);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// Ends with 2 where a file was skipped that may have held text.
    #[arg(long)]
    strict: bool,
    /// Goes on until it is interrupted, and indexes again whenever files or settings change.
    #[arg(long)]
    watch: bool,
    /// How the summary is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Shop::read(&args.shop)?;
    let store = Store::open(&database(shop.root()), StoreOptions::default()).await?;
    let mut seen = stamp(&shop)?;
    let index = once(args, &shop, &store).await?;
    if !args.watch {
        return Ok(if args.strict && index.loses_text() { Exit::BadInput } else { Exit::Met });
    }
    let mut last = seen.clone();
    loop {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => return Ok(Exit::Met),
            () = tokio::time::sleep(LOOK) => {}
        }
        // What is being written or is wrong for the moment is looked at again; what is there stays.
        let Ok(now) = Shop::read(&args.shop).and_then(|shop| stamp(&shop)) else {
            continue;
        };
        // Indexed once two looks agree: an editor or a copy is then done.
        let settled = now == last;
        last = now;
        if settled && last != seen {
            seen.clone_from(&last);
            tokio::select! {
                _ = tokio::signal::ctrl_c() => return Ok(Exit::Met),
                done = again(args, &store) => if let Err(error) = done {
                    eprintln!("error: {error:#}");
                },
            }
        }
    }
}

async fn again(args: &Args, store: &Store) -> anyhow::Result<()> {
    once(args, &Shop::read(&args.shop)?, store).await.map(drop)
}

async fn once(args: &Args, shop: &Shop, store: &Store) -> anyhow::Result<Index> {
    let begun = Instant::now();
    let embed = embedder(shop)?;
    let bar = progress(None);
    let rebuilt = rebuild(shop, store, embed.as_deref(), &mut |step| tick(&bar, step)).await;
    bar.finish_and_clear();
    let index = rebuilt?;
    warn_skipped(&index);
    for note in &index.notes {
        eprintln!("note: {note}");
    }
    let took = begun.elapsed();
    match (args.format, args.watch) {
        (Format::Text, _) => print(&text(&index, took))?,
        // A line a generation, for who reads them as they come.
        (Format::Json, true) => print(&format!("{}\n", json(&index, took)))?,
        (Format::Json, false) => print_json(&json(&index, took))?,
    }
    Ok(index)
}

fn text(index: &Index, took: Duration) -> String {
    let files = index.files.unwrap_or_default();
    let mut out = format!("{} passages from {files} files", index.passages);
    let mut say = |count: u64, what: &str| {
        if count > 0 {
            out.push_str(&format!(", {count} {what}"));
        }
    };
    say(index.unchanged as u64, "of them unchanged");
    say(index.duplicates, "passages that say the same left out");
    say(index.embedded, "texts embedded");
    say(index.cached, "vectors known");
    format!("{out}; {} files skipped; {:.1} s\n", index.skipped.len(), took.as_secs_f64())
}

fn json(index: &Index, took: Duration) -> serde_json::Value {
    let skipped = |skipped: &mostrador_ingest::Skipped| json!({"file": skipped.file, "reason": skipped.reason.to_string()});
    let note = |note: &mostrador_ingest::Note| json!({"file": note.file, "encoding": note.encoding});
    json!({
        "passages": index.passages,
        "files": index.files,
        "unchanged": index.unchanged,
        "duplicates": index.duplicates,
        "embedded": index.embedded,
        "cached": index.cached,
        "skipped": index.skipped.iter().map(skipped).collect::<Vec<_>>(),
        "notes": index.notes.iter().map(note).collect::<Vec<_>>(),
        "corpus": index.content,
        "milliseconds": u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
    })
}
