//! Connections: taken one by one, bounded in number and in the time they may take to say what they want.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use futures_util::future::BoxFuture;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use crate::app::App;

/// After an error in taking a connection, such as too many open files.
const PAUSE: Duration = Duration::from_millis(50);

/// How long the last words of an answer may take when the program ends.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A header longer than this is refused by the connection itself.
const MOST_HEADER_BYTES: usize = 16 * 1_024;

type Timed = Pin<Box<TimeoutStream<TcpStream>>>;

/// Takes connections until the program ends, then waits for those that are there.
pub(crate) async fn listen(app: Arc<App>, listener: TcpListener, router: Router) {
    let (most, read, write) = app.with_config(|config| {
        (config.connections.size(), config.read_seconds.get(), config.write_seconds.get())
    });
    let (read, write) = (Duration::from_secs(read), Duration::from_secs(write));
    let places = Arc::new(Semaphore::new(most));
    let graceful = GracefulShutdown::new();
    loop {
        let taken = tokio::select! {
            biased;
            () = app.ending.cancelled() => break,
            taken = listener.accept() => taken,
        };
        let (stream, peer) = match taken {
            Ok(taken) => taken,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        // Whoever comes when it is full is let go at once, and no one who is there waits for them.
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let connection = connection(stream, peer, router.clone(), read, write);
        let watched = graceful.watch(connection);
        let open = app.metrics.connected();
        let closing = app.closing.clone();
        app.tasks.spawn(async move {
            tokio::select! {
                // How a connection ends is the affair of whoever is at its other end.
                _ = watched => {}
                // Whoever does not read the end of their answer by then does not keep the program from ending.
                () = async { closing.cancelled().await; tokio::time::sleep(LAST_WORDS).await } => {}
            }
            drop((place, open));
        });
    }
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = async { app.closing.cancelled().await; tokio::time::sleep(LAST_WORDS).await } => {}
    }
}

/// `read`: how long a header may take to arrive; `write`: how long what is sent may wait to be read.
fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    read: Duration,
    write: Duration,
) -> http1::Connection<TokioIo<Timed>, Routed> {
    // Small writes wait for no acknowledgement of the ones before.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    // Whoever does not read holds no place for ever, whatever they asked for.
    stream.set_write_timeout(Some(write));
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(read)
        .max_buf_size(MOST_HEADER_BYTES)
        .serve_connection(TokioIo::new(Box::pin(stream)), Routed { router, peer })
}

/// The routes for one connection: each request says where it came from.
struct Routed {
    router: Router,
    peer: SocketAddr,
}

impl hyper::service::Service<hyper::Request<Incoming>> for Routed {
    type Response = axum::response::Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<axum::response::Response, Infallible>>;

    fn call(&self, mut request: hyper::Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(ConnectInfo(self.peer));
        Box::pin(self.router.clone().oneshot(request.map(axum::body::Body::new)))
    }
}
