//! `mostrador backup`: a copy of what the shop keeps, whole and of one moment, also while it is served.

use std::path::PathBuf;

use anyhow::bail;
use mostrador_shop::Shop;
use mostrador_shop::counter::database;
use mostrador_store::{Store, StoreOptions};

use crate::exit::Exit;
use crate::output::print;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// The file that is made; one that is there is not written over.
    to: PathBuf,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Shop::read(&args.shop)?;
    let file = database(shop.root());
    if !file.exists() {
        bail!("{} keeps nothing yet", args.shop.display());
    }
    let store = Store::open(&file, StoreOptions::default()).await?;
    store.backup(&args.to).await?;
    store.close().await;
    print(&format!("{}\n", args.to.display()))?;
    Ok(Exit::Met)
}
