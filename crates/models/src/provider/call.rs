//! One call: asked, repeated while nothing came back, read piece by piece within its limits.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use mostrador_answer::message::{Delta, Request};
use mostrador_answer::ports::{Fault, ModelError};
use reqwest::{Client, Response};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::Provider;
use super::reading::Reading;
use super::refused::{refused, wait};
use super::reply::{Heard, Unread};
use crate::http::{cause, fault, jittered};

/// The most bytes read of what comes with a refusal.
const MOST_SAID: usize = 8 * 1024;

/// How long the last byte of a reply is waited for behind its end.
const READ_OUT: Duration = Duration::from_millis(20);

/// Why a call failed.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) fault: Fault,
    pub(super) detail: String,
    pub(super) charged: bool,
    /// Whether a repeat may help.
    again: bool,
    /// The pause that the provider asks for.
    wait: Option<Duration>,
}

impl Failed {
    /// A failure after which nothing is repeated.
    pub(super) fn last(fault: Fault, detail: impl Into<String>, charged: bool) -> Self {
        Self { fault, detail: detail.into(), charged, again: false, wait: None }
    }
}

impl From<Unread> for Failed {
    /// What is wrong with a reply was begun to be worked on.
    fn from(unread: Unread) -> Self {
        Self::last(unread.fault, unread.detail, true)
    }
}

/// The stream of a call; nothing is sent before it is asked for the first piece.
pub(super) fn stream(
    provider: Arc<Provider>,
    request: Arc<Request>,
) -> BoxStream<'static, Result<Delta, ModelError>> {
    let call = Call {
        provider,
        request,
        stage: Stage::New,
        ready: VecDeque::new(),
        failed: None,
        call_by: Instant::now(),
        token_by: Instant::now(),
        spoken: false,
        afresh: false,
    };
    stream::unfold(call, |mut call| async move { call.next().await.map(|said| (said, call)) }).boxed()
}

struct Call {
    provider: Arc<Provider>,
    request: Arc<Request>,
    stage: Stage,
    /// What was read and not yet asked for.
    ready: VecDeque<Delta>,
    /// What comes behind that.
    failed: Option<Failed>,
    call_by: Instant,
    token_by: Instant,
    /// Whether the model has said anything.
    spoken: bool,
    /// Whether the time between tokens runs anew: whoever reads may have taken long.
    afresh: bool,
}

enum Stage {
    New,
    Reading(Box<Reading>),
    Over,
}

