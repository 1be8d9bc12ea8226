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
            let shown = &shop.config().model.file;
            let script: Script = toml(&text(&shop.root().join(shown))?, shown)?;
            let model = ScriptedModel::new(script);
            Arc::new(model.map_err(|error| ShopError::field(shown, 1, error.to_string()))?)
        }
    })
}
