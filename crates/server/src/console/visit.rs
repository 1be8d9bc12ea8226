//! Who asks for a page and may see it: the one door of the console.

use std::marker::PhantomData;
use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::extract::{ConnectInfo, Form, FromRequest, FromRequestParts, Query, RawPathParams, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use mostrador_answer::ports::UnixMillis;
use mostrador_language::Lang;
use mostrador_shop::config::ServerConfig;
use mostrador_store::{Action, Operator, Role};
use tokio::time::timeout;

use super::fault::Fault;
use super::shell::{Here, Shell};
use super::{Room, cookies, keys, origin, session};
use crate::app::App;
use crate::caller::address;

/// What a mark of a form is made for.
const FORM: &str = "form";

/// A name with a value, as forms and addresses give them.
type Pairs = Vec<(String, String)>;

/// What the layer around the pages has to know when it words a fault.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    /// The language the console is read in.
    pub(super) lang: Lang,
}

/// Where a visit leaves that for the layer.
#[derive(Debug, Clone, Default)]
pub(super) struct Noted(pub(super) Arc<OnceLock<Read>>);

/// An operator who is signed in.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    /// Who.
    pub(super) operator: Operator,
    /// The name of their session, as their browser knows it.
    token: String,
}

/// A request for a page.
pub(super) struct Visit {
    /// The program.
    pub(super) app: Arc<App>,
    /// What the console remembers.
    pub(super) room: Arc<Room>,
    /// The language it is read in.
    pub(super) lang: Lang,
    /// Where it comes from.
    pub(super) address: String,
    seen: Option<Seen>,
    /// The session that the browser came with, open or not.
    carried: Option<String>,
    /// The cookie that a form is tied to before anybody is signed in, and whether the browser had it.
    form: (String, bool),
    parameters: Pairs,
    query: Pairs,
    fields: Pairs,
}

/// A role that a page asks for at least.
pub(super) trait Least: Send + Sync + 'static {
    /// Which.
    const ROLE: Role;
}

/// Everybody who is signed in.
pub(super) struct Reads;

/// Who acts on conversations, the inbox and cases.
pub(super) struct Acts;

/// Who also has operators and erasure.
pub(super) struct Owns;

impl Least for Reads {
    const ROLE: Role = Role::Viewer;
}

impl Least for Acts {
    const ROLE: Role = Role::Agent;
}

impl Least for Owns {
    const ROLE: Role = Role::Owner;
}

/// A page that an operator of a role reads.
pub(super) struct Signed<R>(Visit, Seen, PhantomData<R>);

/// A form that an operator of a role sent, from a page of this console that was shown to them.
pub(super) struct Posted<R>(Visit, Seen, PhantomData<R>);

/// A page for somebody who need not be signed in.
pub(super) struct Knock(Visit);

/// A form from somebody who need not be signed in, from a page that was shown in the same browser.
pub(super) struct KnockPosted(Visit);

