//! `mostrador index`: reads the documents and makes them searchable.

use std::path::PathBuf;

use mostrador_shop::Shop;
use mostrador_shop::counter::database;
use mostrador_shop::index::rebuild;
use mostrador_store::{Store, StoreOptions};
use serde_json::json;

use crate::exit::Exit;
use crate::output::{Format, print, print_json, progress, tick, warn_skipped};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// Ends with 2 where a file was skipped that may have held text.
    #[arg(long)]
    strict: bool,
    /// How the summary is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Shop::read(&args.shop)?;
    let store = Store::open(&database(shop.root()), StoreOptions::default()).await?;
    let bar = progress(None);
    let rebuilt = rebuild(&shop, &store, &mut |file| tick(&bar, file)).await;
    bar.finish_and_clear();
    let index = rebuilt?;
    warn_skipped(&index);
    for note in &index.notes {
        eprintln!("note: {note}");
    }
    let (files, passages) = (index.files.unwrap_or_default(), index.entries.len());
    match args.format {
        Format::Text => print(&format!(
            "{passages} passages from {files} files; {} files skipped\n",
            index.skipped.len()
        ))?,
        Format::Json => {
            let skipped: Vec<_> = index
                .skipped
                .iter()
                .map(|skipped| json!({"file": skipped.file, "reason": skipped.reason.to_string()}))
                .collect();
            let notes: Vec<_> = index
                .notes
                .iter()
                .map(|note| json!({"file": note.file, "encoding": note.encoding}))
                .collect();
            print_json(&json!({"passages": passages, "files": files, "skipped": skipped, "notes": notes}))?;
        }
    }
    Ok(if args.strict && index.loses_text() { Exit::BadInput } else { Exit::Met })
}
