//! `cargo xtask check` as people run it: findings with file and line, and exit codes.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

/// A workspace of one crate that keeps every rule.
const CLEAN: [(&str, &str); 4] = [
    ("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n"),
    (
        "crates/language/Cargo.toml",
        "[package]\nname = \"mostrador-language\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    ),
    ("crates/language/src/lib.rs", "//! Languages.\n"),
    ("README.md", "# A\n\nSee [the crate](crates/language/src/lib.rs).\n"),
];

fn put(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn clean() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in CLEAN {
        put(folder.path(), name, text);
    }
    folder
}

fn xtask(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).current_dir(folder).output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_clean_house_exits_0_from_any_folder_of_it() {
    let house = clean();
    for folder in ["", "crates/language/src"] {
        let output = xtask(&house.path().join(folder), &["check"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(printed(&output), "xtask check: 0 findings in 7 checks\n");
    }
}

#[test]
fn every_check_reports_its_violation_and_the_command_exits_1() {
    let house = clean();
    let root = house.path();
    put(root, "crates/language/src/long.rs", &format!("//! Long.\n{}", "const A: u8 = 1;\n".repeat(500)));
    put(root, "crates/language/src/silent.rs", "fn a() {}\n");
    put(root, "crates/language/src/words.rs", "//! Words.\nconst A: &str = \"envío\";\n");
    put(root, "packs/es/words.toml", "stop_words = [\"el\", \"los\", \"para\", \"por\"]\n");
    put(root, "crates/language/src/plain.rs", "//! Plain.\nconst A: &str = \"el pago por los libros\";\n");
    put(root, "crates/language/tests/story.rs", "//! A story.\n#[test]\n#[ignore]\nfn a() {}\n");
    put(root, "docs/guide.md", "# Guide\n\n[gone](gone.md)\n");
    put(
        root,
        "crates/answer/Cargo.toml",
        "[package]\nname = \"mostrador-answer\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    put(root, "crates/answer/src/lib.rs", "//! The story.\n");
    put(
        root,
        "crates/language/Cargo.toml",
        "[package]\nname = \"mostrador-language\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         mostrador-answer = { path = \"../answer\" }\n",
    );
    let output = xtask(root, &["check"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let printed = printed(&output);
    for (place, check) in [
        ("crates/language/src/long.rs:501: ", "(size)"),
        ("crates/language/src/silent.rs:1: ", "(opening)"),
        ("crates/language/src/words.rs:2: ", "(literals)"),
        ("crates/language/src/plain.rs:2: ", "(words)"),
        ("crates/language/tests/story.rs:3: ", "(leftovers)"),
        ("docs/guide.md:3: ", "(links)"),
        ("crates/language/Cargo.toml:7: ", "(arrows)"),
    ] {
        let found = printed.lines().any(|line| line.starts_with(place) && line.ends_with(check));
        assert!(found, "{place} {check} is missing from:\n{printed}");
    }
    assert!(printed.ends_with("xtask check: 7 findings in 7 checks\n"), "{printed}");
}

#[test]
fn one_check_can_be_run_alone() {
    let house = clean();
    put(house.path(), "crates/language/src/silent.rs", "fn a() {}\n");
    assert_eq!(xtask(house.path(), &["check", "size", "links"]).status.code(), Some(0));
    assert_eq!(xtask(house.path(), &["check", "opening"]).status.code(), Some(1));
}

#[test]
fn what_cannot_be_run_exits_2_and_says_what_to_write() {
    let house = clean();
    for arguments in [&[] as &[&str], &["chekc"], &["check", "sizes"]] {
        let output = xtask(house.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("cargo xtask check [NAME...]"), "{error}");
    }
    let nowhere = tempfile::tempdir().unwrap();
    let output = xtask(nowhere.path(), &["check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cargo metadata failed"));
}

#[test]
fn the_crates_of_this_workspace_point_downwards_only() {
    let output = xtask(Path::new(env!("CARGO_MANIFEST_DIR")), &["check", "arrows"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
}
