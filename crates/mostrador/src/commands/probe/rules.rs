//! `probe rules`: whether a text breaks a rule of the shop.

use mostrador_answer::rules::{Action, Rules};
use serde::Deserialize;
use serde_json::{Value, json};

use super::each_line;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sentence {
    text: String,
}

pub(super) fn run(rules: &Rules) -> anyhow::Result<()> {
    each_line(|line: Sentence| Ok(judged(rules, &line.text)))
}

fn judged(rules: &Rules, text: &str) -> Value {
    match rules.judge(text) {
        None => json!({"text": text, "verdict": "passes"}),
        Some(broken) => {
            let verdict = match broken.rule.action {
                Action::Stop => "withheld",
                Action::AwaitApproval => "held",
            };
            json!({"text": text, "verdict": verdict, "rule": broken.rule.name, "found": broken.found})
        }
    }
}
