//! Requests and replies of both wires: what is sent, what is made of what comes back, and when nothing is sent again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod wires;

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use mostrador_answer::message::{
    Block, Delta, LookupSpec, Message, Outcome, Parameter, Request, Role, StopReason, ToolResult, ToolUse,
};
use mostrador_answer::money::{Reported, Usage};
use mostrador_answer::passage::Trust;
use mostrador_answer::ports::{Fault, Model};
use mostrador_models::{ProviderSettings, Wire};
use mostrador_testkit::{FakeProvider, FakeReply, FakeUsage, Step, tool};
use serde_json::{Value, json};

use wires::{KEY, WIRES, hear, model, question, settings, text};

fn use_of(id: &str, name: &str, input: &Value) -> ToolUse {
    ToolUse { id: id.to_owned(), name: name.to_owned(), input: input.as_object().unwrap().clone() }
}

/// A second call of a turn: two look-ups were asked for, one found something.
fn second() -> Request {
    let mut request = question("Where is 42?");
    let calls =
        [use_of("a", "number", &json!({"value": "42"})), use_of("b", "number", &json!({"value": "7"}))];
    let result = |id: &str, content: &str, outcome| {
        Block::ToolResult(ToolResult { tool_use_id: id.to_owned(), content: content.to_owned(), outcome })
    };
    let results = vec![result("a", "42 is yours", Outcome::Found), result("b", "none", Outcome::NotFound)];
    let said = [Block::Text("I look.".to_owned())];
    let asked = said.into_iter().chain(calls.map(Block::ToolUse)).collect();
    request.messages.push(Message { role: Role::Assistant, content: asked });
    request.messages.push(Message { role: Role::User, content: results });
    request.tools = vec![LookupSpec {
        name: "number".to_owned(),
        description: "Finds a number.".to_owned(),
        parameters: vec![Parameter { name: "value".to_owned(), pattern: None }],
        schema: None,
        needs_customer: true,
        trust: Trust::Shop,
        timeout: Duration::from_secs(1),
    }];
    request
}

/// What the provider was asked, where it is asked like this.
async fn sent(request: Request, settings: impl FnOnce(&str) -> ProviderSettings) -> mostrador_testkit::Heard {
    let provider = FakeProvider::start(vec![FakeReply::text("Yes.")]).await;
    let (deltas, error) = hear(&model(settings(provider.address())), request).await;
    assert_eq!((text(&deltas).as_str(), error), ("Yes.", None));
    provider.heard().remove(0)
}

#[tokio::test]
async fn chat_completions_get_the_whole_exchange() {
    let heard = sent(second(), |address| settings(Wire::OpenaiCompatible, address)).await;
    assert_eq!(heard.path, "/v1/chat/completions");
    assert_eq!(heard.headers["authorization"], format!("Bearer {KEY}"));
    let call = |id: &str, value: &str| {
        let arguments = json!({ "value": value }).to_string();
        json!({ "id": id, "type": "function", "function": { "name": "number", "arguments": arguments } })
    };
    let parameters = json!({
        "type": "object", "properties": { "value": { "type": "string" } },
        "required": ["value"], "additionalProperties": false,
    });
    let function = json!({ "name": "number", "description": "Finds a number.", "parameters": parameters });
    assert_eq!(
        heard.body,
        json!({
            "model": "m",
            "messages": [
                { "role": "system", "content": "Answer from the documents." },
                { "role": "user", "content": "Where is 42?" },
                { "role": "assistant", "content": "I look.", "tool_calls": [call("a", "42"), call("b", "7")] },
                { "role": "tool", "tool_call_id": "a", "content": "42 is yours" },
                { "role": "tool", "tool_call_id": "b", "content": "error: none" },
            ],
            "max_tokens": 300,
            "stream": true,
            "stream_options": { "include_usage": true },
            "tools": [{ "type": "function", "function": function }],
            "temperature": 0.2,
        })
    );
}

#[tokio::test]
async fn messages_get_the_whole_exchange() {
    let heard = sent(second(), |address| settings(Wire::Messages, address)).await;
    assert_eq!(heard.path, "/v1/messages");
    assert_eq!(
        (&heard.headers["x-api-key"], &heard.headers["anthropic-version"]),
        (&KEY.parse().unwrap(), &"2023-06-01".parse().unwrap())
    );
    assert!(!heard.headers.contains_key("authorization"));
    let call = |id: &str, value: &str| json!({ "type": "tool_use", "id": id, "name": "number", "input": { "value": value } });
    let result = |id: &str, content: &str, error: bool| json!({ "type": "tool_result", "tool_use_id": id, "content": content, "is_error": error });
    let word = |text: &str| json!({ "type": "text", "text": text });
    assert_eq!(
        heard.body["messages"],
        json!([
            { "role": "user", "content": [word("Where is 42?")] },
            { "role": "assistant", "content": [word("I look."), call("a", "42"), call("b", "7")] },
            { "role": "user", "content": [result("a", "42 is yours", false), result("b", "none", true)] },
        ])
    );
    assert_eq!(heard.body["system"], "Answer from the documents.");
    assert_eq!((&heard.body["max_tokens"], &heard.body["temperature"]), (&json!(300), &json!(0.2)));
    assert_eq!(heard.body["tools"][0]["input_schema"]["required"], json!(["value"]));
}

