//! What commands print, for people and for programs, and with which exit code.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod program;

use std::fs;

use tempfile::TempDir;

use program::{json, run};

const SHOP: &str = "name = \"Probe\"\nlanguages = [\"en\"]\n[model]\nkind = \"scripted\"\n\
    [budget]\nprice_in_per_million = \"3.00\"\nprice_out_per_million = \"15.00\"\nper_1000_questions = \"1.00\"\n\
    [[rules]]\nname = \"no-discounts\"\nwords = \"discount\"\naction = \"await-approval\"\n";
const MODEL: &str = "[tokens]\nunit = \"words\"\nper_hundred = 100\n\
    [[rules]]\nwhen = { question_contains = \"cheaper\" }\nsay = \"You get a discount.\"\n\
    [[rules]]\nwhen = { question_contains = \"away\" }\nsay = \"\"\n\
    [[rules]]\nwhen = { question_contains = \"free\" }\nsay = \"Yes, returns are free within 30 days. [{source}]\"\n";

fn shop() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| {
        let file = dir.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    write("shop.toml", SHOP);
    write("model.toml", MODEL);
    write("documents/returns.md", "# Returns\n\nReturns are free within 30 days.\n");
    write("cases/first.yaml", "- question: Are returns free?\n  has: free\n");
    dir
}

#[test]
fn an_answer_names_its_source_and_its_trace_on_request() {
    let dir = shop();
    let (code, stdout, _) = run(dir.path(), &["ask", "Are returns free?"]);
    assert_eq!(code, 0);
    assert_eq!(
        stdout,
        "Yes, returns are free within 30 days. [returns#1]\n\nSources:\n  [returns#1] Returns (documents/returns.md)\n"
    );
    let (_, traced, _) = run(dir.path(), &["ask", "Are returns free?", "--trace"]);
    assert!(traced.contains("* returns#1 strength 1.00") && traced.contains("ending answered"), "{traced}");
    assert!(traced.contains("calls 1, reserved "), "{traced}");
}

#[test]
fn what_was_held_is_not_in_the_customers_json_and_is_in_the_inbox() {
    let dir = shop();
    let answer = json(dir.path(), &["ask", "Are returns free and cheaper?"]);
    assert_eq!(answer["ending"], "held");
    assert!(!answer.to_string().contains("discount"), "{answer}");
    let traced = json(dir.path(), &["ask", "Are returns free and cheaper?", "--trace"]);
    assert_eq!(traced["record"]["raw"], "You get a discount.");
    let inbox = json(dir.path(), &["inbox"]);
    assert_eq!(inbox.as_array().unwrap().len(), 2);
    assert_eq!(inbox[0]["entry"]["answer"], "You get a discount.");
    let (_, listed, _) = run(dir.path(), &["inbox"]);
    assert!(
        listed.contains("held by no-discounts, not signed in: Are returns free and cheaper?"),
        "{listed}"
    );
}

#[test]
fn the_forecast_is_that_of_the_suite() {
    let dir = shop();
    let cost = json(dir.path(), &["cost"]);
    let (input, output) = (&cost["usage"]["input_tokens"], &cost["usage"]["output_tokens"]);
    // Eight words were said; prices are 3 and 15 micro-units a token, and a thousand questions are one, a thousand times.
    assert_eq!(output, 8);
    let expected = (input.as_u64().unwrap() * 3 + 8 * 15) * 1_000;
    assert_eq!(cost["per_1000"], expected);
    assert_eq!(cost["per_month"], expected / 1_000 * 100 * 30);
    assert!(cost["worst_per_1000"].as_u64().unwrap() > expected);
    let (code, stdout, _) = run(dir.path(), &["cost"]);
    assert_eq!((code, stdout.lines().count()), (0, 3), "{stdout}");
}

