//! The runtime of the tests.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use mostrador_answer::ports::Runtime;

/// The Tokio runtime the test runs in; both methods panic outside of one.
#[derive(Debug, Clone, Copy, Default)]
pub struct TokioRuntime;

impl Runtime for TokioRuntime {
    fn spawn(&self, task: BoxFuture<'static, ()>) {
        tokio::spawn(task);
    }

    fn sleep(&self, pause: Duration) -> BoxFuture<'static, ()> {
        tokio::time::sleep(pause).boxed()
    }
}
