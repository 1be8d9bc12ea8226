//! A look-up by a query of the shop's database: parameters bound, the caller from the session, nothing written.

use std::time::Duration;

use async_trait::async_trait;
use mostrador_answer::message::{Input, LookupSpec, Outcome};
use mostrador_answer::passage::Trust;
use mostrador_answer::ports::{Lookup, LookupResult, Unavailable};
use mostrador_answer::question::CustomerId;
use mostrador_language::Texts;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, AnyRow};
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Connection, Executor, Row};
use tokio::sync::OnceCell;

use crate::database::{self, Back};
use crate::error::LookupError;
use crate::parameters::{Argument, Arguments, CUSTOMER, Parameters};
use crate::query::{self, Bound};
use crate::shown::Shown;
use crate::texts::{self, Fixed};

const PART: &str = "look-up";

/// The most connections a look-up holds.
const CONNECTIONS: u32 = 4;

/// How long a connection that nobody uses stays open.
const IDLE: Duration = Duration::from_secs(60);

/// A look-up by a query.
#[derive(Debug, Clone)]
pub struct SqlConfig {
    /// The look-up's name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The environment variable of the database's address, for messages.
    pub database_env: String,
    /// What that variable holds: `sqlite:`, `postgres:` or `mysql:`; `None` where it is not set, which is an error of
    /// the first question.
    pub database: Option<SecretString>,
    /// One `SELECT`, with `:name` for a parameter and `:customer` for the caller.
    pub sql: String,
    /// The parameters, as the properties of a JSON Schema of an object.
    pub parameters: Map<String, Value>,
    /// Whether anybody may ask. Otherwise only a signed customer, and `sql` names `:customer`.
    pub public: bool,
    /// The columns that the model sees, in this order; empty: those that `result` names.
    pub fields: Vec<String>,
    /// What is said of a row, with columns in braces; `None`: `column: value`, a line each.
    pub result: Option<String>,
    /// The most rows that are told, from 1; that there are more is said by `…`.
    pub rows: usize,
    /// Whose words the results are.
    pub trust: Trust,
    /// The texts for errors: `unknown_record`, `missing_field`, `bad_field` and `lookup_failed`.
    pub texts: Texts,
    /// How long a look-up may take, connecting included.
    pub timeout: Duration,
}

/// A query of a database. No connection is made before the first question; then a few are kept.
#[derive(Debug)]
pub struct SqlLookup {
    spec: LookupSpec,
    database_env: String,
    database: Option<SecretString>,
    sql: String,
    parameters: Parameters,
    shown: Shown,
    rows: usize,
    texts: Fixed,
    failed: LookupResult,
    pool: OnceCell<AnyPool>,
}

impl SqlLookup {
    /// Checks the query and its parameters; nothing is connected.
    ///
    /// # Errors
    /// [`LookupError`] for anything but one query that reads; a name in it that is no parameter, or a parameter that
    /// it does not name; `:customer` in a public one, or none in another; a parameter that would set the caller.
    pub fn new(config: SqlConfig) -> Result<Self, LookupError> {
        let parameters = Parameters::new(&config.name, &config.parameters)?;
        let shown = Shown::new(&config.name, &config.fields, config.result.as_deref())?;
        let texts = Fixed::of(&config.name, &config.texts)?;
        let failed = texts::failed(&config.name, &config.texts)?;
        let back = config.database.as_ref().and_then(|held| Back::of(held.expose_secret().trim()));
        let checked = query::bound(&config.sql, back).and_then(|bound| {
            let names: Vec<&str> = bound.names.iter().map(String::as_str).collect();
            parameters.check_places(&names, config.public, |name| format!(":{name}"))
        });
        checked.map_err(|detail| LookupError::BadQuery { name: config.name.clone(), detail })?;
        let spec = LookupSpec {
            name: config.name,
            description: config.description,
            parameters: parameters.offered(),
            schema: Some(parameters.schema().clone()),
            needs_customer: !config.public,
            trust: config.trust,
            timeout: config.timeout,
        };
        Ok(Self {
            spec,
            database_env: config.database_env,
            database: config.database,
            sql: config.sql,
            parameters,
            shown,
            rows: config.rows.max(1),
            texts,
            failed,
            pool: OnceCell::new(),
        })
    }

