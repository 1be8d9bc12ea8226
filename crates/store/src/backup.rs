//! A copy of the database, made while others write.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::Path;

use sqlx::{ConnectOptions, Connection};

use crate::{Store, StoreError};

impl Store {
    /// Writes a copy of everything that is committed when it begins to `to`, whole or not at all: until it is whole it
    /// lies beside it under a name that ends in `.part`. Nobody waits for it. On Unix nobody else may read it, since it
    /// has the hashes of passwords.
    ///
    /// # Errors
    /// [`StoreError::BackupThere`] where there is something at `to`, [`StoreError::Backup`] where the file cannot be
    /// made, and where the database cannot be read. Nothing is left behind then.
    pub async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        if to.symlink_metadata().is_ok() {
            return Err(StoreError::BackupThere(to.to_owned()));
        }
        let mut part = to.as_os_str().to_owned();
        part.push(".part");
        let part = Path::new(&part);
        let done = self.copied(to, part).await;
        if done.is_err() {
            // What went wrong before says more than that it could not be tidied.
            let _ = std::fs::remove_file(part);
        }
        done
    }

    async fn copied(&self, to: &Path, part: &Path) -> Result<(), StoreError> {
        let file = |source| StoreError::Backup { file: to.to_owned(), source };
        // Left by a backup that was killed.
        if part.symlink_metadata().is_ok() {
            std::fs::remove_file(part).map_err(file)?;
        }
        let Some(name) = part.to_str() else {
            return Err(file(std::io::Error::other("its name is not UTF-8")));
        };
        // The database fills a file that is there if it is empty, so that nobody else can ever read it.
        new_file(part).map_err(file)?;
        let copy = sqlx::query("VACUUM INTO ?1").bind(name.to_owned());
        let fault = |error| self.fault(error);
        match self.beside() {
            // A connection of its own, so that neither who reads nor who writes waits for it.
            Some(options) => {
                let mut connection = options.connect().await.map_err(fault)?;
                copy.execute(&mut connection).await.map_err(fault)?;
                connection.close().await.map_err(fault)?;
            }
            None => {
                copy.execute(self.writer()).await.map_err(fault)?;
            }
        }
        // Opened to write: some systems put nothing on the disk through a file that is only read.
        OpenOptions::new().write(true).open(part).and_then(|copy| copy.sync_all()).map_err(file)?;
        // The name is claimed before it is taken: a file that came meanwhile stays. Not by a link, which not every
        // file system has.
        new_file(to).map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => StoreError::BackupThere(to.to_owned()),
            _ => file(source),
        })?;
        std::fs::rename(part, to).map_err(|source| {
            let _ = std::fs::remove_file(to);
            file(source)
        })
    }
}

/// An empty file that was not there before, for its owner alone.
fn new_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
