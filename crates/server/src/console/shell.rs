//! What stands around every page, and the words on it.

use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use mostrador_answer::ports::UnixMillis;
use mostrador_language::{Lang, Pack, fill, wording};

use super::fault::Fault;
use super::visit::Visit;

/// Which part of the console a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Here {
    /// None of those in the menu.
    Outside,
    /// The inbox and its entries.
    Inbox,
    /// Conversations.
    Conversations,
    /// What was asked, and why it was answered so.
    Turns,
    /// The suite.
    Suite,
    /// Money and stops.
    Spend,
    /// Documents.
    Documents,
    /// What operators did.
    Audit,
    /// Operators.
    Operators,
    /// Erasure.
    Erasure,
    /// One's own password.
    Account,
}

/// An entry of the menu.
pub(super) struct Door {
    /// The name of its text.
    pub(super) text: &'static str,
    /// Where it leads.
    pub(super) path: &'static str,
    /// Whether the page is in it.
    pub(super) here: bool,
}

/// A language that the console can be read in.
pub(super) struct Tongue {
    /// Its code.
    pub(super) code: String,
    /// Its own name for itself.
    pub(super) name: &'static str,
    /// Whether it is read now.
    pub(super) here: bool,
}

/// What every page has.
#[derive(Debug, Clone)]
pub(super) struct Shell {
    /// The language the console is read in.
    pub(super) lang: Lang,
    /// The shop's name.
    pub(super) shop: String,
    /// Which part of the console it is.
    pub(super) here: Here,
    /// Who is signed in; empty: nobody.
    pub(super) operator: String,
    /// Whether they may act.
    pub(super) acts: bool,
    /// Whether they are an owner.
    pub(super) owns: bool,
    /// What stands in every form.
    pub(super) form: String,
    /// The name of a text about what was done before.
    pub(super) note: Option<String>,
}

/// Whether the console has texts in a language.
pub(super) fn speaks(lang: Lang) -> bool {
    !wording::console(lang).is_empty()
}

fn text(lang: Lang, name: &str) -> Option<&'static str> {
    let found = wording::console(lang).get(name).or_else(|| wording::console(Lang::EN).get(name));
    found.map(String::as_str)
}

impl Shell {
    /// A text by its name.
    pub(super) fn t(&self, name: &str) -> &'static str {
        text(self.lang, name).unwrap_or_default()
    }

    /// A text with a value in it.
    pub(super) fn with(&self, name: &str, value_name: &str, value: impl std::fmt::Display) -> String {
        fill(self.t(name), &[(value_name, &value.to_string())])
    }

    /// The text of a name that a record has, such as an ending; the name itself where there is no text.
    pub(super) fn of<'n>(&self, kind: &str, name: &'n str) -> &'n str {
        text(self.lang, &format!("{kind}_{}", name.replace(['-', '.'], "_"))).unwrap_or(name)
    }

    /// The text about what was done before, where there is one.
    pub(super) fn noted(&self) -> Option<&'static str> {
        self.note.as_deref().and_then(|note| text(self.lang, note))
    }

    /// `ltr` or `rtl`.
    pub(super) fn direction(&self) -> &'static str {
        self.t("direction")
    }

    /// Whether somebody is signed in.
    pub(super) fn signed_in(&self) -> bool {
        !self.operator.is_empty()
    }

    /// The menu for this operator.
    pub(super) fn doors(&self) -> Vec<Door> {
        const ALL: [(&str, &str, Here, bool); 9] = [
            ("nav_inbox", "/console/inbox", Here::Inbox, false),
            ("nav_conversations", "/console/conversations", Here::Conversations, false),
            ("nav_turns", "/console/turns", Here::Turns, false),
            ("nav_suite", "/console/suite", Here::Suite, false),
            ("nav_spend", "/console/spend", Here::Spend, false),
            ("nav_documents", "/console/documents", Here::Documents, false),
            ("nav_audit", "/console/audit", Here::Audit, false),
            ("nav_operators", "/console/operators", Here::Operators, true),
            ("nav_erasure", "/console/erasure", Here::Erasure, true),
        ];
        let open = ALL.into_iter().filter(|(.., owners)| self.owns || !owners);
        open.map(|(text, path, here, _)| Door { text, path, here: here == self.here }).collect()
    }

    /// Whether the page is the one about one's own password.
    pub(super) fn is_account(&self) -> bool {
        self.here == Here::Account
    }

    /// The languages the console can be read in.
    pub(super) fn tongues(&self) -> Vec<Tongue> {
        let spoken = Pack::languages().filter(|lang| speaks(*lang));
        let tongue = |lang: Lang| Tongue {
            code: lang.to_string(),
            name: text(lang, "language_name").unwrap_or_default(),
            here: lang == self.lang,
        };
        spoken.map(tongue).collect()
    }
}

/// A moment for people: `2026-07-03 09:30`, in UTC.
pub(super) fn moment(at: UnixMillis) -> String {
    let at = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
    jiff::tz::Offset::UTC.to_datetime(at).strftime("%Y-%m-%d %H:%M").to_string()
}

/// A page as it is sent.
///
/// # Errors
/// [`Fault::Broken`] where it cannot be written.
pub(super) fn page(visit: &Visit, template: &impl askama::Template) -> Result<Response, Fault> {
    let mut response = Html(template.render()?).into_response();
    if let Some(cookie) = visit.form_cookie() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_in_utc() {
        assert_eq!(moment(UnixMillis(951_827_400_000)), "2000-02-29 12:30");
    }

    #[test]
    fn only_owners_see_the_doors_of_owners() {
        let shell = |owns| Shell {
            lang: Lang::EN,
            shop: "Shop".to_owned(),
            here: Here::Inbox,
            operator: "eva".to_owned(),
            acts: true,
            owns,
            form: String::new(),
            note: None,
        };
        assert_eq!(shell(true).doors().len(), 9);
        assert_eq!(shell(false).doors().len(), 7);
        assert!(shell(false).doors().iter().all(|door| !shell(false).t(door.text).is_empty()));
    }
}
