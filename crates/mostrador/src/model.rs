//! The model that a command is told to use in place of the shop's own.

use std::path::Path;

use clap::ValueEnum;
use mostrador_shop::config::ModelKind;
use mostrador_shop::{Shop, ShopError};

/// The kinds of models that can be asked for.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Model {
    /// Quotes the documents.
    Extractive,
    /// Follows the rules of the shop's model.toml.
    Scripted,
    /// Asks a service with /v1/chat/completions; LLM_BASE_URL, LLM_MODEL and LLM_API_KEY name it.
    OpenaiCompatible,
    /// Asks a service with /v1/messages; LLM_BASE_URL, LLM_MODEL and LLM_API_KEY name it.
    Messages,
    /// Says again what a service said, from the shop's recordings.
    Recorded,
}

impl From<Model> for ModelKind {
    fn from(model: Model) -> ModelKind {
        match model {
            Model::Extractive => ModelKind::Extractive,
            Model::Scripted => ModelKind::Scripted,
            Model::OpenaiCompatible => ModelKind::OpenaiCompatible,
            Model::Messages => ModelKind::Messages,
            Model::Recorded => ModelKind::Recorded,
        }
    }
}

/// Reads a shop, with a model of another kind where one is asked for.
pub(crate) fn read_shop(root: &Path, model: Option<Model>) -> Result<Shop, ShopError> {
    let shop = Shop::read(root)?;
    Ok(match model {
        Some(kind) => shop.with_model(kind.into()),
        None => shop,
    })
}
