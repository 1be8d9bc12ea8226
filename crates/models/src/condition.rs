//! When a rule of a script fits a call, and the values its texts then take.

use regex::Regex;

use crate::error::ScriptError;
use crate::exchange::Exchange;
use crate::script::When;
use crate::template::{Template, Values};

/// A [`When`] with its expressions compiled.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    when: When,
    question: Option<Regex>,
    context: Option<Regex>,
}

impl Condition {
    /// Compiles the conditions of `owner` (such as `rule 2`).
    pub(crate) fn new(when: When, owner: &str) -> Result<Self, ScriptError> {
        let compile = |key: &'static str, expression: &Option<String>| {
            let compiled = expression.as_deref().map(Regex::new).transpose();
            compiled.map_err(|error| ScriptError::BadRegex {
                owner: owner.to_owned(),
                key,
                detail: error.to_string(),
            })
        };
        Ok(Self {
            question: compile("question_matches", &when.question_matches)?,
            context: compile("context_matches", &when.context_matches)?,
            when,
        })
    }

    /// Whether all of them hold; `context` is [`Exchange::context`], made once a call.
    pub(crate) fn fits(&self, exchange: &Exchange<'_>, context: &str) -> bool {
        let When {
            tools,
            question_contains,
            question_matches: _,
            context_contains,
            context_matches: _,
            system_contains,
            first_source,
            any_source,
            last_result,
            result_contains,
            rounds_at_least,
        } = &self.when;
        let holds = |text: &str, part: &Option<String>| part.as_ref().is_none_or(|part| text.contains(part));
        let fits =
            |text: &str, regex: &Option<Regex>| regex.as_ref().is_none_or(|regex| regex.is_match(text));
        let mut names = exchange.documents.iter().map(|document| document.source().as_str());
        let first = names.clone().next();
        tools.is_none_or(|tools| tools != exchange.request.tools.is_empty())
            && holds(&exchange.question, question_contains)
            && holds(context, context_contains)
            && holds(&exchange.request.system, system_contains)
            && first_source.as_deref().is_none_or(|source| first == Some(source))
            && any_source.as_deref().is_none_or(|source| names.any(|name| name == source))
            && last_result
                .is_none_or(|wanted| exchange.last_result().is_some_and(|result| wanted.fits(result.outcome)))
            && result_contains
                .as_ref()
                .is_none_or(|part| exchange.results.iter().any(|result| result.content.contains(part)))
            && rounds_at_least.is_none_or(|rounds| exchange.rounds >= u64::from(rounds))
            && fits(&exchange.question, &self.question)
            && fits(context, &self.context)
    }

    /// A text of the same rule with its values.
    pub(crate) fn fill(&self, template: &Template, exchange: &Exchange<'_>) -> String {
        let captures = self.question.as_ref().and_then(|regex| regex.captures(&exchange.question));
        let matched = captures.as_ref().and_then(|found| found.get(1).or_else(|| found.get(0)));
        let first = exchange.documents.first().map(|document| document.source().as_str());
        let results: Vec<&str> = exchange.results.iter().map(|result| result.content.as_str()).collect();
        template.fill(&Values {
            question: &exchange.question,
            matched: matched.map_or("", |found| found.as_str()),
            source: self.when.any_source.as_deref().or(first).unwrap_or_default(),
            result: &results.join("; "),
            rounds: exchange.rounds,
        })
    }
}
