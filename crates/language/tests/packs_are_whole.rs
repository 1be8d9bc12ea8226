//! Every pack says all that the English one says, in its own words, with the same values in them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeSet;
use std::path::Path;

use mostrador_language::{Forms, Instruction, Lang, Normal, Overlay, Pack, Talk, TextKey, fill, words};
use toml::{Table, Value};

fn table(lang: Lang, file: &str) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../packs/{lang}/{file}"));
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The templates of a file: its texts at the top level, by key.
fn templates(lang: Lang, file: &str) -> Vec<(String, String)> {
    let texts = table(lang, file).into_iter();
    texts.filter_map(|(key, value)| Some((key, value.as_str()?.to_owned()))).collect()
}

/// The places of a template, in the order of their letters; a place that stands twice counts twice.
fn places(template: &str) -> Vec<&str> {
    let mut names: Vec<&str> =
        template.split('{').skip(1).map(|rest| rest.split_once('}').map_or(rest, |(name, _)| name)).collect();
    names.sort_unstable();
    names
}

/// What a template says besides its places.
fn worded(template: &str) -> String {
    template.split('{').map(|part| part.split_once('}').map_or(part, |(_, behind)| behind)).collect()
}

fn others() -> impl Iterator<Item = Lang> {
    Pack::languages().filter(|lang| *lang != Lang::EN)
}

#[test]
fn every_template_takes_the_values_of_the_english_one() {
    for file in ["texts.toml", "report.toml"] {
        let english = templates(Lang::EN, file);
        assert!(english.len() >= 16, "{file}");
        for lang in others() {
            let own = templates(lang, file);
            assert_eq!(own.len(), english.len(), "packs/{lang}/{file}");
            for ((key, own), (english_key, english)) in own.iter().zip(&english) {
                assert_eq!(key, english_key, "packs/{lang}/{file}");
                assert_eq!(places(own), places(english), "packs/{lang}/{file} {key}");
            }
        }
    }
}

#[test]
fn a_brace_that_opens_no_place_would_be_seen() {
    assert_eq!(places("{b} {a} {b}"), ["a", "b", "b"]);
    assert_eq!(places("{a"), ["a"]);
    assert_ne!(places("{limt}"), places("{limit}"));
}

#[test]
fn every_text_is_the_languages_own() {
    let english = Pack::builtin(Lang::EN).unwrap();
    for lang in others() {
        let pack = Pack::builtin(lang).unwrap();
        for (key, text) in &pack.texts {
            assert!(!text.trim().is_empty(), "packs/{lang}/texts.toml {key:?} is empty");
            assert_ne!(*text, english.texts[key], "packs/{lang}/texts.toml {key:?} is in English");
        }
        // A few words are the same in two languages, such as the Spanish "error"; a template may hold no word.
        let (own, theirs) = (templates(lang, "report.toml"), templates(Lang::EN, "report.toml"));
        assert!(own.iter().all(|(_, text)| !text.trim().is_empty()), "packs/{lang}/report.toml");
        let speaks = |template: &&(String, String)| words(&worded(&template.1)).next().is_some();
        let same = own.iter().filter(speaks).filter(|template| theirs.contains(template)).count();
        assert!(same <= 3, "packs/{lang}/report.toml has {same} lines in English");
        for instruction in Instruction::ALL {
            let theirs = english.prompt.instruction(instruction);
            assert_ne!(
                pack.prompt.instruction(instruction),
                theirs,
                "packs/{lang}/prompt.toml {instruction:?}"
            );
        }
    }
}

#[test]
fn texts_in_another_script_are_in_that_script() {
    type IsOwn = fn(char) -> bool;
    let scripts: [(&str, IsOwn); 6] = [
        ("bg", |c| ('\u{400}'..='\u{4FF}').contains(&c)),
        ("ru", |c| ('\u{400}'..='\u{4FF}').contains(&c)),
        ("ar", |c| ('\u{600}'..='\u{6FF}').contains(&c)),
        ("fa", |c| ('\u{600}'..='\u{6FF}').contains(&c)),
        ("hi", |c| ('\u{900}'..='\u{97F}').contains(&c)),
        ("zh", |c| ('\u{4E00}'..='\u{9FFF}').contains(&c)),
    ];
    for (lang, own) in scripts {
        let lang: Lang = lang.parse().unwrap();
        // "Token" is a Chinese word by now.
        let names = ["not_covered", "document", "source", "token", "json", "action", "answer"];
        let mut all = templates(lang, "texts.toml");
        all.extend(templates(lang, "report.toml"));
        all.extend(templates(lang, "prompt.toml"));
        for (key, template) in all {
            for word in words(&worded(&template)).filter(|word| word.chars().any(char::is_alphabetic)) {
                let known = names.contains(&word.to_lowercase().as_str()) || "NOT_COVERED".contains(word);
                assert!(known || word.chars().any(own), "packs/{lang} {key}: {word:?}");
            }
        }
    }
}

