//! The arguments of a look-up as a JSON Schema says they are: checked before anything is asked.

use std::fmt;

use jsonschema::{PatternOptions, Validator};
use mostrador_answer::message::{Input, Parameter};
use mostrador_answer::ports::LookupResult;
use regex::Regex;
use serde_json::{Map, Value, json};

use crate::error::LookupError;
use crate::texts::{Fixed, LONGEST};

/// The name that stands for the caller in a query or an address. It is bound from the session.
pub(crate) const CUSTOMER: &str = "customer";

/// What a parameter's schema may say. Nothing of it leads elsewhere, so nothing is ever fetched.
const KEYWORDS: [&str; 15] = [
    "type",
    "description",
    "title",
    "examples",
    "pattern",
    "enum",
    "const",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "format",
];

/// What a look-up takes: each parameter a text, a number or a truth value, all of them needed.
#[derive(Debug)]
pub(crate) struct Parameters {
    list: Vec<One>,
    schema: Value,
}

#[derive(Debug)]
struct One {
    name: String,
    pattern: Option<String>,
    kind: Kind,
    check: Validator,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Whole,
    Number,
    Truth,
}

/// A checked argument.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Argument {
    /// A text without control characters.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A finite number.
    Number(f64),
    /// Yes or no.
    Truth(bool),
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Text(text) => f.write_str(text),
            Argument::Whole(number) => number.fmt(f),
            Argument::Number(number) => number.fmt(f),
            Argument::Truth(truth) => truth.fmt(f),
        }
    }
}

/// Checked arguments by the name of their parameter, in the order of the names.
pub(crate) type Arguments<'p> = Vec<(&'p str, Argument)>;

impl Parameters {
    /// Compiles the properties of a JSON Schema of an object. A `pattern` is for the whole of a text; a text that
    /// neither `pattern` nor `enum`, `const` or `maxLength` bounds is from 1 to 100 characters long.
    ///
    /// `name`: the look-up, for errors.
    ///
    /// # Errors
    /// [`LookupError::BadParameter`] for a parameter that would set the caller, a name that is none, a keyword
    /// that is not known here, and a schema that is none.
    pub(crate) fn new(name: &str, properties: &Map<String, Value>) -> Result<Self, LookupError> {
        let mut list = Vec::with_capacity(properties.len());
        let mut shapes = Map::new();
        for (parameter, shape) in properties {
            let (one, shape) = one(parameter, shape).map_err(|detail| LookupError::BadParameter {
                name: name.to_owned(),
                parameter: parameter.clone(),
                detail,
            })?;
            list.push(one);
            shapes.insert(parameter.clone(), shape);
        }
        let required: Vec<&str> = list.iter().map(|one| one.name.as_str()).collect();
        let schema = json!({
            "type": "object",
            "properties": shapes,
            "required": required,
            "additionalProperties": false,
        });
        Ok(Self { list, schema })
    }

    /// The schema of the whole, as a model is shown it.
    pub(crate) fn schema(&self) -> &Value {
        &self.schema
    }

    /// The names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|one| one.name.as_str())
    }

    /// The parameters as they are offered.
    pub(crate) fn offered(&self) -> Vec<Parameter> {
        let offered =
            self.list.iter().map(|one| Parameter { name: one.name.clone(), pattern: one.pattern.clone() });
        offered.collect()
    }

    /// Every place of a query or an address is a parameter or the caller, every parameter has a place, and the caller has
    /// one where not anybody may ask. `shown`: how a place is written there.
    pub(crate) fn check_places(
        &self,
        places: &[&str],
        public: bool,
        shown: impl Fn(&str) -> String,
    ) -> Result<(), String> {
        let known = |place: &str| place == CUSTOMER || self.names().any(|name| name == place);
        if let Some(other) = places.iter().find(|place| !known(place)) {
            return Err(format!("has {}, which is no parameter; add it to `parameters`", shown(other)));
        }
        if let Some(unused) = self.names().find(|name| !places.contains(name)) {
            let unused = shown(unused);
            return Err(format!(
                "does not use the parameter {unused}; use it, or take it out of `parameters`"
            ));
        }
        let customer = shown(CUSTOMER);
        match (public, places.contains(&CUSTOMER)) {
            (false, false) => Err(format!(
                "does not use {customer}, so that a customer could read what is another's; put it there, or set \
                 `public = true` where anybody may ask"
            )),
            (true, true) => {
                Err(format!("uses {customer}, and whoever has not signed in has none; take out `public`"))
            }
            _ => Ok(()),
        }
    }

    /// The arguments, or what the model is told of the first that is missing, unknown or does not fit.
    pub(crate) fn read(&self, input: &Input, texts: &Fixed) -> Result<Arguments<'_>, LookupResult> {
        if let Some(one) = self.list.iter().find(|one| !input.contains_key(&one.name)) {
            return Err(texts.missing(&one.name));
        }
        if let Some(other) = input.keys().find(|field| self.names().all(|name| name != *field)) {
            return Err(texts.bad(other));
        }
        let read = self.list.iter().map(|one| {
            let value = input.get(&one.name).filter(|value| one.check.is_valid(value));
            let argument = value.and_then(|value| argument(one.kind, value));
            argument.map(|argument| (one.name.as_str(), argument)).ok_or_else(|| texts.bad(&one.name))
        });
        read.collect()
    }
}

