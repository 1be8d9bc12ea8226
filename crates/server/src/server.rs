//! The server: opened over a shop folder, running until it is told to end.

use std::fs::File;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::map_request;
use axum::response::Redirect;
use axum::routing::get;
use mostrador_answer::ports::UnixMillis;
use mostrador_shop::counter::{database, system_clock};
use mostrador_shop::{Shop, ShopError};
use mostrador_store::{Store, StoreOptions};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{MakeRequestId, PropagateRequestIdLayer, RequestId, SetRequestIdLayer};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::api::error::ApiError;
use crate::app::{App, PerMinute, SetupLink, random_name, random_secret};
use crate::desk::Desk;
use crate::error::ServeError;
use crate::metrics::Metrics;
use crate::suite::Suite;
use crate::version::{Opening, Version};
use crate::{api, console, listen, pages};

/// How often it is looked whether another generation has become current.
const LOOK: Duration = Duration::from_secs(2);

/// How often reservations that nobody settled are charged.
const SWEEP: Duration = Duration::from_secs(60);

/// How often conversations that are old enough are erased.
const FORGET: Duration = Duration::from_secs(60 * 60);

/// How often it is looked whether another process has written to customers.
const OTHERS: Duration = Duration::from_secs(1);

/// So many questions in a minute that limits have stopped are written down; all are counted.
const LIMIT_NOTES: u32 = 60;

const DAY: i64 = 24 * 60 * 60 * 1_000;

/// What is done to a shop each time it is read.
pub type Prepare = Arc<dyn Fn(Shop) -> Shop + Send + Sync>;

/// How a server is opened.
#[derive(Clone)]
pub struct ServerOptions {
    /// The address and port, in the place of the shop's own.
    pub listen: Option<String>,
    /// What is done to the shop each time it is read, such as giving it another model.
    pub prepare: Prepare,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self { listen: None, prepare: Arc::new(|shop| shop) }
    }
}

/// A server that listens and answers nothing yet.
pub struct Server {
    app: Arc<App>,
    opened: Opened,
    listener: TcpListener,
    address: SocketAddr,
    setup: Option<String>,
}

/// What versions are opened with.
struct Opened {
    prepare: Prepare,
    reload: Arc<Notify>,
    /// The last release when the version that is served was opened.
    released: Option<UnixMillis>,
}

/// Tells a running server what to do.
#[derive(Clone)]
pub struct Handle {
    reload: Arc<Notify>,
    ending: CancellationToken,
    closing: CancellationToken,
}

impl Handle {
    /// Ends without waiting for answers under way: they are broken off with a notice, and settled.
    pub fn stop_now(&self) {
        self.ending.cancel();
        self.closing.cancel();
    }

    /// Reads the shop anew. A version that has not passed the shop's cases does not take the place of the one that is
    /// served, and no stream is dropped.
    pub fn reload(&self) {
        self.reload.notify_one();
    }

    /// Ends: no new question is taken, answers under way may finish for a while.
    pub fn stop(&self) {
        self.ending.cancel();
    }
}

impl Server {
    /// Opens a shop and listens. Must be called on a Tokio runtime.
    ///
    /// # Errors
    /// [`ServeError`] where the shop does not fit, this version has not passed its cases, or the address is taken.
    pub async fn open(
        root: &Path,
        suite: Arc<dyn Suite>,
        options: ServerOptions,
    ) -> Result<Self, ServeError> {
        // Before the store: a folder that is none gets no database.
        if !root.join(mostrador_shop::folder::SHOP_FILE).is_file() {
            return Err(ShopError::NoShop(root.to_owned()).into());
        }
        let store = Store::open(&database(root), StoreOptions::default()).await?;
        let metrics = Metrics::new();
        let timing = Arc::clone(&metrics);
        let opening = Opening {
            root,
            store: &store,
            suite: suite.as_ref(),
            timing,
            prepare: Arc::clone(&options.prepare),
        };
        let released = store.last_release().await?.map(|release| release.at);
        let version = Version::open(&opening).await?;
        version.counter.on_warning(Box::new(|warning| tracing::warn!("{warning}")));
        let clock = system_clock();
        let now = clock.now();
        let (setup, token) = if store.any_operator().await? {
            (SetupLink::none(), None)
        } else {
            let (link, token) = SetupLink::new(now)?;
            (link, Some(token))
        };
        let address = options.listen.unwrap_or_else(|| version.shop.config().server.listen.0.clone());
        let alone = alone(root);
        let listener = TcpListener::bind(&address).await;
        let bad = |source| ServeError::Listen { address: address.clone(), source };
        let listener = listener.map_err(bad)?;
        let address = listener.local_addr().map_err(|source| ServeError::Listen { address, source })?;
        let app = Arc::new(App {
            root: root.to_owned(),
            _alone: alone,
            desk: Arc::new(Desk::new(store.clone(), Arc::clone(&clock))),
            store,
            version: RwLock::new(Arc::new(version)),
            suite,
            metrics,
            clock,
            secret: random_secret()?,
            limit_notes: PerMinute::new(LIMIT_NOTES),
            setup,
            tasks: TaskTracker::new(),
            ending: CancellationToken::new(),
            closing: CancellationToken::new(),
        });
        let setup = token.map(|token| {
            let public = app.with_config(|config| config.public_url.as_ref().map(|url| url.0.clone()));
            let base = public.unwrap_or_else(|| format!("http://{address}"));
            format!("{base}/console/setup/{token}")
        });
        let opened = Opened { prepare: options.prepare, reload: Arc::new(Notify::new()), released };
        Ok(Self { app, opened, listener, address, setup })
    }

