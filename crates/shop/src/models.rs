//! The model of a shop, by its configuration, with those that stand behind it. Nothing is called here.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use mostrador_answer::ports::Model;
use mostrador_models::{
    Behind, ExtractiveModel, FallbackModel, Http, Limits, ProviderModel, ProviderSettings, RecordedModel,
    Script, ScriptedModel, Wire,
};
use secrecy::SecretString;
use toml::Spanned;

use crate::config::{Config, ModelConfig, ModelKind, Over};
use crate::error::ShopError;
use crate::fields::Filled;
use crate::folder::{SHOP_FILE, Shop};
use crate::read::{text, toml};

/// Where a service's key is looked for when the shop names no other place.
const KEY_ENV: &str = "LLM_API_KEY";

/// The fewest bytes that a reply may have on the wire, and how many there may be for each token it may have: an event
/// a token, with all that stands around it.
const LEAST_REPLY: usize = 4 * 1024 * 1024;
const BYTES_A_TOKEN: usize = 1_024;

/// The one model that can stand behind another without a section of its own.
const EXTRACTIVE: &str = "extractive";

/// Reads a variable of the environment.
type Environment<'e> = &'e dyn Fn(&str) -> Option<String>;

fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Builds the shop's own model with those that stand behind it, or a model of another kind alone.
///
/// # Errors
/// [`ShopError`] where the file of a scripted model or the recordings are missing or do not fit, or a variable of the
/// environment holds no such value.
pub fn model(shop: &Shop, kind: ModelKind) -> Result<Arc<dyn Model>, ShopError> {
    let config = &shop.config().model;
    // One pool of connections for all of them.
    let http = Http::new();
    let first = of_kind(shop, config, kind, Some(&environment), &http)?;
    let behind = if kind == config.kind { shop.behind() } else { Vec::new() };
    if behind.is_empty() {
        return Ok(first);
    }
    let others = behind.iter().map(|(_, config)| {
        let prices = Some(shop.prices(config, config.kind));
        Ok(Behind { model: of_kind(shop, config, config.kind, None, &http)?, prices })
    });
    let others: Result<Vec<_>, ShopError> = others.collect();
    Ok(Arc::new(FallbackModel::new(first, others?)))
}

/// What answers past a cap, where the shop wants an answer then: the documents, quoted.
pub(crate) fn cheap(shop: &Shop) -> Option<Arc<dyn Model>> {
    let over = shop.config().budget.as_ref().map(|budget| budget.over)?;
    (over == Over::Extractive).then(|| extractive(shop))
}

fn extractive(shop: &Shop) -> Arc<dyn Model> {
    Arc::new(ExtractiveModel::new(shop.all_texts().clone(), shop.packs().clone()))
}

fn of_kind(
    shop: &Shop,
    config: &ModelConfig,
    kind: ModelKind,
    over: Option<Environment<'_>>,
    http: &Http,
) -> Result<Arc<dyn Model>, ShopError> {
    Ok(match kind {
        ModelKind::Extractive => extractive(shop),
        ModelKind::Scripted => Arc::new(scripted(shop, config)?),
        ModelKind::OpenaiCompatible => service(shop, config, Wire::OpenaiCompatible, over, http)?,
        ModelKind::Messages => service(shop, config, Wire::Messages, over, http)?,
        ModelKind::Recorded => {
            // Whose recordings they are is said as for a service.
            let settings = settings(shop, config, Wire::OpenaiCompatible, over)?;
            let folder = shop.root().join(&config.recordings.0);
            let model = settings.model.as_deref().unwrap_or_default();
            Arc::new(RecordedModel::load(&folder, model, settings.temperature.as_deref())?)
        }
    })
}

fn service(
    shop: &Shop,
    config: &ModelConfig,
    wire: Wire,
    over: Option<Environment<'_>>,
    http: &Http,
) -> Result<Arc<dyn Model>, ShopError> {
    Ok(Arc::new(ProviderModel::new(settings(shop, config, wire, over)?, http.clone())?))
}

