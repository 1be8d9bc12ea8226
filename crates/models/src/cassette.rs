//! Recorded exchanges with a model: one JSON line an exchange, found again by a hash of what was asked.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use mostrador_answer::message::{Delta, Handover, Request, StopReason, ToolUse};
use mostrador_answer::money::{Prices, Reported};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::exchange::Exchange;

/// The version of the lines.
const FORMAT: u32 = 1;

/// Recordings that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CassetteError {
    /// The folder or a file of it cannot be read.
    #[error(
        "{path} cannot be read ({detail}); record what is asked with `mostrador record`, or correct the path"
    )]
    Unreadable {
        /// The folder or file.
        path: String,
        /// What the system said.
        detail: String,
    },
    /// A line is no recording.
    #[error(
        "{file}, line {line}, is no recording ({detail}); delete the line and record again with `mostrador record`"
    )]
    Line {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        detail: String,
    },
}

/// One exchange.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recording {
    format: u32,
    /// Of request, model and temperature.
    pub(crate) hash: String,
    pub(crate) model: String,
    pub(crate) temperature: Option<String>,
    /// Whether the tokens are the model's own count.
    pub(crate) counts_tokens: bool,
    /// The version of the prompt: a short hash of the system text.
    prompt: String,
    /// The day it was recorded, ISO 8601.
    date: String,
    /// The question, for people who read the file.
    question: String,
    request: Value,
    pub(crate) deltas: Vec<Piece>,
}

/// A piece of a recorded reply.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Piece {
    Text(String),
    ToolUse(ToolUse),
    Usage(Reported),
    Unsaid(u64),
    Handover { model: String, prices: Option<Prices>, counts_tokens: bool, because: String, charged: bool },
    End(StopReason),
}

impl From<&Delta> for Piece {
    fn from(delta: &Delta) -> Self {
        match delta {
            Delta::Text(text) => Piece::Text(text.clone()),
            Delta::ToolUse(call) => Piece::ToolUse(call.clone()),
            Delta::Usage(reported) => Piece::Usage(*reported),
            Delta::Unsaid(bytes) => Piece::Unsaid(*bytes),
            Delta::Handover(handover) => Piece::Handover {
                model: handover.model.clone(),
                prices: handover.prices,
                counts_tokens: handover.counts_tokens,
                because: handover.because.clone(),
                charged: handover.charged,
            },
            Delta::End(reason) => Piece::End(*reason),
        }
    }
}

impl From<Piece> for Delta {
    fn from(piece: Piece) -> Self {
        match piece {
            Piece::Text(text) => Delta::Text(text),
            Piece::ToolUse(call) => Delta::ToolUse(call),
            Piece::Usage(reported) => Delta::Usage(reported),
            Piece::Unsaid(bytes) => Delta::Unsaid(bytes),
            Piece::Handover { model, prices, counts_tokens, because, charged } => {
                Delta::Handover(Box::new(Handover { model, prices, counts_tokens, because, charged }))
            }
            Piece::End(reason) => Delta::End(reason),
        }
    }
}

/// Who is asked, and how.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Speaker {
    pub(crate) model: String,
    pub(crate) temperature: Option<String>,
}

impl std::fmt::Display for Speaker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let temperature = self.temperature.as_deref().unwrap_or("none set");
        write!(f, "{} (temperature {temperature})", self.model)
    }
}

impl Recording {
    pub(crate) fn new(
        request: &Request,
        speaker: &Speaker,
        counts_tokens: bool,
        date: String,
        deltas: Vec<Piece>,
    ) -> serde_json::Result<Self> {
        let asked = serde_json::to_value(request)?;
        Ok(Self {
            format: FORMAT,
            hash: hash(&asked, speaker),
            model: speaker.model.clone(),
            temperature: speaker.temperature.clone(),
            counts_tokens,
            prompt: hex(request.system.as_bytes()).chars().take(12).collect(),
            date,
            question: question(request),
            request: asked,
            deltas,
        })
    }

    /// Reads a line; what is wrong with it is the error.
    pub(crate) fn read(line: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let place = |error: serde_json::Error| format!("column {}: {error}", error.column());
        let version: Version = serde_json::from_str(line).map_err(place)?;
        if version.format != FORMAT {
            return Err(format!("it has format {}, and this program reads {FORMAT}", version.format));
        }
        let recording: Self = serde_json::from_str(line).map_err(place)?;
        if recording.hash != hash(&recording.request, &recording.speaker()) {
            return Err("its hash is not that of its request, model and temperature".to_owned());
        }
        if !matches!(recording.deltas.last(), Some(Piece::End(_))) {
            return Err("its reply has no end".to_owned());
        }
        Ok(recording)
    }

    pub(crate) fn speaker(&self) -> Speaker {
        Speaker { model: self.model.clone(), temperature: self.temperature.clone() }
    }
}

/// The name of a request to a model.
pub(crate) fn name(request: &Request, speaker: &Speaker) -> serde_json::Result<String> {
    Ok(hash(&serde_json::to_value(request)?, speaker))
}

/// The question of a request, for people.
pub(crate) fn question(request: &Request) -> String {
    Exchange::of(request).question
}

fn hash(request: &Value, speaker: &Speaker) -> String {
    let whole = serde_json::json!({
        "request": request,
        "model": speaker.model,
        "temperature": speaker.temperature,
    });
    let mut text = String::new();
    canonical(&whole, &mut text);
    hex(text.as_bytes())
}

/// JSON without spaces, its keys in order, whatever order they came in.
fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                canonical(item, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| key.as_str());
            out.push('{');
            for (at, (key, item)) in fields.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&Value::String(key.clone()).to_string());
                out.push(':');
                canonical(item, out);
            }
            out.push('}');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Appends a line as a whole, or nothing: the file is locked, and what could not be written is taken back.
pub(crate) fn append(path: &Path, recording: &Recording) -> io::Result<()> {
    let mut line = serde_json::to_string(recording)?;
    line.push('\n');
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
    file.lock()?;
    let before = file.metadata()?.len();
    if before > 0 && !ends_a_line(&mut file)? {
        // A line that was cut stays one that is found broken, and takes no other with it.
        line.insert(0, '\n');
    }
    let written = file.write_all(line.as_bytes());
    if written.is_err() {
        file.set_len(before)?;
    }
    written
}

fn ends_a_line(file: &mut File) -> io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
