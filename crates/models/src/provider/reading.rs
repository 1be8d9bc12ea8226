//! The body of a reply: events, or one JSON text, whichever it turns out to be.

use std::collections::VecDeque;

use mostrador_answer::message::{Delta, Request};
use mostrador_answer::ports::Fault;
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;

use super::reply::{Decoder, Heard, Unread, not_utf8, too_long};
use super::settings::ProviderSettings;
use super::sse::Parser;

/// A reply being read.
pub(super) struct Reading {
    response: Response,
    form: Form,
    decoder: Decoder,
    received: usize,
    most: usize,
    ended: bool,
}

/// What the body is. A server may answer in the other way than it was asked, and need not say which.
enum Form {
    Unknown(Vec<u8>),
    Events(Parser),
    Whole(Vec<u8>),
}

impl Reading {
    pub(super) fn new(response: Response, settings: &ProviderSettings, request: &Request) -> Self {
        let most = settings.max_reply_bytes;
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let form = if kind.starts_with("text/event-stream") {
            Form::Events(Parser::new(most))
        } else if kind.starts_with("application/json") {
            Form::Whole(Vec::new())
        } else {
            Form::Unknown(Vec::new())
        };
        let decoder = Decoder::new(settings.wire, request);
        Self { response, form, decoder, received: 0, most, ended: false }
    }

    /// Whether it is known to come as one.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.form, Form::Whole(_))
    }

    /// The next bytes, as they come.
    pub(super) async fn next(&mut self) -> reqwest::Result<Option<impl AsRef<[u8]> + use<>>> {
        self.response.chunk().await
    }

    /// Reads what stands behind the end of the reply, as long as that is little.
    pub(super) async fn rest(&mut self) {
        let mut left = 4096_usize;
        while let Ok(Some(bytes)) = self.response.chunk().await {
            left = left.saturating_sub(bytes.len());
            if left == 0 {
                return;
            }
        }
    }

    /// Takes in bytes, and gives what they end.
    pub(super) fn take_in(
        &mut self,
        bytes: &impl AsRef<[u8]>,
        out: &mut VecDeque<Delta>,
    ) -> Result<Heard, Unread> {
        let bytes = bytes.as_ref();
        self.received = self.received.saturating_add(bytes.len());
        if self.received > self.most {
            return Err(too_long());
        }
        match &mut self.form {
            Form::Events(_) => self.events(bytes, out),
            Form::Whole(body) => {
                body.extend_from_slice(bytes);
                Ok(Heard::Nothing)
            }
            Form::Unknown(begun) => {
                begun.extend_from_slice(bytes);
                let text = begun.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(begun);
                let Some(first) = text.trim_ascii_start().first() else { return Ok(Heard::Nothing) };
                // No event begins like JSON, or like a page that is neither.
                let whole = matches!(first, b'{' | b'[' | b'<');
                let begun = std::mem::take(begun);
                if whole {
                    self.form = Form::Whole(begun);
                    return Ok(Heard::Nothing);
                }
                self.form = Form::Events(Parser::new(self.most));
                self.events(&begun, out)
            }
        }
    }

    /// Gives what the end of the body ends; `broken`: what cut it, where something did.
    pub(super) fn close(&mut self, broken: Option<String>, out: &mut VecDeque<Delta>) -> Result<(), Unread> {
        let inside = match (&mut self.form, &broken) {
            (Form::Whole(body), None) if !body.is_empty() => {
                let body = std::mem::take(body);
                let text = std::str::from_utf8(&body).map_err(|_| not_utf8())?;
                return self.decoder.whole(text, out);
            }
            (Form::Events(parser), _) => parser.is_inside(),
            _ => false,
        };
        // Where the model has said why it stopped, nothing of the answer is missing.
        if matches!(self.form, Form::Events(_)) && self.decoder.close(out)? {
            return Ok(());
        }
        let how = broken.unwrap_or_else(|| {
            if inside { "in the middle of an event".to_owned() } else { "too early".to_owned() }
        });
        Err(Unread::new(
            Fault::BrokeOff,
            format!("the reply broke off before its end ({how}); look at the provider"),
        ))
    }

    fn events(&mut self, bytes: &[u8], out: &mut VecDeque<Delta>) -> Result<Heard, Unread> {
        let Form::Events(parser) = &mut self.form else { return Ok(Heard::Nothing) };
        let (decoder, ended) = (&mut self.decoder, &mut self.ended);
        let mut heard = Heard::Nothing;
        parser.push::<Unread>(bytes, |data| {
            if !*ended {
                heard = heard.max(decoder.event(data, out)?);
                *ended = matches!(out.back(), Some(Delta::End(_)));
            }
            Ok(())
        })?;
        Ok(heard)
    }
}
