//! The span of a turn, in the names of OpenTelemetry's conventions for generative AI. They stand here and nowhere else,
//! since they are still changing. No field holds the words of a question or of an answer.

use mostrador_answer::event::Closing;
use tracing::Span;
use tracing::field::Empty;

/// Begins the span of a turn. It costs nothing where nobody listens.
pub(crate) fn turn(model: &str) -> Span {
    tracing::info_span!(
        target: "mostrador_server::genai",
        "chat",
        otel.kind = "internal",
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = "mostrador",
        gen_ai.request.model = model,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        gen_ai.response.finish_reasons = Empty,
        mostrador.turn = Empty,
        mostrador.calls = Empty,
        mostrador.cost_micros = Empty,
        mostrador.rule = Empty,
    )
}

/// What a turn came to.
pub(crate) fn ended(span: &Span, turn: &str, ending: &str, closing: Option<&Closing>) {
    span.record("mostrador.turn", turn);
    span.record("gen_ai.response.finish_reasons", ending);
    let Some(closing) = closing else { return };
    span.record("gen_ai.usage.input_tokens", closing.usage.input_tokens);
    span.record("gen_ai.usage.output_tokens", closing.usage.output_tokens);
    span.record("mostrador.calls", closing.calls);
    span.record("mostrador.cost_micros", closing.cost.0);
    if let Some(rule) = &closing.rule {
        span.record("mostrador.rule", rule.0.as_str());
    }
}
