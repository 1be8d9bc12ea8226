//! Budget: the most a turn can cost is reserved before a model is called, and settled after.

use std::sync::Arc;

use mostrador_language::TextKey;

use crate::dialogue::{DialogueSettings, prompt};
use crate::engine::Ports;
use crate::evidence::Grounded;
use crate::message::Request;
use crate::money::{Micros, Prices, Usage};
use crate::ports::{Caps, Claim, CustomerCap, LedgerError, Model, ReservationId};
use crate::question::CustomerId;
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
    /// The most that may be spent in a day; `None`: no cap.
    pub daily_cap: Option<Micros>,
    /// The most that one signed customer may cost in a day; `None`: no cap. Whoever is not signed in has no name to
    /// count by.
    pub daily_cap_per_customer: Option<Micros>,
}

impl BudgetSettings {
    /// What a claim of this customer is held against.
    #[must_use]
    pub fn caps(&self, customer: Option<&CustomerId>) -> Caps {
        let capped = customer.zip(self.daily_cap_per_customer);
        Caps {
            month: self.monthly_cap,
            day: self.daily_cap,
            customer: capped.map(|(customer, cap)| CustomerCap { customer: customer.clone(), cap }),
        }
    }
}

/// A question whose whole turn is paid for, or costs nothing. Only this can reach a model.
#[derive(Clone)]
pub struct Funded {
    grounded: Grounded,
    request: Arc<Request>,
    model: Arc<dyn Model>,
    prices: Prices,
    reservation: Option<ReservationId>,
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

    /// The model that it was funded for.
    #[must_use]
    pub fn model(&self) -> &Arc<dyn Model> {
        &self.model
    }

    /// What that model costs.
    #[must_use]
    pub fn prices(&self) -> Prices {
        self.prices
    }

    /// What was reserved for it; `None`: nothing, since the model that quotes answers past a cap.
    #[must_use]
    pub fn reservation(&self) -> Option<&ReservationId> {
        self.reservation.as_ref()
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

/// The most a whole turn can use: every step taken, each with as much output and thought and as
/// many and as long results of look-ups as is allowed, and all of it sent again with every step.
#[must_use]
pub fn turn_bound(request: &Request, settings: &DialogueSettings) -> Usage {
    // All steps, also where no look-up is offered: a model may ask for one all the same, and is told no.
    let steps = u64::from(settings.max_steps);
    let output = u64::from(settings.max_output_tokens);
    let written = output.saturating_add(u64::from(settings.reasoning_tokens));
    let result = (settings.max_result_bytes as u64).saturating_add(OVERHEAD);
    let results = u64::from(settings.max_calls_per_step).saturating_mul(result);
    let resent = steps * steps.saturating_sub(1) / 2;
    Usage::new(
        steps
            .saturating_mul(input_bound(request))
            .saturating_add(resent.saturating_mul(output.saturating_add(results))),
        steps.saturating_mul(written),
    )
}

/// Reserves the most this turn can cost. Past a cap, where the shop has a model that quotes for that case, the question
/// goes to that one, without a reservation: it costs nothing.
///
/// # Errors
/// A stop with the fixed notice where a cap would be passed and nothing quotes, or the ledger cannot be reached:
/// what was spent is then unknown, and unknown means no.
pub async fn fund(
    grounded: Grounded,
    dialogue: &DialogueSettings,
    budget: &BudgetSettings,
    ports: &Ports,
    trace: &mut Trace,
) -> Result<Funded, Stop> {
    let request = Arc::new(prompt(&grounded, dialogue));
    let bound = budget.most.cost(turn_bound(&request, dialogue));
    let question = grounded.question();
    let caps = budget.caps(question.session().customer.as_ref());
    let claim = Claim { turn: question.facts().turn.clone(), bound, caps, at: question.facts().at };
    let refused = match ports.ledger.reserve(&claim).await {
        Ok(reservation) => {
            trace.reserved = bound;
            let (model, prices) = (Arc::clone(&ports.model), budget.prices);
            return Ok(Funded { grounded, request, model, prices, reservation: Some(reservation) });
        }
        Err(refused) => refused,
    };
    let rule = match refused {
        LedgerError::OverCap { .. } => RuleName::CAP,
        LedgerError::Unavailable(_) | LedgerError::Refused(_) => RuleName::LEDGER,
    };
    match &ports.cheap {
        Some(cheap) if rule == RuleName::CAP => {
            trace.over_cap = Some(refused.to_string());
            let model = Arc::clone(cheap);
            Ok(Funded { grounded, request, model, prices: Prices::default(), reservation: None })
        }
        _ => Err(Stop::new(Ending::OverBudget, rule, refused.to_string(), TextKey::OverBudget)),
    }
}
