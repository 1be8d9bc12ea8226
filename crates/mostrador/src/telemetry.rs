//! The log of a server, and with the feature `otel` its spans for a collector.

use clap::ValueEnum;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// How the log is written.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum Log {
    /// For people.
    #[default]
    Text,
    /// For programs, a JSON object a line.
    Json,
}

/// What was begun here ends with this.
#[derive(Default)]
pub(crate) struct Telemetry {
    #[cfg(feature = "otel")]
    spans: Option<opentelemetry_sdk::trace::SdkTracerProvider>,
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        #[cfg(feature = "otel")]
        if let Some(spans) = self.spans.take() {
            // What a collector did not take by now is lost, as with any collector that is away.
            let _ = spans.shutdown();
        }
    }
}

/// Begins the log on standard error. Other crates are heard from `warn` on.
pub(crate) fn begin(log: Log, level: LevelFilter) -> anyhow::Result<Telemetry> {
    let heard = || {
        Targets::new()
            .with_target("mostrador", level)
            .with_target("mostrador_server", level)
            .with_target("mostrador_shop", level)
            .with_default(LevelFilter::WARN)
    };
    let written = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
    let written = match log {
        Log::Text => written.with_filter(heard()).boxed(),
        Log::Json => written.json().with_filter(heard()).boxed(),
    };
    let registry = tracing_subscriber::registry().with(written);
    #[cfg(feature = "otel")]
    {
        use opentelemetry::trace::TracerProvider as _;
        // The exporter makes its own client, which looks for what it encrypts with in one place for the whole process. An
        // error says that it is there already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // The address and the headers of the collector come from the variables that OpenTelemetry names for them.
        let exporter = opentelemetry_otlp::SpanExporter::builder().with_http().build()?;
        let spans =
            opentelemetry_sdk::trace::SdkTracerProvider::builder().with_batch_exporter(exporter).build();
        let turns = Targets::new().with_target("mostrador_server::genai", LevelFilter::INFO);
        let layer = tracing_opentelemetry::layer().with_tracer(spans.tracer("mostrador")).with_filter(turns);
        registry.with(layer).try_init()?;
        Ok(Telemetry { spans: Some(spans) })
    }
    #[cfg(not(feature = "otel"))]
    {
        registry.try_init()?;
        Ok(Telemetry::default())
    }
}
