//! A server on loopback over a shop folder of its own, and a client that sees every byte.
#![allow(dead_code, reason = "each test file uses its part of it")]

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mostrador_server::{CaseDraft, Handle, Server, ServerOptions, Suite, SuiteReport};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

/// How long a test waits for something that has to happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) const SHOP: &str = "name = \"Corner <b>shop</b>\"\nlanguages = [\"en\", \"es\"]\n";

pub(crate) const DELIVERY: &str = "\
# Delivery

## Parcel shop

Delivery to a parcel shop costs £2.40 and takes two working days.

## Home

Delivery to your home costs £3.60.
";

/// No cases: whether a version may go out is told.
pub(crate) struct NoSuite(pub(crate) Result<String, String>);

#[async_trait]
impl Suite for NoSuite {
    fn written(&self) -> Result<String, String> {
        self.0.clone()
    }

    async fn run(&self) -> Result<SuiteReport, String> {
        Ok(SuiteReport { text: "Passed: 1 of 1 (100%)\n".to_owned(), released: true, passed: 1, total: 1 })
    }

    fn write_case(&self, name: &str, case: &CaseDraft) -> Result<PathBuf, String> {
        let _ = case;
        Ok(PathBuf::from(format!("cases/drafts/{name}.yaml")))
    }
}

pub(crate) struct Running {
    pub(crate) dir: TempDir,
    pub(crate) address: SocketAddr,
    pub(crate) handle: Handle,
    pub(crate) setup: Option<String>,
    task: JoinHandle<()>,
}

/// A shop folder with one page; `more` is put behind `shop.toml`.
pub(crate) fn folder(more: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("documents")).unwrap();
    std::fs::write(dir.path().join("documents/delivery.md"), DELIVERY).unwrap();
    std::fs::write(dir.path().join("shop.toml"), format!("release_gate = \"warn\"\n{SHOP}{more}")).unwrap();
    dir
}

/// Serves such a folder.
pub(crate) async fn serve(more: &str) -> Running {
    serve_folder(folder(more)).await
}

pub(crate) async fn serve_folder(dir: TempDir) -> Running {
    let suite = Arc::new(NoSuite(Ok("cases".to_owned())));
    let options = ServerOptions { listen: Some("127.0.0.1:0".to_owned()), ..ServerOptions::default() };
    let server = Server::open(dir.path(), suite, options).await.unwrap();
    Running::new(dir, server)
}

/// `[model]` of a shop that asks a provider.
pub(crate) fn asks(provider: &str) -> String {
    format!("[model]\nkind = \"openai-compatible\"\nbase_url = \"{provider}\"\nmodel = \"m\"\n")
}

impl Running {
    /// Lets a server run.
    pub(crate) fn new(dir: TempDir, server: Server) -> Self {
        let address = server.address();
        let handle = server.handle();
        let setup = server.setup_link().map(str::to_owned);
        let task = tokio::spawn(server.run());
        Self { dir, address, handle, setup, task }
    }

    pub(crate) fn root(&self) -> &Path {
        self.dir.path()
    }

    /// Ends it, and waits until all is written down.
    pub(crate) async fn stop(self) -> TempDir {
        self.handle.stop();
        tokio::time::timeout(PATIENCE, self.task).await.expect("it ends").unwrap();
        self.dir
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &[("content-type", "application/json")], &body.to_string()).await
    }

    /// A question, answered as JSON.
    pub(crate) async fn ask(&self, question: &str) -> Value {
        self.post("/v1/answers", &json!({"question": question})).await.json()
    }

    pub(crate) async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut open = self.open(method, path, headers, body).await;
        let body = open.rest().await;
        Reply { status: open.status, head: open.head, body }
    }

    /// A request whose reply is read as it comes.
    pub(crate) async fn open(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Open {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: counter\r\nconnection: close\r\n{more}content-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        Open::read(stream).await
    }

    /// A question whose answer is read as events.
    pub(crate) async fn stream(&self, body: &Value) -> Open {
        let headers = [("content-type", "application/json"), ("accept", "text/event-stream")];
        self.open("POST", "/v1/answers", &headers, &body.to_string()).await
    }
}

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }

    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

fn header<'h>(head: &'h [(String, String)], name: &str) -> Option<&'h str> {
    head.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// A reply that is read as it comes.
pub(crate) struct Open {
    pub(crate) status: u16,
    pub(crate) head: Vec<(String, String)>,
    stream: BufReader<TcpStream>,
    chunked: bool,
    text: String,
}

/// An event: its name and its data.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) id: Option<String>,
    pub(crate) data: Value,
}

impl Open {
    async fn read(stream: TcpStream) -> Self {
        let mut stream = BufReader::new(stream);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            tokio::time::timeout(PATIENCE, stream.read_line(&mut line)).await.expect("a head").unwrap();
            if line.trim_end().is_empty() {
                break;
            }
            lines.push(line.trim_end().to_owned());
        }
        let status =
            lines.first().and_then(|line| line.split(' ').nth(1)).map_or(0, |code| code.parse().unwrap());
        let head: Vec<(String, String)> = lines
            .iter()
            .skip(1)
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
            .collect();
        let chunked = header(&head, "transfer-encoding") == Some("chunked");
        Self { status, head, stream, chunked, text: String::new() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }

    /// The next piece of the body; `None` at its end.
    async fn piece(&mut self) -> Option<Vec<u8>> {
        if !self.chunked {
            let mut bytes = Vec::new();
            self.stream.read_to_end(&mut bytes).await.unwrap();
            return (!bytes.is_empty()).then_some(bytes);
        }
        let mut size = String::new();
        if self.stream.read_line(&mut size).await.ok()? == 0 {
            return None;
        }
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        let mut bytes = vec![0; size + 2];
        self.stream.read_exact(&mut bytes).await.ok()?;
        bytes.truncate(size);
        (size > 0).then_some(bytes)
    }

    /// What is left of the body.
    pub(crate) async fn rest(&mut self) -> String {
        let mut text = std::mem::take(&mut self.text);
        let reading = async {
            while let Some(piece) = self.piece().await {
                text.push_str(&String::from_utf8_lossy(&piece));
            }
        };
        tokio::time::timeout(PATIENCE, reading).await.expect("the reply ends");
        text
    }

    /// The next event, comments passed over; `None` at the end.
    pub(crate) async fn event(&mut self) -> Option<Event> {
        loop {
            let block = self.block().await?;
            let field = |name: &str| {
                let mark = format!("{name}: ");
                block.lines().filter_map(|line| line.strip_prefix(&mark)).collect::<Vec<_>>().join("\n")
            };
            if block.lines().all(|line| line.starts_with(':')) {
                continue;
            }
            let id = field("id");
            let data = field("data");
            let data = serde_json::from_str(&data).unwrap_or(Value::String(data));
            return Some(Event { name: field("event"), id: (!id.is_empty()).then_some(id), data });
        }
    }

    /// The next block, a comment too.
    pub(crate) async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let block = block.to_owned();
                self.text = rest.to_owned();
                return Some(block);
            }
            let piece = tokio::time::timeout(PATIENCE, self.piece()).await.expect("an event");
            self.text.push_str(&String::from_utf8_lossy(&piece?));
        }
    }

    /// All events that are left.
    pub(crate) async fn events(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.event().await {
            events.push(event);
        }
        events
    }
}
