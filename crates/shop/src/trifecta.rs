//! What each part of a shop brings to a turn: private data, outsiders' text, a way out. With all three
//! together, what an outsider wrote could make a model carry a customer's data away.

use mostrador_answer::passage::Trust;
use serde::Serialize;

use crate::folder::Shop;
use crate::tools::ToolConfig;

/// A part of the configuration, and what it brings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What it is called in messages: `documents`, `tool get_order_status`, ….
    pub name: String,
    /// Whether it reads what belongs to one customer.
    pub private_data: bool,
    /// Whether it puts before the model what others than the shop wrote.
    pub outsiders_text: bool,
    /// Whether what the model writes leaves the machine through it.
    pub way_out: bool,
}

impl Part {
    /// A part that brings nothing.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), private_data: false, outsiders_text: false, way_out: false }
    }
}

/// All three are together, and nobody has said why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "shop.toml brings together private data ({private_data}), outsiders' text ({outsiders_text}) and a way out \
     ({way_out}): what an outsider wrote could make the model send a customer's data away; take one of the \
     three out, or write `accept_trifecta = \"…\"` with the reason at the top of shop.toml"
)]
pub struct TrifectaError {
    /// The parts that bring private data, with commas.
    pub private_data: String,
    /// Those that bring outsiders' text.
    pub outsiders_text: String,
    /// Those that are a way out.
    pub way_out: String,
}

/// What the parts of a shop bring together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trifecta {
    /// The parts.
    pub parts: Vec<Part>,
    /// What they bring, all in all.
    pub together: Part,
    /// Why that may be, as the shop says; `None` where it does not.
    pub accepted: Option<String>,
}

impl Trifecta {
    /// What a shop brings together.
    ///
    /// # Errors
    /// [`TrifectaError`] where it is all three, and `accept_trifecta` does not say why.
    pub fn of(shop: &Shop) -> Result<Self, TrifectaError> {
        let accepted = shop.config().accept_trifecta.as_ref().map(|reason| reason.0.clone());
        Self::judge(parts(shop), accepted)
    }

    fn judge(parts: Vec<Part>, accepted: Option<String>) -> Result<Self, TrifectaError> {
        let together = parts.iter().fold(Part::new("all together"), |all, part| Part {
            name: all.name,
            private_data: all.private_data || part.private_data,
            outsiders_text: all.outsiders_text || part.outsiders_text,
            way_out: all.way_out || part.way_out,
        });
        let found = Self { parts, together, accepted };
        if found.is_whole() && found.accepted.is_none() {
            return Err(TrifectaError {
                private_data: found.named(|part| part.private_data),
                outsiders_text: found.named(|part| part.outsiders_text),
                way_out: found.named(|part| part.way_out),
            });
        }
        Ok(found)
    }

    /// Whether all three are together.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let Part { private_data, outsiders_text, way_out, .. } = &self.together;
        *private_data && *outsiders_text && *way_out
    }

    /// What its owner should know: that all three are together, and the reason given; or that a reason is
    /// given for nothing.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let reason = self.accepted.as_ref()?;
        Some(if self.is_whole() {
            format!(
                "private data, outsiders' text and a way out are together, accepted by shop.toml because: {reason}"
            )
        } else {
            "`accept_trifecta` accepts what is not there: private data, outsiders' text and a way out are not \
             together; take it out of shop.toml, so that it does not hide the day they are"
                .to_owned()
        })
    }

    fn named(&self, brings: impl Fn(&Part) -> bool) -> String {
        let names = self.parts.iter().filter(|part| brings(part)).map(|part| part.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }
}

/// What the parts of a shop bring, each by itself, by its configuration.
#[must_use]
pub fn parts(shop: &Shop) -> Vec<Part> {
    let config = shop.config();
    // Pages of the documents that say they are an outsider's are searched only with the reviews.
    let reviews = config.retrieval.reviews;
    let reviews = reviews.then(|| Part { outsiders_text: true, ..Part::new("reviews") });
    let tools = config.tools.iter().map(|config| tool(config.get_ref()));
    std::iter::once(Part::new("documents")).chain(reviews).chain(tools).collect()
}

