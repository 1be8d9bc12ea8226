//! A model that says what a function makes of what it was sent.

use std::sync::Arc;

use futures_util::stream::BoxStream;
use mostrador_answer::message::{Delta, Request};
use mostrador_answer::ports::{Model, ModelError};

use crate::lines::LinesModel;

/// A model that reads its request: it says what its function makes of it, 10 tokens in, 5 out, in every call.
pub struct ReadingModel(Box<dyn Fn(&Request) -> String + Send + Sync>);

impl ReadingModel {
    /// A model that says what `say` makes of a request.
    #[must_use]
    pub fn new(say: impl Fn(&Request) -> String + Send + Sync + 'static) -> Self {
        Self(Box::new(say))
    }
}

impl Model for ReadingModel {
    fn id(&self) -> String {
        "reading".to_owned()
    }

    fn counts_tokens(&self) -> bool {
        true
    }

    fn stream(&self, request: Arc<Request>) -> BoxStream<'static, Result<Delta, ModelError>> {
        let said = (self.0)(&request);
        LinesModel::saying(&[&said]).stream(request)
    }
}