/// The temperature that the shop's own model is asked at, as it is sent; `None`: the service's own.
///
/// # Errors
/// [`ShopError`] where the environment holds one that is no number.
pub(crate) fn temperature(shop: &Shop) -> Result<Option<String>, ShopError> {
    Ok(settings(shop, &shop.config().model, Wire::OpenaiCompatible, Some(&environment))?.temperature)
}

/// What the shop's own model is besides its files: where a service is, its name and temperature, by the environment too,
/// and what was recorded of it. Empty for a model that asks no service.
///
/// # Errors
/// [`ShopError`] where the environment holds a temperature that is no number, or recordings cannot be read.
pub(crate) fn effective(shop: &Shop) -> Result<Vec<String>, ShopError> {
    let config = &shop.config().model;
    if !config.kind.is_service() && config.kind != ModelKind::Recorded {
        return Ok(Vec::new());
    }
    let settings = settings(shop, config, Wire::OpenaiCompatible, Some(&environment))?;
    let mut all: Vec<String> = [settings.base_url, settings.model, settings.temperature]
        .into_iter()
        .map(Option::unwrap_or_default)
        .collect();
    if config.kind == ModelKind::Recorded {
        let folder = shop.root().join(&config.recordings.0);
        let unreadable = |source| ShopError::Unreadable { file: folder.clone(), source };
        let files =
            std::fs::read_dir(&folder).map_err(unreadable)?.map(|entry| entry.map(|entry| entry.path()));
        let mut files = files.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
        files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
        files.sort();
        for file in files {
            all.push(text(&file)?);
        }
    }
    Ok(all)
}

/// What the shop's own model lacks for a call, and how to set it; `None` where it lacks nothing.
///
/// # Errors
/// [`ShopError`] where the environment holds a temperature that is no number.
pub fn missing(shop: &Shop) -> Result<Option<String>, ShopError> {
    let config = &shop.config().model;
    let wire = match config.kind {
        ModelKind::OpenaiCompatible => Wire::OpenaiCompatible,
        ModelKind::Messages => Wire::Messages,
        ModelKind::Extractive | ModelKind::Scripted | ModelKind::Recorded => return Ok(None),
    };
    Ok(settings(shop, config, wire, Some(&environment))?.missing())
}

/// How a service is asked, by its section; the shop's own also by the environment, which goes before it.
fn settings(
    shop: &Shop,
    config: &ModelConfig,
    wire: Wire,
    over: Option<Environment<'_>>,
) -> Result<ProviderSettings, ShopError> {
    let written = |text: &Option<Spanned<Filled>>| text.as_ref().map(|text| text.get_ref().0.clone());
    let named = config.api_key_env.as_ref().map(|name| name.0.clone());
    // A service may want no key: only a variable that the shop names has to be there. Without a name, the usual variable
    // is for the shop's own model alone: what stands behind it may be somebody else's.
    let variable = named.as_deref().or(over.is_some().then_some(KEY_ENV));
    let key = variable.and_then(|variable| std::env::var(variable).ok());
    let key = key.map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
    let seconds = Duration::from_secs;
    let settings = ProviderSettings {
        base_url: written(&config.base_url),
        model: written(&config.model),
        key_env: named,
        key: key.map(SecretString::from),
        key_header: config.key_header.as_ref().map(|header| header.0.clone()),
        temperature: config.temperature.as_ref().map(|temperature| temperature.0.to_string()),
        max_completion_tokens: config.completion_limit,
        stream: config.stream,
        retries: config.retries.count(),
        limits: Limits {
            connect: seconds(config.connect_seconds.get()),
            first_token: seconds(config.first_token_seconds.get()),
            between_tokens: seconds(config.between_tokens_seconds.get()),
            // No longer than the turn, so that a call ends by its own name.
            call: seconds(config.call_seconds.get().min(shop.config().limits.seconds.get())),
        },
        max_reply_bytes: LEAST_REPLY.max(config.max_output_tokens.size().saturating_mul(BYTES_A_TOKEN)),
        ..ProviderSettings::new(wire)
    };
    Ok(match over {
        Some(read) => settings.with_environment(read)?,
        None => settings,
    })
}

