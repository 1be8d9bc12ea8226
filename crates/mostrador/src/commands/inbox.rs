//! `mostrador inbox`: what was handed to colleagues, and every stop.

use std::fmt::Write;
use std::path::PathBuf;

use mostrador_shop::Shop;
use mostrador_shop::counter::database;
use mostrador_store::{InboxItem, Store, StoreOptions};
use serde_json::json;

use crate::exit::Exit;
use crate::output::{Format, print, print_json};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// The most entries shown, newest first.
    #[arg(long, default_value_t = 20)]
    limit: usize,
    /// How the entries are printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Shop::read(&args.shop)?;
    let file = database(shop.root());
    let items = if file.exists() {
        Store::open(&file, StoreOptions::default()).await?.list_inbox(args.limit).await?
    } else {
        Vec::new()
    };
    match args.format {
        Format::Text => print(&text(&items)?)?,
        Format::Json => {
            let entries: Vec<_> =
                items.iter().map(|item| json!({"id": item.id, "entry": item.entry})).collect();
            print_json(&entries)?;
        }
    }
    Ok(Exit::Met)
}

fn text(items: &[InboxItem]) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    if items.is_empty() {
        writeln!(out, "nothing is waiting")?;
    }
    for InboxItem { id, entry } in items {
        let customer = entry.customer.as_ref().map_or("not signed in", |customer| customer.0.as_str());
        writeln!(out, "{id} {} by {}, {customer}: {}", entry.ending.name(), entry.rule, entry.question)?;
        if !entry.answer.is_empty() {
            writeln!(out, "    {}", entry.answer)?;
        }
    }
    Ok(out)
}
