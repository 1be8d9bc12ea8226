//! Reads the records of a CSV or TOML table, each with the line it stands in.

use std::collections::{BTreeMap, HashSet};

use toml::{Spanned, Value};

use crate::error::LookupError;

/// A record: its values by column, trimmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    /// The line it begins in.
    pub(crate) line: usize,
    /// Its values.
    pub(crate) values: BTreeMap<String, String>,
}

/// The first line of a CSV table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    /// The line it stands in.
    pub(crate) line: usize,
    /// The columns, in order.
    pub(crate) columns: Vec<String>,
}

/// A table as read: its columns where it has a header, and its records in the order of the file
/// (CSV) or of their keys (TOML).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) header: Option<Header>,
    pub(crate) rows: Vec<Row>,
}

/// The text of a file's bytes, without a byte order mark.
pub(crate) fn text<'a>(bytes: &'a [u8], file: &str) -> Result<&'a str, LookupError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let whole = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let (line, column) = place(&String::from_utf8_lossy(whole), whole.len());
        LookupError::NotUtf8 { file: file.to_owned(), line, column }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Line and character of a byte offset, both from 1.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// Reads a table with a header and commas between values; empty lines are skipped.
pub(crate) fn csv(text: &str, file: &str) -> Result<Rows, LookupError> {
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let malformed = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        let line = usize::try_from(line).unwrap_or(usize::MAX);
        LookupError::Malformed { file: file.to_owned(), line, column: 1, detail: error.to_string() }
    };
    let mut lines = Lines { text, at: 0, line: 1 };
    let read = reader.headers().map_err(malformed)?;
    let line = lines.of(read);
    let columns: Vec<String> = read.iter().map(str::to_owned).collect();
    if columns.iter().all(String::is_empty) {
        return Err(LookupError::NoHeader { file: file.to_owned() });
    }
    let mut seen = HashSet::new();
    if let Some(column) = columns.iter().find(|column| !seen.insert(column.as_str())) {
        return Err(LookupError::TwoColumns { file: file.to_owned(), line, column: column.clone() });
    }
    let header = Header { line, columns };
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(malformed)?;
        let line = lines.of(&record);
        if record.len() != header.columns.len() {
            let (found, expected) = (record.len(), header.columns.len());
            return Err(LookupError::RowLength { file: file.to_owned(), line, found, expected });
        }
        let mut values = BTreeMap::new();
        for (column, value) in header.columns.iter().zip(&record) {
            values.insert(column.clone(), one_line(value, file, line, column)?);
        }
        rows.push(Row { line, values });
    }
    Ok(Rows { header: Some(header), rows })
}

/// Lines of records in the order of the file. The reader's own count begins a record at the empty lines
/// before it.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn of(&mut self, record: &csv::StringRecord) -> usize {
        let start = record.position().map_or(0, csv::Position::byte);
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let rest = self.text.get(start..).unwrap_or_default();
        let start = start + rest.len() - rest.trim_start_matches(['\r', '\n']).len();
        let passed = self.text.get(self.at..start).unwrap_or_default();
        self.line += passed.matches('\n').count();
        self.at = start.max(self.at);
        self.line
    }
}

/// Reads a table a record, named by its key; `key` is the column that name stands for.
/// Texts are taken by their value, everything else as it is written.
pub(crate) fn toml(text: &str, file: &str, key: &str) -> Result<Rows, LookupError> {
    type Tables = BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, Spanned<Value>>>;
    let tables: Tables = toml::from_str(text).map_err(|error| {
        let (line, column) = place(text, error.span().map_or(0, |span| span.start));
        let detail = error.message().replace('\n', " ");
        LookupError::Malformed { file: file.to_owned(), line, column, detail }
    })?;
    let mut rows = Vec::with_capacity(tables.len());
    for (name, fields) in tables {
        let (line, _) = place(text, name.span().start);
        let mut values = BTreeMap::from([(key.to_owned(), name.get_ref().trim().to_owned())]);
        for (column, value) in fields {
            let (line, _) = place(text, column.span().start);
            let column = column.into_inner();
            let shown = shown(&value, text).map_err(|kind| LookupError::BadValue {
                file: file.to_owned(),
                line,
                column: column.clone(),
                kind,
            })?;
            let shown = one_line(shown, file, line, &column)?;
            if values.insert(column.clone(), shown).is_some() {
                return Err(LookupError::TwoColumns { file: file.to_owned(), line, column });
            }
        }
        rows.push(Row { line, values });
    }
    Ok(Rows { header: None, rows })
}

fn shown<'a>(value: &'a Spanned<Value>, text: &'a str) -> Result<&'a str, &'static str> {
    match value.get_ref() {
        Value::String(text) => Ok(text),
        Value::Array(_) => Err("a list"),
        Value::Table(_) => Err("a table"),
        _ => Ok(text.get(value.span()).unwrap_or_default()),
    }
}

/// A value on one line. In CSV, one over several lines is nearly always a quotation mark left open, which
/// would put other people's records into this one.
fn one_line(value: &str, file: &str, line: usize, column: &str) -> Result<String, LookupError> {
    if value.trim().contains(['\n', '\r']) {
        let (file, column) = (file.to_owned(), column.to_owned());
        return Err(LookupError::BadValue { file, line, column, kind: "a text over several lines" });
    }
    Ok(value.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_trimmed_and_kept_with_their_line() {
        let read =
            csv("\u{feff}id , state\n\n 7 ,\" sent, twice \"\n8,\n".trim_start_matches('\u{feff}'), "o.csv");
        let read = read.unwrap();
        assert_eq!(read.header.unwrap(), Header { line: 1, columns: vec!["id".into(), "state".into()] });
        let shown: Vec<_> = read.rows.iter().map(|row| (row.line, row.values["state"].as_str())).collect();
        assert_eq!(shown, [(3, "sent, twice"), (4, "")]);
    }

    #[test]
    fn toml_values_are_shown_as_written() {
        let text = "[7]\nstate = \"sent \"\nparcels = 1_000\neta = 2026-11-03\nweight = 1.50\ngift = true\n[\" a b \"]\n";
        let read = toml(text, "o.toml", "id").unwrap();
        let values: Vec<_> = read.rows.iter().map(|row| (row.line, row.values["id"].as_str())).collect();
        assert_eq!(values, [(7, "a b"), (1, "7")]);
        let shown =
            ["state", "parcels", "eta", "weight", "gift"].map(|key| read.rows[1].values[key].as_str());
        assert_eq!(shown, ["sent", "1_000", "2026-11-03", "1.50", "true"]);
    }

    #[test]
    fn the_first_byte_that_is_no_text_is_named() {
        let error = text(b"id,state\n7,caf\xe9\n", "o.csv").unwrap_err();
        assert_eq!(error, LookupError::NotUtf8 { file: "o.csv".into(), line: 2, column: 6 });
        assert_eq!(text("\u{feff}id".as_bytes(), "o.csv").unwrap(), "id");
    }

    proptest! {
        #[test]
        fn any_text_is_a_table_or_an_error(text in "[a-c,\"\n\r =\\[\\]1.#é]{0,60}") {
            if let Ok(read) = csv(&text, "o.csv") {
                let columns = read.header.unwrap().columns.len();
                prop_assert!(read.rows.iter().all(|row| row.values.len() == columns));
            }
            if let Ok(read) = toml(&text, "o.toml", "id") {
                prop_assert!(read.rows.iter().all(|row| row.values.contains_key("id")));
            }
        }

        #[test]
        fn any_bytes_are_a_text_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(text(&bytes, "o.csv").is_ok(), std::str::from_utf8(&bytes).is_ok());
        }
    }
}
