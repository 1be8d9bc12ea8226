//! The tables, brought up to date when a database is opened.

use std::time::Duration;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{Connection, SqlSafeStr, SqliteConnection};

use crate::StoreError;

macro_rules! step {
    ($number:literal, $file:literal) => {
        ($number, $file, include_str!(concat!("../../../migrations/sqlite/", $file, ".sql")))
    };
}

/// Every step, oldest first. One that was ever released is never edited: a database remembers its hash.
///
/// Embedded by hand: `sqlx::migrate!` needs the feature `macros`, which builds the driver and SQLite
/// a second time for the compiler, and does not notice a new file.
const STEPS: [(i64, &str, &str); 9] = [
    step!(1, "0001_ledger"),
    step!(2, "0002_inbox"),
    step!(3, "0003_stops"),
    step!(4, "0004_releases"),
    step!(5, "0005_passages"),
    step!(6, "0006_citations"),
    step!(7, "0007_index"),
    step!(8, "0008_calibrations"),
    step!(10, "0010_decisions"),
];

/// Stands in the header of every database of this program: the letters `mstr`.
const APPLICATION: i64 = 0x6d73_7472;

fn migrator() -> Migrator {
    let steps = STEPS.map(|(number, name, sql)| {
        Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(steps.into())
}

/// Brings the schema up to date, or says why it cannot be. A database that is up to date is only read,
/// so that opening one never waits for a writer.
pub(crate) async fn prepare(
    connection: &mut SqliteConnection,
    place: &str,
    waited: Duration,
) -> Result<(), StoreError> {
    let fault = |error| StoreError::from_database(place, waited, error);
    if whose(connection).await.map_err(fault)? == Owner::Ours && !pending(connection).await.map_err(fault)? {
        return run(connection, place, waited).await;
    }
    // The driver itself neither locks nor begins immediately for SQLite: two processes would both make
    // the tables. Inside this transaction its own become savepoints.
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(fault)?;
    // Asked again: another process may have been faster.
    if whose(&mut transaction).await.map_err(fault)? == Owner::SomebodyElse {
        return Err(StoreError::NotOurs { place: place.to_owned() });
    }
    run(&mut transaction, place, waited).await?;
    sqlx::query("PRAGMA application_id = 0x6d737472").execute(&mut *transaction).await.map_err(fault)?;
    transaction.commit().await.map_err(fault)
}

async fn run(connection: &mut SqliteConnection, place: &str, waited: Duration) -> Result<(), StoreError> {
    let known = STEPS.last().map_or(0, |(number, ..)| *number);
    migrator()
        .run_direct(None, connection, false)
        .await
        .map_err(|error| StoreError::from_migration(place, waited, known, error))
}

#[derive(PartialEq, Eq)]
enum Owner {
    Ours,
    Nobody,
    SomebodyElse,
}

/// A database with tables and without our mark is somebody else's: nothing is added to it.
async fn whose(connection: &mut SqliteConnection) -> Result<Owner, sqlx::Error> {
    let application: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *connection).await?;
    if application == APPLICATION {
        return Ok(Owner::Ours);
    }
    let objects: i64 =
        sqlx::query_scalar("SELECT count(*) FROM sqlite_schema").fetch_one(&mut *connection).await?;
    Ok(if application == 0 && objects == 0 { Owner::Nobody } else { Owner::SomebodyElse })
}

/// Whether a step of this program is missing.
async fn pending(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    let done: Vec<i64> =
        sqlx::query_scalar("SELECT version FROM _sqlx_migrations").fetch_all(connection).await?;
    Ok(!STEPS.iter().all(|(number, ..)| done.contains(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_a_step() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations/sqlite");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let steps: Vec<String> = STEPS.iter().map(|(_, name, _)| format!("{name}.sql")).collect();
        assert_eq!(files, steps);
        assert!(STEPS.is_sorted_by(|(one, ..), (next, ..)| one < next));
        for (number, name, _) in STEPS {
            assert!(name.starts_with(&format!("{number:04}_")), "{name}");
        }
    }
}
