//! `[[tools]]`: the keys of a look-up, and which of them each kind takes.

use mostrador_answer::passage::Trust;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toml::Spanned;

use crate::fields::{Filled, InFolder, Pattern, Within};

/// What a look-up reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolKind {
    /// A table of records in the shop folder.
    #[default]
    Table,
    /// A query of the shop's database.
    Sql,
    /// A GET request to a service of the shop.
    Http,
}

impl ToolKind {
    /// The name in `shop.toml`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ToolKind::Table => "table",
            ToolKind::Sql => "sql",
            ToolKind::Http => "http",
        }
    }
}

/// `[[tools]]`: a look-up.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolConfig {
    /// Its name.
    pub name: Filled,
    /// What it reads.
    #[serde(default)]
    pub kind: ToolKind,
    /// What it does, for the model.
    pub description: String,
    /// `table`: the table, relative to the shop folder: `.csv` or `.toml`.
    pub file: Option<Spanned<InFolder>>,
    /// `table`: the column of the number that is looked up, and the name of the one parameter.
    pub key: Option<Spanned<String>>,
    /// `table`: what such a number looks like.
    pub pattern: Option<Spanned<Pattern>>,
    /// `table`: the column of the customer a record belongs to.
    pub owner: Option<Spanned<String>>,
    /// `sql`: the environment variable that holds the database's address.
    pub database_env: Option<Spanned<Filled>>,
    /// `sql`: the query, with `:name` for a parameter and `:customer` for who asks.
    pub sql: Option<Spanned<Filled>>,
    /// `sql`: the most rows that are told.
    pub rows: Option<Spanned<Within<1, 200>>>,
    /// `http`: the address, with `{name}` for a parameter and `{customer}` for who asks.
    pub url: Option<Spanned<Filled>>,
    /// `http`: the environment variable that holds the service's key.
    pub key_env: Option<Spanned<Filled>>,
    /// `http`: the header that carries the key as it is.
    pub key_header: Option<Spanned<Filled>>,
    /// `http`: the host of `url`, where it may be one of the shop's own network.
    pub allow_private: Option<Spanned<Vec<Filled>>>,
    /// `sql` and `http`: what it takes, as the properties of a JSON Schema.
    pub parameters: Option<Spanned<Map<String, Value>>>,
    /// `sql` and `http`: the columns, or the paths of the reply, that the model sees.
    pub fields: Option<Spanned<Vec<Filled>>>,
    /// `sql` and `http`: how long an answer is used again for the same caller.
    pub cache_seconds: Option<Spanned<Within<0, 86_400>>>,
    /// Set to `true` where anybody may ask.
    #[serde(default)]
    pub public: bool,
    /// What is told of a record, with its fields in braces.
    pub result: Option<String>,
    /// What the model is told of a number nobody has, with `{value}`.
    pub unknown: Option<String>,
    /// Whose words the records are.
    #[serde(default)]
    pub trust: Trust,
    /// How long it may take.
    #[serde(default = "ToolConfig::timeout")]
    pub timeout_ms: Within<1, 60_000>,
}

impl ToolConfig {
    fn timeout() -> Within<1, 60_000> {
        Within::new(5_000)
    }

    /// The parameters of `sql` and `http`; empty where there are none.
    #[must_use]
    pub fn shapes(&self) -> Map<String, Value> {
        self.parameters.as_ref().map(|shapes| shapes.get_ref().clone()).unwrap_or_default()
    }

    /// Whether a model could send words of its own to somebody: over HTTP, in a text or a number that may be anything.
    /// A pattern that lets words, an address or a telephone number through is no bound.
    #[must_use]
    pub fn way_out(&self) -> bool {
        let mut words = vec!["name: ana lopez, order 31188".to_owned(), "ana@mail.example".to_owned()];
        for length in 3..=64 {
            words.extend(["a", "A", "a1"].map(|unit| unit.repeat(length)));
        }
        // Ten digits are a telephone number.
        words.extend((10..=64).map(|length| "7".repeat(length)));
        let bound = |pattern: &str| {
            let whole = regex::Regex::new(&format!(r"\A(?:{pattern})\z"));
            whole.is_ok_and(|pattern| !words.iter().any(|word| pattern.is_match(word)))
        };
        let free = |shape: &Value| {
            let text = shape.get("type").and_then(Value::as_str) == Some("string");
            let listed = shape.get("enum").is_some() || shape.get("const").is_some();
            let number = ["integer", "number"].map(Some).contains(&shape.get("type").and_then(Value::as_str));
            if number {
                return shape.get("maximum").is_none() && !listed;
            }
            text && !listed && !shape.get("pattern").and_then(Value::as_str).is_some_and(bound)
        };
        self.kind == ToolKind::Http && self.shapes().values().any(free)
    }

    /// The keys that are given and that only some kinds take, each with where its value stands.
    pub(super) fn given(&self) -> Vec<(&'static str, std::ops::Range<usize>)> {
        fn span<T>(value: &Option<Spanned<T>>) -> Option<std::ops::Range<usize>> {
            value.as_ref().map(Spanned::span)
        }
        let all = [
            ("file", span(&self.file)),
            ("key", span(&self.key)),
            ("pattern", span(&self.pattern)),
            ("owner", span(&self.owner)),
            ("database_env", span(&self.database_env)),
            ("sql", span(&self.sql)),
            ("rows", span(&self.rows)),
            ("url", span(&self.url)),
            ("key_env", span(&self.key_env)),
            ("key_header", span(&self.key_header)),
            ("allow_private", span(&self.allow_private)),
            ("parameters", span(&self.parameters)),
            ("fields", span(&self.fields)),
            ("cache_seconds", span(&self.cache_seconds)),
        ];
        all.into_iter().filter_map(|(key, span)| Some((key, span?))).collect()
    }
}

/// The keys, of those that only some kinds take, that a kind needs and that it may have besides.
pub(super) fn keys(kind: ToolKind) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        ToolKind::Table => (&["file", "key"], &["pattern", "owner"]),
        ToolKind::Sql => (&["database_env", "sql"], &["rows", "parameters", "fields", "cache_seconds"]),
        ToolKind::Http => {
            (&["url"], &["key_env", "key_header", "allow_private", "parameters", "fields", "cache_seconds"])
        }
    }
}
