//! What can go wrong with the store, and what the operator can do about it.

use std::path::PathBuf;
use std::time::Duration;

use mostrador_answer::approval::Decided;
use sqlx::error::DatabaseError;
use sqlx::migrate::MigrateError;

use crate::{Closed, Taken};

/// A store that could not do what it was asked. Nothing was changed by the call that returns it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder of the database cannot be made.
    #[error(
        "the folder {folder} cannot be made; make it, or see that there is room and that this user may write where it belongs"
    )]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another process or connection holds the database.
    #[error(
        "{place} is locked: another process has held it for more than {waited:?}; \
         wait until it is done or stop it, then try again"
    )]
    Locked {
        /// Which store.
        place: String,
        /// How long was waited.
        waited: Duration,
    },
    /// This process's own connection was not free in time.
    #[error(
        "{place} is busy: no connection was free within {waited:?}; \
         wait until what is being written is done, or find the process that holds the store"
    )]
    Busy {
        /// Which store.
        place: String,
        /// How long was waited.
        waited: Duration,
    },
    /// The file cannot be opened or written.
    #[error(
        "{place} cannot be opened for writing ({detail}); \
         check that it is a file and that this user may write it and its folder"
    )]
    NotWritable {
        /// Which store.
        place: String,
        /// What the database said.
        detail: String,
    },
    /// The file is something else.
    #[error("{place} is not a database of this program; move the file away or name another place")]
    NotOurs {
        /// Which store.
        place: String,
    },
    /// The file was written by a newer version of this program.
    #[error(
        "{place} was written by a newer version of this program (its schema is {found}, \
         this one knows {known}); update this program or name another place"
    )]
    Newer {
        /// Which store.
        place: String,
        /// The schema of the file.
        found: i64,
        /// The newest schema this program knows.
        known: i64,
    },
    /// A step of the file's schema is not the one this program would have made.
    #[error(
        "{place} differs from this program in step {step} of its schema; \
         use the version that wrote it, or name another place"
    )]
    OtherSchema {
        /// Which store.
        place: String,
        /// The step.
        step: i64,
    },
    /// No room is left.
    #[error("{place} cannot grow, the disk is full; free some room and try again")]
    Full {
        /// Which store.
        place: String,
    },
    /// Something in the file cannot be read.
    #[error("{place} is damaged: {detail}; restore it from a backup")]
    Damaged {
        /// Which store.
        place: String,
        /// What cannot be read.
        detail: String,
    },
    /// The folder of the index cannot be written.
    #[error(
        "the index in {folder} cannot be written: {source}; check that this user may write there and that there is room"
    )]
    Index {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another process is writing the index.
    #[error("another process is indexing this shop; wait until it is done or stop it, then try again")]
    Indexing,
    /// Nothing was indexed yet, and it is not done by the way.
    #[error("this shop has no index by the embedder {now:?} yet; run `mostrador index` on its folder")]
    NotIndexed {
        /// The embedder of the shop.
        now: String,
    },
    /// The index was made with another embedder than the one in use: their vectors say nothing to each other.
    #[error(
        "the index was made with the embedder {had:?}, the shop now has {now:?}; run `mostrador index` on its folder"
    )]
    OtherEmbedder {
        /// The embedder of the index.
        had: String,
        /// The embedder of the shop.
        now: String,
    },
    /// The texts could not be embedded.
    #[error("the passages could not be embedded: {0}; what was embedded is kept, run the command again")]
    Embedding(#[from] mostrador_answer::ports::Unavailable),
    /// A moment that is in no month a ledger is kept for.
    #[error("{0} milliseconds after 1970 is in no year from 0 to 9999; set the clock")]
    BadTime(i64),
    /// A text that is no month.
    #[error("{0:?} is not a month; write year and month, such as \"2026-07\"")]
    BadMonth(String),
    /// A number that the database cannot hold.
    #[error("{what} {number} is more than a store can keep; check where it comes from")]
    TooLarge {
        /// What the number is.
        what: &'static str,
        /// The number.
        number: u64,
    },
    /// A reservation that was never made.
    #[error("there is no reservation {0}; settle with the name that reserving gave")]
    NoReservation(i64),
    /// A reservation that was settled before.
    #[error("reservation {0} is settled already; nothing was changed")]
    SettledBefore(i64),
    /// An entry of the inbox that is not there, or that does not wait for approval.
    #[error(
        "entry {0} of the inbox is not there or does not wait for approval; `mostrador inbox` lists those that do"
    )]
    NotHeld(i64),
    /// A decision that was made before.
    #[error(
        "entry {entry} was {} by {:?} on {}; a decision is made once, and nothing was changed",
        decided.decision.name(), decided.person, decided.at.day()
    )]
    DecidedBefore {
        /// The entry.
        entry: i64,
        /// The decision.
        decided: Decided,
    },
    /// A conversation that is not there, or is another customer's.
    #[error("there is no conversation {0:?} for this customer; open one first")]
    NoConversation(String),
    /// A name that a conversation has already.
    #[error("there is a conversation {0:?} already; open one under a new name")]
    OpenBefore(String),
    /// A conversation that somebody else has.
    #[error("{:?} has had this conversation since {}; ask them to give it back", taken.person, taken.at.day())]
    TakenBefore {
        /// Who, and since when.
        taken: Taken,
    },
    /// A conversation that this person, or anybody, would have to have first.
    #[error("conversation {0:?} is not taken over by this person; take it over first")]
    NotTaken(String),
    /// A turn that was kept before.
    #[error("turn {0:?} is kept already; nothing was changed")]
    KeptBefore(String),
    /// The month's amounts would add up to more than can be counted.
    #[error("the amounts of {month} would pass {}, the most that can be counted; check the prices", i64::MAX)]
    Overflow {
        /// The month.
        month: String,
    },
    /// The totals of a day are not what its entries add up to.
    #[error(
        "{place}: the totals of {day} are not what its entries add up to, so nothing may be spent by them; \
         `mostrador ledger verify` on the shop's folder says what differs, then restore a backup"
    )]
    Unbalanced {
        /// Which store.
        place: String,
        /// The day.
        day: String,
    },
    /// An entry of the inbox that is not there, or whose texts were forgotten.
    #[error("there is no entry {0} in the inbox any longer; list those that are open")]
    NoEntry(i64),
    /// An entry that was closed before.
    #[error(
        "entry {entry} was {} by {:?} on {}; it is closed once, and nothing was changed",
        closed.how.name(), closed.person, closed.at.day()
    )]
    ClosedBefore {
        /// The entry.
        entry: i64,
        /// How it ended.
        closed: Closed,
    },
    /// A name that an operator has.
    #[error("there is an operator {0:?} already; choose another name")]
    NameTaken(String),
    /// An operator who is not there.
    #[error("there is no operator {0}; list those there are")]
    NoOperator(i64),
    /// The last owner would be none any longer.
    #[error("this is the last owner who can sign in; make somebody else an owner first")]
    LastOwner,
    /// Something lies where a backup should be written.
    #[error("{0} is there already; name a file that is not")]
    BackupThere(PathBuf),
    /// A backup that cannot be written.
    #[error("the backup {file} cannot be written: {source}; check the folder and that there is room")]
    Backup {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A write whose task was torn down: whether it was done is not known.
    #[error("{place}: a write was cut off, since this program is ending; look whether it was kept")]
    CutOff {
        /// Which store.
        place: String,
    },
    /// Anything else the database said.
    #[error("{place} failed: {source}; try again, and restore a backup if it goes on")]
    Database {
        /// Which store.
        place: String,
        /// What it said.
        source: sqlx::Error,
    },
}

