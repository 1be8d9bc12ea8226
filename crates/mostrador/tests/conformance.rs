//! The lessons' outputs, byte for byte: a shop folder is built from each `shop.json` and every file
//! under `expected/` is compared with what the program prints, or prints from its own types.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod lesson;

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use mostrador_answer::dialogue::prompt;
use mostrador_answer::engine::Engine;
use mostrador_answer::event::Answer;
use mostrador_answer::question::Asked;
use mostrador_answer::rules::Rules;
use mostrador_evals::case::{Case, read_suite};
use mostrador_evals::report;
use mostrador_evals::suite::{Ask, run_all};
use mostrador_evals::verdict::verdict;
use mostrador_language::{TextKey, fill};
use mostrador_shop::{Counter, Keep, Shop};

use crate::lesson::{Lesson, Step, lessons};

/// What the program prints, and its exit code.
fn program(args: &[&str]) -> (String, i32) {
    let out = assert_cmd::cargo::cargo_bin_cmd!("mostrador").args(args).output().unwrap();
    let (stdout, stderr) = (String::from_utf8(out.stdout).unwrap(), String::from_utf8_lossy(&out.stderr));
    // What a failed case missed, and why a version may not go out, is said beside the report.
    assert!(args[0] == "eval" || stderr.is_empty(), "{args:?}: {stderr}");
    (stdout, out.status.code().unwrap())
}

fn compare(lesson: &Lesson, step: &str, actual: &str) {
    assert_eq!(actual, lesson.expected(step), "{} {step}", lesson.name);
}

async fn counter(folder: &Path) -> Counter {
    let shop = Arc::new(Shop::read(folder).unwrap());
    Counter::open(shop, Keep::InMemory, &mut |_| {}).await.unwrap()
}

#[test]
fn step_1_search() {
    for lesson in lessons() {
        let folder = lesson.folder(Step::default());
        let expected = lesson.expected("step1-search");
        let questions = expected.lines().filter(|line| !line.starts_with("  "));
        let mut args = vec!["search", folder.path().to_str().unwrap()];
        args.extend(questions);
        let (actual, code) = program(&args);
        compare(&lesson, "step1-search", &actual);
        assert_eq!(code, 0);
    }
}

#[tokio::test]
async fn step_2_an_answer_with_its_source() {
    for lesson in lessons() {
        let folder = lesson.folder(Step::default());
        let counter = counter(folder.path()).await;
        let (engine, words) = (counter.engine(), &counter.shop().pack().report);
        let expected = lesson.expected("step2-cited-answer");
        let label = fill(&words.question, &[("text", "")]);
        let questions: Vec<&str> = expected.lines().filter_map(|line| line.strip_prefix(&label)).collect();
        assert_eq!(questions.len(), 2);
        let (grounded, _) = engine.evidence(Asked::new(questions[0])).await;
        let request = prompt(&grounded.unwrap(), &engine.settings().dialogue);
        let mut actual = format!("{}\n", request.messages[0].content[0].text());
        for question in questions {
            let answer = engine.ask(Asked::new(question)).await;
            writeln!(actual, "{}", fill(&words.question, &[("text", question)])).unwrap();
            writeln!(actual, "{}", fill(&words.answer, &[("text", &answer.text)])).unwrap();
        }
        compare(&lesson, "step2-cited-answer", &actual);
    }
}

#[tokio::test]
async fn step_3_the_state_of_an_order() {
    for lesson in lessons() {
        let folder = lesson.folder(Step { tools: true, ..Step::default() });
        let counter = counter(folder.path()).await;
        let (engine, words) = (counter.engine(), &counter.shop().pack().report);
        let expected = lesson.expected("step3-tool");
        let mut actual = String::new();
        for question in expected.lines().filter(|line| !line.starts_with("  ")) {
            let answer = engine.ask(Asked::new(question)).await;
            writeln!(actual, "{question}").unwrap();
            for line in report::steps(&answer.closing.trace, words) {
                writeln!(actual, "  {line}").unwrap();
            }
            writeln!(actual, "  → {}", answer.text).unwrap();
        }
        compare(&lesson, "step3-tool", &actual);
    }
}

fn eval(step_name: &str, step: Step, expected_code: i32) {
    for lesson in lessons() {
        let folder = lesson.folder(step);
        let (actual, code) = program(&["eval", folder.path().to_str().unwrap()]);
        compare(&lesson, step_name, &actual);
        assert_eq!(code, expected_code);
    }
}

#[test]
fn step_4_the_suite() {
    eval("step4-suite", Step { tools: true, ..Step::default() }, 1);
}

#[test]
fn step_5_the_defence() {
    eval("step5-defence", Step { tools: true, rules: true, ..Step::default() }, 0);
}

#[test]
fn step_6_the_budget() {
    eval("step6-budget", Step { tools: true, rules: true, budget: true, extra_axis: false }, 0);
}

#[test]
fn the_last_exercise() {
    eval("final", Step { tools: true, rules: true, budget: true, extra_axis: true }, 0);
}

/// A guard written from memory: it checks the question where it should check the answer.
struct WrongGuard {
    unguarded: Arc<Engine>,
    rules: Rules,
}

#[async_trait]
impl Ask for WrongGuard {
    async fn ask(&self, case: &Case) -> Answer {
        let mut answer = self.unguarded.ask(case.asked()).await;
        if self.rules.judge(&case.question).is_some() {
            answer.text = self.unguarded.settings().texts.values().next().unwrap()[&TextKey::Hold].clone();
        }
        answer
    }
}

#[tokio::test]
async fn step_5_with_the_wrong_guard() {
    for lesson in lessons() {
        let with_rules = Step { tools: true, rules: true, budget: true, extra_axis: false };
        let folder = lesson.folder(with_rules);
        let shop = Shop::read(folder.path()).unwrap();
        let without = lesson.folder(Step { rules: false, ..with_rules });
        let unguarded = counter(without.path()).await.engine();
        let guard = WrongGuard { unguarded, rules: shop.rules().clone() };
        let cases = read_suite(folder.path()).unwrap().cases;
        let run = run_all(&cases, &guard).await;
        let verdict = verdict(&shop, &run);
        compare(&lesson, "step5-wrong-guard", &report::text(&shop, &run, &verdict));
        assert!(!verdict.released && verdict.complete);
    }
}
