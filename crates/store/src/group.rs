//! Group commit: writes that wait at the same moment share one transaction, and are acknowledged behind its commit.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteQueryResult};
use sqlx::{Sqlite, SqliteConnection};
use tokio::sync::oneshot;

use crate::{Store, StoreError};

/// A write that may share its transaction with others. It changes something in one statement at most, so that one
/// that fails has changed nothing, and needs no savepoint.
#[async_trait]
pub(crate) trait Work: Send + 'static {
    /// What it gives.
    type Done: Send + 'static;

    /// Does it, once.
    async fn run(
        &mut self,
        store: &Store,
        connection: &mut SqliteConnection,
    ) -> Result<Self::Done, StoreError>;
}

/// One statement whose parameters are bound.
pub(crate) struct Statement(Option<Query<'static, Sqlite, SqliteArguments>>);

impl Statement {
    pub(crate) fn new(query: Query<'static, Sqlite, SqliteArguments>) -> Self {
        Self(Some(query))
    }
}

#[async_trait]
impl Work for Statement {
    type Done = SqliteQueryResult;

    async fn run(
        &mut self,
        store: &Store,
        connection: &mut SqliteConnection,
    ) -> Result<Self::Done, StoreError> {
        match self.0.take() {
            Some(query) => query.execute(connection).await.map_err(|error| store.fault(error)),
            None => Ok(SqliteQueryResult::default()),
        }
    }
}

/// A work with whoever waits for it.
struct Waiting<W: Work> {
    work: W,
    done: Option<Result<W::Done, StoreError>>,
    to: oneshot::Sender<Result<W::Done, StoreError>>,
}

#[async_trait]
trait Job: Send {
    /// Does the work and keeps what it gave; an error is one that the whole transaction has.
    async fn run(&mut self, store: &Store, connection: &mut SqliteConnection) -> Result<(), StoreError>;

    /// Says what it gave, once the transaction is committed, or why it was not.
    fn tell(self: Box<Self>, committed: Result<(), &StoreError>);
}

#[async_trait]
impl<W: Work> Job for Waiting<W> {
    async fn run(&mut self, store: &Store, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let done = self.work.run(store, connection).await;
        let ends = done.as_ref().err().filter(|error| error.ends_transaction()).map(StoreError::again);
        self.done = Some(done);
        ends.map_or(Ok(()), Err)
    }

    fn tell(self: Box<Self>, committed: Result<(), &StoreError>) {
        // Whoever has left hears nothing; what they asked for is done all the same.
        match (committed, self.done) {
            (Ok(()), Some(done)) => drop(self.to.send(done)),
            (Ok(()), None) => {}
            (Err(error), _) => drop(self.to.send(Err(error.again()))),
        }
    }
}

#[derive(Default)]
struct Queue {
    jobs: Vec<Box<dyn Job>>,
    led: bool,
}

/// Who waits to be written.
#[derive(Default)]
pub(crate) struct Group(Mutex<Queue>);

impl std::fmt::Debug for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Group")
    }
}

impl Group {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins; `true`: nobody leads, so whoever joined has to start somebody who does.
    fn join(&self, job: Box<dyn Job>) -> bool {
        let mut queue = self.queue();
        queue.jobs.push(job);
        !std::mem::replace(&mut queue.led, true)
    }

    /// Everything that waits now; `None`: nothing does, and nobody leads any longer.
    fn take(&self) -> Option<Vec<Box<dyn Job>>> {
        let mut queue = self.queue();
        if queue.jobs.is_empty() {
            queue.led = false;
            return None;
        }
        Some(std::mem::take(&mut queue.jobs))
    }
}

/// The task that writes. If it is torn down with its runtime, those who wait are told instead of waiting for ever, and
/// the next one to come leads again.
struct Leader {
    store: Store,
    done: bool,
}

impl Leader {
    async fn lead(mut self) {
        // Never waited for: under load the next ones gather while these are written.
        while let Some(mut jobs) = self.store.group().take() {
            let committed = self.store.commit(&mut jobs).await;
            for job in jobs {
                job.tell(committed.as_ref().copied());
            }
        }
        self.done = true;
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        if !self.done {
            let left = {
                let mut queue = self.store.group().queue();
                queue.led = false;
                std::mem::take(&mut queue.jobs)
            };
            drop(left);
        }
    }
}

