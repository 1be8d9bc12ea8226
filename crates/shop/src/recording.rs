//! A recording under way: the shop's engine over a model whose replies are kept in a file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mostrador_answer::engine::Engine;
use mostrador_answer::ports::{Clock, Model};
use mostrador_models::Recorder;

use crate::error::ShopError;

/// Replies are written to a file beside the real one, which is replaced when all were heard.
pub struct Recording {
    engine: Arc<Engine>,
    part: PathBuf,
    file: PathBuf,
}

/// The recorder of `model` into the file that is not yet the recording, with that file's path.
pub(crate) fn recorder(
    model: Arc<dyn Model>,
    temperature: Option<&str>,
    file: &Path,
    clock: Arc<dyn Clock>,
) -> Result<(Recorder, PathBuf), ShopError> {
    let unwritable = |source| ShopError::Unwritable { file: file.to_owned(), source };
    let folder = file.parent().unwrap_or(file);
    std::fs::create_dir_all(folder).map_err(unwritable)?;
    // Not *.jsonl: what is not whole is not replayed.
    let part = file.with_extension("part");
    match std::fs::remove_file(&part) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(unwritable(error)),
        _ => {}
    }
    Ok((Recorder::new(model, temperature, part.clone(), clock), part))
}

impl Recording {
    pub(crate) fn new(engine: Arc<Engine>, part: PathBuf, file: PathBuf) -> Self {
        Self { engine, part, file }
    }

    /// The engine whose model is recorded.
    #[must_use]
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Puts what was recorded in place of the file, and gives the number of exchanges. Where there is none, the file
    /// stays as it was.
    ///
    /// # Errors
    /// [`ShopError`] where the file cannot be replaced.
    pub fn keep(self) -> Result<usize, ShopError> {
        let unwritable = |source| ShopError::Unwritable { file: self.file.clone(), source };
        let written = match std::fs::read_to_string(&self.part) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            written => written.map_err(unwritable)?,
        };
        std::fs::rename(&self.part, &self.file).map_err(unwritable)?;
        Ok(written.lines().count())
    }

    /// Leaves the file as it was.
    ///
    /// # Errors
    /// [`ShopError`] where what was recorded so far cannot be removed.
    pub fn discard(self) -> Result<(), ShopError> {
        match std::fs::remove_file(&self.part) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(ShopError::Unwritable { file: self.part, source: error })
            }
            _ => Ok(()),
        }
    }
}
