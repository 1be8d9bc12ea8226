//! Batches of questions, calibrations, and recall in a run: figures come with what they are of.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

const PAGES: &str = "# Shop\n\n## Returns\n\nReturns are free within 30 days of delivery.\n\n\
    ## Delivery\n\nStandard delivery of a parcel costs 4 euros.\n";
const CASES: &str = "- question: Are returns free within a month of delivery?\n  cites: page#1\n  passages: page#1\n\
    - question: What does standard delivery cost?\n  passages: page#2\n\
    - question: Who won the world cup?\n  ends: no-evidence\n";

fn shop(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let base = [
        ("shop.toml", "name = \"Probe\"\nlanguages = [\"en\"]\n"),
        ("documents/page.md", PAGES),
        ("cases/first.yaml", CASES),
    ];
    for (file, text) in base.iter().chain(files) {
        let file = dir.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    dir
}

struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

fn run(args: &[&str], dir: &Path, more: &[&str], input: &str) -> Ran {
    let out = assert_cmd::cargo::cargo_bin_cmd!("mostrador")
        .args(args)
        .arg(dir)
        .args(more)
        .write_stdin(input.to_owned())
        .output()
        .unwrap();
    Ran {
        code: out.status.code().unwrap(),
        stdout: String::from_utf8(out.stdout).unwrap(),
        stderr: String::from_utf8(out.stderr).unwrap(),
    }
}

fn batch(dir: &TempDir, more: &[&str], input: &str) -> (Ran, Vec<Value>) {
    let args = [&["--batch", "-", "--format", "jsonl"], more].concat();
    let ran = run(&["search"], dir.path(), &args, input);
    let lines = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (ran, lines)
}

#[test]
fn a_batch_answers_each_line_in_order() {
    let dir = shop(&[]);
    let input = "{\"id\": 7, \"question\": \"What does standard delivery cost?\"}\n\n\
        {\"question\": \"Who won the world cup?\"}\n\
        {\"id\": \"f\", \"question\": \"What does standard delivery cost?\", \"filter\": {\"files\": [\"reviews\"]}}\n\
        {\"id\": \"\", \"question\": \"\"}\n";
    let (ran, lines) = batch(&dir, &[], input);
    assert_eq!((ran.code, lines.len()), (0, 4), "{}", ran.stderr);
    let hit = &lines[0]["hits"][0];
    assert_eq!((&lines[0]["id"], &lines[0]["verdict"]), (&json!(7), &json!("answer")));
    assert_eq!((&hit["source"], &hit["file"]), (&json!("page#2"), &json!("documents/page.md")));
    assert_eq!((&hit["language"], &hit["used"], &hit["cosine"]), (&json!("en"), &json!(true), &Value::Null));
    assert_eq!((&hit["coverage"], &lines[0]["threshold"]), (&lines[0]["strength"], &json!(400_000)));
    assert_eq!((&lines[1]["id"], &lines[1]["verdict"]), (&Value::Null, &json!("refuse")));
    assert_eq!((&lines[2]["hits"], &lines[2]["verdict"]), (&json!([]), &json!("refuse")));
    assert_eq!(lines[3]["verdict"], "stopped");
    let (_, lines) = batch(&dir, &["--top", "0"], "{\"question\": \"What does standard delivery cost?\"}\n");
    assert_eq!((&lines[0]["hits"], &lines[0]["verdict"]), (&json!([]), &json!("answer")));
}

#[test]
fn a_bad_line_of_a_batch_is_named_and_what_was_found_before_it_is_printed() {
    let dir = shop(&[]);
    for (line, said) in [
        ("{\"question\": 1}", "invalid type"),
        ("{\"question\": \"a\", \"filters\": {}}", "unknown field `filters`"),
        ("{\"question\": \"a\", \"filter\": {\"from\": \"yesterday\"}}", "filter.from is no day"),
        ("nothing", "write {\"question\""),
    ] {
        let (ran, lines) = batch(&dir, &[], &format!("{{\"question\": \"Are returns free?\"}}\n{line}\n"));
        assert_eq!((ran.code, lines.len()), (2, 1), "{line}");
        assert!(ran.stderr.contains("-, line 2") && ran.stderr.contains(said), "{}", ran.stderr);
    }
    let ran = run(&["search"], dir.path(), &["--batch", "nowhere.jsonl"], "");
    assert!(ran.code == 2 && ran.stderr.contains("nowhere.jsonl cannot be read"), "{}", ran.stderr);
}

#[test]
fn a_calibration_is_kept_and_eval_says_when_it_no_longer_holds() {
    let questions = "{\"question\": \"Do you sell standard lamps at cost?\", \"expect\": \"refuse\"}\n";
    let dir = shop(&[("questions.jsonl", questions)]);
    let eval = || run(&["eval"], dir.path(), &[], "");
    assert!(!eval().stderr.contains("calibrat"));

    let file = dir.path().join("questions.jsonl");
    let picture = dir.path().join("picture.svg");
    let more =
        ["--questions", file.to_str().unwrap(), "--svg", picture.to_str().unwrap(), "--format", "json"];
    let ran = run(&["calibrate"], dir.path(), &more, "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&found["embedder"], &found["prefer"]), (&json!("none"), &json!("balance")));
    assert_eq!(
        (&found["proposed"]["lost"]["of"], &found["proposed"]["stopped"]["of"]),
        (&json!(2), &json!(2))
    );
    assert_eq!(found["proposed"]["lost"]["count"], 0);
    assert_eq!(found["thresholds"].as_array().unwrap().len(), 20);
    assert!(fs::read_to_string(&picture).unwrap().contains("must be refused (2)"));
    assert!(!eval().stderr.contains("calibrat"), "nothing has changed since");

    fs::write(dir.path().join("documents/more.md"), "# More\n\nWe sell lamps.\n").unwrap();
    let told = eval().stderr;
    assert!(told.contains("the documents have changed; run `mostrador calibrate "), "{told}");
}

#[test]
fn a_calibration_needs_questions_of_both_kinds() {
    let dir = shop(&[("cases/first.yaml", "- question: Are returns free?\n  cites: page#1\n")]);
    let ran = run(&["calibrate"], dir.path(), &[], "");
    assert!(
        ran.code == 2 && ran.stderr.contains("1 questions that must be answered and 0"),
        "{}",
        ran.stderr
    );
    fs::write(dir.path().join("q.jsonl"), "\n{\"question\": \"a\", \"expect\": \"maybe\"}\n").unwrap();
    let file = dir.path().join("q.jsonl");
    let ran = run(&["calibrate"], dir.path(), &["--questions", file.to_str().unwrap()], "");
    assert!(ran.code == 2 && ran.stderr.contains("q.jsonl:2: unknown variant `maybe`"), "{}", ran.stderr);
}

#[test]
fn cases_that_name_passages_give_recall_with_its_denominators() {
    let dir = shop(&[]);
    let ran = run(&["eval"], dir.path(), &[], "");
    assert!(
        ran.stdout.contains("recall@1 2/2  recall@3 2/2  MRR 1.000000 (n = 2)"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let ran = run(&["eval"], dir.path(), &["--format", "json"], "");
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(found["recall"]["at"][0], json!({"k": 1, "found": 2, "of": 2}));

    let wrong = "- question: What does standard delivery cost?\n  passages: [page#2, page#9]\n";
    let dir = shop(&[("cases/first.yaml", wrong)]);
    let ran = run(&["eval"], dir.path(), &[], "");
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("page#9") && ran.stdout.contains("recall@3 1/2"), "{}", ran.stdout);
}
