//! The operators' console: pages behind a sign-in, under `/console`, that work without a script.

mod keys;

mod cookies;

mod fault;

mod origin;

mod session;

mod password;

mod visit;

mod shell;

mod dress;

mod assets;

mod sign_in;

mod invitations;

mod arrive;

mod account;

mod groups;

mod inbox;

mod seal;

mod entry;

mod conversations;

mod turns;

mod cases;

mod suite;

mod chart;

mod spend;

mod documents;

mod audit;

mod operators;

mod erasure;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::response::{Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router, middleware};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::app::App;
use fault::Fault;
pub use password::password_hash;
pub use sign_in::is_operator_name;
use visit::Knock;

/// The most bytes of a form.
const FORM_BYTES: usize = 64 * 1024;

/// What the console remembers while the program runs.
#[derive(Debug)]
pub(crate) struct Room {
    invitations: invitations::Invitations,
    runs: suite::Runs,
    conflicts: documents::Conflicts,
    hashing: Semaphore,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            invitations: invitations::Invitations::default(),
            runs: suite::Runs::default(),
            conflicts: documents::Conflicts::default(),
            hashing: Semaphore::new(password::AT_ONCE),
        }
    }
}

impl Room {
    /// Waits for a place to hash a password in.
    async fn hashing(&self) -> Result<SemaphorePermit<'_>, Fault> {
        self.hashing.acquire().await.map_err(Fault::broken)
    }
}

/// The pages, to be nested under `/console`. Who may see each is said by the type of its handler's argument.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(front))
        .route("/static/{file}", get(assets::asset))
        .route("/sign-in", get(sign_in::show).post(sign_in::enter))
        .route("/sign-out", post(sign_in::leave))
        .route("/setup/{token}", get(arrive::first_form).post(arrive::first))
        .route("/invitations/{token}", get(arrive::invited_form).post(arrive::invited))
        .route("/account", get(account::show).post(account::change))
        .route("/inbox", get(inbox::list))
        .route("/inbox/{entry}", get(entry::show))
        .route("/inbox/{entry}/approve", post(entry::approve))
        .route("/inbox/{entry}/reject", post(entry::reject))
        .route("/inbox/{entry}/answer", post(entry::answer))
        .route("/inbox/{entry}/close", post(entry::close))
        .route("/conversations", get(conversations::list))
        .route("/conversations/{conversation}", get(conversations::show))
        .route("/conversations/{conversation}/take", post(conversations::take))
        .route("/conversations/{conversation}/give-back", post(conversations::give_back))
        .route("/conversations/{conversation}/say", post(conversations::say))
        .route("/conversations/{conversation}/erase", post(conversations::erase))
        .route("/turns", get(turns::list))
        .route("/turns/{turn}", get(turns::show))
        .route("/turns/{turn}/case", post(cases::write))
        .route("/suite", get(suite::show).post(suite::run))
        .route("/spend", get(spend::show))
        .route("/documents", get(documents::show))
        .route("/audit", get(audit::list))
        .route("/operators", get(operators::list).post(operators::invite))
        .route("/operators/{operator}/role", post(operators::set_role))
        .route("/operators/{operator}/disabled", post(operators::set_disabled))
        .route("/operators/{operator}/password", post(operators::again))
        .route("/erasure", get(erasure::show).post(erasure::erase))
        .fallback(nowhere)
        .method_not_allowed_fallback(nowhere)
        .layer(DefaultBodyLimit::max(FORM_BYTES))
        .layer(Extension(Arc::new(Room::default())))
        .layer(middleware::from_fn(dress::dress))
}

async fn front() -> Redirect {
    Redirect::to("/console/inbox")
}

async fn nowhere(_visit: Knock) -> Result<Response, Fault> {
    Err(Fault::NotFound)
}
