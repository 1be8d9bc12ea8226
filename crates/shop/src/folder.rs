//! A shop folder, read and checked, before anything is opened.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mostrador_answer::budget::BudgetSettings;
use mostrador_answer::dialogue::DialogueSettings;
use mostrador_answer::engine::Settings;
use mostrador_answer::evidence::{EvidenceSettings, Strength};
use mostrador_answer::gate::GateSettings;
use mostrador_answer::intake::IntakeSettings;
use mostrador_answer::money::Prices;
use mostrador_answer::promises::PromiseSettings;
use mostrador_answer::refusal::RefusalSettings;
use mostrador_answer::retrieval::RetrievalSettings;
use mostrador_answer::route::RouteSettings;
use mostrador_answer::rules::{Rule, Rules};
use mostrador_answer::voice::VoiceSettings;
use mostrador_language::{Lang, Overlay, Pack, Packs, Texts};
use mostrador_lookups::{TableConfig, TableLookup};
use toml::Spanned;

use crate::config::{Config, EmbedderKind, ModelKind, RuleConfig, ToolConfig};
use crate::embedder;
use crate::error::ShopError;
use crate::fields::Within;
use crate::read::{line_of, text, toml};
use crate::refusals;

/// The configuration's file name.
pub const SHOP_FILE: &str = "shop.toml";

/// A shop folder whose files were read and fit.
#[derive(Debug)]
pub struct Shop {
    root: PathBuf,
    config: Config,
    config_text: String,
    language: Lang,
    packs: Packs,
    texts: BTreeMap<Lang, Texts>,
    /// `texts.toml` and the files in `packs/`, as written.
    wording: Vec<String>,
    rules: Rules,
    refusal: RefusalSettings,
    promises: PromiseSettings,
}

impl Shop {
    /// Reads `shop.toml` and `texts.toml` and checks them against each other.
    ///
    /// # Errors
    /// [`ShopError`], naming file, line, key and what to do.
    pub fn read(root: &Path) -> Result<Self, ShopError> {
        let file = root.join(SHOP_FILE);
        if !file.is_file() {
            return Err(ShopError::NoShop(root.to_owned()));
        }
        let config_text = text(&file)?;
        let config: Config = toml(&config_text, SHOP_FILE)?;
        let at = |span: std::ops::Range<usize>| line_of(&config_text, span.start);
        check_bounds(&config, &at)?;
        let rules = rules(&config.rules, &at)?;
        let mut wording = Vec::new();
        let (language, packs) = packs(root, &config, &at, &mut wording)?;
        let refusal = refusals::refusal(&config, &packs, language, &at)?;
        let promises = refusals::promises(&config, &packs);
        let texts_file = root.join("texts.toml");
        let own_text = if texts_file.exists() { text(&texts_file)? } else { String::new() };
        let own: Texts = toml(&own_text, "texts.toml")?;
        check_texts(&own, packs.get(language), &own_text)?;
        wording.push(own_text);
        let texts = config.languages.get_ref().iter().map(|lang| {
            let mut texts = packs.get(*lang).texts.clone();
            // The shop's wording is in its first language; the others keep their pack's.
            if *lang == language {
                texts.extend(own.clone());
            }
            (*lang, texts)
        });
        let texts = texts.collect();
        let root = root.to_owned();
        Ok(Self { root, config, config_text, language, packs, texts, wording, rules, refusal, promises })
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Its configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Its first language.
    #[must_use]
    pub fn language(&self) -> Lang {
        self.language
    }

    /// The pack of its first language.
    #[must_use]
    pub fn pack(&self) -> &Pack {
        self.packs.get(self.language)
    }

    /// The packs it works with: its own lists over the built-in ones.
    #[must_use]
    pub fn packs(&self) -> &Packs {
        &self.packs
    }

    /// The fixed texts of its first language, in the shop's wording.
    #[must_use]
    pub fn texts(&self) -> &Texts {
        self.texts.get(&self.language).unwrap_or(&self.pack().texts)
    }

    /// The fixed texts of each of its languages.
    #[must_use]
    pub fn all_texts(&self) -> &BTreeMap<Lang, Texts> {
        &self.texts
    }

    /// What may not be said.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The system text a model gets.
    #[must_use]
    pub fn system_prompt(&self) -> &str {
        self.config.model.system.as_deref().unwrap_or(&self.pack().system_prompt)
    }

    /// The words of its configuration, for the release's hash.
    pub(crate) fn written(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.config_text.as_str()).chain(self.wording.iter().map(String::as_str))
    }

