//! Front matter: what a Markdown file says about itself, between two lines of `---` at its top.

use mostrador_answer::passage::Trust;
use mostrador_language::Lang;

use crate::error::SkipReason;

/// What a file says about itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FrontMatter {
    pub(crate) title: Option<String>,
    pub(crate) language: Option<Lang>,
    pub(crate) trust: Option<Trust>,
    /// ISO 8601.
    pub(crate) date: Option<String>,
    /// ISO 8601.
    pub(crate) valid_until: Option<String>,
}

const KEYS: &str = "title, language, date, trust and valid_until";

/// Takes the front matter off the top of a text; a text that begins otherwise is left whole.
///
/// A `---` with a blank line under it is a rule. `folder` is whose words the folder's texts are:
/// a file may be trusted less than that, never more.
pub(crate) fn take_off(text: &str, folder: Trust) -> Result<(FrontMatter, &str), SkipReason> {
    let whole = Ok((FrontMatter::default(), text));
    let mut lines = text.split_inclusive('\n').map(|line| (line.len(), line.trim_end()));
    let Some((mut read, "---")) = lines.next() else {
        return whole;
    };
    let mut front = FrontMatter::default();
    // Kept until the closing line is found: without it, the first line was a rule.
    let mut fault = None;
    let mut begun = false;
    for (number, (length, line)) in (2..).zip(lines) {
        if number == 2 && line.is_empty() {
            return whole;
        }
        read += length;
        if line == "---" {
            return fault.map_or_else(|| Ok((front, text.get(read..).unwrap_or_default())), Err);
        }
        match front.line(line, folder) {
            Ok(is_key) => begun |= is_key && number == 2,
            Err(detail) => fault = fault.or(Some(SkipReason::FrontMatter { line: number, detail })),
        }
    }
    if !begun {
        return whole;
    }
    let detail = "the front matter begins here and does not end; close it with a line of ---".to_owned();
    Err(SkipReason::FrontMatter { line: 1, detail })
}

impl FrontMatter {
    /// Takes a line in; says whether it held a key, or what is wrong with it.
    fn line(&mut self, line: &str, folder: Trust) -> Result<bool, String> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(false);
        }
        let Some((key, value)) = line.split_once(':') else {
            return Err(format!("{line:?} is no front matter; write key: value, with the keys {KEYS}"));
        };
        let value = unquoted(value.trim());
        let twice = match key {
            "title" if value.is_empty() => {
                return Err("title is empty; write one or take the line out".to_owned());
            }
            "title" => self.title.replace(value.to_owned()).is_some(),
            "language" => {
                let language = value.parse().map_err(|error| format!("language: {error}"))?;
                self.language.replace(language).is_some()
            }
            "date" => self.date.replace(day(key, value)?).is_some(),
            "valid_until" => self.valid_until.replace(day(key, value)?).is_some(),
            "trust" => self.trust.replace(trust(value, folder)?).is_some(),
            _ => return Err(format!("unknown key {key:?}; the keys are {KEYS}")),
        };
        if twice { Err(format!("{key} is there twice; take one out")) } else { Ok(true) }
    }
}

/// A day as ISO 8601 has it.
pub(crate) fn day(key: &str, value: &str) -> Result<String, String> {
    let parsed: Result<jiff::civil::Date, _> = value.parse();
    // The parser also takes a date with a time behind it, and years of six digits.
    match parsed {
        Ok(date) if date.to_string() == value => Ok(value.to_owned()),
        _ => Err(format!("{key}: {value:?} is no day; write year-month-day, such as 2026-03-01")),
    }
}

pub(crate) fn trust(value: &str, folder: Trust) -> Result<Trust, String> {
    match value {
        "customer" => Ok(Trust::Customer),
        "shop" if folder == Trust::Shop => Ok(Trust::Shop),
        "shop" => Err("trust: \"shop\" cannot be said here; move the file to documents/".to_owned()),
        _ => Err(format!("trust: {value:?} is not known; write \"shop\" or \"customer\"")),
    }
}

fn unquoted(value: &str) -> &str {
    let within = |mark: char| value.strip_prefix(mark)?.strip_suffix(mark);
    within('"').or_else(|| within('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str, folder: Trust) -> (usize, String) {
        match take_off(text, folder) {
            Err(SkipReason::FrontMatter { line, detail }) => (line, detail),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_a_file_says_about_itself_is_taken_off() {
        let text = "---\n# ours\ntitle: \"Envíos: todo\"\nlanguage: es\n\ntrust: customer\ndate: 2026-03-01\n\
            valid_until: '2026-12-31'\n--- \nText\n";
        let (front, body) = take_off(text, Trust::Shop).unwrap();
        assert_eq!(front.title.as_deref(), Some("Envíos: todo"));
        assert_eq!((front.language, front.trust), (Some(Lang::ES), Some(Trust::Customer)));
        assert_eq!(front.date.as_deref(), Some("2026-03-01"));
        assert_eq!(front.valid_until.as_deref(), Some("2026-12-31"));
        assert_eq!(body, "Text\n");
    }

    #[test]
    fn a_rule_is_no_front_matter() {
        for text in ["---\n\nText\n\n---\n", "Text\n---\n", "---", "---\nText", "", "----\ntitle: x\n---\n"] {
            assert_eq!(take_off(text, Trust::Shop), Ok((FrontMatter::default(), text)), "{text:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        assert_eq!(fault("---\ntitle: a\ntitel: b\n---\n", Trust::Shop).0, 3);
        assert!(fault("---\ntitel: b\n---\n", Trust::Shop).1.contains("\"titel\""));
        assert!(fault("---\nlanguage: español\n---\n", Trust::Shop).1.contains("two-letter"));
        assert!(fault("---\ntrust: yes\n---\n", Trust::Shop).1.contains("\"customer\""));
        assert!(fault("---\ntrust: shop\n---\n", Trust::Customer).1.contains("documents/"));
        assert!(fault("---\ntitle: a\ntitle: b\n---\n", Trust::Shop).1.contains("twice"));
        for bad in ["2026-02-30", "01.03.2026", "2026-03-01T10:00", "soon", ""] {
            assert!(
                fault(&format!("---\ndate: {bad}\n---\n"), Trust::Shop).1.contains("2026-03-01"),
                "{bad}"
            );
            assert_eq!(fault(&format!("---\nvalid_until: {bad}\n---\n"), Trust::Shop).0, 2);
        }
        assert!(fault("---\njust words\n---\n", Trust::Shop).1.contains("key: value"));
        assert_eq!(fault("---\ntitle: a\nText\n", Trust::Shop).0, 1);
    }
}
