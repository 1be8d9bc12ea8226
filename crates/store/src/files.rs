//! The texts of the shop's files as they were read, and the vectors of what was embedded.

use std::collections::HashMap;

use mostrador_answer::passage::Passage;
use sqlx::sqlite::SqliteRow;

use crate::snapshot::hex;
use crate::{GenerationId, Store, StoreError};

/// A file as it was read once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub(crate) i64);

/// Equal where two passages say the same.
pub type SameKey = [u8; 16];

/// The most passages written in one transaction: a few milliseconds, since the ledger waits meanwhile.
pub const BATCH: usize = 200;

const ADD: &str = "
    INSERT INTO passages (file, n, source, same, passage)
    SELECT ?1, value ->> 0, value ->> 1, unhex(value ->> 2), value ->> 3 FROM json_each(?2)";

const CACHED: &str = "
    SELECT text, vector FROM vectors
    WHERE embedder = ?1 AND text IN (SELECT unhex(value) FROM json_each(?2))";

/// A passage of a file as it is kept.
pub(crate) struct Kept {
    pub(crate) id: i64,
    pub(crate) n: i64,
    pub(crate) passage: Passage,
}

/// What tells passages apart, without their texts.
pub(crate) struct Outline {
    pub(crate) id: i64,
    pub(crate) n: i64,
    pub(crate) source: String,
    pub(crate) same: Vec<u8>,
}

