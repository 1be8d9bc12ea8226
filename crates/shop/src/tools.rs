//! The look-ups of a shop, by its configuration: tables are read here, nothing else is connected or called.

mod config;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use mostrador_answer::ports::Lookup;
use mostrador_language::{TextKey, Texts};
use mostrador_lookups::{
    Cached, HttpConfig, HttpLookup, LookupError, SqlConfig, SqlLookup, TableConfig, TableLookup,
};
use secrecy::SecretString;
use toml::Spanned;

pub use self::config::{ToolConfig, ToolKind};
use crate::config::Config;
use crate::error::ShopError;
use crate::fields::Filled;
use crate::folder::{SHOP_FILE, Shop};

/// The most rows of a query that are told, where nothing else is said.
const ROWS: usize = 20;

impl Shop {
    /// Builds its look-ups, in the order of `[[tools]]`. Tables are read here; a database or a service is first asked
    /// by the first question.
    ///
    /// # Errors
    /// [`ShopError`] for a table that cannot be read or does not fit, and for a query, an address or parameters that
    /// cannot be a look-up's.
    pub fn lookups(&self) -> Result<Vec<Arc<dyn Lookup>>, ShopError> {
        self.config().tools.iter().map(|tool| self.lookup(tool)).collect()
    }

    fn lookup(&self, spanned: &Spanned<ToolConfig>) -> Result<Arc<dyn Lookup>, ShopError> {
        let tool = spanned.get_ref();
        let lookup: Arc<dyn Lookup> = match tool.kind {
            ToolKind::Table => Arc::new(TableLookup::load(self.table(tool))?),
            ToolKind::Sql => {
                Arc::new(SqlLookup::new(self.sql(tool)).map_err(|error| self.placed(spanned, &error))?)
            }
            ToolKind::Http => {
                Arc::new(HttpLookup::new(self.http(tool)).map_err(|error| self.placed(spanned, &error))?)
            }
        };
        let keep = tool.cache_seconds.as_ref().map_or(0, |seconds| seconds.get_ref().get());
        Ok(if keep == 0 { lookup } else { Arc::new(Cached::new(lookup, Duration::from_secs(keep))) })
    }

    fn table(&self, tool: &ToolConfig) -> TableConfig {
        let file = tool.file.as_ref().map(|file| file.get_ref().0.clone()).unwrap_or_default();
        TableConfig {
            name: tool.name.0.clone(),
            description: tool.description.clone(),
            file: self.root().join(&file),
            shown: file,
            key: tool.key.as_ref().map(|key| key.get_ref().clone()).unwrap_or_default(),
            pattern: tool.pattern.as_ref().map(|pattern| pattern.get_ref().0.clone()),
            owner: tool.owner.as_ref().map(|owner| owner.get_ref().clone()),
            result: tool.result.clone().unwrap_or_default(),
            trust: tool.trust,
            texts: self.texts_of(tool),
            timeout: Duration::from_millis(tool.timeout_ms.get()),
        }
    }

    fn sql(&self, tool: &ToolConfig) -> SqlConfig {
        let database_env = filled(&tool.database_env).unwrap_or_default();
        SqlConfig {
            name: tool.name.0.clone(),
            description: tool.description.clone(),
            database: secret(&database_env),
            database_env,
            sql: filled(&tool.sql).unwrap_or_default(),
            parameters: tool.shapes(),
            public: tool.public,
            fields: list(&tool.fields),
            result: tool.result.clone(),
            rows: tool.rows.as_ref().map_or(ROWS, |rows| rows.get_ref().size()),
            trust: tool.trust,
            texts: self.texts_of(tool),
            timeout: Duration::from_millis(tool.timeout_ms.get()),
        }
    }

