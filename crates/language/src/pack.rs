//! Language packs: what the program says and knows in a language, as data.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::Lang;
use crate::stem::LightRules;

/// A text of the program that no model writes: what customers read at fixed moments,
/// and what a model reads when a look-up goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextKey {
    /// Nothing supports an answer; promises a colleague.
    DontKnow,
    /// A limit was reached; promises a colleague.
    Handoff,
    /// An answer was stopped or waits for approval; promises a colleague.
    Hold,
    /// A look-up found nothing for this caller.
    NotFound,
    /// The question is empty.
    Empty,
    /// The question is longer than `{limit}` characters.
    TooLong,
    /// The budget is used up.
    OverBudget,
    /// A part of the program cannot be reached.
    Unavailable,
    /// The answer was cut.
    Truncated,
    /// To the model: there is no look-up `{name}`.
    UnknownTool,
    /// To the model: the argument `{field}` is missing.
    MissingField,
    /// To the model: the argument `{field}` does not fit.
    BadField,
    /// To the model: there is no record `{value}`.
    UnknownRecord,
    /// To the model: the look-up took too long.
    LookupTimedOut,
    /// To the model: the look-up failed.
    LookupFailed,
    /// To the model: more look-ups at once than `{limit}`.
    TooManyCalls,
}

/// The fixed texts of a language; a shop may put its own in their place.
pub type Texts = BTreeMap<TextKey, String>;

/// How reports are worded. `{name}` stands for a value; what each takes is said beside it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// No passage is close enough; `{threshold}`.
    pub nothing_above: String,
    /// A question in a transcript; `{text}`.
    pub question: String,
    /// An answer in a transcript; `{text}`.
    pub answer: String,
    /// Where an answer comes from, above the list of sources.
    pub sources: String,
    /// A step of a dialogue; `{step}`, `{call}`, `{result}`.
    pub step: String,
    /// What marks a safety case, with the space behind it.
    pub safety_mark: String,
    /// `{passed}`, `{total}`, `{percent}`.
    pub passed: String,
    /// `{passed}`, `{total}`.
    pub safety: String,
    /// `{count}`, `{total}`.
    pub errored: String,
    /// A case that could not be run; `{detail}`.
    pub error: String,
    /// An expectation that was not met; `{what}`, `{expected}`, `{actual}`.
    pub expected: String,
    /// `{input}`, `{output}`, `{calls}`.
    pub tokens: String,
    /// `{price}`, `{budget}`, `{currency}`.
    pub price: String,
    /// `{questions}`, `{price}`, `{currency}`.
    pub month: String,
    /// Every question at every limit; `{price}`, `{currency}`.
    pub worst: String,
    /// Questions that reached the ceiling of input tokens; `{limit}`, `{count}`, `{total}`.
    pub ceiling: String,
    /// `{verdict}`.
    pub release: String,
    /// The verdict when a version may go out.
    pub yes: String,
    /// The verdict when it may not.
    pub no: String,
    /// The heading of the log.
    pub log: String,
    /// A line of the log; `{action}`, `{reason}`, `{question}`.
    pub log_entry: String,
    /// The action of a rule that stops.
    pub action_stop: String,
    /// The action of a rule that waits for approval.
    pub action_hold: String,
    /// Signs of currencies by ISO 4217 code; a currency without one is shown by its code.
    pub currency_signs: BTreeMap<String, String>,
}

impl Report {
    /// The sign of a currency, or its code.
    #[must_use]
    pub fn currency<'a>(&'a self, code: &'a str) -> &'a str {
        self.currency_signs.get(code).map_or(code, String::as_str)
    }
}

/// What a language pack's `words.toml` holds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    /// The Snowball algorithm's name, `light` for the pack's own rules, or `none`.
    pub(crate) stemmer: String,
    /// The rules of a `light` stemmer.
    #[serde(default)]
    pub(crate) light: LightRules,
    /// Words that carry no content.
    pub(crate) stop_words: BTreeSet<String>,
    /// Abbreviations after which a sentence goes on, without their last full stop.
    pub(crate) abbreviations: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prompt {
    system: String,
}

/// One language: its words, fixed texts, prompt and report wording.
#[derive(Debug, Clone)]
pub struct Pack {
    /// The language.
    pub lang: Lang,
    /// What customers (and models, about look-ups) are told at fixed moments.
    pub texts: Texts,
    /// How reports are worded.
    pub report: Report,
    /// The system text a model gets where the shop has none of its own.
    pub system_prompt: String,
    pub(crate) words: Words,
}

