//! What a fake provider is told to say.

use mostrador_answer::message::StopReason;

/// A reply of the provider.
#[derive(Debug, Clone)]
pub enum FakeReply {
    /// What the steps say, in the shape of the wire that it is asked on.
    Says {
        /// Whether as one JSON text, and not in events.
        whole: bool,
        /// The kind of content that the head names.
        kind: Option<String>,
        /// The body in pieces of this many bytes; `None`: an event a piece.
        split: Option<usize>,
        /// What is said, in order.
        steps: Vec<Step>,
    },
    /// A status with headers and a body.
    Status {
        /// The status.
        status: u16,
        /// Further headers.
        headers: Vec<(String, String)>,
        /// The body.
        body: String,
    },
    /// Nothing at all, until the caller leaves.
    Silence,
    /// The connection ends before there is a head.
    HangsUp,
}

impl FakeReply {
    /// A reply in events.
    #[must_use]
    pub fn events(steps: Vec<Step>) -> Self {
        let kind = Some("text/event-stream; charset=utf-8".to_owned());
        FakeReply::Says { whole: false, kind, split: None, steps }
    }

    /// A reply as one JSON text.
    #[must_use]
    pub fn whole(steps: Vec<Step>) -> Self {
        let kind = Some("application/json".to_owned());
        FakeReply::Says { whole: true, kind, split: None, steps }
    }

    /// A reply in events that says a text: 10 tokens in, 5 out.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::events(vec![
            Step::Begin(FakeUsage::new(10, 5)),
            Step::Text(text.to_owned()),
            Step::End(StopReason::EndTurn, Some(FakeUsage::new(10, 5))),
        ])
    }

    /// A status with a body.
    #[must_use]
    pub fn status(status: u16, body: &str) -> Self {
        FakeReply::Status { status, headers: Vec::new(), body: body.to_owned() }
    }

    /// The same with a header more, or another kind of content.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match &mut self {
            FakeReply::Status { headers, .. } => headers.push((name.to_owned(), value.to_owned())),
            FakeReply::Says { kind, .. } if name == "content-type" => {
                *kind = Some(value.to_owned()).filter(|kind| !kind.is_empty());
            }
            _ => panic!("this reply has no such header"),
        }
        self
    }

    /// The same in pieces of so many bytes.
    #[must_use]
    pub fn in_pieces_of(mut self, bytes: usize) -> Self {
        match &mut self {
            FakeReply::Says { split, .. } => *split = Some(bytes),
            _ => panic!("this reply has no pieces"),
        }
        self
    }
}

/// Tokens as the provider reports them.
#[derive(Debug, Clone, Copy, Default)]
pub struct FakeUsage {
    /// Everything sent, cached tokens among them.
    pub input: u64,
    /// Everything that came back, thought tokens among them.
    pub output: u64,
    /// Read from the cache.
    pub cached: u64,
    /// Written to the cache; only the Messages wire says so.
    pub written: u64,
    /// Thought; only the OpenAI-compatible wire says so.
    pub reasoning: u64,
}

impl FakeUsage {
    /// Tokens in and out, none of them cached or thought.
    #[must_use]
    pub fn new(input: u64, output: u64) -> Self {
        Self { input, output, ..Self::default() }
    }
}

/// What the provider does next in a reply.
#[derive(Debug, Clone)]
pub enum Step {
    /// Begins: on the Messages wire with what was sent, on the other with the role alone.
    Begin(FakeUsage),
    /// Says a piece of text.
    Text(String),
    /// Thinks a piece of text.
    Thinks(String),
    /// Says in a field of its own that it will not answer; only the OpenAI-compatible wire has one.
    Refuses(String),
    /// Begins a look-up; an empty `id` is left out, and an empty `name` too.
    Tool {
        /// Its place among the look-ups of the reply.
        at: usize,
        /// The name of the call.
        id: String,
        /// The look-up.
        name: String,
    },
    /// A piece of a look-up's arguments.
    Arguments {
        /// Its place among the look-ups of the reply.
        at: usize,
        /// The piece.
        piece: String,
    },
    /// A sign of life.
    Ping,
    /// Says why it stops, what was used, and that this is the end.
    End(StopReason, Option<FakeUsage>),
    /// Bytes as they are.
    Bytes(Vec<u8>),
    /// The same bytes over and over.
    Repeat(Vec<u8>, usize),
    /// Nothing more, until the caller leaves.
    Stall,
    /// The connection ends here.
    Close,
}

/// A look-up with its arguments in pieces.
#[must_use]
pub fn tool(at: usize, id: &str, name: &str, pieces: &[&str]) -> Vec<Step> {
    let begin = Step::Tool { at, id: id.to_owned(), name: name.to_owned() };
    let pieces = pieces.iter().map(|piece| Step::Arguments { at, piece: (*piece).to_owned() });
    std::iter::once(begin).chain(pieces).collect()
}
