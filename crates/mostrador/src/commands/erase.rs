//! `mostrador erase`: what a customer has said and was told, gone from the shop's database.

use std::path::PathBuf;

use anyhow::bail;
use mostrador_answer::question::{ConversationId, CustomerId};
use mostrador_shop::Shop;
use mostrador_shop::counter::database;
use mostrador_store::{Forgotten, Store, StoreOptions};

use crate::exit::Exit;
use crate::output::print;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    #[command(flatten)]
    whose: Whose,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Whose {
    /// Everything of this signed customer.
    #[arg(long, value_name = "CUSTOMER")]
    customer: Option<String>,
    /// One conversation.
    #[arg(long, value_name = "NAME")]
    conversation: Option<String>,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Shop::read(&args.shop)?;
    let file = database(shop.root());
    if !file.exists() {
        bail!("{} keeps nothing yet", args.shop.display());
    }
    let store = Store::open(&file, StoreOptions::default()).await?;
    let forgotten = if let Some(customer) = &args.whose.customer {
        let forgotten = store.erase_customer(&CustomerId(customer.clone())).await?;
        print(&format!(
            "erased: {} conversations, {} turns, the words of {} entries of the inbox and of {} stops\n",
            forgotten.conversations, forgotten.turns, forgotten.entries, forgotten.stops
        ))?;
        forgotten
    } else if let Some(conversation) = &args.whose.conversation {
        let forgotten = store.erase_conversation(&ConversationId(conversation.clone())).await?;
        if forgotten.is_nothing() {
            bail!("there is no conversation {conversation:?}");
        }
        print("erased: 1 conversation\n")?;
        forgotten
    } else {
        Forgotten::default()
    };
    if forgotten.lingers {
        eprintln!(
            "warning: a program that reads the database keeps the bytes in its write-ahead log; they go when that \
             program ends"
        );
    }
    store.close().await;
    Ok(Exit::Met)
}
