//! The embedder of a shop, by its configuration. Nothing is loaded or called here.

use std::sync::Arc;
use std::time::Duration;

use mostrador_answer::ports::Embed;
use mostrador_models::{AxesEmbedder, EmbedderError, LocalSettings, ServiceEmbedder, ServiceSettings};
use secrecy::SecretString;

use crate::config::{Config, EmbedderConfig, EmbedderKind};
use crate::error::ShopError;
use crate::fields::Filled;
use crate::folder::{SHOP_FILE, Shop};

/// The first pause before a request is repeated.
const PAUSE: Duration = Duration::from_millis(250);

/// Which embedder a configuration asks for: axes without a kind mean `axes`.
#[must_use]
pub fn kind(config: &Config) -> EmbedderKind {
    let axes = !config.retrieval.axes.is_empty();
    let otherwise = if axes { EmbedderKind::Axes } else { EmbedderKind::None };
    config.embedder.kind.as_ref().map_or(otherwise, |kind| *kind.get_ref())
}

/// Makes the embedder of a shop; `None` where words alone are searched.
///
/// # Errors
/// [`ShopError`] where the address is none, the model folder is not whole, or the program was built without it.
pub fn embedder(shop: &Shop) -> Result<Option<Arc<dyn Embed>>, ShopError> {
    let config = shop.config();
    Ok(match kind(config) {
        EmbedderKind::None => None,
        EmbedderKind::Axes => {
            let axes = config.retrieval.axes.iter().map(|axis| axis.0.clone());
            Some(Arc::new(AxesEmbedder::new(axes.collect())))
        }
        EmbedderKind::OpenaiCompatible => Some(Arc::new(ServiceEmbedder::new(service(&config.embedder))?)),
        EmbedderKind::Local => Some(local(local_settings(shop))?),
    })
}

fn service(config: &EmbedderConfig) -> ServiceSettings {
    let written = |text: &Option<Filled>| text.as_ref().map(|text| text.0.clone());
    let key_env = written(&config.api_key_env);
    let key = key_env.as_ref().and_then(|name| std::env::var(name).ok()).filter(|key| !key.trim().is_empty());
    ServiceSettings {
        base_url: config.base_url.as_ref().map(|url| url.get_ref().0.clone()).unwrap_or_default(),
        model: written(&config.model).unwrap_or_default(),
        key_env,
        key: key.map(|key| SecretString::from(key.trim().to_owned())),
        batch: config.batch.size(),
        timeout: Duration::from_secs(config.timeout_seconds.get()),
        retries: config.retries.count(),
        pause: PAUSE,
        query_prefix: config.query_prefix.clone().unwrap_or_default(),
        passage_prefix: config.passage_prefix.clone().unwrap_or_default(),
        input_type: config.input_type,
        dimensions: config.dimensions.map(|size| size.size()),
    }
}

fn local_settings(shop: &Shop) -> LocalSettings {
    let config = &shop.config().embedder;
    let shown = config.folder.as_ref().map(|folder| folder.0.clone()).unwrap_or_default();
    let prefix = |own: &Option<String>, usual: &str| own.clone().unwrap_or_else(|| usual.to_owned());
    LocalSettings {
        folder: shop.root().join(&shown),
        shown,
        query_prefix: prefix(&config.query_prefix, "query: "),
        passage_prefix: prefix(&config.passage_prefix, "passage: "),
    }
}

#[cfg(feature = "local-embed")]
fn local(settings: LocalSettings) -> Result<Arc<dyn Embed>, EmbedderError> {
    Ok(Arc::new(mostrador_models::LocalEmbedder::new(settings)?))
}

#[cfg(not(feature = "local-embed"))]
fn local(_: LocalSettings) -> Result<Arc<dyn Embed>, EmbedderError> {
    Err(EmbedderError::NotBuilt)
}