    /// As [`Lookup::look`], with the reason where it could not be done: for the shop's own people, never for a model.
    ///
    /// # Errors
    /// [`Unavailable`] where the database cannot be asked; no word of its address is in it.
    pub async fn ask(&self, input: &Input, caller: Option<&CustomerId>) -> Result<LookupResult, Unavailable> {
        let arguments = match self.parameters.read(input, &self.texts) {
            Ok(arguments) => arguments,
            Err(result) => return Ok(result),
        };
        let caller = caller.map(|caller| caller.0.as_str()).filter(|caller| !caller.is_empty());
        let none = || {
            let told: Vec<_> = arguments.iter().map(|(name, value)| (*name, value.to_string())).collect();
            self.texts.unknown(&told)
        };
        if self.spec.needs_customer && caller.is_none() {
            return Ok(none());
        }
        let found = self.found(&arguments, caller).await.map_err(|detail| Unavailable::new(PART, detail))?;
        if found.is_empty() {
            return Ok(none());
        }
        let told = found.iter().take(self.rows).map(|row| self.shown.text(row));
        let mut content = told.collect::<Vec<_>>().join(self.shown.between());
        if found.len() > self.rows {
            content.push_str("\n…");
        }
        Ok(LookupResult { outcome: Outcome::Found, content })
    }

    /// The rows, one more than are told where there are more.
    async fn found(
        &self,
        arguments: &Arguments<'_>,
        caller: Option<&str>,
    ) -> Result<Vec<Vec<Option<String>>>, String> {
        let env = &self.database_env;
        let (address, back) = database::address(env, self.database.as_ref())?;
        let asked =
            tokio::time::timeout(self.spec.timeout, self.rows(address, back, arguments, caller)).await;
        asked
            .map_err(|_| {
                format!(
                    "the database of {env} gave no answer in {} ms; make `sql` faster",
                    self.spec.timeout.as_millis()
                )
            })?
            .map_err(|error| {
                let said = database::said(&error, address);
                format!(
                    "the database of {env} cannot be read ({said}); check the address, `sql` and `fields`"
                )
            })
    }

    async fn rows(
        &self,
        address: &str,
        back: Back,
        arguments: &Arguments<'_>,
        caller: Option<&str>,
    ) -> Result<Vec<Vec<Option<String>>>, sqlx::Error> {
        let bound = query::bound(&self.sql, Some(back))
            .map_err(|detail| sqlx::Error::Protocol(format!("`sql` {detail}")))?;
        let mut connection = self.pool(address, back).await?.acquire().await?;
        // Dropped at the end, which takes it back: there is nothing to keep.
        let mut reading = connection.begin_with(back.begin()).await?;
        self.query(&mut reading, back, bound, arguments, caller).await
    }

    async fn query(
        &self,
        connection: &mut AnyConnection,
        back: Back,
        bound: Bound,
        arguments: &Arguments<'_>,
        caller: Option<&str>,
    ) -> Result<Vec<Vec<Option<String>>>, sqlx::Error> {
        let columns: Vec<String> = self.shown.fields().iter().map(|field| back.as_text(field)).collect();
        let most = (self.rows + 1).to_string();
        // Only what the model may see leaves the database, as texts whatever their types.
        let sql =
            ["SELECT ", &columns.join(", "), " FROM (\n", bound.sql.trim(), "\n) AS records LIMIT ", &most]
                .concat();
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for name in &bound.names {
            let argument = arguments.iter().find(|(parameter, _)| parameter == name).map(|(_, value)| value);
            query = match argument {
                _ if name == CUSTOMER => query.bind(caller.map(str::to_owned)),
                Some(Argument::Text(text)) => query.bind(text.clone()),
                Some(Argument::Whole(number)) => query.bind(*number),
                Some(Argument::Number(number)) => query.bind(*number),
                Some(Argument::Truth(truth)) => query.bind(*truth),
                None => query.bind(None::<String>),
            };
        }
        let rows = connection.fetch_all(query).await?;
        rows.iter().map(|row| (0..columns.len()).map(|at| cell(row, at)).collect()).collect()
    }

