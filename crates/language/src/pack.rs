//! Language packs: what the program says and knows in a language, as data.

mod texts;

mod report;

mod words;

mod numbers;

mod talk;

mod patterns;

mod prompt;

mod source;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use crate::Lang;
use crate::sentences::Abbreviations;
use crate::stem::Stemmer;
use crate::turns::Turning;

pub use patterns::{BadPattern, Phrasing};
pub use prompt::{Instruction, Prompt};
pub use report::Report;
pub use source::Overlay;
pub use talk::{Antonyms, Forms, Talk};
pub use texts::{TextKey, Texts, fill};

pub(crate) use numbers::{DateOrder, Numbers, Phrases, Weekdays};
pub(crate) use patterns::Patterns;
pub(crate) use words::Words;

use source::{SOURCES, Source};

/// One language: its words, numbers, patterns, fixed texts, prompt and report wording.
#[derive(Debug, Clone)]
pub struct Pack {
    /// The language.
    pub lang: Lang,
    /// What customers (and models, about look-ups) are told at fixed moments.
    pub texts: Texts,
    /// How reports are worded.
    pub report: Report,
    /// What a model is told where the shop has no system text of its own.
    pub prompt: Prompt,
    /// Small words that turn a sentence round, and who speaks in it.
    pub talk: Talk,
    pub(crate) words: Words,
    pub(crate) numbers: Numbers,
    /// Only where a shop has changed them: those of the built-in pack are read when they are first asked for.
    patterns: Option<Arc<Patterns>>,
    pub(crate) stemmer: Stemmer,
    pub(crate) abbreviations: Arc<Abbreviations>,
    /// What `talk` lists, compiled when it is first looked for.
    pub(crate) turning: OnceLock<Arc<Turning>>,
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

type Read = Result<Pack, PackError>;

/// Read when first asked for: a program that speaks one language does not pay for eleven.
static PACKS: LazyLock<Vec<(Source, OnceLock<Read>)>> =
    LazyLock::new(|| SOURCES.iter().map(|source| (*source, OnceLock::new())).collect());

/// Apart from the packs, since a question is held against the patterns of every language.
static PATTERNS: LazyLock<Vec<(Lang, OnceLock<Patterns>)>> =
    LazyLock::new(|| SOURCES.iter().map(|source| (source.lang, OnceLock::new())).collect());

static NO_PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::default);

static NEUTRAL: LazyLock<Pack> = LazyLock::new(Pack::neutral);

impl Pack {
    /// The built-in pack of a language.
    ///
    /// # Errors
    /// [`PackError::Unknown`] where there is none, [`PackError::Broken`] where it does not fit its schema.
    pub fn builtin(lang: Lang) -> Result<&'static Pack, PackError> {
        let found = PACKS.iter().find(|(source, _)| source.lang == lang);
        let Some((source, read)) = found else {
            let known: Vec<String> = Self::languages().map(|lang| lang.to_string()).collect();
            return Err(PackError::Unknown { lang, known: known.join(", ") });
        };
        read.get_or_init(|| source.read(None)).as_ref().map_err(Clone::clone)
    }

    /// The built-in pack of a language; where there is none, one with no words and no rules.
    #[must_use]
    pub fn of(lang: Lang) -> &'static Pack {
        Self::builtin(lang).unwrap_or(&NEUTRAL)
    }

    /// The built-in pack of a language with lists of a shop's own.
    ///
    /// # Errors
    /// As [`Pack::builtin`]; [`PackError::Broken`] names the list of the overlay that does not fit.
    pub fn with(lang: Lang, overlay: &Overlay) -> Result<Pack, PackError> {
        Self::builtin(lang)?;
        let found = SOURCES.iter().find(|source| source.lang == lang);
        found.map_or_else(|| Self::builtin(lang).cloned(), |source| source.read(Some(overlay)))
    }

    /// The files of a language's pack as they are written, for a hash; none where there is no pack.
    #[must_use]
    pub fn written(lang: Lang) -> Vec<&'static str> {
        let source = SOURCES.iter().find(|source| source.lang == lang);
        source.map_or_else(Vec::new, |source| source.files().map(|(_, text)| text).to_vec())
    }

    /// What is refused, and what is asked of the records.
    pub(crate) fn patterns(&self) -> &Patterns {
        self.patterns.as_deref().unwrap_or_else(|| Self::builtin_patterns(self.lang))
    }

    /// Those of a built-in pack; none where there is no pack, or where a test would have said that it is broken.
    fn builtin_patterns(lang: Lang) -> &'static Patterns {
        let place = PATTERNS.iter().find(|(known, _)| *known == lang);
        let source = SOURCES.iter().find(|source| source.lang == lang);
        let Some(((_, read), source)) = place.zip(source) else { return &NO_PATTERNS };
        read.get_or_init(|| source.patterns(None).unwrap_or_default())
    }

    /// The languages there are packs for.
    pub fn languages() -> impl Iterator<Item = Lang> {
        SOURCES.iter().map(|source| source.lang)
    }

    /// A pack for a language nobody has written one for: words are their own stems.
    fn neutral() -> Pack {
        let words = Words::default();
        Pack {
            lang: Lang::EN,
            texts: Texts::new(),
            report: Report::default(),
            prompt: Prompt::default(),
            talk: Talk::default(),
            numbers: Numbers::default(),
            patterns: None,
            stemmer: Stemmer::None,
            abbreviations: Arc::new(Abbreviations::new(&words)),
            turning: OnceLock::new(),
            words,
        }
    }
}

