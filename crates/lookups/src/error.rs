//! What can be wrong with a look-up or with how it is configured.

/// What a column is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The record's number, by which it is asked for.
    Key,
    /// The customer it belongs to.
    Owner,
    /// A value of the result.
    Result,
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Role::Key => "key",
            Role::Owner => "owner",
            Role::Result => "result",
        })
    }
}

/// A look-up that cannot be loaded. `file` is the path as the shop writes it; lines and columns of a
/// text count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// The query of the records does something else than reading.
    #[error("`sql` of [records] must be one query that begins with SELECT or WITH, without `;`; write it so")]
    NotAQuery,
    /// There is no such file.
    #[error("{file}: there is no such file; put the table there, or correct the `file` of the look-up")]
    Missing {
        /// The table.
        file: String,
    },
    /// The file cannot be read.
    #[error("{file}: cannot be read ({detail}); check that it is a file this program may read")]
    Unreadable {
        /// The table.
        file: String,
        /// What the system said.
        detail: String,
    },
    /// The file's name says neither CSV nor TOML.
    #[error("{file}: a table is a .csv or a .toml file; rename it or write one of the two")]
    UnknownFormat {
        /// The table.
        file: String,
    },
    /// The bytes are no text.
    #[error("{file}:{line}:{column}: not UTF-8; save the file with that encoding")]
    NotUtf8 {
        /// The table.
        file: String,
        /// Where the first wrong byte is.
        line: usize,
        /// The character of that line.
        column: usize,
    },
    /// The text is no table.
    #[error("{file}:{line}:{column}: {detail}; correct it")]
    Malformed {
        /// The table.
        file: String,
        /// Where.
        line: usize,
        /// The character of that line.
        column: usize,
        /// What is wrong.
        detail: String,
    },
    /// A CSV file without a header.
    #[error("{file}:1: the table is empty; write the names of its columns in the first line")]
    NoHeader {
        /// The table.
        file: String,
    },
    /// Two columns of one name.
    #[error("{file}:{line}: there are two columns {column:?}; rename one or take it out")]
    TwoColumns {
        /// The table.
        file: String,
        /// The line of the header, or of the record.
        line: usize,
        /// The column.
        column: String,
    },
    /// A column that is needed is not there.
    #[error(
        "{file}:{line}: there is no column {column:?}, which the {role} of the look-up names; there are: {found}"
    )]
    MissingColumn {
        /// The table.
        file: String,
        /// The line of the header, or of the record that lacks it.
        line: usize,
        /// The column.
        column: String,
        /// What it is needed for.
        role: Role,
        /// The columns there are, comma between.
        found: String,
    },
    /// A row with more or fewer values than the header has columns.
    #[error("{file}:{line}: the row has {found} values and the header {expected}; correct the row")]
    RowLength {
        /// The table.
        file: String,
        /// The row.
        line: usize,
        /// Values in the row.
        found: usize,
        /// Columns of the header.
        expected: usize,
    },
    /// A value that cannot be shown in a sentence.
    #[error("{file}:{line}: the value of {column:?} is {kind}; write a text, a number or a date on one line")]
    BadValue {
        /// The table.
        file: String,
        /// The record.
        line: usize,
        /// The column.
        column: String,
        /// What it is.
        kind: &'static str,
    },
    /// A record without a number.
    #[error("{file}:{line}: {column:?} is empty; give the record its number or take it out")]
    EmptyKey {
        /// The table.
        file: String,
        /// The record.
        line: usize,
        /// The key column.
        column: String,
    },
    /// Two records with one number.
    #[error("{file}:{line}: {key:?} is already in line {first}; keep one of the two")]
    DuplicateKey {
        /// The table.
        file: String,
        /// The second record.
        line: usize,
        /// The first record.
        first: usize,
        /// The number of both.
        key: String,
    },
    /// A record that the pattern would keep anybody from finding.
    #[error("{file}:{line}: {key:?} does not fit the look-up's pattern {pattern:?}; correct one of the two")]
    KeyOutsidePattern {
        /// The table.
        file: String,
        /// The record.
        line: usize,
        /// Its number.
        key: String,
        /// The pattern.
        pattern: String,
    },
    /// A pattern that is no regular expression.
    #[error(
        "the look-up {name:?} has a pattern {pattern:?} that is not a regular expression; correct it: {detail}"
    )]
    BadPattern {
        /// The look-up.
        name: String,
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        detail: String,
    },
    /// A result that says nothing of the record.
    #[error(
        "the look-up {name:?} has a result that names no column; write one in braces, such as \"{{{key}}}\""
    )]
    NoColumn {
        /// The look-up.
        name: String,
        /// The key column, as an example.
        key: String,
    },
    /// A text that the look-up needs for its errors.
    #[error("the look-up {name:?} has no text {text}; add it to the shop's texts")]
    MissingText {
        /// The look-up.
        name: String,
        /// The text's name.
        text: &'static str,
    },
    /// A parameter that a look-up cannot take.
    #[error("the look-up {name:?}: the parameter {parameter:?} {detail}")]
    BadParameter {
        /// The look-up.
        name: String,
        /// The parameter.
        parameter: String,
        /// What is wrong with it and what to do.
        detail: String,
    },
    /// A query that cannot be a look-up's.
    #[error("the look-up {name:?}: `sql` {detail}")]
    BadQuery {
        /// The look-up.
        name: String,
        /// What is wrong with it and what to do.
        detail: String,
    },
    /// An address that cannot be a look-up's.
    #[error("the look-up {name:?}: `url` {detail}")]
    BadUrl {
        /// The look-up.
        name: String,
        /// What is wrong with it and what to do.
        detail: String,
    },
    /// A result that cannot be made.
    #[error("the look-up {name:?}: {detail}")]
    BadResult {
        /// The look-up.
        name: String,
        /// What is wrong and what to do.
        detail: String,
    },
}
