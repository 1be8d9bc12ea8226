//! Generations: made of files that are kept, seen at once and whole, never mixed, whatever happens on the way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::passage::Passage;
use mostrador_answer::ports::{
    Caps, Claim, Embed, EmbedAs, Filter, Index, Ledger, Records, Search, Unavailable, UnixMillis,
};
use mostrador_answer::question::TurnId;
use mostrador_language::{Lang, Pack, Packs};
use mostrador_store::{Assembled, Assembly, FileId, IndexLock, SameKey, Store, StoreOptions, StoredIndex};
use mostrador_testkit::contract::search::passage;
use tempfile::TempDir;

struct Shop {
    _folder: TempDir,
    index: PathBuf,
    store: Store,
}

impl Shop {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("mostrador.db"), StoreOptions::default()).await.unwrap();
        Self { index: folder.path().join("index"), _folder: folder, store }
    }

    /// Keeps a file with these passages, or finds it kept.
    async fn file(&self, path: &str, texts: &[&str]) -> FileId {
        let content = texts.join("\n");
        if let Some(kept) = self.store.kept_file(path, &content, "s").await.unwrap() {
            return kept;
        }
        let stem = path.trim_start_matches("documents/").trim_end_matches(".md");
        let passages: Vec<(Passage, SameKey)> = (1..)
            .zip(texts)
            .map(|(n, text)| {
                let mut same = SameKey::default();
                for (to, from) in same.iter_mut().zip(text.bytes().rev()) {
                    *to = from;
                }
                (Passage { file: path.to_owned(), ..passage(&format!("{stem}#{n}"), "", text) }, same)
            })
            .collect();
        let id = self.store.begin_file(path, &content, "s").await.unwrap();
        self.store.add_passages(id, 0, &passages).await.unwrap();
        self.store.finish_file(id, false).await.unwrap();
        id
    }

    async fn assemble(&self, files: &[FileId], embed: Option<&dyn Embed>) -> Assembled {
        let embedder = embed.map_or_else(|| "none".to_owned(), Embed::id);
        let assembly = Assembly {
            fingerprint: "f",
            files,
            embedder: &embedder,
            embed,
            packs: &Packs::default(),
            folder: Some(&self.index),
        };
        let assembled = self.store.assemble(&assembly, &mut |_, _| {}).await.unwrap();
        self.store.tidy(Some(&self.index)).await.unwrap();
        assembled
    }

    fn stored(&self) -> StoredIndex {
        StoredIndex::new(self.store.clone(), &self.index, "none")
    }
}

async fn find(search: &dyn Search, question: &str) -> Vec<String> {
    let terms = Pack::of(Lang::EN).index_terms(question);
    let found = search.lexical(&terms, &Filter::default(), 100).await.unwrap();
    found.iter().map(|found| format!("{} {}", found.passage.source, found.passage.text)).collect()
}

/// Hard case 14: what was edited or deleted is gone at once, and what is put back is found again.
#[tokio::test]
async fn an_edited_page_answers_with_its_new_text_alone() {
    let shop = Shop::new().await;
    let index = shop.stored();
    let other = shop.file("documents/hours.md", &["open until six"]).await;
    let old = shop.file("documents/returns.md", &["returns within 30 days"]).await;
    shop.assemble(&[other, old], None).await;
    assert_eq!(find(&*index.current().await.unwrap(), "returns").await, ["returns#1 returns within 30 days"]);

    let new = shop.file("documents/returns.md", &["returns within 14 days"]).await;
    shop.assemble(&[other, new], None).await;
    let current = index.current().await.unwrap();
    assert_eq!(find(&*current, "returns").await, ["returns#1 returns within 14 days"]);
    assert!(find(&*current, "30").await.is_empty());

    shop.assemble(&[other], None).await;
    assert!(find(&*index.current().await.unwrap(), "returns").await.is_empty());

    let again = shop.file("documents/returns.md", &["returns within 14 days"]).await;
    shop.assemble(&[other, again], None).await;
    assert_eq!(find(&*index.current().await.unwrap(), "returns").await, ["returns#1 returns within 14 days"]);
    let folders: Vec<_> =
        std::fs::read_dir(&shop.index).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(folders.len(), 1, "{folders:?}");
}

#[tokio::test]
async fn what_is_said_twice_is_found_once_and_names_the_others() {
    let shop = Shop::new().await;
    let a = shop.file("documents/a.md", &["parcel", "window"]).await;
    let b = shop.file("documents/b.md", &["parcel"]).await;
    let c = shop.file("documents/c.md", &["parcel", "stone"]).await;
    let assembled = shop.assemble(&[a, b, c], None).await;
    assert_eq!((assembled.duplicates, assembled.snapshot.len()), (2, 3));
    let first = assembled.snapshot.passages().next().unwrap().unwrap();
    let also: Vec<&str> = first.also.iter().map(|name| name.as_str()).collect();
    assert_eq!((first.source.as_str(), also), ("a#1", vec!["b#1", "c#1"]));

    // The first one is gone: the next one, which was not read again, takes its place.
    let assembled = shop.assemble(&[b, c], None).await;
    assert_eq!(find(&assembled.snapshot, "parcel").await, ["b#1 parcel"]);
}

