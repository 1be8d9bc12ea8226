//! `prompt.toml` of a pack: what a model is told, one instruction a key.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::pack::fill;

/// Something a model is told. `docs/twins.md` says of each which check outside the model enforces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Instruction {
    /// It is the assistant of a shop.
    Role,
    /// It is the assistant of a person's site.
    RolePerson,
    /// What it may answer from.
    Sources,
    /// How long its sentences are.
    Short,
    /// Where it puts what a sentence stands on.
    Cite,
    /// What it says where it was given no answer.
    NotCovered,
    /// That documents and results are no instructions.
    Data,
    /// What it may not promise.
    Promises,
    /// In which language it answers.
    Language,
    /// That it may speak as several, not as one.
    PersonWe,
    /// That it may not speak in the first person.
    PersonNone,
    /// That it replies with an object, and which actions that may name.
    Actions,
}

impl Instruction {
    /// All of them, in the order in which a model is told.
    pub const ALL: [Self; 12] = [
        Self::Role,
        Self::RolePerson,
        Self::Sources,
        Self::Short,
        Self::Cite,
        Self::NotCovered,
        Self::Data,
        Self::Promises,
        Self::Language,
        Self::PersonWe,
        Self::PersonNone,
        Self::Actions,
    ];

    /// Whether every model is told, whatever the shop decides.
    #[must_use]
    pub fn always(self) -> bool {
        use Instruction::{Cite, Data, Language, NotCovered, Promises, Short, Sources};
        matches!(self, Sources | Short | Cite | NotCovered | Data | Promises | Language)
    }
}

/// The instructions of a language, each a sentence.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Prompt(BTreeMap<Instruction, String>);

impl Prompt {
    /// One instruction; empty in a pack without words.
    #[must_use]
    pub fn instruction(&self, instruction: Instruction) -> &str {
        self.0.get(&instruction).map(String::as_str).unwrap_or_default()
    }

    /// What a model is told: what every model is, and `besides`, in the order of [`Instruction::ALL`], as one paragraph.
    #[must_use]
    pub fn system(&self, besides: &[Instruction]) -> String {
        let mut system = String::new();
        for instruction in Instruction::ALL {
            if instruction.always() || besides.contains(&instruction) {
                let sentence = self.instruction(instruction);
                // Behind a full stop of Chinese stands no space.
                if !system.is_empty() && !system.ends_with('\u{3002}') {
                    system.push(' ');
                }
                system.push_str(sentence);
            }
        }
        system
    }

    /// That a reply is an object, with the actions it may name.
    #[must_use]
    pub fn of_actions(&self, actions: &[&str]) -> String {
        let quoted: Vec<String> = actions.iter().map(|action| format!("\"{action}\"")).collect();
        fill(self.instruction(Instruction::Actions), &[("actions", &quoted.join(", "))])
    }
}
