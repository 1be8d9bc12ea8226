//! `probe search`: the passages that would support an answer.

use std::sync::Arc;

use mostrador_shop::{Keep, Shop};
use serde::Deserialize;

use super::lines;
use crate::commands::search::hits;
use crate::output::{open, print};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    question: String,
}

pub(super) async fn run(shop: Arc<Shop>) -> anyhow::Result<()> {
    let engine = open(shop, Keep::OnDisk).await?.engine();
    for line in lines() {
        let Question { question } = line?;
        print(&format!("{}\n", serde_json::to_string(&hits(&engine, &question).await)?))?;
    }
    Ok(())
}