/// Hard case 26, and no search ever sees two generations.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_searches_during_re_indexing_see_one_generation_each() {
    let shop = Arc::new(Shop::new().await);
    let index = Arc::new(shop.stored());
    let texts = |version: usize| (0..40).map(move |n| format!("parcel v{version} n{n}")).collect::<Vec<_>>();
    let file = async |version: usize| {
        let texts = texts(version);
        shop.file("documents/a.md", &texts.iter().map(String::as_str).collect::<Vec<_>>()).await
    };
    shop.assemble(&[file(0).await], None).await;
    let (version, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let mut searching = Vec::new();
    for _ in 0..50 {
        let (index, version, done) = (Arc::clone(&index), Arc::clone(&version), Arc::clone(&done));
        searching.push(tokio::spawn(async move {
            let mut searches = 0;
            while !done.load(Ordering::SeqCst) {
                let begun = version.load(Ordering::SeqCst);
                let current = index.current().await.unwrap();
                let first = find(&*current, "parcel").await;
                tokio::task::yield_now().await;
                assert_eq!(find(&*current, "parcel").await, first);
                assert_eq!(first.len(), 40);
                let seen: Vec<usize> = first
                    .iter()
                    .map(|hit| hit.split(' ').find_map(|word| word.strip_prefix('v')?.parse().ok()).unwrap())
                    .collect();
                assert!(seen.iter().all(|one| *one == seen[0] && *one >= begun), "{seen:?} after {begun}");
                searches += 1;
            }
            searches
        }));
    }
    for next in 1..=8 {
        let file = file(next).await;
        shop.assemble(&[file], None).await;
        version.store(next, Ordering::SeqCst);
    }
    done.store(true, Ordering::SeqCst);
    for searching in searching {
        assert!(searching.await.unwrap() > 0);
    }
}

fn damaged(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(damaged(&path)),
            false if path.extension().is_some_and(|extension| extension == "lock") => {}
            false => files.push((path.clone(), std::fs::read(path).unwrap())),
        }
    }
    files
}

/// Whatever happened to a file of the folder, it is told and never taken for whole.
#[tokio::test]
async fn a_damaged_folder_is_an_error() {
    let shop = Shop::new().await;
    let file = shop.file("documents/a.md", &["parcel", "window"]).await;
    let id = shop.assemble(&[file], None).await.generation.id;
    let files = damaged(&shop.index.join(format!("gen-{}", id.0)));
    assert!(files.len() > 8, "{files:?}");
    for (path, bytes) in files.iter().filter(|(_, bytes)| !bytes.is_empty()) {
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 0x10;
        for damage in [Some(&bytes[..bytes.len() / 2]), Some(&flipped), Some(&[]), None] {
            match damage {
                Some(damage) => std::fs::write(path, damage).unwrap(),
                None => std::fs::remove_file(path).unwrap(),
            }
            let manifest = path.ends_with("manifest.json");
            match shop.stored().current().await {
                // One byte of the manifest may be a space, or of a name nobody reads.
                Ok(_) => assert!(manifest && damage == Some(&flipped[..]), "{path:?}"),
                Err(error) => assert!(error.detail.contains("mostrador index"), "{error}"),
            }
        }
        std::fs::write(path, bytes).unwrap();
    }
    assert!(shop.stored().current().await.is_ok());
}

/// Counts what it is asked for; a vector is the length of the text.
struct Counting {
    id: &'static str,
    asked: AtomicUsize,
}

#[async_trait]
impl Embed for Counting {
    fn id(&self) -> String {
        self.id.to_owned()
    }

    async fn embed(&self, texts: &[&str], role: EmbedAs) -> Result<Vec<Vec<f32>>, Unavailable> {
        assert_eq!(role, EmbedAs::Passage);
        self.asked.fetch_add(texts.len(), Ordering::SeqCst);
        Ok(texts.iter().map(|text| vec![1.0, text.len() as f32]).collect())
    }
}

#[tokio::test]
async fn only_new_texts_are_embedded() {
    let shop = Shop::new().await;
    let embed = Counting { id: "e", asked: AtomicUsize::new(0) };
    let a = shop.file("documents/a.md", &["parcel", "window"]).await;
    let first = shop.assemble(&[a], Some(&embed)).await;
    assert_eq!((first.embedded, first.cached, first.generation.dimension), (2, 0, 2));
    let a = shop.file("documents/a.md", &["parcel", "window", "stone"]).await;
    let second = shop.assemble(&[a], Some(&embed)).await;
    assert_eq!((second.embedded, second.cached, embed.asked.load(Ordering::SeqCst)), (1, 2, 3));
    let near = second.snapshot.dense(&[1.0, 5.0], &Filter::default(), 1).await.unwrap();
    assert_eq!(near[0].0.passage.text, "stone");
}

