//! The clock, the names and the runtime of a running program.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use mostrador_answer::ports::{Clock, Ids, Runtime, UnixMillis};
use mostrador_answer::question::TurnId;

/// The machine's clock.
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the port's way to the machine's clock")]
    fn now(&self) -> UnixMillis {
        UnixMillis(jiff::Timestamp::now().as_millisecond())
    }
}

/// Names that sort by time and that nobody else has (UUID version 7).
pub(crate) struct RandomIds;

impl Ids for RandomIds {
    #[expect(clippy::disallowed_methods, reason = "this is the port's way to new names")]
    fn turn(&self) -> TurnId {
        TurnId(uuid::Uuid::now_v7().to_string())
    }
}

/// Names counted from 1, so that a run of the suite gives the same output every time.
#[derive(Default)]
pub(crate) struct CountedIds(AtomicU64);

impl Ids for CountedIds {
    fn turn(&self) -> TurnId {
        TurnId(format!("turn-{}", self.0.fetch_add(1, Ordering::Relaxed) + 1))
    }
}

/// Tokio, through a handle to the runtime that opened the shop.
pub(crate) struct Tokio(pub(crate) tokio::runtime::Handle);

impl Runtime for Tokio {
    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.0.spawn(task);
    }

    fn sleep(&self, pause: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(pause))
    }
}