impl Visit {
    async fn of(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Fault> {
        let room = parts.extensions.get::<Arc<Room>>().cloned();
        let room = room.ok_or_else(|| Fault::broken("the console has no room; serve it by its routes"))?;
        let query = Query::<Pairs>::try_from_uri(&parts.uri).map(|Query(pairs)| pairs).unwrap_or_default();
        let lang = spoken(&query, &parts.headers, app);
        if let Some(noted) = parts.extensions.get::<Noted>() {
            // Set once a request: a second visit of it reads the same language.
            let _ = noted.0.set(Read { lang });
        }
        let parameters = RawPathParams::from_request_parts(parts, app).await.map_err(|_| Fault::NotFound)?;
        let parameters = parameters.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let form = match cookies::read(&parts.headers, cookies::FORM) {
            Some(token) => (token.to_owned(), true),
            None => (keys::token()?, false),
        };
        let carried = cookies::read(&parts.headers, cookies::SESSION).map(str::to_owned);
        let active = parts.headers.get("sec-fetch-dest").is_none_or(|destination| destination != "empty");
        let seen = match &carried {
            Some(token) => session::operator(app, token, active)
                .await?
                .map(|operator| Seen { operator, token: token.clone() }),
            None => None,
        };
        let ConnectInfo(peer) = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .ok_or_else(|| Fault::broken("a request came from nowhere; serve the console by `listen`"))?;
        let from = |config: &ServerConfig| address(peer.ip(), &parts.headers, &config.trusted_proxies);
        let address = super::sign_in::household(app.with_config(from)).to_string();
        Ok(Self {
            app: Arc::clone(app),
            room,
            lang,
            address,
            seen,
            carried,
            form,
            parameters,
            query,
            fields: Pairs::new(),
        })
    }

    async fn posted(request: Request, app: &Arc<App>) -> Result<Self, Fault> {
        let (mut parts, body) = request.into_parts();
        let visit = Self::of(&mut parts, app).await?;
        if !origin::is_ours(&parts.headers) {
            return Err(Fault::Foreign);
        }
        let request = Request::from_parts(parts, body);
        let within = Duration::from_secs(app.with_config(|config| config.read_seconds.get()));
        let Form(fields) = timeout(within, Form::<Pairs>::from_request(request, &()))
            .await
            .map_err(|_| Fault::BadForm)?
            .map_err(|_| Fault::BadForm)?;
        Ok(Self { fields, ..visit })
    }

    /// The one place where it is decided who may.
    fn allowed<R: Least>(&self) -> Result<Seen, Fault> {
        let seen = self.seen.as_ref().ok_or(Fault::NotSignedIn)?;
        if seen.operator.role < R::ROLE { Err(Fault::NotAllowed) } else { Ok(seen.clone()) }
    }

    fn is_from(&self, token: &str) -> bool {
        keys::is_marked(self.app.secret(), FORM, &[token], self.field("form"))
    }

    /// What stands in every form: it holds for this session alone, or for this browser where nobody is signed in.
    fn form_mark(&self) -> String {
        let token = self.seen.as_ref().map_or(&self.form.0, |seen| &seen.token);
        keys::mark(self.app.secret(), FORM, &[token])
    }

    /// The cookie to set, where the browser has none yet that a form could be tied to.
    pub(super) fn form_cookie(&self) -> Option<axum::http::HeaderValue> {
        let (token, had) = &self.form;
        (!had).then(|| cookies::set(cookies::FORM, token, None, self.app.secure_cookies())).flatten()
    }

    /// The session that the browser came with, open or not: signing in ends it.
    pub(super) fn carried(&self) -> Option<&str> {
        self.carried.as_deref()
    }

    /// Who is signed in, if anybody is.
    pub(super) fn signed_in(&self) -> Option<&Operator> {
        self.seen.as_ref().map(|seen| &seen.operator)
    }

    /// A text of the form, without the space around it; empty where it has none of that name.
    pub(super) fn field(&self, name: &str) -> &str {
        self.raw_field(name).trim()
    }

    /// A text of the form as it was written: a password may begin with a space.
    pub(super) fn raw_field(&self, name: &str) -> &str {
        found(&self.fields, name).unwrap_or_default()
    }

    /// The lines of a text of the form that are not empty.
    pub(super) fn lines_of(&self, name: &str) -> Vec<String> {
        let lines = self.field(name).lines().map(str::trim);
        lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    /// A value of the address behind its question mark.
    pub(super) fn asked(&self, name: &str) -> Option<&str> {
        found(&self.query, name)
    }

    /// A number of the address behind its question mark; `None` where there is none.
    pub(super) fn asked_number(&self, name: &str) -> Option<i64> {
        self.asked(name).and_then(|number| number.parse().ok())
    }

    /// A part of the address; a name that no record of ours can have is not there.
    ///
    /// # Errors
    /// [`Fault::NotFound`].
    pub(super) fn name(&self, parameter: &str) -> Result<&str, Fault> {
        let name = found(&self.parameters, parameter).ok_or(Fault::NotFound)?;
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if name.is_empty() || name.len() > 128 || !name.bytes().all(fits) {
            return Err(Fault::NotFound);
        }
        Ok(name)
    }

    /// The name of a file in the address: compared with those there are, and never opened.
    pub(super) fn asked_file(&self) -> Option<&str> {
        found(&self.parameters, "file")
    }

    /// A part of the address that is a number.
    ///
    /// # Errors
    /// [`Fault::NotFound`] where it is none.
    pub(super) fn number(&self, parameter: &str) -> Result<i64, Fault> {
        self.name(parameter)?.parse().map_err(|_| Fault::NotFound)
    }

    /// Now.
    pub(super) fn now(&self) -> UnixMillis {
        self.app.clock_now()
    }

    /// What stands around the page.
    pub(super) fn shell(&self, here: Here) -> Shell {
        let shop = self.app.version().shop.config().name.0.clone();
        let role = self.signed_in().map(|operator| operator.role);
        Shell {
            lang: self.lang,
            shop,
            here,
            operator: self.signed_in().map(|operator| operator.name.clone()).unwrap_or_default(),
            acts: role >= Some(Role::Agent),
            owns: role >= Some(Role::Owner),
            form: self.form_mark(),
            note: self.asked("note").map(|note| format!("note_{note}")),
        }
    }
}

fn found<'p>(pairs: &'p Pairs, name: &str) -> Option<&'p str> {
    pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// The language asked for, the one asked for before, or the shop's first; always one the console has texts in.
fn spoken(query: &Pairs, headers: &HeaderMap, app: &App) -> Lang {
    let asked = [found(query, "lang"), cookies::read(headers, cookies::LANGUAGE)];
    let shops = app.version().shop.language();
    let wished = asked.into_iter().flatten().filter_map(|code| code.parse::<Lang>().ok());
    wished.chain([shops]).find(|lang| super::shell::speaks(*lang)).unwrap_or(Lang::EN)
}

macro_rules! door {
    ($name:ident) => {
        impl<R> Deref for $name<R> {
            type Target = Visit;

            fn deref(&self) -> &Visit {
                &self.0
            }
        }

        impl<R: Least> $name<R> {
            /// Who it is.
            pub(super) fn operator(&self) -> &Operator {
                &self.1.operator
            }
        }
    };
}

door!(Signed);
door!(Posted);

impl<R: Least> Posted<R> {
    /// The name of their session, as their browser knows it.
    pub(super) fn token(&self) -> &str {
        &self.1.token
    }

