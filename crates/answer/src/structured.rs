//! A structured reply, read as it arrives: nothing of its text comes out before its action is known and allowed.

use mostrador_language::TextKey;

use crate::actions::{ACTION, ANSWER, ActionSettings, ReplyAction};
use crate::stop::{Ending, RuleName, Stop};

/// Where in the object the next character stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Before,
    /// Before the name of a field; `bool`: there has to be one.
    Name(bool),
    /// In the name of a field.
    InName,
    Colon,
    Value,
    /// In the value of this field.
    In(Field),
    /// Behind the value of a field.
    Between,
    Behind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Action,
    Answer,
}

/// How a character of a string is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Plain,
    Escape,
    /// Four hexadecimal digits: so many have come, and what they say so far.
    Unit(u8, u32),
}

/// An object that arrives in pieces.
#[derive(Debug)]
pub(crate) struct StructuredReply<'t> {
    allowed: &'t ActionSettings,
    place: Place,
    written: Written,
    /// The first half of a character that is written as two.
    half: Option<u32>,
    /// The string that is being read, where it is not the answer.
    text: String,
    field: Option<Field>,
    action: Option<ReplyAction>,
    has_answer: bool,
    /// What of the answer has not come out yet.
    answer: String,
    /// All that came, for a colleague.
    raw: String,
}

impl<'t> StructuredReply<'t> {
    pub(crate) fn new(allowed: &'t ActionSettings) -> Self {
        Self {
            allowed,
            place: Place::Before,
            written: Written::Plain,
            half: None,
            text: String::new(),
            field: None,
            action: None,
            has_answer: false,
            answer: String::new(),
            raw: String::new(),
        }
    }

    /// All that came, as it came.
    pub(crate) fn raw(&self) -> &str {
        &self.raw
    }

    /// Takes a piece and gives what of the answer may be read now.
    ///
    /// # Errors
    /// A stop where the action is not allowed or is a hand-off, or where this is no such object: it is refused, and
    /// not repaired.
    pub(crate) fn push(&mut self, piece: &str) -> Result<String, Stop> {
        self.raw.push_str(piece);
        for c in piece.chars() {
            self.take(c)?;
        }
        Ok(self.ready())
    }

    /// Nothing more comes. `truncated`: the model ran into its output limit, so that the end is missing.
    ///
    /// # Errors
    /// As [`Self::push`].
    pub(crate) fn end(&mut self, truncated: bool) -> Result<String, Stop> {
        let whole = self.place == Place::Behind && self.action.is_some() && self.has_answer;
        if whole || truncated { Ok(self.ready()) } else { Err(self.shapeless()) }
    }

    fn ready(&mut self) -> String {
        if self.action.is_some() { std::mem::take(&mut self.answer) } else { String::new() }
    }

    fn take(&mut self, c: char) -> Result<(), Stop> {
        let white = matches!(c, ' ' | '\n' | '\r' | '\t');
        self.place = match (self.place, c) {
            (Place::InName | Place::In(_), _) => return self.string(c),
            (place, _) if white => place,
            (Place::Before, '{') => Place::Name(false),
            (Place::Name(false), '}') | (Place::Between, '}') => Place::Behind,
            (Place::Name(_), '"') => Place::InName,
            (Place::Colon, ':') => Place::Value,
            (Place::Value, '"') => Place::In(self.field.ok_or_else(|| self.shapeless())?),
            (Place::Between, ',') => Place::Name(true),
            _ => return Err(self.shapeless()),
        };
        Ok(())
    }

