//! Why an operator does not get what they asked for, and what they read instead.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mostrador_store::StoreError;

/// Where operators sign in.
pub(super) const SIGN_IN: &str = "/console/sign-in";

/// Why a request is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// Nobody is signed in, or no longer.
    NotSignedIn,
    /// It is not for this role.
    NotAllowed,
    /// The form is not one of ours, or its session is gone.
    Foreign,
    /// Something in the form does not fit.
    BadForm,
    /// There is no such thing.
    NotFound,
    /// A link that was used, has expired or was never made.
    BadLink,
    /// It cannot be done with this part away.
    Away,
    /// Something of ours failed; the log says what.
    Broken,
}

/// A fault on its way to the layer that words it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unworded(pub(super) Fault);

impl Fault {
    /// Something of ours that failed: `detail` goes to the log and to nobody else.
    pub(super) fn broken(detail: impl std::fmt::Display) -> Self {
        tracing::error!(%detail, "the console could not do its work");
        Self::Broken
    }

    /// The status it is answered with.
    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::NotSignedIn => StatusCode::SEE_OTHER,
            Self::NotAllowed | Self::Foreign => StatusCode::FORBIDDEN,
            Self::BadForm => StatusCode::BAD_REQUEST,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::BadLink => StatusCode::GONE,
            Self::Away => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The name of the text that explains it.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::NotSignedIn | Self::NotAllowed => "fault_not_allowed",
            Self::Foreign => "fault_foreign",
            Self::BadForm => "fault_bad_form",
            Self::NotFound => "fault_not_found",
            Self::BadLink => "fault_bad_link",
            Self::Away => "fault_away",
            Self::Broken => "fault_broken",
        }
    }

    /// The fault that a status stands for, where something else than the console answered.
    pub(super) fn of(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => Self::NotFound,
            status if status.is_client_error() => Self::BadForm,
            _ => Self::Broken,
        }
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::broken(error)
    }
}

impl From<askama::Error> for Fault {
    fn from(error: askama::Error) -> Self {
        Self::broken(error)
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        if self == Self::NotSignedIn {
            response.headers_mut().insert(header::LOCATION, HeaderValue::from_static(SIGN_IN));
        } else {
            response.extensions_mut().insert(Unworded(self));
        }
        response
    }
}
