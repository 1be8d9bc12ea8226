//! The suite, run from its page: one run at a time, in the background, with its report kept for all to read.

use std::sync::{Arc, Mutex, PoisonError};

use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};
use mostrador_answer::ports::UnixMillis;
use mostrador_store::Action;

use super::Room;
use super::fault::Fault;
use super::shell::{Here, Shell, moment, page};
use super::visit::{Acts, Posted, Reads, Signed};
use crate::app::App;
use crate::suite::SuiteReport;

/// A run that is over.
#[derive(Debug, Clone)]
pub(super) struct Ran {
    /// What came of it, or what kept it from running.
    report: Result<SuiteReport, String>,
    by: String,
    at: UnixMillis,
}

#[derive(Debug, Default)]
struct State {
    /// Who runs it now, and since when.
    running: Option<(String, UnixMillis)>,
    last: Option<Ran>,
}

/// Whether the suite is being run, and what came of it last.
#[derive(Debug, Default)]
pub(super) struct Runs(Mutex<State>);

/// Ends a run whatever becomes of it, so that a run that broke does not keep others from running.
struct Running {
    room: Arc<Room>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.room.runs.0.lock().unwrap_or_else(PoisonError::into_inner).running = None;
    }
}

impl Runs {
    /// Takes the one place; `false` where somebody runs it already.
    fn begin(&self, by: &str, at: UnixMillis) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let free = state.running.is_none();
        if free {
            state.running = Some((by.to_owned(), at));
        }
        free
    }

    fn keep(&self, ran: Ran) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).last = Some(ran);
    }

    fn look(&self) -> (Option<(String, UnixMillis)>, Option<Ran>) {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (state.running.clone(), state.last.clone())
    }
}

#[derive(Template)]
#[template(path = "suite.html")]
struct SuitePage {
    page: Shell,
    there: bool,
    version: String,
    /// Who runs it now, and since when.
    running: Option<(String, String)>,
    last: Option<Ran>,
    ended: String,
}

/// What came of the last run, and a button for the next.
pub(super) async fn show(visit: Signed<Reads>) -> Result<Response, Fault> {
    let (running, last) = visit.room.runs.look();
    let shown = SuitePage {
        page: visit.shell(Here::Suite),
        there: visit.app.suite().is_some(),
        version: visit.app.version().hash.chars().take(12).collect(),
        running: running.map(|(by, at)| (by, moment(at))),
        ended: last.as_ref().map(|ran| moment(ran.at)).unwrap_or_default(),
        last,
    };
    page(&visit, &shown)
}

/// Runs it, where nobody does.
pub(super) async fn run(visit: Posted<Acts>) -> Result<Response, Fault> {
    if visit.app.suite().is_none() {
        return Err(Fault::Away);
    }
    let by = visit.operator().name.clone();
    if !visit.room.runs.begin(&by, visit.now()) {
        return Ok(Redirect::to("/console/suite?note=suite_runs").into_response());
    }
    let running = Running { room: Arc::clone(&visit.room) };
    visit.log("suite.run", "", "").await?;
    // A run outlives the request that began it: the page asks for its end.
    tokio::spawn(finish(Arc::clone(&visit.app), by, running));
    Ok(Redirect::to("/console/suite").into_response())
}

async fn finish(app: Arc<App>, by: String, running: Running) {
    let Some(suite) = app.suite() else { return };
    let report = suite.run().await;
    let at = app.clock_now();
    let ran = Ran { report, by: by.clone(), at };
    let detail = ran.report.as_ref().map(|report| format!("{}/{}", report.passed, report.total));
    let detail = detail.unwrap_or_default();
    running.room.runs.keep(ran);
    let action =
        Action { operator: by, action: "suite.ended".to_owned(), subject: String::new(), detail, at };
    if let Err(error) = app.store().log_action(&action).await {
        tracing::error!(%error, "the end of a run of the suite is not in the log of actions");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suite_runs_once_at_a_time_and_a_broken_run_lets_go() {
        let room = Arc::new(Room::default());
        assert!(room.runs.begin("eva", UnixMillis(1)));
        assert!(!room.runs.begin("max", UnixMillis(2)));
        drop(Running { room: Arc::clone(&room) });
        assert!(room.runs.begin("max", UnixMillis(3)));
        assert_eq!(room.runs.look().0, Some(("max".to_owned(), UnixMillis(3))));
    }
}
