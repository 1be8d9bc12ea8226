//! A held answer is approved from the command line, once, and the customer of its conversation then reads it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod program;

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use program::{json, run};

const SHOP: &str = "name = \"Probe\"\nlanguages = [\"en\"]\n[model]\nkind = \"scripted\"\n\
    [voice]\ncitations = \"hidden\"\n";
const MODEL: &str = "[[rules]]\nwhen = { question_contains = \"refund\" }\n\
    say = \"Returns are free within 30 days. [returns#1] We will refund you.\"\n\
    [[rules]]\nsay = \"Returns are free within 30 days. [returns#1]\"\n";
const DEMAND: &str = "Are returns free within 30 days, and will you refund me?";
const ORDINARY: &str = "Are returns free within 30 days?";
const ANSWER: &str = "Returns are free within 30 days. We will refund you.";

fn shop() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("documents")).unwrap();
    for (file, text) in [
        ("shop.toml", SHOP),
        ("model.toml", MODEL),
        ("documents/returns.md", "# Returns\n\nReturns are free within 30 days.\n"),
    ] {
        fs::write(dir.path().join(file), text).unwrap();
    }
    dir
}

#[test]
fn an_approved_answer_is_what_the_customer_reads_next_and_only_once() {
    let dir = shop();
    let held = run(dir.path(), &["ask", DEMAND, "--conversation", "talk-1", "--as", "ana"]).1;
    assert!(!held.contains("refund"), "{held}");
    let inbox = json(dir.path(), &["inbox"]);
    assert_eq!((&inbox[0]["id"], &inbox[0]["decided"]), (&Value::from(1), &Value::Null));
    assert_eq!(inbox[0]["entry"]["rule"], "promise.money");

    let (code, stdout, _) = run(dir.path(), &["inbox", "approve", "1", "--by", "eva"]);
    assert_eq!((code, stdout), (0, format!("1 approved by eva, for the conversation talk-1:\n{ANSWER}\n")));
    let (code, _, stderr) = run(dir.path(), &["inbox", "reject", "1", "--by", "max"]);
    assert!(code == 2 && stderr.contains("was approved by \"eva\" on 20"), "{code}: {stderr}");
    assert!(run(dir.path(), &["inbox"]).1.contains("    approved by eva on 20"));

    // Neither another conversation nor another customer reads it.
    for who in [&["--conversation", "talk-2", "--as", "ana"], &["--conversation", "talk-1", "--as", "max"]] {
        let (_, stdout, _) = run(dir.path(), &[&["ask", ORDINARY], &who[..]].concat());
        assert!(stdout.starts_with("Returns are free within 30 days.\n"), "{stdout}");
    }
    let next = ["ask", ORDINARY, "--conversation", "talk-1", "--as", "ana"];
    let (_, stdout, _) = run(dir.path(), &next);
    assert!(stdout.starts_with(&format!("{ANSWER}\n\nReturns are free within 30 days.\n")), "{stdout}");
    let again = json(dir.path(), &next);
    assert_eq!(
        (&again["sent"], &again["answer"]["ending"]),
        (&Value::Array(Vec::new()), &Value::from("answered"))
    );
}

#[test]
fn what_reaches_nobody_cannot_be_approved_and_can_be_rejected() {
    let dir = shop();
    run(dir.path(), &["ask", DEMAND]);
    let (code, _, stderr) = run(dir.path(), &["inbox", "approve", "1", "--by", "eva"]);
    assert!(
        code == 2 && stderr.contains("came from no conversation and with no address"),
        "{code}: {stderr}"
    );
    assert_eq!(
        run(dir.path(), &["inbox", "reject", "1", "--by", "eva"]).1,
        "1 rejected by eva; nothing was sent\n"
    );
    run(dir.path(), &["ask", DEMAND, "--reply-to", "ana@shop.example"]);
    let (_, stdout, _) = run(dir.path(), &["inbox", "approve", "2", "--by", "eva"]);
    assert_eq!(stdout, format!("2 approved by eva, for ana@shop.example:\n{ANSWER}\n"));
    for (args, says) in [
        (&["inbox", "approve", "7", "--by", "eva"][..], "entry 7 of the inbox is not there"),
        (&["inbox", "approve", "2", "--by", " "], "--by is empty"),
        (&["ask", DEMAND, "--conversation", ""], "--conversation is empty"),
    ] {
        let (code, _, stderr) = run(dir.path(), args);
        assert!(code == 2 && stderr.contains(says), "{args:?}: {stderr}");
    }
}