    /// Builds its look-ups: their tables are read here.
    ///
    /// # Errors
    /// [`ShopError`] for a table that cannot be read or does not fit.
    pub fn lookups(&self) -> Result<Vec<TableLookup>, ShopError> {
        self.config.tools.iter().map(|tool| self.lookup(tool)).collect()
    }

    fn lookup(&self, tool: &Spanned<ToolConfig>) -> Result<TableLookup, ShopError> {
        let tool = tool.get_ref();
        let mut texts = self.texts().clone();
        if let Some(unknown) = &tool.unknown {
            texts.insert(mostrador_language::TextKey::UnknownRecord, unknown.clone());
        }
        Ok(TableLookup::load(TableConfig {
            name: tool.name.0.clone(),
            description: tool.description.clone(),
            file: self.root.join(&tool.file.0),
            shown: tool.file.0.clone(),
            key: tool.key.clone(),
            pattern: tool.pattern.as_ref().map(|pattern| pattern.0.clone()),
            owner: tool.owner.clone(),
            result: tool.result.clone(),
            texts,
            timeout: Duration::from_millis(tool.timeout_ms.get()),
        })?)
    }

    /// The prices of `[budget]`; zero where there is none.
    #[must_use]
    pub fn prices(&self) -> Prices {
        self.config.budget.as_ref().map_or_else(Prices::default, |budget| Prices {
            input_per_million: budget.price_in_per_million.0,
            output_per_million: budget.price_out_per_million.0,
            cached_input_per_million: None,
        })
    }

    /// The engine's settings with the shop's own model.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings_with(self.config.model.kind)
    }

    /// The engine's settings with a model of another kind. Quoting costs nothing, whatever the prices.
    #[must_use]
    pub fn settings_with(&self, kind: ModelKind) -> Settings {
        let Config { retrieval, evidence, limits, model, budget, .. } = &self.config;
        let prices = match kind {
            ModelKind::Extractive => Prices::default(),
            ModelKind::Scripted => self.prices(),
        };
        let cap = budget.as_ref().and_then(|budget| budget.monthly_cap);
        let top_k = retrieval.top_k.size();
        Settings {
            intake: IntakeSettings { max_characters: limits.question_characters.size() },
            refusal: self.refusal.clone(),
            route: RouteSettings {
                records: self.config.records.most.size(),
                owner: self.config.owner.as_ref().map(|owner| owner.names.clone()).unwrap_or_default(),
                ..RouteSettings::new(&self.packs)
            },
            retrieval: RetrievalSettings {
                top_k,
                candidates: retrieval.candidates.size().max(top_k),
                lexical: *evidence.strength.get_ref() != Strength::Cosine,
                embed_price: self.config.embedder.price_per_million.map(|price| price.0),
                owner: self.config.owner.as_ref().and_then(|owner| owner.names.first().cloned()),
            },
            evidence: EvidenceSettings {
                threshold: evidence.threshold.0,
                strength: *evidence.strength.get_ref(),
                no_evidence: evidence.no_evidence,
            },
            budget: BudgetSettings { prices, most: prices, monthly_cap: cap.map(|cap| cap.0) },
            dialogue: DialogueSettings {
                system: self.system_prompt().to_owned(),
                max_steps: limits.steps.count(),
                max_output_tokens: model.max_output_tokens.count(),
                input_token_ceiling: limits.input_tokens_per_question.map(Within::get),
                max_calls_per_step: limits.calls_per_step.count(),
                max_result_bytes: limits.result_bytes.size(),
                max_time: Duration::from_secs(limits.seconds.get()),
                context_tokens: None,
            },
            rules: self.rules.clone(),
            promises: match kind {
                // It says nothing but the shop's own sentences and what look-ups gave.
                ModelKind::Extractive => PromiseSettings::default(),
                ModelKind::Scripted => self.promises.clone(),
            },
            gate: GateSettings { mode: self.config.gate.mode },
            voice: VoiceSettings::default(),
            release: self.config.release,
            languages: self.config.languages.get_ref().clone(),
            packs: self.packs.clone(),
            texts: self.texts.clone(),
        }
    }
}