#[test]
fn prompts_name_what_the_program_looks_for() {
    for lang in Pack::languages() {
        let prompt = Pack::builtin(lang).unwrap().prompt.system(&Instruction::ALL);
        for name in ["NOT_COVERED", "<document>", "[ ]", "`source`", "`action`", "`answer`", "{actions}"] {
            assert_eq!(prompt.matches(name).count(), 1, "packs/{lang}/prompt.toml: {name}");
        }
        assert!(!prompt.contains('\n'), "packs/{lang}/prompt.toml is not one paragraph");
    }
}

#[test]
fn texts_read_as_sentences_once_they_are_filled() {
    for lang in Pack::languages() {
        let texts = &Pack::builtin(lang).unwrap().texts;
        for (key, text) in texts {
            let filled = fill(text, &[("limit", "7"), ("name", "x"), ("field", "y"), ("value", "z")]);
            assert!(!filled.contains(['{', '}']), "packs/{lang}/texts.toml {key:?}");
            assert_eq!(filled.trim(), filled, "packs/{lang}/texts.toml {key:?}");
            // What customers read are sentences; what models read are notes.
            let customers = *key < TextKey::UnknownTool;
            let closed = filled.ends_with(['.', '。', '।']);
            assert_eq!(closed, customers, "packs/{lang}/texts.toml {key:?}: {filled}");
        }
    }
}

