//! Cases whose answer could not be had stay in the denominator, are printed, and let nothing out.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::sync::Arc;

use async_trait::async_trait;
use mostrador_answer::event::Answer;
use mostrador_evals::case::{Case, read_suite};
use mostrador_evals::report;
use mostrador_evals::suite::{Ask, Run, run_all};
use mostrador_evals::verdict::{Verdict, verdict};
use mostrador_shop::Shop;
use mostrador_testkit::{Line, LinesModel, World, say};

/// Answers each case with the model's next reply.
struct OneByOne(Arc<mostrador_answer::engine::Engine>);

#[async_trait]
impl Ask for OneByOne {
    async fn ask(&self, case: &Case) -> Answer {
        self.0.ask(case.asked()).await
    }
}

async fn suite(cases: &str, replies: Vec<Vec<Line>>) -> (Shop, Run, Verdict) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("cases")).unwrap();
    std::fs::write(dir.path().join("cases/a.yaml"), cases).unwrap();
    let config = "name = \"Probe\"\nlanguages = [\"en\"]\n[suite]\nmin_pass_percent = 60\n";
    std::fs::write(dir.path().join("shop.toml"), config).unwrap();
    let shop = Shop::read(dir.path()).unwrap();
    let cases = read_suite(dir.path()).unwrap().cases;
    let world = World::new(&["Returns are free. They take 30 days."], LinesModel::new(replies));
    let run = run_all(&cases, &OneByOne(world.engine())).await;
    let verdict = verdict(&shop, &run);
    (shop, run, verdict)
}

const THREE: &str = "- name: one\n  question: Are returns free?\n  has: free\n\
                     - name: two\n  question: Are returns free?\n  has: free\n\
                     - name: three\n  question: Are returns free?\n  not: '%'\n";

#[tokio::test]
async fn an_errored_case_counts_and_nothing_goes_out() {
    let replies =
        vec![say("Returns are free. [shelf#1]"), say("Returns are free. [shelf#1]"), vec![Line::Fail]];
    let (shop, run, verdict) = suite(THREE, replies).await;
    // Two of three are 66 %, and 60 % would be enough; the third would even pass by its text.
    assert_eq!((verdict.passed, verdict.total, verdict.errored), (2, 3, 1));
    assert!(!verdict.complete && !verdict.released);
    let text = report::text(&shop, &run, &verdict);
    assert!(text.contains("✗ three\n"), "{text}");
    assert!(text.contains("dialogue.model"), "{text}");
    assert!(text.contains("1 of 3"), "{text}");
}

#[tokio::test]
async fn a_run_that_was_cut_short_lets_nothing_out() {
    let (shop, mut run, _) = suite(THREE, vec![say("Returns are free. [shelf#1]"); 3]).await;
    assert!(verdict(&shop, &run).released);
    run.tried.pop();
    let cut = verdict(&shop, &run);
    assert_eq!((cut.passed, cut.total), (2, 3));
    assert!(!cut.complete && !cut.released);
}

#[tokio::test]
async fn a_failure_that_a_case_is_about_is_no_error() {
    let cases = "- question: Are returns free?\n  ends: failed\n  rule: dialogue.model\n";
    let (_, _, verdict) = suite(cases, vec![vec![Line::Fail]]).await;
    assert!(verdict.released);
}
