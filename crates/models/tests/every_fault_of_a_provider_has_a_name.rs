//! What can go wrong between a provider and us, on both wires: what it is called, whether it may cost, that the
//! connection is let go, and that the key is in no message.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod wires;

use std::time::Duration;

use mostrador_answer::message::{Delta, StopReason};
use mostrador_answer::ports::{Fault, Model as _};
use mostrador_models::{Http, ProviderModel, ProviderSettings, Wire};
use mostrador_testkit::{FakeProvider, FakeReply, FakeUsage, FullHouse, Step, tool};

use wires::{KEY, WIRES, hear, model, question, settings, text};

const SOON: Duration = Duration::from_millis(200);

/// A row of the table.
struct Case {
    fault: Fault,
    charged: bool,
    reply: FakeReply,
    /// Whether the provider still had something to say: then the connection has to be closed from here.
    open: bool,
    /// What was heard before it.
    said: &'static str,
    change: fn(&mut ProviderSettings),
}

fn same(_: &mut ProviderSettings) {}

/// Before a reply began.
fn refused(fault: Fault, reply: FakeReply) -> Case {
    Case { fault, charged: false, reply, open: false, said: "", change: same }
}

/// After it began, and while there was more to come.
fn broken(fault: Fault, steps: Vec<Step>) -> Case {
    let reply = FakeReply::events(steps);
    Case { fault, charged: true, reply, open: true, said: "", change: same }
}

fn bytes(text: &[u8]) -> Step {
    Step::Bytes(text.to_vec())
}

fn say(text: &str) -> Step {
    Step::Text(text.to_owned())
}

/// A piece of text as the wire has it.
fn piece(wire: Wire) -> Vec<u8> {
    let piece = match wire {
        Wire::OpenaiCompatible => r#"{"choices":[{"index":0,"delta":{"content":"x"}}]}"#,
        Wire::Messages => {
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}"#
        }
    };
    format!("data: {piece}\n\n").into_bytes()
}

fn error(wire: Wire, kind: &str) -> Step {
    let error = serde_json::json!({ "type": kind, "message": format!("because of {KEY}") });
    bytes(
        match wire {
            Wire::OpenaiCompatible => format!("data: {}\n\n", serde_json::json!({ "error": error })),
            Wire::Messages => {
                let event = serde_json::json!({ "type": "error", "error": error });
                format!("event: error\ndata: {event}\n\n")
            }
        }
        .as_bytes(),
    )
}

