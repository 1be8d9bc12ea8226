//! `probe normalize`: the form in which a text is compared.

use mostrador_language::Normal;
use serde_json::{Value, json};

use super::{Text, each_line};

pub(super) fn run() -> anyhow::Result<()> {
    each_line(|line: Text| Ok(answer(&line.text)))
}

fn answer(text: &str) -> Value {
    let normal = Normal::of(text);
    match normal.joined() {
        None => json!({"normal": normal.as_str()}),
        Some(joined) => json!({"normal": normal.as_str(), "joined": joined.as_str()}),
    }
}