impl Store {
    /// Does a write together with whatever else waits to be written. Once this returns it outlives the process; a
    /// caller who leaves before that leaves it done or not done, as a whole.
    pub(crate) async fn grouped<W: Work>(&self, work: W) -> Result<W::Done, StoreError> {
        let (to, done) = oneshot::channel();
        if self.group().join(Box::new(Waiting { work, done: None, to })) {
            // A task of its own: a caller that is dropped takes nobody else's write with it.
            tokio::spawn(Leader { store: self.clone(), done: false }.lead());
        }
        done.await.unwrap_or_else(|_| Err(self.cut_off()))
    }

    async fn commit(&self, jobs: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        if let [job] = jobs {
            // One statement is a transaction by itself, and takes the write lock before it reads.
            let mut alone = self.writer().acquire().await.map_err(|error| self.fault(error))?;
            return job.run(self, &mut alone).await;
        }
        let mut transaction = self.write().await?;
        for job in jobs {
            job.run(self, &mut transaction).await?;
        }
        transaction.commit().await.map_err(|error| self.fault(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoreOptions;

    /// Adds a row, where the table takes it, or never ends.
    enum Try {
        Add(i64),
        Endless,
    }

    #[async_trait]
    impl Work for Try {
        type Done = u64;

        async fn run(&mut self, store: &Store, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
            match self {
                Try::Add(number) => {
                    let query = sqlx::query("INSERT INTO numbers VALUES (?1)").bind(*number);
                    let done = query.execute(connection).await.map_err(|error| store.fault(error))?;
                    Ok(done.rows_affected())
                }
                Try::Endless => std::future::pending().await,
            }
        }
    }

    async fn numbers(store: &Store) -> Vec<i64> {
        sqlx::query_scalar("SELECT n FROM numbers ORDER BY n").fetch_all(store.reader()).await.unwrap()
    }

    async fn store() -> (Store, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mostrador.db");
        let store = Store::open(&path, StoreOptions::default()).await.unwrap();
        let table = "CREATE TABLE numbers (n INTEGER PRIMARY KEY CHECK (n < 100))";
        sqlx::query(table).execute(store.writer()).await.unwrap();
        (store, folder)
    }

    #[tokio::test]
    async fn an_error_of_one_undoes_no_other() {
        let (store, _folder) = store().await;
        // All six wait before the first is begun, so that they share a transaction.
        let six = [1, 2, 100, 2, 3, 4].map(|number| store.grouped(Try::Add(number)));
        let done = futures_util::future::join_all(six).await;
        assert_eq!(
            done.iter().map(Result::is_ok).collect::<Vec<_>>(),
            [true, true, false, false, true, true]
        );
        assert_eq!(numbers(&store).await, [1, 2, 3, 4]);
    }

    #[tokio::test]
    async fn whoever_leaves_takes_no_other_write_along() {
        let (store, _folder) = store().await;
        for round in 0..20 {
            let mut leaving = Box::pin(store.grouped(Try::Add(2 * round)));
            // Polled once: it has joined and started the one who leads.
            assert!(futures_util::poll!(leaving.as_mut()).is_pending());
            let staying = store.grouped(Try::Add(2 * round + 1));
            drop(leaving);
            assert_eq!(staying.await.unwrap(), 1);
        }
        assert_eq!(numbers(&store).await, (0..40).collect::<Vec<_>>());
    }

    #[test]
    fn a_runtime_that_is_torn_down_leaves_nobody_waiting() {
        let first = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let second =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (store, _folder) = second.block_on(store());
        first.block_on(async {
            let mut endless = Box::pin(store.grouped(Try::Endless));
            assert!(futures_util::poll!(endless.as_mut()).is_pending());
        });
        let waiting = second.spawn({
            let store = store.clone();
            async move { store.grouped(Try::Add(1)).await }
        });
        while store.group().queue().jobs.len() < 2 {
            std::thread::yield_now();
        }
        drop(first);
        assert!(matches!(second.block_on(waiting).unwrap(), Err(StoreError::CutOff { .. })));
        assert_eq!(second.block_on(store.grouped(Try::Add(2))).unwrap(), 1);
        assert_eq!(second.block_on(numbers(&store)), [2]);
    }

    #[tokio::test]
    async fn what_cannot_be_committed_is_told_to_everybody() {
        let (store, _folder) = store().await;
        store.close().await;
        let two = [1, 2].map(|number| store.grouped(Try::Add(number)));
        for done in futures_util::future::join_all(two).await {
            assert!(matches!(done, Err(StoreError::Database { .. })), "{done:?}");
        }
    }
}
