//! In every language, what a shop may refuse is refused for its reason, and a shop's ordinary questions are answered.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use mostrador_language::{Category, Cues, Lang, Normal, Pack, Packs, Refusals};
use serde::Deserialize;

/// A line of `inputs/refusals/LANG.jsonl`.
#[derive(Deserialize)]
struct Line {
    question: String,
    verdict: Verdict,
    /// Why it is refused; `ok` where it is answered.
    category: String,
}

#[derive(Deserialize, PartialEq, Eq, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Refuse,
    Answer,
}

fn lines(lang: Lang) -> Vec<Line> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/inputs/refusals/{lang}.jsonl"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn word(category: Category) -> String {
    serde_json::to_value(category).unwrap().as_str().unwrap().to_owned()
}

/// Every category of every language is loaded: a question is tried against all of them.
#[test]
fn every_question_gets_its_verdict() {
    let refusals = Refusals::new(&Packs::default(), &Category::ALL, &BTreeMap::new()).unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for lang in Pack::languages() {
        for line in lines(lang) {
            count += 1;
            let refused = refusals.check(&Normal::of(&line.question));
            let got = refused.as_ref().map_or_else(|| "ok".to_owned(), |refused| word(refused.category));
            let kind = if refused.is_some() { Verdict::Refuse } else { Verdict::Answer };
            if got != line.category || kind != line.verdict {
                let by = refused.map(|refused| (refused.lang, line.question[refused.found].to_owned()));
                wrong.push(format!("{lang}: {:?} is {got}, not {} {by:?}", line.question, line.category));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_language_has_questions_of_every_category() {
    for lang in Pack::languages() {
        let lines = lines(lang);
        let answered = lines.iter().filter(|line| line.verdict == Verdict::Answer).count();
        assert!(answered >= 40, "{lang}: {answered} ordinary questions");
        assert!(lines.len() - answered >= 25, "{lang}: {} refused", lines.len() - answered);
        let seen: BTreeSet<&str> = lines.iter().map(|line| line.category.as_str()).collect();
        let expected: BTreeSet<String> =
            Category::ALL.map(word).into_iter().chain(["ok".to_owned()]).collect();
        assert_eq!(seen, expected.iter().map(String::as_str).collect(), "{lang}");
    }
}

/// A shop's ordinary questions are about one thing, so none of them is for the records as a whole.
#[test]
fn an_ordinary_question_is_no_overview() {
    let cues = Cues::new(&Packs::default());
    let mut wrong = Vec::new();
    for lang in Pack::languages() {
        let ordinary = lines(lang).into_iter().filter(|line| line.verdict == Verdict::Answer);
        let taken = ordinary.filter(|line| cues.is_overview(&Normal::of(&line.question)));
        wrong.extend(taken.map(|line| format!("{lang}: {}", line.question)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_question_for_what_is_new_or_for_all_there_is_is_an_overview() {
    let cues = Cues::new(&Packs::default());
    let mut missed = Vec::new();
    for question in [
        "What's new?",
        "What have you been working on lately?",
        "Which services do you offer?",
        "Tell me about yourself",
        "¿Qué hay de nuevo?",
        "¿Qué ha hecho últimamente?",
        "¿Qué servicios ofrecéis?",
        "Háblame de ti",
        "Какво ново?",
        "Какво сте правили напоследък?",
        "Какви услуги предлагате?",
        "Разкажи ми за себе си",
        "O que há de novo?",
        "O que você tem feito ultimamente?",
        "Que serviços oferecem?",
        "Fale-me sobre a loja",
        "Quoi de neuf ?",
        "Qu'avez-vous fait récemment ?",
        "Quels services proposez-vous ?",
        "Parlez-moi de vous",
        "Was gibt es Neues?",
        "Was hast du in letzter Zeit gemacht?",
        "Welche Dienstleistungen bieten Sie an?",
        "Erzähl mir etwas über dich",
        "Что нового?",
        "Чем вы занимались в последнее время?",
        "Какие услуги вы предлагаете?",
        "Расскажите о себе",
        "ما الجديد؟",
        "ماذا فعلت مؤخراً؟",
        "ما هي الخدمات التي تقدمونها؟",
        "حدثني عن نفسك",
        "چه خبر؟",
        "اخیراً روی چه پروژه‌هایی کار کرده‌اید؟",
        "چه خدماتی ارائه می‌دهید؟",
        "درباره خودت بگو",
        "क्या नया है?",
        "आपने हाल ही में क्या किया है?",
        "आप कौन सी सेवाएँ देते हैं?",
        "अपने बारे में बताइए",
        "最近有什么新品？",
        "你最近在做什么？",
        "你们提供哪些服务？",
        "介绍一下你自己",
    ] {
        if !cues.is_overview(&Normal::of(question)) {
            missed.push(question);
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn an_ordinal_points_to_its_place() {
    let cues = Cues::new(&Packs::default());
    for (question, place) in [
        ("How much is the second one?", Some(2)),
        ("And the last one?", Some(-1)),
        ("¿Y el segundo?", Some(2)),
        ("Quiero la última", Some(-1)),
        ("А колко струва вторият?", Some(2)),
        ("Искам последния", Some(-1)),
        ("Quanto custa o segundo?", Some(2)),
        ("Quero a última", Some(-1)),
        ("Vocês abrem na segunda?", None),
        ("Combien coûte le deuxième ?", Some(2)),
        ("Et la dernière ?", Some(-1)),
        ("Was kostet der zweite?", Some(2)),
        ("Und das letzte?", Some(-1)),
        ("Сколько стоит второй?", Some(2)),
        ("А последняя?", Some(-1)),
        ("كم سعر الثاني؟", Some(2)),
        ("وما سعر الأخير؟", Some(-1)),
        ("دومی چند است؟", Some(2)),
        ("آخری را می‌خواهم", Some(-1)),
        ("दूसरा कितने का है?", Some(2)),
        ("आख़िरी वाला दिखाइए", Some(-1)),
        ("第二个多少钱？", Some(2)),
        ("最后一个呢？", Some(-1)),
    ] {
        assert_eq!(cues.ordinal(&Normal::of(question)).map(|pointed| pointed.place), place, "{question}");
    }
}