    /// The address it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The link by which the first owner is made, where there is none yet: good once and for an hour.
    #[must_use]
    pub fn setup_link(&self) -> Option<&str> {
        self.setup.as_deref()
    }

    /// What the operator should know before the first question.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let version = self.app.version();
        let mut warnings = version.counter.index().warnings.clone();
        if !version.released {
            let root = self.app.root.display();
            warnings
                .push(format!("this version has not passed the shop's cases; run `mostrador eval {root}`"));
        }
        warnings
    }

    /// The counter that is served now.
    #[must_use]
    pub fn counter(&self) -> Arc<mostrador_shop::Counter> {
        Arc::clone(&self.app.version().counter)
    }

    /// What tells it what to do while it runs.
    #[must_use]
    pub fn handle(&self) -> Handle {
        Handle {
            reload: Arc::clone(&self.opened.reload),
            ending: self.app.ending.clone(),
            closing: self.app.closing.clone(),
        }
    }

    /// Answers until it is told to end. When this returns, every turn is settled and written down.
    pub async fn run(self) {
        let Self { app, opened, listener, .. } = self;
        let work = tokio::join!(
            listen::listen(Arc::clone(&app), listener, router(&app)),
            ending(&app),
            tend(&app),
            follow(&app, &opened),
        );
        let ((), (), (), ()) = work;
        app.tasks.close();
        app.tasks.wait().await;
        tracing::info!("every turn is settled and written down");
        app.version().counter.finish().await;
        app.store.close().await;
    }
}

/// Holds the mark of a folder that is served, as long as it is. Two programs keep what they write apart, but not what
/// they count: whoever runs them is told.
fn alone(root: &Path) -> Option<File> {
    let mark = database(root).with_file_name("serving.lock");
    let file = File::create(&mark).ok()?;
    match file.try_lock() {
        Ok(()) => Some(file),
        Err(_) => {
            tracing::warn!(
                "another program serves this shop folder; limits count apart and colleagues' words arrive late: end one"
            );
            None
        }
    }
}

/// Everything there is, with the headers of every answer.
fn router(app: &Arc<App>) -> Router {
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    let name = HeaderName::from_static("x-request-id");
    Router::new()
        .merge(api::routes(app))
        .merge(pages::routes())
        .nest("/console", console::routes())
        .route("/console/", get(async || Redirect::permanent("/console")))
        .fallback(|| async { ApiError::NotFound })
        .method_not_allowed_fallback(|| async { ApiError::MethodNotAllowed })
        .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(header::X_FRAME_OPTIONS, "DENY"))
        .layer(header(header::REFERRER_POLICY, "no-referrer"))
        .layer(header(header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"))
        .layer(CatchPanicLayer::new())
        .layer(PropagateRequestIdLayer::new(name.clone()))
        .layer(SetRequestIdLayer::new(name.clone(), Named))
        .layer(map_request(move |mut request: Request| {
            request.headers_mut().remove(&name);
            std::future::ready(request)
        }))
        .with_state(Arc::clone(app))
}

/// A name for each request; what a caller has written there does not count.
#[derive(Clone)]
struct Named;

impl MakeRequestId for Named {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        let name = HeaderValue::from_str(&random_name().ok()?).ok()?;
        Some(RequestId::new(name))
    }
}

