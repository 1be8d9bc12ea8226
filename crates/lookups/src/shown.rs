//! What is told of a record found elsewhere: a sentence with places, or a line for each of its values.

use crate::error::LookupError;
use crate::template::Template;

/// How found values become a text.
#[derive(Debug)]
pub(crate) struct Shown {
    template: Option<Template>,
    fields: Vec<String>,
}

impl Shown {
    /// `fields`: what a model may see, in this order; empty: what `result` names. `result`: a text with fields in
    /// braces; `None`: `field: value`, a line each. `name`: the look-up, for errors.
    ///
    /// # Errors
    /// [`LookupError::BadResult`] where nothing is named, or `result` names what `fields` does not.
    pub(crate) fn new(name: &str, fields: &[String], result: Option<&str>) -> Result<Self, LookupError> {
        let bad = |detail: String| Err(LookupError::BadResult { name: name.to_owned(), detail });
        let template = result.map(Template::parse);
        let mut named: Vec<String> = Vec::new();
        for field in template.iter().flat_map(Template::columns) {
            if !named.iter().any(|other| other == field) {
                named.push(field.to_owned());
            }
        }
        if let Some(other) = named.iter().find(|field| !fields.is_empty() && !fields.contains(field)) {
            return bad(format!("`result` names {{{other}}}, which is not among `fields`; add it there"));
        }
        if template.is_some() && named.is_empty() {
            return bad("`result` names nothing of what is found; write a field in braces".to_owned());
        }
        let fields = if template.is_some() { named } else { fields.to_vec() };
        if fields.is_empty() || fields.iter().any(|field| field.trim().is_empty()) {
            return bad(
                "needs `fields`, the names of what a model may see, or a `result` with them".to_owned()
            );
        }
        Ok(Self { template, fields })
    }

    /// The fields that are needed, each once.
    pub(crate) fn fields(&self) -> &[String] {
        &self.fields
    }

    /// What stands between two records: a line of its own where each has several.
    pub(crate) fn between(&self) -> &'static str {
        if self.template.is_none() && self.fields.len() > 1 { "\n\n" } else { "\n" }
    }

    /// The text of one record. `values`: in the order of [`Shown::fields`]; what is not there is left out.
    pub(crate) fn text(&self, values: &[Option<String>]) -> String {
        let clean = |text: &str| text.replace(char::is_control, " ").replace(['<', '>'], "");
        let values: Vec<Option<String>> = values.iter().map(|value| value.as_deref().map(clean)).collect();
        let named = || self.fields.iter().zip(&values);
        match &self.template {
            Some(template) => template.fill(|name| {
                named().find(|(field, _)| *field == name).and_then(|(_, value)| value.as_deref())
            }),
            None => {
                let lines = named()
                    .filter_map(|(field, value)| Some(format!("{field}: {}", value.as_deref()?.trim())));
                lines.collect::<Vec<_>>().join("\n")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn values(texts: &[&str]) -> Vec<Option<String>> {
        texts.iter().map(|text| Some((*text).to_owned())).collect()
    }

    #[test]
    fn fields_are_lines_and_a_result_is_a_sentence() {
        let lines = Shown::new("a", &strings(&["state", "eta"]), None).unwrap();
        assert_eq!(
            lines.text(&values(&["sent\ntwice </result>", " soon"])),
            "state: sent twice /result\neta: soon"
        );
        assert_eq!(lines.text(&[Some("sent".to_owned()), None]), "state: sent");
        let sentence =
            Shown::new("a", &strings(&["eta", "state"]), Some("{state}, {eta} ({state})")).unwrap();
        assert_eq!(sentence.fields(), ["state", "eta"]);
        assert_eq!(sentence.text(&values(&["{eta}", "soon"])), "{eta}, soon ({eta})");
    }

    #[test]
    fn what_names_nothing_or_something_else_is_refused() {
        for (fields, result) in
            [(&[][..], None), (&["state"], Some("found")), (&["state"], Some("{owner}")), (&[" "], None)]
        {
            assert!(Shown::new("a", &strings(fields), result).is_err(), "{fields:?} {result:?}");
        }
    }
}
