//! `probe language`: the language to answer in.

use mostrador_language::{Detected, Lang, detect};
use mostrador_shop::Shop;
use serde::Deserialize;
use serde_json::json;

use super::each_line;

#[derive(Deserialize)]
struct Turn {
    text: String,
    declared: Option<Lang>,
    previous: Option<Lang>,
}

pub(super) fn run(shop: Option<&Shop>) -> anyhow::Result<()> {
    let first: Vec<Lang> = shop.map(Shop::language).into_iter().collect();
    each_line(|turn: Turn| {
        let found = detect(&turn.text, turn.declared, turn.previous, &first);
        let by = match found {
            Detected::Declared(_) => "declared",
            Detected::Text(_) => "text",
            Detected::Previous(_) => "previous",
            Detected::Shop(_) => "shop",
        };
        Ok(json!({"language": found.lang(), "by": by}))
    })
}
