//! A folder of files in, named passages out; what cannot be read is named, and nothing else is lost.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use mostrador_answer::passage::{Passage, SourceId, Trust};
use mostrador_ingest::{IngestError, Options, Reading, SkipReason, fingerprint, read_folder};
use mostrador_language::Lang;
use proptest::prelude::*;
use tempfile::TempDir;

fn plain() -> Options {
    Options::new(Lang::EN)
}

fn with_reviews() -> Options {
    Options { reviews: true, ..plain() }
}

fn shop(files: &[(&str, &[u8])]) -> TempDir {
    let root = TempDir::new().unwrap();
    for (file, content) in files {
        write(root.path(), file, content);
    }
    root
}

fn write(root: &Path, file: &str, content: &[u8]) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn read(root: &TempDir, options: &Options) -> Result<Reading, IngestError> {
    read_folder(root.path(), options, &mut |_| {})
}

fn names(reading: &Reading) -> Vec<&str> {
    reading.passages.iter().map(|passage| passage.source.as_str()).collect()
}

#[test]
fn files_are_read_by_path_and_passages_counted_by_file() {
    let root = shop(&[
        ("documents/returns.md", b"# Returns\n\nWithin 14 days.\n\n- lamps\n- cables\n"),
        ("documents/delivery/abroad.markdown", b"Seven days."),
        ("documents/hours.txt", "\u{FEFF}Open\non Monday.\n\nClosed on Sunday.".as_bytes()),
        ("reviews/spring.md", b"---\nlanguage: es\n---\nBien."),
        ("orders.csv", b"1,2"),
    ]);
    let mut seen = Vec::new();
    let reading = read_folder(root.path(), &with_reviews(), &mut |file| seen.push(file.to_owned())).unwrap();
    assert_eq!(
        names(&reading),
        ["delivery/abroad#1", "hours#1", "hours#2", "returns#1", "returns#2", "spring#1"]
    );
    assert_eq!(
        seen.iter().map(|file| file.to_str().unwrap()).collect::<Vec<_>>(),
        [
            "documents/delivery/abroad.markdown",
            "documents/hours.txt",
            "documents/returns.md",
            "reviews/spring.md"
        ]
    );
    assert_eq!((reading.files, reading.skipped.len()), (4, 0));
    let last = reading.passages.last().unwrap();
    assert_eq!((last.trust, last.language), (Trust::Customer, Lang::ES));
    let returns = Passage {
        headings: vec!["Returns".to_owned()],
        file: "documents/returns.md".to_owned(),
        bytes: 28..45,
        ..Passage::new(SourceId::new("returns#2").unwrap(), "- lamps\n- cables", Lang::EN)
    };
    assert_eq!(reading.passages[4], returns);
    assert_eq!(names(&read(&root, &plain()).unwrap()).len(), 5);
}

#[test]
fn what_cannot_be_used_is_named_and_the_rest_is_read() {
    let big = vec![b'a'; 10 * 1024 * 1024 + 1];
    let root = shop(&[
        ("documents/good.md", b"Good."),
        ("documents/bytes.txt", b"One\n\x81\xFF\x00\x01"),
        ("documents/lost.txt", "Se\u{FFFD}or".as_bytes()),
        ("documents/empty.md", b" \n\xEF\xBB\xBF"),
        ("documents/blank.md", b""),
        ("documents/headings.md", b"# A\n\n## B\n"),
        ("documents/big.txt", &big),
        ("documents/terms.pdf", b"%PDF"),
        ("documents/lamp.PNG", b"\x89PNG"),
        ("documents/LICENSE", b"text"),
        ("documents/.draft.md", b"Secret."),
        ("documents/.git/config", b"Secret."),
        ("documents/front.md", b"---\ntitel: A\n---\nText."),
        ("documents/raised.md", b"---\ntrust: yes\n---\nText."),
    ]);
    let reading = read(&root, &plain()).unwrap();
    assert_eq!(names(&reading), ["good#1"]);
    let skipped: Vec<String> = reading.skipped.iter().map(ToString::to_string).collect();
    let starts = [
        "documents/.draft.md: hidden;",
        "documents/.git: hidden;",
        "documents/LICENSE: a file without an extension is not read; save",
        "documents/big.txt: 10485761 bytes are too many; split",
        "documents/blank.md: empty;",
        "documents/bytes.txt: not UTF-8 (line 2), nor",
        "documents/empty.md: no passage in it",
        "documents/front.md: line 2: unknown key \"titel\";",
        "documents/headings.md: no passage in it, only headings",
        "documents/lamp.PNG: a .png file holds no text;",
        "documents/lost.txt: 1 characters in it are lost",
        "documents/raised.md: line 2: trust: \"yes\" is not known;",
        "documents/terms.pdf: a PDF is read by the program itself, which was not found; save",
    ];
    assert_eq!(skipped.len(), starts.len(), "{skipped:#?}");
    for (skipped, start) in skipped.iter().zip(starts) {
        assert!(skipped.starts_with(start), "{skipped} / {start}");
    }
    let quiet: Vec<&str> =
        reading.skipped.iter().filter(|one| !one.reason.loses_text()).map(|one| one.file.as_str()).collect();
    assert_eq!(quiet, ["documents/.draft.md", "documents/.git", "documents/lamp.PNG"]);
}

