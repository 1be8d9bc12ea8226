//! Budget: the most a turn can cost is reserved before a model is called, and settled after.

use std::sync::Arc;

use mostrador_language::TextKey;

use crate::dialogue::{DialogueSettings, prompt};
use crate::evidence::Grounded;
use crate::message::Request;
use crate::money::{Micros, Prices, Usage};
use crate::ports::{Claim, Ledger, LedgerError, ReservationId};
use crate::stop::{Ending, RuleName, Stop};
use crate::trace::Trace;

/// What a model costs, and what may be spent.
#[derive(Debug, Clone, Default)]
pub struct BudgetSettings {
    /// The prices of the shop's model.
    pub prices: Prices,
    /// The most that a call can cost: the prices of the model and of those that stand behind it, added up, since each
    /// of them may be asked and charge for it.
    pub most: Prices,
    /// The most that may be spent in a calendar month; `None`: no cap.
    pub monthly_cap: Option<Micros>,
}

/// A question whose whole turn is paid for. Only this can reach a model.
#[derive(Clone)]
pub struct Funded {
    grounded: Grounded,
    request: Arc<Request>,
    reservation: ReservationId,
}

impl Funded {
    /// The question and its ground.
    #[must_use]
    pub fn grounded(&self) -> &Grounded {
        &self.grounded
    }

    /// The first request of the dialogue.
    #[must_use]
    pub fn request(&self) -> &Arc<Request> {
        &self.request
    }

    /// What was reserved for it.
    #[must_use]
    pub fn reservation(&self) -> &ReservationId {
        &self.reservation
    }
}

/// Tokens that a part of a request can cost beyond its own bytes: role names, marks, separators.
pub const OVERHEAD: u64 = 16;

/// The most input tokens a request can be: one a UTF-8 byte, which no byte-level tokenizer passes,
/// and [`OVERHEAD`] for each of its parts.
#[must_use]
pub fn input_bound(request: &Request) -> u64 {
    let bytes = |text: &str| text.len() as u64 + OVERHEAD;
    let blocks = request.messages.iter().flat_map(|message| &message.content);
    let tools = request
        .tools
        .iter()
        .map(|tool| bytes(&tool.name) + bytes(&tool.description) + bytes(&tool.input_schema().to_string()));
    // The shape is sent with every call, and some providers count it.
    let shape = request.output_schema.iter().map(|schema| bytes(&schema.to_string())).sum::<u64>();
    bytes(&request.system)
        + blocks.map(|block| bytes(&block.text())).sum::<u64>()
        + tools.sum::<u64>()
        + shape
}

/// The most a whole turn can use: every step taken, each with as much output and as many and as
/// long results of look-ups as is allowed, and all of it sent again with every step.
#[must_use]
pub fn turn_bound(request: &Request, settings: &DialogueSettings) -> Usage {
    // All steps, also where no look-up is offered: a model may ask for one all the same, and is told no.
    let steps = u64::from(settings.max_steps);
    let output = u64::from(settings.max_output_tokens);
    let result = (settings.max_result_bytes as u64).saturating_add(OVERHEAD);
    let results = u64::from(settings.max_calls_per_step).saturating_mul(result);
    let resent = steps * steps.saturating_sub(1) / 2;
    Usage::new(
        steps
            .saturating_mul(input_bound(request))
            .saturating_add(resent.saturating_mul(output.saturating_add(results))),
        steps.saturating_mul(output),
    )
}

/// Reserves the most this turn can cost.
///
/// # Errors
/// A stop with the fixed notice where the cap would be passed, or the ledger cannot be reached:
/// what was spent is then unknown, and unknown means no.
pub async fn fund(
    grounded: Grounded,
    dialogue: &DialogueSettings,
    budget: &BudgetSettings,
    ledger: &dyn Ledger,
    trace: &mut Trace,
) -> Result<Funded, Stop> {
    let request = prompt(&grounded, dialogue);
    let bound = budget.most.cost(turn_bound(&request, dialogue));
    let facts = grounded.question().facts();
    let claim = Claim { turn: facts.turn.clone(), bound, monthly_cap: budget.monthly_cap, at: facts.at };
    let reservation = ledger.reserve(&claim).await.map_err(|error| {
        let rule = match error {
            LedgerError::OverCap { .. } => RuleName::CAP,
            LedgerError::Unavailable(_) | LedgerError::Refused(_) => RuleName::LEDGER,
        };
        Stop::new(Ending::OverBudget, rule, error.to_string(), TextKey::OverBudget)
    })?;
    trace.reserved = bound;
    Ok(Funded { grounded, request: Arc::new(request), reservation })
}