impl Call {
    async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        loop {
            if let Some(delta) = self.ready.pop_front() {
                match delta {
                    Delta::End(_) => {
                        self.read_out().await;
                        self.over();
                    }
                    Delta::Text(_) | Delta::ToolUse(_) => self.afresh = true,
                    Delta::Usage(_) | Delta::Unsaid(_) | Delta::Handover(_) => {}
                }
                return Some(Ok(delta));
            }
            if let Some(failed) = self.failed.take() {
                self.over();
                return Some(Err(self.provider.error(failed)));
            }
            let step = match self.stage {
                Stage::New => self.begin().await,
                Stage::Reading(_) => self.read().await,
                Stage::Over => return None,
            };
            self.failed = step.err();
        }
    }

    /// A connection whose reply was read to its last byte carries the next call too. That byte mostly comes with the
    /// end; where it does not, a new connection is cheaper than the wait.
    async fn read_out(&mut self) {
        if let Stage::Reading(reading) = &mut self.stage {
            let _ = timeout(READ_OUT, reading.rest()).await;
        }
    }

    /// Lets go of the connection, and of everything behind the end.
    fn over(&mut self) {
        self.stage = Stage::Over;
        self.ready.clear();
        self.failed = None;
    }

    async fn begin(&mut self) -> Result<(), Failed> {
        let provider = Arc::clone(&self.provider);
        let limits = provider.settings.limits;
        self.call_by = after(limits.call);
        let (client, mut request) = provider.request(&self.request)?;
        let mut pause = provider.settings.pause;
        let mut left = provider.settings.retries;
        loop {
            // A reply that comes as one has its first token at its end.
            self.token_by = if provider.settings.stream { after(limits.first_token) } else { self.call_by };
            let next = request.try_clone();
            let mut failed = match self.once(&client, request).await {
                Ok(response) => {
                    let reading = Reading::new(response, &provider.settings, &self.request);
                    self.stage = Stage::Reading(Box::new(reading));
                    return Ok(());
                }
                Err(failed) => failed,
            };
            request = match next {
                Some(next) if failed.again && left > 0 => next,
                _ => return Err(failed),
            };
            let pause_now = failed.wait.unwrap_or_default().max(jittered(pause));
            if after(pause_now) >= self.call_by {
                failed
                    .detail
                    .push_str(&format!(" (a repeat in {} s would come too late)", pause_now.as_secs()));
                return Err(failed);
            }
            sleep(pause_now).await;
            pause = pause.saturating_mul(2);
            left -= 1;
        }
    }

    /// Sends the request once, until the head of a reply that is one.
    async fn once(&self, client: &Client, request: reqwest::Request) -> Result<Response, Failed> {
        let (by, late) = self.due();
        let url = &self.provider.shown();
        let Ok(sent) = timeout_at(by, client.execute(request)).await else {
            return Err(self.late(late));
        };
        let response = sent.map_err(|error| {
            let fault = fault(&error);
            let what = match fault {
                Fault::NoSuchHost => "has no address; check `base_url` and the name server",
                Fault::Tls => "has no secure connection to offer; check `base_url` and its certificate",
                Fault::ConnectTimeout => "gave no connection in time; check `base_url` and the way there",
                Fault::Unreachable => "cannot be reached; check `base_url` and that the provider runs",
                _ => "hung up before it answered; look at the provider",
            };
            Failed {
                fault,
                detail: format!("{url} {what} ({})", cause(&error)),
                // Whoever hangs up had the request, and may have done the work.
                charged: fault == Fault::BrokeOff,
                again: matches!(fault, Fault::Unreachable | Fault::ConnectTimeout),
                wait: None,
            }
        })?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let wait = wait(response.headers());
        let said = said(response, by).await;
        let refused = refused(status, &said, self.provider.settings.key_env.as_deref());
        let detail = format!("{url}: {}", refused.detail);
        Err(Failed { fault: refused.fault, detail, charged: false, again: refused.again, wait })
    }

    async fn read(&mut self) -> Result<(), Failed> {
        if std::mem::take(&mut self.afresh) {
            self.spoken = true;
            self.token_by = after(self.provider.settings.limits.between_tokens);
        }
        let (by, late) = self.due();
        let Stage::Reading(reading) = &mut self.stage else { return Ok(()) };
        let Ok(part) = timeout_at(by, reading.next()).await else {
            return Err(self.late(late));
        };
        let heard = match part {
            Ok(Some(bytes)) => reading.take_in(&bytes, &mut self.ready)?,
            Ok(None) => return Ok(reading.close(None, &mut self.ready)?),
            Err(error) => return Ok(reading.close(Some(cause(&error)), &mut self.ready)?),
        };
        if heard == Heard::Token || (heard == Heard::Thought && self.spoken) {
            self.spoken = true;
            self.token_by = after(self.provider.settings.limits.between_tokens);
        }
        // What comes without a pause never waits, so that no timer would end it.
        let (by, late) = self.due();
        if self.ready.is_empty() && Instant::now() >= by { Err(self.late(late)) } else { Ok(()) }
    }

    /// When the next piece is due, and what it is where there is none.
    fn due(&self) -> (Instant, Fault) {
        let whole = match &self.stage {
            Stage::Reading(reading) => reading.is_whole(),
            Stage::New | Stage::Over => false,
        };
        if whole || self.call_by <= self.token_by {
            return (self.call_by, Fault::CallTimeout);
        }
        (self.token_by, if self.spoken { Fault::Stalled } else { Fault::FirstTokenTimeout })
    }

    /// The provider had the request, so that it may ask money for it.
    fn late(&self, fault: Fault) -> Failed {
        let limits = &self.provider.settings.limits;
        let (what, limit) = match fault {
            Fault::FirstTokenTimeout => ("no first word", limits.first_token),
            Fault::Stalled => ("nothing more", limits.between_tokens),
            _ => ("no end of its reply", limits.call),
        };
        let url = self.provider.shown();
        let detail = format!(
            "{url} gave {what} within {} ms; raise that limit, or look at the provider",
            limit.as_millis()
        );
        Failed::last(fault, detail, true)
    }
}

/// The beginning of what comes with a refusal.
async fn said(mut response: Response, by: Instant) -> Vec<u8> {
    let mut said = Vec::new();
    while said.len() < MOST_SAID {
        match timeout_at(by, response.chunk()).await {
            Ok(Ok(Some(part))) => said.extend(part.iter().take(MOST_SAID - said.len())),
            _ => break,
        }
    }
    said
}

/// The moment in so long; far away where there is none.
fn after(limit: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 86_400);
    Instant::now() + limit.min(YEAR)
}
