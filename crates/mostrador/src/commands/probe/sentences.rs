//! `probe sentences`: the sentences of a text.

use mostrador_language::{Packs, one_line};
use serde_json::json;

use super::{Text, each_line};

/// `sentences`: as they are shown, each on one line; `raw`: as they stand, joined they are the text.
pub(super) fn run(packs: &Packs) -> anyhow::Result<()> {
    each_line(|line: Text| {
        let raw = packs.get(line.lang()).sentences(&line.text);
        let shown: Vec<String> = raw.iter().map(|sentence| one_line(sentence)).collect();
        Ok(json!({"sentences": shown, "raw": raw}))
    })
}
