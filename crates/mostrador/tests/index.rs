//! `mostrador index` as people run it: what is unchanged is not read again, and a kill at any moment leaves the
//! index whole.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

fn shop(pages: usize, version: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let configuration = "name = \"Shop\"\nlanguages = [\"en\"]\n";
    std::fs::write(folder.path().join("shop.toml"), configuration).unwrap();
    std::fs::create_dir(folder.path().join("documents")).unwrap();
    write(folder.path(), pages, version);
    folder
}

fn write(folder: &Path, pages: usize, version: usize) {
    for page in 0..pages {
        let text = format!(
            "# Page {page}\n\nParcel number {page} is of edition{version} and waits at the counter.\n"
        );
        std::fs::write(folder.join(format!("documents/page{page}.md")), text).unwrap();
    }
}

fn program(args: &[&str]) -> serde_json::Value {
    let out = assert_cmd::cargo::cargo_bin_cmd!("mostrador").args(args).output().unwrap();
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

fn index(folder: &Path) -> serde_json::Value {
    program(&["index", folder.to_str().unwrap(), "--format", "json"])
}

/// The passages found for a question, near or not.
fn found(folder: &Path, question: &str) -> Vec<String> {
    let hits = program(&["search", folder.to_str().unwrap(), question, "--all", "--format", "json"]);
    let lists = [&hits[0]["hits"], &hits[0]["below"]];
    let hits = lists.iter().flat_map(|list| list.as_array().unwrap());
    hits.map(|hit| hit["source"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn only_what_changed_is_read_again() {
    let folder = shop(3, 1);
    let first = index(folder.path());
    assert_eq!((&first["files"], &first["unchanged"], &first["passages"]), (&3.into(), &0.into(), &3.into()));
    write(folder.path(), 1, 2);
    std::fs::remove_file(folder.path().join("documents/page2.md")).unwrap();
    std::fs::create_dir(folder.path().join("records")).unwrap();
    std::fs::write(folder.path().join("records/news.md"), "The new window opened in spring.\n").unwrap();
    let second = index(folder.path());
    assert_eq!(
        (&second["files"], &second["unchanged"], &second["passages"]),
        (&3.into(), &1.into(), &3.into())
    );
    assert_ne!(first["corpus"], second["corpus"]);
    assert_eq!(found(folder.path(), "edition2"), ["page0#1"]);
    assert_eq!(found(folder.path(), "edition1"), ["page1#1"]);
    assert_eq!(found(folder.path(), "new window in spring"), ["records/news#1"]);
}

#[test]
fn a_damaged_index_is_made_anew_from_what_is_kept() {
    let folder = shop(2, 1);
    index(folder.path());
    let generations = || {
        let entries = std::fs::read_dir(folder.path().join("state/index")).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    let folders = generations();
    assert_eq!(folders.len(), 1);
    std::fs::write(folders[0].join("passages.json"), "{").unwrap();
    let args = ["search", folder.path().to_str().unwrap(), "edition1"];
    let out = assert_cmd::cargo::cargo_bin_cmd!("mostrador").args(args).output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success() && said.contains("made anew"), "{said}");
    assert_eq!(found(folder.path(), "edition1").len(), 2);
    assert_ne!(generations(), folders);
}

#[test]
fn a_second_writer_is_told_of_the_first() {
    let folder = shop(1, 1);
    index(folder.path());
    let lock = std::fs::File::options().write(true).open(folder.path().join("state/index/lock")).unwrap();
    lock.lock().unwrap();
    let args = ["index", folder.path().to_str().unwrap()];
    let out = assert_cmd::cargo::cargo_bin_cmd!("mostrador").args(args).output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("another process is indexing"));
    // Who asks meanwhile is answered from what is there.
    assert_eq!(found(folder.path(), "edition1").len(), 1);
}

/// Killed at moments spread over the whole of a run, the index is the old one or the new one.
#[test]
fn a_kill_at_any_moment_leaves_the_index_whole() {
    const PAGES: usize = 60;
    let folder = shop(PAGES, 0);
    index(folder.path());
    for version in 1_usize..=12 {
        write(folder.path(), PAGES, version);
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("mostrador"))
            .arg("index")
            .arg(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Later each time; the child may have ended by then, and then the new index has to be there.
        std::thread::sleep(Duration::from_millis(15 * version as u64));
        child.kill().unwrap();
        let ended = child.wait().unwrap().success();
        let editions = editions(folder.path());
        assert!(editions.len() <= 1, "{editions:?} after {version}");
        assert!(!ended || editions.contains(&version), "{editions:?} after {version}");
        // What the next run makes of the leftovers.
        let next = index(folder.path());
        assert_eq!(next["passages"], PAGES);
        assert_eq!(found(folder.path(), &format!("edition{version}")).len(), 50);
    }
}

/// The editions that the current generation holds, seen without changing it.
fn editions(folder: &Path) -> std::collections::BTreeSet<usize> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let database = mostrador_shop::counter::database(folder);
        let store =
            mostrador_store::Store::open(&database, mostrador_store::StoreOptions::default()).await.unwrap();
        let place = mostrador_shop::index::index_folder(folder);
        let stored = mostrador_store::StoredIndex::new(store.clone(), &place, "none");
        let snapshot = stored.snapshot().await.unwrap();
        assert_eq!(snapshot.len(), 60);
        let edition = |passage: std::sync::Arc<mostrador_answer::passage::Passage>| {
            let word = passage.text.split(' ').find_map(|word| word.strip_prefix("edition")?.parse().ok());
            word.unwrap()
        };
        let editions = snapshot.passages().map(|passage| edition(passage.unwrap())).collect();
        store.close().await;
        editions
    })
}
