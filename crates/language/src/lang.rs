//! The name of a language.

use serde::{Deserialize, Serialize};

/// A language by its two-letter ISO 639-1 code, lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Lang([u8; 2]);

/// A text that is no language code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a language; write its two-letter code, such as \"es\"")]
pub struct BadLang(String);

impl Lang {
    /// English.
    pub const EN: Lang = Lang(*b"en");
    /// Spanish.
    pub const ES: Lang = Lang(*b"es");
    /// Bulgarian.
    pub const BG: Lang = Lang(*b"bg");
    /// Portuguese.
    pub const PT: Lang = Lang(*b"pt");
    /// French.
    pub const FR: Lang = Lang(*b"fr");
    /// German.
    pub const DE: Lang = Lang(*b"de");
    /// Russian.
    pub const RU: Lang = Lang(*b"ru");
    /// Arabic.
    pub const AR: Lang = Lang(*b"ar");
    /// Persian.
    pub const FA: Lang = Lang(*b"fa");
    /// Hindi.
    pub const HI: Lang = Lang(*b"hi");
    /// Chinese.
    pub const ZH: Lang = Lang(*b"zh");

    /// The two letters.
    #[must_use]
    pub fn code(&self) -> &str {
        // Only ASCII letters are ever stored.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Whether it is written from right to left.
    #[must_use]
    pub fn is_right_to_left(self) -> bool {
        matches!(self, Self::AR | Self::FA)
    }
}

impl std::str::FromStr for Lang {
    type Err = BadLang;

    fn from_str(code: &str) -> Result<Self, BadLang> {
        match code.as_bytes() {
            [a, b] if a.is_ascii_lowercase() && b.is_ascii_lowercase() => Ok(Self([*a, *b])),
            _ => Err(BadLang(code.to_owned())),
        }
    }
}

impl TryFrom<String> for Lang {
    type Error = BadLang;

    fn try_from(code: String) -> Result<Self, BadLang> {
        code.parse()
    }
}

impl From<Lang> for String {
    fn from(lang: Lang) -> String {
        lang.code().to_owned()
    }
}

impl std::fmt::Display for Lang {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}
