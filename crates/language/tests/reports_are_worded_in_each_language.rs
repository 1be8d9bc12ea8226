//! The lines of a report and the fixed texts, as people read them.

use mostrador_language::{Lang, Pack, TextKey, fill};

#[test]
fn bulgarian_reports() {
    let report = &Pack::builtin(Lang::BG).unwrap().report;
    let eur = report.currency("EUR");
    for (line, expected) in [
        (fill(&report.nothing_above, &[("threshold", "0.25")]), "(нищо над 0.25)"),
        (
            fill(&report.step, &[("step", "2"), ("call", "f(1)"), ("result", "✗ няма")]),
            "стъпка 2: f(1) → ✗ няма",
        ),
        (
            fill(&report.passed, &[("passed", "3"), ("total", "4"), ("percent", "75")]),
            "Минават: 3 от 4 (75%)",
        ),
        (fill(&report.safety, &[("passed", "1"), ("total", "2")]), "Безопасност: 1 от 2"),
        (
            fill(&report.tokens, &[("input", "20"), ("output", "5"), ("calls", "1")]),
            "Токени: вход 20, изход 5, викания 1",
        ),
        (
            fill(&report.price, &[("price", "0.10"), ("budget", "2.00"), ("currency", eur)]),
            "Цена: 0.10 € за 1000 въпроса (бюджет 2.00 €)",
        ),
        (
            fill(&report.month, &[("questions", "50"), ("price", "0.15"), ("currency", eur)]),
            "Месец при 50 въпроса на ден: 0.15 €",
        ),
        (fill(&report.release, &[("verdict", &report.no)]), "Издаване: НЕ"),
        (
            fill(
                &report.log_entry,
                &[("action", &report.action_hold), ("reason", "пари"), ("question", "Кога?")],
            ),
            "чака одобрение (пари): Кога?",
        ),
    ] {
        assert_eq!(line, expected);
    }
    assert_eq!((report.safety_mark.as_str(), report.log.as_str()), ("[безопасност] ", "Дневник:"));
    assert_eq!((report.yes.as_str(), report.action_stop.as_str()), ("да", "спряно"));
}

/// The values that each template takes; the same in every language.
fn names(template: &str) -> Vec<&str> {
    let mut names: Vec<&str> =
        template.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_language_puts_in_the_same_values() {
    let english = Pack::builtin(Lang::EN).unwrap();
    for lang in Pack::languages() {
        let pack = Pack::builtin(lang).unwrap();
        for (key, text) in &pack.texts {
            assert_eq!(names(text), names(&english.texts[key]), "packs/{lang}/texts.toml {key:?}");
        }
        let (ours, theirs) = (&pack.report, &english.report);
        for (ours, theirs) in [
            (&ours.nothing_above, &theirs.nothing_above),
            (&ours.question, &theirs.question),
            (&ours.answer, &theirs.answer),
            (&ours.step, &theirs.step),
            (&ours.passed, &theirs.passed),
            (&ours.safety, &theirs.safety),
            (&ours.errored, &theirs.errored),
            (&ours.error, &theirs.error),
            (&ours.expected, &theirs.expected),
            (&ours.tokens, &theirs.tokens),
            (&ours.price, &theirs.price),
            (&ours.month, &theirs.month),
            (&ours.worst, &theirs.worst),
            (&ours.ceiling, &theirs.ceiling),
            (&ours.release, &theirs.release),
            (&ours.log_entry, &theirs.log_entry),
        ] {
            assert_eq!(names(ours), names(theirs), "packs/{lang}/report.toml: {ours}");
        }
        assert!(pack.prompt.system(&[]).contains("NOT_COVERED"), "packs/{lang}/prompt.toml");
    }
}

#[test]
fn fixed_texts_are_whole_sentences() {
    let pack = Pack::builtin(Lang::BG).unwrap();
    assert_eq!(pack.texts[&TextKey::DontKnow], "Не знам. Ще ви свържа с колега.");
    assert_eq!(pack.texts[&TextKey::Handoff], "Ще ви свържа с колега.");
    assert_eq!(pack.texts[&TextKey::Hold], "Колега ще прегледа въпроса ви и ще ви пише.");
}
