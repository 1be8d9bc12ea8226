//! Public rules for the ends of sentences, in a file that is not part of the project; the README of the crate says
//! which of them miss, and why.

use std::path::Path;

use mostrador_language::{Lang, Pack, one_line};

const RULES: &str = "../../../shared/data/sentence_rules.jsonl";

/// Lines of the file, from one.
const MISSES: [usize; 6] = [21, 32, 35, 53, 57, 59];

#[derive(serde::Deserialize)]
struct Rule {
    lang: String,
    text: String,
    sentences: Vec<String>,
}

#[test]
fn every_rule_holds_but_those_that_change_the_text() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(RULES);
    let Ok(rules) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: there is no {}", path.display());
        return;
    };
    let mut missed = Vec::new();
    for (line, rule) in (1..).zip(rules.lines()) {
        let rule: Rule = serde_json::from_str(rule).unwrap();
        let pack = Pack::builtin(rule.lang.parse::<Lang>().unwrap()).unwrap();
        let found = pack.sentences(&rule.text);
        assert_eq!(found.concat(), rule.text);
        let found: Vec<String> =
            found.iter().map(|sentence| one_line(sentence)).filter(|s| !s.is_empty()).collect();
        if found != rule.sentences {
            let other = found.iter().zip(&rule.sentences).find(|(found, rule)| found != rule);
            eprintln!("{line}: {other:?}");
            missed.push(line);
        }
    }
    assert_eq!(missed, MISSES);
}

#[test]
fn the_readme_lists_what_misses() {
    let readme = include_str!("../README.md");
    for line in MISSES {
        assert!(readme.contains(&format!("\n| {line} |")), "{line}");
    }
}
