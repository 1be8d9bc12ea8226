//! A shop's own database, opened to be read: which one it is, what is said to it first, and errors without secrets.

use std::sync::Once;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use sqlx::any::install_default_drivers;

/// The databases there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Back {
    Postgres,
    MySql,
    Sqlite,
}

impl Back {
    /// By the scheme of an address.
    pub(crate) fn of(address: &str) -> Option<Self> {
        match address.split(':').next().unwrap_or_default() {
            "sqlite" => Some(Back::Sqlite),
            "postgres" | "postgresql" => Some(Back::Postgres),
            "mysql" | "mariadb" => Some(Back::MySql),
            _ => None,
        }
    }

    /// What is said to a new connection: that it only reads, and how long a query may take: a little longer than
    /// `time`, so that who asks is the first to give up.
    pub(crate) fn before(self, time: Duration) -> Vec<String> {
        let millis = time.as_millis() + 500;
        match self {
            Back::Sqlite => {
                vec!["PRAGMA query_only = ON".to_owned(), "PRAGMA busy_timeout = 2000".to_owned()]
            }
            Back::Postgres => vec![
                "SET default_transaction_read_only = on".to_owned(),
                format!("SET statement_timeout = {millis}"),
            ],
            // MySQL runs the first comment, MariaDB the second.
            Back::MySql => vec![
                "SET SESSION TRANSACTION READ ONLY".to_owned(),
                format!(
                    "SET @mostrador = 0 /*!50708 , SESSION max_execution_time = {millis} */ \
                     /*M!100101 , SESSION max_statement_time = {}.{:03} */",
                    millis / 1000,
                    millis % 1000
                ),
            ],
        }
    }

    /// What begins a transaction that only reads.
    pub(crate) fn begin(self) -> &'static str {
        match self {
            Back::Sqlite => "BEGIN",
            Back::Postgres => "BEGIN READ ONLY",
            Back::MySql => "START TRANSACTION READ ONLY",
        }
    }

    /// A column of `records` as a text, whatever its type.
    pub(crate) fn as_text(self, column: &str) -> String {
        // Named with its table: SQLite takes a quoted name that no column has for a text.
        match self {
            Back::Sqlite | Back::Postgres => {
                format!("CAST(records.\"{}\" AS TEXT)", column.replace('"', "\"\""))
            }
            Back::MySql => format!("CAST(records.`{}` AS CHAR)", column.replace('`', "``")),
        }
    }
}

/// What the environment variable `env` holds, as an address and the database it is of.
///
/// # Errors
/// What is wrong, without a word of the address.
pub(crate) fn address<'a>(env: &str, held: Option<&'a SecretString>) -> Result<(&'a str, Back), String> {
    let address = held.map(|address| address.expose_secret().trim()).filter(|address| !address.is_empty());
    let address = address.ok_or_else(|| {
        format!("the environment variable {env} is not set; set it to the database's address")
    })?;
    let back = Back::of(address).ok_or_else(|| {
        format!("the address in {env} begins with none of sqlite:, postgres: and mysql:; write one of them")
    })?;
    Ok((address, back))
}

/// Makes the drivers known, once.
pub(crate) fn drivers() {
    static DRIVERS: Once = Once::new();
    DRIVERS.call_once(install_default_drivers);
}

/// A SQLite file is opened to be read; other databases are told so once connected.
pub(crate) fn read_only(address: &str) -> String {
    if !address.starts_with("sqlite:") || address.contains("mode=") {
        return address.to_owned();
    }
    format!("{address}{}mode=ro", if address.contains('?') { '&' } else { '?' })
}

/// What a database said, without its address, which holds a password.
pub(crate) fn said(error: &sqlx::Error, address: &str) -> String {
    match error {
        // No word of an error about the address itself is repeated.
        sqlx::Error::Configuration(_) => "its address cannot be read".to_owned(),
        other => other.to_string().replace(address, "[address]"),
    }
}
