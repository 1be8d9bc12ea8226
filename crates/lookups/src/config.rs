//! How a table is configured, and whether its file has what the configuration names.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use mostrador_answer::passage::Trust;
use mostrador_language::Texts;

use crate::error::{LookupError, Role};
use crate::rows::{self, Rows};
use crate::template::Template;

/// How a table is to be looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableConfig {
    /// The look-up's name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The table: a `.csv` file with a header and commas, or a `.toml` file with a table a record, named
    /// by its key.
    pub file: PathBuf,
    /// The path as the shop writes it, for messages.
    pub shown: String,
    /// The column with a record's number; also the name of the one parameter.
    pub key: String,
    /// What a number looks like, as a regular expression for the whole of it.
    pub pattern: Option<String>,
    /// The column with the customer a record belongs to. `None`: the shop has declared the records
    /// public, and whoever knows the number may read the result.
    pub owner: Option<String>,
    /// What is said of a record, with columns in braces: `{order_id} — {status}`.
    pub result: String,
    /// Whose words the records are.
    pub trust: Trust,
    /// The texts for errors: `unknown_record` (with `{value}`, or the key column's name in braces),
    /// `missing_field` and `bad_field` (with `{field}`).
    pub texts: Texts,
    /// How long a look-up may take. It is kept by whoever calls, not here.
    pub timeout: Duration,
}

/// Reads the table of a configuration.
pub(crate) fn read(config: &TableConfig) -> Result<Rows, LookupError> {
    let file = || config.shown.clone();
    let extension = config.file.extension().and_then(|extension| extension.to_str());
    let is = |wanted: &str| extension.is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
    if !is("csv") && !is("toml") {
        return Err(LookupError::UnknownFormat { file: file() });
    }
    let bytes = std::fs::read(&config.file).map_err(|error| match error.kind() {
        ErrorKind::NotFound => LookupError::Missing { file: file() },
        _ => LookupError::Unreadable { file: file(), detail: error.to_string() },
    })?;
    let text = rows::text(&bytes, &config.shown)?;
    if is("csv") { rows::csv(text, &config.shown) } else { rows::toml(text, &config.shown, &config.key) }
}

/// Every column that is named is there: in the header, or, where there is none, in every record.
pub(crate) fn check_columns(
    config: &TableConfig,
    template: &Template,
    rows: &Rows,
) -> Result<(), LookupError> {
    let owner = config.owner.as_deref().map(|owner| (owner, Role::Owner));
    let results = template.columns().map(|column| (column, Role::Result));
    let needed: Vec<_> = [(config.key.as_str(), Role::Key)].into_iter().chain(owner).chain(results).collect();
    let check = |line: usize, columns: Vec<&str>| {
        let missing = needed.iter().find(|(column, _)| !columns.contains(column));
        missing.map_or(Ok(()), |(column, role)| {
            Err(LookupError::MissingColumn {
                file: config.shown.clone(),
                line,
                column: (*column).to_owned(),
                role: *role,
                found: columns.join(", "),
            })
        })
    };
    match &rows.header {
        Some(header) => check(header.line, header.columns.iter().map(String::as_str).collect()),
        None => rows
            .rows
            .iter()
            .try_for_each(|row| check(row.line, row.values.keys().map(String::as_str).collect())),
    }
}