/// A pack that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// There is no pack for this language.
    #[error("there is no language pack {lang}; there are: {known}")]
    Unknown {
        /// What was asked for.
        lang: Lang,
        /// Those there are, comma between.
        known: String,
    },
    /// A file of a pack does not fit its schema.
    #[error("packs/{lang}/{file}: {detail}")]
    Broken {
        /// Which pack.
        lang: Lang,
        /// Which file.
        file: &'static str,
        /// What is wrong.
        detail: String,
    },
}

struct Source {
    lang: Lang,
    words: &'static str,
    texts: &'static str,
    report: &'static str,
    prompt: &'static str,
}

macro_rules! source {
    ($lang:expr, $code:literal) => {
        Source {
            lang: $lang,
            words: include_str!(concat!("../../../packs/", $code, "/words.toml")),
            texts: include_str!(concat!("../../../packs/", $code, "/texts.toml")),
            report: include_str!(concat!("../../../packs/", $code, "/report.toml")),
            prompt: include_str!(concat!("../../../packs/", $code, "/prompt.toml")),
        }
    };
}

static SOURCES: [Source; 3] = [source!(Lang::EN, "en"), source!(Lang::ES, "es"), source!(Lang::BG, "bg")];

static PACKS: LazyLock<Vec<Result<Pack, PackError>>> =
    LazyLock::new(|| SOURCES.iter().map(Source::read).collect());

impl Source {
    fn read(&self) -> Result<Pack, PackError> {
        Ok(Pack {
            lang: self.lang,
            texts: self.texts()?,
            report: self.section("report.toml", self.report)?,
            system_prompt: self.section::<Prompt>("prompt.toml", self.prompt)?.system,
            words: self.section("words.toml", self.words)?,
        })
    }

    fn texts(&self) -> Result<Texts, PackError> {
        self.section("texts.toml", self.texts)
    }

    fn section<T: serde::de::DeserializeOwned>(
        &self,
        file: &'static str,
        text: &str,
    ) -> Result<T, PackError> {
        toml::from_str(text).map_err(|error| PackError::Broken {
            lang: self.lang,
            file,
            detail: error.to_string(),
        })
    }
}

impl Pack {
    /// The built-in pack of a language.
    ///
    /// # Errors
    /// [`PackError::Unknown`] where there is none, [`PackError::Broken`] where it does not fit its schema.
    pub fn builtin(lang: Lang) -> Result<&'static Pack, PackError> {
        let at = SOURCES.iter().position(|source| source.lang == lang);
        let read = at.and_then(|at| PACKS.get(at));
        match read {
            Some(Ok(pack)) => Ok(pack),
            Some(Err(error)) => Err(error.clone()),
            None => Err(PackError::Unknown { lang, known: Self::known() }),
        }
    }

    /// The files of a language's pack as they are written, for a hash; none where there is no pack.
    #[must_use]
    pub fn written(lang: Lang) -> Vec<&'static str> {
        let source = SOURCES.iter().find(|source| source.lang == lang);
        source.map_or_else(Vec::new, |source| vec![source.words, source.texts, source.report, source.prompt])
    }

    /// The languages there are packs for.
    pub fn languages() -> impl Iterator<Item = Lang> {
        SOURCES.iter().map(|source| source.lang)
    }

    fn known() -> String {
        Self::languages().map(|lang| lang.to_string()).collect::<Vec<_>>().join(", ")
    }
}

/// Puts values into a template: each `{name}` by its value, once, left to right.
/// A name that is not given stays as it is; a value is never read as a template.
#[must_use]
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let named = after.split_once('}').and_then(|(name, behind)| {
            let value = values.iter().find(|(known, _)| *known == name)?.1;
            Some((value, behind))
        });
        if let Some((value, behind)) = named {
            out.push_str(value);
            rest = behind;
        } else {
            out.push('{');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pack_is_whole() {
        let english = Pack::builtin(Lang::EN).unwrap();
        for lang in Pack::languages() {
            let pack = Pack::builtin(lang).unwrap();
            let keys: Vec<_> = pack.texts.keys().collect();
            assert_eq!(keys, english.texts.keys().collect::<Vec<_>>(), "packs/{lang}/texts.toml");
        }
    }

    #[test]
    fn a_value_is_never_read_as_a_template() {
        assert_eq!(fill("{a} {b} {c", &[("a", "{b}"), ("b", "2")]), "{b} 2 {c");
        assert_eq!(fill("{x} {a}", &[("a", "1")]), "{x} 1");
    }
}
