//! Values of `shop.toml` that are checked while they are read, so that an error has its line.

use mostrador_answer::money::Micros;
use mostrador_answer::passage::Similarity;
use serde::de::{Deserializer, Error};
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
                Err(D::Error::custom(format!(
                    "{text:?} is no regular expression: {detail}"
                )))
            }
        }
    }
}

/// Lets a field hold one text or a list of them.
///
/// # Errors
/// Where the field holds something else.
pub fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Written::deserialize(deserializer)? {
        Written::One(text) => vec![text],
        Written::Many(texts) => texts,
    })
}
