//! `check` names pages that contradict each other, for people and for programs, and ends as before.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fs;

use serde_json::Value;

#[test]
fn check_warns_of_pages_that_contradict_each_other_and_not_of_dated_facts() {
    let dir = tempfile::tempdir().unwrap();
    let page = |file: &str, text: &str| {
        let file = dir.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    page("shop.toml", "name = \"Probe\"\nlanguages = [\"en\"]\n");
    page("cases/first.yaml", "- question: May I return it?\n  ends: answered\n");
    page("documents/returns.md", "# Returns\n\nUnused items can be returned within 30 days.\n");
    page("documents/questions.md", "# Questions\n\nUnused items can be returned within 14 days.\n");
    page(
        "records/news.md",
        "---\ndate: 2026-01-01\n---\n# News\n\nUnused items can be returned within 60 days.\n",
    );
    let check = |format: &str| {
        let mut program = assert_cmd::cargo::cargo_bin_cmd!("mostrador");
        let out = program.arg("check").arg(dir.path()).args(["--format", format]).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
    };
    let (code, stdout, stderr) = check("text");
    assert_eq!(code, 0, "a warning");
    assert!(stdout.contains("\npairs of passages that contradict each other: 1\n"), "{stdout}");
    let warning = "warning: questions#1 and returns#1 contradict each other: ";
    assert!(stderr.contains(warning) && stderr.contains("14 days") && stderr.contains("30 days"), "{stderr}");
    let found: Value = serde_json::from_str(&check("json").1).unwrap();
    let pair = &found["contradictions"][0];
    assert_eq!(
        (&pair["one"]["source"], &pair["other"]["source"]),
        (&"questions#1".into(), &"returns#1".into())
    );
    assert_eq!(pair["other"]["sentence"], "Unused items can be returned within 30 days.");
    assert_eq!(found["contradictions"].as_array().unwrap().len(), 1);
}
