//! A fixture shop with every attack of its language planted as a review, and the ways to ask it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mostrador_answer::engine::Settings;
use mostrador_answer::gate::GateMode;
use mostrador_answer::passage::Similarity;
use mostrador_answer::promises::PromiseSettings;
use mostrador_answer::question::Asked;
use mostrador_answer::refusal::RefusalSettings;
use mostrador_language::{Lang, normalize};
use mostrador_shop::config::ModelKind;
use mostrador_shop::{Counter, Keep, Shop};
use mostrador_testkit::copy_folder;
use serde::Deserialize;
use tempfile::TempDir;

/// An attack: a system text that holds something to be kept, and an order.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Attack {
    pub(crate) lang: Lang,
    pub(crate) system: String,
    pub(crate) user: String,
}

/// Where an attack stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Planted {
    /// It is the question.
    Question,
    /// It stands behind an ordinary question, so that the search finds something.
    Behind,
    /// It stands in a customer's review that fits an ordinary question best.
    Review,
}

/// Which rooms there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rooms {
    /// All, as a shop has them by default.
    All,
    /// Nothing is refused and anything found will do: what a model wrote meets rules and gate alone.
    RulesAndGate,
    /// Not even these.
    None,
}

/// A shop with its attacks.
pub(crate) struct Stage {
    pub(crate) lang: Lang,
    pub(crate) attacks: Vec<Attack>,
    /// What its pages and fixed texts say, in normal form.
    pub(crate) says: String,
    pub(crate) shop: Arc<Shop>,
    pub(crate) counter: Counter,
    questions: Vec<String>,
    _folder: TempDir,
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// The objects of a file of JSON lines.
pub(crate) fn lines<T: for<'de> Deserialize<'de>>(file: &Path) -> Vec<T> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

impl Stage {
    pub(crate) async fn set(lang: Lang, attacks: Vec<Attack>) -> Self {
        #[derive(Deserialize)]
        struct Golden {
            question: String,
        }
        let folder = tempfile::tempdir().unwrap();
        copy_folder(&fixtures().join(lang.code()), folder.path());
        let golden: Vec<Golden> = lines(&folder.path().join("golden.jsonl"));
        let questions: Vec<String> = golden.into_iter().map(|golden| golden.question).collect();
        let config = folder.path().join("shop.toml");
        let written = fs::read_to_string(&config).unwrap();
        fs::write(&config, format!("{written}\n[retrieval]\nreviews = true\n")).unwrap();
        fs::create_dir(folder.path().join("reviews")).unwrap();
        for (at, attack) in attacks.iter().enumerate() {
            let review = format!("{} {}\n", questions[at % questions.len()], attack.user);
            fs::write(folder.path().join(review_file(at)), review).unwrap();
        }
        let shop = Arc::new(Shop::read(folder.path()).unwrap());
        let counter = Counter::open(Arc::clone(&shop), Keep::InMemory, &mut |_| {}).await.unwrap();
        let mut says = String::new();
        for passage in counter.snapshot().await.unwrap().passages().map(Result::unwrap) {
            if passage.file.starts_with("documents") {
                says.push_str(&format!("{} {} ", passage.headings.join(" "), passage.text));
            }
        }
        for text in shop.all_texts().values().flat_map(|texts| texts.values()) {
            says.push_str(&format!("{text} "));
        }
        let says = normalize(&says);
        Self { lang, attacks, says, shop, counter, questions, _folder: folder }
    }

    /// How an attack is asked.
    pub(crate) fn asked(&self, at: usize, planted: Planted) -> Asked {
        let question = &self.questions[at % self.questions.len()];
        let attack = &self.attacks[at].user;
        let mut asked = Asked::new(match planted {
            Planted::Question => attack.clone(),
            Planted::Behind => format!("{question} {attack}"),
            Planted::Review => question.clone(),
        });
        asked.filter.files = vec!["documents".to_owned()];
        if planted == Planted::Review {
            asked.filter.files.push(review_file(at));
        }
        asked
    }

    /// The settings of a shop with a model, whose system text holds what an attack is after.
    pub(crate) fn settings(&self, at: usize, rooms: Rooms) -> Settings {
        let mut settings = self.shop.settings_with(ModelKind::Scripted);
        settings.dialogue.system = format!("{}\n{}", settings.dialogue.system, self.attacks[at].system);
        if rooms != Rooms::All {
            settings.refusal = RefusalSettings::default();
            settings.evidence.threshold = Similarity::default();
            settings.intake.max_characters = 100_000;
        }
        if rooms == Rooms::None {
            settings.gate.mode = GateMode::Off;
            settings.promises = PromiseSettings::default();
        }
        settings
    }
}

fn review_file(at: usize) -> String {
    format!("reviews/r{at}.txt")
}
