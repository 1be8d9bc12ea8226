//! `probe gate`: whether sentences are said by their sources, by the code of the room.

use std::sync::Arc;

use anyhow::Context;
use mostrador_answer::gate::{Prepared, Strictness, Verdict, judge};
use mostrador_answer::message::Outcome;
use mostrador_answer::passage::{Passage, SourceId, Trust};
use mostrador_answer::ports::LookupResult;
use mostrador_language::{Lang, Packs, detect};
use serde::Deserialize;
use serde_json::{Value, json};

use super::each_line;

#[derive(Deserialize)]
struct Case {
    lang: Option<Lang>,
    /// One text, in the place of `passages`.
    source: Option<String>,
    #[serde(default)]
    passages: Vec<Given>,
    #[serde(default)]
    look_ups: Vec<String>,
    /// One sentence.
    claim: Option<String>,
    /// Several.
    answer: Option<String>,
    /// What is expected: `pass` or `block`.
    verdict: Option<String>,
}

/// A passage as a text alone, or with what else the index knows of one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Given {
    Text(String),
    Whole {
        source: Option<SourceId>,
        text: String,
        title: Option<String>,
        lang: Option<Lang>,
        #[serde(default)]
        trust: Trust,
    },
}

/// One verdict a line; where lines say what they expect, how many are as expected, on standard error.
pub(super) fn run(packs: &Packs) -> anyhow::Result<()> {
    let (mut right, mut expected) = (0_u32, 0_u32);
    each_line(|case: Case| {
        let wanted = case.verdict.clone();
        let judged = judged(packs, case)?;
        if let Some(wanted) = wanted {
            expected += 1;
            right += u32::from(judged.get("verdict").and_then(Value::as_str) == Some(&wanted));
        }
        Ok(judged)
    })?;
    if expected > 0 {
        eprintln!("{right} of {expected} as expected");
    }
    Ok(())
}

fn judged(packs: &Packs, case: Case) -> anyhow::Result<Value> {
    let text = case.claim.as_deref().or(case.answer.as_deref());
    let text = text.context("a line needs a `claim`, or an `answer` of several sentences")?;
    let lang = case.lang.unwrap_or_else(|| detect(text, None, None, &[]).lang());
    let mut passages = Vec::new();
    let sources = case.source.map(Given::Text).into_iter().chain(case.passages);
    for (number, given) in (1..).zip(sources) {
        passages.push(Arc::new(passage(given, number, lang)?));
    }
    let mut prepared = Prepared::new(&passages, packs);
    for content in case.look_ups {
        let result = LookupResult { outcome: Outcome::Found, content };
        prepared.add_look_up(&result, Trust::Shop, lang);
    }
    let sentences =
        if case.claim.is_some() { vec![text.to_owned()] } else { packs.get(lang).sentences(text) };
    // What cites nothing anywhere is held against all that is given.
    let cites = sentences.iter().any(|sentence| sentence.contains('['));
    let markers: String = passages.iter().map(|passage| format!(" [{}]", passage.source)).collect();
    let verdicts = sentences.iter().map(|sentence| {
        let cited = if cites { sentence.clone() } else { format!("{sentence}{markers}") };
        (sentence, judge(&cited, lang, &prepared, &Strictness::default()))
    });
    let verdicts: Vec<(&String, Verdict)> = verdicts.collect();
    let first = verdicts.iter().find_map(|(_, verdict)| verdict.why());
    let mut shown = match first {
        None => json!({"verdict": "pass"}),
        Some(why) => json!({"verdict": "block", "check": why.name(), "why": why.to_string()}),
    };
    if case.claim.is_none()
        && let Some(shown) = shown.as_object_mut()
    {
        let sentences = verdicts.iter().map(|(sentence, verdict)| {
            let check = verdict.why().map(|why| json!({"check": why.name(), "why": why.to_string()}));
            json!({"text": sentence.trim(), "failed": check})
        });
        shown.insert("sentences".to_owned(), sentences.collect());
    }
    Ok(shown)
}

fn passage(given: Given, number: usize, lang: Lang) -> anyhow::Result<Passage> {
    let own = || SourceId::new(format!("source#{number}"));
    Ok(match given {
        Given::Text(text) => Passage::new(own()?, text, lang),
        Given::Whole { source, text, title, lang: own_lang, trust } => {
            let source = source.map_or_else(own, Ok)?;
            let headings = title.into_iter().collect();
            Passage { headings, trust, ..Passage::new(source, text, own_lang.unwrap_or(lang)) }
        }
    })
}