/// The lists of a pack's `talk.toml` with the fewest entries each must have to be of use.
fn lists(talk: &Talk) -> [(&'static str, &Forms, usize); 17] {
    [
        ("negators", &talk.negators, 25),
        ("negating_prefixes", &talk.negating_prefixes, 2),
        ("exceptions", &talk.exceptions, 18),
        ("conditions", &talk.conditions, 30),
        ("only", &talk.only, 8),
        ("ordinary", &talk.ordinary, 20),
        ("first_person", &talk.first_person, 0),
        ("first_person_inside", &talk.first_person_inside, 0),
        ("first_person_except", &talk.first_person_except, 0),
        ("we", &talk.we, 5),
        ("connectives", &talk.connectives, 45),
        ("lacking", &talk.lacking, 2),
        ("moments", &talk.moments, 2),
        ("behind", &talk.behind, 1),
        ("joiners", &talk.joiners, 3),
        ("contrasts", &talk.contrasts, 6),
        ("back", &talk.back, 12),
    ]
}

#[test]
fn the_lists_of_small_words_are_no_samples() {
    for lang in Pack::languages() {
        let talk = &Pack::builtin(lang).unwrap().talk;
        for (name, forms, fewest) in lists(talk) {
            assert!(forms.len() >= fewest, "packs/{lang}/talk.toml: {name} has {} entries", forms.len());
        }
        let speakers = talk.first_person.len() + talk.first_person_inside.len();
        assert!(speakers >= 5, "packs/{lang}/talk.toml: {speakers} words for the first person");
        assert!(talk.antonyms.len() >= 40, "packs/{lang}/talk.toml: {} antonyms", talk.antonyms.len());
    }
}

#[test]
fn no_word_turns_a_sentence_round_in_two_ways() {
    for lang in Pack::languages() {
        let talk = &Pack::builtin(lang).unwrap().talk;
        let turning = lists(talk)
            .into_iter()
            .filter(|(name, ..)| ["negators", "exceptions", "conditions", "only", "ordinary"].contains(name));
        let turning: Vec<_> = turning.collect();
        for (at, (name, forms, _)) in turning.iter().enumerate() {
            for (other, theirs, _) in &turning[at + 1..] {
                let both: Vec<_> = forms.intersection(theirs).collect();
                assert!(both.is_empty(), "packs/{lang}/talk.toml: {both:?} in {name} and in {other}");
            }
        }
        assert!(talk.first_person.is_disjoint(&talk.we), "packs/{lang}/talk.toml");
        assert!(talk.first_person_inside.is_disjoint(&talk.we), "packs/{lang}/talk.toml");
    }
}

/// Whether the words of `part` stand one behind the other in `whole`; in Chinese, its characters.
fn holds(lang: Lang, whole: &str, part: &str) -> bool {
    if lang == Lang::ZH {
        return whole.contains(part);
    }
    let (whole, part): (Vec<_>, Vec<_>) = (words(whole).collect(), words(part).collect());
    whole.windows(part.len()).any(|window| window == part)
}

#[test]
fn what_is_said_of_a_word_that_turns_is_said_of_one() {
    for lang in Pack::languages() {
        let talk = &Pack::builtin(lang).unwrap().talk;
        assert!(talk.lacking.is_subset(&talk.negators), "packs/{lang}/talk.toml: lacking");
        assert!(talk.moments.is_subset(&talk.conditions), "packs/{lang}/talk.toml: moments");
        let turning = [&talk.negators, &talk.exceptions, &talk.conditions, &talk.only];
        let unknown: Vec<_> =
            talk.behind.iter().filter(|form| !turning.iter().any(|list| list.contains(*form))).collect();
        assert!(unknown.is_empty(), "packs/{lang}/talk.toml: behind has {unknown:?}");
        for list in turning {
            assert!(talk.joiners.is_disjoint(list), "packs/{lang}/talk.toml: joiners");
            assert!(talk.contrasts.is_disjoint(list), "packs/{lang}/talk.toml: contrasts");
        }
        assert!(talk.joiners.is_disjoint(&talk.contrasts), "packs/{lang}/talk.toml: joiners");
    }
}

#[test]
fn an_ordinary_phrase_has_a_word_in_it_that_it_makes_ordinary() {
    for lang in Pack::languages() {
        let talk = &Pack::builtin(lang).unwrap().talk;
        let turning = [&talk.negators, &talk.exceptions, &talk.conditions, &talk.only];
        let speakers = [&talk.first_person, &talk.first_person_inside];
        let idle = |phrases: &Forms, lists: &[&Forms]| -> Vec<String> {
            let works =
                |phrase: &String| lists.iter().any(|list| list.iter().any(|form| holds(lang, phrase, form)));
            phrases.iter().filter(|phrase| !works(phrase)).cloned().collect()
        };
        assert_eq!(idle(&talk.ordinary, &turning), [""; 0], "packs/{lang}/talk.toml: ordinary");
        let except = idle(&talk.first_person_except, &speakers);
        assert_eq!(except, [""; 0], "packs/{lang}/talk.toml: first_person_except");
    }
}

/// The forms an entry of a list stands for.
fn forms_of(entry: &str) -> BTreeSet<String> {
    let normal = Normal::of(entry);
    let joined = normal.joined().map(|joined| joined.as_str().to_owned());
    joined.into_iter().chain([normal.as_str().to_owned()]).collect()
}

#[test]
fn no_list_says_a_thing_twice() {
    fn check(lang: Lang, name: &str, value: &Value) {
        let entries = value.as_array().unwrap();
        let mut seen = BTreeSet::new();
        for entry in entries {
            match entry.as_str() {
                Some(entry) => {
                    let forms = forms_of(entry);
                    assert!(
                        !forms.is_subset(&seen),
                        "packs/{lang}/talk.toml: {entry:?} stands twice in {name}"
                    );
                    seen.extend(forms);
                }
                None => check(lang, name, entry),
            }
        }
    }
    for lang in Pack::languages() {
        for (name, value) in table(lang, "talk.toml") {
            check(lang, &name, &value);
        }
    }
}

#[test]
fn the_first_person_has_the_exceptions_its_language_asks_for() {
    let talk = |lang| &Pack::builtin(lang).unwrap().talk;
    // Persian marks the person by the end of the verb; the listed ones are met parted and joined.
    for form in ["من", "هستم", "دارم", "می کنم", "میکنم"] {
        assert!(talk(Lang::FA).first_person.contains(form), "{form}");
    }
    // In their normal form, Arabic "to me", "on me", "in me" and "I have" are "to", "on", "in" and "at".
    for word in ["إليّ", "عليّ", "فيّ", "لديّ"] {
        let forms = forms_of(word);
        assert!(talk(Lang::AR).first_person.is_disjoint(&forms), "{word}");
        assert!(forms.is_subset(&forms_of(&word.replace("يّ", "ى"))), "{word} is no preposition");
    }
    let chinese = talk(Lang::ZH);
    assert!(chinese.first_person.is_empty() && chinese.first_person_inside.contains("我"));
    assert!(chinese.first_person_except.contains("自我") && chinese.we.contains("我们"));
}

#[test]
fn the_lists_of_a_shop_in_the_guide_can_be_read() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/languages.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let block = guide.split("```toml\n").find(|block| block.starts_with("# packs/en.toml")).unwrap();
    let overlay: Overlay = toml::from_str(block.split_once("```").unwrap().0).unwrap();
    let (pack, own) = (Pack::with(Lang::EN, &overlay).unwrap(), Pack::builtin(Lang::EN).unwrap());
    assert_eq!(pack.talk.antonyms.len(), own.talk.antonyms.len() + 1);
    assert!(
        pack.talk.antonyms.iter().any(|pair| pair.one.contains("matte") && pair.other.contains("glossy"))
    );
    assert!(pack.talk.first_person_except.is_superset(&own.talk.first_person_except));
    let connectives: Vec<&str> = pack.talk.connectives.iter().map(String::as_str).collect();
    assert_eq!(connectives, ["here is what i found", "of course"]);
}
