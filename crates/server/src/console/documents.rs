//! The documents: how fresh each is, and which contradict each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use mostrador_answer::gate::{Contradiction, contradictions};
use mostrador_answer::passage::{Passage, Trust};
use mostrador_answer::ports::UnixMillis;
use mostrador_shop::counter::RECORDS;
use mostrador_store::Snapshot;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

use super::fault::Fault;
use super::shell::{Here, Shell, moment, page};
use super::visit::{Reads, Signed, Visit};

/// What was found in the documents of one state: finding it takes a while, and they seldom change.
#[derive(Debug, Default)]
pub(super) struct Conflicts(Mutex<Option<(String, Arc<Vec<Contradiction>>)>>);

/// A file of the shop's.
#[derive(Debug, Default)]
struct File {
    name: String,
    passages: usize,
    languages: Vec<String>,
    /// The latest day that one of its passages bears.
    date: Option<String>,
    read_at: Option<String>,
    /// The first day after which a part of it is not used any more.
    until: Option<String>,
    over: bool,
    outsiders: bool,
}

/// Two statements that do not go together.
struct Pair {
    one: Side,
    other: Side,
}

struct Side {
    source: String,
    value: String,
    sentence: String,
}

#[derive(Template)]
#[template(path = "documents.html")]
struct DocumentsPage {
    page: Shell,
    files: Vec<File>,
    passages: usize,
    pairs: Vec<Pair>,
    /// Whether these are not the ones that customers are answered from.
    newer: bool,
}

/// All files with what their passages say of themselves, and the pairs that contradict each other.
pub(super) async fn show(visit: Signed<Reads>) -> Result<Response, Fault> {
    let version = visit.app.version();
    let snapshot = version.counter.snapshot().await.map_err(|error| {
        Fault::broken(error);
        Fault::Away
    })?;
    let passages = passages(snapshot.clone()).await?;
    let found = conflicts(&visit, &snapshot, &passages).await?;
    let side = |statement: &mostrador_answer::gate::Statement| Side {
        source: statement.source.to_string(),
        value: statement.value.clone(),
        sentence: statement.sentence.clone(),
    };
    let pairs = found.iter().map(|pair| Pair { one: side(&pair.one), other: side(&pair.other) });
    let shown = DocumentsPage {
        page: visit.shell(Here::Documents),
        passages: passages.len(),
        files: files(&passages, &visit.now().day()),
        pairs: pairs.collect(),
        // What was indexed since waits until it has passed the shop's cases.
        newer: snapshot.about().corpus != version.corpus,
    };
    page(&visit, &shown)
}

async fn passages(snapshot: Snapshot) -> Result<Vec<Arc<Passage>>, Fault> {
    let read = spawn_blocking(move || snapshot.passages().collect::<Result<Vec<_>, _>>());
    read.await.map_err(Fault::broken)?.map_err(Fault::broken)
}

async fn conflicts(
    visit: &Visit,
    snapshot: &Snapshot,
    passages: &[Arc<Passage>],
) -> Result<Arc<Vec<Contradiction>>, Fault> {
    let corpus = &snapshot.about().corpus;
    // Held while they are looked for: of several who ask, one looks.
    let mut kept = visit.room.conflicts.0.lock().await;
    if let Some((of, found)) = kept.as_ref().filter(|(of, _)| of == corpus) {
        tracing::debug!(%of, "the contradictions of these documents are known");
        return Ok(Arc::clone(found));
    }
    // What was said of one day may be otherwise on another.
    let dated = format!("{RECORDS}/");
    let undated: Vec<_> =
        passages.iter().filter(|passage| !passage.file.starts_with(&dated)).cloned().collect();
    let packs = visit.app.version().shop.packs().clone();
    let found = spawn_blocking(move || contradictions(&undated, &packs)).await.map_err(Fault::broken)?;
    let found = Arc::new(found);
    *kept = Some((corpus.clone(), Arc::clone(&found)));
    Ok(found)
}

/// The files by name.
fn files(passages: &[Arc<Passage>], today: &str) -> Vec<File> {
    let mut files: BTreeMap<&str, File> = BTreeMap::new();
    for passage in passages {
        let file = files.entry(&passage.file).or_default();
        file.name.clone_from(&passage.file);
        file.passages += 1;
        let language = passage.language.to_string();
        if !file.languages.contains(&language) {
            file.languages.push(language);
        }
        file.date = file.date.take().max(passage.date.clone());
        file.read_at = file.read_at.take().max(passage.read_at.map(|at| moment(UnixMillis(at))));
        let ends = file.until.iter().chain(&passage.valid_until).min().cloned();
        file.until = ends;
        file.over |= passage.valid_until.as_deref().is_some_and(|until| until < today);
        file.outsiders |= passage.trust == Trust::Customer;
    }
    files.into_values().collect()
}

#[cfg(test)]
mod tests {
    use mostrador_answer::passage::SourceId;
    use mostrador_language::Lang;

    use super::*;

    #[test]
    fn a_file_is_as_fresh_as_its_latest_day_and_ends_with_its_first() {
        let passage = |name: &str, date: Option<&str>, until: Option<&str>| {
            let mut passage = Passage::new(SourceId::new(name).unwrap(), "text", Lang::EN);
            passage.file = "documents/a.md".to_owned();
            passage.date = date.map(str::to_owned);
            passage.valid_until = until.map(str::to_owned);
            Arc::new(passage)
        };
        let passages = [
            passage("a#1", Some("2026-01-01"), Some("2026-12-31")),
            passage("a#2", Some("2026-03-01"), Some("2026-06-30")),
            passage("a#3", None, None),
        ];
        let files = files(&passages, "2026-07-01");
        let [file] = &files[..] else { panic!("one file") };
        assert_eq!((file.passages, file.over), (3, true));
        assert_eq!(file.date.as_deref(), Some("2026-03-01"));
        assert_eq!(file.until.as_deref(), Some("2026-06-30"));
    }
}
