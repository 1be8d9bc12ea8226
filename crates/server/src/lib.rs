//! The counter over HTTP: the API, the chat widget, the operators' console and the metrics.
