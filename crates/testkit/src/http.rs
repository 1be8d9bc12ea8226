//! A small HTTP server on loopback that gives the replies it is told to, and keeps what it was asked.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A reply of the server.
#[derive(Debug, Clone)]
pub enum Canned {
    /// A status, further header lines, and a body.
    Reply(u16, &'static str, String),
    /// A body of zeros, this long, sent in parts.
    Zeros(usize),
    /// One vector of two numbers for each text of the request: its length in characters, and 1.
    Lengths,
    /// Nothing at all, until the caller leaves.
    Silence,
    /// The connection ends in the middle of the body.
    BreaksOff,
}

/// A server that goes away when it is dropped. Requests are answered by the replies in turn, the last one over and
/// over.
#[derive(Debug)]
pub struct CannedServer {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl CannedServer {
    /// Starts on a free port of 127.0.0.1.
    pub async fn start(replies: Vec<Canned>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        let task = tokio::spawn(async move {
            let mut open = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                open.spawn(serve(stream, replies.clone(), Arc::clone(&kept)));
            }
        });
        Self { address, asked, task }
    }

    /// Its address, such as `http://127.0.0.1:40000`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The requests so far: head and body as they came.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for CannedServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Answers one request and closes; each reply says so.
async fn serve(mut stream: TcpStream, replies: Vec<Canned>, asked: Arc<Mutex<Vec<String>>>) {
    let Some(request) = request(&mut stream).await else { return };
    let body = request.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default();
    let at = {
        let mut asked = asked.lock().unwrap();
        asked.push(request);
        asked.len() - 1
    };
    let (status, head, body) = match replies.get(at).or(replies.last()) {
        Some(Canned::Reply(status, head, body)) => (*status, *head, body.clone()),
        Some(Canned::Lengths) => (200, "", lengths(&body)),
        Some(Canned::Zeros(size)) => {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {size}\r\n\r\n");
            let mut sent = stream.write_all(head.as_bytes()).await;
            let mut left = *size;
            while sent.is_ok() && left > 0 {
                let part = left.min(1 << 20);
                sent = stream.write_all(&vec![b'0'; part]).await;
                left -= part;
            }
            return;
        }
        Some(Canned::BreaksOff) => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{").await;
            return;
        }
        Some(Canned::Silence) | None => {
            let _ = stream.read(&mut [0]).await;
            return;
        }
    };
    let size = body.len();
    let reply = format!(
        "HTTP/1.1 {status} Canned\r\ncontent-length: {size}\r\nconnection: close\r\n{head}\r\n{body}"
    );
    let _ = stream.write_all(reply.as_bytes()).await;
}

async fn request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.to_lowercase().split("content-length:").nth(1).and_then(|rest| {
                    rest.lines().next().and_then(|length| length.trim().parse::<usize>().ok())
                });
            if body.len() >= length.unwrap_or(0) {
                return Some(text.into_owned());
            }
        }
    }
}

/// The vectors of a request's texts, the last first, as a service may send them.
fn lengths(body: &str) -> String {
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    let texts = body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().chars().count());
    let data: Vec<_> = texts
        .enumerate()
        .map(|(at, size)| serde_json::json!({ "index": at, "embedding": [size, 1] }))
        .rev()
        .collect();
    serde_json::json!({ "data": data, "usage": { "total_tokens": 1 } }).to_string()
}