    fn http(&self, tool: &ToolConfig) -> HttpConfig {
        let key_env = filled(&tool.key_env);
        HttpConfig {
            name: tool.name.0.clone(),
            description: tool.description.clone(),
            url: filled(&tool.url).unwrap_or_default(),
            allow_private: list(&tool.allow_private),
            key: key_env.as_deref().and_then(secret),
            key_env,
            key_header: filled(&tool.key_header),
            parameters: tool.shapes(),
            public: tool.public,
            fields: list(&tool.fields),
            result: tool.result.clone(),
            trust: tool.trust,
            texts: self.texts_of(tool),
            timeout: Duration::from_millis(tool.timeout_ms.get()),
        }
    }

    fn texts_of(&self, tool: &ToolConfig) -> Texts {
        let mut texts = self.texts().clone();
        if let Some(unknown) = &tool.unknown {
            texts.insert(TextKey::UnknownRecord, unknown.clone());
        }
        texts
    }

    /// An error of a look-up at the line of the key that it is about.
    fn placed(&self, spanned: &Spanned<ToolConfig>, error: &LookupError) -> ShopError {
        let tool = spanned.get_ref();
        let key = match error {
            LookupError::BadQuery { .. } => "sql",
            LookupError::BadUrl { .. } => "url",
            LookupError::BadParameter { .. } => "parameters",
            _ => "fields",
        };
        let span = tool.given().into_iter().find(|(name, _)| *name == key).map(|(_, span)| span);
        // The keys of a table written under a head of its own have no place together.
        let span = span.filter(|span| !span.is_empty()).unwrap_or_else(|| spanned.span());
        ShopError::field(SHOP_FILE, self.line(span), error.to_string())
    }
}

/// Checks that each tool has a name of its own and the keys of its kind. `at` gives the line of a place.
pub(crate) fn check(config: &Config, at: &dyn Fn(Range<usize>) -> usize) -> Result<(), ShopError> {
    let mut names = BTreeSet::new();
    for spanned in &config.tools {
        let tool = spanned.get_ref();
        let (name, kind) = (&tool.name.0, tool.kind.name());
        let problem =
            |span: Range<usize>, message: String| Err(ShopError::field(SHOP_FILE, at(span), message));
        if !names.insert(name) {
            let message = format!("two tools are called `{name}`; give each its own name");
            return problem(spanned.span(), message);
        }
        let (needed, others) = config::keys(tool.kind);
        let given = tool.given();
        let stray = given.iter().find(|(key, _)| !needed.contains(key) && !others.contains(key));
        if let Some((key, span)) = stray {
            let takes: Vec<&str> = needed.iter().chain(others).copied().collect();
            let message = format!(
                "tool `{name}` is of kind \"{kind}\", which has no `{key}`; take it out, or give another `kind`; \
                 of its own it takes {}",
                takes.join(", ")
            );
            return problem(span.clone(), message);
        }
        if let Some(key) = needed.iter().find(|key| given.iter().all(|(given, _)| given != *key)) {
            let message = format!("tool `{name}` is of kind \"{kind}\" and has no `{key}`; write it");
            return problem(spanned.span(), message);
        }
        if tool.kind == ToolKind::Table {
            if tool.result.is_none() {
                let message = format!(
                    "tool `{name}` has no `result`; write what is told of a record, its columns in braces"
                );
                return problem(spanned.span(), message);
            }
            if tool.owner.is_some() == tool.public {
                let message = format!(
                    "tool `{name}` needs either `owner`, the column of the customer a record belongs to, \
                     or `public = true`, where anybody who knows a number may ask"
                );
                return problem(spanned.span(), message);
            }
        }
    }
    Ok(())
}

fn filled(text: &Option<Spanned<Filled>>) -> Option<String> {
    text.as_ref().map(|text| text.get_ref().0.clone())
}

fn list(texts: &Option<Spanned<Vec<Filled>>>) -> Vec<String> {
    let texts = texts.iter().flat_map(|texts| texts.get_ref());
    texts.map(|text| text.0.clone()).collect()
}