fn one(name: &str, shape: &Value) -> Result<(One, Value), String> {
    check_name(name)?;
    let shape = shape.as_object().ok_or("is no table; write one, such as { type = \"string\" }")?;
    if let Some(other) = shape.keys().find(|key| !KEYWORDS.contains(&key.as_str())) {
        return Err(format!("has `{other}`, which is not among {}; take it out", KEYWORDS.join(", ")));
    }
    let kind = match shape.get("type").and_then(Value::as_str) {
        Some("string") => Kind::Text,
        Some("integer") => Kind::Whole,
        Some("number") => Kind::Number,
        Some("boolean") => Kind::Truth,
        _ => return Err("needs a `type`: string, integer, number or boolean".to_owned()),
    };
    let mut shape = shape.clone();
    let pattern = match shape.get("pattern") {
        None => None,
        Some(pattern) => {
            let pattern =
                pattern.as_str().ok_or("has a `pattern` that is no text; write it in quotation marks")?;
            // By itself first: "a)|(b" would only become an expression between the brackets.
            Regex::new(pattern).map_err(|error| {
                format!("has a pattern {pattern:?} that is not a regular expression; correct it: {error}")
            })?;
            Some(pattern.to_owned())
        }
    };
    if let Some(pattern) = &pattern {
        shape.insert("pattern".to_owned(), format!("^(?:{pattern})$").into());
    }
    let bounded = ["pattern", "enum", "const", "maxLength"].iter().any(|key| shape.contains_key(*key));
    if kind == Kind::Text && !bounded {
        shape.insert("maxLength".to_owned(), LONGEST.into());
        shape.entry("minLength").or_insert_with(|| 1.into());
    }
    let shape = Value::Object(shape);
    // The engine that is linear in the text: patterns come from shops, texts from anybody.
    let options = jsonschema::options().with_pattern_options(PatternOptions::regex());
    let check = options.build(&shape).map_err(|error| format!("is no JSON Schema; correct it: {error}"))?;
    Ok((One { name: name.to_owned(), pattern, kind, check }, shape))
}

/// A name can stand in a query and in an address, and is not the caller's.
fn check_name(name: &str) -> Result<(), String> {
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !begins || !letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err("is no name; use letters, digits and _, a letter first".to_owned());
    }
    let plain = name.replace('_', "").to_ascii_lowercase();
    if plain == CUSTOMER || plain == format!("{CUSTOMER}id") {
        return Err(format!(
            "would let a model say who asks; take it out: `{CUSTOMER}` is bound from the session"
        ));
    }
    Ok(())
}

fn argument(kind: Kind, value: &Value) -> Option<Argument> {
    match kind {
        Kind::Text => {
            let text = value.as_str().filter(|text| !text.chars().any(char::is_control))?;
            Some(Argument::Text(text.to_owned()))
        }
        Kind::Whole => value.as_i64().or_else(|| whole(value.as_f64()?)).map(Argument::Whole),
        Kind::Number => value.as_f64().filter(|number| number.is_finite()).map(Argument::Number),
        Kind::Truth => value.as_bool().map(Argument::Truth),
    }
}

