//! The questions of the set, and a shop folder a language that holds their passages.

use std::fs;
use std::path::{Path, PathBuf};

use mostrador_answer::question::Asked;
use mostrador_evals::calibrate::Expect;
use mostrador_language::Lang;
use serde::Deserialize;

/// A line of the set: a question with the passages that a search engine found for it.
#[derive(Deserialize)]
pub(crate) struct Line {
    lang: Lang,
    kind: Kind,
    question: String,
    passages: Vec<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// One of the passages answers: an answer is due.
    Relevant,
    /// None does: "I don't know" is due.
    NonRelevant,
}

/// A question that is searched for in its own passages and in no other.
pub(crate) struct Question {
    pub(crate) asked: Asked,
    pub(crate) expect: Expect,
}

/// The questions of a language, with the shop folder that they are asked in.
pub(crate) struct Language {
    pub(crate) lang: Lang,
    pub(crate) questions: Vec<Question>,
    pub(crate) folder: PathBuf,
    passages: Vec<String>,
}

/// Reads the set and writes a shop folder a language below `root`; `embedder`: its section of `shop.toml`.
pub(crate) fn languages(set: &Path, root: &Path, embedder: &str) -> Vec<Language> {
    let mut languages: Vec<Language> = Vec::new();
    for line in fs::read_to_string(set).unwrap().lines() {
        let line: Line = serde_json::from_str(line).unwrap();
        let known = languages.iter().position(|language| language.lang == line.lang);
        let at = known.unwrap_or(languages.len());
        if known.is_none() {
            let folder = root.join(line.lang.code());
            languages.push(Language { lang: line.lang, questions: vec![], folder, passages: vec![] });
        }
        languages[at].add(line);
    }
    languages.sort_by_key(|language| language.lang.code().to_owned());
    for language in &languages {
        language.write(embedder);
    }
    languages
}

impl Language {
    fn add(&mut self, line: Line) {
        let mut asked = Asked::new(line.question);
        asked.session.locale = Some(self.lang);
        for passage in line.passages {
            // Two questions may share a passage, which is indexed once.
            let known = self.passages.iter().position(|known| *known == passage);
            let at = known.unwrap_or(self.passages.len());
            if known.is_none() {
                self.passages.push(passage);
            }
            asked.filter.files.push(format!("documents/{}", file(at)));
        }
        let expect = match line.kind {
            Kind::Relevant => Expect::Answer,
            Kind::NonRelevant => Expect::Refuse,
        };
        self.questions.push(Question { asked, expect });
    }

    fn write(&self, embedder: &str) {
        let documents = self.folder.join("documents");
        fs::create_dir_all(&documents).unwrap();
        let head = format!("name = \"Abstention\"\nlanguages = [\"{}\"]\n", self.lang);
        fs::write(self.folder.join("shop.toml"), head + embedder).unwrap();
        for (at, passage) in self.passages.iter().enumerate() {
            fs::write(documents.join(file(at)), passage).unwrap();
        }
    }
}

/// A search that leaves everything else out needs a file a passage.
fn file(at: usize) -> String {
    format!("p{at}.txt")
}
