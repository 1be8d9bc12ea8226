//! A copy of the database, made while others write.

use std::path::Path;

use sqlx::{ConnectOptions, Connection};

use crate::{Store, StoreError};

impl Store {
    /// Writes a copy of everything that is committed when it begins to `to`, whole or not at all: until it is whole it
    /// lies beside it under a name that ends in `.part`. Nobody waits for it.
    ///
    /// # Errors
    /// [`StoreError::BackupThere`] where there is something at `to`, [`StoreError::Backup`] where the file cannot be
    /// made, and where the database cannot be read.
    pub async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        if to.symlink_metadata().is_ok() {
            return Err(StoreError::BackupThere(to.to_owned()));
        }
        let file = |source| StoreError::Backup { file: to.to_owned(), source };
        let mut part = to.as_os_str().to_owned();
        part.push(".part");
        let part = Path::new(&part);
        // Left by a backup that was killed.
        if part.symlink_metadata().is_ok() {
            std::fs::remove_file(part).map_err(file)?;
        }
        let Some(name) = part.to_str() else {
            return Err(file(std::io::Error::other("its name is not UTF-8")));
        };
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
        std::fs::File::open(part).and_then(|copy| copy.sync_all()).map_err(file)?;
        // A link, not a new name: it never takes the place of a file that came meanwhile.
        std::fs::hard_link(part, to).map_err(file)?;
        std::fs::remove_file(part).map_err(file)
    }
}