#[tokio::test]
async fn settings_change_what_is_sent_and_nothing_else_does() {
    let schema = json!({ "type": "object" });
    let shaped = || Request { output_schema: Some(schema.clone()), ..question("Where?") };
    let azure = |address: &str| ProviderSettings {
        base_url: Some(format!("{address}/openai/deployments/shop?api-version=1")),
        key_header: Some("api-key".to_owned()),
        temperature: None,
        max_completion_tokens: true,
        stream: false,
        ..settings(Wire::OpenaiCompatible, address)
    };
    let provider = FakeProvider::start(vec![FakeReply::whole(vec![
        Step::Text("Yes.".to_owned()),
        Step::End(StopReason::EndTurn, None),
    ])])
    .await;
    hear(&model(azure(provider.address())), shaped()).await;
    let heard = provider.heard().remove(0);
    assert_eq!(heard.path, "/openai/deployments/shop/chat/completions?api-version=1");
    assert_eq!(heard.headers["api-key"], KEY);
    assert!(!heard.headers.contains_key("authorization"));
    assert_eq!((&heard.body["max_completion_tokens"], &heard.body["stream"]), (&json!(300), &json!(false)));
    for absent in ["temperature", "max_tokens", "stream_options", "tools"] {
        assert!(heard.body.get(absent).is_none(), "{absent}");
    }
    assert_eq!(heard.body["response_format"]["json_schema"]["schema"], schema);
    let heard = sent(shaped(), |address| settings(Wire::Messages, address)).await;
    assert_eq!(heard.body["output_config"]["format"], json!({ "type": "json_schema", "schema": schema }));
    let free =
        |address: &str| ProviderSettings { key: None, key_env: None, ..settings(Wire::Messages, address) };
    assert!(!sent(question("Where?"), free).await.headers.contains_key("x-api-key"));
}

/// A reply with thoughts, two look-ups whose pieces come mixed, and tokens of every kind.
fn full() -> Vec<Step> {
    let usage = FakeUsage { input: 100, output: 20, cached: 60, written: 10, reasoning: 8 };
    let mixed = tool(0, "a", "number", &["{\"val", "ue\":\"4"])
        .into_iter()
        .chain(tool(1, "b", "number", &["{\"value\":\"\u{1F600}\"}"]))
        .chain([Step::Arguments { at: 0, piece: "2\"}".to_owned() }]);
    [Step::Begin(usage), Step::Thinks("hm, \"42\"".to_owned()), Step::Ping]
        .into_iter()
        .chain([Step::Text("I ".to_owned()), Step::Text("look \u{1F600}.".to_owned())])
        .chain(mixed)
        .chain([Step::End(StopReason::ToolUse, Some(usage))])
        .collect()
}

fn check(wire: Wire, deltas: &[Delta]) {
    assert_eq!(text(deltas), "I look \u{1F600}.");
    let calls: Vec<&ToolUse> = deltas
        .iter()
        .filter_map(|delta| match delta {
            Delta::ToolUse(call) => Some(call),
            _ => None,
        })
        .collect();
    let expected = [
        use_of("a", "number", &json!({"value": "42"})),
        use_of("b", "number", &json!({"value": "\u{1F600}"})),
    ];
    assert_eq!(calls, expected.iter().collect::<Vec<_>>());
    let mut reported = Reported::default();
    for delta in deltas {
        if let Delta::Usage(later) = delta {
            reported.update(*later);
        }
    }
    let reasoning_tokens = if wire == Wire::OpenaiCompatible { 8 } else { 0 };
    let usage = Usage { cached_input_tokens: 60, reasoning_tokens, ..Usage::new(100, 20) };
    assert!(reported.is_whole());
    assert_eq!(reported.filled(Usage::default()), usage);
    assert_eq!(deltas.last(), Some(&Delta::End(StopReason::ToolUse)));
}

