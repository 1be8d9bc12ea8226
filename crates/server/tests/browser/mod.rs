//! A browser without scripts: it keeps cookies, and sends the forms it was shown.
#![allow(dead_code, reason = "each test file uses its part of it")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use mostrador_server::{CaseDraft, Server, ServerOptions, Suite, SuiteReport};
use mostrador_shop::counter::database;
use mostrador_store::{Store, StoreOptions};
use tempfile::TempDir;

use crate::common::{Reply, Running, folder, serve};

pub(crate) const PASSWORD: &str = "correct horse battery";

/// What a browser says of a form sent from the page it was shown on.
pub(crate) const OURS: (&str, &str) = ("sec-fetch-site", "same-origin");

pub(crate) struct Browser<'s> {
    server: &'s Running,
    pub(crate) cookies: BTreeMap<String, String>,
    /// What stood in the forms of the last page.
    pub(crate) form: String,
}

/// The text between two others, the first time.
#[track_caller]
pub(crate) fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let found = text.split_once(before).and_then(|(_, rest)| rest.split_once(after));
    found.unwrap_or_else(|| panic!("no {before:?} in {text}")).0
}

pub(crate) fn encoded(fields: &[(&str, &str)]) -> String {
    let pairs = fields.iter().map(|(name, value)| format!("{name}={}", percent(value)));
    pairs.collect::<Vec<_>>().join("&")
}

fn percent(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

impl<'s> Browser<'s> {
    pub(crate) fn new(server: &'s Running) -> Self {
        Self { server, cookies: BTreeMap::new(), form: String::new() }
    }

    /// Becomes the first owner by the link of the first run.
    pub(crate) async fn owner(server: &'s Running) -> Self {
        let mut browser = Self::new(server);
        let link = path_of(server.setup.as_deref().expect("a link"));
        browser.get(&link).await;
        let reply = browser.post(&link, &arriving("olga")).await;
        assert_eq!((reply.status, reply.header("location")), (303, Some("/console/inbox")), "{}", reply.body);
        browser
    }

    /// Invites somebody, who comes.
    pub(crate) async fn invite(&mut self, role: &str, name: &str) -> Browser<'s> {
        self.get("/console/operators").await;
        let reply = self.post("/console/operators", &[("role", role)]).await;
        let link =
            format!("/console/invitations/{}", between(&reply.body, "href=\"/console/invitations/", "\""));
        let mut browser = Browser::new(self.server);
        browser.get(&link).await;
        let reply = browser.post(&link, &arriving(name)).await;
        assert_eq!(reply.status, 303, "{}", reply.body);
        browser
    }

    pub(crate) async fn sign_in(server: &'s Running, name: &str, password: &str) -> (Self, Reply) {
        let mut browser = Self::new(server);
        browser.get("/console/sign-in").await;
        let reply = browser.post("/console/sign-in", &[("name", name), ("password", password)]).await;
        (browser, reply)
    }

    pub(crate) async fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, &[], "").await
    }

    /// A page that must be there.
    #[track_caller]
    pub(crate) fn shown(&mut self, path: &str) -> impl Future<Output = String> {
        let path = path.to_owned();
        async move {
            let reply = self.get(&path).await;
            assert_eq!(reply.status, 200, "{path}: {}", reply.body);
            reply.body
        }
    }

    /// Sends a form of the last page.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let form = self.form.clone();
        let fields: Vec<(&str, &str)> =
            [("form", form.as_str())].into_iter().chain(fields.iter().copied()).collect();
        self.send("POST", path, &[OURS], &encoded(&fields)).await
    }

    pub(crate) async fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let cookies = cookies.join("; ");
        let mut all = vec![("cookie", cookies.as_str())];
        if method == "POST" && headers.iter().all(|(name, _)| *name != "content-type") {
            all.push(("content-type", "application/x-www-form-urlencoded"));
        }
        all.extend_from_slice(headers);
        let reply = self.server.send(method, path, &all, body).await;
        for (_, line) in reply.head.iter().filter(|(name, _)| name == "set-cookie") {
            let (name, value) =
                line.split_once(';').map_or(line.as_str(), |(pair, _)| pair).split_once('=').unwrap();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        if let Some((_, rest)) = reply.body.split_once("name=\"form\" value=\"") {
            self.form = rest.split('"').next().unwrap_or_default().to_owned();
        }
        reply
    }
}

/// What somebody writes who becomes an operator.
pub(crate) fn arriving(name: &str) -> [(&str, &str); 3] {
    [("name", name), ("password", PASSWORD), ("again", PASSWORD)]
}

/// The path of an address.
pub(crate) fn path_of(link: &str) -> String {
    let (_, rest) = link.split_once("://").unwrap();
    format!("/{}", rest.split_once('/').unwrap().1)
}

/// The store of a server that runs.
pub(crate) async fn store(server: &Running) -> Store {
    Store::open(&database(server.root()), StoreOptions::default()).await.unwrap()
}

/// A suite that writes what it is given.
pub(crate) struct Files(pub(crate) PathBuf);

#[async_trait]
impl Suite for Files {
    fn written(&self) -> Result<String, String> {
        Ok("cases".to_owned())
    }

    async fn run(&self) -> Result<SuiteReport, String> {
        Ok(SuiteReport { text: "Passed: 3 of 4 <b>".to_owned(), released: false, passed: 3, total: 4 })
    }

    fn write_case(&self, name: &str, case: &CaseDraft) -> Result<PathBuf, String> {
        let folder = self.0.join("cases/drafts");
        let file = folder.join(format!("{name}.yaml"));
        if file.exists() {
            return Err(format!("{name} is there already"));
        }
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(&file, format!("{case:#?}\n")).unwrap();
        Ok(file)
    }
}

/// Serves a shop whose suite writes files.
pub(crate) async fn serve_with_cases(more: &str) -> Running {
    let dir: TempDir = folder(more);
    let suite = Arc::new(Files(dir.path().to_owned()));
    let options = ServerOptions { listen: Some("127.0.0.1:0".to_owned()), ..ServerOptions::default() };
    let server = Server::open(dir.path(), suite, options).await.unwrap();
    Running::new(dir, server)
}

/// A server and its first owner's link, with nothing else in it.
pub(crate) async fn fresh() -> Running {
    serve("").await
}
