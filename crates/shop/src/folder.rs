//! A shop folder, read and checked, before anything is opened.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mostrador_answer::actions::ReplyAction;
use mostrador_answer::budget::BudgetSettings;
use mostrador_answer::dialogue::DialogueSettings;
use mostrador_answer::engine::Settings;
use mostrador_answer::evidence::{EvidenceSettings, Strength};
use mostrador_answer::gate::{GateSettings, Person, Strictness};
use mostrador_answer::intake::IntakeSettings;
use mostrador_answer::money::{LongPrices, Prices};
use mostrador_answer::promises::PromiseSettings;
use mostrador_answer::refusal::RefusalSettings;
use mostrador_answer::release::ReleaseSettings;
use mostrador_answer::retrieval::RetrievalSettings;
use mostrador_answer::route::RouteSettings;
use mostrador_answer::rules::{Rule, Rules};
use mostrador_answer::voice::VoiceSettings;
use mostrador_language::{Instruction, Lang, Overlay, Pack, Packs, Texts};
use toml::Spanned;

use crate::config::{BudgetConfig, Config, EmbedderKind, GateConfig, ModelConfig, ModelKind, RuleConfig};
use crate::error::ShopError;
use crate::fields::{Amount, Within};
use crate::read::{line_of, text, toml};
use crate::{budget_config, embedder, identity, models, refusals, tools};

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

    /// The same shop with a model of another kind, which nothing stands behind: to try one out.
    #[must_use]
    pub fn with_model(mut self, kind: ModelKind) -> Self {
        self.config.model.kind = kind;
        self.config.model.fallback = Spanned::new(0..0, Vec::new());
        self
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

    /// The system text the shop's own model gets.
    #[must_use]
    pub fn system_prompt(&self) -> String {
        self.system_prompt_with(self.config.model.kind)
    }

    /// The shop's own, or the instructions of its first language: who it is and in whose person it speaks. What a
    /// reply has to look like is said behind both.
    fn system_prompt_with(&self, kind: ModelKind) -> String {
        let prompt = &self.pack().prompt;
        let mut system = match &self.config.model.system {
            Some(own) => own.get_ref().clone(),
            None => {
                let owner = self.config.owner.is_some();
                let mut besides = vec![if owner { Instruction::RolePerson } else { Instruction::Role }];
                besides.extend(match self.gate(kind).strictness.person {
                    Person::Any => None,
                    Person::We => Some(Instruction::PersonWe),
                    Person::None => Some(Instruction::PersonNone),
                });
                prompt.system(&besides)
            }
        };
        let actions = self.config.actions.settings();
        if actions.structured() {
            system.push('\n');
            system.push_str(&prompt.of_actions(&actions.names()));
        }
        system
    }

    /// The words of its configuration, for the release's hash.
    pub(crate) fn written(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.config_text.as_str()).chain(self.wording.iter().map(String::as_str))
    }

    /// The line of `shop.toml` that a part of it begins in, from 1.
    pub(crate) fn line(&self, span: std::ops::Range<usize>) -> usize {
        line_of(&self.config_text, span.start)
    }

    /// What a model costs: its own prices, else those of `[budget]`; nothing where there are none, and for quoting.
    #[must_use]
    pub fn prices(&self, model: &ModelConfig, kind: ModelKind) -> Prices {
        if kind == ModelKind::Extractive {
            return Prices::default();
        }
        let amount = |amount: &Option<Spanned<Amount>>| amount.as_ref().map(|amount| amount.get_ref().0);
        let budget = self.config.budget.as_ref();
        let shops = budget.map_or_else(Prices::default, |budget| Prices {
            input_per_million: budget.price_in_per_million.0,
            output_per_million: budget.price_out_per_million.0,
            cached_input_per_million: budget.price_cached_in_per_million.map(|price| price.0),
            long: None,
        });
        let long = model.long_above_tokens.as_ref().map(|tokens| tokens.get_ref().get());
        let long = long
            .zip(amount(&model.long_price_in_per_million))
            .zip(amount(&model.long_price_out_per_million))
            .map(|((above_tokens, input_per_million), output_per_million)| LongPrices {
                above_tokens,
                input_per_million,
                output_per_million,
            });
        match amount(&model.price_in_per_million).zip(amount(&model.price_out_per_million)) {
            Some((input_per_million, output_per_million)) => Prices {
                input_per_million,
                output_per_million,
                cached_input_per_million: amount(&model.price_cached_in_per_million),
                long,
            },
            None => shops,
        }
    }

    /// The models that go on where the shop's own cannot answer, in order, by name.
    #[must_use]
    pub fn behind(&self) -> Vec<(&str, ModelConfig)> {
        let named = self.config.model.fallback.get_ref().iter().map(|name| {
            let model = self.config.models.get(name).map(|model| model.get_ref().clone());
            // Checked when the shop was read: what is no name of a model is the kind that needs no more than that.
            (name.as_str(), model.unwrap_or_default())
        });
        named.collect()
    }

    fn gate(&self, kind: ModelKind) -> GateSettings {
        let GateConfig { mode, on_failure, person, support, connecting_words } = &self.config.gate;
        let usual = match (kind, &self.config.owner) {
            // It speaks as the pages do, word for word.
            (ModelKind::Extractive, _) => Person::Any,
            (_, Some(_)) => Person::None,
            (_, None) => Person::We,
        };
        let person = person.unwrap_or(usual);
        let strictness = Strictness { person, support: support.0, connecting_words: connecting_words.size() };
        GateSettings { mode: *mode, on_failure: *on_failure, strictness }
    }

    /// The engine's settings with the shop's own model.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings_with(self.config.model.kind)
    }

    /// The engine's settings with a model of another kind, which nothing stands behind.
    #[must_use]
    pub fn settings_with(&self, kind: ModelKind) -> Settings {
        let Config { retrieval, evidence, limits, model, budget, .. } = &self.config;
        let prices = self.prices(model, kind);
        let behind = if kind == model.kind { self.behind() } else { Vec::new() };
        let most = behind
            .iter()
            .fold(prices.at_most(), |most, (_, model)| most.and(&self.prices(model, model.kind)));
        let thoughts = behind.iter().map(|(_, model)| model.reasoning_tokens.count());
        let reasoning_tokens = thoughts.fold(model.reasoning_tokens.count(), u32::max);
        let cap = |cap: fn(&BudgetConfig) -> Option<Amount>| budget.as_ref().and_then(cap).map(|cap| cap.0);
        let top_k = retrieval.top_k.size();
        Settings {
            redact: self.config.personal_data.redact,
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
            budget: BudgetSettings {
                prices,
                most,
                monthly_cap: cap(|budget| budget.monthly_cap),
                daily_cap: cap(|budget| budget.daily_cap),
                daily_cap_per_customer: cap(|budget| budget.daily_cap_per_customer),
            },
            dialogue: DialogueSettings {
                system: self.system_prompt_with(kind),
                max_steps: limits.steps.count(),
                max_output_tokens: model.max_output_tokens.count(),
                reasoning_tokens,
                input_token_ceiling: limits.input_tokens_per_question.map(Within::get),
                max_calls_per_step: limits.calls_per_step.count(),
                max_result_bytes: limits.result_bytes.size(),
                max_time: Duration::from_secs(limits.seconds.get()),
                context_tokens: model.context_tokens.map(Within::get),
                actions: self.config.actions.settings(),
            },
            rules: self.rules.clone(),
            promises: match kind {
                // It says nothing but the shop's own sentences and what look-ups gave.
                ModelKind::Extractive => PromiseSettings::default(),
                ModelKind::Scripted
                | ModelKind::OpenaiCompatible
                | ModelKind::Messages
                | ModelKind::Recorded => self.promises.clone(),
            },
            gate: self.gate(kind),
            voice: VoiceSettings { citations: self.config.voice.citations },
            release: match kind {
                ModelKind::Extractive => ReleaseSettings::of_quotes(self.config.release),
                ModelKind::Scripted
                | ModelKind::OpenaiCompatible
                | ModelKind::Messages
                | ModelKind::Recorded => ReleaseSettings::new(self.config.release, &self.packs),
            },
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
    identity::config::check(config, at)?;
    models::check(config, at)?;
    budget_config::check(config, at)?;
    if *strength.get_ref() == Strength::Cosine && embedder::kind(config) == EmbedderKind::None {
        let span = strength.span();
        return problem(
            span,
            "`strength = \"cosine\"` needs an embedder; give `[retrieval]` its `axes`, or `[embedder]` a `kind`",
        );
    }
    if let Some(allowed) =
        config.actions.allowed.as_ref().filter(|allowed| !allowed.get_ref().contains(&ReplyAction::Answer))
    {
        return problem(
            allowed.span(),
            "`allowed` has no \"answer\", so that nothing could be shown; add it, or leave `[actions]` out",
        );
    }
    tools::check(config, at)
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
