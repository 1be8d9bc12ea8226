//! The passages of the shop's documents, kept as one generation that is whole or absent.

use std::collections::HashSet;

use mostrador_answer::passage::{Passage, SourceId, Trust};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use tokio::task::coop::consume_budget;

use crate::rows::storable;
use crate::{Store, StoreError};

/// A passage with its vector, where it has one.
pub type StoredPassage = (Passage, Option<Vec<f32>>);

/// The number of a generation; later ones have higher numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GenerationId(pub i64);

/// A set of passages, made at one time from one state of the documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generation {
    /// Its number.
    pub id: GenerationId,
    /// The fingerprint of the documents it was made from.
    pub fingerprint: String,
    /// The embedder its vectors are by.
    pub embedder: String,
    /// How many passages it has.
    pub passages: u64,
}

const INSERT: &str = "
    INSERT INTO passages (generation, place, source, headings, text, file, language, trust, vector,
        date, valid_until, read_at, first_byte, end_byte, also)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";

const LOAD: &str = "
    SELECT source, headings, text, file, language, trust, vector,
        date, valid_until, read_at, first_byte, end_byte, also FROM passages
    WHERE generation = (SELECT max(id) FROM generations) ORDER BY place";

impl Store {
    /// Puts a new generation in the place of the old one, in one transaction: readers see the old one
    /// until the new one is whole, and a process that dies half-way leaves the old one.
    ///
    /// `passages`: in the order of the documents, names unique. Other writers, the ledger among them,
    /// wait meanwhile: 0.7 s for 10,000 passages of 600 characters with vectors of 384 numbers, 4 s for
    /// 50,000 (measured on two busy cores).
    ///
    /// # Errors
    /// [`StoreError::DuplicateSource`]; others where the database cannot be written.
    pub async fn replace_passages(
        &self,
        fingerprint: &str,
        embedder: &str,
        passages: &[StoredPassage],
    ) -> Result<GenerationId, StoreError> {
        let mut names = HashSet::new();
        if let Some((twice, _)) = passages.iter().find(|(passage, _)| !names.insert(&passage.source)) {
            return Err(StoreError::DuplicateSource(twice.source.clone()));
        }
        let fault = |error| self.fault(error);
        let count = storable("the number of passages", passages.len() as u64)?;

        let mut transaction = self.write().await?;
        sqlx::query("DELETE FROM generations").execute(&mut *transaction).await.map_err(fault)?;
        let generation =
            sqlx::query("INSERT INTO generations (fingerprint, embedder, passages) VALUES (?1, ?2, ?3)")
                .bind(fingerprint)
                .bind(embedder)
                .bind(count)
                .execute(&mut *transaction)
                .await
                .map_err(fault)?
                .last_insert_rowid();
        for (place, (passage, vector)) in (0_i64..).zip(passages) {
            // The answer of the connection's thread is often there at once, and then nothing in this
            // loop would ever let another task run.
            consume_budget().await;
            sqlx::query(INSERT)
                .bind(generation)
                .bind(place)
                .bind(passage.source.as_str())
                .bind(serde_json::Value::from(passage.headings.as_slice()).to_string())
                .bind(&passage.text)
                .bind(&passage.file)
                .bind(passage.language.code())
                .bind(trust_name(passage.trust))
                .bind(vector.as_deref().map(to_bytes))
                .bind(passage.date.as_deref())
                .bind(passage.valid_until.as_deref())
                .bind(passage.read_at)
                .bind(storable("the first byte of a passage", passage.bytes.start)?)
                .bind(storable("the last byte of a passage", passage.bytes.end)?)
                .bind(names_as_json(&passage.also))
                .execute(&mut *transaction)
                .await
                .map_err(fault)?;
        }
        transaction.commit().await.map_err(fault)?;
        Ok(GenerationId(generation))
    }

