//! Dialogue: the model is asked, its look-ups are run, it is asked again; bounded in steps and tokens.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{BoxStream, StreamExt};
use mostrador_language::{TextKey, Texts};

use crate::actions::ActionSettings;
use crate::budget::{Funded, input_bound};
use crate::evidence::{Ground, Grounded};
use crate::message::{Block, Delta, MarkedDocument, Message, Request, Role, StopReason, ToolResult, ToolUse};
use crate::money::{Prices, Reported, Usage};
use crate::ports::{Model, ModelError, Runtime};
use crate::spending::{Spending, Used};
use crate::stop::{Ending, RuleName, Stop};
use crate::tools::{Looked, Tools};
use crate::trace::{Call, Step, Trace};
use crate::window::fit;

/// How a dialogue is led.
#[derive(Debug, Clone)]
pub struct DialogueSettings {
    /// The system text.
    pub system: String,
    /// The most steps: calls of the model.
    pub max_steps: u32,
    /// The most tokens the model may write in a step.
    pub max_output_tokens: u32,
    /// Once the input tokens of a question, added up, are past this, no further call is made.
    pub input_token_ceiling: Option<u64>,
    /// The most look-ups run in one step.
    pub max_calls_per_step: u32,
    /// The most bytes of a look-up's result that the model sees; the middle is cut out, marked.
    pub max_result_bytes: usize,
    /// The most time a dialogue may take, from its first call to its last word.
    pub max_time: Duration,
    /// The tokens that the model's context window holds, its reply among them; `None`: no matter.
    pub context_tokens: Option<u64>,
    /// What a reply may ask for; with nothing, it is text.
    pub actions: ActionSettings,
}

/// The first request of a dialogue: documents as marked data, what the customer points to likewise, then the
/// question in a block of its own.
#[must_use]
pub fn prompt(grounded: &Grounded, settings: &DialogueSettings) -> Request {
    let mut content = Vec::with_capacity(2);
    let documents: Vec<_> = grounded.passages().iter().map(|passage| MarkedDocument::of(passage)).collect();
    if !documents.is_empty() {
        content.push(Block::Documents(documents));
    }
    if let Some(item) = grounded.item() {
        content.push(Block::Item(item.replace(['<', '>'], "")));
    }
    // The customer's words are data too, and may not open or close a mark.
    content.push(Block::Text(grounded.question().original().replace(['<', '>'], "")));
    Request {
        system: settings.system.clone(),
        messages: vec![Message { role: Role::User, content }],
        tools: grounded.open().iter().map(|lookup| lookup.spec().clone()).collect(),
        max_output_tokens: settings.max_output_tokens,
        language: grounded.question().facts().language,
        reading: grounded.question().facts().reading,
        overview: matches!(grounded.ground(), Ground::Records(_)),
        output_schema: settings.actions.schema(),
    }
}

/// Something the model said, or did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// More of the answer's text. What precedes a look-up is no answer and does not come out here.
    Text(String),
    /// Look-ups were run; what they gave is evidence now, errors included. Calls that were no look-up
    /// of this turn are not among them.
    Looked(Vec<Looked>),
    /// The answer is complete; `truncated` where the model ran into its output limit.
    End { truncated: bool },
}

/// A dialogue under way. Dropping it drops the call to the model.
pub(crate) struct Dialogue<'t> {
    settings: &'t DialogueSettings,
    model: &'t Arc<dyn Model>,
    tools: Tools<'t>,
    request: Arc<Request>,
    reply: Option<Reply>,
    ended: Option<bool>,
    asked_before: BTreeSet<(String, String)>,
    calls: u32,
    spending: Spending,
    /// What the last whole call was, as its provider counted it: how full the window is.
    last: Usage,
}

/// One reply of the model, as far as it has arrived.
struct Reply {
    stream: BoxStream<'static, Result<Delta, ModelError>>,
    text: String,
    wanted: Vec<ToolUse>,
    received_bytes: u64,
    reported: Reported,
    /// Whether any of its text went on its way.
    shown: bool,
}

impl<'t> Dialogue<'t> {
    /// Begins a dialogue that was paid for.
    pub(crate) fn begin(
        funded: &Funded,
        settings: &'t DialogueSettings,
        prices: Prices,
        texts: &'t Texts,
        model: &'t Arc<dyn Model>,
        runtime: &'t dyn Runtime,
    ) -> Self {
        Self {
            settings,
            model,
            tools: Tools::new(funded.grounded(), settings, texts, runtime),
            request: Arc::clone(funded.request()),
            reply: None,
            ended: None,
            asked_before: BTreeSet::new(),
            calls: 0,
            spending: Spending::new(prices, model.counts_tokens()),
            last: Usage::default(),
        }
    }