/// Checks that the keys of `[embedder]` fit its kind. `at` gives the line of a place.
pub(crate) fn check(config: &Config, at: &dyn Fn(std::ops::Range<usize>) -> usize) -> Result<(), ShopError> {
    let embedder = &config.embedder;
    let span = embedder.kind.as_ref().map_or(0..0, toml::Spanned::span);
    let problem = |message: &str| Err(ShopError::field(SHOP_FILE, at(span.clone()), message));
    let axes = !config.retrieval.axes.is_empty();
    let kind = kind(config);
    if axes && kind != EmbedderKind::Axes {
        return problem(
            "`[retrieval] axes` and another `[embedder] kind` are two embedders; take one of them out",
        );
    }
    match kind {
        EmbedderKind::Axes if !axes => {
            problem("`kind = \"axes\"` needs the `axes` of `[retrieval]`; write them there")
        }
        EmbedderKind::OpenaiCompatible if embedder.base_url.is_none() || embedder.model.is_none() => problem(
            "`kind = \"openai-compatible\"` needs `base_url`, such as \"http://127.0.0.1:8080/v1\", and `model`",
        ),
        EmbedderKind::Local if embedder.folder.is_none() => problem(
            "`kind = \"local\"` needs `folder`, where config.json, model.safetensors and tokenizer.json are",
        ),
        EmbedderKind::None | EmbedderKind::Axes
            if embedder.base_url.is_some() || embedder.folder.is_some() =>
        {
            let line = match &embedder.base_url {
                Some(url) => at(url.span()),
                None => at(span.clone()),
            };
            let message = "`[embedder]` has a service or a folder but no `kind` that uses it; write \
                           `kind = \"openai-compatible\"` or `kind = \"local\"`";
            Err(ShopError::field(SHOP_FILE, line, message))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop(rest: &str) -> Result<Shop, String> {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("name = \"a\"\nlanguages = [\"en\"]\n{rest}");
        std::fs::write(folder.path().join("shop.toml"), text).unwrap();
        Shop::read(folder.path()).map_err(|error| error.to_string())
    }

    #[test]
    fn axes_alone_mean_axes_and_nothing_means_words() {
        assert_eq!(kind(shop("").unwrap().config()), EmbedderKind::None);
        let axes = shop("[retrieval]\naxes = [\"lamp\"]").unwrap();
        assert!(embedder(&axes).unwrap().unwrap().id().starts_with("axes:"));
    }

    #[test]
    fn what_does_not_fit_names_its_line() {
        for (text, line, says) in [
            ("[retrieval]\naxes = [\"a\"]\n[embedder]\nkind = \"local\"\nfolder = \"m\"", 6, "two embedders"),
            ("[embedder]\nkind = \"axes\"", 4, "axes"),
            ("[embedder]\nkind = \"local\"", 4, "folder"),
            ("[embedder]\nkind = \"openai-compatible\"", 4, "base_url"),
            ("[embedder]\nmodel = \"m\"\nbase_url = \"http://a\"", 5, "kind"),
            ("[embedder]\nkind = \"locall\"", 4, "did you mean `local`"),
            ("[embedder]\nbatch = 0", 4, "1 to 2048"),
        ] {
            let error = shop(text).unwrap_err();
            assert!(error.starts_with(&format!("shop.toml:{line}:")) && error.contains(says), "{error}");
        }
    }

    #[test]
    fn a_service_is_named_without_being_called() {
        let text =
            "[embedder]\nkind = \"openai-compatible\"\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"m\"";
        let embedder = embedder(&shop(text).unwrap()).unwrap().unwrap();
        assert!(embedder.id().starts_with("openai-compatible:m:"), "{}", embedder.id());
    }

    #[test]
    fn a_folder_that_is_not_there_says_so() {
        let shop = shop("[embedder]\nkind = \"local\"\nfolder = \"models/e5\"").unwrap();
        let error = embedder(&shop).err().unwrap().to_string();
        let says =
            if cfg!(feature = "local-embed") { "models/e5: config.json" } else { "--features local-embed" };
        assert!(error.contains(says), "{error}");
    }
}
