//! Dated facts from a query of the shop's database, read only, with a time limit, kept for a while.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mostrador_answer::passage::Passage;
use mostrador_answer::ports::{Records, Unavailable};
use mostrador_language::Lang;
use secrecy::{ExposeSecret, SecretString};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Column, Connection, Executor, Row};
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::database::{self, Back};
use crate::dated::{Columns, SkippedRow, facts};
use crate::error::LookupError;
use crate::query;

const PART: &str = "records";

/// The most rows that are read; a query that gives more is cut there.
const MOST_ROWS: usize = 200;

/// How long connecting and reading may take.
const TIME: Duration = Duration::from_secs(5);

/// Where the facts are and how they are asked for.
#[derive(Debug, Clone)]
pub struct RecordsSettings {
    /// The environment variable of the database's address, for messages.
    pub database_env: String,
    /// What that variable holds: `sqlite:`, `postgres:` or `mysql:`; `None` where it is not set.
    pub database: Option<SecretString>,
    /// A query that selects `date` and `text`, and `title`, `language` and `valid_until` where there are such.
    pub sql: String,
    /// The language of a row that names none.
    pub language: Lang,
    /// How long an answer is used again.
    pub cache: Duration,
}

/// Dated facts of a database. No connection is made before the first question.
#[derive(Debug)]
pub struct SqlRecords {
    settings: RecordsSettings,
    time: Duration,
    kept: Mutex<Option<(Instant, Arc<Read>)>>,
}

#[derive(Debug)]
struct Read {
    facts: Vec<Arc<Passage>>,
    skipped: Vec<SkippedRow>,
}

/// What stands around the query: a `SELECT`, so that it can be nothing else and its rows can be bounded. PostgreSQL
/// gives a row as JSON, whatever the types of its columns.
fn around(back: Back) -> (&'static str, &'static str) {
    let tail = "\n) AS records LIMIT 200";
    match back {
        Back::Postgres => ("SELECT row_to_json(records)::text AS record FROM (\n", tail),
        Back::MySql | Back::Sqlite => ("SELECT * FROM (\n", tail),
    }
}

impl SqlRecords {
    /// Checks the query's beginning; nothing is connected.
    ///
    /// # Errors
    /// [`LookupError::NotAQuery`] for anything but one `SELECT` or `WITH`.
    pub fn new(settings: RecordsSettings) -> Result<Self, LookupError> {
        Self::with_time(settings, TIME)
    }

    /// The same with another limit for connecting and reading together.
    ///
    /// # Errors
    /// As [`SqlRecords::new`].
    pub fn with_time(mut settings: RecordsSettings, time: Duration) -> Result<Self, LookupError> {
        let back = settings.database.as_ref().and_then(|held| Back::of(held.expose_secret().trim()));
        let sql = query::one(&settings.sql, back).map_err(|_| LookupError::NotAQuery)?;
        settings.sql = sql;
        Ok(Self { settings, time, kept: Mutex::new(None) })
    }

    /// The rows of the query that are no dated facts, each with the reason; reads the database where nothing is kept.
    ///
    /// # Errors
    /// [`Unavailable`] where the database cannot be read.
    pub async fn skipped(&self) -> Result<Vec<SkippedRow>, Unavailable> {
        Ok(self.read().await?.skipped.clone())
    }

    async fn read(&self) -> Result<Arc<Read>, Unavailable> {
        // Held while the database is asked: those who come meanwhile wait for the same answer.
        let mut kept = self.kept.lock().await;
        if let Some((at, read)) = kept.as_ref()
            && at.elapsed() < self.settings.cache
        {
            return Ok(Arc::clone(read));
        }
        let rows = self.rows().await.map_err(|detail| Unavailable::new(PART, detail))?;
        let (facts, skipped) = facts(&rows, self.settings.language);
        if let (true, Some(first)) = (facts.is_empty(), skipped.first()) {
            let detail = format!("no row of `sql` is a dated fact; row {}: {}", first.row, first.reason);
            return Err(Unavailable::new(PART, detail));
        }
        let read = Arc::new(Read { facts, skipped });
        *kept = Some((Instant::now(), Arc::clone(&read)));
        Ok(read)
    }

    async fn rows(&self) -> Result<Vec<Columns>, String> {
        let name = &self.settings.database_env;
        let (address, back) = database::address(name, self.settings.database.as_ref())?;
        let asked = tokio::time::timeout(self.time, self.ask(address, back)).await;
        asked.map_err(|_| {
            format!("the database of {name} gave no answer in {} ms; make `sql` faster", self.time.as_millis())
        })?
        .map_err(|error| {
            let said = database::said(&error, address);
            format!("the database of {name} cannot be read ({said}); check the address, `sql`, and that dates are texts")
        })
    }

    async fn ask(&self, address: &str, back: Back) -> Result<Vec<Columns>, sqlx::Error> {
        database::drivers();
        let mut connection = AnyConnection::connect(&database::read_only(address)).await?;
        for statement in back.before(self.time) {
            connection.execute(AssertSqlSafe(statement)).await?;
        }
        let (head, tail) = around(back);
        let sql = [head, &self.settings.sql, tail].concat();
        let rows = connection.fetch_all(AssertSqlSafe(sql)).await?;
        // A connection that does not close well has given its rows all the same.
        let _ = connection.close().await;
        rows.iter().take(MOST_ROWS).map(|row| columns(row, back == Back::Postgres)).collect()
    }
}

fn columns(row: &AnyRow, json: bool) -> Result<Columns, sqlx::Error> {
    if json {
        let record: String = row.try_get(0)?;
        let record: serde_json::Value =
            serde_json::from_str(&record).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
        let fields = record.as_object().into_iter().flatten();
        return Ok(fields.filter_map(|(name, value)| Some((name.to_lowercase(), told(value)?))).collect());
    }
    let text = |at: usize| -> Result<Option<String>, sqlx::Error> {
        // What is no text is a number, or a kind that a dated fact has no column for.
        row.try_get::<Option<String>, _>(at)
            .or_else(|_| {
                row.try_get::<Option<i64>, _>(at).map(|number| number.map(|number| number.to_string()))
            })
            .or_else(|_| {
                row.try_get::<Option<f64>, _>(at).map(|number| number.map(|number| number.to_string()))
            })
            .or_else(|_| {
                let bytes = row.try_get::<Option<Vec<u8>>, _>(at)?;
                Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
            })
    };
    let named =
        row.columns().iter().map(|column| Ok((column.name().to_lowercase(), text(column.ordinal())?)));
    let named: Result<Vec<_>, sqlx::Error> = named.collect();
    Ok(named?.into_iter().filter_map(|(name, text)| Some((name, text?))).collect())
}

fn told(value: &serde_json::Value) -> Option<String> {
    match value {
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[async_trait]
impl Records for SqlRecords {
    async fn newest(
        &self,
        languages: &[Lang],
        today: &str,
        limit: usize,
    ) -> Result<Vec<Arc<Passage>>, Unavailable> {
        let read = self.read().await?;
        let valid = |fact: &&Arc<Passage>| fact.valid_until.as_deref().is_none_or(|until| until >= today);
        let facts = read.facts.iter().filter(|fact| languages.contains(&fact.language)).filter(valid);
        Ok(facts.take(limit).cloned().collect())
    }
}
