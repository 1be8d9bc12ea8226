//! Values of `shop.toml` that are checked while they are read, so that an error has its line.

use mostrador_answer::money::Micros;
use mostrador_answer::passage::Similarity;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

/// An amount of money, written as text: `"3.00"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Amount(pub Micros);

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Text(String),
            Whole(u64),
            Float(f64),
        }
        match Written::deserialize(deserializer)? {
            Written::Text(text) => text.parse().map(Amount).map_err(D::Error::custom),
            Written::Whole(units) => units
                .checked_mul(1_000_000)
                .map(|micros| Amount(Micros(micros)))
                .ok_or_else(|| D::Error::custom(format!("{units} is too much money"))),
            Written::Float(float) => Err(D::Error::custom(format!(
                "{float} is a floating-point number, and money is exact; put it in quotation marks: \"{float}\""
            ))),
        }
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
            Err(D::Error::custom(format!("{number} is not between 0 and 1")))
        }
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
                let detail = error.lines().last().unwrap_or_default().trim();
                Err(D::Error::custom(format!("{text:?} is no regular expression: {detail}")))
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