fn statuses() -> Vec<Case> {
    let said = format!(r#"{{"error":{{"message":"no: {KEY}\nis   wrong {}"}}}}"#, "very ".repeat(2000));
    let statuses = [
        (401, Fault::Unauthorised),
        (403, Fault::Unauthorised),
        (404, Fault::NotFound),
        (307, Fault::NotFound),
        (400, Fault::BadRequest),
        (413, Fault::BadRequest),
        (422, Fault::BadRequest),
        (402, Fault::RateLimited),
        (429, Fault::RateLimited),
        (500, Fault::ServerError),
        (503, Fault::ServerError),
        (529, Fault::ServerError),
    ];
    let cases = statuses.iter().map(|(status, fault)| refused(*fault, FakeReply::status(*status, &said)));
    let hangs_up = Case { charged: true, ..refused(Fault::BrokeOff, FakeReply::HangsUp) };
    cases.chain([hangs_up]).collect()
}

fn limits(wire: Wire) -> Vec<Case> {
    let ping = match wire {
        Wire::OpenaiCompatible => b": ping\n\n".to_vec(),
        Wire::Messages => b"event: ping\ndata: {\"type\":\"ping\"}\n\n".to_vec(),
    };
    let first: fn(&mut ProviderSettings) = |settings| settings.limits.first_token = SOON;
    let between: fn(&mut ProviderSettings) = |settings| settings.limits.between_tokens = SOON;
    let call: fn(&mut ProviderSettings) = |settings| {
        settings.limits.call = SOON;
        settings.max_reply_bytes = usize::MAX;
    };
    let whole = |steps| Case {
        reply: FakeReply::whole(steps),
        change: call,
        ..broken(Fault::CallTimeout, Vec::new())
    };
    let silent = |fault, change| Case { reply: FakeReply::Silence, change, ..broken(fault, Vec::new()) };
    let begun = || Step::Begin(FakeUsage::new(10, 1));
    let thinks = || Step::Thinks("hm".to_owned());
    vec![
        silent(Fault::FirstTokenTimeout, first),
        silent(Fault::CallTimeout, call),
        Case {
            change: first,
            ..broken(Fault::FirstTokenTimeout, vec![begun(), thinks(), Step::Ping, Step::Stall])
        },
        Case {
            change: first,
            ..broken(Fault::FirstTokenTimeout, vec![begun(), Step::Repeat(ping.clone(), usize::MAX)])
        },
        Case {
            said: "a",
            change: between,
            ..broken(Fault::Stalled, vec![say("a"), Step::Ping, Step::Stall])
        },
        Case {
            said: "a",
            change: between,
            ..broken(Fault::Stalled, vec![say("a"), Step::Repeat(ping, usize::MAX)])
        },
        Case {
            change: between,
            ..broken(Fault::Stalled, [tool(0, "c", "number", &["{"]), vec![Step::Stall]].concat())
        },
        Case { change: call, ..broken(Fault::CallTimeout, vec![Step::Repeat(piece(wire), usize::MAX)]) },
        whole(vec![Step::Stall]),
    ]
}

fn broken_replies(wire: Wire) -> Vec<Case> {
    let ends = |case: Case| Case { open: false, ..case };
    let small: fn(&mut ProviderSettings) = |settings| settings.max_reply_bytes = 100_000;
    let as_one =
        |text: &[u8]| FakeReply::events(vec![bytes(text)]).header("content-type", "application/json");
    let page = |kind| FakeReply::events(vec![bytes(b"<html></html>")]).header("content-type", kind);
    let megabyte = || vec![b'x'; 1 << 20];
    vec![
        ends(Case { said: "ab", ..broken(Fault::BrokeOff, vec![say("a"), say("b"), Step::Close]) }),
        ends(Case { said: "a", ..broken(Fault::BrokeOff, vec![say("a")]) }),
        ends(Case { said: "a", ..broken(Fault::BrokeOff, vec![say("a"), bytes(b"data: {\"cho")]) }),
        ends(broken(Fault::BrokeOff, vec![])),
        ends(Case { reply: as_one(b""), ..broken(Fault::BrokeOff, vec![]) }),
        Case {
            said: "a",
            ..broken(Fault::NotUtf8, vec![say("a"), bytes(b"data: \xFF\xFE\n\n"), Step::Stall])
        },
        Case {
            said: "a",
            ..broken(Fault::NotJson, vec![say("a"), bytes(b"data: {\"a\":\n\n"), Step::Stall])
        },
        Case {
            said: "a",
            ..broken(Fault::WrongShape, vec![say("a"), bytes(b"data: {\"a\":1}\n\n"), Step::Stall])
        },
        broken(Fault::WrongShape, vec![bytes(b"data: []\n\n"), Step::Stall]),
        ends(Case { reply: as_one(b"{\"a\":1}"), ..broken(Fault::WrongShape, vec![]) }),
        ends(Case { reply: as_one(b"{\"a\":"), ..broken(Fault::NotJson, vec![]) }),
        ends(Case { reply: as_one(b"{\"a\":\"\xFF\"}"), ..broken(Fault::NotUtf8, vec![]) }),
        ends(Case { reply: page("text/html"), ..broken(Fault::NotJson, vec![]) }),
        ends(Case { reply: page(""), ..broken(Fault::NotJson, vec![]) }),
        // A look-up without a name.
        {
            let end = vec![Step::End(StopReason::ToolUse, None)];
            ends(broken(Fault::WrongShape, [tool(0, "c", "", &["{}"]), end].concat()))
        },
        Case {
            change: small,
            ..broken(Fault::TooLong, vec![bytes(b"data: "), Step::Repeat(megabyte(), 1024)])
        },
        Case {
            reply: FakeReply::events(vec![Step::Repeat(megabyte(), 1024)])
                .header("content-type", "application/json"),
            change: small,
            ..broken(Fault::TooLong, vec![])
        },
        Case {
            reply: FakeReply::events(vec![Step::Repeat(vec![b' '; 1 << 20], 1024)])
                .header("content-type", ""),
            change: small,
            ..broken(Fault::TooLong, vec![])
        },
        broken(Fault::ServerError, vec![error(wire, "overloaded_error"), Step::Stall]),
        broken(Fault::RateLimited, vec![error(wire, "rate_limit_error"), Step::Stall]),
        broken(Fault::Unauthorised, vec![error(wire, "authentication_error"), Step::Stall]),
        broken(Fault::BadRequest, vec![error(wire, "invalid_request_error"), Step::Stall]),
    ]
}

async fn holds(wire: Wire, at: usize, case: Case) {
    let provider = FakeProvider::start(vec![case.reply.clone()]).await;
    let mut settings = settings(wire, provider.address());
    (case.change)(&mut settings);
    let (deltas, error) = hear(&model(settings), question("Where is it?")).await;
    let error = error.unwrap_or_else(|| panic!("{wire:?} {at} ({:?}): {deltas:?}", case.fault));
    assert_eq!((error.fault, error.charged), (case.fault, case.charged), "{wire:?} {at}: {error}");
    let said = format!("{error} {error:?}");
    assert!(!said.contains("very-secret") && error.detail.chars().count() <= 500, "{said}");
    assert!(!error.detail.contains('\n') && error.model == "m", "{said}");
    if case.fault != Fault::CallTimeout {
        assert_eq!(text(&deltas), case.said, "{wire:?} {at}: {error}");
    }
    assert!(!deltas.iter().any(|delta| matches!(delta, Delta::End(_))), "{wire:?} {at}");
    if case.open {
        provider.until_left(1).await;
    }
    assert_eq!(provider.heard().len(), 1);
}

#[tokio::test]
async fn a_refusal_by_status_costs_nothing() {
    for wire in WIRES {
        for (at, case) in statuses().into_iter().enumerate() {
            holds(wire, at, case).await;
        }
    }
}

#[tokio::test]
async fn what_takes_too_long_is_ended_and_may_cost() {
    for wire in WIRES {
        for (at, case) in limits(wire).into_iter().enumerate() {
            holds(wire, at, case).await;
        }
    }
}

#[tokio::test]
async fn a_reply_that_cannot_be_read_is_ended_and_may_cost() {
    for wire in WIRES {
        for (at, case) in broken_replies(wire).into_iter().enumerate() {
            holds(wire, at, case).await;
        }
    }
}

#[tokio::test]
async fn no_connection_costs_nothing() {
    let house = FullHouse::start().await;
    let provider = FakeProvider::start(vec![FakeReply::text("never said")]).await;
    let no_host = format!("http://{}.example/", "n".repeat(70));
    for wire in WIRES {
        for (address, fault) in [
            (no_host.clone(), Fault::NoSuchHost),
            (FakeProvider::nobody().await, Fault::Unreachable),
            (house.address().to_owned(), Fault::ConnectTimeout),
            (provider.address().replace("http:", "https:"), Fault::Tls),
        ] {
            let mut settings = settings(wire, &address);
            if fault == Fault::ConnectTimeout {
                settings.limits.connect = SOON;
            }
            // A repeat that would come too late is said, and only where there would be one.
            settings.retries = 1;
            settings.pause = Duration::from_secs(3600);
            let again = matches!(fault, Fault::Unreachable | Fault::ConnectTimeout);
            let (deltas, error) = hear(&model(settings), question("Where is it?")).await;
            let error = error.unwrap();
            assert_eq!((error.fault, error.charged), (fault, false), "{error}");
            assert_eq!(error.detail.contains("would come too late"), again, "{error}");
            assert!(deltas.is_empty() && !error.to_string().contains(KEY), "{error}");
        }
    }
    assert!(provider.heard().is_empty());
}

#[tokio::test]
async fn what_is_not_configured_is_said_at_the_first_call() {
    let provider = FakeProvider::start(vec![FakeReply::text("never said")]).await;
    for wire in WIRES {
        let whole = || settings(wire, provider.address());
        for (settings, says) in [
            (ProviderSettings { base_url: None, ..whole() }, "LLM_BASE_URL=http://127.0.0.1:11434/v1"),
            (ProviderSettings { model: Some(" ".to_owned()), ..whole() }, "LLM_MODEL=qwen3"),
            (ProviderSettings { key: None, ..whole() }, "SHOP_KEY"),
        ] {
            let missing = settings.missing().unwrap();
            let model = model(settings);
            assert!(!model.id().is_empty() && !format!("{model:?}").contains(KEY));
            let error = hear(&model, question("Where is it?")).await.1.unwrap();
            assert_eq!((error.fault, error.charged), (Fault::NotConfigured, false));
            assert!(error.detail.contains(says) && error.detail == missing, "{error}");
        }
        let free = ProviderSettings { key: None, key_env: None, ..whole() };
        assert!(free.missing().is_none());
    }
    assert!(provider.heard().is_empty());
}

#[test]
fn settings_that_can_never_work_are_refused_at_once() {
    for wire in WIRES {
        let whole = || settings(wire, "http://127.0.0.1:1");
        for (settings, says) in [
            (ProviderSettings { base_url: Some("nonsense".to_owned()), ..whole() }, "no address"),
            (ProviderSettings { base_url: Some("http://u:very-secret@h".to_owned()), ..whole() }, "password"),
            (ProviderSettings { temperature: Some("warm".to_owned()), ..whole() }, "no number"),
            (ProviderSettings { key_header: Some("no header".to_owned()), ..whole() }, "header"),
            (ProviderSettings { key: Some("very-secret\n\u{1}".into()), ..whole() }, "SHOP_KEY"),
        ] {
            assert!(!format!("{settings:?}").contains(KEY));
            let error = ProviderModel::new(settings, Http::new()).unwrap_err().to_string();
            assert!(error.contains(says) && !error.contains("very-secret"), "{error}");
        }
    }
}