#[test]
fn a_search_shows_what_is_close_enough_and_on_request_what_is_not() {
    let dir = shop();
    let found =
        json(dir.path(), &["search", "Are returns free?", "Returns to the moon and back for a prince?"]);
    assert_eq!(
        (&found[0]["hits"][0]["source"], &found[0]["threshold"]),
        (&"returns#1".into(), &400_000.into())
    );
    assert_eq!(found[1]["hits"].as_array().unwrap().len(), 0);
    assert_eq!(found[1]["below"][0]["source"], "returns#1");
    let (_, stdout, _) = run(dir.path(), &["search", "--all", "Returns to the moon?"]);
    assert!(stdout.contains("(nothing above 0.40)\n  - returns#1 0.00"), "{stdout}");
    let (_, stdout, _) = run(dir.path(), &["search", " "]);
    assert!(stdout.contains("refused by intake.empty"), "{stdout}");
}

#[test]
fn a_failed_suite_says_what_was_missed_and_why_nothing_goes_out() {
    let dir = shop();
    fs::write(
        dir.path().join("cases/first.yaml"),
        "- name: price\n  question: Are returns free?\n  has: 9 €\n",
    )
    .unwrap();
    let (code, stdout, stderr) = run(dir.path(), &["eval"]);
    assert_eq!(code, 1);
    assert!(
        stdout.starts_with("✗ price\n    Yes, returns are free within 30 days. [returns#1]\n"),
        "{stdout}"
    );
    assert!(stderr.contains("price: has: \"9 €\""), "{stderr}");
    assert!(stderr.contains("not released: 0 of 1 cases passed"), "{stderr}");
    let run = json(dir.path(), &["eval"]);
    assert_eq!(run["verdict"]["released"], false);
    assert_eq!(run["cases"][0]["answer"]["record"]["trace"]["ranked"][0]["source"], "returns#1");
}

#[test]
fn a_model_that_fails_is_an_incomplete_run() {
    let dir = shop();
    // No rule of the script fits this question.
    fs::write(dir.path().join("cases/first.yaml"), "- question: Do returns take days?\n  not: discount\n")
        .unwrap();
    let (code, _, stderr) = run(dir.path(), &["eval"]);
    assert_eq!(code, 3, "{stderr}");
    let (code, stdout, stderr) = run(dir.path(), &["ask", "Do returns take days?"]);
    assert_eq!(code, 3);
    assert!(!stdout.is_empty() && stderr.contains("error: "), "{stdout}{stderr}");
}

#[test]
fn a_suite_that_never_asks_the_shops_own_model_releases_nothing() {
    let dir = shop();
    let cases = "- question: Are returns free?\n  has: free\n  model: extractive\n";
    fs::write(dir.path().join("cases/first.yaml"), cases).unwrap();
    for command in ["eval", "cost"] {
        let (code, _, stderr) = run(dir.path(), &[command]);
        assert_eq!(code, 2);
        assert!(stderr.contains("own model"), "{stderr}");
    }
}

#[test]
fn a_release_that_cannot_be_written_down_is_not_announced() {
    let dir = shop();
    fs::write(dir.path().join("state"), "in the way").unwrap();
    let (code, stdout, stderr) = run(dir.path(), &["eval"]);
    assert_eq!(code, 2);
    assert!(stdout.contains("Release: NO"), "{stdout}");
    assert!(stderr.contains("could not be recorded"), "{stderr}");
}

#[test]
fn another_case_is_another_version() {
    let dir = shop();
    assert_eq!(run(dir.path(), &["eval"]).0, 0);
    assert_eq!(json(dir.path(), &["check"])["released"], true);
    fs::write(
        dir.path().join("cases/second.yaml"),
        "- name: b\n  question: Are returns free?\n  has: never\n",
    )
    .unwrap();
    assert_eq!(json(dir.path(), &["check"])["released"], false);
}

#[test]
fn texts_cannot_steer_the_terminal() {
    let dir = shop();
    let page = "# Returns\n\nReturns are free \u{1b}[31mwithin 30 days.\n";
    fs::write(dir.path().join("documents/returns.md"), page).unwrap();
    let (_, stdout, _) = run(dir.path(), &["ask", "Are returns free within days?", "--model", "extractive"]);
    assert!(stdout.contains("Returns are free") && !stdout.contains('\u{1b}'), "{stdout:?}");
}
