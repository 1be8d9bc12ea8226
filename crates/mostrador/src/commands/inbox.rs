//! `mostrador inbox`: what was handed to colleagues, and what they decide about answers that were held.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use mostrador_answer::approval::Approved;
use mostrador_answer::ports::UnixMillis;
use mostrador_shop::Shop;
use mostrador_shop::counter::{database, now};
use mostrador_store::{InboxItem, Store, StoreError, StoreOptions};
use serde_json::json;

use crate::exit::Exit;
use crate::output::{Format, print, print_json};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    #[command(subcommand)]
    decide: Option<Decide>,
    /// The most entries shown, newest first.
    #[arg(long, default_value_t = 20)]
    limit: usize,
    /// How the entries are printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, clap::Subcommand)]
enum Decide {
    /// Sends a held answer to the customer. No money moves.
    Approve(Entry),
    /// Keeps that a held answer is not sent.
    Reject(Entry),
}

#[derive(Debug, clap::Args)]
struct Entry {
    /// The number of the entry, as the inbox lists it.
    id: i64,
    /// Who decides.
    #[arg(long, value_name = "PERSON")]
    by: String,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Shop::read(&args.shop)?;
    match &args.decide {
        None => list(&shop, args).await?,
        Some(Decide::Approve(entry)) => decide(&shop, entry, true).await?,
        Some(Decide::Reject(entry)) => decide(&shop, entry, false).await?,
    }
    Ok(Exit::Met)
}

async fn list(shop: &Shop, args: &Args) -> anyhow::Result<()> {
    let file = database(shop.root());
    let items = if file.exists() {
        Store::open(&file, StoreOptions::default()).await?.list_inbox(args.limit).await?
    } else {
        Vec::new()
    };
    match args.format {
        Format::Text => print(&text(&items)?),
        Format::Json => {
            let entry = |item: &InboxItem| {
                let InboxItem { id, entry, decided, closed } = item;
                json!({"id": id, "entry": entry, "decided": decided, "closed": closed})
            };
            print_json(&items.iter().map(entry).collect::<Vec<_>>())
        }
    }
}

async fn decide(shop: &Shop, entry: &Entry, approve: bool) -> anyhow::Result<()> {
    let Entry { id, by } = entry;
    if by.trim().is_empty() {
        bail!("--by is empty; name who decides");
    }
    let file = database(shop.root());
    if !file.exists() {
        return Err(StoreError::NotHeld(*id).into());
    }
    let store = Store::open(&file, StoreOptions::default()).await?;
    let InboxItem { entry, .. } = store.inbox_entry(*id).await?.ok_or(StoreError::NotHeld(*id))?;
    let approved = if approve {
        let read = Approved::new(&entry, &shop.settings().voice);
        Some(read.with_context(|| format!("entry {id} cannot be approved"))?)
    } else {
        None
    };
    let at: UnixMillis = now();
    store.decide(*id, approved.as_ref(), by.trim(), at).await?;
    let mut out = String::new();
    match approved {
        None => writeln!(out, "{id} rejected by {by}; nothing was sent")?,
        Some(approved) => {
            let places = [
                entry.conversation.map(|conversation| format!("the conversation {}", conversation.0)),
                entry.address,
            ];
            let places: Vec<String> = places.into_iter().flatten().collect();
            writeln!(out, "{id} approved by {by}, for {}:\n{}", places.join(" and "), approved.text())?;
        }
    }
    print(&out)
}

fn text(items: &[InboxItem]) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    if items.is_empty() {
        writeln!(out, "nothing is waiting")?;
    }
    for InboxItem { id, entry, decided, closed } in items {
        let customer = entry.customer.as_ref().map_or("not signed in", |customer| customer.0.as_str());
        writeln!(out, "{id} {} by {}, {customer}: {}", entry.ending.name(), entry.rule, entry.question)?;
        if !entry.answer.is_empty() {
            writeln!(out, "    {}", entry.answer)?;
        }
        if let Some(decided) = decided {
            let day = decided.at.day();
            writeln!(out, "    {} by {} on {day}", decided.decision.name(), decided.person)?;
        }
        if let Some(closed) = closed {
            writeln!(out, "    {} by {} on {}", closed.how.name(), closed.person, closed.at.day())?;
        }
    }
    Ok(out)
}
