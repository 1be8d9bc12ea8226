//! What can be wrong with how a provider is configured, found before anything is called.

/// A provider that cannot be asked as it is configured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The address is none.
    #[error("{url:?} is no address of a model; write one such as \"http://127.0.0.1:11434/v1\"")]
    Address {
        /// What was written.
        url: String,
    },
    /// The address holds what may be a secret.
    #[error(
        "`base_url` holds a user name, a password or a `?`; name the key's environment variable as `api_key_env` \
         instead (only `?api-version=VERSION` behind `/openai/deployments/NAME` may stay)"
    )]
    SecretInAddress,
    /// The temperature is no number.
    #[error(
        "the temperature {text:?} is no number; write one such as \"0.2\" as `temperature` or in LLM_TEMPERATURE"
    )]
    Temperature {
        /// What was written.
        text: String,
    },
    /// The header for the key is none.
    #[error("{name:?} is no name of a header; write one such as \"api-key\"")]
    KeyHeader {
        /// What was written.
        name: String,
    },
    /// The key cannot be sent.
    #[error("the key in {variable} has a character that no header can carry; set it again")]
    Key {
        /// The environment variable.
        variable: String,
    },
}
