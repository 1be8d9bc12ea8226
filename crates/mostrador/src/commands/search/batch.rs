//! `mostrador search --batch`: a file of questions, one JSON line out for each as soon as it is searched for.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _, stdin};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use mostrador_answer::engine::Engine;
use mostrador_answer::passage::{Similarity, Trust};
use mostrador_answer::ports::Filter;
use mostrador_answer::question::{Asked, Previous};
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_answer::trace::Ranked;
use mostrador_language::{Lang, Pack};
use mostrador_shop::{Keep, Shop};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::exit::Exit;
use crate::output::{open, print};

/// The longest line of a batch, in bytes.
const LONGEST_LINE: u64 = 1024 * 1024;

/// A line of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// Comes back as it is.
    #[serde(default)]
    id: Option<Value>,
    question: String,
    #[serde(default)]
    previous: Option<String>,
    #[serde(default)]
    locale: Option<Lang>,
    #[serde(default)]
    filter: Written,
}

/// What a question may be searched in; a key that is left out leaves everything in.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    languages: Vec<Lang>,
    trust: Option<Trust>,
    files: Vec<String>,
    from: Option<String>,
    to: Option<String>,
}

impl From<Written> for Filter {
    fn from(written: Written) -> Filter {
        let Written { languages, trust, files, from, to } = written;
        Filter { languages, trust, files, from, to, today: None }
    }
}

/// What was found. Similarities are in millionths.
#[derive(Serialize)]
struct Searched<'a> {
    id: Option<Value>,
    question: &'a str,
    threshold: Similarity,
    /// The candidates in the order of the search, the first `--top` of them.
    hits: Vec<&'a Ranked>,
    /// The best strength among all candidates.
    strength: Similarity,
    verdict: Verdict,
    /// What stopped a question before the search, or why the search failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    /// Why search was by words alone although there is an embedder.
    #[serde(skip_serializing_if = "Option::is_none")]
    embedder_away: Option<String>,
}

/// What would come of the question.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    /// There is evidence to answer from.
    Answer,
    /// Nothing is close enough, and a look-up is open to this caller.
    LookUp,
    /// Nothing is close enough.
    Refuse,
    /// The question was not let in.
    Stopped,
    /// The search could not be made.
    Failed,
}

/// Searches for every question of `file`, in order; `-` is standard input.
///
/// # Errors
/// Names the line that cannot be read. What was searched for before it has been printed.
pub(super) async fn run(shop: &Path, file: &Path, top: usize) -> anyhow::Result<Exit> {
    let mut lines: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(stdin().lock())
    } else {
        let opened = File::open(file)
            .with_context(|| format!("{} cannot be read; name a file of JSON lines", file.display()))?;
        Box::new(BufReader::new(opened))
    };
    let counter = open(Arc::new(Shop::read(shop)?), Keep::OnDisk).await?;
    let engine = counter.engine();
    let mut failed = false;
    for number in 1_u64.. {
        let named = || format!("{}, line {number}", file.display());
        let Some(line) = next_line(lines.as_mut()).with_context(named)? else { break };
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let line: Line = read(&line).with_context(named)?;
        failed |= search(&engine, line, top).await?;
    }
    Ok(if failed { Exit::Incomplete } else { Exit::Met })
}

/// The next line without bound on their number, each bounded in length; `None` at the end.
fn next_line(lines: &mut dyn BufRead) -> anyhow::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    lines.take(LONGEST_LINE + 1).read_until(b'\n', &mut line)?;
    if line.len() as u64 > LONGEST_LINE {
        bail!("the line is longer than {LONGEST_LINE} bytes; write one question a line");
    }
    Ok(if line.is_empty() { None } else { Some(line) })
}

fn read(line: &[u8]) -> anyhow::Result<Line> {
    let hint = r#"write {"question": "…"} with "id", "previous", "locale" and "filter" where needed"#;
    let line: Line = serde_json::from_slice(line).map_err(|error| anyhow!("{error}; {hint}"))?;
    if let Some(locale) = line.locale {
        Pack::builtin(locale).context("locale")?;
    }
    for (key, day) in [("from", &line.filter.from), ("to", &line.filter.to)] {
        if day.as_deref().is_some_and(|day| !is_day(day)) {
            bail!("filter.{key} is no day; write it as 2026-11-30");
        }
    }
    Ok(line)
}

/// Days are compared as texts of this shape.
fn is_day(text: &str) -> bool {
    let shape = text.bytes().map(|byte| if byte.is_ascii_digit() { b'0' } else { byte });
    shape.eq(*b"0000-00-00")
}

async fn search(engine: &Engine, line: Line, top: usize) -> anyhow::Result<bool> {
    let mut asked = Asked::new(&line.question);
    asked.previous = line.previous.map(Previous::question);
    asked.filter = line.filter.into();
    asked.session.locale = line.locale;
    let (grounded, trace) = engine.evidence(asked).await;
    let stop = grounded.as_ref().err();
    let verdict = match stop {
        None if grounded.as_ref().is_ok_and(|grounded| grounded.passages().is_empty()) => Verdict::LookUp,
        None => Verdict::Answer,
        Some(stop) if stop.rule.0 == RuleName::THRESHOLD => Verdict::Refuse,
        Some(stop) if stop.ending == Ending::Failed => Verdict::Failed,
        Some(_) => Verdict::Stopped,
    };
    let told = stop.filter(|_| matches!(verdict, Verdict::Stopped | Verdict::Failed));
    let searched = Searched {
        id: line.id,
        question: &line.question,
        threshold: engine.settings().evidence.threshold,
        hits: trace.ranked.iter().take(top).collect(),
        strength: trace.ranked.iter().map(|ranked| ranked.strength).max().unwrap_or_default(),
        verdict,
        stopped: told.map(|stop| format!("{} by {}: {}", stop.ending.name(), stop.rule, stop.evidence)),
        embedder_away: trace.embedder_away.clone(),
    };
    print(&format!("{}\n", serde_json::to_string(&searched)?))?;
    Ok(verdict == Verdict::Failed)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn days_have_one_shape() {
        assert!(is_day("2026-11-30"));
        for text in ["2026-11-3", "30-11-2026", "2026-11-30T00", "", "2026/11/30", "２026-11-30"] {
            assert!(!is_day(text), "{text}");
        }
    }

    #[test]
    fn a_line_has_a_longest_length() {
        let mut bytes = vec![b' '; usize::try_from(LONGEST_LINE).unwrap() + 1];
        assert!(next_line(&mut &bytes[..]).unwrap_err().to_string().contains("longer than"));
        bytes.truncate(10);
        assert_eq!(next_line(&mut &bytes[..]).unwrap().map(|line| line.len()), Some(10));
        assert!(next_line(&mut &b""[..]).unwrap().is_none());
    }
}
