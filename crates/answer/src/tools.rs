//! Tools: runs the look-ups a model asks for, each within its time, for the caller of the session.

use std::sync::Arc;

use futures_util::future::{Either, join_all, select};
use mostrador_language::{TextKey, Texts, fill};

use crate::dialogue::DialogueSettings;
use crate::evidence::Grounded;
use crate::message::{Outcome, ToolUse};
use crate::passage::Trust;
use crate::ports::{Lookup, LookupResult, Runtime};
use crate::question::CustomerId;
use crate::redaction::Hidden;

/// What a look-up gave, and whose words it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Looked {
    pub(crate) result: LookupResult,
    pub(crate) trust: Trust,
}

/// The look-ups open in a turn, and on whose behalf they are run.
pub(crate) struct Tools<'t> {
    open: Vec<Arc<dyn Lookup>>,
    caller: Option<CustomerId>,
    hidden: Hidden,
    max_calls: u32,
    max_result_bytes: usize,
    texts: &'t Texts,
    runtime: &'t dyn Runtime,
}

impl<'t> Tools<'t> {
    pub(crate) fn new(
        grounded: &Grounded,
        settings: &DialogueSettings,
        texts: &'t Texts,
        runtime: &'t dyn Runtime,
    ) -> Self {
        Self {
            open: grounded.open().to_vec(),
            caller: grounded.question().session().customer.clone(),
            hidden: grounded.question().session().hidden.clone(),
            max_calls: settings.max_calls_per_step,
            max_result_bytes: settings.max_result_bytes,
            texts,
            runtime,
        }
    }

    /// Runs the look-ups of one step, all at once. One result a call, in their order; every fault
    /// is a result too.
    pub(crate) async fn run(&self, calls: &[ToolUse]) -> Vec<LookupResult> {
        join_all((0..).zip(calls).map(|(at, call)| self.one(at, call))).await
    }

    /// What the results of calls are as evidence. Calls that were no look-up of this turn are not among them.
    pub(crate) fn looked(&self, calls: &[ToolUse], results: Vec<LookupResult>) -> Vec<Looked> {
        let looked = calls.iter().zip(results).filter(|(_, result)| result.outcome != Outcome::BadInput);
        let looked = looked.map(|(call, result)| Looked { trust: self.trust(&call.name), result });
        looked.collect()
    }

    fn trust(&self, name: &str) -> Trust {
        let lookup = self.open.iter().find(|lookup| lookup.spec().name == name);
        lookup.map_or(Trust::Customer, |lookup| lookup.spec().trust)
    }

    async fn one(&self, at: u32, call: &ToolUse) -> LookupResult {
        let result = self.look(at, call).await;
        // Data may not close the mark it will stand in, nor be longer than was paid for, whoever wrote it.
        let content = cut_middle(&result.content.replace(['<', '>'], ""), self.max_result_bytes);
        LookupResult { content, ..result }
    }

    async fn look(&self, at: u32, call: &ToolUse) -> LookupResult {
        if at >= self.max_calls {
            return self.error(
                Outcome::BadInput,
                TextKey::TooManyCalls,
                "limit",
                &self.max_calls.to_string(),
            );
        }
        let Some(lookup) = self.open.iter().find(|lookup| lookup.spec().name == call.name) else {
            return self.error(Outcome::BadInput, TextKey::UnknownTool, "name", &call.name);
        };
        let time_up = self.runtime.sleep(lookup.spec().timeout);
        // The shop's own records are asked with what the customer wrote.
        let input = self.hidden.restored_input(&call.input);
        match select(lookup.look(&input, self.caller.as_ref()), time_up).await {
            Either::Left((result, _)) => result,
            Either::Right(((), _)) => {
                self.error(Outcome::TimedOut, TextKey::LookupTimedOut, "name", &call.name)
            }
        }
    }

    fn error(&self, outcome: Outcome, key: TextKey, name: &str, value: &str) -> LookupResult {
        let text = self.texts.get(&key).map(String::as_str).unwrap_or_default();
        LookupResult { outcome, content: fill(text, &[(name, value)]) }
    }
}

/// Cuts the middle out of a text of more than `limit` bytes and marks the cut with ` … `.
/// Both halves end at character boundaries; the result is never longer than `limit`, but where
/// `limit` has no room for the mark.
#[must_use]
fn cut_middle(text: &str, limit: usize) -> String {
    const MARK: &str = " … ";
    if text.len() <= limit {
        return text.to_owned();
    }
    let room = limit.saturating_sub(MARK.len());
    let head = text.floor_char_boundary(room.div_ceil(2));
    let tail = text.ceil_char_boundary(text.len() - room / 2);
    let (head, tail) = (text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default());
    format!("{head}{MARK}{tail}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_cut_text_keeps_its_limit_and_its_ends(text in ".{0,80}", limit in 5usize..60) {
            let cut = cut_middle(&text, limit);
            prop_assert!(cut.len() <= limit);
            if text.len() > limit {
                let (head, tail) = cut.split_once(" … ").unwrap();
                prop_assert!(text.starts_with(head));
                prop_assert!(text.ends_with(tail));
            } else {
                prop_assert_eq!(cut, text);
            }
        }
    }
}
