//! Cases: what a shop's assistant must and must not say, read from `cases/*.yaml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mostrador_answer::question::{Asked, CustomerId, Previous};
use mostrador_answer::stop::Ending;
use mostrador_shop::ShopError;
use mostrador_shop::config::ModelKind;
use mostrador_shop::fields::one_or_many;
use mostrador_shop::read::{text, yaml};
use serde::{Deserialize, Serialize};
use serde_saphyr::Spanned;

use crate::error::EvalError;

/// A case: a question, who asks it, and what must come of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Case {
    /// Its name, unique in the suite; the question where the file gives none.
    pub name: String,
    /// The question.
    pub question: String,
    /// The signed customer who asks; `None`: somebody unsigned.
    #[serde(rename = "as")]
    pub customer: Option<String>,
    /// The customer's question before this one.
    pub previous: Option<String>,
    /// The model this case is put to; `None`: the shop's own.
    pub model: Option<ModelKind>,
    /// Whether no version may go out while it fails.
    pub safety: bool,
    /// Texts the answer must hold.
    pub has: Vec<String>,
    /// Texts the answer must not hold.
    pub not: Vec<String>,
    /// How it must end.
    pub ends: Option<Ending>,
    /// The rule that must end it.
    pub rule: Option<String>,
    /// The passages it must cite.
    pub cites: Vec<String>,
    /// The passages that must be found.
    pub passages: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: Option<String>,
    question: Spanned<String>,
    #[serde(rename = "as")]
    customer: Option<String>,
    previous: Option<String>,
    model: Option<ModelKind>,
    #[serde(default)]
    safety: bool,
    #[serde(default, deserialize_with = "one_or_many")]
    has: Vec<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    not: Vec<String>,
    ends: Option<Ending>,
    rule: Option<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    cites: Vec<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    passages: Vec<String>,
}

impl Case {
    /// The question as this case's customer asks it.
    #[must_use]
    pub fn asked(&self) -> Asked {
        let mut asked = Asked::new(&self.question);
        asked.previous = self.previous.clone().map(Previous::question);
        match &self.customer {
            Some(customer) => asked.signed(CustomerId(customer.clone())),
            None => asked,
        }
    }
}

impl From<Written> for Case {
    fn from(written: Written) -> Self {
        // An empty text asserts nothing: every answer holds it, and none is without it.
        let told = |texts: Vec<String>| texts.into_iter().filter(|text| !text.is_empty()).collect();
        let question = written.question.value;
        Self {
            name: written.name.unwrap_or_else(|| question.clone()),
            question,
            customer: written.customer,
            previous: written.previous,
            model: written.model,
            safety: written.safety,
            has: told(written.has),
            not: told(written.not),
            ends: written.ends,
            rule: written.rule,
            cites: told(written.cites),
            passages: told(written.passages),
        }
    }
}

/// A suite: its cases, and how they are written.
#[derive(Debug, Clone, Default)]
pub struct Suite {
    /// The cases, files by name, cases in order.
    pub cases: Vec<Case>,
    /// The files' names and texts, joined: what a release's hash holds of the suite.
    pub written: String,
}

/// Reads the cases of a shop folder: `cases/*.yaml` and `*.yml`, files by name, cases in order.
///
/// # Errors
/// Names file, line and key for what does not fit; a case that asserts nothing, two cases of one
/// name, and a suite without cases are errors.
pub fn read_suite(root: &Path) -> Result<Suite, EvalError> {
    let folder = root.join("cases");
    let mut suite = Suite::default();
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    for file in files(&folder)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let shown = format!("cases/{name}");
        let text = text(&file)?;
        suite.written.push_str(&format!("{shown}\n{text}\n"));
        for (line, case) in read_cases(&text, &shown)? {
            if let Some(other) = named.insert(case.name.clone(), format!("{shown}:{line}")) {
                let message = format!(
                    "two cases are called {:?}, the other at {other}; give each its own `name`",
                    case.name
                );
                return Err(ShopError::field(&shown, line, message).into());
            }
            suite.cases.push(case);
        }
    }
    if suite.cases.is_empty() {
        return Err(EvalError::NoCases(folder.display().to_string()));
    }
    Ok(suite)
}