#[test]
fn a_folder_without_passages_is_an_error_that_says_what_to_do() {
    let none = TempDir::new().unwrap();
    let error = read(&none, &plain()).unwrap_err();
    assert!(matches!(error, IngestError::NoFolder { .. }));
    assert!(error.to_string().contains("documents; make it"), "{error}");

    let empty = TempDir::new().unwrap();
    fs::create_dir(empty.path().join("documents")).unwrap();
    let error = read(&empty, &plain()).unwrap_err();
    assert!(matches!(error, IngestError::NothingToRead { .. }));
    assert!(
        error.to_string().ends_with("put .md, .txt, .html, .docx or .pdf files with text there"),
        "{error}"
    );

    let useless = shop(&[("documents/a.xls", b""), ("documents/b.md", b"# B")]);
    let error = read(&useless, &plain()).unwrap_err().to_string();
    assert!(error.contains("(left out: documents/a.xls: a .xls file is not read;"), "{error}");
    assert!(error.contains("; documents/b.md: no passage"), "{error}");

    let no_reviews = shop(&[("documents/a.md", b"Text.")]);
    let error = read(&no_reviews, &with_reviews()).unwrap_err().to_string();
    assert!(error.contains("reviews; make it"), "{error}");

    let file = shop(&[("documents", b"Text.")]);
    assert!(matches!(read(&file, &plain()), Err(IngestError::NoFolder { .. })));
}

