//! `mostrador ask`: answers a question, with its source.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use mostrador_answer::approval::{Conversations as _, Sent};
use mostrador_answer::event::Answer;
use mostrador_answer::question::{Asked, ConversationId, CustomerId, Previous};
use mostrador_evals::report::steps;
use mostrador_language::{Lang, Pack, Report};
use mostrador_shop::Keep;
use serde_json::{Map, Value, json};

use crate::commands::session;
use crate::exit::Exit;
use crate::model::{Model, read_shop};
use crate::output::{Format, open, print, print_json};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shop folder.
    shop: PathBuf,
    /// The question.
    question: String,
    /// Asks as this customer, as if their session had been verified.
    #[arg(long = "as", value_name = "CUSTOMER")]
    customer: Option<String>,
    /// Asks as the customer of this token, signed by the shop; `-` reads it from standard input. Without
    /// it, the token of the environment variable MOSTRADOR_TOKEN, which no shell keeps in its history.
    #[arg(long, value_name = "TOKEN", conflicts_with = "customer")]
    token: Option<String>,
    /// The conversation it belongs to: what colleagues have sent there since is shown first.
    #[arg(long, value_name = "NAME")]
    conversation: Option<String>,
    /// Where the customer wants to be answered by a colleague, such as an e-mail address.
    #[arg(long, value_name = "ADDRESS")]
    reply_to: Option<String>,
    /// The customer's question before this one.
    #[arg(long, value_name = "QUESTION")]
    after: Option<String>,
    /// What the customer was told then.
    #[arg(long, value_name = "ANSWER", requires = "after")]
    answered: Option<String>,
    /// The language the customer declared; without it, that of the question where it is plain enough.
    #[arg(long)]
    locale: Option<Lang>,
    /// Uses a model of another kind than the shop's own.
    #[arg(long, value_enum)]
    model: Option<Model>,
    /// Shows what each room saw.
    #[arg(long)]
    trace: bool,
    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) async fn run(args: &Args) -> anyhow::Result<Exit> {
    let shop = Arc::new(read_shop(&args.shop, args.model)?);
    if let Some(locale) = args.locale {
        Pack::builtin(locale).context("--locale")?;
    }
    for (given, flag) in
        [(&args.customer, "--as"), (&args.conversation, "--conversation"), (&args.reply_to, "--reply-to")]
    {
        if given.as_deref().is_some_and(|text| text.trim().is_empty()) {
            bail!("{flag} is empty; write something behind it, or leave it out");
        }
    }
    let signed = session::signed(&shop, args.token.as_deref(), args.customer.is_some())?;
    let counter = open(Arc::clone(&shop), Keep::OnDisk).await?;
    let engine = counter.engine();
    let mut asked = Asked::new(&args.question);
    asked.session.customer = match signed {
        Some(signed) => Some(signed.customer(engine.ports().clock.now())?),
        None => args.customer.clone().map(CustomerId),
    };
    asked.session.locale = args.locale;
    asked.session.conversation = args.conversation.clone().map(ConversationId);
    asked.session.address.clone_from(&args.reply_to);
    let sent = match &asked.session.conversation {
        Some(conversation) => counter.store().unread(conversation, asked.session.customer.as_ref()).await?,
        None => Vec::new(),
    };
    let answer = args.answered.clone();
    asked.previous = args.after.clone().map(|question| Previous { question, answer });
    let mut turn = engine.start(asked);
    let answer = tokio::select! {
        answer = turn.collect() => Some(answer),
        _ = tokio::signal::ctrl_c() => None,
    };
    let Some(answer) = answer else {
        turn.leave().await;
        return Ok(Exit::Incomplete);
    };
    match args.format {
        Format::Text => {
            let waiting: String = sent.iter().map(|sent| format!("{}\n\n", sent.text)).collect();
            print(&format!("{waiting}{}", text(&answer, &shop.pack().report, args.trace)?))?;
        }
        Format::Json => print_json(&document(args, &answer, &sent))?,
    }
    for sent in &sent {
        counter.store().shown(sent, engine.ports().clock.now()).await?;
    }
    for unrecorded in &answer.closing.trace.unrecorded {
        eprintln!("warning: not written down: {unrecorded}");
    }
    if answer.closing.could_not() {
        eprintln!("error: {}", answer.closing.evidence);
        return Ok(Exit::Incomplete);
    }
    Ok(Exit::Met)
}

/// The answer alone, or beside it what was asked for: what was sent to the conversation, what each room saw.
fn document(args: &Args, answer: &Answer, sent: &[Sent]) -> Value {
    let sent = args.conversation.as_ref().map(|_| ("sent".to_owned(), json!(sent)));
    let record = args.trace.then(|| ("record".to_owned(), json!(answer.closing.record())));
    let beside: Map<String, Value> = sent.into_iter().chain(record).collect();
    if beside.is_empty() {
        return json!(answer);
    }
    let answer = ("answer".to_owned(), json!(answer));
    Value::Object(std::iter::once(answer).chain(beside).collect())
}

fn text(answer: &Answer, words: &Report, trace: bool) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    writeln!(out, "{}", answer.text.trim_end())?;
    if !answer.citations.is_empty() {
        writeln!(out, "\n{}", words.sources)?;
    }
    for citation in &answer.citations {
        let headings = citation.headings.join(" › ");
        let space = if headings.is_empty() { "" } else { " " };
        let date = citation.date.as_ref().map(|date| format!(", {date}")).unwrap_or_default();
        writeln!(out, "  [{}] {headings}{space}({}{date})", citation.source, citation.file)?;
    }
    if trace {
        out.push('\n');
        out.push_str(&trace_text(answer, words)?);
    }
    Ok(out)
}

fn trace_text(answer: &Answer, words: &Report) -> Result<String, std::fmt::Error> {
    let closing = &answer.closing;
    let trace = &closing.trace;
    let mut out = String::new();
    for ranked in &trace.ranked {
        let mark = if ranked.used { '*' } else { ' ' };
        let cosine = ranked.cosine.map_or_else(|| "-".to_owned(), |cosine| cosine.to_string());
        let source = &ranked.source;
        writeln!(
            out,
            "{mark} {source} strength {} (cosine {cosine}, coverage {})",
            ranked.strength, ranked.coverage
        )?;
    }
    writeln!(out, "threshold {}", trace.threshold)?;
    if let Some(item) = &trace.item {
        writeln!(out, "read as a question about {item:?}")?;
    }
    for record in &trace.records {
        writeln!(out, "record {record}")?;
    }
    if let Some(away) = &trace.embedder_away {
        writeln!(out, "searched by words alone: {away}")?;
    }
    for step in steps(trace, words) {
        writeln!(out, "{step}")?;
    }
    write!(out, "ending {}", closing.ending.name())?;
    if let Some(rule) = &closing.rule {
        write!(out, " by {rule}: {}", closing.evidence)?;
    }
    out.push('\n');
    for because in &trace.handovers {
        writeln!(out, "another model went on: {because}")?;
    }
    if trace.omitted_rounds > 0 {
        writeln!(
            out,
            "left out of the last request, since the window was full: {} rounds",
            trace.omitted_rounds
        )?;
    }
    let counted = if closing.usage_counted { "counted by the provider" } else { "estimated" };
    writeln!(
        out,
        "tokens in {} out {} ({counted}), calls {}, reserved {}, cost {} (millionths)",
        closing.usage.input_tokens,
        closing.usage.output_tokens,
        closing.calls,
        trace.reserved.0,
        closing.cost.0
    )?;
    Ok(out)
}