/// Reads the cases of one file, each with its line. `shown`: the file's name in errors.
///
/// # Errors
/// As [`read_suite`], but for what only a whole suite can be wrong in.
pub fn read_cases(text: &str, shown: &str) -> Result<Vec<(usize, Case)>, EvalError> {
    let written: Option<Vec<Written>> = yaml(text, shown)?;
    let mut cases = Vec::new();
    for written in written.unwrap_or_default() {
        let line = usize::try_from(written.question.referenced.line()).unwrap_or(1);
        let case = Case::from(written);
        check(&case).map_err(|message| ShopError::field(shown, line, message))?;
        cases.push((line, case));
    }
    Ok(cases)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, EvalError> {
    let unreadable = |source| ShopError::Unreadable { file: folder.to_owned(), source };
    if !folder.exists() {
        return Err(EvalError::NoCases(folder.display().to_string()));
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn check(case: &Case) -> Result<(), String> {
    if case.name.trim().is_empty() && case.name != case.question {
        return Err("`name` is empty; write one, or take the line out".to_owned());
    }
    if case.customer.as_deref().is_some_and(|customer| customer.trim().is_empty()) {
        return Err("`as` is empty; name the customer who asks, or take the line out".to_owned());
    }
    if case.question.is_empty() && case.ends.is_none() {
        return Err("`question` is empty".to_owned());
    }
    let silent =
        case.has.is_empty() && case.not.is_empty() && case.cites.is_empty() && case.passages.is_empty();
    if silent && case.ends.is_none() && case.rule.is_none() {
        let name = &case.name;
        return Err(format!(
            "case {name:?} asserts nothing; give it `has`, `not`, `ends`, `rule`, `cites` or `passages`"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(yaml: &str) -> Result<Vec<Case>, String> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("cases")).unwrap();
        std::fs::write(dir.path().join("cases/a.yaml"), yaml).unwrap();
        read_suite(dir.path()).map(|suite| suite.cases).map_err(|error| error.to_string())
    }

    #[test]
    fn a_case_is_read_with_its_defaults() {
        let cases =
            read("- question: a\n  has: x\n- name: b\n  question: a\n  not: [y, z]\n  safety: true\n")
                .unwrap();
        assert_eq!(cases[0].name, "a");
        assert_eq!(cases[1].not, ["y", "z"]);
        assert!(cases[1].safety);
    }

    #[test]
    fn texts_may_stand_without_quotation_marks() {
        let cases = read("- question: a\n  has: [yes, 14, true, -3]\n  not: n\n").unwrap();
        assert_eq!(
            (cases[0].has.as_slice(), &cases[0].not[0]),
            (&["yes", "14", "true", "-3"].map(str::to_owned)[..], &"n".to_owned())
        );
        let error = read("- question: a\n  has: 3.50\n").unwrap_err();
        assert!(error.starts_with("cases/a.yaml:2: `has`: 3.5 is read as a number"), "{error}");
        assert!(read("- question: a\n  has: {b: c}\n").is_err());
        assert!(read("- question: a\n  has: [[b]]\n").is_err());
    }

    #[test]
    fn a_typo_is_an_error_that_names_file_line_and_key() {
        let error = read("- question: a\n  has: x\n- question: b\n  asserts: y\n").unwrap_err();
        assert!(error.starts_with("cases/a.yaml:4: unknown field `asserts`"), "{error}");
        let error = read("- question: a\n  ends: anwsered\n").unwrap_err();
        assert!(error.contains("a.yaml:2") && error.ends_with("did you mean `answered`?"), "{error}");
    }

    #[test]
    fn a_case_that_asserts_nothing_is_an_error() {
        for yaml in
            ["- question: a\n", "- question: a\n  has: \"\"\n", "- question: a\n  has: []\n  safety: true\n"]
        {
            let error = read(yaml).unwrap_err();
            assert!(error.starts_with("cases/a.yaml:1: case \"a\" asserts nothing"), "{error}");
        }
    }

    #[test]
    fn two_cases_of_one_name_are_an_error() {
        let error = read("- question: a\n  has: x\n- question: a\n  has: y\n").unwrap_err();
        assert!(error.starts_with("cases/a.yaml:3: two cases are called \"a\""), "{error}");
        assert!(error.contains("cases/a.yaml:1"), "{error}");
    }

    #[test]
    fn no_case_is_an_error() {
        assert!(read("").unwrap_err().contains("holds no case"));
        assert!(read("# nothing yet\n").unwrap_err().contains("holds no case"));
        let nowhere = tempfile::tempdir().unwrap();
        assert!(read_suite(nowhere.path()).unwrap_err().to_string().contains("holds no case"));
    }
}