/// The packs a shop works with: the built-in ones, and its own where it has changed a list.
#[derive(Debug, Clone, Default)]
pub struct Packs(Arc<BTreeMap<Lang, Pack>>);

impl Packs {
    /// The built-in packs, with these in their place.
    #[must_use]
    pub fn new(own: impl IntoIterator<Item = Pack>) -> Self {
        Self(Arc::new(own.into_iter().map(|pack| (pack.lang, pack)).collect()))
    }

    /// The pack of a language, as [`Pack::of`].
    #[must_use]
    pub fn get(&self, lang: Lang) -> &Pack {
        self.0.get(&lang).unwrap_or_else(|| Pack::of(lang))
    }

    /// The patterns of a language, without reading the rest of its pack where the shop has not changed it.
    pub(crate) fn patterns(&self, lang: Lang) -> &Patterns {
        self.0.get(&lang).map_or_else(|| Pack::builtin_patterns(lang), Pack::patterns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pack_is_whole() {
        let english = Pack::builtin(Lang::EN).unwrap();
        for lang in Pack::languages() {
            let pack = Pack::builtin(lang).unwrap();
            SOURCES.iter().find(|source| source.lang == lang).unwrap().patterns(None).unwrap();
            let keys: Vec<_> = pack.texts.keys().collect();
            assert_eq!(keys, english.texts.keys().collect::<Vec<_>>(), "packs/{lang}/texts.toml");
            for instruction in Instruction::ALL {
                let written = pack.prompt.instruction(instruction);
                assert!(!written.trim().is_empty(), "packs/{lang}/prompt.toml: {instruction:?}");
            }
        }
    }

    #[test]
    fn a_shop_adds_to_a_list_or_puts_its_own_in_its_place() {
        let overlay: Overlay =
            toml::from_str("[add.words]\nstop_words = [\"shop\"]\n[set.words]\nabbreviations = [\"ref\"]\n")
                .unwrap();
        let pack = Pack::with(Lang::EN, &overlay).unwrap();
        let own = &Pack::of(Lang::EN).words;
        assert_eq!(pack.words.stop_words.len(), own.stop_words.len() + 1);
        assert_eq!(pack.words.abbreviations.len(), 1);
        let wrong: Overlay = toml::from_str("[add.words]\nstop_wrods = [\"shop\"]\n").unwrap();
        assert!(Pack::with(Lang::EN, &wrong).unwrap_err().to_string().contains("stop_wrods"));
        let unknown = toml::from_str::<Overlay>("[add.wrods]\nstop_words = [\"shop\"]\n");
        assert!(unknown.unwrap_err().to_string().contains("wrods"));
    }
}
