//! Records what a model says, so that it can be said again without it.

use std::path::PathBuf;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use mostrador_answer::message::{Delta, Request};
use mostrador_answer::ports::{Clock, Fault, Model, ModelError};

use crate::cassette::{Piece, Recording, Speaker, append};

/// Passes the calls on to a model, and appends each whole reply to a file as one line.
///
/// A line holds the request, the reply piece by piece, who said it, and a hash by which a
/// [`RecordedModel`](crate::RecordedModel) finds it. Keys are not part of a request, so that none is in it. A reply that
/// fails, or that nobody hears to its end, is not recorded.
#[derive(Clone)]
pub struct Recorder(Arc<Tape>);

struct Tape {
    model: Arc<dyn Model>,
    speaker: Speaker,
    file: PathBuf,
    clock: Arc<dyn Clock>,
}

impl Recorder {
    /// Records `model`, which is asked at `temperature`, into `file`, which need not exist yet.
    #[must_use]
    pub fn new(
        model: Arc<dyn Model>,
        temperature: Option<&str>,
        file: PathBuf,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let speaker = Speaker { model: model.id(), temperature: temperature.map(str::to_owned) };
        Self(Arc::new(Tape { model, speaker, file, clock }))
    }
}

impl Model for Recorder {
    /// The recorded model's.
    fn id(&self) -> String {
        self.0.speaker.model.clone()
    }

    fn counts_tokens(&self) -> bool {
        self.0.model.counts_tokens()
    }

    fn stream(&self, request: Arc<Request>) -> BoxStream<'static, Result<Delta, ModelError>> {
        let now = self.0.model.stream(Arc::clone(&request));
        let state = (now, Vec::new(), Arc::clone(&self.0), request);
        let pieces = stream::unfold(state, |(mut now, mut pieces, tape, request)| async move {
            let said = now.next().await?;
            if let Ok(delta) = &said {
                pieces.push(Piece::from(delta));
            }
            let said = match said {
                Ok(Delta::End(reason)) => {
                    let kept = tape.keep(&request, std::mem::take(&mut pieces));
                    kept.map(|()| Delta::End(reason))
                }
                other => other,
            };
            Some((said, (now, pieces, tape, request)))
        });
        pieces.boxed()
    }
}

impl Tape {
    fn keep(&self, request: &Request, pieces: Vec<Piece>) -> Result<(), ModelError> {
        let date = self.clock.now().day();
        let counts = self.model.counts_tokens();
        let recording = Recording::new(request, &self.speaker, counts, date, pieces);
        let written = recording.map_err(std::io::Error::from).and_then(|line| append(&self.file, &line));
        written.map_err(|error| ModelError {
            model: self.speaker.model.clone(),
            fault: Fault::NotRecorded,
            detail: format!(
                "the reply could not be recorded in {} ({error}); make room or correct the path",
                self.file.display()
            ),
            charged: true,
        })
    }
}
