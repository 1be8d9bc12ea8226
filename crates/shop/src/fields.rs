//! Values of `shop.toml` that are checked while they are read, so that an error has its line.

use std::path::{Component, Path};

use mostrador_answer::money::Micros;
use mostrador_answer::passage::Similarity;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

/// An amount of money, written as text: `"3.00"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Amount(pub Micros);

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Money)
    }
}

struct Money;

impl Visitor<'_> for Money {
    type Value = Amount;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an amount of money in quotation marks, such as \"3.00\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Amount, E> {
        text.parse().map(Amount).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, units: u64) -> Result<Amount, E> {
        let micros =
            units.checked_mul(1_000_000).ok_or_else(|| E::custom(format!("{units} is too much money")))?;
        Ok(Amount(Micros(micros)))
    }

    fn visit_i64<E: Error>(self, units: i64) -> Result<Amount, E> {
        let units = u64::try_from(units).map_err(|_| E::custom(format!("{units} is less than nothing")))?;
        self.visit_u64(units)
    }

    fn visit_f64<E: Error>(self, float: f64) -> Result<Amount, E> {
        Err(E::custom(format!(
            "{float} is a floating-point number, and money is exact; put it in quotation marks"
        )))
    }
}

/// A whole number from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Within<const MIN: u64, const MAX: u64>(u64);

impl<const MIN: u64, const MAX: u64> Within<MIN, MAX> {
    /// The number, put between the bounds where it lies outside.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        if number < MIN {
            return Self(MIN);
        }
        if number > MAX { Self(MAX) } else { Self(number) }
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> u64 {
        self.0
    }

    /// The number as a size.
    #[must_use]
    pub fn size(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    /// The number as a count.
    #[must_use]
    pub fn count(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Within<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = i64::deserialize(deserializer)?;
        match u64::try_from(number) {
            Ok(number) if (MIN..=MAX).contains(&number) => Ok(Self(number)),
            _ => Err(D::Error::custom(format!(
                "{number} is not possible; write a whole number from {MIN} to {MAX}"
            ))),
        }
    }
}

/// A path inside the shop folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InFolder(pub String);

impl<'de> Deserialize<'de> for InFolder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let path = String::deserialize(deserializer)?;
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if path.is_empty() || !Path::new(&path).components().all(inside) {
            let message =
                format!("{path:?} is not in the shop folder; put the file there and name it from there");
            return Err(D::Error::custom(message));
        }
        Ok(Self(path))
    }
}

/// The ISO 4217 code of a currency: three capital letters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Currency(pub String);

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        if code.len() != 3 || !code.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return Err(D::Error::custom(format!(
                "{code:?} is no currency; write its code, such as \"EUR\""
            )));
        }
        Ok(Self(code))
    }
}

/// A text with something in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Filled(pub String);

impl<'de> Deserialize<'de> for Filled {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.trim().is_empty() {
            return Err(D::Error::custom("this is empty; write something"));
        }
        Ok(Self(text))
    }
}

/// A similarity between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Share(pub Similarity);

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        if (0.0..=1.0).contains(&number) {
            Ok(Share(Similarity::from_cosine(number)))
        } else {
            Err(D::Error::custom(format!("{number} is not between 0 and 1; write a share such as 0.40")))
        }
    }
}

/// How freely a model writes, from 0 to 2; told to the service and decided upon nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Temperature(pub serde_json::Number);

impl<'de> Deserialize<'de> for Temperature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        let told = serde_json::Number::from_f64(number).filter(|_| (0.0..=2.0).contains(&number));
        told.map(Temperature).ok_or_else(|| {
            D::Error::custom(format!("{number} is not between 0 and 2; write a temperature such as 0.2"))
        })
    }
}

/// A regular expression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pattern(pub String);

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match regex::Regex::new(&text) {
            Ok(_) => Ok(Pattern(text)),
            Err(error) => {
                let error = error.to_string();
                let detail = error.lines().last().unwrap_or_default().trim().trim_start_matches("error: ");
                Err(D::Error::custom(format!("'{text}' is no regular expression: {detail}")))
            }
        }
    }
}

/// A text that may be written without quotation marks, also where it looks like a number.
struct Told(String);

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_any(Texts { list: false })
            .map(|mut texts| Told(texts.pop().unwrap_or_default()))
    }
}

/// Reads a text or, where `list` says so, a list of them.
struct Texts {
    list: bool,
}

impl<'de> Visitor<'de> for Texts {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a text or a list of texts")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(vec![text.to_owned()])
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(vec![value.to_string()])
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(vec![value.to_string()])
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(vec![value.to_string()])
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        // As a number it has lost how it was written: 3.50 would be looked for as 3.5.
        Err(E::custom(format!("{value} is read as a number, not as a text; put it in quotation marks")))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        if !self.list {
            return Err(A::Error::custom("a list inside a list; write the texts in one list"));
        }
        let mut texts = Vec::new();
        while let Some(Told(text)) = list.next_element()? {
            texts.push(text);
        }
        Ok(texts)
    }
}

/// Lets a field hold one text or a list of them.
///
/// # Errors
/// Where the field holds something else.
pub fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    deserializer.deserialize_any(Texts { list: true })
}
