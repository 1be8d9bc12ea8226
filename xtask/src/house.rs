//! The house: the workspace that is checked, its files, and what a check says about them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

/// Something a check found: where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// The file, relative to the root, with `/` between folders.
    pub(crate) file: String,
    /// The line, from 1.
    pub(crate) line: usize,
    /// What is wrong and what to do.
    pub(crate) message: String,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// The workspace as cargo sees it.
pub(crate) struct House {
    /// The folder with the root `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// What `cargo metadata --no-deps` says.
    pub(crate) metadata: Value,
}

impl House {
    /// The workspace around the current folder.
    ///
    /// # Errors
    /// When cargo cannot be run, or says that there is no workspace here.
    pub(crate) fn here() -> anyhow::Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .output()
            .context("cargo metadata cannot be run; is the Rust toolchain on the path?")?;
        if !output.status.success() {
            anyhow::bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")?;
        let root = metadata
            .get("workspace_root")
            .and_then(Value::as_str)
            .context("cargo metadata names no workspace_root")?;
        Ok(Self { root: PathBuf::from(root), metadata })
    }
}

/// A text file of the house.
pub(crate) struct File {
    /// Relative to the root, with `/` between folders.
    pub(crate) name: String,
    /// All of it.
    pub(crate) text: String,
}

impl File {
    /// A finding in this file.
    pub(crate) fn finding(&self, line: usize, message: impl Into<String>) -> Finding {
        Finding { file: self.name.clone(), line, message: message.into() }
    }
}

/// The Rust files below these folders of every crate and of `xtask` (such as `src`), sorted by name.
/// A folder that is not there has no files.
///
/// # Errors
/// When a folder or file cannot be read, or is not UTF-8; the error names it.
pub(crate) fn rust_files(root: &Path, folders: &[&str]) -> anyhow::Result<Vec<File>> {
    let mut crates = folders_in(&root.join("crates"))?;
    crates.push(root.join("xtask"));
    let mut paths = Vec::new();
    for home in crates {
        for folder in folders {
            collect(&home.join(folder), "rs", &mut paths)?;
        }
    }
    read(root, paths)
}

/// The Markdown files of the root and all those below `docs/`, sorted by name.
///
/// # Errors
/// As [`rust_files`].
pub(crate) fn markdown_files(root: &Path) -> anyhow::Result<Vec<File>> {
    let mut paths: Vec<PathBuf> =
        entries(root)?.into_iter().filter(|path| path.is_file() && has_ending(path, "md")).collect();
    collect(&root.join("docs"), "md", &mut paths)?;
    read(root, paths)
}

/// The TOML files right in the folders of `packs/`, sorted by name. Without that folder there are none.
///
/// # Errors
/// As [`rust_files`].
pub(crate) fn pack_files(root: &Path) -> anyhow::Result<Vec<File>> {
    let mut paths = Vec::new();
    for pack in folders_in(&root.join("packs"))? {
        paths.extend(entries(&pack)?.into_iter().filter(|path| path.is_file() && has_ending(path, "toml")));
    }
    read(root, paths)
}

fn read(root: &Path, mut paths: Vec<PathBuf>) -> anyhow::Result<Vec<File>> {
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("{} cannot be read as UTF-8 text", path.display()))?;
            Ok(File { name: name_below(root, &path), text })
        })
        .collect()
}

/// The path below the root, with `/` between folders; a path elsewhere stays whole.
pub(crate) fn name_below(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    below.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn collect(folder: &Path, ending: &str, into: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for path in entries(folder)? {
        // A link to a folder may lead in a circle.
        if path.is_dir() && !path.is_symlink() {
            collect(&path, ending, into)?;
        } else if path.is_file() && has_ending(&path, ending) {
            into.push(path);
        }
    }
    Ok(())
}

fn folders_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    Ok(entries(folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let list = || -> std::io::Result<Vec<PathBuf>> {
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    list().with_context(|| format!("{} cannot be listed", folder.display()))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|own| own == ending)
}

/// A small house for the tests of the checks: files by name, in a folder that goes away.
#[cfg(test)]
pub(crate) fn built(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[File]) -> Vec<&str> {
        files.iter().map(|file| file.name.as_str()).collect()
    }

    #[test]
    fn rust_files_are_those_of_the_folders_asked_for_at_any_depth() {
        let house = built(&[
            ("crates/b/src/lib.rs", ""),
            ("crates/a/src/deep/er.rs", ""),
            ("crates/a/src/words.toml", ""),
            ("crates/a/tests/story.rs", ""),
            ("xtask/src/main.rs", ""),
            ("elsewhere/src/lib.rs", ""),
        ]);
        let sources = rust_files(house.path(), &["src"]).unwrap();
        assert_eq!(names(&sources), ["crates/a/src/deep/er.rs", "crates/b/src/lib.rs", "xtask/src/main.rs"]);
        let tests = rust_files(house.path(), &["tests", "benches"]).unwrap();
        assert_eq!(names(&tests), ["crates/a/tests/story.rs"]);
    }

    #[test]
    fn markdown_files_are_those_of_the_root_and_of_docs() {
        let house = built(&[("README.md", ""), ("docs/a/b.md", ""), ("crates/a/notes.md", "")]);
        assert_eq!(names(&markdown_files(house.path()).unwrap()), ["README.md", "docs/a/b.md"]);
    }

    #[test]
    fn a_file_that_is_not_text_is_named() {
        let house = built(&[]);
        std::fs::create_dir_all(house.path().join("crates/a/src")).unwrap();
        std::fs::write(house.path().join("crates/a/src/lib.rs"), [0xff, 0xfe]).unwrap();
        let error = rust_files(house.path(), &["src"]).err().unwrap();
        assert!(error.to_string().contains("lib.rs cannot be read as UTF-8"), "{error}");
    }
}
