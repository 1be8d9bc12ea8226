//! Finds the values in a question that the parameters of a look-up would take.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use mostrador_answer::message::{Input, LookupSpec};
use regex::Regex;
use serde_json::Value;

/// Patterns kept compiled at once; beyond that the shop has changed and they are forgotten.
const KEPT: usize = 256;

/// Signs that make the number beside them an amount.
const AMOUNT_SIGNS: [char; 12] = ['€', '$', '£', '¥', '₽', '₴', '₹', '₺', '₩', '¢', '₿', '%'];

/// The patterns of the look-ups seen so far, each compiled once.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    compiled: RwLock<HashMap<String, Option<Arc<Pattern>>>>,
}

#[derive(Debug)]
struct Pattern {
    /// The whole of a text.
    whole: Regex,
    /// A part of a text with no letter or digit before or behind it.
    within: Regex,
}

impl Patterns {
    /// What to ask for: the first of the offered look-ups that the question has values for.
    ///
    /// A look-up counts when it has parameters and each has a pattern. With one parameter there is a call
    /// for each distinct value, in the order of the question; with several, one call with the first
    /// fitting value for each, no place of the question used twice. Nothing fits: empty.
    pub(crate) fn calls(&self, question: &str, offered: &[LookupSpec]) -> Vec<(String, Input)> {
        // The ordinal signs stand right before a number and count as letters.
        let question = question.replace(['\u{ba}', '\u{aa}'], " ");
        for spec in offered {
            let inputs = self.inputs(&question, spec);
            if !inputs.is_empty() {
                return inputs.into_iter().map(|input| (spec.name.clone(), input)).collect();
            }
        }
        Vec::new()
    }

    fn inputs(&self, question: &str, spec: &LookupSpec) -> Vec<Input> {
        let mut found: Vec<(&str, Vec<Place<'_>>)> = Vec::new();
        for parameter in &spec.parameters {
            let pattern = parameter.pattern.as_deref().and_then(|pattern| self.pattern(pattern));
            let places = pattern.map(|pattern| pattern.places(question)).unwrap_or_default();
            if places.is_empty() {
                return Vec::new();
            }
            found.push((&parameter.name, places));
        }
        let text = |value: &str| Value::String(value.to_owned());
        if let [(name, places)] = found.as_slice() {
            let mut seen = Vec::new();
            for place in places.iter().filter(|place| !place.value.is_empty()) {
                if !seen.contains(&place.value) {
                    seen.push(place.value);
                }
            }
            return seen
                .into_iter()
                .map(|value| Input::from_iter([((*name).to_owned(), text(value))]))
                .collect();
        }
        let (mut input, mut taken) = (Input::new(), Vec::new());
        for (name, places) in &found {
            let Some(place) = places.iter().find(|place| !taken.contains(&place.start)) else {
                return Vec::new();
            };
            taken.push(place.start);
            input.insert((*name).to_owned(), text(place.value));
        }
        if input.is_empty() { Vec::new() } else { vec![input] }
    }

    /// A compiled pattern; `None` where it is not a regular expression, which then fits nothing.
    fn pattern(&self, pattern: &str) -> Option<Arc<Pattern>> {
        let read = self.compiled.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.get(pattern) {
            return known.clone();
        }
        drop(read);
        let compiled = Pattern::compile(pattern).map(Arc::new);
        let mut write = self.compiled.write().unwrap_or_else(PoisonError::into_inner);
        if write.len() >= KEPT {
            write.clear();
        }
        write.insert(pattern.to_owned(), compiled.clone());
        compiled
    }
}

/// A value and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place<'a> {
    start: usize,
    value: &'a str,
}

impl Pattern {
    fn compile(pattern: &str) -> Option<Self> {
        // By itself first: "a)|(b" would only become an expression, and another one, between the brackets.
        Regex::new(pattern).ok()?;
        let whole = Regex::new(&format!(r"\A(?:{pattern})\z")).ok()?;
        let within = Regex::new(&format!(r"\b{{start-half}}(?:{pattern})\b{{end-half}}")).ok()?;
        Some(Self { whole, within })
    }

