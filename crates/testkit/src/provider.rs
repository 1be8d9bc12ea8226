//! A provider on loopback that plays both wires as it is told, byte by byte, and keeps what it was asked.

mod play;

mod step;

mod words;

use std::future::pending;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::serve::ListenerExt;
use futures_util::stream::{self, Stream, StreamExt as _};
use serde_json::Value;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use self::step::{FakeReply, FakeUsage, Step, tool};

use self::play::{Piece, pieces};

/// How long a test waits for something that has to happen.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the provider was asked.
#[derive(Debug, Clone)]
pub struct Heard {
    /// Path and query.
    pub path: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; `Null` where it is no JSON.
    pub body: Value,
    /// Where it came from: the same for calls over one connection.
    pub caller: SocketAddr,
}

/// A provider that goes away when it is dropped. Calls are answered by the replies in turn, the last one over and over.
/// A path that ends in `/messages` is the Messages wire, every other the OpenAI-compatible one.
#[derive(Debug)]
pub struct FakeProvider {
    address: String,
    stage: Arc<Stage>,
    task: JoinHandle<()>,
}

#[derive(Debug)]
struct Stage {
    replies: Vec<FakeReply>,
    heard: Mutex<Vec<Heard>>,
    /// How many callers left before the end of their reply.
    left: watch::Sender<usize>,
}

impl FakeProvider {
    /// Starts on a free port of 127.0.0.1.
    pub async fn start(replies: Vec<FakeReply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        // Each event goes out at once, as from any server that streams.
        let listener = listener.tap_io(|stream| stream.set_nodelay(true).unwrap());
        let stage = Arc::new(Stage { replies, heard: Mutex::default(), left: watch::Sender::new(0) });
        let app = axum::Router::new().fallback(answer).with_state(Arc::clone(&stage));
        let app = app.into_make_service_with_connect_info::<SocketAddr>();
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { address, stage, task }
    }

    /// Its address, such as `http://127.0.0.1:40000`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// What it was asked so far, in order.
    #[must_use]
    pub fn heard(&self) -> Vec<Heard> {
        self.stage.heard.lock().unwrap().clone()
    }

    /// How many callers left before the end of their reply.
    #[must_use]
    pub fn left(&self) -> usize {
        *self.stage.left.borrow()
    }

    /// Waits until so many callers left before the end of their reply; a test in which they do not fails.
    pub async fn until_left(&self, count: usize) {
        let mut left = self.stage.left.subscribe();
        let waited = tokio::time::timeout(PATIENCE, left.wait_for(|left| *left >= count)).await;
        waited.expect("the caller closes the connection").unwrap();
    }

    /// An address where nobody listens.
    pub async fn nobody() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    }
}

impl Drop for FakeProvider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A port whose queue of callers is full, so that no further connection is made.
#[derive(Debug)]
pub struct FullHouse {
    address: String,
    _listener: TcpListener,
    _callers: Vec<TcpStream>,
}

impl FullHouse {
    /// Fills the queue of a free port of 127.0.0.1.
    pub async fn start() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let listener = socket.listen(1).unwrap();
        let address = listener.local_addr().unwrap();
        let mut callers = Vec::new();
        while let Ok(caller) =
            tokio::time::timeout(Duration::from_millis(200), TcpStream::connect(address)).await
        {
            callers.push(caller.unwrap());
        }
        Self { address: format!("http://{address}"), _listener: listener, _callers: callers }
    }

    /// Its address, such as `http://127.0.0.1:40000`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }
}

/// Counts a caller who leaves before the end of a reply: then the reply is dropped.
struct Watch {
    stage: Arc<Stage>,
    ended: bool,
}

impl Watch {
    /// The reply is at its end, or ends from here.
    fn end(&mut self) {
        self.ended = true;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.ended {
            self.stage.left.send_modify(|left| *left += 1);
        }
    }
}

async fn answer(
    State(stage): State<Arc<Stage>>,
    ConnectInfo(caller): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let path = head.uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    let messages = head.uri.path().ends_with("/messages");
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let at = {
        let mut heard = stage.heard.lock().unwrap();
        heard.push(Heard { path, headers: head.headers, body, caller });
        heard.len() - 1
    };
    let reply = stage.replies.get(at).or(stage.replies.last()).cloned().unwrap_or(FakeReply::Silence);
    let mut watch = Watch { stage, ended: false };
    match reply {
        FakeReply::Silence => pending().await,
        FakeReply::HangsUp => {
            watch.end();
            // The connection's task ends, and with it the connection; no hook prints anything.
            std::panic::resume_unwind(Box::new("told to hang up"))
        }
        FakeReply::Status { status, headers, body } => {
            watch.end();
            respond(status, &headers, Body::from(body))
        }
        FakeReply::Says { whole, kind, split, steps } => {
            let played = pieces(messages, whole, split, &steps);
            let headers: Vec<_> = kind.map(|kind| ("content-type".to_owned(), kind)).into_iter().collect();
            respond(200, &headers, Body::from_stream(body_of(played, watch)))
        }
    }
}

fn respond(status: u16, headers: &[(String, String)], body: Body) -> Response {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(name, value);
    }
    response.body(body).unwrap()
}

/// The bytes of a reply, each piece on its way before the next one.
fn body_of(
    pieces: Vec<Piece>,
    watch: Watch,
) -> impl Stream<Item = Result<Bytes, std::io::Error>> + Send + 'static {
    let state = (pieces.into_iter(), None::<(Bytes, usize)>, watch);
    stream::unfold(state, |(mut pieces, mut again, mut watch)| async move {
        tokio::task::yield_now().await;
        if let Some((bytes, times)) = again.take().filter(|(_, times)| *times > 0) {
            let next = Some((bytes.clone(), times - 1));
            return Some((Ok(bytes), (pieces, next, watch)));
        }
        match pieces.next() {
            Some(Piece::Bytes(bytes)) => Some((Ok(bytes.into()), (pieces, None, watch))),
            Some(Piece::Repeat(bytes, times)) => {
                let bytes = Bytes::from(bytes);
                let next = Some((bytes.clone(), times.saturating_sub(1)));
                Some((Ok(bytes), (pieces, next, watch)))
            }
            Some(Piece::Stall) => pending().await,
            Some(Piece::Close) => {
                watch.end();
                Some((Err(std::io::Error::other("told to break off")), (pieces, None, watch)))
            }
            None => {
                watch.end();
                None
            }
        }
    })
    .boxed()
}