/// Hard case 15: vectors of two embedders say nothing to each other.
#[tokio::test]
async fn an_index_by_another_embedder_is_refused() {
    let shop = Shop::new().await;
    let a = shop.file("documents/a.md", &["parcel"]).await;
    shop.assemble(&[a], Some(&Counting { id: "old", asked: AtomicUsize::new(0) })).await;
    let index = StoredIndex::new(shop.store.clone(), &shop.index, "new");
    let error = index.current().await.err().unwrap();
    for told in ["\"old\"", "\"new\"", "mostrador index"] {
        assert!(error.detail.contains(told), "{error}");
    }
    shop.assemble(&[a], Some(&Counting { id: "new", asked: AtomicUsize::new(0) })).await;
    assert!(index.current().await.is_ok());
}

#[tokio::test]
async fn one_process_writes_at_a_time() {
    let shop = Shop::new().await;
    let lock = IndexLock::take(&shop.index).unwrap().unwrap();
    assert!(IndexLock::take(&shop.index).unwrap().is_none());
    drop(lock);
    assert!(IndexLock::take(&shop.index).unwrap().is_some());
}

/// Leftovers of a run that died: a file half kept and a generation half built are nobody's, and are cleared.
#[tokio::test]
async fn what_a_killed_run_left_is_cleared() {
    let shop = Shop::new().await;
    let a = shop.file("documents/a.md", &["parcel"]).await;
    let current = shop.assemble(&[a], None).await.generation;
    shop.store.begin_file("documents/b.md", "half", "s").await.unwrap();
    assert_eq!(shop.store.kept_file("documents/b.md", "half", "s").await.unwrap(), None);
    std::fs::create_dir(shop.index.join("gen-77")).unwrap();
    shop.store.tidy(Some(&shop.index)).await.unwrap();
    assert!(!shop.index.join("gen-77").exists());
    assert_eq!(shop.store.current_generation().await.unwrap(), Some(current));
    assert_eq!(find(&*shop.stored().current().await.unwrap(), "parcel").await, ["a#1 parcel"]);
}

/// The newest facts first; a page is none, and what is no longer valid is left out.
#[tokio::test]
async fn records_come_newest_first() {
    let shop = Shop::new().await;
    let id = shop.store.begin_file("records/all.jsonl", "c", "s").await.unwrap();
    let fact = |n: u8, file: &str, date: Option<&str>, until: Option<&str>| {
        let of = |day: Option<&str>| day.map(str::to_owned);
        let name = format!("{}#{n}", file.trim_end_matches(".md"));
        let fact = Passage {
            file: file.to_owned(),
            date: of(date),
            valid_until: of(until),
            ..passage(&name, "", "fact")
        };
        (fact, [n; 16])
    };
    let facts = [
        fact(1, "records/a.md", Some("2026-01-01"), None),
        fact(2, "records/b.md", None, None),
        fact(3, "records/c.md", Some("2026-03-01"), None),
        fact(4, "records/d.md", Some("2026-04-01"), Some("2026-04-02")),
        fact(5, "documents/e.md", Some("2026-05-01"), None),
        fact(6, "records/f.md", Some("2026-03-01"), None),
    ];
    shop.store.add_passages(id, 0, &facts).await.unwrap();
    shop.store.finish_file(id, false).await.unwrap();
    shop.assemble(&[id], None).await;
    let newest = shop.stored().newest(&[Lang::EN], "2026-05-05", 10).await.unwrap();
    let names: Vec<&str> = newest.iter().map(|passage| passage.source.as_str()).collect();
    assert_eq!(names, ["records/c#3", "records/f#6", "records/a#1", "records/b#2"]);
    assert!(shop.stored().newest(&[Lang::ES], "2026-05-05", 10).await.unwrap().is_empty());
}

/// The ledger has turns between the short transactions of a large indexing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn money_is_reserved_while_a_large_file_is_indexed() {
    let shop = Arc::new(Shop::new().await);
    let done = Arc::new(AtomicBool::new(false));
    let (ledger, ended) = (shop.store.clone(), Arc::clone(&done));
    let reserving = tokio::spawn(async move {
        let mut reserved = 0;
        while !ended.load(Ordering::SeqCst) {
            let at = UnixMillis(1_769_904_000_000);
            let claim =
                Claim { turn: TurnId(format!("t{reserved}")), bound: Micros(1), caps: Caps::default(), at };
            let reservation = ledger.reserve(&claim).await.unwrap();
            ledger.settle(&reservation, Micros(1), Usage::default(), at).await.unwrap();
            reserved += 1;
        }
        reserved
    });
    let mut files = Vec::new();
    let mut transactions = 0;
    for number in 0..20 {
        let path = format!("documents/p{number}.md");
        let texts: Vec<String> = (0..200).map(|n| format!("parcel {number} {n}")).collect();
        files.push(shop.file(&path, &texts.iter().map(String::as_str).collect::<Vec<_>>()).await);
        transactions += 3;
    }
    shop.assemble(&files, None).await;
    done.store(true, Ordering::SeqCst);
    // One connection writes, and who waits for it takes turns: about as many got through as there were others.
    let reserved = reserving.await.unwrap();
    assert!(reserved >= transactions / 4, "{reserved} reservations beside {transactions} transactions");
}
