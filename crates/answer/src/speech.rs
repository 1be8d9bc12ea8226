//! Speech: from what the model says to what the customer sees. Every sentence takes the rooms
//! `rules`, `gate` and `voice` in this order; there is no other way to the outlet.

use futures_util::future::{Either, select};
use mostrador_language::{Detected, Lang, Pack, SentenceStream, TextKey, detect};

use crate::dialogue::{Dialogue, Said};
use crate::engine::Settings;
use crate::evidence::Grounded;
use crate::gate::{Evidence, GateSettings, Readings, gate};
use crate::intake::TurnFacts;
use crate::message::NOT_COVERED;
use crate::passage::Trust;
use crate::promises::{Heard, PromiseSettings};
use crate::release::{Left, Outlet, Policy};
use crate::rules::{Drafted, Rules, rule};
use crate::shape::shapely;
use crate::stop::{Ending, RuleName, Stop};
use crate::structured::StructuredReply;
use crate::trace::Trace;
use crate::voice::{Footnotes, VoiceSettings, Voiced, voice};

/// How the model's part of a turn ended when no stop ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spoke {
    /// All of it was shown.
    Whole,
    /// The model ran into its output limit; its unfinished sentence was not shown.
    Truncated,
}

/// What the words of this turn's model are judged by, besides the shop's rules.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judges<'t> {
    pub(crate) gate: &'t GateSettings,
    pub(crate) promises: &'t PromiseSettings,
    pub(crate) readings: &'t Readings,
}

/// The model's words on their way to the customer.
pub(crate) struct Speech<'t> {
    grounded: &'t Grounded,
    rules: &'t Rules,
    heard: Heard<'t>,
    evidence: Evidence<'t>,
    facts: &'t TurnFacts,
    shop: &'t [Lang],
    voice: &'t VoiceSettings,
    footnotes: Footnotes,
    pack: &'t Pack,
    policy: Policy,
    /// A stop that waits for approval, and for the rest of what the model writes.
    held: Option<Stop>,
    outlet: &'t mut Outlet,
    /// The object that the model writes, where it does not write text.
    structured: Option<StructuredReply<'t>>,
    raw: String,
    judged: usize,
    shown: bool,
}

impl<'t> Speech<'t> {
    pub(crate) fn new(
        grounded: &'t Grounded,
        settings: &'t Settings,
        judges: Judges<'t>,
        pack: &'t Pack,
        policy: Policy,
        outlet: &'t mut Outlet,
    ) -> Self {
        let actions = &settings.dialogue.actions;
        Self {
            grounded,
            rules: &settings.rules,
            heard: Heard::new(judges.promises, grounded.passages(), pack),
            evidence: Evidence::of(grounded, judges.gate, judges.readings, &settings.packs),
            facts: grounded.question().facts(),
            shop: &settings.languages,
            voice: &settings.voice,
            footnotes: Footnotes::default(),
            pack,
            policy,
            held: None,
            outlet,
            structured: actions.structured().then(|| StructuredReply::new(actions)),
            raw: String::new(),
            judged: 0,
            shown: false,
        }
    }

    /// What the model wrote as an answer, raw, as far as it came; where that was no text, the whole reply.
    pub(crate) fn into_raw(self) -> String {
        match &self.structured {
            Some(reply) if self.raw.is_empty() => reply.raw().to_owned(),
            _ => self.raw,
        }
    }

    /// Lets the model speak until it has ended, a room stops it, or the customer has left.
    pub(crate) async fn run(
        &mut self,
        dialogue: &mut Dialogue<'_>,
        trace: &mut Trace,
    ) -> Result<Spoke, Stop> {
        let mut sentences = SentenceStream::new(self.pack);
        let mut waiting: Vec<String> = Vec::new();
        loop {
            let said = {
                let next = std::pin::pin!(dialogue.next(trace));
                let left = std::pin::pin!(self.outlet.left());
                match select(next, left).await {
                    Either::Left((said, _)) => said?,
                    Either::Right(((), _)) => return Err(gone()),
                }
            };
            let truncated = match said {
                Said::Text(text) => {
                    let text = match &mut self.structured {
                        None => text,
                        Some(reply) => reply.push(&text)?,
                    };
                    self.raw.push_str(&text);
                    waiting.extend(sentences.push(&text));
                    None
                }
                Said::Looked(looked) => {
                    for looked in &looked {
                        self.heard.looked(&looked.result, looked.trust == Trust::Shop);
                        self.evidence.add(looked, self.facts.reading);
                    }
                    None
                }
                Said::End { truncated } => Some(truncated),
            };
            if let Some(truncated) = truncated {
                if let Some(reply) = &mut self.structured {
                    let text = reply.end(truncated)?;
                    self.raw.push_str(&text);
                    waiting.extend(sentences.push(&text));
                }
                let rest = sentences.finish();
                // A sentence that the limit cut is no sentence of the model's.
                if !truncated {
                    waiting.extend(rest);
                }
                return self.end(waiting, truncated, trace).await;
            }
            if self.policy == Policy::Sentence {
                for sentence in waiting.drain(..) {
                    match self.show(sentence, trace).await {
                        Err(stop) if stop.ending == Ending::Held => {
                            self.hold(stop)?;
                            break;
                        }
                        shown => shown?,
                    }
                }
            }
        }
    }