fn scripted(shop: &Shop, config: &ModelConfig) -> Result<ScriptedModel, ShopError> {
    let shown = &config.file.0;
    let written = text(&shop.root().join(shown))?;
    let script: Script = toml(&written, shown)?;
    ScriptedModel::new(script).map_err(|error| {
        let message = error.to_string();
        ShopError::field(shown, line_named(&written, &message), message)
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

/// What is said of `[model]` and `[models]` and does not go together. `at` gives the line of a place.
pub(crate) fn check(config: &Config, at: &dyn Fn(Range<usize>) -> usize) -> Result<(), ShopError> {
    let problem = |span: Range<usize>, message: String| Err(ShopError::field(SHOP_FILE, at(span), message));
    for (name, model) in &config.models {
        let span = model.span();
        let model = model.get_ref();
        if name == EXTRACTIVE {
            return problem(span, format!("[models.{name}] has the name of a kind; give it another"));
        }
        if model.system.is_some() || !model.fallback.get_ref().is_empty() {
            let message = format!(
                "[models.{name}] stands behind [model] and has neither `system` nor `fallback`; take them out"
            );
            return problem(span, message);
        }
        check_one(model, &format!("[models.{name}]"), &problem)?;
    }
    let fallback = &config.model.fallback;
    for name in fallback.get_ref() {
        if name != EXTRACTIVE && !config.models.contains_key(name) {
            let known: String = config.models.keys().map(|name| format!("`{name}`, ")).collect();
            let message = format!(
                "`fallback` names `{name}`, and there is no [models.{name}]; there are: {known}`{EXTRACTIVE}`"
            );
            return problem(fallback.span(), message);
        }
    }
    check_one(&config.model, "[model]", &problem)
}

fn check_one(
    model: &ModelConfig,
    section: &str,
    problem: &dyn Fn(Range<usize>, String) -> Result<(), ShopError>,
) -> Result<(), ShopError> {
    let prices = [&model.price_in_per_million, &model.price_out_per_million];
    if let [Some(price), None] | [None, Some(price)] = prices {
        let message = format!(
            "{section} has one price of two; write `price_in_per_million` and `price_out_per_million`"
        );
        return problem(price.span(), message);
    }
    if let (Some(price), None) = (&model.price_cached_in_per_million, &model.price_in_per_million) {
        let message = format!(
            "{section} has a price for cached tokens and none for others; write `price_in_per_million` and \
             `price_out_per_million` too"
        );
        return problem(price.span(), message);
    }
    let long = [
        model.long_above_tokens.as_ref().map(Spanned::span),
        model.long_price_in_per_million.as_ref().map(Spanned::span),
        model.long_price_out_per_million.as_ref().map(Spanned::span),
    ];
    let priced = model.price_in_per_million.is_some();
    if let Some(span) = long.iter().flatten().next().filter(|_| !priced || long.contains(&None)) {
        let message = format!(
            "{section} says of long calls what is only a part; write `long_above_tokens`, \
             `long_price_in_per_million` and `long_price_out_per_million`, beside `price_in_per_million` and \
             `price_out_per_million`"
        );
        return problem(span.clone(), message);
    }
    let asked = model.kind.is_service() || model.kind == ModelKind::Recorded;
    match model.base_url.as_ref().or(model.model.as_ref()) {
        Some(named) if !asked => {
            let message = format!(
                "{section} names a service, and its `kind` asks none; write `kind = \"openai-compatible\"` or \
                 `kind = \"messages\"`"
            );
            problem(named.span(), message)
        }
        _ => Ok(()),
    }
}
