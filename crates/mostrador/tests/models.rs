//! A shop whose answers a service words: what is said where it is missing, away, behind another, recorded.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::fs;

use assert_cmd::Command;
use mostrador_testkit::{FakeProvider, FakeReply};
use tempfile::TempDir;
use tokio::runtime::Runtime;

const QUESTION: &str = "Are returns free?";
const ANSWER: &str = "Yes, within 30 days. [returns#1]";
const KEY: &str = "sk-do-not-show-this";

/// A shop with a section `[model]`, and a runtime for the provider it asks.
fn shop(model: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["documents", "cases"] {
        fs::create_dir(dir.path().join(folder)).unwrap();
    }
    for (file, text) in [
        ("shop.toml", format!("name = \"Probe\"\nlanguages = [\"en\"]\n{model}")),
        ("documents/returns.md", "# Returns\n\nReturns are free within 30 days.\n".to_owned()),
        ("cases/first.yaml", format!("- question: {QUESTION}\n  has: 30 days\n")),
    ] {
        fs::write(dir.path().join(file), text).unwrap();
    }
    dir
}

fn section(kind: &str, address: &str) -> String {
    format!("[model]\nkind = \"{kind}\"\nbase_url = \"{address}\"\nmodel = \"m\"\nretries = 0\n")
}

/// Runs the program on a shop; nothing of this machine's environment names a model.
fn run(command: &str, dir: &TempDir, more: &[&str], set: &[(&str, &str)]) -> (i32, String, String) {
    let mut program: Command = assert_cmd::cargo::cargo_bin_cmd!("mostrador");
    for name in ["LLM_BASE_URL", "LLM_MODEL", "LLM_TEMPERATURE", "LLM_API_KEY"] {
        program.env_remove(name);
    }
    program.envs(set.iter().copied());
    let out = program.arg(command).arg(dir.path()).args(more).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (stdout, stderr) = (text(out.stdout), text(out.stderr));
    assert!(!stdout.contains(KEY) && !stderr.contains(KEY), "{stdout}{stderr}");
    (out.status.code().unwrap(), stdout, stderr)
}

