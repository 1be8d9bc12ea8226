//! `probe sentences`: the sentences of a text.

use mostrador_language::Packs;
use serde_json::json;

use super::{Text, each_line};

pub(super) fn run(packs: &Packs) -> anyhow::Result<()> {
    each_line(|line: Text| Ok(json!({"sentences": packs.get(line.lang()).sentences(&line.text)})))
}
