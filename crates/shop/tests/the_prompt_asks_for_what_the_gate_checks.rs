//! A model is asked for the person that the gate checks, in the shop's language, and for an object where one is read.
#![allow(clippy::unwrap_used)]

use mostrador_answer::gate::Person;
use mostrador_language::{Instruction, Lang, Pack};
use mostrador_shop::Shop;
use mostrador_shop::config::ModelKind;

fn shop(lang: Lang, config: &str) -> Shop {
    let folder = tempfile::tempdir().unwrap();
    let config = format!("name = \"Probe\"\nlanguages = [\"{lang}\"]\n{config}");
    std::fs::write(folder.path().join("shop.toml"), config).unwrap();
    Shop::read(folder.path()).unwrap()
}

const OWNER: &str = "[owner]\nnames = [\"Vera Moss\"]\n";

#[test]
fn a_persons_site_forbids_the_first_person_and_a_shop_allows_we() {
    let scripted = "[model]\nkind = \"scripted\"\n";
    for lang in Pack::languages() {
        let prompt = &Pack::of(lang).prompt;
        for (config, person, told, role) in [
            (String::new(), Person::We, Some(Instruction::PersonWe), Instruction::Role),
            (OWNER.to_owned(), Person::None, Some(Instruction::PersonNone), Instruction::RolePerson),
            (
                "[gate]\nperson = \"none\"\n".to_owned(),
                Person::None,
                Some(Instruction::PersonNone),
                Instruction::Role,
            ),
            (format!("{OWNER}[gate]\nperson = \"any\"\n"), Person::Any, None, Instruction::RolePerson),
        ] {
            let settings = shop(lang, &format!("{scripted}{config}")).settings();
            assert_eq!(settings.gate.strictness.person, person, "{lang}: {config}");
            let system = settings.dialogue.system;
            for instruction in Instruction::ALL {
                let wanted = instruction.always() || Some(instruction) == told || instruction == role;
                let there = system.contains(prompt.instruction(instruction));
                assert_eq!(there, wanted, "{lang}: {config}: {instruction:?} in {system}");
            }
        }
    }
}

#[test]
fn a_model_of_another_kind_is_asked_for_what_its_own_gate_checks() {
    let shop = shop(Lang::EN, "");
    let we = Pack::of(Lang::EN).prompt.instruction(Instruction::PersonWe);
    // The one that quotes speaks as the pages do.
    assert!(!shop.system_prompt().contains(we));
    assert!(shop.settings_with(ModelKind::Scripted).dialogue.system.contains(we));
}

#[test]
fn where_replies_are_objects_the_model_is_told_so_behind_the_shops_own_words_too() {
    let own = "[model]\nkind = \"scripted\"\nsystem = \"Be kind.\"\n";
    assert_eq!(shop(Lang::EN, own).system_prompt(), "Be kind.");
    let acting = shop(Lang::EN, &format!("{own}[actions]\nallowed = [\"handoff\", \"answer\"]\n"));
    let system = acting.system_prompt();
    assert!(system.starts_with("Be kind.\nReply with one JSON object"), "{system}");
    assert!(system.contains("one of \"answer\", \"handoff\" and"), "{system}");
    assert!(acting.settings().dialogue.actions.structured());
}

#[test]
fn actions_that_could_show_nothing_are_refused() {
    let read = |config: &str| {
        let folder = tempfile::tempdir().unwrap();
        let config = format!("name = \"Probe\"\nlanguages = [\"en\"]\n{config}");
        std::fs::write(folder.path().join("shop.toml"), config).unwrap();
        Shop::read(folder.path()).map(|_| ()).unwrap_err().to_string()
    };
    for (config, says) in [
        ("[actions]\nallowed = [\"handoff\"]\n", "has no \"answer\""),
        ("[actions]\nallowed = []\n", "has no \"answer\""),
        ("[actions]\nallowed = [\"answr\"]\n", "did you mean `answer`?"),
        ("[actions]\nalowed = [\"answer\"]\n", "did you mean `allowed`?"),
    ] {
        let error = read(config);
        assert!(error.starts_with("shop.toml:") && error.contains(says), "{config}: {error}");
    }
}
