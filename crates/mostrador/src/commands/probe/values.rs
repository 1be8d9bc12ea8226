//! `probe values`: the values that a text states.

use mostrador_language::Packs;
use serde_json::json;

use super::{Text, each_line};

pub(super) fn run(packs: &Packs) -> anyhow::Result<()> {
    each_line(|line: Text| Ok(json!({"values": packs.get(line.lang()).values(&line.text)})))
}