/// Lets answers under way finish for a while when the program is told to end, then ends them.
async fn ending(app: &App) {
    app.ending.cancelled().await;
    let patience = app.with_config(|config| Duration::from_secs(config.shutdown_seconds.get()));
    let quiet = async {
        // Streams and turns are tasks; connections that wait for nothing are let go by the listener.
        while !app.tasks.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let _ = tokio::time::timeout(patience, quiet).await;
    app.closing.cancel();
}

/// Charges what nobody settled, and erases what is old enough.
async fn tend(app: &App) {
    let mut sweep = tokio::time::interval(SWEEP);
    let mut forget = tokio::time::interval(FORGET);
    let mut others = tokio::time::interval(OTHERS);
    // What is there already is read by whoever begins to listen.
    let mut others_wrote = None;
    let mut heard = app.store.written_since(0).await.map_or(0, |(last, _)| last);
    loop {
        tokio::select! {
            biased;
            () = app.ending.cancelled() => return,
            _ = sweep.tick() => {
                if let Err(error) = app.version().counter.sweep().await {
                    tracing::warn!(%error, "reservations could not be looked through");
                }
            }
            _ = forget.tick() => forget_old(app).await,
            _ = others.tick() => {
                // Such as an approval on the command line.
                if let Ok((last, written)) = app.store.written_since(heard).await {
                    heard = last;
                    written.iter().for_each(|conversation| app.desk.told(conversation));
                }
                // Such as `mostrador erase`.
                if let Ok(version) = app.store.version_of_others().await
                    && others_wrote != Some(version)
                    && app.desk.forget_missing().await.is_ok()
                {
                    others_wrote = Some(version);
                }
            }
        }
    }
}

async fn forget_old(app: &App) {
    let version = app.version();
    let Some(days) = version.shop.config().retention.days else { return };
    let days = i64::try_from(days.get()).unwrap_or(i64::MAX);
    let before = UnixMillis(app.clock_now().0.saturating_sub(days.saturating_mul(DAY)));
    match app.store.forget_before(before).await {
        Ok(gone) => {
            gone.erased.iter().for_each(|conversation| app.desk.forget(conversation));
            if !gone.is_nothing() {
                let (conversations, turns) = (gone.conversations, gone.turns);
                tracing::info!(conversations, turns, lingers = gone.lingers, "old conversations were erased");
            }
        }
        Err(error) => tracing::error!(%error, "old conversations could not be erased"),
    }
}

/// Reads the shop anew when it is told to, and when another generation has become current.
async fn follow(app: &App, opened: &Opened) {
    let mut look = tokio::time::interval(LOOK);
    // What could not be served is tried again only when it has changed, or a version was released since.
    let mut refused: Option<(Option<String>, Option<UnixMillis>)> = None;
    let mut served = opened.released;
    loop {
        let told = tokio::select! {
            biased;
            () = app.ending.cancelled() => return,
            () = opened.reload.notified() => true,
            _ = look.tick() => false,
        };
        let current = app.store.current_generation().await.ok().flatten().map(|kept| kept.corpus);
        // A store that is away for a moment has released nothing new.
        let released = app.store.last_release().await.map_or(served, |last| last.map(|release| release.at));
        let seen = (current, released);
        let changed = seen.0.as_ref().is_some_and(|corpus| *corpus != app.version().corpus);
        let again = refused.as_ref().is_some_and(|refused| *refused != seen);
        // What has passed the shop's cases since is served, whatever was changed in it: a page, a rule, a text.
        let changed = changed || seen.1 != served;
        let news = changed && refused.as_ref() != Some(&seen);
        if !told && !again && !news {
            continue;
        }
        let opening = Opening {
            root: &app.root,
            store: &app.store,
            suite: app.suite.as_ref(),
            timing: Arc::clone(&app.metrics) as Arc<dyn mostrador_answer::ports::Timing>,
            prepare: Arc::clone(&opened.prepare),
        };
        let opened = tokio::select! {
            biased;
            () = app.ending.cancelled() => return,
            opened = Version::open(&opening) => opened,
        };
        match opened {
            Ok(version) => {
                refused = None;
                served = seen.1;
                // The same once more, such as after a suite that runs every night: what is counted goes on.
                let now = app.version();
                if !told
                    && !version.hash.is_empty()
                    && version.hash == now.hash
                    && version.released == now.released
                {
                    continue;
                }
                tracing::info!(hash = %version.hash, "another version is served");
                version.counter.on_warning(Box::new(|warning| tracing::warn!("{warning}")));
                app.serve(version);
                app.metrics.reloaded("served");
            }
            Err(error) => {
                tracing::warn!(%error, "the version before goes on");
                // What is away for a moment is asked for again.
                refused = error.is_of_the_shop().then_some(seen);
                app.metrics.reloaded("refused");
            }
        }
    }
}