fn provider(runtime: &Runtime, replies: Vec<FakeReply>) -> FakeProvider {
    runtime.block_on(FakeProvider::start(replies))
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

#[test]
fn a_service_answers_on_both_wires_and_its_tokens_are_said_to_be_counted() {
    let runtime = runtime();
    let fake = provider(&runtime, vec![FakeReply::text(ANSWER)]);
    for kind in ["openai-compatible", "messages"] {
        let dir = shop(&section(kind, fake.address()));
        let (code, stdout, stderr) =
            run("ask", &dir, &[QUESTION, "--trace"], &[("LLM_API_KEY", KEY), ("LLM_TEMPERATURE", "0.3")]);
        assert_eq!(code, 0, "{stderr}");
        assert!(stdout.starts_with(ANSWER), "{stdout}");
        assert!(stdout.contains("[returns#1] Returns (documents/returns.md)"), "{stdout}");
        assert!(stdout.contains("tokens in 10 out 5 (counted by the provider)"), "{stdout}");
    }
    let heard = fake.heard();
    assert_eq!(heard.len(), 2);
    assert!(heard.iter().all(|heard| heard.body["temperature"] == 0.3 && heard.body["model"] == "m"));
}

#[test]
fn what_is_missing_is_said_with_a_line_that_works() {
    let dir =
        shop("[model]\nkind = \"openai-compatible\"\nmodel = \"m\"\nbase_url = \"http://127.0.0.1:1\"\n");
    let (code, stdout, stderr) = run("ask", &dir, &[QUESTION], &[("LLM_BASE_URL", "")]);
    assert_eq!(code, 3, "{stdout}");
    for says in ["not-configured", "LLM_BASE_URL", "LLM_BASE_URL=http://127.0.0.1:11434/v1 LLM_MODEL=qwen3"] {
        assert!(stderr.contains(says), "{says}: {stderr}");
    }
    let (code, _, stderr) = run("check", &dir, &[], &[("LLM_BASE_URL", "")]);
    assert_eq!(code, 0);
    assert!(stderr.contains("warning: no address of a model is set"), "{stderr}");
    let (code, _, stderr) = run("ask", &dir, &[QUESTION], &[("LLM_TEMPERATURE", "warm")]);
    assert_eq!(code, 2);
    assert!(stderr.contains("LLM_TEMPERATURE"), "{stderr}");
}

#[test]
fn another_goes_on_where_the_first_is_away_and_the_trace_says_why() {
    let runtime = runtime();
    let spare = provider(&runtime, vec![FakeReply::text(ANSWER)]);
    let nobody = runtime.block_on(FakeProvider::nobody());
    let prices = "price_in_per_million = \"1.00\"\nprice_out_per_million = \"2.00\"\n";
    let behind = |names: &str| {
        format!(
            "{}fallback = [{names}]\n[models.spare]\nkind = \"messages\"\nbase_url = \"{}\"\nmodel = \"s\"\n{prices}",
            section("openai-compatible", &nobody),
            spare.address()
        )
    };
    let dir = shop(&behind("\"spare\", \"extractive\""));
    let (code, stdout, stderr) = run("ask", &dir, &[QUESTION, "--trace"], &[("LLM_API_KEY", KEY)]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.starts_with(ANSWER), "{stdout}");
    assert!(
        stdout.contains("\nending answered\nanother model went on: ") && stdout.contains("unreachable"),
        "{stdout}"
    );
    // 10 tokens in, 5 out, at the prices of the one that answered.
    assert!(stdout.contains("cost 20 (millionths)"), "{stdout}");
    // The key is the first one's.
    assert!(!format!("{:?}", spare.heard()).contains(KEY));
    let (code, stdout, stderr) = run("eval", &dir, &[], &[]);
    assert_eq!(code, 3, "what stood in says nothing of the shop's own model: {stdout}");
    assert!(stderr.contains("not released"), "{stderr}");
    let dir = shop(&behind("\"extractive\""));
    let (code, stdout, _) = run("ask", &dir, &[QUESTION], &[]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("Returns are free within 30 days. [returns#1]"), "{stdout}");
}

#[test]
fn what_a_service_said_is_said_again_without_it_and_a_miss_names_the_question() {
    let runtime = runtime();
    let fake = provider(&runtime, vec![FakeReply::text(ANSWER)]);
    let dir = shop(&section("openai-compatible", fake.address()));
    let key = [("LLM_API_KEY", KEY)];
    let (code, stdout, stderr) = run("record", &dir, &[], &key);
    assert_eq!((code, stdout.as_str()), (0, "1 exchanges kept in recordings/suite.jsonl\n"), "{stderr}");
    let cassette = fs::read_to_string(dir.path().join("recordings/suite.jsonl")).unwrap();
    assert!(!cassette.contains(KEY) && cassette.contains(QUESTION));
    drop(fake);
    let (code, stdout, stderr) = run("ask", &dir, &[QUESTION, "--model", "recorded"], &[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.starts_with(ANSWER), "{stdout}");
    let (code, _, stderr) = run("eval", &dir, &["--model", "recorded"], &[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("nothing is released"), "{stderr}");
    let (_, stdout, _) = run("check", &dir, &[], &key);
    assert!(stdout.contains("not released"), "{stdout}");
    let other = "Are returns free within 30 days?";
    let (code, _, stderr) = run("ask", &dir, &[other, "--model", "recorded"], &[]);
    assert_eq!(code, 3);
    for says in ["not-recorded", other, "mostrador record"] {
        assert!(stderr.contains(says), "{says}: {stderr}");
    }
}

#[test]
fn a_recording_that_fails_says_so_and_one_of_no_service_is_refused() {
    let runtime = runtime();
    let nobody = runtime.block_on(FakeProvider::nobody());
    let dir = shop(&section("openai-compatible", &nobody));
    let kept = dir.path().join("recordings/suite.jsonl");
    fs::create_dir(kept.parent().unwrap()).unwrap();
    fs::write(&kept, "what was recorded before\n").unwrap();
    let (code, stdout, stderr) = run("record", &dir, &["--question", QUESTION], &[]);
    assert_eq!((code, stdout.as_str()), (3, ""));
    assert!(stderr.contains("not recorded: Are returns free?") && stderr.contains("unreachable"), "{stderr}");
    assert_eq!(fs::read_to_string(&kept).unwrap(), "what was recorded before\n");
    let (code, _, stderr) = run("record", &shop(""), &[], &[]);
    assert_eq!(code, 2);
    assert!(stderr.contains("openai-compatible"), "{stderr}");
}

#[test]
fn what_does_not_go_together_names_its_line() {
    for (model, line, says) in [
        ("[model]\nfallback = [\"spare\"]\n", 4, "there is no [models.spare]"),
        ("[model]\nbase_url = \"http://a\"\n", 4, "its `kind` asks none"),
        ("[models.extractive]\nkind = \"messages\"\n", 3, "the name of a kind"),
        ("[models.a]\nfallback = [\"extractive\"]\n", 3, "neither `system` nor `fallback`"),
        ("[model]\nprice_in_per_million = \"1\"\n", 4, "one price of two"),
        ("[model]\ntemperature = 3\n", 4, "between 0 and 2"),
        ("[model]\nkind = \"openai\"\n", 4, "openai-compatible"),
        ("[model]\nbase_uri = \"http://a\"\n", 4, "did you mean `base_url`"),
    ] {
        let (code, _, stderr) = run("check", &shop(model), &[], &[]);
        assert_eq!(code, 2, "{model}: {stderr}");
        assert!(stderr.contains(&format!("shop.toml:{line}:")) && stderr.contains(says), "{model}: {stderr}");
    }
}