impl Store {
    /// A file with these bytes that was read whole under these settings, and of which nothing was to be told.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn kept_file(
        &self,
        path: &str,
        content: &str,
        settings: &str,
    ) -> Result<Option<FileId>, StoreError> {
        let found = sqlx::query_scalar(
            "SELECT id FROM files WHERE path = ?1 AND content = ?2 AND settings = ?3
             AND complete = 1 AND again = 0 ORDER BY id DESC LIMIT 1",
        )
        .bind(path)
        .bind(content)
        .bind(settings)
        .fetch_optional(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        Ok(found.map(FileId))
    }

    /// Begins to keep a file. Until [`Store::finish_file`] it is nobody's.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn begin_file(&self, path: &str, content: &str, settings: &str) -> Result<FileId, StoreError> {
        let done = sqlx::query("INSERT INTO files (path, content, settings) VALUES (?1, ?2, ?3)")
            .bind(path)
            .bind(content)
            .bind(settings)
            .execute(self.writer())
            .await
            .map_err(|error| self.fault(error))?;
        Ok(FileId(done.last_insert_rowid()))
    }

    /// Adds passages to a file that was begun, `first` of them being there already. At most [`BATCH`] at a
    /// time keep the ledger from waiting.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn add_passages(
        &self,
        file: FileId,
        first: u64,
        passages: &[(Passage, SameKey)],
    ) -> Result<(), StoreError> {
        let row = |(n, (passage, same)): (u64, &(Passage, SameKey))| {
            let json = serde_json::to_string(passage).map_err(|error| self.damaged(error.to_string()))?;
            Ok(serde_json::json!([n, passage.source.as_str(), hex(same), json]))
        };
        let rows = (first..).zip(passages).map(row).collect::<Result<Vec<_>, StoreError>>()?;
        sqlx::query(ADD)
            .bind(file.0)
            .bind(serde_json::Value::from(rows).to_string())
            .execute(self.writer())
            .await
            .map_err(|error| self.fault(error))?;
        Ok(())
    }

    /// Says that all of a file is kept. `again`: it is to be read again next time, changed or not.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn finish_file(&self, file: FileId, again: bool) -> Result<(), StoreError> {
        sqlx::query("UPDATE files SET complete = 1, again = ?2 WHERE id = ?1")
            .bind(file.0)
            .bind(again)
            .execute(self.writer())
            .await
            .map_err(|error| self.fault(error))?;
        Ok(())
    }

    /// The next passages of a file after `after`, at most `limit`.
    pub(crate) async fn kept(&self, file: FileId, after: i64, limit: i64) -> Result<Vec<Kept>, StoreError> {
        let rows =
            self.page("SELECT id, n, passage FROM passages WHERE file = ?1 AND n > ?2 ORDER BY n LIMIT ?3");
        let rows = rows.bind(file.0).bind(after).bind(limit).fetch_all(self.reader()).await;
        let kept = |row: &SqliteRow| {
            let (id, n) = (self.column(row, "id")?, self.column(row, "n")?);
            let text: String = self.column(row, "passage")?;
            let passage = serde_json::from_str(&text)
                .map_err(|error| self.damaged(format!("passage {n} of file {}: {error}", file.0)))?;
            Ok(Kept { id, n, passage })
        };
        rows.map_err(|error| self.fault(error))?.iter().map(kept).collect()
    }

    /// The same without the texts.
    pub(crate) async fn outlines(
        &self,
        file: FileId,
        after: i64,
        limit: i64,
    ) -> Result<Vec<Outline>, StoreError> {
        let rows = self
            .page("SELECT id, n, source, same FROM passages WHERE file = ?1 AND n > ?2 ORDER BY n LIMIT ?3");
        let rows = rows.bind(file.0).bind(after).bind(limit).fetch_all(self.reader()).await;
        let outline = |row: &SqliteRow| {
            let (id, n) = (self.column(row, "id")?, self.column(row, "n")?);
            Ok(Outline { id, n, source: self.column(row, "source")?, same: self.column(row, "same")? })
        };
        rows.map_err(|error| self.fault(error))?.iter().map(outline).collect()
    }

    fn page(
        &self,
        sql: &'static str,
    ) -> sqlx::query::Query<'static, sqlx::Sqlite, sqlx::sqlite::SqliteArguments> {
        sqlx::query(sql)
    }

    /// The vectors known for these texts, by the hash of each.
    pub(crate) async fn cached_vectors(
        &self,
        embedder: &str,
        texts: &[[u8; 32]],
    ) -> Result<HashMap<[u8; 32], Vec<f32>>, StoreError> {
        let rows = sqlx::query(CACHED).bind(embedder).bind(hashes(texts)).fetch_all(self.reader()).await;
        let vector = |row: &SqliteRow| {
            let (text, bytes): (Vec<u8>, Vec<u8>) = (self.column(row, "text")?, self.column(row, "vector")?);
            let text =
                text.try_into().map_err(|_| self.damaged("the hash of an embedded text is cut off"))?;
            Ok((text, from_bytes(&bytes).ok_or_else(|| self.damaged("a vector is cut off"))?))
        };
        rows.map_err(|error| self.fault(error))?.iter().map(vector).collect()
    }

    /// Takes over the vectors that another store keeps of an embedder, so that a store in memory embeds only what
    /// is new to both.
    ///
    /// # Errors
    /// [`StoreError`] where one cannot be read or the other not written.
    pub async fn borrow_vectors(&self, from: &Store, embedder: &str) -> Result<(), StoreError> {
        let kept: Vec<(Vec<u8>, Vec<u8>)> =
            sqlx::query_as("SELECT text, vector FROM vectors WHERE embedder = ?1 ORDER BY id")
                .bind(embedder)
                .fetch_all(from.reader())
                .await
                .map_err(|error| from.fault(error))?;
        let mut transaction = self.write().await?;
        for (text, vector) in kept {
            sqlx::query("INSERT OR IGNORE INTO vectors (embedder, text, vector) VALUES (?1, ?2, ?3)")
                .bind(embedder)
                .bind(text)
                .bind(vector)
                .execute(&mut *transaction)
                .await
                .map_err(|error| self.fault(error))?;
        }
        transaction.commit().await.map_err(|error| self.fault(error))
    }

    /// Keeps vectors, and says that a generation has these texts.
    pub(crate) async fn cache_vectors(
        &self,
        embedder: &str,
        generation: GenerationId,
        new: &[([u8; 32], Vec<f32>)],
        used: &[[u8; 32]],
    ) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        for (text, vector) in new {
            sqlx::query(
                "INSERT INTO vectors (embedder, text, vector) VALUES (?1, ?2, ?3)
                 ON CONFLICT (embedder, text) DO UPDATE SET vector = excluded.vector",
            )
            .bind(embedder)
            .bind(text.as_slice())
            .bind(to_bytes(vector))
            .execute(&mut *transaction)
            .await
            .map_err(|error| self.fault(error))?;
        }
        sqlx::query(
            "UPDATE vectors SET used = ?3
             WHERE embedder = ?1 AND text IN (SELECT unhex(value) FROM json_each(?2))",
        )
        .bind(embedder)
        .bind(hashes(used))
        .bind(generation.0)
        .execute(&mut *transaction)
        .await
        .map_err(|error| self.fault(error))?;
        transaction.commit().await.map_err(|error| self.fault(error))
    }
}

fn hashes(texts: &[[u8; 32]]) -> String {
    serde_json::Value::from_iter(texts.iter().map(|text| hex(text))).to_string()
}

fn to_bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// `None` where the bytes are no whole number of floats.
fn from_bytes(bytes: &[u8]) -> Option<Vec<f32>> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_vector_reads_back_to_the_bit(bits in prop::collection::vec(any::<u32>(), 0..50)) {
            let vector: Vec<f32> = bits.iter().map(|bits| f32::from_bits(*bits)).collect();
            let read = from_bytes(&to_bytes(&vector)).unwrap();
            prop_assert_eq!(read.iter().map(|number| number.to_bits()).collect::<Vec<_>>(), bits);
        }

        #[test]
        fn any_bytes_are_a_vector_or_none(bytes in prop::collection::vec(any::<u8>(), 0..50)) {
            prop_assert_eq!(from_bytes(&bytes).map(|vector| vector.len() * 4), (bytes.len() % 4 == 0).then_some(bytes.len()));
        }
    }
}
