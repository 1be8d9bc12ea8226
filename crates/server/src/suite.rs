//! The shop's cases, as far as the server needs them: whoever starts it brings what runs them.

use std::path::PathBuf;

use async_trait::async_trait;

/// What a run of the suite came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteReport {
    /// The report, as `mostrador eval` prints it.
    pub text: String,
    /// Whether this version may go out.
    pub released: bool,
    /// Cases that passed.
    pub passed: usize,
    /// Cases there are.
    pub total: usize,
}

/// A case that an operator makes of a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaseDraft {
    /// The customer's words.
    pub question: String,
    /// The customer who asks, where it matters and an operator wants their identifier in the file.
    pub customer: Option<String>,
    /// How the turn must end.
    pub ending: String,
    /// What the answer must say.
    pub must_say: Vec<String>,
    /// What it must not say.
    pub must_not_say: Vec<String>,
    /// The passages it must cite.
    pub sources: Vec<String>,
}

/// The shop's own test suite.
#[async_trait]
pub trait Suite: Send + Sync {
    /// The cases as they are written, for the hash of a version.
    ///
    /// # Errors
    /// What is wrong with them, for the operator.
    fn written(&self) -> Result<String, String>;

    /// Runs it over the shop as its files are now, and records the version where it may go out.
    ///
    /// # Errors
    /// What kept it from running, for the operator.
    async fn run(&self) -> Result<SuiteReport, String>;

    /// Writes a draft into `cases/drafts/`, as a file of its own; gives the file, and never writes over one. Drafts do
    /// not belong to the suite: what a click makes changes no version.
    ///
    /// # Errors
    /// What is wrong with it, for the operator.
    fn write_case(&self, name: &str, case: &CaseDraft) -> Result<PathBuf, String>;
}
