//! The result of a look-up as a text with places for the columns.

/// A text read once: pieces as they stand, and columns in braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Column(String),
}

impl Template {
    /// Reads a text. A brace without its partner stays as it is.
    pub(crate) fn parse(text: &str) -> Self {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, name, behind)) = next(rest) {
            pieces.push(Piece::Text(before.to_owned()));
            pieces.push(Piece::Column(name.trim().to_owned()));
            rest = behind;
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Self(pieces)
    }

    /// The columns it names, in order.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Column(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// The text with each column's value; `<` and `>` are left out, so that no value closes a mark.
    pub(crate) fn fill<'a>(&self, value: impl Fn(&str) -> Option<&'a str>) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Text(text) => text.as_str(),
            Piece::Column(name) => value(name).unwrap_or_default(),
        });
        pieces.collect::<String>().replace(['<', '>'], "")
    }
}

fn next(text: &str) -> Option<(&str, &str, &str)> {
    let (before, after) = text.split_once('{')?;
    let (name, behind) = after.split_once('}')?;
    Some((before, name, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_never_read_as_a_place() {
        let template = Template::parse("{ id }: {state} {");
        assert_eq!(template.columns().collect::<Vec<_>>(), ["id", "state"]);
        let value = |name: &str| Some(if name == "id" { "{state}" } else { "<b>sent" });
        assert_eq!(template.fill(value), "{state}: bsent {");
        assert_eq!(Template::parse("plain").columns().count(), 0);
    }
}
