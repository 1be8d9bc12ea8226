//! Opening the database: one file, or one in memory.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Sqlite, Transaction};
use tokio::time::{Instant, sleep};

use crate::group::Group;
use crate::{StoreError, schema};

/// How a store is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreOptions {
    /// How long to wait for another process that holds the database; 5 seconds by default.
    pub busy_timeout: Duration,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self { busy_timeout: Duration::from_secs(5) }
    }
}

/// Readers beside the one writer; they never wait for it.
const READERS: u32 = 4;

/// What waiting for a connection of our own may take on top of waiting for another process:
/// room for a burst of writes, since they queue for one connection.
const QUEUE: Duration = Duration::from_secs(2);

/// How often a first opening is tried again while another process makes the same file.
const RETRY: Duration = Duration::from_millis(10);

/// The most the driver takes without a panic is `i32::MAX` milliseconds.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The database. Clones share it; calls may come from any task at once.
#[derive(Debug, Clone)]
pub struct Store {
    // SQLite has one writer at a time. With one connection for it the tasks of this process queue
    // fairly here, instead of polling for the file's lock against each other.
    writer: SqlitePool,
    reader: SqlitePool,
    place: Arc<str>,
    waited: Duration,
    group: Arc<Group>,
    // How another connection is made; `None` in memory, where there is one.
    beside: Option<SqliteConnectOptions>,
    // Whether what was forgotten may still stand in the log.
    lingering: Arc<AtomicBool>,
}

impl Store {
    /// Opens the database at `path`, made if it is not there, with its folder. Its schema is brought
    /// up to date; nothing is written where it is.
    ///
    /// # Errors
    /// The error names the path: [`StoreError::Folder`], [`StoreError::Locked`],
    /// [`StoreError::NotWritable`], [`StoreError::NotOurs`] for a file that is something else,
    /// [`StoreError::Newer`] for one by a later version of this program, [`StoreError::OtherSchema`].
    pub async fn open(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|source| StoreError::Folder { folder: folder.to_owned(), source })?;
        }
        let wait = options.busy_timeout.min(LONGEST_WAIT);
        let place: Arc<str> = format!("the store {}", path.display()).into();
        // Two processes that make the same file at once: the switch to WAL fails for one of them
        // without waiting (https://www.sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode).
        let deadline = Instant::now() + wait;
        loop {
            match Self::connect(path, wait, &place).await {
                Err(error) if error.is_locked() && Instant::now() < deadline => sleep(RETRY).await,
                done => return done,
            }
        }
    }

    async fn connect(path: &Path, wait: Duration, place: &Arc<str>) -> Result<Self, StoreError> {
        // A name such as `:memory:` or `file:x` has a meaning of its own for SQLite, `./file:x` has not.
        let path = if path.is_relative() { Path::new(".").join(path) } else { path.to_owned() };
        let common = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(wait)
            .foreign_keys(true)
            .disable_statement_logging();
        let writing = common
            .clone()
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // What is erased is overwritten, not only given up.
            .pragma("secure_delete", "ON")
            // In WAL mode a commit outlives the process; the last ones can be lost to a power cut,
            // the file stays whole.
            .synchronous(SqliteSynchronous::Normal);
        let reading = common.clone().pragma("query_only", "ON");

        let fault = |error| StoreError::from_database(place, wait, error);
        let writer = pool(1, wait).connect_with(writing).await.map_err(fault)?;
        let store = Self {
            writer,
            reader: pool(READERS, wait).connect_lazy_with(reading),
            place: Arc::clone(place),
            waited: wait,
            group: Arc::default(),
            beside: Some(common),
            lingering: Arc::default(),
        };
        store.ready().await
    }

    /// A database in memory, gone with the last clone; one connection serves every caller in turn.
    ///
    /// # Errors
    /// [`StoreError::Database`] where there is no memory for it.
    pub async fn in_memory() -> Result<Self, StoreError> {
        let wait = StoreOptions::default().busy_timeout;
        let place: Arc<str> = "the store in memory".into();
        let options = SqliteConnectOptions::new().foreign_keys(true).disable_statement_logging();
        let only = pool(1, wait)
            .connect_with(options)
            .await
            .map_err(|error| StoreError::from_database(&place, wait, error))?;
        let store = Self {
            writer: only.clone(),
            reader: only,
            place,
            waited: wait,
            group: Arc::default(),
            beside: None,
            lingering: Arc::default(),
        };
        store.ready().await
    }

    async fn ready(self) -> Result<Self, StoreError> {
        let prepared = match self.writer.acquire().await {
            Ok(mut connection) => schema::prepare(&mut connection, &self.place, self.waited).await,
            Err(error) => Err(self.fault(error)),
        };
        if let Err(error) = prepared {
            self.close().await;
            return Err(error);
        }
        Ok(self)
    }

    /// Closes the database for every clone, once what is running is done; the write-ahead log is
    /// folded into the file. Later calls fail. Without it nothing is lost, the log stays beside the file.
    pub async fn close(&self) {
        self.reader.close().await;
        self.writer.close().await;
    }

    /// The connection that writes. A single statement on it is a transaction by itself and takes the
    /// write lock before it reads.
    pub(crate) fn writer(&self) -> &SqlitePool {
        &self.writer
    }

    /// Connections that only read, each statement in a snapshot of its own.
    pub(crate) fn reader(&self) -> &SqlitePool {
        &self.reader
    }

    pub(crate) fn group(&self) -> &Group {
        &self.group
    }

    /// A transaction that holds the write lock from its first moment, so that nothing it has read
    /// can change before it writes. Dropped, it undoes itself.
    pub(crate) async fn write(&self) -> Result<Transaction<'static, Sqlite>, StoreError> {
        self.writer.begin_with("BEGIN IMMEDIATE").await.map_err(|error| self.fault(error))
    }

    pub(crate) fn fault(&self, error: sqlx::Error) -> StoreError {
        StoreError::from_database(&self.place, self.waited, error)
    }

    pub(crate) fn unbalanced(&self, day: String) -> StoreError {
        StoreError::Unbalanced { place: self.place.to_string(), day }
    }

    pub(crate) fn beside(&self) -> Option<&SqliteConnectOptions> {
        self.beside.as_ref()
    }

    pub(crate) fn lingering(&self) -> bool {
        self.lingering.load(Ordering::Relaxed)
    }

    pub(crate) fn set_lingering(&self, lingers: bool) {
        self.lingering.store(lingers, Ordering::Relaxed);
    }

    pub(crate) fn cut_off(&self) -> StoreError {
        StoreError::CutOff { place: self.place.to_string() }
    }

    pub(crate) fn damaged(&self, detail: impl Into<String>) -> StoreError {
        StoreError::Damaged { place: self.place.to_string(), detail: detail.into() }
    }
}

fn pool(connections: u32, wait: Duration) -> SqlitePoolOptions {
    // Connections live as long as the pool: the one in memory is the database, and a local file has
    // no far end that could hang up.
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(wait + QUEUE)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}
