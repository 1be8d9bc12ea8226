//! The model of a shop, by its configuration.

use std::sync::Arc;

use mostrador_answer::ports::Model;
use mostrador_models::{ExtractiveModel, Script, ScriptedModel};

use crate::config::ModelKind;
use crate::error::ShopError;
use crate::folder::Shop;
use crate::read::{text, toml};

/// Builds a model of this kind for a shop.
///
/// # Errors
/// [`ShopError`] where the file of a scripted model is missing or does not fit.
pub fn model(shop: &Shop, kind: ModelKind) -> Result<Arc<dyn Model>, ShopError> {
    Ok(match kind {
        ModelKind::Extractive => {
            Arc::new(ExtractiveModel::new(shop.all_texts().clone(), shop.packs().clone()))
        }
        ModelKind::Scripted => {
            let shown = &shop.config().model.file.0;
            let written = text(&shop.root().join(shown))?;
            let script: Script = toml(&written, shown)?;
            let model = ScriptedModel::new(script);
            Arc::new(model.map_err(|error| {
                let message = error.to_string();
                ShopError::field(shown, line_named(&written, &message), message)
            })?)
        }
    })
}

/// The line where the rule or addition begins that a message names: "rule 2 …", "addition 1 …".
fn line_named(written: &str, message: &str) -> usize {
    let mut words = message.split(' ');
    let head = match words.next() {
        Some("rule") => "[[rules]]",
        Some("addition") => "[[additions]]",
        _ => return 1,
    };
    let number: usize = words.next().and_then(|number| number.parse().ok()).unwrap_or(1);
    let heads = written.lines().enumerate().filter(|(_, line)| line.trim() == head);
    heads.map(|(at, _)| at + 1).nth(number.saturating_sub(1)).unwrap_or(1)
}
