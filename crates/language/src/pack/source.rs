//! The files a pack is read from, and what a shop puts over them.

use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::{Pack, PackError};
use crate::Lang;
use crate::sentences::Abbreviations;
use crate::stem::Stemmer;

/// The files of one pack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source {
    pub(super) lang: Lang,
    words: &'static str,
    numbers: &'static str,
    talk: &'static str,
    patterns: &'static str,
    /// The same as `patterns`, as the build script writes it, in a form that is read sooner.
    patterns_json: &'static str,
    texts: &'static str,
    report: &'static str,
    prompt: &'static str,
}

macro_rules! source {
    ($lang:expr, $code:literal) => {
        Source {
            lang: $lang,
            words: include_str!(concat!("../../../../packs/", $code, "/words.toml")),
            numbers: include_str!(concat!("../../../../packs/", $code, "/numbers.toml")),
            talk: include_str!(concat!("../../../../packs/", $code, "/talk.toml")),
            patterns: include_str!(concat!("../../../../packs/", $code, "/patterns.toml")),
            patterns_json: include_str!(concat!(env!("OUT_DIR"), "/", $code, ".patterns.json")),
            texts: include_str!(concat!("../../../../packs/", $code, "/texts.toml")),
            report: include_str!(concat!("../../../../packs/", $code, "/report.toml")),
            prompt: include_str!(concat!("../../../../packs/", $code, "/prompt.toml")),
        }
    };
}

pub(super) static SOURCES: [Source; 11] = [
    source!(Lang::EN, "en"),
    source!(Lang::ES, "es"),
    source!(Lang::BG, "bg"),
    source!(Lang::PT, "pt"),
    source!(Lang::FR, "fr"),
    source!(Lang::DE, "de"),
    source!(Lang::RU, "ru"),
    source!(Lang::AR, "ar"),
    source!(Lang::FA, "fa"),
    source!(Lang::HI, "hi"),
    source!(Lang::ZH, "zh"),
];

/// What a shop changes of a pack, by file and list: `add` puts entries beside those of the pack,
/// `set` puts a list in the place of the pack's.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overlay {
    /// Entries beside those of the pack.
    #[serde(default)]
    add: Sections,
    /// Lists in the place of the pack's.
    #[serde(default)]
    set: Sections,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Sections {
    words: Table,
    numbers: Table,
    talk: Table,
    patterns: Table,
}

impl Sections {
    fn of(&self, file: &str) -> Option<&Table> {
        match file {
            "words.toml" => Some(&self.words),
            "numbers.toml" => Some(&self.numbers),
            "talk.toml" => Some(&self.talk),
            "patterns.toml" => Some(&self.patterns),
            _ => None,
        }
    }
}

impl Source {
    /// The files with their names, in the order they are listed in a pack's folder.
    pub(super) fn files(&self) -> [(&'static str, &'static str); 7] {
        [
            ("words.toml", self.words),
            ("numbers.toml", self.numbers),
            ("talk.toml", self.talk),
            ("patterns.toml", self.patterns),
            ("texts.toml", self.texts),
            ("report.toml", self.report),
            ("prompt.toml", self.prompt),
        ]
    }

    pub(super) fn read(&self, overlay: Option<&Overlay>) -> Result<Pack, PackError> {
        let words: super::Words = self.section("words.toml", self.words, overlay)?;
        let stemmer = Stemmer::named(&words).ok_or_else(|| PackError::Broken {
            lang: self.lang,
            file: "words.toml",
            detail: format!(
                "there is no stemmer {:?}; name one of Snowball, `light` or `none`",
                words.stemmer
            ),
        })?;
        Ok(Pack {
            lang: self.lang,
            texts: self.section("texts.toml", self.texts, overlay)?,
            report: self.section("report.toml", self.report, overlay)?,
            prompt: self.section("prompt.toml", self.prompt, overlay)?,
            talk: self.section("talk.toml", self.talk, overlay)?,
            numbers: self.section("numbers.toml", self.numbers, overlay)?,
            patterns: overlay.map(|overlay| self.patterns(Some(overlay)).map(Arc::new)).transpose()?,
            stemmer,
            abbreviations: Arc::new(Abbreviations::new(&words)),
            turning: OnceLock::new(),
            words,
        })
    }

    /// The patterns alone; those with lists of a shop's own are tried, since no test has seen them.
    pub(super) fn patterns(&self, overlay: Option<&Overlay>) -> Result<super::Patterns, PackError> {
        const FILE: &str = "patterns.toml";
        let broken = |detail: String| PackError::Broken { lang: self.lang, file: FILE, detail };
        if overlay.is_none() {
            return serde_json::from_str(self.patterns_json).map_err(|error| broken(error.to_string()));
        }
        let patterns: super::Patterns = self.section(FILE, self.patterns, overlay)?;
        patterns.check().map_err(|bad| broken(bad.to_string()))?;
        Ok(patterns)
    }

    fn section<T: DeserializeOwned>(
        &self,
        file: &'static str,
        text: &str,
        overlay: Option<&Overlay>,
    ) -> Result<T, PackError> {
        let broken = |detail: String| PackError::Broken { lang: self.lang, file, detail };
        let read = |error: toml::de::Error| broken(error.to_string());
        let Some(overlay) = overlay else {
            return toml::from_str(text).map_err(read);
        };
        let mut table: Table = toml::from_str(text).map_err(read)?;
        for (key, value) in overlay.add.of(file).into_iter().flatten() {
            add(table.entry(key.clone()).or_insert_with(|| value.clone()), value);
        }
        for (key, value) in overlay.set.of(file).into_iter().flatten() {
            table.insert(key.clone(), value.clone());
        }
        table.try_into().map_err(read)
    }
}

/// Puts entries beside those there are: lists grow, tables are filled key by key, anything else is replaced.
fn add(into: &mut Value, more: &Value) {
    match (into, more) {
        (Value::Array(list), Value::Array(more)) => list.extend(more.iter().cloned()),
        (Value::Table(table), Value::Table(more)) => {
            for (key, value) in more {
                add(table.entry(key.clone()).or_insert_with(|| value.clone()), value);
            }
        }
        (into, more) => *into = more.clone(),
    }
}
