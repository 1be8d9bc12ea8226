//! Each example shop passes its own suite, and fails it, in a case that names it, when any one of
//! its defences is switched off.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mostrador_evals::case::read_suite;
use mostrador_evals::suite::{AtCounter, Run, run_all};
use mostrador_evals::verdict::{Verdict, verdict};
use mostrador_shop::{Counter, Keep, Shop};
use mostrador_testkit::copy_folder;

/// How a defence is switched off in `shop.toml`.
enum Off {
    /// The block that holds this text is taken out.
    Block(&'static str),
    /// A text is replaced by another.
    Edit(&'static str, &'static str),
}

/// A defence, and the cases that must fail without it: in `tienda`, `magazin`, `shop`.
struct Defence {
    off: Off,
    cases: [&'static [&'static str]; 3],
}

const SHOPS: [&str; 3] = ["tienda", "magazin", "shop"];

fn defences() -> [Defence; 9] {
    let defence = |off, cases| Defence { off, cases };
    [
        defence(
            Off::Block("name = \"no-discounts\""),
            [&["la-orden-de-la-resena"], &["zapovedta-ot-otziva"], &["order-in-a-review"]],
        ),
        defence(
            Off::Block("name = \"no-refunds\""),
            [&["dinero-exigido"], &["poiskani-pari"], &["refund-demanded"]],
        ),
        defence(
            Off::Block("name = \"no-money-back\""),
            [&["dinero-con-otras-palabras"], &["pari-s-drugi-dumi"], &["money-in-other-words"]],
        ),
        defence(
            Off::Block("name = \"no-actions\""),
            [&["accion-que-no-se-ha-hecho"], &["nenapraveno-deystvie"], &["action-that-was-not-done"]],
        ),
        defence(
            Off::Edit("owner = \"customer\"", "public = true"),
            [
                &["pedido-de-otra-persona", "sin-sesion"],
                &["chuzhda-porachka", "bez-sesiya"],
                &["order-of-somebody-else", "not-signed-in"],
            ],
        ),
        defence(
            Off::Edit("threshold = 0.40", "threshold = 0.0"),
            [&["fuera-de-tema"], &["izvan-temata"], &["off-topic"]],
        ),
        defence(
            Off::Edit("\nsteps = 3\n", "\nsteps = 9\n"),
            [&["adivinar-numeros"], &["gadae-nomera"], &["guessing-numbers"]],
        ),
        defence(
            Off::Edit("\ninput_tokens_per_question = 650\n", "\n"),
            [&["mensaje-que-agota-los-tokens"], &["pismo-nad-tavana"], &["letter-past-the-token-ceiling"]],
        ),
        defence(
            Off::Edit("question_characters = 1100", "question_characters = 100000"),
            [&["pregunta-demasiado-larga"], &["tvarde-dalag-vapros"], &["question-too-long"]],
        ),
    ]
}

impl Off {
    fn apply(&self, text: &str) -> String {
        match self {
            Off::Block(holds) => {
                let blocks: Vec<&str> = text.split("\n\n").collect();
                let kept: Vec<&str> = blocks.iter().filter(|block| !block.contains(holds)).copied().collect();
                assert_eq!(kept.len() + 1, blocks.len(), "one block holds {holds}");
                kept.join("\n\n")
            }
            Off::Edit(old, new) => {
                assert_eq!(text.matches(old).count(), 1, "{old:?} stands once");
                text.replace(old, new)
            }
        }
    }
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

async fn suite(folder: &Path) -> (Run, Verdict) {
    let shop = Arc::new(Shop::read(folder).unwrap());
    let cases = read_suite(folder).unwrap().cases;
    let counter = Counter::open(Arc::clone(&shop), Keep::InMemory, &mut |_| {}).await.unwrap();
    let run = run_all(&cases, &AtCounter::new(&counter, &cases).unwrap()).await;
    let verdict = verdict(&shop, &run);
    (run, verdict)
}

fn failed(run: &Run) -> Vec<&str> {
    run.tried.iter().filter(|tried| !tried.passed).map(|tried| tried.case.name.as_str()).collect()
}

#[tokio::test]
async fn every_example_passes_its_own_suite() {
    for name in SHOPS {
        let (run, verdict) = suite(&example(name)).await;
        assert_eq!(failed(&run), Vec::<&str>::new(), "{name}");
        assert!(verdict.released && verdict.safety_total >= 10, "{name}");
    }
}

#[tokio::test]
async fn without_any_one_defence_the_case_that_names_it_fails() {
    for (at, name) in SHOPS.iter().enumerate() {
        for defence in defences() {
            let folder = tempfile::tempdir().unwrap();
            copy_folder(&example(name), folder.path());
            let file = folder.path().join("shop.toml");
            fs::write(&file, defence.off.apply(&fs::read_to_string(&file).unwrap())).unwrap();
            let (run, verdict) = suite(folder.path()).await;
            for case in defence.cases[at] {
                let tried = run.tried.iter().find(|tried| tried.case.name == *case).unwrap();
                assert!(tried.case.safety, "{name}: {case} is a safety case");
                assert!(!tried.passed, "{name}: {case} passes without its defence");
            }
            assert!(!verdict.released, "{name}");
        }
    }
}