type At<'a> = dyn Fn(std::ops::Range<usize>) -> usize + 'a;

/// The first language, and the packs of all, each with what `packs/LANGUAGE.toml` of the shop puts over it.
fn packs(
    root: &Path,
    config: &Config,
    at: &At<'_>,
    wording: &mut Vec<String>,
) -> Result<(Lang, Packs), ShopError> {
    let line = at(config.languages.span());
    let problem = |message: String| ShopError::field(SHOP_FILE, line, message);
    let languages = config.languages.get_ref();
    let first = languages.first().copied().ok_or_else(|| {
        problem("`languages` is empty; name the shop's first language, such as [\"es\"]".to_owned())
    })?;
    let mut own = Vec::new();
    for lang in languages {
        Pack::builtin(*lang).map_err(|error| problem(format!("`languages`: {error}")))?;
        let shown = format!("packs/{lang}.toml");
        let file = root.join(&shown);
        if file.exists() {
            let written = text(&file)?;
            let overlay: Overlay = toml(&written, &shown)?;
            let pack = Pack::with(*lang, &overlay);
            own.push(pack.map_err(|error| ShopError::field(&shown, 1, error.to_string()))?);
            wording.push(written);
        }
    }
    Ok((first, Packs::new(own)))
}

fn check_bounds(config: &Config, at: &At<'_>) -> Result<(), ShopError> {
    let problem =
        |span: std::ops::Range<usize>, message: &str| Err(ShopError::field(SHOP_FILE, at(span), message));
    let strength = &config.evidence.strength;
    embedder::check(config, at)?;
    if *strength.get_ref() == Strength::Cosine && embedder::kind(config) == EmbedderKind::None {
        let span = strength.span();
        return problem(
            span,
            "`strength = \"cosine\"` needs an embedder; give `[retrieval]` its `axes`, or `[embedder]` a `kind`",
        );
    }
    let mut names = std::collections::BTreeSet::new();
    for tool in &config.tools {
        let (span, tool) = (tool.span(), tool.get_ref());
        if !names.insert(&tool.name) {
            return problem(span, &format!("two tools are called `{}`; give each its own name", tool.name.0));
        }
        if tool.owner.is_some() == tool.public {
            let message = format!(
                "tool `{}` needs either `owner`, the column of the customer a record belongs to, \
                 or `public = true`, where anybody who knows a number may ask",
                tool.name.0
            );
            return problem(span, &message);
        }
    }
    Ok(())
}

fn rules(rules: &[Spanned<RuleConfig>], at: &At<'_>) -> Result<Rules, ShopError> {
    let mut built = Rules::default();
    for spanned in rules {
        let rule = spanned.get_ref();
        let added = built.push(Rule {
            name: rule.name.0.clone(),
            reason: rule.reason.clone().unwrap_or_else(|| rule.name.0.clone()),
            words: rule.words.clone(),
            pattern: rule.pattern.as_ref().map(|pattern| pattern.0.clone()),
            action: rule.action,
        });
        added.map_err(|error| ShopError::field(SHOP_FILE, at(spanned.span()), error.to_string()))?;
    }
    Ok(built)
}

/// A shop's texts say something, and name no place that the program does not fill.
fn check_texts(own: &Texts, pack: &Pack, written: &str) -> Result<(), ShopError> {
    for (key, text) in own {
        let name = serde_json::to_string(key).unwrap_or_default().replace('"', "");
        let line = written.lines().position(|line| line.trim_start().starts_with(&name)).unwrap_or(0) + 1;
        let problem = |message: String| Err(ShopError::field("texts.toml", line, message));
        if text.trim().is_empty() {
            return problem(format!("`{name}` is empty; write a text, or take the line out"));
        }
        let known: Vec<&str> = pack.texts.get(key).map(|text| places(text).collect()).unwrap_or_default();
        if let Some(place) = places(text).find(|place| !known.contains(place)) {
            let known =
                if known.is_empty() { "none".to_owned() } else { format!("{{{}}}", known.join("}, {")) };
            return problem(format!(
                "`{name}` has a place {{{place}}} that nothing is put into; there are: {known}"
            ));
        }
    }
    Ok(())
}

/// The names in braces.
fn places(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name)
}