    /// The current generation; `None` before the first one.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn current_generation(&self) -> Result<Option<Generation>, StoreError> {
        let found: Option<(i64, String, String, i64)> = sqlx::query_as(
            "SELECT id, fingerprint, embedder, passages FROM generations ORDER BY id DESC LIMIT 1",
        )
        .fetch_optional(self.reader())
        .await
        .map_err(|error| self.fault(error))?;
        let Some((id, fingerprint, embedder, passages)) = found else {
            return Ok(None);
        };
        let passages = self.counted(passages)?;
        Ok(Some(Generation { id: GenerationId(id), fingerprint, embedder, passages }))
    }

    /// The passages of the current generation in the order of the documents; none before the first one.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] where a passage cannot be read; others where the database cannot be.
    pub async fn load_passages(&self) -> Result<Vec<StoredPassage>, StoreError> {
        let found = sqlx::query(LOAD).fetch_all(self.reader()).await.map_err(|error| self.fault(error))?;
        found.iter().map(|row| self.passage(row)).collect()
    }

    fn passage(&self, row: &SqliteRow) -> Result<StoredPassage, StoreError> {
        let text = |column| row.try_get::<String, &str>(column).map_err(|error| self.fault(error));
        let source = SourceId::new(text("source")?).map_err(|error| self.damaged(error.to_string()))?;
        let vector: Option<&[u8]> = row.try_get("vector").map_err(|error| self.fault(error))?;
        let vector = vector.map(|bytes| {
            from_bytes(bytes).ok_or_else(|| self.damaged(format!("the vector of {source} is cut off")))
        });
        let number = |column| row.try_get::<i64, &str>(column).map_err(|error| self.fault(error));
        let also: Vec<String> = serde_json::from_str(&text("also")?)
            .map_err(|error| self.damaged(format!("the other names of {source}: {error}")))?;
        let also = also.into_iter().map(SourceId::new).collect::<Result<_, _>>();
        let headings = serde_json::from_str(&text("headings")?)
            .map_err(|error| self.damaged(format!("the headings of {source}: {error}")))?;
        let trust = text("trust")?;
        let passage = Passage {
            headings,
            text: text("text")?,
            file: text("file")?,
            language: self.parsed(&text("language")?)?,
            trust: trust_named(&trust).ok_or_else(|| self.damaged(format!("{trust:?} is no trust")))?,
            date: row.try_get("date").map_err(|error| self.fault(error))?,
            valid_until: row.try_get("valid_until").map_err(|error| self.fault(error))?,
            read_at: row.try_get("read_at").map_err(|error| self.fault(error))?,
            bytes: self.counted(number("first_byte")?)?..self.counted(number("end_byte")?)?,
            also: also.map_err(|error| self.damaged(error.to_string()))?,
            source,
        };
        Ok((passage, vector.transpose()?))
    }
}

fn names_as_json(names: &[SourceId]) -> String {
    serde_json::Value::from_iter(names.iter().map(SourceId::as_str)).to_string()
}

fn trust_name(trust: Trust) -> &'static str {
    match trust {
        Trust::Shop => "shop",
        Trust::Customer => "customer",
    }
}

fn trust_named(name: &str) -> Option<Trust> {
    [Trust::Shop, Trust::Customer].into_iter().find(|trust| trust_name(*trust) == name)
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

    #[tokio::test]
    async fn what_cannot_be_read_is_named() {
        let name = SourceId::new("returns#1").unwrap();
        let passage = Passage::new(name, "b", mostrador_language::Lang::EN);
        let store = Store::in_memory().await.unwrap();
        for (damage, told) in [
            ("UPDATE passages SET vector = x'00'", "the vector of returns#1"),
            ("UPDATE passages SET headings = '['", "the headings of returns#1"),
            ("UPDATE passages SET language = 'English'", "English"),
            ("UPDATE passages SET source = 'returns'", "returns"),
            ("UPDATE passages SET also = '[\"twice\"]'", "twice"),
            ("UPDATE passages SET also = '1'", "the other names of returns#1"),
        ] {
            store.replace_passages("f", "e", &[(passage.clone(), Some(vec![1.0]))]).await.unwrap();
            sqlx::query(damage).execute(store.writer()).await.unwrap();
            let error = store.load_passages().await.unwrap_err();
            assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
            assert!(error.to_string().contains(told), "{error}");
        }
    }
}