    /// Lets the model finish unseen, since a person needs the whole text to decide.
    fn hold(&mut self, stop: Stop) -> Result<(), Stop> {
        let stop = self.midway(stop);
        if stop.ending != Ending::Held {
            return Err(stop);
        }
        self.policy = Policy::Whole;
        self.held = Some(stop);
        Ok(())
    }

    async fn end(&mut self, waiting: Vec<String>, truncated: bool, trace: &mut Trace) -> Result<Spoke, Stop> {
        if let Some(held) = self.held.take() {
            return Err(held);
        }
        if self.policy == Policy::Whole {
            // The whole first, also what was cut: a promise counts however it ends.
            rule(Drafted::new(self.raw.clone()), "", self.rules, &mut self.heard)?;
        }
        if self.raw.trim().is_empty() {
            return Err(not_covered("the model wrote nothing"));
        }
        let passed = self.check_all(&waiting, trace).map_err(|stop| self.midway(stop))?;
        for voiced in passed {
            self.release(&voiced).await?;
        }
        match truncated {
            false => Ok(Spoke::Whole),
            true if self.shown => Ok(Spoke::Truncated),
            true => Err(cut_short()),
        }
    }

    async fn show(&mut self, sentence: String, trace: &mut Trace) -> Result<(), Stop> {
        match self.check(sentence, trace)? {
            Some(voiced) => self.release(&voiced).await,
            None => Ok(()),
        }
    }

    async fn release(&mut self, voiced: &Voiced) -> Result<(), Stop> {
        self.shown = true;
        self.outlet.sentence(voiced, self.grounded).await.map_err(|Left| gone())
    }

    /// Checks every sentence before any of them is shown.
    fn check_all(&mut self, sentences: &[String], trace: &mut Trace) -> Result<Vec<Voiced>, Stop> {
        sentences.iter().filter_map(|sentence| self.check(sentence.clone(), trace).transpose()).collect()
    }

    /// The sentence as it may be shown; `None` where the source's own words for it were shown before.
    fn check(&mut self, sentence: String, trace: &mut Trace) -> Result<Option<Voiced>, Stop> {
        let length = sentence.len();
        let before = self.raw.get(..self.judged).unwrap_or_default();
        let ruled = rule(Drafted::new(sentence), before, self.rules, &mut self.heard)?;
        self.judged += length;
        if ruled.text().contains(NOT_COVERED) {
            return Err(not_covered("the model said so"));
        }
        shapely(ruled.text())?;
        // A model may answer in the language of the pages.
        let language = match detect(ruled.text(), None, Some(self.facts.language), self.shop) {
            Detected::Text(language) => language,
            _ => self.facts.language,
        };
        let gated = gate(&ruled, language, &mut self.evidence, trace).map_err(|stop| self.midway(stop))?;
        Ok(gated.map(|gated| voice(&gated, self.voice, &mut self.footnotes)))
    }

    /// Behind what was shown, "I don't know" would deny it, and nothing can wait for approval: a person must not be
    /// asked about what a customer has half read.
    fn midway(&self, stop: Stop) -> Stop {
        match stop {
            _ if !self.shown => stop,
            Stop { text: TextKey::DontKnow, .. } => Stop { text: TextKey::Handoff, ..stop },
            Stop { ending: Ending::Held, .. } => {
                let evidence = format!("{}, behind what was shown", stop.evidence);
                Stop { ending: Ending::Withheld, evidence, ..stop }
            }
            stop => stop,
        }
    }
}

fn not_covered(evidence: &str) -> Stop {
    Stop::new(Ending::NoEvidence, RuleName::NOT_COVERED, evidence, TextKey::DontKnow)
}

fn cut_short() -> Stop {
    let evidence = "the model ran into its output limit inside its first sentence";
    Stop::new(Ending::HandedOver, RuleName::TRUNCATED, evidence, TextKey::Handoff)
}

fn gone() -> Stop {
    Stop::new(Ending::Cancelled, RuleName::LEFT, "the customer left", TextKey::Unavailable)
}