/// Primary result codes of SQLite, <https://www.sqlite.org/rescode.html>.
mod code {
    pub(super) const PERM: i64 = 3;
    pub(super) const BUSY: i64 = 5;
    pub(super) const LOCKED: i64 = 6;
    pub(super) const READONLY: i64 = 8;
    pub(super) const CORRUPT: i64 = 11;
    pub(super) const FULL: i64 = 13;
    pub(super) const CANTOPEN: i64 = 14;
    pub(super) const TOOBIG: i64 = 18;
    pub(super) const CONSTRAINT: i64 = 19;
    pub(super) const AUTH: i64 = 23;
    pub(super) const NOTADB: i64 = 26;
}

/// An extended code keeps the primary one in its low byte.
fn primary_code(error: &dyn DatabaseError) -> Option<i64> {
    Some(error.code()?.parse::<i64>().ok()? & 0xff)
}

impl StoreError {
    /// Says what an error of the database means for the store at `place`.
    pub(crate) fn from_database(place: &str, waited: Duration, error: sqlx::Error) -> Self {
        let place = place.to_owned();
        let said = match &error {
            sqlx::Error::Database(said) => said,
            sqlx::Error::PoolTimedOut => return Self::Busy { place, waited },
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
                return Self::Damaged { place, detail: error.to_string() };
            }
            _ => return Self::Database { place, source: error },
        };
        match primary_code(said.as_ref()) {
            Some(code::BUSY | code::LOCKED) => Self::Locked { place, waited },
            Some(code::PERM | code::READONLY | code::CANTOPEN | code::AUTH) => {
                Self::NotWritable { place, detail: said.message().to_owned() }
            }
            Some(code::CORRUPT) => Self::Damaged { place, detail: said.message().to_owned() },
            Some(code::NOTADB) => Self::NotOurs { place },
            Some(code::FULL) => Self::Full { place },
            _ => Self::Database { place, source: error },
        }
    }

    /// Says what an error of a migration means; `known` is the newest schema of this program.
    pub(crate) fn from_migration(place: &str, waited: Duration, known: i64, error: MigrateError) -> Self {
        match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
                Self::from_database(place, waited, error)
            }
            MigrateError::VersionMissing(found) if found > known => {
                Self::Newer { place: place.to_owned(), found, known }
            }
            MigrateError::VersionMissing(step)
            | MigrateError::VersionMismatch(step)
            | MigrateError::Dirty(step) => Self::OtherSchema { place: place.to_owned(), step },
            other => Self::Database { place: place.to_owned(), source: other.into() },
        }
    }

    pub(crate) fn index(folder: &std::path::Path, source: std::io::Error) -> Self {
        Self::Index { folder: folder.to_owned(), source }
    }

    /// Whether the transaction in which it came up may be gone with it, and not only the statement
    /// (<https://www.sqlite.org/lang_transaction.html>, "Response To Errors Within A Transaction").
    pub(crate) fn ends_transaction(&self) -> bool {
        match self {
            Self::Locked { .. } | Self::Busy { .. } | Self::Full { .. } | Self::NotWritable { .. } => true,
            Self::Database { source: sqlx::Error::Database(said), .. } => {
                !matches!(primary_code(said.as_ref()), Some(code::CONSTRAINT | code::TOOBIG))
            }
            Self::Database { .. } => true,
            _ => false,
        }
    }

    /// The same once more, for somebody else who waited for the same transaction.
    pub(crate) fn again(&self) -> Self {
        match self {
            Self::Locked { place, waited } => Self::Locked { place: place.clone(), waited: *waited },
            Self::Busy { place, waited } => Self::Busy { place: place.clone(), waited: *waited },
            Self::NotWritable { place, detail } => {
                Self::NotWritable { place: place.clone(), detail: detail.clone() }
            }
            Self::NotOurs { place } => Self::NotOurs { place: place.clone() },
            Self::Full { place } => Self::Full { place: place.clone() },
            Self::Damaged { place, detail } => Self::Damaged { place: place.clone(), detail: detail.clone() },
            Self::Database { place, source } => {
                Self::Database { place: place.clone(), source: sqlx::Error::Protocol(source.to_string()) }
            }
            other => Self::Database {
                place: "the store".to_owned(),
                source: sqlx::Error::Protocol(other.to_string()),
            },
        }
    }

    /// Whether trying again later may help, since somebody else has the database now.
    pub(crate) fn is_locked(&self) -> bool {
        matches!(self, Self::Locked { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions, SqliteConnection};

    async fn fault(connection: &mut SqliteConnection, sql: &'static str) -> StoreError {
        let error = sqlx::query(sql).execute(connection).await.unwrap_err();
        StoreError::from_database("the store x.db", Duration::from_secs(5), error)
    }

    #[tokio::test]
    async fn a_code_becomes_what_the_operator_can_do() {
        let mut connection = SqliteConnectOptions::new().connect().await.unwrap();
        sqlx::query("CREATE TABLE t (n INTEGER)").execute(&mut connection).await.unwrap();

        sqlx::query("PRAGMA max_page_count = 2").execute(&mut connection).await.unwrap();
        let full = fault(&mut connection, "INSERT INTO t VALUES (zeroblob(1000000))").await;
        assert!(matches!(full, StoreError::Full { .. }), "{full}");

        sqlx::query("PRAGMA query_only = ON").execute(&mut connection).await.unwrap();
        let read_only = fault(&mut connection, "INSERT INTO t VALUES (1)").await;
        assert!(matches!(read_only, StoreError::NotWritable { .. }), "{read_only}");

        let other = fault(&mut connection, "SELECT nothing FROM t").await;
        assert!(matches!(other, StoreError::Database { .. }), "{other}");
    }

    #[test]
    fn a_wait_for_our_own_connection_is_not_blamed_on_another_process() {
        let error = StoreError::from_database("the store x.db", Duration::ZERO, sqlx::Error::PoolTimedOut);
        assert!(matches!(error, StoreError::Busy { .. }), "{error}");
    }
}
