//! Between what a column holds and what the story calls it.

use std::str::FromStr;

use mostrador_answer::money::Micros;
use mostrador_answer::stop::Ending;
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Row, Sqlite, Type};

use crate::{Store, StoreError};

impl Store {
    /// An ending by its name.
    pub(crate) fn ending(&self, name: &str) -> Result<Ending, StoreError> {
        let named = Ending::ALL.into_iter().find(|ending| ending.name() == name);
        named.ok_or_else(|| self.damaged(format!("{name:?} is no ending")))
    }

    /// A value by its text.
    pub(crate) fn parsed<T: FromStr<Err: std::fmt::Display>>(&self, text: &str) -> Result<T, StoreError> {
        text.parse().map_err(|error: T::Err| self.damaged(error.to_string()))
    }

    /// A column by its name.
    pub(crate) fn column<'r, T>(&self, row: &'r SqliteRow, name: &str) -> Result<T, StoreError>
    where
        T: Decode<'r, Sqlite> + Type<Sqlite>,
    {
        row.try_get(name).map_err(|error| self.fault(error))
    }

    /// A column that holds JSON.
    pub(crate) fn json(&self, row: &SqliteRow, name: &str) -> Result<serde_json::Value, StoreError> {
        let text: String = self.column(row, name)?;
        serde_json::from_str(&text).map_err(|error| self.damaged(error.to_string()))
    }

    /// A number that is never negative and fits its type.
    pub(crate) fn counted<T: TryFrom<i64>>(&self, number: i64) -> Result<T, StoreError> {
        T::try_from(number).map_err(|_| self.damaged(format!("{number} is out of range")))
    }

    /// An amount of money.
    pub(crate) fn money(&self, micros: i64) -> Result<Micros, StoreError> {
        self.counted(micros).map(Micros)
    }
}

/// A number as the database counts.
pub(crate) fn storable(what: &'static str, number: u64) -> Result<i64, StoreError> {
    i64::try_from(number).map_err(|_| StoreError::TooLarge { what, number })
}

/// At most this many rows; more than the database can count is all of them.
pub(crate) fn rows(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
