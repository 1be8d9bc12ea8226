//! The scripted model: says what its script tells it to, the same every time.

use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use mostrador_answer::actions::{ReplyAction, reply};
use mostrador_answer::message::{Block, Delta, Input, Request, StopReason, ToolUse};
use mostrador_answer::money::Usage;
use mostrador_answer::ports::{Fault, Model, ModelError};
use serde_json::Value;

use crate::condition::Condition;
use crate::error::ScriptError;
use crate::exchange::Exchange;
use crate::script::{Call, Script, TokenEstimate, When};
use crate::template::Template;

/// The name of this model.
const ID: &str = "scripted";

#[derive(Debug, Clone)]
enum Action {
    Say(Template, Option<String>),
    Call(Vec<(String, Vec<(String, Template)>)>),
}

/// A model that follows a [`Script`]: rules in order, the first that fits, then the additions.
///
/// It is as naive as its script: it obeys, guesses and promises what the rules tell it to, so that a
/// shop can see its defences work. Its tokens are an estimate. Text is streamed word by word and, like
/// a real model's, cut where the estimate would pass the request's output limit; a look-up that does
/// not fit is not asked for.
#[derive(Debug, Clone)]
pub struct ScriptedModel {
    tokens: TokenEstimate,
    rules: Vec<(Condition, Action)>,
    additions: Vec<(Condition, Template)>,
}

impl ScriptedModel {
    /// Reads a script from TOML.
    ///
    /// # Errors
    /// [`ScriptError`] where it is not TOML, has an unknown key, or breaks a rule of [`ScriptedModel::new`].
    pub fn from_toml(text: &str) -> Result<Self, ScriptError> {
        Self::new(toml::from_str(text).map_err(|error| ScriptError::Unreadable(error.to_string()))?)
    }

    /// Checks a script: every rule does one thing, expressions compile, places exist.
    ///
    /// # Errors
    /// [`ScriptError`] with the position of the rule or addition, counted from 1.
    pub fn new(script: Script) -> Result<Self, ScriptError> {
        if script.rules.is_empty() {
            return Err(ScriptError::NoRules);
        }
        let mut rules = Vec::with_capacity(script.rules.len());
        for (position, rule) in (1..).zip(script.rules) {
            let owner = format!("rule {position}");
            let calls = rule.calls.filter(|calls| !calls.is_empty());
            if rule.action.is_some() && rule.say.is_none() {
                return Err(ScriptError::ActionWithoutText(position));
            }
            let action = match (rule.say, rule.call, calls) {
                (Some(say), None, None) => Action::Say(read(&say, &rule.when, &owner)?, rule.action),
                (None, Some(call), None) => Action::Call(vec![read_call(call, &rule.when, &owner)?]),
                (None, None, Some(calls)) => {
                    let read = calls.into_iter().map(|call| read_call(call, &rule.when, &owner));
                    Action::Call(read.collect::<Result<_, _>>()?)
                }
                (None, None, None) => return Err(ScriptError::NoAction(position)),
                _ => return Err(ScriptError::TwoActions(position)),
            };
            rules.push((Condition::new(rule.when, &owner)?, action));
        }
        let mut additions = Vec::with_capacity(script.additions.len());
        for (position, addition) in (1..).zip(script.additions) {
            let owner = format!("addition {position}");
            let say = read(&addition.say, &addition.when, &owner)?;
            additions.push((Condition::new(addition.when, &owner)?, say));
        }
        Ok(Self { tokens: script.tokens, rules, additions })
    }

