//! Generations: which files are searched, and which of the folders is current.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::files::FileId;
use crate::rows::storable;
use crate::{Store, StoreError};

/// The number of a generation; later ones have higher numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GenerationId(pub i64);

/// What is searched, made at one time from one state of the documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generation {
    /// Its number.
    pub id: GenerationId,
    /// The fingerprint of the documents it was made from.
    pub fingerprint: String,
    /// The embedder its vectors are by.
    pub embedder: String,
    /// The length of its vectors; 0 where it has none.
    pub dimension: usize,
    /// A hash of what its passages say.
    pub corpus: String,
    /// How many files it is of.
    pub files: u64,
    /// How many passages it has.
    pub passages: u64,
}

/// Rows deleted in one transaction: the ledger waits meanwhile.
const STEP: i64 = 500;

type Columns = (i64, String, String, i64, String, i64, i64);

impl Store {
    /// The current generation; `None` before the first one.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn current_generation(&self) -> Result<Option<Generation>, StoreError> {
        let found: Option<Columns> = sqlx::query_as(
            "SELECT id, fingerprint, embedder, dimension, corpus, files, passages
             FROM generations WHERE state = 'current'",
        )
        .fetch_optional(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        let Some((id, fingerprint, embedder, dimension, corpus, files, passages)) = found else {
            return Ok(None);
        };
        Ok(Some(Generation {
            id: GenerationId(id),
            fingerprint,
            embedder,
            dimension: self.counted(dimension)?,
            corpus,
            files: self.counted(files)?,
            passages: self.counted(passages)?,
        }))
    }

    /// The number of the current generation: what every turn asks.
    pub(crate) async fn current_id(&self) -> Result<Option<GenerationId>, StoreError> {
        let found = sqlx::query_scalar("SELECT id FROM generations WHERE state = 'current'")
            .fetch_optional(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        Ok(found.map(GenerationId))
    }

    /// The files of a generation, in order.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn generation_files(&self, generation: GenerationId) -> Result<Vec<FileId>, StoreError> {
        let files =
            sqlx::query_scalar("SELECT file FROM generation_files WHERE generation = ?1 ORDER BY place")
                .bind(generation.0)
                .fetch_all(self.reader())
                .await
                .map_err(|error| self.fault(error))?;
        Ok(files.into_iter().map(FileId).collect())
    }

    /// Begins a generation of these files; it is nobody's until it is current.
    pub(crate) async fn begin_generation(&self, files: &[FileId]) -> Result<GenerationId, StoreError> {
        let fault = |error| self.fault(error);
        let id = sqlx::query(
            "INSERT INTO generations (state, fingerprint, embedder, dimension, corpus, files, passages)
             VALUES ('building', '', '', 0, '', 0, 0)",
        )
        .execute(self.writer())
        .await
        .map_err(fault)?
        .last_insert_rowid();
        let mut place = 0_i64;
        for files in files.chunks(1_000) {
            let rows = serde_json::Value::from_iter(files.iter().map(|file| file.0)).to_string();
            sqlx::query(
                "INSERT INTO generation_files (generation, place, file)
                 SELECT ?1, ?2 + key, value FROM json_each(?3)",
            )
            .bind(id)
            .bind(place)
            .bind(rows)
            .execute(self.writer())
            .await
            .map_err(fault)?;
            place += i64::try_from(files.len()).unwrap_or_default();
        }
        Ok(GenerationId(id))
    }

    /// Makes a generation current, in one transaction: whoever asks sees the old one whole, or this.
    pub(crate) async fn make_current(&self, generation: &Generation) -> Result<(), StoreError> {
        let fault = |error| self.fault(error);
        let number = |what, number| storable(what, number);
        let mut transaction = self.write().await?;
        sqlx::query("UPDATE generations SET state = 'old' WHERE state = 'current'")
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
        sqlx::query(
            "UPDATE generations SET state = 'current', fingerprint = ?2, embedder = ?3, dimension = ?4,
             corpus = ?5, files = ?6, passages = ?7 WHERE id = ?1",
        )
        .bind(generation.id.0)
        .bind(&generation.fingerprint)
        .bind(&generation.embedder)
        .bind(number("the length of a vector", generation.dimension as u64)?)
        .bind(&generation.corpus)
        .bind(number("the number of files", generation.files)?)
        .bind(number("the number of passages", generation.passages)?)
        .execute(&mut *transaction)
        .await
        .map_err(fault)?;
        transaction.commit().await.map_err(fault)
    }

