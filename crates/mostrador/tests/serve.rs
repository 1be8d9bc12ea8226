//! The program serves a shop: it says where, refuses what was not released, ends in order, and is copied while it runs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(unix)]

mod program;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use mostrador_testkit::copy_folder;
use program::{json, run};
use serde_json::Value;

fn tienda() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tienda"), dir.path());
    dir
}

struct Serving {
    child: Child,
    address: String,
}

impl Serving {
    fn start(dir: &Path) -> Self {
        let program = PathBuf::from(assert_cmd::cargo::cargo_bin!("mostrador"));
        let mut child = Command::new(program)
            .arg("serve")
            .arg(dir)
            .args(["--listen", "127.0.0.1:0", "--log-level", "error"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").expect("an address").to_owned();
        Self { child, address }
    }

    fn send(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        let request = format!(
            "{head} HTTP/1.1\r\nhost: counter\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    fn ask(&self, question: &str) -> Value {
        let reply = self.send("POST /v1/answers", &serde_json::json!({"question": question}).to_string());
        let (_, body) = reply.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {reply}"))
    }

    /// Tells it to end, as a service manager does; gives its exit code.
    fn end(mut self) -> Option<i32> {
        let told = Command::new("kill").arg("-TERM").arg(self.child.id().to_string()).status().unwrap();
        assert!(told.success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[test]
fn a_version_is_released_then_served_copied_and_ended_in_order() {
    let dir = tienda();
    let (code, _, stderr) = run(dir.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("mostrador eval"), "{stderr}");
    assert_eq!(run(dir.path(), &["eval"]).0, 0);
    let serving = Serving::start(dir.path());
    let answer = serving.ask("¿Cuánto cuesta el envío a un punto de recogida?");
    assert!(answer["text"].as_str().unwrap().contains("2,95 €"), "{answer}");
    let nothing = serving.ask("¿Alquiláis canoas por horas?");
    assert_eq!(nothing["ending"], "no-evidence");
    let inbox = json(dir.path(), &["inbox"]);
    assert_eq!(inbox[0]["entry"]["conversation"], nothing["conversation"]);
    assert!(serving.send("GET /readyz", "").contains("ready"));
    let copy = dir.path().join("copy.db");
    let (code, stdout, stderr) = run(dir.path(), &["backup", copy.to_str().unwrap()]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("copy.db"));
    assert_eq!(run(dir.path(), &["backup", copy.to_str().unwrap()]).0, 2, "a copy is not written over");
    let conversation = answer["conversation"].as_str().unwrap().to_owned();
    assert_eq!(serving.end(), Some(0));
    let held = std::fs::read(&copy).unwrap();
    assert!(held.windows(conversation.len()).any(|window| window == conversation.as_bytes()));
    let (code, stdout, _) = run(dir.path(), &["erase", "--conversation", &conversation]);
    assert_eq!((code, stdout.as_str()), (0, "erased: 1 conversation\n"));
    assert_eq!(run(dir.path(), &["erase", "--conversation", &conversation]).0, 2);
}

#[test]
fn a_wrong_key_or_address_is_named() {
    let dir = tienda();
    let file = dir.path().join("shop.toml");
    let config = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{config}\n[server]\nlisten_on = \"x\"\n")).unwrap();
    let (code, _, stderr) = run(dir.path(), &["serve"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("listen_on") && stderr.contains("did you mean `listen`"), "{stderr}");
    std::fs::write(&file, format!("release_gate = \"warn\"\n{config}")).unwrap();
    let (code, _, stderr) = run(dir.path(), &["serve", "--listen", "nowhere:x"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("is no address to listen on"), "{stderr}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, _, stderr) = run(dir.path(), &["serve", "--listen", &address]);
    assert_eq!(code, 2);
    assert!(stderr.contains("cannot be listened on") && stderr.matches("os error").count() == 1, "{stderr}");
    let (code, _, stderr) = run(&dir.path().join("documents"), &["serve"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("is no shop folder"), "{stderr}");
    assert!(!dir.path().join("documents/state").exists(), "nothing is made there");
}
