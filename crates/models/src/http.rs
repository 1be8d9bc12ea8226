//! The way out: one client for everything that is asked over HTTP, and what its errors mean.

use std::collections::BTreeMap;
use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mostrador_answer::ports::Fault;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

/// What asks services over HTTP, with one pool of connections for all that share it. Clones share it.
///
/// No redirects are followed and no proxies used. The system's certificates are read before the first `https` call
/// and not earlier.
#[derive(Debug, Clone, Default)]
pub struct Http {
    clients: Arc<Mutex<BTreeMap<(bool, Duration), Client>>>,
}

impl Http {
    /// A way out that nothing has gone yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The client for an address; a connection, TLS included, has to be made within `connect`.
    pub(crate) fn client(&self, url: &Url, connect: Duration) -> Result<Client, String> {
        let secure = url.scheme() == "https";
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&(secure, connect)) {
            return Ok(client.clone());
        }
        let client = Client::builder()
            .tls_backend_preconfigured(tls(secure)?)
            .dns_resolver(Arc::new(SystemNames))
            .redirect(Policy::none())
            .no_proxy()
            .tcp_nodelay(true)
            .connect_timeout(connect)
            .build()
            .map_err(|error| format!("the HTTP client could not be made: {error}"))?;
        clients.insert((secure, connect), client.clone());
        Ok(client)
    }
}

/// TLS with the certificates of the system; none where the address asks for none.
fn tls(secure: bool) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let failed = |error: rustls::Error| {
        format!(
            "the system's certificates cannot be used ({error}); install its package of root certificates"
        )
    };
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(failed)?;
    if !secure {
        return Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth());
    }
    Ok(builder.with_platform_verifier().map_err(failed)?.with_no_client_auth())
}

/// The system's resolver, with an error that can be told from others.
struct SystemNames;

impl Resolve for SystemNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            match tokio::net::lookup_host((name.as_str(), 0)).await {
                Ok(found) => Ok(Box::new(found.collect::<Vec<_>>().into_iter()) as Addrs),
                Err(error) => Err(Box::new(NoAddress(error)) as Box<dyn Error + Send + Sync>),
            }
        })
    }
}

/// A name that has no address.
#[derive(Debug, thiserror::Error)]
#[error("the name has no address: {0}")]
struct NoAddress(io::Error);

/// What kept a request from its answer, before there was one.
pub(crate) fn fault(error: &reqwest::Error) -> Fault {
    if !error.is_connect() {
        return Fault::BrokeOff;
    }
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(now) = cause {
        if now.is::<NoAddress>() {
            return Fault::NoSuchHost;
        }
        let io = now.downcast_ref::<io::Error>();
        // A host that hangs up in the middle of the handshake speaks no TLS.
        if now.is::<rustls::Error>() || io.is_some_and(|io| io.kind() == io::ErrorKind::UnexpectedEof) {
            return Fault::Tls;
        }
        // What is inside an I/O error is not among its sources.
        cause = match io.and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => now.source(),
        };
    }
    if error.is_timeout() { Fault::ConnectTimeout } else { Fault::Unreachable }
}

/// The innermost reason, without the address.
pub(crate) fn cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    if error.is_timeout() { "no answer in time".to_owned() } else { cause.to_string() }
}

/// A pause and up to a half more, so that those who were refused together do not come back together.
pub(crate) fn jittered(pause: Duration) -> Duration {
    let chance = u32::try_from(RandomState::new().hash_one(0_u8) % 512).unwrap_or(0);
    pause.saturating_add(pause.saturating_mul(chance) / 1024)
}
