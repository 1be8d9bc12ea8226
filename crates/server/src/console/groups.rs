//! Questions nobody could answer, put together by what they ask for.

use std::collections::BTreeSet;

use mostrador_language::{Lang, Pack};
use mostrador_store::InboxItem;

/// Questions that ask for one thing, oldest first.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// The entries; one at least.
    pub(super) items: Vec<InboxItem>,
    language: Lang,
    /// The content stems of the first question.
    stems: BTreeSet<String>,
}

impl Group {
    fn of(item: InboxItem, stems: BTreeSet<String>) -> Self {
        Self { language: item.entry.language, items: vec![item], stems }
    }

    /// Whether more than half of the shorter question's content stems are in both.
    fn asks_for(&self, language: Lang, stems: &BTreeSet<String>) -> bool {
        let shared = self.stems.intersection(stems).count();
        let fewer = self.stems.len().min(stems.len());
        self.language == language && shared * 2 > fewer
    }
}

/// Groups entries, which come oldest first. Each goes to the oldest group whose first question shares more than half
/// of the content stems; the largest group comes first, of two the older. Equal entries give equal groups.
pub(super) fn grouped(items: Vec<InboxItem>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for item in items {
        let language = item.entry.language;
        let stems = Pack::of(language).content_stems(&item.entry.question).into_iter().collect();
        match groups.iter_mut().find(|group| group.asks_for(language, &stems)) {
            Some(group) => group.items.push(item),
            None => groups.push(Group::of(item, stems)),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.items.len()));
    groups
}

#[cfg(test)]
mod tests {
    use mostrador_answer::ports::{InboxEntry, UnixMillis};
    use mostrador_answer::question::TurnId;
    use mostrador_answer::stop::{Ending, RuleName};

    use super::*;

    fn asked(id: i64, language: Lang, question: &str) -> InboxItem {
        let entry = InboxEntry {
            turn: TurnId(format!("turn-{id}")),
            conversation: None,
            customer: None,
            address: None,
            ending: Ending::NoEvidence,
            rule: RuleName::own(RuleName::THRESHOLD),
            question: question.to_owned(),
            answer: String::new(),
            evidence: String::new(),
            language,
            at: UnixMillis(id),
        };
        InboxItem { id, entry, decided: None, closed: None }
    }

    fn numbers(groups: &[Group]) -> Vec<Vec<i64>> {
        groups.iter().map(|group| group.items.iter().map(|item| item.id).collect()).collect()
    }

    #[test]
    fn questions_that_ask_for_one_thing_are_together_and_the_many_come_first() {
        let items = vec![
            asked(1, Lang::EN, "Is the shop open on Sunday?"),
            asked(2, Lang::EN, "Do you rent kayaks?"),
            asked(3, Lang::EN, "Renting a kayak: is that possible?"),
            asked(4, Lang::ES, "Do you rent kayaks?"),
            asked(5, Lang::EN, "kayaks rented"),
        ];
        let groups = grouped(items.clone());
        assert_eq!(numbers(&groups), [vec![2, 3, 5], vec![1], vec![4]]);
        assert_eq!(numbers(&grouped(items)), numbers(&groups));
    }

    #[test]
    fn a_question_without_content_stands_alone() {
        let groups =
            grouped(vec![asked(1, Lang::EN, "?"), asked(2, Lang::EN, "!"), asked(3, Lang::EN, "kayak")]);
        assert_eq!(groups.len(), 3);
    }
}