    /// The values that fit, in order. Parts of longer numbers, dates, amounts and addresses do not.
    fn places<'a>(&self, text: &'a str) -> Vec<Place<'a>> {
        let found = self.within.find_iter(text).filter(|found| !found.is_empty());
        let alone = found.filter(|found| {
            let before = text.get(..found.start()).unwrap_or_default();
            let behind = text.get(found.end()..).unwrap_or_default();
            !self.joined_before(before) && !self.joined_behind(behind)
        });
        let places: Vec<_> =
            alone.map(|found| Place { start: found.start(), value: found.as_str() }).collect();
        if !places.is_empty() {
            return places;
        }
        // A pattern with anchors of its own ("^\d{4}$") finds nothing within a text.
        let mut places = Vec::new();
        for piece in text.split_whitespace() {
            let value = piece.trim_matches(|c: char| !c.is_alphanumeric());
            let start = value.as_ptr() as usize - text.as_ptr() as usize;
            let behind = text.get(start + value.len()..).unwrap_or_default();
            let before = text.get(..start).unwrap_or_default();
            let amount = self.joined_before(before) || self.joined_behind(behind);
            if !value.is_empty() && !amount && self.whole.is_match(value) {
                places.push(Place { start, value });
            }
        }
        places
    }

    fn joined_before(&self, before: &str) -> bool {
        let Some(sign) = before.trim_end().chars().next_back() else {
            return false;
        };
        if AMOUNT_SIGNS.contains(&sign) && sign != '%' {
            return true;
        }
        let Some(rest) = before.strip_suffix(['.', ',', ':', '/', '-', '@']) else {
            return false;
        };
        let run = rest.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        self.continues(run, before.ends_with('@'), run.chars().next_back())
    }

    fn joined_behind(&self, behind: &str) -> bool {
        if behind.trim_start().starts_with(AMOUNT_SIGNS) {
            return true;
        }
        let Some(rest) = behind.strip_prefix(['.', ',', ':', '/', '-', '@']) else {
            return false;
        };
        let run = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        self.continues(run, behind.starts_with('@'), run.chars().next())
    }

    /// Whether what stands beyond a joining sign makes one longer value of both. Two values that
    /// both fit are two ("1042/1187").
    fn continues(&self, run: &str, address: bool, nearest: Option<char>) -> bool {
        if address {
            return !run.is_empty();
        }
        nearest.is_some_and(char::is_numeric) && !self.whole.is_match(run)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mostrador_answer::message::Parameter;
    use mostrador_answer::passage::Trust;
    use proptest::prelude::*;

    use super::*;

    fn spec(name: &str, parameters: &[(&str, Option<&str>)]) -> LookupSpec {
        let parameter = |(name, pattern): &(&str, Option<&str>)| Parameter {
            name: (*name).to_owned(),
            pattern: pattern.map(str::to_owned),
        };
        LookupSpec {
            name: name.to_owned(),
            description: String::new(),
            parameters: parameters.iter().map(parameter).collect(),
            schema: None,
            needs_customer: false,
            trust: Trust::Shop,
            timeout: Duration::from_secs(1),
        }
    }

    fn values(pattern: &str, question: &str) -> Vec<String> {
        let calls = Patterns::default().calls(question, &[spec("t", &[("n", Some(pattern))])]);
        calls.iter().map(|(_, input)| input["n"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn a_value_is_a_whole_word() {
        let found = [
            ("¿Dónde está el pedido 1042?", vec!["1042"]),
            ("#1042, nº1187 (y 1190).", vec!["1042", "1187", "1190"]),
            ("1042,1187 o 1042/1190", vec!["1042", "1187", "1190"]),
            ("pedido A-1042", vec!["1042"]),
            ("número:1042.Gracias", vec!["1042"]),
            ("12345, x1042, 1042x, 1042_1", vec![]),
            ("26/10/2024 y 1042.50 y 1.1042", vec![]),
            ("a partir de 1000 €, de 1000€ o de $1000", vec![]),
            ("1042@correo.example", vec![]),
            ("", vec![]),
        ];
        for (question, expected) in found {
            assert_eq!(values(r"\d{4}", question), expected, "{question}");
            assert_eq!(values(r"\d{4}", question), values(r"[0-9]{4}|nope", question), "{question}");
        }
    }

    #[test]
    fn patterns_may_be_anchored_alternatives_or_wrong() {
        assert_eq!(values(r"^\d{4}$", "pedido 1042, gracias"), ["1042"]);
        assert_eq!(values(r"^\d{4}$", "por 1000 €"), Vec::<String>::new());
        assert_eq!(values(r"#\d+", "el #77 y el 78"), ["#77"]);
        assert_eq!(values(r"[A-Z]{2}-\d{3}", "AB-123 y ab-124"), ["AB-123"]);
        assert_eq!(values(r"A|AB", "AB"), ["AB"]);
        assert_eq!(values(r"(", "(1042"), Vec::<String>::new());
        assert_eq!(values(r"\d*", "nada"), Vec::<String>::new());
    }

    #[test]
    fn only_a_look_up_whose_every_parameter_has_a_value_is_called() {
        let patterns = Patterns::default();
        let free = spec("free", &[("a", None)]);
        let none = spec("none", &[]);
        let half = spec("half", &[("a", Some(r"\d{4}")), ("b", Some(r"[A-Z]{3}"))]);
        let pair = spec("pair", &[("from", Some(r"\d{4}")), ("to", Some(r"\d{4}"))]);
        let offered = [free, none, half, pair];
        assert!(patterns.calls("1042", &offered).is_empty());
        let calls = patterns.calls("de 1042 a 1187", &offered);
        assert_eq!(calls.len(), 1);
        assert_eq!(calls[0].0, "pair");
        assert_eq!(
            calls[0].1,
            Input::from_iter([("from".into(), "1042".into()), ("to".into(), "1187".into())])
        );
        assert_eq!(patterns.calls("ABC 1042", &offered)[0].0, "half");
    }

    proptest! {
        #[test]
        fn whatever_is_found_fits_and_any_text_may_be_asked(question in "\\PC{0,60}", pattern in "[\\\\dA-Z{}0-9+*?()|^$.-]{0,10}") {
            let whole = Regex::new(&format!(r"\A(?:{pattern})\z"));
            for value in values(&pattern, &question) {
                prop_assert!(whole.as_ref().unwrap().is_match(&value), "{value:?}");
            }
        }

        #[test]
        fn every_number_asked_for_by_itself_is_found(number in 1000_u32..10_000, before in "[a-z ]{0,8}") {
            let number = number.to_string();
            let question = format!("{before} {number}?");
            prop_assert_eq!(values(r"\d{4}", &question), [number]);
        }
    }
}