#[tokio::test]
async fn a_reply_is_the_same_in_any_pieces_and_as_one() {
    for wire in WIRES {
        for reply in [
            FakeReply::events(full()),
            FakeReply::events(full()).in_pieces_of(1),
            FakeReply::events(full()).in_pieces_of(7),
            FakeReply::whole(full()),
            FakeReply::whole(full()).in_pieces_of(5),
            // A head that says nothing, or something else.
            FakeReply::events(full()).header("content-type", "").in_pieces_of(3),
            FakeReply::events(full()).header("content-type", "text/plain"),
            FakeReply::whole(full()).header("content-type", "").in_pieces_of(3),
        ] {
            for stream in [true, false] {
                let provider = FakeProvider::start(vec![reply.clone()]).await;
                let settings = ProviderSettings { stream, ..settings(wire, provider.address()) };
                let (deltas, error) = hear(&model(settings), question("Where?")).await;
                assert_eq!(error, None, "{wire:?} {reply:?}");
                check(wire, &deltas);
            }
        }
    }
}

#[tokio::test]
async fn every_way_to_stop_is_told_apart() {
    let said = || Step::Text("So.".to_owned());
    for wire in WIRES {
        for (steps, reason) in [
            (vec![said(), Step::End(StopReason::EndTurn, None)], StopReason::EndTurn),
            (vec![said(), Step::End(StopReason::MaxTokens, None)], StopReason::MaxTokens),
            (vec![Step::End(StopReason::Refusal, None)], StopReason::Refusal),
            // A look-up is one whatever the provider calls the end, and none is none.
            (
                [tool(0, "a", "number", &[]), vec![Step::End(StopReason::EndTurn, None)]].concat(),
                StopReason::ToolUse,
            ),
            (vec![said(), Step::End(StopReason::ToolUse, None)], StopReason::EndTurn),
        ] {
            for reply in [FakeReply::events(steps.clone()), FakeReply::whole(steps)] {
                let provider = FakeProvider::start(vec![reply.clone()]).await;
                let (deltas, error) =
                    hear(&model(settings(wire, provider.address())), question("Where?")).await;
                assert_eq!((deltas.last(), error), (Some(&Delta::End(reason)), None), "{wire:?} {reply:?}");
            }
        }
    }
    let refuses = vec![Step::Refuses("I will not.".to_owned()), Step::End(StopReason::EndTurn, None)];
    for reply in [FakeReply::events(refuses.clone()), FakeReply::whole(refuses)] {
        let provider = FakeProvider::start(vec![reply]).await;
        let asked = model(settings(Wire::OpenaiCompatible, provider.address()));
        assert_eq!(hear(&asked, question("Where?")).await.0, [Delta::End(StopReason::Refusal)]);
    }
}

#[tokio::test]
async fn a_stream_that_ends_behind_its_reason_is_whole() {
    let finish = b"data: {\"choices\":[{\"delta\":{\"content\":\"So.\"},\"finish_reason\":\"stop\"}]}\n\n";
    for cut in [vec![], vec![Step::Close], vec![Step::Bytes(b"data: [DO".to_vec())]] {
        let steps = [vec![Step::Bytes(finish.to_vec())], cut].concat();
        let provider = FakeProvider::start(vec![FakeReply::events(steps)]).await;
        let asked = model(settings(Wire::OpenaiCompatible, provider.address()));
        let (deltas, error) = hear(&asked, question("Where?")).await;
        assert_eq!((deltas.last(), error), (Some(&Delta::End(StopReason::EndTurn)), None));
    }
}

#[tokio::test]
async fn arguments_that_are_no_object_reach_the_look_up_and_missing_names_are_given() {
    for wire in WIRES {
        let end = vec![Step::End(StopReason::ToolUse, None)];
        let steps = [
            tool(0, "", "number", &["{\"value\":"]),
            tool(1, "", "number", &["[1]"]),
            tool(2, "", "number", &[]),
            end,
        ];
        let provider = FakeProvider::start(vec![FakeReply::events(steps.concat())]).await;
        // Two look-ups were asked for before.
        let (deltas, _) = hear(&model(settings(wire, provider.address())), second()).await;
        let expected = [
            use_of("call_3", "number", &json!({ "arguments": "{\"value\":" })),
            use_of("call_4", "number", &json!({ "arguments": "[1]" })),
            use_of("call_5", "number", &json!({})),
        ];
        assert_eq!(deltas[..3], expected.map(Delta::ToolUse), "{wire:?}");
    }
}

#[tokio::test]
async fn no_two_calls_of_an_exchange_have_one_name() {
    for wire in WIRES {
        // The first round was left out, so that the calls no longer count from one.
        let mut request = second();
        for message in &mut request.messages {
            for block in &mut message.content {
                if let Block::ToolUse(ToolUse { id, .. }) = block {
                    *id = if id == "a" { "call_3".to_owned() } else { "call_4".to_owned() };
                }
            }
        }
        let end = vec![Step::End(StopReason::ToolUse, None)];
        let steps = [
            tool(0, "", "number", &[]),
            tool(1, "call_4", "number", &[]),
            tool(2, "own", "number", &[]),
            end,
        ];
        let provider = FakeProvider::start(vec![FakeReply::events(steps.concat())]).await;
        let (deltas, _) = hear(&model(settings(wire, provider.address())), request).await;
        let names = ["call_5", "call_6", "own"];
        assert_eq!(deltas[..3], names.map(|id| Delta::ToolUse(use_of(id, "number", &json!({})))), "{wire:?}");
    }
}

