//! The files of a snapshot: written once with a checksum, then read at any place.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A finished file, on disk or in memory.
#[derive(Debug)]
pub(crate) enum Bytes {
    File { file: File, length: u64 },
    Memory(Vec<u8>),
}

impl Bytes {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self::File { file, length })
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::File { length, .. } => *length,
            Self::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Fills `into` with what stands at `offset`.
    pub(crate) fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        match self {
            Self::File { file, .. } => read_exact_at(file, offset, into),
            Self::Memory(bytes) => {
                let from = usize::try_from(offset).ok();
                let part = from.and_then(|from| bytes.get(from..from.checked_add(into.len())?));
                into.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }

    pub(crate) fn whole(&self) -> io::Result<Vec<u8>> {
        let length = usize::try_from(self.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut all = vec![0; length];
        self.read_at(0, &mut all)?;
        Ok(all)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, offset: u64, into: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut offset: u64, mut into: &mut [u8]) -> io::Result<()> {
    while !into.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, into, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        offset += read as u64;
        into = into.get_mut(read..).unwrap_or_default();
    }
    Ok(())
}

/// What the manifest says of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sum {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

impl Sum {
    /// Of a file that is there: its size always, its checksum where asked for.
    pub(crate) fn holds(&self, folder: &Path, whole: bool) -> io::Result<bool> {
        let mut file = File::open(folder.join(&self.name))?;
        if file.metadata()?.len() != self.bytes {
            return Ok(false);
        }
        Ok(!whole || checksum(&mut file)? == self.sha256)
    }

    pub(crate) fn of(folder: &Path, name: String) -> io::Result<Self> {
        let mut file = File::open(folder.join(&name))?;
        let bytes = file.metadata()?.len();
        Ok(Self { name, bytes, sha256: checksum(&mut file)? })
    }
}

fn checksum(file: &mut File) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(file, &mut hash)?;
    Ok(hex(&hash.finalize()))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file being written.
#[derive(Debug)]
pub(crate) struct Sink {
    name: &'static str,
    hash: Sha256,
    written: u64,
    to: To,
}

#[derive(Debug)]
enum To {
    File(BufWriter<File>),
    Memory(Vec<u8>),
}

impl Sink {
    /// In a folder, or in memory where there is none.
    pub(crate) fn new(folder: Option<&Path>, name: &'static str) -> io::Result<Self> {
        let to = match folder {
            // Read back where it is finished, so that one handle serves both.
            Some(folder) => To::File(BufWriter::new(
                File::options().create_new(true).read(true).write(true).open(folder.join(name))?,
            )),
            None => To::Memory(Vec::new()),
        };
        Ok(Self { name, hash: Sha256::new(), written: 0, to })
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        match &mut self.to {
            To::File(file) => {
                self.hash.update(bytes);
                file.write_all(bytes)
            }
            To::Memory(memory) => {
                memory.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// Makes it outlive a power cut.
    pub(crate) fn finish(self) -> io::Result<(Bytes, Sum)> {
        let bytes = match self.to {
            To::File(file) => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.sync_all()?;
                Bytes::File { file, length: self.written }
            }
            To::Memory(memory) => Bytes::Memory(memory),
        };
        let sum = Sum { name: self.name.to_owned(), bytes: self.written, sha256: hex(&self.hash.finalize()) };
        Ok((bytes, sum))
    }
}