    fn reply(&self, request: &Request) -> Result<Vec<Delta>, ModelError> {
        let exchange = Exchange::of(request);
        let context = exchange.context();
        let input_tokens = self.input_tokens(request);
        let fitting = self.rules.iter().find(|(condition, _)| condition.fits(&exchange, &context));
        let (condition, action) = fitting.ok_or_else(|| ModelError {
            model: ID.to_owned(),
            fault: Fault::NoRule,
            detail: "no rule of the script fits this call; add a last [[rules]] without `when`".to_owned(),
            charged: false,
        })?;
        let (mut deltas, output_tokens, reason) = match action {
            Action::Say(say, action) => {
                let mut text = condition.fill(say, &exchange);
                for (addition, say) in &self.additions {
                    if addition.fits(&exchange, &context) {
                        text.push_str(&addition.fill(say, &exchange));
                    }
                }
                if request.output_schema.is_some() {
                    text = reply(action.as_deref().unwrap_or(ReplyAction::Answer.name()), &text);
                }
                self.say(&text, request.max_output_tokens)
            }
            Action::Call(calls) => {
                let calls = calls.iter().enumerate().map(|(n, (name, input))| ToolUse {
                    id: exchange.call_id(n),
                    name: name.clone(),
                    input: input
                        .iter()
                        .map(|(key, value)| (key.clone(), Value::String(condition.fill(value, &exchange))))
                        .collect::<Input>(),
                });
                self.call(calls, request.max_output_tokens)
            }
        };
        deltas.push(Delta::Usage(Usage::new(input_tokens, output_tokens).into()));
        deltas.push(Delta::End(reason));
        Ok(deltas)
    }

    fn say(&self, text: &str, limit: u32) -> (Vec<Delta>, u64, StopReason) {
        let (mut deltas, mut count) = (Vec::new(), 0);
        for piece in text.split_inclusive(char::is_whitespace) {
            let more = count + self.tokens.count(piece);
            if self.tokens.of_count(more) > u64::from(limit) {
                return (deltas, self.tokens.of_count(count), StopReason::MaxTokens);
            }
            count = more;
            deltas.push(Delta::Text(piece.to_owned()));
        }
        (deltas, self.tokens.of_count(count), StopReason::EndTurn)
    }

    fn call(&self, calls: impl Iterator<Item = ToolUse>, limit: u32) -> (Vec<Delta>, u64, StopReason) {
        let (mut deltas, mut total) = (Vec::new(), 0_u64);
        for call in calls {
            let block = Block::ToolUse(call.clone());
            let more = total.saturating_add(self.tokens.tokens(&block.text()));
            if more > u64::from(limit) {
                return (deltas, total, StopReason::MaxTokens);
            }
            total = more;
            deltas.push(Delta::ToolUse(call));
        }
        (deltas, total, StopReason::ToolUse)
    }

    /// System text, each tool and each block are counted on their own, so each is rounded up.
    fn input_tokens(&self, request: &Request) -> u64 {
        let tools = request.tools.iter().map(|tool| format!("{} {}", tool.name, tool.description));
        let blocks = request.messages.iter().flat_map(|message| &message.content).map(Block::text);
        let counted = tools.chain(blocks).map(|text| self.tokens.tokens(&text));
        counted.fold(self.tokens.tokens(&request.system), u64::saturating_add)
    }
}

impl Model for ScriptedModel {
    fn id(&self) -> String {
        ID.to_owned()
    }

    fn counts_tokens(&self) -> bool {
        false
    }

    fn stream(&self, request: Arc<Request>) -> BoxStream<'static, Result<Delta, ModelError>> {
        let deltas = match self.reply(&request) {
            Ok(deltas) => deltas.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        stream::iter(deltas).boxed()
    }
}

fn read(text: &str, when: &When, owner: &str) -> Result<Template, ScriptError> {
    let template = Template::parse(text, owner)?;
    if template.wants_match() && when.question_matches.is_none() {
        return Err(ScriptError::NoMatch { owner: owner.to_owned() });
    }
    Ok(template)
}

fn read_call(call: Call, when: &When, owner: &str) -> Result<(String, Vec<(String, Template)>), ScriptError> {
    let input = call.input.into_iter().map(|(key, value)| Ok((key, read(&value, when, owner)?)));
    Ok((call.tool, input.collect::<Result<_, ScriptError>>()?))
}