    /// Deletes what no generation but the current one needs, leftovers of runs that died among it, in small
    /// steps. Only the holder of the [`IndexLock`] may. A search that holds an old folder goes on in it.
    ///
    /// # Errors
    /// [`StoreError`] where the database or the folder cannot be written.
    pub async fn tidy(&self, folder: Option<&Path>) -> Result<(), StoreError> {
        let current = self.current_id().await?;
        self.sweep("DELETE FROM generation_files WHERE (generation, place) IN (SELECT generation, place
            FROM generation_files WHERE generation IN (SELECT id FROM generations WHERE state <> 'current') LIMIT ?1)")
            .await?;
        self.sweep("DELETE FROM generations WHERE id IN (SELECT id FROM generations WHERE state <> 'current' LIMIT ?1)")
            .await?;
        self.sweep(
            "DELETE FROM passages WHERE id IN (SELECT passages.id FROM passages JOIN files ON files.id = file
            WHERE NOT EXISTS (SELECT 1 FROM generation_files AS used WHERE used.file = files.id) LIMIT ?1)",
        )
        .await?;
        self.sweep(
            "DELETE FROM files WHERE id IN (SELECT id FROM files
            WHERE NOT EXISTS (SELECT 1 FROM generation_files AS used WHERE used.file = files.id) LIMIT ?1)",
        )
        .await?;
        self.sweep(
            "DELETE FROM vectors WHERE id IN (SELECT id FROM vectors
            WHERE used < (SELECT id FROM generations WHERE state = 'current') LIMIT ?1)",
        )
        .await?;
        if let Some(folder) = folder {
            remove_others(folder, current).map_err(|source| StoreError::index(folder, source))?;
        }
        Ok(())
    }

    async fn sweep(&self, step: &'static str) -> Result<(), StoreError> {
        loop {
            let done = sqlx::query(step).bind(STEP).execute(self.writer()).await;
            if done.map_err(|error| self.fault(error))?.rows_affected() == 0 {
                return Ok(());
            }
        }
    }
}

/// The folder of a generation.
pub(crate) fn generation_folder(folder: &Path, generation: GenerationId) -> PathBuf {
    folder.join(format!("gen-{}", generation.0))
}

fn remove_others(folder: &Path, current: Option<GenerationId>) -> io::Result<()> {
    let kept = current.map(|current| generation_folder(folder, current));
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        let ours = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("gen-"));
        if ours && Some(&path) != kept.as_ref() {
            fs::remove_dir_all(&path)?;
        }
    }
    Ok(())
}

/// Held by the one process that writes the index; let go when dropped, or when the process ends.
#[derive(Debug)]
pub struct IndexLock(#[expect(dead_code, reason = "closing the file lets the lock go")] File);

impl IndexLock {
    /// Takes the lock; `None` where another process has it.
    ///
    /// # Errors
    /// [`StoreError::Index`] where the folder cannot be made or written.
    pub fn take(folder: &Path) -> Result<Option<Self>, StoreError> {
        let fault = |source| StoreError::index(folder, source);
        let file = Self::file(folder).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(fault(error)),
        }
    }

    /// Takes the lock once nobody else has it.
    ///
    /// # Errors
    /// As [`IndexLock::take`].
    pub async fn wait(folder: &Path) -> Result<Self, StoreError> {
        let place = folder.to_owned();
        let locked = tokio::task::spawn_blocking(move || {
            let file = Self::file(&place)?;
            file.lock()?;
            Ok(Self(file))
        });
        let locked = locked.await.unwrap_or_else(|error| Err(io::Error::other(error)));
        locked.map_err(|source| StoreError::index(folder, source))
    }

    fn file(folder: &Path) -> io::Result<File> {
        fs::create_dir_all(folder)?;
        File::options().create(true).truncate(false).write(true).open(folder.join("lock"))
    }
}
