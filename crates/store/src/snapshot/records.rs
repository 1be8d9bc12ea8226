//! The passages of a snapshot with their stems, one after the other, and what filters ask of each.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use mostrador_answer::passage::{Passage, SourceId, Trust};
use mostrador_answer::ports::{Filter, Found};
use mostrador_language::Lang;
use serde::{Deserialize, Serialize};

use super::bytes::{Bytes, Sink, Sum};

const TEXTS: &str = "passages.json";
const PLACES: &str = "passages.places";
const ORIGINS: &str = "origins.json";
const ORIGIN_OF: &str = "origins.rows";

/// A passage as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct Record<P, S> {
    passage: P,
    stems: S,
}

/// What a filter can ask of a passage. There are about as many as there are documents.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Origin {
    language: Lang,
    customer: bool,
    pub(crate) file: String,
    pub(crate) date: Option<String>,
    valid_until: Option<String>,
}

impl Origin {
    fn of(passage: &Passage) -> Self {
        Self {
            language: passage.language,
            customer: passage.trust == Trust::Customer,
            file: passage.file.clone(),
            date: passage.date.clone(),
            valid_until: passage.valid_until.clone(),
        }
    }

    /// Asked of a passage without a text, so that the rule stands in one place.
    fn fits(&self, filter: &Filter, source: &SourceId) -> bool {
        filter.fits(&Passage {
            file: self.file.clone(),
            trust: if self.customer { Trust::Customer } else { Trust::Shop },
            date: self.date.clone(),
            valid_until: self.valid_until.clone(),
            ..Passage::new(source.clone(), "", self.language)
        })
    }
}

/// Takes passage after passage.
pub(crate) struct RecordsWriter {
    texts: Sink,
    places: Sink,
    origin_of: Sink,
    rows: Vec<u32>,
    origins: Vec<Origin>,
    known: HashMap<Origin, u32>,
    folder: Option<std::path::PathBuf>,
}

impl RecordsWriter {
    pub(crate) fn new(folder: Option<&Path>) -> io::Result<Self> {
        let mut places = Sink::new(folder, PLACES)?;
        places.put(&0_u64.to_le_bytes())?;
        Ok(Self {
            texts: Sink::new(folder, TEXTS)?,
            places,
            origin_of: Sink::new(folder, ORIGIN_OF)?,
            rows: Vec::new(),
            origins: Vec::new(),
            known: HashMap::new(),
            folder: folder.map(Path::to_owned),
        })
    }

    pub(crate) fn add(&mut self, passage: &Passage, stems: &[String]) -> io::Result<()> {
        self.texts.put(&serde_json::to_vec(&Record { passage, stems })?)?;
        self.places.put(&self.texts.written().to_le_bytes())?;
        let origin = Origin::of(passage);
        let number = match self.known.get(&origin) {
            Some(number) => *number,
            None => {
                let number = u32::try_from(self.origins.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
                self.origins.push(origin.clone());
                self.known.insert(origin, number);
                number
            }
        };
        self.rows.push(number);
        self.origin_of.put(&number.to_le_bytes())
    }

    pub(crate) fn finish(self) -> io::Result<(Records, [Sum; 4])> {
        let mut origins = Sink::new(self.folder.as_deref(), ORIGINS)?;
        origins.put(&serde_json::to_vec(&self.origins)?)?;
        let (texts, first) = self.texts.finish()?;
        let (places, second) = self.places.finish()?;
        let (_, third) = origins.finish()?;
        let (_, fourth) = self.origin_of.finish()?;
        let records = Records { texts, places, origins: self.origins, rows: self.rows };
        Ok((records, [first, second, third, fourth]))
    }
}

/// The passages, by number.
#[derive(Debug)]
pub(crate) struct Records {
    texts: Bytes,
    places: Bytes,
    origins: Vec<Origin>,
    /// The origin of each passage.
    rows: Vec<u32>,
}

impl Records {
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        let open = |name: &str| Bytes::open(&folder.join(name));
        let rows = open(ORIGIN_OF)?.whole()?;
        Ok(Self {
            texts: open(TEXTS)?,
            places: open(PLACES)?,
            origins: serde_json::from_slice(&open(ORIGINS)?.whole()?)?,
            rows: rows.as_chunks::<4>().0.iter().map(|row| u32::from_le_bytes(*row)).collect(),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the files agree with each other.
    pub(crate) fn fit(&self) -> bool {
        self.places.len() == (self.rows.len() as u64 + 1) * 8
            && self.rows.iter().all(|origin| (*origin as usize) < self.origins.len())
    }

    /// One flag a passage; `None` where all fit.
    pub(crate) fn fitting(&self, filter: &Filter) -> Option<Vec<bool>> {
        if *filter == Filter::default() {
            return None;
        }
        let nameless = SourceId::new("any#0").ok()?;
        let fit: Vec<bool> = self.origins.iter().map(|origin| origin.fits(filter, &nameless)).collect();
        if fit.iter().all(|fits| *fits) {
            return None;
        }
        Some(self.rows.iter().map(|origin| fit.get(*origin as usize).copied().unwrap_or(false)).collect())
    }

    /// The numbers of passages whose file lies below `folder` and that fit, newest first, those without a
    /// day last, ties by number.
    pub(crate) fn newest(&self, folder: &str, filter: &Filter, limit: usize) -> Vec<u32> {
        let filter = Filter { files: vec![folder.to_owned()], ..filter.clone() };
        let Some(nameless) = SourceId::new("any#0").ok() else {
            return Vec::new();
        };
        let day = |origin: &Origin| origin.fits(&filter, &nameless).then(|| origin.date.clone());
        let days: Vec<Option<Option<String>>> = self.origins.iter().map(day).collect();
        let mut found: Vec<(u32, &Option<String>)> = (0..)
            .zip(&self.rows)
            .filter_map(|(number, origin)| Some((number, days.get(*origin as usize)?.as_ref()?)))
            .collect();
        // A stable sort: ties keep the order of the documents.
        found.sort_by(|(_, a), (_, b)| b.cmp(a));
        found.into_iter().take(limit).map(|(number, _)| number).collect()
    }

    /// A passage with its stems.
    pub(crate) fn found(&self, number: u32) -> io::Result<Found> {
        let mut place = [0; 16];
        self.places.read_at(u64::from(number) * 8, &mut place)?;
        let [from, to] = [place.first_chunk(), place.last_chunk()]
            .map(|at| u64::from_le_bytes(at.copied().unwrap_or_default()));
        let length = to.checked_sub(from).filter(|length| from + length <= self.texts.len());
        let length =
            length.and_then(|length| usize::try_from(length).ok()).ok_or(io::ErrorKind::InvalidData)?;
        let mut text = vec![0; length];
        self.texts.read_at(from, &mut text)?;
        let record: Record<Passage, Vec<String>> = serde_json::from_slice(&text)?;
        Ok(Found { passage: Arc::new(record.passage), stems: record.stems.into() })
    }
}
