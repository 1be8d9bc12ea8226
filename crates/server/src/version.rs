//! A version of the shop: its files as they were read, over one generation of the index. What did not pass the
//! shop's cases does not become one that is served.

use std::path::Path;
use std::sync::Arc;

use mostrador_answer::engine::Engine;
use mostrador_answer::gate::GateMode;
use mostrador_answer::ports::Timing;
use mostrador_shop::config::ReleaseGate;
use mostrador_shop::release::version;
use mostrador_shop::{Counter, Identity, Keep, Shop};
use mostrador_store::Store;

use crate::error::ServeError;
use crate::suite::Suite;

/// How often a generation may be replaced while a version is opened over it.
const TRIES: usize = 5;

/// What is served until another takes its place. Turns that have begun keep the one they began with.
pub(crate) struct Version {
    pub(crate) shop: Arc<Shop>,
    pub(crate) engine: Arc<Engine>,
    pub(crate) counter: Arc<Counter>,
    pub(crate) identity: Option<Identity>,
    /// The hash of everything an answer depends on.
    pub(crate) hash: String,
    /// A hash of what the passages say.
    pub(crate) corpus: String,
    /// Whether it has passed the shop's cases.
    pub(crate) released: bool,
}

/// What a version is opened with.
pub(crate) struct Opening<'o> {
    pub(crate) root: &'o Path,
    pub(crate) store: &'o Store,
    pub(crate) suite: &'o dyn Suite,
    pub(crate) timing: Arc<dyn Timing>,
    pub(crate) prepare: Arc<dyn Fn(Shop) -> Shop + Send + Sync>,
}

impl Version {
    /// Reads the shop anew and opens it over the generation that is current now.
    pub(crate) async fn open(opening: &Opening<'_>) -> Result<Self, ServeError> {
        let shop = Arc::new((opening.prepare)(Shop::read(opening.root)?));
        if shop.config().gate.mode == GateMode::Off {
            return Err(ServeError::NoGate);
        }
        let suite = opening.suite.written();
        for _ in 0..TRIES {
            let store = opening.store.clone();
            let counter =
                Counter::open_over(Arc::clone(&shop), store, Keep::OnDisk, &mut |_| {}).await?;
            let pinned = counter.pinned(Some(Arc::clone(&opening.timing))).await?;
            let corpus = pinned.snapshot.about().corpus.clone();
            if corpus != counter.index().content {
                continue;
            }
            // A shop without cases has no version that passed them.
            let (hash, released) = match &suite {
                Ok(written) => {
                    let hash = version(&shop, counter.index(), written)?;
                    let released = opening.store.released(&hash).await?;
                    (hash, released)
                }
                Err(_) => (String::new(), false),
            };
            if !released && shop.config().release_gate == ReleaseGate::Refuse {
                return Err(match suite {
                    Err(wrong) => ServeError::Suite(wrong),
                    Ok(_) => ServeError::NotReleased { root: opening.root.display().to_string() },
                });
            }
            let identity = Identity::of(&shop)?;
            let (engine, counter) = (pinned.engine, Arc::new(counter));
            return Ok(Self { shop, engine, counter, identity, hash, corpus, released });
        }
        Err(mostrador_answer::ports::Unavailable::new("index", "it is replaced again and again").into())
    }
}