#[tokio::test]
async fn whoever_stops_listening_closes_the_connection() {
    let begin = || Step::Begin(FakeUsage::new(7, 1));
    for wire in WIRES {
        for reply in
            [FakeReply::Silence, FakeReply::events(vec![begin(), Step::Text("So".to_owned()), Step::Stall])]
        {
            let provider = FakeProvider::start(vec![reply.clone()]).await;
            let asked = model(settings(wire, provider.address()));
            let mut stream = asked.stream(Arc::new(question("Where?")));
            if matches!(reply, FakeReply::Silence) {
                let asking = tokio::spawn(async move { stream.next().await });
                while provider.heard().is_empty() {
                    tokio::task::yield_now().await;
                }
                asking.abort();
            } else {
                while !matches!(stream.next().await, Some(Ok(Delta::Text(_)))) {}
                assert_eq!(provider.left(), 0);
                drop(stream);
            }
            provider.until_left(1).await;
        }
    }
}

/// How often the provider was asked, and how it ended.
async fn repeats(
    wire: Wire,
    replies: Vec<FakeReply>,
    change: fn(&mut ProviderSettings),
) -> (usize, Option<Fault>) {
    let provider = FakeProvider::start(replies).await;
    let mut settings = ProviderSettings { retries: 2, ..settings(wire, provider.address()) };
    change(&mut settings);
    let (_, error) = hear(&model(settings), question("Where?")).await;
    (provider.heard().len(), error.map(|error| error.fault))
}

#[tokio::test]
async fn a_call_is_repeated_only_where_that_may_help_and_nothing_came_back() {
    let busy = |status| FakeReply::status(status, "busy").header("retry-after", "0");
    let same: fn(&mut ProviderSettings) = |_| {};
    for wire in WIRES {
        for status in [429, 500, 503, 529] {
            let replies = vec![busy(status), busy(status), FakeReply::text("Yes.")];
            assert_eq!(repeats(wire, replies, same).await, (3, None), "{status}");
        }
        assert_eq!(repeats(wire, vec![busy(500)], same).await, (3, Some(Fault::ServerError)));
        assert_eq!(
            repeats(wire, vec![busy(500)], |settings| settings.retries = 0).await,
            (1, Some(Fault::ServerError))
        );
        for (reply, fault) in [
            (FakeReply::status(400, ""), Fault::BadRequest),
            (FakeReply::status(401, ""), Fault::Unauthorised),
            (FakeReply::status(402, ""), Fault::RateLimited),
            (FakeReply::status(404, ""), Fault::NotFound),
            (FakeReply::HangsUp, Fault::BrokeOff),
            (FakeReply::events(vec![Step::Text("So".to_owned()), Step::Close]), Fault::BrokeOff),
            (FakeReply::events(vec![Step::Close]), Fault::BrokeOff),
        ] {
            assert_eq!(repeats(wire, vec![reply], same).await, (1, Some(fault)));
        }
        // Longer than the call may take, in seconds and until a moment.
        let later = FakeReply::status(429, "").header("retry-after", "3600");
        assert_eq!(repeats(wire, vec![later], same).await, (1, Some(Fault::RateLimited)));
        let later = FakeReply::status(503, "")
            .header("date", "Wed, 21 Oct 2015 07:28:00 GMT")
            .header("retry-after", "Wed, 21 Oct 2015 08:28:00 GMT");
        assert_eq!(repeats(wire, vec![later], same).await, (1, Some(Fault::ServerError)));
        let slow: fn(&mut ProviderSettings) = |settings| settings.pause = Duration::from_secs(3600);
        assert_eq!(repeats(wire, vec![busy(500)], slow).await, (1, Some(Fault::ServerError)));
    }
}

#[tokio::test]
async fn calls_one_after_another_share_a_connection() {
    let provider = FakeProvider::start(vec![FakeReply::text("Yes.")]).await;
    let asked = model(settings(Wire::Messages, provider.address()));
    for _ in 0..3 {
        assert_eq!(text(&hear(&asked, question("Where?")).await.0), "Yes.");
    }
    let callers = provider.heard().iter().map(|heard| heard.caller).collect::<Vec<_>>();
    assert_eq!((callers.len(), provider.left()), (3, 0));
    assert!(callers.iter().all(|caller| *caller == callers[0]), "{callers:?}");
}
