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
const STEPS: [(i64, &str, &str); 13] = [
    step!(1, "0001_ledger"),
    step!(2, "0002_inbox"),
    step!(3, "0003_stops"),
    step!(4, "0004_releases"),
    step!(5, "0005_passages"),
    step!(6, "0006_citations"),
    step!(7, "0007_index"),
    step!(8, "0008_calibrations"),
    step!(9, "0009_purse"),
    step!(10, "0010_decisions"),
    step!(11, "0011_counter"),
    step!(12, "0012_lockout"),
    step!(13, "0013_whose_stops"),
];

/// Stands in the header of every database of this program: the letters `mstr`.
const APPLICATION: i64 = 0x6d73_7472;

fn migrator() -> Migrator {
    Migrator::with_migrations(STEPS.map(migration).into())
}

fn migration((number, name, sql): (i64, &'static str, &'static str)) -> Migration {
    Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
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
    use mostrador_answer::money::{Micros, Usage};
    use mostrador_answer::ports::{Caps, Claim, Ledger, ReservationId, UnixMillis};
    use mostrador_answer::question::TurnId;
    use mostrador_answer::stop::Ending;
    use sqlx::ConnectOptions;
    use sqlx::sqlite::SqliteConnectOptions;

    use super::*;
    use crate::{Beside, Month, Store, StoreOptions, Sums};

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

    /// A ledger of before the purse, with a settled and an open reservation in July and one in August 2026.
    const BEFORE: &str = "
        PRAGMA application_id = 0x6d737472;
        INSERT INTO ledger_entries (kind, month, turn, amount, at) VALUES
            ('reserve', '2026-07', 'turn-1', 100, 1785542399999),
            ('reserve', '2026-07', 'turn-2', 50, 1785542399999),
            ('reserve', '2026-08', 'turn-3', 7, 1785542400000);
        INSERT INTO ledger_entries (kind, month, reservation, amount, input_tokens, output_tokens, at)
        VALUES ('settle', '2026-07', 1, 30, 10, 5, 1785542400000);";

    /// An older file gets the steps that are missing, and keeps what it has.
    #[tokio::test]
    async fn a_database_by_an_older_program_is_brought_up_to_date_with_its_ledger() {
        for steps in [4, 8] {
            brought_up_to_date_from(steps).await;
        }
    }

    async fn brought_up_to_date_from(steps: usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mostrador.db");
        let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let mut connection = options.connect().await.unwrap();
        let before = STEPS.iter().take(steps).map(|step| migration(*step)).collect();
        Migrator::with_migrations(before).run_direct(None, &mut connection, false).await.unwrap();
        sqlx::raw_sql(BEFORE).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();

        let store = Store::open(&path, StoreOptions::default()).await.unwrap();
        assert_eq!(store.verify().await.unwrap(), []);
        let july: Month = "2026-07".parse().unwrap();
        let report = store.ledger_report(&july).await.unwrap();
        let sums = Sums { spent: Micros(30), reserved: Micros(50), questions: 2 };
        assert_eq!((report.sums, report.days.len(), report.days[0].day.as_str()), (sums, 1, "2026-07-31"));
        store.begin_file("documents/a.md", "0", "s").await.unwrap();
        // What was open can still be settled, and no number is given twice.
        let at = UnixMillis(1_785_542_400_000);
        store.settle(&ReservationId(2), Micros(20), Usage::default(), at).await.unwrap();
        let claim = Claim { turn: TurnId("turn-4".to_owned()), bound: Micros(1), caps: Caps::default(), at };
        assert!(store.reserve(&claim).await.unwrap().0 > 4);
        assert_eq!(store.ledger_report(&july).await.unwrap().sums.spent, Micros(50));
        assert_eq!(store.verify().await.unwrap(), []);
    }

    /// An inbox of before the counter: one entry decided and sent, one that waits.
    const HELD: &str = "
        PRAGMA application_id = 0x6d737472;
        INSERT INTO inbox (turn, conversation, ending, rule, question, answer, evidence, language, at)
        VALUES ('turn-1', 'talk-1', 'held', 'r', 'q', 'a', '', 'en', 1),
            ('turn-2', 'talk-1', 'held', 'r', 'q', 'a', '', 'en', 2);
        INSERT INTO inbox_decisions VALUES (1, 'approved', 'eva', 3);
        INSERT INTO messages (entry, conversation, question, text, cited, language, at)
        VALUES (1, 'talk-1', 'q', 'a', '[]', 'en', 3);
        INSERT INTO stops (turn, ending, rule, evidence, question, at) VALUES ('turn-1', 'held', 'r', 'e', 'q', 1);";

    #[tokio::test]
    async fn an_inbox_by_an_older_program_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mostrador.db");
        let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let mut connection = options.connect().await.unwrap();
        let before = STEPS.iter().take(10).map(|step| migration(*step)).collect();
        Migrator::with_migrations(before).run_direct(None, &mut connection, false).await.unwrap();
        sqlx::raw_sql(HELD).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();

        let store = Store::open(&path, StoreOptions::default()).await.unwrap();
        let open = store.open_inbox(&Ending::ALL, Beside::After(0), 10).await.unwrap();
        assert_eq!(open.iter().map(|item| item.id).collect::<Vec<_>>(), [2]);
        assert!(store.inbox_entry(1).await.unwrap().unwrap().decided.is_some());
        assert!(store.decide(1, None, "max", UnixMillis(9)).await.is_err());
        store.close_entry(2, "max", UnixMillis(9)).await.unwrap();
        let forgotten = store.forget_before(UnixMillis(10)).await.unwrap();
        assert_eq!((forgotten.entries, forgotten.stops), (2, 1));
    }
}