    /// Keeps what the operator did.
    ///
    /// # Errors
    /// [`Fault::Broken`] where it cannot be kept.
    pub(super) async fn log(&self, action: &str, subject: &str, detail: &str) -> Result<(), Fault> {
        let action = Action {
            operator: self.operator().name.clone(),
            action: action.to_owned(),
            subject: subject.to_owned(),
            detail: detail.to_owned(),
            at: self.now(),
        };
        Ok(self.app.store().log_action(&action).await?)
    }
}

impl Deref for Knock {
    type Target = Visit;

    fn deref(&self) -> &Visit {
        &self.0
    }
}

impl Deref for KnockPosted {
    type Target = Visit;

    fn deref(&self) -> &Visit {
        &self.0
    }
}

impl<R: Least> FromRequestParts<Arc<App>> for Signed<R> {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Fault> {
        let visit = Visit::of(parts, app).await?;
        let seen = visit.allowed::<R>()?;
        Ok(Self(visit, seen, PhantomData))
    }
}

impl<R: Least> FromRequest<Arc<App>> for Posted<R> {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Fault> {
        let visit = Visit::posted(request, app).await?;
        let seen = visit.allowed::<R>()?;
        if !visit.is_from(&seen.token) {
            return Err(Fault::Foreign);
        }
        Ok(Self(visit, seen, PhantomData))
    }
}

impl FromRequestParts<Arc<App>> for Knock {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Fault> {
        // Whoever is signed in is not here: a form of this page belongs to the browser.
        Ok(Self(Visit { seen: None, ..Visit::of(parts, app).await? }))
    }
}

impl FromRequest<Arc<App>> for KnockPosted {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Fault> {
        let visit = Visit { seen: None, ..Visit::posted(request, app).await? };
        let (token, had) = &visit.form;
        if !had || !visit.is_from(token) {
            return Err(Fault::Foreign);
        }
        Ok(Self(visit))
    }
}