/// A look-up that is not public reads what belongs to a customer.
fn tool(config: &ToolConfig) -> Part {
    Part {
        name: format!("tool {}", config.name.0),
        private_data: !config.public,
        outsiders_text: config.trust == Trust::Customer,
        way_out: config.way_out(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, private_data: bool, outsiders_text: bool, way_out: bool) -> Part {
        Part { name: name.to_owned(), private_data, outsiders_text, way_out }
    }

    fn shop(rest: &str) -> Shop {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("shop.toml"),
            format!("name = \"a\"\nlanguages = [\"en\"]\n{rest}"),
        )
        .unwrap();
        Shop::read(folder.path()).unwrap()
    }

    const TOOL: &str =
        "[[tools]]\nname = \"orders\"\ndescription = \"\"\nfile = \"o.csv\"\nkey = \"n\"\nresult = \"\"\n";

    #[test]
    fn any_two_of_the_three_may_be_together_and_all_three_may_not() {
        for bits in 0..8u8 {
            let (private, outsiders, out) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0);
            let parts = vec![
                part("a", private, false, false),
                part("b", false, outsiders, false),
                part("c", false, false, out),
            ];
            assert_eq!(Trifecta::judge(parts, None).is_err(), bits == 7, "{bits}");
        }
        assert!(Trifecta::judge(vec![part("one tool", true, true, true)], None).is_err());
    }

    #[test]
    fn the_error_names_which_part_brings_what() {
        let parts = vec![
            part("documents", false, false, false),
            part("reviews", false, true, false),
            part("tool orders", true, false, false),
            part("tool track", true, false, true),
        ];
        let error = Trifecta::judge(parts, None).unwrap_err().to_string();
        for says in [
            "private data (tool orders, tool track)",
            "outsiders' text (reviews)",
            "a way out (tool track)",
            "accept_trifecta",
        ] {
            assert!(error.contains(says), "{error}");
        }
        assert!(!error.contains("documents"), "{error}");
    }

    #[test]
    fn a_reason_lets_all_three_be_together_and_is_said_again() {
        let all = || vec![part("a", true, true, true)];
        let found = Trifecta::judge(all(), Some("a colleague reads along".to_owned())).unwrap();
        assert!(found.warning().unwrap().ends_with("because: a colleague reads along"));
        let found =
            Trifecta::judge(vec![part("a", true, true, false)], Some("left over".to_owned())).unwrap();
        assert!(found.warning().unwrap().contains("is not there"));
        assert_eq!(Trifecta::judge(Vec::new(), None).unwrap().warning(), None);
    }

    #[test]
    fn a_shop_brings_what_its_configuration_says() {
        assert_eq!(parts(&shop("")), [Part::new("documents")]);
        let all = shop(&format!("[retrieval]\nreviews = true\n{TOOL}owner = \"customer\"\n"));
        assert_eq!(
            parts(&all),
            [
                part("documents", false, false, false),
                part("reviews", false, true, false),
                part("tool orders", true, false, false)
            ]
        );
        let found = Trifecta::of(&all).unwrap();
        assert_eq!(found.together, part("all together", true, true, false));
        let public = shop(&format!("{TOOL}public = true\n"));
        assert_eq!(parts(&public)[1], part("tool orders", false, false, false));
    }

    #[test]
    fn a_reason_has_something_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let text = "name = \"a\"\nlanguages = [\"en\"]\naccept_trifecta = \" \"\n";
        std::fs::write(folder.path().join("shop.toml"), text).unwrap();
        let error = Shop::read(folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("shop.toml:3: `accept_trifecta`"), "{error}");
    }
}
