//! Code holds no word of any language: strings outside tests are in English, or in no language.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context as _;
use toml::{Table, Value};

use crate::house::{Finding, pack_files};
use crate::literals;
use crate::scan::Token;

/// The pack of what operators read, which is exempt.
const ENGLISH: &str = "en";

/// Words of some pack that are English as well, though no list of the English pack has them.
const ALSO_ENGLISH: [&str; 2] = ["kind", "total"];

/// The files of a pack that hold its words; the others hold whole texts.
const OF_WORDS: [&str; 4] = ["words.toml", "numbers.toml", "talk.toml", "patterns.toml"];

/// An entry with fewer letters is often a part of something else, such as the name of a field.
const FEWEST_LETTERS: usize = 4;

/// So many different stop words of a language make a text one in that language.
const FEWEST_STOP_WORDS: usize = 3;

/// Strings under `crates/*/src`, outside tests, that are an entry of a pack's lists, or hold three or more
/// different stop words of one language, more than of English. What the English pack has as well counts
/// for nothing: the operator is spoken to in English. Letters beyond ASCII are for the check `literals`.
///
/// # Errors
/// When a file cannot be read; the error names it.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<Finding>> {
    let vocabulary = Vocabulary::read(root)?;
    let mut findings = Vec::new();
    for file in literals::files(root)? {
        findings.extend(literals::strings(&file).iter().filter_map(|token| {
            let said = vocabulary.said(&plain(token))?;
            let message = format!("{said}; it belongs in packs/, and is read from there");
            Some(file.finding(token.line, message))
        }));
    }
    Ok(findings)
}

/// The words of the packs, in lower case.
#[derive(Debug, Default)]
struct Vocabulary {
    english_stop_words: BTreeSet<String>,
    /// By language, without those that are English too.
    stop_words: BTreeMap<String, BTreeSet<String>>,
    /// Entries of lists with the language of the first pack that has them, without the English ones.
    entries: BTreeMap<String, String>,
}

impl Vocabulary {
    fn read(root: &Path) -> anyhow::Result<Self> {
        let mut english = BTreeSet::from(ALSO_ENGLISH.map(str::to_owned));
        let mut words = Self::default();
        for file in pack_files(root)? {
            let Some((language, name)) =
                file.name.strip_prefix("packs/").and_then(|rest| rest.split_once('/'))
            else {
                continue;
            };
            if !OF_WORDS.contains(&name) {
                continue;
            }
            let table: Table =
                toml::from_str(&file.text).with_context(|| format!("{} is not TOML", file.name))?;
            let mut all = BTreeSet::new();
            table.values().for_each(|value| gather(value, &mut all));
            let mut stop_words = BTreeSet::new();
            table.get("stop_words").into_iter().for_each(|value| gather(value, &mut stop_words));
            if language == ENGLISH {
                english.extend(all);
                words.english_stop_words.extend(stop_words);
                continue;
            }
            words.stop_words.entry(language.to_owned()).or_default().extend(stop_words);
            for entry in all {
                words.entries.entry(entry).or_insert_with(|| language.to_owned());
            }
        }
        words.entries.retain(|entry, _| {
            entry.chars().filter(|c| c.is_alphabetic()).count() >= FEWEST_LETTERS && !english.contains(entry)
        });
        words.stop_words.values_mut().for_each(|list| list.retain(|word| !english.contains(word)));
        Ok(words)
    }

    /// What is wrong with a text, if anything is.
    fn said(&self, text: &str) -> Option<String> {
        let text = text.trim().to_lowercase();
        if let Some(language) = self.entries.get(&text) {
            return Some(format!("{text:?} is in a list of packs/{language}"));
        }
        let words: BTreeSet<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
        let english = words.iter().filter(|word| self.english_stop_words.contains(**word)).count();
        self.stop_words.iter().find_map(|(language, list)| {
            let found: Vec<&str> = words.iter().copied().filter(|word| list.contains(*word)).collect();
            (found.len() >= FEWEST_STOP_WORDS && found.len() > english)
                .then(|| format!("the string reads as {language}: {}", found.join(", ")))
        })
    }
}

