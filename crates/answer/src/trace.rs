//! The trace of a turn: what each room saw, for the people who ask why.

use mostrador_language::Lang;
use serde::Serialize;

use crate::gate::{Quoted, Why};
use crate::message::Outcome;
use crate::money::Micros;
use crate::passage::{Similarity, SourceId};
use crate::ports::Fault;
use crate::release::{Policy, WhyWhole};

/// A candidate with what was measured of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ranked {
    /// The passage.
    pub source: SourceId,
    /// The file it stands in, relative to the shop folder.
    pub file: String,
    /// Its language.
    pub language: Lang,
    /// Its cosine with the question, where there is an embedder.
    pub cosine: Option<Similarity>,
    /// The share of the question's content words it holds.
    pub coverage: Similarity,
    /// What the threshold was compared with.
    pub strength: Similarity,
    /// Whether it went to the model.
    pub used: bool,
}

/// A look-up that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Call {
    /// Its name.
    pub name: String,
    /// Its arguments, in order of their names.
    pub values: Vec<String>,
    /// How it went.
    pub outcome: Outcome,
    /// What the model was told.
    pub result: String,
}

impl std::fmt::Display for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}({})", self.name, self.values.join(", "))
    }
}

/// A sentence the gate has judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// The sentence as the model wrote it.
    pub sentence: String,
    /// The check that it failed; `None`: it passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<&'static str>,
    /// Which part of it failed, against which part of the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The sentence of the source that stands in its place, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quoted: Option<SourceId>,
}

impl Judged {
    pub(crate) fn passed(sentence: &str) -> Self {
        Self { sentence: sentence.to_owned(), check: None, evidence: None, quoted: None }
    }

    pub(crate) fn failed(sentence: &str, why: &Why, quoted: Option<&Quoted>) -> Self {
        Self {
            check: Some(why.name()),
            evidence: Some(why.to_string()),
            quoted: quoted.map(|quoted| quoted.source.clone()),
            ..Self::passed(sentence)
        }
    }
}

/// One step of the dialogue that asked for look-ups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its number, from 1.
    pub number: u32,
    /// The look-ups it asked for, those included that were refused.
    pub calls: Vec<Call>,
}

/// What each room saw.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// The candidates, in the order retrieval gave them.
    pub ranked: Vec<Ranked>,
    /// The records that were taken instead, newest first, where the question was for an overview.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<SourceId>,
    /// Which of several things named before was meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// The threshold they were compared with.
    pub threshold: Similarity,
    /// Why search was by words alone although there is an embedder.
    pub embedder_away: Option<String>,
    /// What the question's vectors cost, at the bound that was reserved for them.
    pub embedding: Micros,
    /// What was reserved for the model.
    pub reserved: Micros,
    /// The steps that asked for look-ups.
    pub steps: Vec<Step>,
    /// Why another model went on, where one did: once a call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub handovers: Vec<String>,
    /// What kept the model from answering, where something did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// Rounds of look-ups that were left out of the last request, since the context window was full.
    #[serde(skip_serializing_if = "is_zero")]
    pub omitted_rounds: u32,
    /// How text was released; `None` where no model was asked.
    pub release: Option<Policy>,
    /// Why it was released as a whole, where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<WhyWhole>,
    /// The sentences that the gate has judged, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<Judged>,
    /// Whether the question reached the ceiling of input tokens.
    pub ceiling_reached: bool,
    /// Whether a part of the usage is our estimate, since the call was cut short.
    pub usage_estimated: bool,
    /// What could not be written down at the end, and why.
    pub unrecorded: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