    fn string(&mut self, c: char) -> Result<(), Stop> {
        match (self.written, c) {
            (Written::Plain, '"') => return self.close(),
            (Written::Plain, '\\') => self.written = Written::Escape,
            (Written::Plain, c) if c >= ' ' => self.character(c)?,
            (Written::Escape, 'u') => self.written = Written::Unit(0, 0),
            (Written::Escape, c) => {
                let meant = match c {
                    '"' | '\\' | '/' => c,
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    _ => return Err(self.shapeless()),
                };
                self.written = Written::Plain;
                self.character(meant)?;
            }
            (Written::Unit(count, so_far), c) => {
                let digit = c.to_digit(16).ok_or_else(|| self.shapeless())?;
                let unit = so_far * 16 + digit;
                self.written = if count < 3 { Written::Unit(count + 1, unit) } else { Written::Plain };
                if count == 3 {
                    self.unit(unit)?;
                }
            }
            (Written::Plain, _) => return Err(self.shapeless()),
        }
        Ok(())
    }

    /// A unit of UTF-16: a character, or half of one.
    fn unit(&mut self, unit: u32) -> Result<(), Stop> {
        match (self.half.take(), unit) {
            (None, 0xD800..=0xDBFF) => {
                self.half = Some(unit);
                Ok(())
            }
            (Some(first), 0xDC00..=0xDFFF) => {
                let both = 0x10000 + ((first - 0xD800) << 10) + (unit - 0xDC00);
                self.character(char::from_u32(both).ok_or_else(|| self.shapeless())?)
            }
            (None, _) => self.character(char::from_u32(unit).ok_or_else(|| self.shapeless())?),
            (Some(_), _) => Err(self.shapeless()),
        }
    }

    fn character(&mut self, c: char) -> Result<(), Stop> {
        if self.half.is_some() {
            return Err(self.shapeless());
        }
        let into = if self.place == Place::In(Field::Answer) { &mut self.answer } else { &mut self.text };
        into.push(c);
        Ok(())
    }

    /// The string that was being read is whole.
    fn close(&mut self) -> Result<(), Stop> {
        if self.half.is_some() {
            return Err(self.shapeless());
        }
        let text = std::mem::take(&mut self.text);
        self.place = match self.place {
            Place::In(Field::Action) => {
                self.action = Some(self.decide(&text)?);
                Place::Between
            }
            Place::In(Field::Answer) => {
                self.has_answer = true;
                Place::Between
            }
            _ => {
                let field = match text.as_str() {
                    ACTION if self.action.is_none() => Field::Action,
                    ANSWER if !self.has_answer => Field::Answer,
                    _ => return Err(self.shapeless()),
                };
                self.field = Some(field);
                Place::Colon
            }
        };
        Ok(())
    }

    fn decide(&self, name: &str) -> Result<ReplyAction, Stop> {
        match self.allowed.allowed(name) {
            Some(ReplyAction::Answer) => Ok(ReplyAction::Answer),
            Some(ReplyAction::Handoff) => {
                let evidence = "the model asks for a colleague";
                Err(Stop::new(Ending::HandedOver, RuleName::ACTION_HANDOFF, evidence, TextKey::Handoff))
            }
            None => {
                let allowed = self.allowed.names().join(", ");
                let evidence = format!("the action {name:?}; allowed: {allowed}");
                Err(Stop::new(Ending::Withheld, RuleName::ACTION, evidence, TextKey::Hold))
            }
        }
    }

