//! Gate: each ruled sentence against the evidence it cites, and what look-ups gave in this turn.
//!
//! [`judge()`] decides on what [`Prepared`] has read once a turn. Where a sentence fails, [`quote()`] may put the
//! source's own sentence in its place; else the answer ends there.

mod verdict;

mod strictness;

mod judge;

mod quote;

mod prepared;

mod readings;

mod subject;

mod each;

mod window;

mod kept;

mod swapped;

mod crossed;

mod substituted;

mod slots;

mod table;

mod cases;

mod reading;

mod pieces;

mod known;

mod markers;

mod contradictions;

use std::sync::Arc;

use mostrador_language::{Lang, Packs, TextKey};
use serde::{Deserialize, Serialize};

use crate::evidence::{Ground, Grounded};
use crate::rules::Ruled;
use crate::stop::{Ending, RuleName, Stop};
use crate::tools::Looked;
use crate::trace::{Judged, Trace};

pub use contradictions::{Contradiction, Statement, contradictions};
pub use judge::judge;
pub use prepared::Prepared;
pub use quote::{Quoted, quote};
pub(crate) use readings::Readings;
pub use strictness::{Person, Strictness};
pub use verdict::{Verdict, Why};

/// Whether the gate checks sentences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GateMode {
    /// It does.
    #[default]
    On,
    /// It does not: for trying search and prompt before there is anything to check.
    Off,
}

/// What happens to a sentence that fails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnFailure {
    /// The source's own sentence stands in its place, quoted and cited, where one stands out; else as `withhold`.
    #[default]
    Quote,
    /// It is not shown, nor anything after it.
    Withhold,
}

/// How the gate checks.
#[derive(Debug, Clone, Default)]
pub struct GateSettings {
    /// Whether it checks.
    pub mode: GateMode,
    /// What happens to a sentence that fails.
    pub on_failure: OnFailure,
    /// How strictly it judges.
    pub strictness: Strictness,
}

/// What the sentences of a turn are held against.
pub(crate) struct Evidence<'t> {
    settings: &'t GateSettings,
    /// Read only where it is asked.
    prepared: Option<Arc<Prepared>>,
    /// Whether there is a passage or a record under the answer.
    grounded: bool,
    looked: bool,
    quoted: Vec<Quoted>,
}

impl<'t> Evidence<'t> {
    /// What the passages or records of a question say.
    pub(crate) fn of(
        grounded: &Grounded,
        settings: &'t GateSettings,
        readings: &Readings,
        packs: &Packs,
    ) -> Self {
        let on = settings.mode == GateMode::On;
        Self {
            settings,
            prepared: on.then(|| readings.of(grounded.passages(), packs)),
            grounded: !matches!(grounded.ground(), Ground::LookupOnly),
            looked: false,
            quoted: Vec::new(),
        }
    }

    /// What a look-up gave is evidence from now on.
    pub(crate) fn add(&mut self, looked: &Looked, language: Lang) {
        self.looked = true;
        if let Some(prepared) = &mut self.prepared {
            // What this turn looked up is no other turn's.
            Arc::make_mut(prepared).add_look_up(&looked.result, looked.trust, language);
        }
    }
}

/// A sentence that the evidence supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gated(String);

impl Gated {
    /// The sentence, with its markers.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    #[cfg(test)]
    pub(crate) fn for_test(text: String) -> Self {
        Self(text)
    }
}

/// Checks a sentence, which is read in `language`. `None`: it failed, and what would stand in its place was said before.
///
/// # Errors
/// "I don't know" where neither passage nor look-up stands under the sentence, whatever it says; the name of the check
/// where it fails and nothing is quoted.
pub(crate) fn gate(
    ruled: &Ruled,
    language: Lang,
    evidence: &mut Evidence<'_>,
    trace: &mut Trace,
) -> Result<Option<Gated>, Stop> {
    let Some(prepared) = &evidence.prepared else {
        return Ok(Some(Gated(ruled.text().to_owned())));
    };
    if !evidence.grounded && !evidence.looked {
        let nothing = "no passage and no look-up under the answer";
        return Err(Stop::new(Ending::NoEvidence, RuleName::THRESHOLD, nothing, TextKey::DontKnow));
    }
    let why = match judge(ruled.text(), language, prepared, &evidence.settings.strictness) {
        Verdict::Passed { .. } => {
            trace.sentences.push(Judged::passed(ruled.text()));
            return Ok(Some(Gated(ruled.text().to_owned())));
        }
        Verdict::Failed(why) => why,
    };
    let instead = match evidence.settings.on_failure {
        OnFailure::Quote => quote(ruled.text(), language, prepared),
        OnFailure::Withhold => None,
    };
    trace.sentences.push(Judged::failed(ruled.text(), &why, instead.as_ref()));
    let Some(quoted) = instead else {
        return Err(Stop::new(Ending::Withheld, why.name(), why.to_string(), TextKey::DontKnow));
    };
    if evidence.quoted.contains(&quoted) {
        return Ok(None);
    }
    let space = if ruled.text().ends_with(char::is_whitespace) { " " } else { "" };
    let gated = Gated(format!("{} [{}]{space}", quoted.text, quoted.source));
    evidence.quoted.push(quoted);
    Ok(Some(gated))
}