/// What an environment variable holds; `None` where it is not set or empty.
fn secret(name: &str) -> Option<SecretString> {
    let held = std::env::var(name).ok().filter(|held| !held.trim().is_empty());
    held.map(SecretString::from)
}

#[cfg(test)]
mod tests {
    use mostrador_answer::message::{Input, Outcome};
    use mostrador_answer::question::CustomerId;

    use mostrador_answer::passage::Trust;

    use super::*;

    const HEAD: &str = "name = \"a\"\nlanguages = [\"en\"]\n";

    fn shop(rest: &str) -> Result<Shop, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("shop.toml"), format!("{HEAD}{rest}")).unwrap();
        Shop::read(folder.path()).map_err(|error| error.to_string())
    }

    fn lookups(rest: &str) -> Result<Vec<Arc<dyn Lookup>>, String> {
        shop(rest)?.lookups().map_err(|error| error.to_string())
    }

    const SQL: &str = "[[tools]]\nname = \"orders\"\nkind = \"sql\"\ndescription = \"d\"\n\
        database_env = \"MOSTRADOR_NO_SUCH_DATABASE\"\nfields = [\"state\"]\n\
        sql = \"SELECT state FROM orders WHERE id = :order AND owner = :customer\"\n";

    const HTTP: &str = "[[tools]]\nname = \"orders\"\nkind = \"http\"\ndescription = \"d\"\nfields = [\"state\"]\n\
        url = \"https://api.shop.example/orders/{order}?customer={customer}\"\n";

    const ORDER: &str = "parameters.order = { type = \"string\", pattern = '\\d{6}' }\n";

    #[tokio::test]
    async fn each_kind_is_built_and_asked_for_the_caller() {
        let headed = "[tools.parameters.order]\ntype = \"string\"\npattern = '\\d{6}'\n";
        for text in [
            format!("{SQL}{ORDER}"),
            format!("{SQL}{headed}"),
            format!("{HTTP}{ORDER}cache_seconds = 30\ntrust = \"customer\"\n"),
        ] {
            let lookup = lookups(&text).unwrap().pop().unwrap();
            let spec = lookup.spec();
            assert!(spec.needs_customer);
            assert_eq!(spec.trust == Trust::Customer, text.contains("trust"));
            assert_eq!(spec.parameters[0].pattern.as_deref(), Some("\\d{6}"));
            assert_eq!(spec.input_schema()["required"], serde_json::json!(["order"]));
            let input: Input = serde_json::from_str("{\"order\": \"2044\"}").unwrap();
            let seen = lookup.look(&input, Some(&CustomerId("ana".to_owned()))).await;
            assert_eq!(seen.outcome, Outcome::BadInput);
            let input: Input = serde_json::from_str("{\"order\": \"204418\"}").unwrap();
            assert_eq!(lookup.look(&input, None).await.outcome, Outcome::NotFound);
        }
    }

    #[tokio::test]
    async fn a_database_that_is_not_named_fails_in_the_texts_of_the_pack() {
        let lookup = lookups(&format!("{SQL}{ORDER}")).unwrap().pop().unwrap();
        let input: Input = serde_json::from_str("{\"order\": \"204418\"}").unwrap();
        let seen = lookup.look(&input, Some(&CustomerId("ana".to_owned()))).await;
        assert_eq!((seen.outcome, seen.content.as_str()), (Outcome::Failed, "the look-up could not be done"));
    }

    #[test]
    fn keys_that_do_not_fit_the_kind_are_named_with_their_line() {
        let table = "[[tools]]\nname = \"t\"\ndescription = \"d\"\n";
        for (text, line, says) in [
            (format!("{SQL}{ORDER}owner = \"customer\"\n"), 11, "has no `owner`"),
            (format!("{SQL}{ORDER}file = \"orders.csv\"\n"), 11, "has no `file`"),
            (format!("{SQL}{ORDER}url = \"https://a.example\"\n"), 11, "has no `url`"),
            (format!("{HTTP}{ORDER}rows = 3\n"), 10, "has no `rows`"),
            (format!("{HTTP}{ORDER}sql = \"SELECT 1\"\n"), 10, "has no `sql`"),
            (format!("{table}file = \"a.csv\"\nkey = \"n\"\nfields = [\"a\"]\n"), 8, "has no `fields`"),
            (
                format!("{table}file = \"a.csv\"\nkey = \"n\"\ncache_seconds = 1\n"),
                8,
                "has no `cache_seconds`",
            ),
            (format!("{table}key = \"n\"\nresult = \"{{n}}\"\npublic = true\n"), 3, "has no `file`"),
            (format!("{table}file = \"a.csv\"\nkey = \"n\"\npublic = true\n"), 3, "has no `result`"),
            (format!("{table}file = \"a.csv\"\nkey = \"n\"\nresult = \"{{n}}\"\n"), 3, "either `owner`"),
            (format!("{table}kind = \"sql\"\ndatabase_env = \"A\"\n"), 3, "has no `sql`"),
            (format!("{table}kind = \"http\"\n"), 3, "has no `url`"),
            (format!("{table}kind = \"htp\"\n"), 6, "did you mean `http`"),
            (format!("{SQL}{ORDER}colour = 1\n"), 11, "unknown field `colour`"),
            (format!("{SQL}{ORDER}rows = 0\n"), 11, "from 1 to 200"),
            (format!("{SQL}{ORDER}{SQL}{ORDER}"), 11, "two tools"),
        ] {
            let error = shop(&text).unwrap_err();
            assert!(
                error.starts_with(&format!("shop.toml:{line}:")) && error.contains(says),
                "{text}{error}"
            );
        }
    }

    #[test]
    fn what_a_look_up_refuses_is_named_with_its_line() {
        for (text, line, says) in [
            (SQL.to_owned(), 9, ":order, which is no parameter"),
            (format!("{SQL}{ORDER}public = true\n"), 9, "take out `public`"),
            (format!("{}{ORDER}", SQL.replace("SELECT state FROM", "DELETE FROM")), 9, "SELECT or WITH"),
            (format!("{}{ORDER}", SQL.replace(" AND owner = :customer", "")), 9, "does not use :customer"),
            (format!("{SQL}parameters = {{ customer = {{ type = \"string\" }} }}\n"), 10, "who asks"),
            (format!("{}{ORDER}", HTTP.replace("api.shop.example", "127.0.0.1")), 8, "allow_private"),
            (format!("{}{ORDER}", HTTP.replace("https", "http")), 8, "write https"),
            (format!("{HTTP}parameters = {{ order = {{ type = \"text\" }} }}\n"), 9, "`type`"),
        ] {
            let error = lookups(&text).err().unwrap();
            assert!(
                error.starts_with(&format!("shop.toml:{line}:")) && error.contains(says),
                "{text}{error}"
            );
        }
    }

    #[test]
    fn only_words_of_its_own_over_http_are_a_way_out() {
        let way_out = |text: String| shop(&text).unwrap().config().tools[0].get_ref().way_out();
        assert!(!way_out(format!("{HTTP}{ORDER}")));
        assert!(way_out(format!("{HTTP}parameters.order = {{ type = \"string\" }}\n")));
        for free in
            [".*", "[^x]+", "[a-z]+", "[a-z]{4,60}", "[^ ]+@[^ ]+", "[A-Za-z0-9]{20,40}", "[0-9]{9,12}"]
        {
            let order = format!("parameters.order = {{ type = \"string\", pattern = \"{free}\" }}\n");
            assert!(way_out(format!("{HTTP}{order}")), "{free}");
        }
        assert!(way_out(format!("{HTTP}parameters.order = {{ type = \"integer\" }}\n")));
        assert!(!way_out(format!("{HTTP}parameters.order = {{ type = \"integer\", maximum = 999999 }}\n")));
        assert!(!way_out(format!("{SQL}parameters.order = {{ type = \"string\" }}\n")));
    }
}
