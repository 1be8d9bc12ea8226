//! Erasure: all that a signed customer said, on their wish. For owners.

use askama::Template;
use axum::response::Response;
use mostrador_answer::question::CustomerId;
use mostrador_store::Forgotten;

use super::fault::Fault;
use super::shell::{Here, Shell, page};
use super::visit::{Owns, Posted, Signed};

#[derive(Template)]
#[template(path = "erasure.html")]
struct ErasurePage {
    page: Shell,
    /// What was erased: conversations, turns, entries of the inbox, stops.
    done: Option<[String; 4]>,
    fault: Option<&'static str>,
}

/// The form.
pub(super) async fn show(visit: Signed<Owns>) -> Result<Response, Fault> {
    page(&visit, &ErasurePage { page: visit.shell(Here::Erasure), done: None, fault: None })
}

/// Erases.
pub(super) async fn erase(visit: Posted<Owns>) -> Result<Response, Fault> {
    let customer = visit.field("customer");
    let again = |fault| {
        page(&visit, &ErasurePage { page: visit.shell(Here::Erasure), done: None, fault: Some(fault) })
    };
    if customer.is_empty() {
        return again("customer_unfit");
    }
    if visit.field("sure") != "yes" {
        return again("not_sure");
    }
    let customer = CustomerId(customer.to_owned());
    // Before the store: an answer under way writes nothing behind it.
    visit.app.desk().forget_customer(&customer);
    let gone = visit.app.store().erase_customer(&customer).await?;
    gone.erased.iter().for_each(|conversation| visit.app.desk().forget(conversation));
    tell_lingering(&gone);
    // The log says that it was done, not for whom: the name of a customer is what was to be forgotten.
    visit.log("customer.erased", "", &format!("{}", gone.conversations)).await?;
    let done = [
        gone.conversations.to_string(),
        gone.turns.to_string(),
        gone.entries.to_string(),
        gone.stops.to_string(),
    ];
    page(&visit, &ErasurePage { page: visit.shell(Here::Erasure), done: Some(done), fault: None })
}

/// Tells whoever runs the program that the bytes are not gone yet; for the customer's words it makes no difference.
pub(super) fn tell_lingering(gone: &Forgotten) {
    if gone.lingers {
        tracing::warn!("what was erased may stand in the write-ahead log until something is erased again");
    }
}