/// All strings of the lists in a value, however deep, in lower case. Keys are names and do not count,
/// nor does a string in no list, such as the name of a stemmer.
fn gather(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => {
            into.extend(list.iter().filter_map(Value::as_str).map(|text| text.trim().to_lowercase()));
            list.iter().for_each(|value| gather(value, into));
        }
        Value::Table(table) => table.values().for_each(|value| gather(value, into)),
        _ => {}
    }
}

/// What a string says: without its quotation marks, escapes, and the names of values to put in.
fn plain(token: &Token<'_>) -> String {
    let body = token.text.trim_start_matches(['b', 'c', 'r', '#']).trim_end_matches('#').trim_matches('"');
    let mut out = String::with_capacity(body.len());
    let mut depth = 0_usize;
    let mut chars = body.chars();
    while let Some(c) = chars.next() {
        match c {
            // An escape stands between words, or is a sign of a pattern.
            '\\' => {
                chars.next();
                out.push(' ');
            }
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                out.push(' ');
            }
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::built;

    const PACKS: [(&str, &str); 5] = [
        ("packs/en/words.toml", "stop_words = [\"the\", \"no\", \"in\", \"a\", \"so\", \"for\", \"is\"]\n"),
        ("packs/en/talk.toml", "negators = [\"no\"]\nantonyms = [[[\"total\"], [\"partial\"]]]\n"),
        (
            "packs/es/words.toml",
            "stemmer = \"light\"\nstop_words = [\"el\", \"la\", \"los\", \"no\", \"por\", \"para\"]\n",
        ),
        ("packs/es/talk.toml", "antonyms = [[[\"gratis\", \"total\"], [\"de pago\"]]]\n"),
        ("packs/de/numbers.toml", "[numerals]\nhundreds = { 100 = [\"Hundert\"] }\n"),
    ];

    fn found(source: &str) -> Vec<(usize, String)> {
        let mut files = PACKS.to_vec();
        files.push(("crates/a/src/lib.rs", source));
        let house = built(&files);
        check(house.path()).unwrap().into_iter().map(|f| (f.line, f.message)).collect()
    }

    #[test]
    fn a_text_in_another_language_is_found_with_its_words() {
        for source in [
            "//! A.\nconst A: &str = \"el pedido y la nota por los libros\";",
            "//! A.\nconst A: &str = r#\"\\b(el|la|los)\\b\"#;",
            "//! A.\nconst A: &str = \"{x}\\nPor la {name} para no\\tel\";",
        ] {
            let findings = found(source);
            assert_eq!(findings.len(), 1, "{source}");
            assert!(findings[0].0 == 2 && findings[0].1.contains("reads as es: el, la"), "{findings:?}");
        }
    }

    #[test]
    fn a_string_that_is_an_entry_of_a_list_is_found() {
        for (literal, pack) in [("gratis", "es"), ("De pago", "es"), (" hundert", "de"), ("para", "es")] {
            let findings = found(&format!("const A: &str = \"{literal}\";"));
            assert_eq!(findings.len(), 1, "{literal}");
            assert!(findings[0].1.contains(&format!("packs/{pack}")), "{findings:?}");
        }
    }

    #[test]
    fn english_and_what_is_english_too_may_stand() {
        for literal in [
            "no such file in the shop for la, los, por",
            "total",
            "light",
            "write a key; the list for `la` is in `los`",
            "la los",
            "{el} {la} {los} {por}",
            "los_ por_ la_",
            "",
        ] {
            assert_eq!(found(&format!("const A: &str = \"{literal}\";")), [], "{literal}");
        }
    }

    #[test]
    fn tests_comments_and_the_crate_for_tests_may_hold_words() {
        let source =
            "//! el, la, los.\nfn a() {}\n#[cfg(test)]\nmod tests {\n    const A: &str = \"gratis\";\n}\n";
        let mut files = PACKS.to_vec();
        files.extend([
            ("crates/a/src/lib.rs", source),
            ("crates/a/tests/story.rs", "const A: &str = \"gratis\";"),
            ("crates/testkit/src/lib.rs", "const A: &str = \"gratis\";"),
        ]);
        assert_eq!(check(built(&files).path()).unwrap(), []);
    }

    #[test]
    fn a_pack_that_cannot_be_read_is_an_error_that_names_it() {
        let house = built(&[("packs/es/words.toml", "stop_words = [")]);
        let error = check(house.path()).unwrap_err().to_string();
        assert!(error.contains("packs/es/words.toml"), "{error}");
    }
}