/// A number such as `3.0`, which JSON Schema takes for a whole one.
fn whole(number: f64) -> Option<i64> {
    /// Up to here every whole number is itself.
    const MOST: f64 = 9_007_199_254_740_992.0;
    let exact = number.fract() == 0.0 && number.abs() < MOST;
    #[expect(clippy::cast_possible_truncation, reason = "just seen to be whole and within bounds")]
    exact.then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use mostrador_language::{TextKey, Texts};
    use proptest::prelude::*;

    use super::*;

    fn texts() -> Fixed {
        let texts = Texts::from([
            (TextKey::UnknownRecord, "no record {value}".to_owned()),
            (TextKey::MissingField, "{field} is missing".to_owned()),
            (TextKey::BadField, "{field} does not fit".to_owned()),
        ]);
        Fixed::of("orders", &texts).unwrap()
    }

    fn parameters(properties: Value) -> Result<Parameters, String> {
        Parameters::new("orders", properties.as_object().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_that_fit_are_read_by_their_kind() {
        let parameters = parameters(json!({
            "order": {"type": "string", "pattern": r"\d{6}"},
            "open": {"type": "boolean"},
            "most": {"type": "integer", "minimum": 1, "maximum": 20},
            "price": {"type": "number"},
        }))
        .unwrap();
        let input = json!({"order": "204418", "open": true, "most": 3.0, "price": 9.5});
        let read = parameters.read(input.as_object().unwrap(), &texts()).unwrap();
        assert_eq!(
            read,
            [
                ("most", Argument::Whole(3)),
                ("open", Argument::Truth(true)),
                ("order", Argument::Text("204418".to_owned())),
                ("price", Argument::Number(9.5)),
            ]
        );
        assert_eq!(parameters.schema()["additionalProperties"], json!(false));
        assert_eq!(parameters.schema()["required"], json!(["most", "open", "order", "price"]));
        let order = parameters.offered().into_iter().find(|one| one.name == "order").unwrap();
        assert_eq!(order.pattern.as_deref(), Some(r"\d{6}"));
    }

    #[test]
    fn arguments_that_do_not_fit_are_named_in_the_texts_of_the_pack() {
        let parameters = parameters(json!({
            "order": {"type": "string", "pattern": r"\d{6}|X"},
            "most": {"type": "integer", "minimum": 1, "maximum": 20},
            "state": {"type": "string", "enum": ["open", "sent"]},
            "note": {"type": "string"},
        }))
        .unwrap();
        let fits = json!({"order": "204418", "most": 3, "state": "open", "note": "a"});
        for (field, value, says) in [
            ("order", json!("2044180"), "order does not fit"),
            ("order", json!("1204418"), "order does not fit"),
            ("order", json!("204418\n"), "order does not fit"),
            ("order", json!("Xa"), "order does not fit"),
            ("order", json!("aX"), "order does not fit"),
            ("order", json!("٢٠٤٤١٨"), "order does not fit"),
            ("order", json!(204_418), "order does not fit"),
            ("order", json!(null), "order does not fit"),
            ("most", json!(0), "most does not fit"),
            ("most", json!(21), "most does not fit"),
            ("most", json!(2.5), "most does not fit"),
            ("most", json!("3"), "most does not fit"),
            ("state", json!("lost"), "state does not fit"),
            ("note", json!(""), "note does not fit"),
            ("note", json!("a".repeat(101)), "note does not fit"),
            ("note", json!("a\u{0}"), "note does not fit"),
            ("note", json!({"$gt": ""}), "note does not fit"),
            ("customer", json!("c-101"), "customer does not fit"),
            ("<b>other", json!(1), "bother does not fit"),
        ] {
            let mut input = fits.as_object().unwrap().clone();
            input.insert(field.to_owned(), value);
            assert_eq!(parameters.read(&input, &texts()).unwrap_err().content, says, "{field}");
        }
        let mut input = fits.as_object().unwrap().clone();
        input.remove("state");
        assert_eq!(parameters.read(&input, &texts()).unwrap_err().content, "state is missing");
    }

    #[test]
    fn a_parameter_that_would_set_the_caller_is_refused() {
        for name in ["customer", "CUSTOMER", "customer_id", "customerId", "_customer"] {
            let error = parameters(json!({name: {"type": "string"}})).unwrap_err();
            assert!(error.contains("who asks"), "{error}");
        }
    }

    #[test]
    fn a_schema_that_is_none_or_leads_elsewhere_is_refused() {
        for (shape, says) in [
            (json!({"type": "string", "$ref": "https://example.org/a.json"}), "`$ref`"),
            (json!({"type": "string", "patern": "a"}), "`patern`"),
            (json!({"type": "object"}), "`type`"),
            (json!({"type": ["string", "null"]}), "`type`"),
            (json!({"pattern": "a"}), "`type`"),
            (json!({"type": "string", "pattern": "a)|(b"}), "regular expression"),
            (json!({"type": "string", "pattern": 1}), "no text"),
            (json!({"type": "integer", "minimum": "1"}), "no JSON Schema"),
            (json!("string"), "no table"),
        ] {
            let error = parameters(json!({"order": shape})).unwrap_err();
            assert!(error.contains(says) && error.contains("\"order\""), "{error}");
        }
        let error = parameters(json!({"1st": {"type": "string"}})).unwrap_err();
        assert!(error.contains("no name"), "{error}");
    }

    proptest! {
        #[test]
        fn whatever_is_read_fits_its_schema(text in "\\PC{0,12}", number in any::<f64>(), at in 0usize..5) {
            let parameters = parameters(json!({
                "a": {"type": "string", "pattern": "[a-z]{1,3}"}, "b": {"type": "integer"},
            })).unwrap();
            let value = [json!(text), json!(number), json!([text]), json!({"a": number}), Value::Null][at].clone();
            let input = json!({"a": value.clone(), "b": value});
            prop_assert!(parameters.read(input.as_object().unwrap(), &texts()).is_err());
            let input = json!({"a": text, "b": number});
            if let Ok(read) = parameters.read(input.as_object().unwrap(), &texts()) {
                prop_assert!(text.len() <= 3 && number.fract() == 0.0);
                prop_assert_eq!(&read[0].1, &Argument::Text(text));
            }
        }
    }
}