#[test]
fn two_files_with_the_same_names_for_passages_are_an_error_that_names_both() {
    for (first, second) in [
        ("documents/a.md", "documents/a.txt"),
        ("documents/a b.md", "documents/a-b.md"),
        ("documents/a.md", "reviews/a.md"),
    ] {
        let root = shop(&[(first, b"One."), (second, b"Two."), ("reviews/r.md", b"Good.")]);
        let error = read(&root, &with_reviews()).unwrap_err();
        assert!(matches!(error, IngestError::DuplicateSource { .. }));
        let text = error.to_string();
        assert!(text.contains(first) && text.contains(second) && text.contains("rename"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_are_left_out() {
    use std::os::unix::fs::symlink;
    let outside = shop(&[("secret.md", b"Secret."), ("more/secret.md", b"Secret.")]);
    let root = shop(&[
        ("documents/a/good.md", b"Good."),
        ("reviews/r.md", b"An outsider's words."),
        ("shop.toml", b""),
    ]);
    let documents = root.path().join("documents");
    symlink(outside.path().join("secret.md"), documents.join("out.md")).unwrap();
    symlink(outside.path().join("more"), documents.join("more")).unwrap();
    symlink("../reviews/r.md", documents.join("laundered.md")).unwrap();
    symlink("nowhere.md", documents.join("dangling.md")).unwrap();
    symlink("..", documents.join("a/up")).unwrap();
    symlink(".", documents.join("self")).unwrap();
    symlink("a/good.md", documents.join("alias.md")).unwrap();
    let reading = read(&root, &plain()).unwrap();
    assert_eq!(names(&reading), ["a/good#1"]);
    assert_eq!(reading.passages[0].also, [SourceId::new("alias#1").unwrap()]);
    let reasons: Vec<(&str, &SkipReason)> =
        reading.skipped.iter().map(|skipped| (skipped.file.as_str(), &skipped.reason)).collect();
    let leads_out = SkipReason::LeadsOut { folder: "documents".to_owned() };
    assert_eq!(reasons[0], ("documents/a/up", &SkipReason::LinkToFolder));
    assert!(matches!(reasons[1], ("documents/dangling.md", SkipReason::Unreadable { .. })));
    assert_eq!(reasons[2], ("documents/laundered.md", &leads_out));
    assert_eq!(reasons[3], ("documents/more", &leads_out));
    assert_eq!(reasons[4], ("documents/out.md", &leads_out));
    assert_eq!(reasons[5], ("documents/self", &SkipReason::LinkToFolder));
    assert_eq!(reasons.len(), 6);

    let linked = TempDir::new().unwrap();
    symlink(&documents, linked.path().join("documents")).unwrap();
    assert!(matches!(read(&linked, &plain()), Err(IngestError::LeadsOut { .. })));
}

#[test]
fn a_file_can_lower_its_trust_and_never_raise_it() {
    let root = shop(&[
        ("documents/guest.md", b"---\ntrust: customer\ntitle: Guests\n---\n## Post\n\nText."),
        ("reviews/sly.md", b"---\ntrust: shop\n---\nDiscounts for all."),
    ]);
    let reading = read(&root, &with_reviews()).unwrap();
    assert_eq!(names(&reading), ["guest#1"]);
    assert_eq!(reading.passages[0].trust, Trust::Customer);
    assert_eq!(reading.passages[0].headings, ["Guests", "Post"]);
    assert!(matches!(reading.skipped[0].reason, SkipReason::FrontMatter { line: 2, .. }));
}

#[test]
fn the_fingerprint_follows_the_files_that_are_read() {
    let root = shop(&[("documents/a.md", b"One."), ("documents/b.md", b"Two."), ("reviews/r.md", b"Good.")]);
    let print = |options: &Options| fingerprint(root.path(), options).unwrap();
    let first = print(&plain());
    assert_eq!(first, print(&plain()));
    assert!(first.len() == 32 && first.chars().all(|c| c.is_ascii_hexdigit()));
    assert_ne!(first, print(&with_reviews()));
    assert_ne!(first, print(&Options { language: Lang::ES, ..plain() }));

    let mut seen = vec![first];
    let mut changed = |what: &str| {
        let now = fingerprint(root.path(), &plain()).unwrap();
        assert!(!seen.contains(&now), "{what}");
        seen.push(now);
    };
    write(root.path(), "documents/c.md", b"Three.");
    changed("added");
    write(root.path(), "documents/c.md", b"Three and more.");
    changed("edited");
    let file = fs::File::options().write(true).open(root.path().join("documents/c.md")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(5)).unwrap();
    changed("edited to the same size");
    fs::rename(root.path().join("documents/c.md"), root.path().join("documents/d.md")).unwrap();
    changed("renamed");
    fs::remove_file(root.path().join("documents/a.md")).unwrap();
    changed("removed");

    let before = fingerprint(root.path(), &plain()).unwrap();
    write(root.path(), "documents/.hidden.md", b"Hidden.");
    write(root.path(), "reviews/s.md", b"Good.");
    assert_eq!(before, fingerprint(root.path(), &plain()).unwrap());
    assert!(fingerprint(&root.path().join("none"), &plain()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_passages_or_a_reason(bytes in prop::collection::vec(any::<u8>(), 0..400), text in any::<String>()) {
        let root = shop(&[
            ("documents/a.md", &bytes),
            ("documents/b.txt", &bytes),
            ("documents/c.md", text.as_bytes()),
            ("documents/d.txt", text.as_bytes()),
            ("documents/e.md", b"Good."),
        ]);
        let reading = read(&root, &plain()).unwrap();
        prop_assert_eq!(reading.files + reading.skipped.len(), 5);
        for passage in &reading.passages {
            prop_assert!(!passage.text.trim().is_empty());
            let kept = |c: char| !c.is_control() || c == '\t' || c == '\n';
            prop_assert!(passage.text.chars().all(kept), "{:?}", passage.text);
        }
    }
}