    async fn pool(&self, address: &str, back: Back) -> Result<&AnyPool, sqlx::Error> {
        let time = self.spec.timeout;
        let made = self.pool.get_or_try_init(async || {
            database::drivers();
            let options: AnyConnectOptions = database::read_only(address).parse()?;
            let pool = AnyPoolOptions::new()
                .max_connections(CONNECTIONS)
                // Half of the time, so that it can be said what was wrong.
                .acquire_timeout(time / 2)
                .idle_timeout(IDLE)
                .after_connect(move |connection, _| {
                    Box::pin(async move {
                        for statement in back.before(time) {
                            connection.execute(AssertSqlSafe(statement)).await?;
                        }
                        Ok(())
                    })
                });
            Ok(pool.connect_lazy_with(options))
        });
        made.await
    }
}

#[async_trait]
impl Lookup for SqlLookup {
    fn spec(&self) -> &LookupSpec {
        &self.spec
    }

    async fn look(&self, input: &Input, caller: Option<&CustomerId>) -> LookupResult {
        // What the database said may hold names of tables and more: it is not for a model.
        self.ask(input, caller).await.unwrap_or_else(|_| self.failed.clone())
    }
}

fn cell(row: &AnyRow, at: usize) -> Result<Option<String>, sqlx::Error> {
    row.try_get::<Option<String>, _>(at).or_else(|_| {
        let bytes = row.try_get::<Option<Vec<u8>>, _>(at)?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    })
}

#[cfg(test)]
mod tests {
    use mostrador_language::TextKey;

    use super::*;

    /// The rule for `sql` set aside, what is written all the same fails in the database.
    #[tokio::test]
    async fn a_connection_to_sqlite_only_reads() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("shop.db").display());
        let mut writer = sqlx::SqliteConnection::connect(&format!("{url}?mode=rwc")).await.unwrap();
        writer.execute("CREATE TABLE orders (id)").await.unwrap();
        let all = [TextKey::UnknownRecord, TextKey::MissingField, TextKey::BadField, TextKey::LookupFailed];
        let lookup = || {
            SqlLookup::new(SqlConfig {
                name: "orders".to_owned(),
                description: String::new(),
                database_env: "SHOP_DATABASE_URL".to_owned(),
                database: None,
                sql: "SELECT id FROM orders".to_owned(),
                parameters: Map::new(),
                public: true,
                fields: vec!["id".to_owned()],
                result: None,
                rows: 1,
                trust: Trust::Shop,
                texts: all.map(|key| (key, String::new())).into(),
                timeout: Duration::from_secs(5),
            })
            .unwrap()
        };
        // Also where the address itself asks for more.
        for address in [url.clone(), format!("{url}?mode=rwc")] {
            let lookup = lookup();
            let pool = lookup.pool(&address, Back::Sqlite).await.unwrap();
            let mut connection = pool.acquire().await.unwrap();
            for sql in ["INSERT INTO orders VALUES (1)", "CREATE TABLE more (id)", "DROP TABLE orders"] {
                let mut reading = connection.begin_with(Back::Sqlite.begin()).await.unwrap();
                let error = reading.execute(sql).await.unwrap_err().to_string();
                assert!(error.contains("readonly"), "{error}");
            }
        }
    }
}
