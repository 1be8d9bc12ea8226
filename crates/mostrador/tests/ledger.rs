//! Money through the program: what a question cost, what is warned of, what happens past a cap, and whether it adds up.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::fs;

use mostrador_testkit::{Canned, CannedServer};
use serde_json::Value;
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use tempfile::TempDir;

const QUESTION: &str = "Are returns free?";
const URL: &str = "LEDGER_TEST_URL";

/// An answer of seven tokens at one unit each; eight are reserved, and eight is the cap.
const BUDGET: &str = "[budget]\nprice_in_per_million = \"0\"\nprice_out_per_million = \"1000000\"\n\
    per_1000_questions = \"10000\"\ndaily_cap = \"8.00\"\n";

fn shop(budget: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let shop = format!(
        "name = \"Probe\"\nlanguages = [\"en\"]\n[model]\nkind = \"scripted\"\nmax_output_tokens = 8\n\
         [limits]\nsteps = 1\n{budget}"
    );
    let script = "[tokens]\nunit = \"words\"\nper_hundred = 100\n\
        [[rules]]\nsay = \"Returns are free within 30 days. [returns#1]\"\n";
    for (file, text) in [
        ("shop.toml", shop.as_str()),
        ("model.toml", script),
        ("documents/returns.md", "# Returns\n\nReturns are free within 30 days.\n"),
    ] {
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

fn run(args: &[&str], dir: &TempDir, more: &[&str], url: &str) -> Ran {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("mostrador");
    let out = command.args(args).arg(dir.path()).args(more).env(URL, url).output().unwrap();
    Ran {
        code: out.status.code().unwrap(),
        stdout: String::from_utf8(out.stdout).unwrap(),
        stderr: String::from_utf8(out.stderr).unwrap(),
    }
}

fn ask(dir: &TempDir, url: &str) -> Ran {
    let ran = run(&["ask"], dir, &[QUESTION], url);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    ran
}

fn shown(dir: &TempDir) -> Value {
    let ran = run(&["ledger", "show"], dir, &["--format", "json"], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn a_shop_that_nobody_has_asked_has_spent_nothing_and_adds_up() {
    let dir = shop(BUDGET);
    assert_eq!(
        (shown(&dir)["spent"].as_u64(), shown(&dir)["daily_cap"].as_u64()),
        (Some(0), Some(8_000_000))
    );
    let ran = run(&["ledger", "verify"], &dir, &[], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "the ledger adds up\n"));
    assert!(!dir.path().join("state").exists(), "looking makes no database");
    let ran = run(&["ledger", "show"], &dir, &["--month", "2026-13"], "");
    assert!(ran.code == 2 && ran.stderr.contains("is not a month"), "{}", ran.stderr);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_spent_is_shown_and_each_warning_is_said_and_posted_once() {
    let server = CannedServer::start(vec![Canned::Reply(200, "", String::new())]).await;
    let dir = shop(&format!("{BUDGET}webhook_env = \"{URL}\"\n"));

    let first = ask(&dir, server.address());
    assert!(first.stdout.starts_with("Returns are free"), "{}", first.stdout);
    assert!(first.stderr.contains("warning: 80 % of the cap of 8.00 EUR for "), "{}", first.stderr);
    let second = ask(&dir, server.address());
    assert!(!second.stdout.contains("Returns"), "{}", second.stdout);
    assert!(second.stderr.contains("warning: the cap of 8.00 EUR for "), "{}", second.stderr);
    let third = ask(&dir, server.address());
    assert_eq!(third.stderr, "", "what was said is not said again");

    let posted: Vec<Value> = server
        .asked()
        .iter()
        .map(|asked| serde_json::from_str(asked.split_once("\r\n\r\n").unwrap().1).unwrap())
        .collect();
    let told: Vec<_> = posted.iter().map(|one| (one["about"].as_str(), one["percent"].as_u64())).collect();
    assert_eq!(told, [(Some("day"), Some(80)), (Some("day"), Some(100))]);
    assert_eq!((posted[0]["shop"].as_str(), posted[0]["spent"].as_u64()), (Some("Probe"), Some(7_000_000)));

    let shown = shown(&dir);
    assert_eq!((shown["spent"].as_u64(), shown["reserved"].as_u64()), (Some(7_000_000), Some(0)));
    assert_eq!((shown["questions"].as_u64(), shown["days"].as_array().unwrap().len()), (Some(1), 1));
    assert!(shown["warnings"].as_array().unwrap().iter().all(|one| one["sent"].is_number()), "{shown}");
    let text = run(&["ledger", "show"], &dir, &[], "").stdout;
    assert!(text.contains(": spent 7.00 EUR, reserved 0.00, cap 8.00, 1 questions\n"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_that_is_away_stops_no_turn_is_in_no_log_and_is_told_later() {
    let dir = shop(&format!("{BUDGET}webhook_env = \"{URL}\"\n"));
    let away = "http://127.0.0.1:1/secret-path";
    let asked = ask(&dir, away);
    assert!(asked.stdout.starts_with("Returns are free"), "{}", asked.stdout);
    assert!(
        asked.stderr.contains(&format!("warning: the webhook of {URL}: it could not be sent")),
        "{}",
        asked.stderr
    );
    assert!(!asked.stderr.contains("secret-path") && !asked.stderr.contains("127.0.0.1"), "{}", asked.stderr);

    let server = CannedServer::start(vec![Canned::Reply(204, "", String::new())]).await;
    // Past the cap by now: one warning of before and one of now.
    ask(&dir, server.address());
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn past_a_cap_the_pages_are_quoted_where_the_shop_wants_that() {
    let dir = shop(&format!("{BUDGET}over = \"extractive\"\n"));
    ask(&dir, "");
    let ran = run(&["ask"], &dir, &[QUESTION, "--trace"], "");
    assert!(ran.stdout.starts_with("Returns are free within 30 days. [returns#1]"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("\nquoted from the documents, at no cost: 8.00 on top of 7.00 "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("reserved 0, cost 0 (millionths)"), "{}", ran.stdout);
    assert_eq!(shown(&dir)["spent"].as_u64(), Some(7_000_000));
}

#[tokio::test]
async fn a_ledger_that_does_not_add_up_is_told_and_nothing_is_spent_by_it() {
    let dir = shop(BUDGET);
    ask(&dir, "");
    let file = dir.path().join("state/mostrador.db");
    let mut connection = SqliteConnectOptions::new().filename(&file).connect().await.unwrap();
    sqlx::query("UPDATE ledger_days SET spent = 1").execute(&mut connection).await.unwrap();
    let ran = run(&["ledger", "verify"], &dir, &[], "");
    assert_eq!(ran.code, 2);
    let says = "the total says spent 1, reserved 0, 1 questions; the entries add up to 7000000, 0, 1";
    assert!(ran.stdout.contains(says), "{}", ran.stdout);
    let ran = run(&["ask"], &dir, &[QUESTION], "");
    assert!(ran.code == 2 && ran.stderr.contains("`mostrador ledger verify`"), "{}", ran.stderr);
}

#[test]
fn what_does_not_fit_about_money_names_its_line() {
    let service = |rest: &str| {
        format!(
            "name = \"a\"\nlanguages = [\"en\"]\n{rest}\n[budget]\nprice_in_per_million = \"1\"\n\
             price_out_per_million = \"1\"\nper_1000_questions = \"1\"\n"
        )
    };
    let spare = "[model]\nfallback = [\"spare\"]\n[models.spare]\nkind = \"messages\"\nbase_url = \"http://a\"\nmodel = \"s\"";
    let embedder = "[embedder]\nkind = \"openai-compatible\"\nbase_url = \"http://a\"\nmodel = \"e\"";
    let priced = "price_in_per_million = \"1\"\nprice_out_per_million = \"2\"";
    for (text, line, says) in [
        (service(spare), 5, "[models.spare] has no price"),
        (service(embedder), 4, "[embedder] has no price"),
        (format!("{}reservation_minutes = 2\n", service("")), 8, "write 3 or more"),
        (service(&format!("[model]\nlong_above_tokens = 9\n{priced}")), 4, "only a part"),
        (format!("{}dayly_cap = \"1\"\n", service("")), 8, "did you mean `daily_cap`"),
        (format!("{}over = \"free\"\n", service("")), 8, "`extractive`"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("shop.toml"), &text).unwrap();
        let ran = run(&["check"], &dir, &[], "");
        assert!(
            ran.code == 2 && ran.stderr.contains(&format!("shop.toml:{line}:")),
            "{}\n{text}",
            ran.stderr
        );
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
}

#[test]
fn a_service_that_nobody_counts_and_a_webhook_without_an_address_are_warned_of() {
    let dir = shop(&format!("{BUDGET}webhook_env = \"{URL}\"\n"));
    fs::create_dir(dir.path().join("cases")).unwrap();
    fs::write(dir.path().join("cases/a.yaml"), "- question: Are returns free?\n  has: 30 days\n").unwrap();
    let ran = run(&["check"], &dir, &[], "");
    assert!(
        ran.stderr.contains(&format!("`[budget] webhook_env` names {URL}, which is not set here")),
        "{}",
        ran.stderr
    );
    let text = "name = \"a\"\nlanguages = [\"en\"]\n[model]\nkind = \"messages\"\nbase_url = \"http://a\"\nmodel = \"s\"\n";
    fs::write(dir.path().join("shop.toml"), text).unwrap();
    let ran = run(&["check"], &dir, &[], "");
    assert!(ran.stderr.contains("without `[budget]` nothing is reserved or capped"), "{}", ran.stderr);
}