    fn shapeless(&self) -> Stop {
        let evidence = format!("no object with {ACTION:?} and {ANSWER:?} alone in {:?}", self.raw);
        Stop::new(Ending::Withheld, RuleName::SHAPE, evidence, TextKey::Hold)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::actions::reply;

    fn both() -> ActionSettings {
        ActionSettings::new(ReplyAction::ALL)
    }

    /// What comes out of each piece, and of the end.
    fn read(pieces: &[&str]) -> Result<Vec<String>, Stop> {
        let allowed = both();
        let mut reply = StructuredReply::new(&allowed);
        let mut out: Vec<String> = pieces.iter().map(|piece| reply.push(piece)).collect::<Result<_, _>>()?;
        out.push(reply.end(false)?);
        Ok(out)
    }

    #[test]
    fn text_comes_out_as_it_arrives_once_the_action_is_known() {
        let pieces = ["{\"action\": \"ans", "wer\", \"answer\": \"One.", " Two", ".\"}"];
        assert_eq!(read(&pieces).unwrap(), ["", "One.", " Two", ".", ""]);
        let late = ["{ \"answer\" : \"One. Two.\",", " \"action\":\"answer\" }\n"];
        assert_eq!(read(&late).unwrap(), ["", "One. Two.", ""]);
    }

    #[test]
    fn nothing_comes_out_for_an_action_that_is_not_allowed_or_a_colleagues() {
        for (name, rule, ending) in [
            ("refund", RuleName::ACTION, Ending::Withheld),
            ("Answer", RuleName::ACTION, Ending::Withheld),
            ("", RuleName::ACTION, Ending::Withheld),
            ("handoff", RuleName::ACTION_HANDOFF, Ending::HandedOver),
        ] {
            let stop = read(&[&reply(name, "It is done.")]).unwrap_err();
            assert_eq!((stop.rule.0.as_str(), stop.ending), (rule, ending), "{name:?}");
        }
        let answers = ActionSettings::new([ReplyAction::Answer]);
        let stop = StructuredReply::new(&answers).push(&reply("handoff", "")).unwrap_err();
        assert_eq!(stop.rule.0, RuleName::ACTION);
    }

    #[test]
    fn what_is_no_such_object_is_refused() {
        for text in [
            "",
            "It is free.",
            "{}",
            "{\"action\":\"answer\"}",
            "{\"answer\":\"x\"}",
            "{\"action\":\"answer\",\"answer\":\"x\"",
            "{\"action\":\"answer\",\"answer\":\"x\",}",
            "{\"action\":\"answer\",\"answer\":\"x\"} and more",
            "{\"action\":\"answer\",\"answer\":\"x\",\"refund\":\"5\"}",
            "{\"action\":\"answer\",\"answer\":\"x\",\"action\":\"answer\"}",
            "{\"action\":\"answer\",\"answer\":5}",
            "{\"action\":\"answer\",\"answer\":\"\\uD83D\"}",
            "{\"action\":\"answer\",\"answer\":\"\\x\"}",
            "{\"action\":\"answer\",\"answer\":\"a\nb\"}",
            "[{\"action\":\"answer\",\"answer\":\"x\"}]",
            "```json\n{}\n```",
        ] {
            assert_eq!(read(&[text]).unwrap_err().rule.0, RuleName::SHAPE, "{text}");
        }
    }

    #[test]
    fn an_object_that_was_cut_keeps_what_it_had() {
        let allowed = both();
        let mut reply = StructuredReply::new(&allowed);
        assert_eq!(reply.push("{\"action\":\"answer\",\"answer\":\"One. Tw").unwrap(), "One. Tw");
        assert_eq!(reply.end(true).unwrap(), "");
        assert_eq!(StructuredReply::new(&allowed).end(true).unwrap(), "");
    }

    proptest! {
        #[test]
        fn any_answer_in_any_pieces_is_what_json_says(answer in any::<String>(), cuts in prop::collection::vec(0_usize..400, 0..6), escaped in any::<bool>()) {
            let mut text = reply("answer", &answer);
            if escaped {
                let unit = |unit: u16| format!("\\u{unit:04x}");
                let units: String = answer.encode_utf16().map(unit).collect();
                text = format!("{{\"answer\":\"{units}\",\"action\":\"answer\"}}");
            }
            let mut places: Vec<usize> = cuts.iter().map(|cut| text.floor_char_boundary(*cut)).collect();
            places.extend([0, text.len()]);
            places.sort_unstable();
            let pieces: Vec<&str> = places.windows(2).map(|place| &text[place[0]..place[1]]).collect();
            prop_assert_eq!(read(&pieces).unwrap().concat(), answer);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[{}\",:\\\\ua-e0-9 ]{0,40}|.{0,40}") {
            let _ = read(&[&text]);
        }
    }
}