    /// What comes next. Not to be called again after `End` or a stop.
    pub(crate) async fn next(&mut self, trace: &mut Trace) -> Result<Said, Stop> {
        loop {
            if let Some(truncated) = self.ended {
                return Ok(Said::End { truncated });
            }
            let reply = self.reply.get_or_insert_with(|| {
                self.calls += 1;
                self.spending.begin();
                Reply::start(self.model.stream(Arc::clone(&self.request)))
            });
            match reply.stream.next().await {
                Some(Ok(Delta::Text(text))) => {
                    reply.received_bytes += text.len() as u64;
                    // Where a look-up may still follow, text waits: it may turn out to be no answer.
                    if self.request.tools.is_empty() {
                        reply.shown |= !text.trim().is_empty();
                        return Ok(Said::Text(text));
                    }
                    reply.text.push_str(&text);
                }
                // Its bytes were counted as they came, where they came in pieces; once more is too much, never too little.
                Some(Ok(Delta::ToolUse(call))) => {
                    reply.received_bytes += Block::ToolUse(call.clone()).text().len() as u64;
                    reply.wanted.push(call);
                }
                Some(Ok(Delta::Unsaid(bytes))) => reply.received_bytes += bytes,
                Some(Ok(Delta::Usage(reported))) => reply.reported.update(reported),
                Some(Ok(Delta::Handover(handover))) => {
                    trace.handovers.push(handover.because.clone());
                    if handover.charged {
                        self.spending.call(reply.reported, estimate(&self.request, reply));
                    }
                    reply.reported = Reported::default();
                    self.spending.hand_over(&handover);
                }
                Some(Ok(Delta::End(reason))) => {
                    if let Some(said) = self.end_of_reply(reason, trace).await? {
                        return Ok(said);
                    }
                }
                Some(Err(error)) => {
                    if !error.charged {
                        self.reply = None;
                    }
                    trace.fault = Some(error.fault);
                    return Err(broken(error.to_string()));
                }
                None => return Err(broken("the reply broke off before its end".to_owned())),
            }
        }
    }

    /// What was used, with the gaps filled: a call that was cut short before its usage came is
    /// counted at one token a byte, sent and received.
    pub(crate) fn used(&self) -> Used {
        let mut spending = self.spending.clone();
        if let Some(reply) = &self.reply {
            spending.call(reply.reported, estimate(&self.request, reply));
        }
        spending.used(self.calls)
    }

    async fn end_of_reply(&mut self, reason: StopReason, trace: &mut Trace) -> Result<Option<Said>, Stop> {
        let Some(reply) = self.reply.take() else {
            return Ok(None);
        };
        self.last = self.spending.call(reply.reported, estimate(&self.request, &reply));
        let spent = self.spending.usage().input_tokens;
        trace.ceiling_reached = self.settings.input_token_ceiling.is_some_and(|ceiling| spent > ceiling);
        if reason == StopReason::Refusal {
            return Err(handed_over(
                RuleName::REFUSED,
                "the model or its provider would not answer".to_owned(),
            ));
        }
        // A call that nobody offered, behind text that went its way: the text is the answer, the call is nothing.
        if reply.wanted.is_empty() || reply.shown {
            self.ended = Some(reason == StopReason::MaxTokens);
            let text = reply.text;
            return Ok((!text.is_empty()).then_some(Said::Text(text)));
        }
        if trace.ceiling_reached {
            return Err(handed_over(RuleName::TOKENS, format!("{spent} input tokens")));
        }
        let looked = self.look_up(reply, trace).await?;
        if self.calls >= self.settings.max_steps {
            return Err(handed_over(RuleName::STEPS, format!("{} steps", self.calls)));
        }
        Ok(Some(Said::Looked(looked)))
    }

    async fn look_up(&mut self, reply: Reply, trace: &mut Trace) -> Result<Vec<Looked>, Stop> {
        for call in &reply.wanted {
            let key = (call.name.clone(), serde_json::Value::Object(call.input.clone()).to_string());
            if !self.asked_before.insert(key) {
                let again = Block::ToolUse(call.clone()).text();
                return Err(handed_over(RuleName::REPEATED, format!("{again:?}, again")));
            }
        }
        let results = self.tools.run(&reply.wanted).await;
        let calls = reply.wanted.iter().zip(&results).map(|(call, result)| Call {
            name: call.name.clone(),
            values: call.values(),
            outcome: result.outcome,
            result: result.content.clone(),
        });
        trace.steps.push(Step { number: self.calls, calls: calls.collect() });
        let answers = reply.wanted.iter().zip(&results).map(|(call, result)| {
            Block::ToolResult(ToolResult {
                tool_use_id: call.id.clone(),
                content: result.content.clone(),
                outcome: result.outcome,
            })
        });
        let answers = answers.collect();
        let looked = self.tools.looked(&reply.wanted, results);
        let said = Some(reply.text).filter(|text| !text.is_empty()).map(Block::Text);
        let content = said.into_iter().chain(reply.wanted.into_iter().map(Block::ToolUse)).collect();
        let request = Arc::make_mut(&mut self.request);
        request.messages.push(Message { role: Role::Assistant, content });
        request.messages.push(Message { role: Role::User, content: answers });
        if let Some(window) = self.settings.context_tokens {
            let room = window.saturating_sub(u64::from(self.settings.max_output_tokens));
            trace.omitted_rounds += fit(request, self.last, room);
        }
        Ok(looked)
    }
}

impl Reply {
    fn start(stream: BoxStream<'static, Result<Delta, ModelError>>) -> Self {
        Self {
            stream,
            text: String::new(),
            wanted: Vec::new(),
            received_bytes: 0,
            reported: Reported::default(),
            shown: false,
        }
    }
}

/// What a call is taken for where its provider has not counted it: one token a byte, sent and received.
fn estimate(request: &Request, reply: &Reply) -> Usage {
    // The provider stops at the cap, so that what was received is never more tokens than were paid for.
    let cap = u64::from(request.max_output_tokens);
    Usage::new(input_bound(request), reply.received_bytes.min(cap))
}

fn handed_over(rule: &str, evidence: String) -> Stop {
    Stop::new(Ending::HandedOver, rule, evidence, TextKey::Handoff)
}

fn broken(evidence: String) -> Stop {
    Stop::new(Ending::Failed, RuleName::MODEL, evidence, TextKey::Unavailable)
}
