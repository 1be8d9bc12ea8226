//! Several models, one behind the other: what the first cannot answer, the next one does.

use std::sync::Arc;
use std::vec::IntoIter;

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use mostrador_answer::message::{Delta, Handover, Request};
use mostrador_answer::money::Prices;
use mostrador_answer::ports::{Fault, Model, ModelError};

/// A model that stands behind another.
#[derive(Clone)]
pub struct Behind {
    /// The model.
    pub model: Arc<dyn Model>,
    /// What it costs; `None`: as much as the first one.
    pub prices: Option<Prices>,
}

/// Asks the first model, and the ones behind it in turn where one fails before it has said anything.
///
/// Each handover is told ([`Delta::Handover`]). An error behind a text or a look-up goes on as it is, since what was
/// said cannot be taken back; so does the lack of a recording, which another model would only hide.
#[derive(Clone)]
pub struct FallbackModel {
    first: Arc<dyn Model>,
    others: Vec<Behind>,
}

impl FallbackModel {
    /// The first model, and those behind it in order.
    #[must_use]
    pub fn new(first: Arc<dyn Model>, others: Vec<Behind>) -> Self {
        Self { first, others }
    }
}

impl Model for FallbackModel {
    /// The first model's.
    fn id(&self) -> String {
        self.first.id()
    }

    /// The first model's.
    fn counts_tokens(&self) -> bool {
        self.first.counts_tokens()
    }

    fn stream(&self, request: Arc<Request>) -> BoxStream<'static, Result<Delta, ModelError>> {
        let now = self.first.stream(Arc::clone(&request));
        let call = Call { now, others: self.others.clone().into_iter(), request, said: false };
        stream::unfold(call, |mut call| async move { call.next().await.map(|said| (said, call)) }).boxed()
    }
}

struct Call {
    now: BoxStream<'static, Result<Delta, ModelError>>,
    others: IntoIter<Behind>,
    request: Arc<Request>,
    said: bool,
}

impl Call {
    async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        let error = match self.now.next().await? {
            Ok(delta) => {
                self.said |= matches!(delta, Delta::Text(_) | Delta::ToolUse(_));
                return Some(Ok(delta));
            }
            Err(error) => error,
        };
        if self.said || error.fault == Fault::NotRecorded {
            return Some(Err(error));
        }
        let Some(next) = self.others.next() else { return Some(Err(error)) };
        self.now = next.model.stream(Arc::clone(&self.request));
        Some(Ok(Delta::Handover(Box::new(Handover {
            model: next.model.id(),
            prices: next.prices,
            counts_tokens: next.model.counts_tokens(),
            because: error.to_string(),
            charged: error.charged,
        }))))
    }
}
