//! Pages that state different values of one thing are named, and pages that speak of two things are not.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::sync::Arc;

use mostrador_answer::gate::{Contradiction, contradictions};
use mostrador_answer::passage::{Passage, SourceId, Trust};
use mostrador_language::{Lang, Packs};

fn passage(source: &str, headings: &[&str], text: &str, lang: Lang) -> Arc<Passage> {
    let source = SourceId::new(source).unwrap();
    let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
    Arc::new(Passage { headings, ..Passage::new(source, text, lang) })
}

fn found(passages: &[Arc<Passage>]) -> Vec<Contradiction> {
    contradictions(passages, &Packs::default())
}

/// Two pages with a sentence each, in one language.
fn two(lang: Lang, one: &str, other: &str) -> Vec<Contradiction> {
    found(&[passage("a#1", &[], one, lang), passage("b#1", &[], other, lang)])
}

/// Planted in every language: two statements, and the values that do not go together.
const PLANTED: [(&str, &str, &str, &str, &str); 26] = [
    (
        "en",
        "Unused items can be returned within 30 days.",
        "Items that are unused can be returned within 14 days.",
        "30 days",
        "14 days",
    ),
    ("en", "Home delivery costs £4.90.", "Home delivery costs £5.90; parcels are tracked.", "£4.90", "£5.90"),
    ("en", "The shop opens on Saturdays at 9:00.", "The shop opens on Saturdays at 10:00.", "9:00", "10:00"),
    (
        "en",
        "Head torches carry a warranty of 2 years.",
        "Head torches carry a warranty of 3 years.",
        "2 years",
        "3 years",
    ),
    ("es", "El envío a domicilio cuesta 4,90 €.", "El envío a domicilio cuesta 5,50 €.", "4,90 €", "5,50 €"),
    (
        "es",
        "Los cuencos tienen una garantía de 2 años.",
        "Los cuencos tienen una garantía de 3 años.",
        "2 años",
        "3 años",
    ),
    ("bg", "Доставката до офис струва 5 лв.", "Доставката до офис струва 7 лв.", "5 лв", "7 лв"),
    ("bg", "Рамките имат гаранция 5 години.", "Рамките имат гаранция 3 години.", "5 години", "3 години"),
    (
        "pt",
        "A entrega ao domicílio custa 4,90 €.",
        "A entrega ao domicílio custa 6,90 €.",
        "4,90 €",
        "6,90 €",
    ),
    ("pt", "Os pratos têm garantia de 2 anos.", "Os pratos têm garantia de 5 anos.", "2 anos", "5 anos"),
    (
        "fr",
        "La livraison à domicile coûte 4,90 €.",
        "La livraison à domicile coûte 6,90 €.",
        "4,90 €",
        "6,90 €",
    ),
    ("fr", "Les cruches sont garanties 2 ans.", "Les cruches sont garanties 3 ans.", "2 ans", "3 ans"),
    (
        "de",
        "Der Versand nach Hause kostet 4,90 €.",
        "Der Versand nach Hause kostet 5,90 €.",
        "4,90 €",
        "5,90 €",
    ),
    (
        "de",
        "Auf Krüge geben wir 2 Jahre Garantie.",
        "Auf Krüge geben wir 3 Jahre Garantie.",
        "2 Jahre",
        "3 Jahre",
    ),
    (
        "ru",
        "Доставка на дом стоит 300 рублей.",
        "Доставка на дом стоит 400 рублей.",
        "300 рублей",
        "400 рублей",
    ),
    (
        "ru",
        "Гарантия на чайники действует 2 года.",
        "Гарантия на чайники действует 3 года.",
        "2 года",
        "3 года",
    ),
    ("ar", "يكلف التوصيل إلى المنزل 5 دنانير.", "يكلف التوصيل إلى المنزل 7 دنانير.", "5 دنانير", "7 دنانير"),
    ("ar", "مدة ضمان الأباريق 2 سنة.", "مدة ضمان الأباريق 3 سنوات.", "2 سنة", "3 سنوات"),
    (
        "fa",
        "هزینه ارسال به منزل 50000 تومان است.",
        "هزینه ارسال به منزل 70000 تومان است.",
        "50000 تومان",
        "70000 تومان",
    ),
    ("fa", "ضمانت پارچ‌های شیشه‌ای 2 سال است.", "ضمانت پارچ‌های شیشه‌ای 3 سال است.", "2 سال", "3 سال"),
    ("hi", "घर तक डिलीवरी का शुल्क 50 रुपये है।", "घर तक डिलीवरी का शुल्क 80 रुपये है।", "50 रुपये", "80 रुपये"),
    ("hi", "जग पर वारंटी 2 साल है।", "जग पर वारंटी 3 साल है।", "2 साल", "3 साल"),
    ("zh", "送货上门运费为10元。", "送货上门运费为15元。", "10元", "15元"),
    ("zh", "水壶保修期为2年。", "水壶保修期为3年。", "2年", "3年"),
    (
        "en",
        "A booking deposit of £10 is kept if you cancel late.",
        "A booking deposit of £20 is kept if you cancel late.",
        "£10",
        "£20",
    ),
    ("de", "Ein Paket wiegt bis zu 20 kg.", "Ein Paket wiegt bis zu 30 kg.", "20 kg", "30 kg"),
];

#[test]
fn planted_contradictions_are_found_with_both_values_in_every_language() {
    let mut wrong = Vec::new();
    for (lang, one, other, first, second) in PLANTED {
        let found = two(lang.parse().unwrap(), one, other);
        let values: Vec<_> =
            found.iter().map(|pair| (pair.one.value.as_str(), pair.other.value.as_str())).collect();
        if !matches!(values[..], [(one, other)] if one.contains(first) && other.contains(second)) {
            wrong.push(format!("{lang}: {one} / {other}: {values:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_said_of_two_things_is_no_contradiction() {
    for (one, other) in [
        // The same, written in another way.
        ("Home delivery costs £4.90.", "Home delivery costs 4.90 pounds."),
        ("The warranty lasts 2 years.", "The warranty lasts 24 months."),
        // Another plan, another place, another limit, another period, another currency.
        ("The Basic plan costs £9 a month.", "The Pro plan costs £29 a month."),
        ("Home delivery costs £4.90.", "Home delivery to islands costs £9.90."),
        ("Home delivery costs at least £4.90.", "Home delivery costs £9.90."),
        ("The storage plan costs £5 a month.", "The storage plan costs £50 a year."),
        ("Home delivery costs £4.90.", "Home delivery costs 6 euros."),
        // A condition, an exception, a denial.
        ("Home delivery costs £4.90.", "If the parcel is heavy, home delivery costs £9.90."),
        ("Home delivery costs £4.90.", "Home delivery costs £9.90, except for members."),
        ("Home delivery does not cost £9.90.", "Home delivery costs £4.90."),
        // One of them tells of both.
        (
            "Home delivery costs £4.90 by post. Home delivery costs £9.90 by van.",
            "Home delivery costs £9.90.",
        ),
        // Too little is said beside the value.
        ("It costs £5.", "It costs £6."),
        // A number is the name of one of several, and an address is not compared.
        ("The lamp of series 8 costs £5.", "The lamp of series 9 costs £6."),
        ("The lamp of series 8 costs £5.", "The lamp of series 9 costs £5."),
        ("Write to the repair desk: repairs@shop.example.", "Write to the repair desk: desk@shop.example."),
    ] {
        assert_eq!(two(Lang::EN, one, other), [], "{one} / {other}");
    }
}

#[test]
fn headings_trust_and_language_tell_things_apart() {
    let text = |price: &str| format!("The retail price is {price}.");
    let page = |source: &str, heading: &str, price: &str| passage(source, &[heading], &text(price), Lang::EN);
    assert_eq!(found(&[page("a#1", "Lamp Orla", "£35"), page("b#1", "Lamp Nube", "£28")]), []);
    assert_eq!(found(&[page("a#1", "Lamp 3", "£35"), page("b#1", "Lamp 4", "£28")]), []);
    // The day of a page tells nothing apart.
    let dated = |source: &str, price: &str, day: &str| {
        let page = page(source, "Lamp Orla", price);
        Arc::new(Passage { date: Some(day.to_owned()), ..(*page).clone() })
    };
    assert_eq!(found(&[dated("a#1", "£35", "2026-01-01"), dated("b#1", "£28", "2026-05-01")]).len(), 1);
    // A page of questions says the same things under a heading of its own.
    let pair = [
        passage("a#1", &["Delivery"], "Home delivery costs £5.", Lang::EN),
        passage("b#1", &["Questions"], "Home delivery costs £6.", Lang::EN),
    ];
    assert_eq!(found(&pair).len(), 1);
    let review = Passage { trust: Trust::Customer, ..(*pair[1]).clone() };
    assert_eq!(found(&[pair[0].clone(), Arc::new(review)]), [], "what others write is no page");
    let spanish = Passage { language: Lang::ES, ..(*pair[1]).clone() };
    assert_eq!(found(&[pair[0].clone(), Arc::new(spanish)]), []);
}

#[test]
fn each_pair_is_named_once_in_the_order_of_the_pages() {
    let costs = |price: u32| format!("Home delivery costs £{price}. Parcel delivery costs £{price}.");
    let pages: Vec<_> = (1..=3).map(|n| passage(&format!("p#{n}"), &[], &costs(n), Lang::EN)).collect();
    let pairs: Vec<(String, String)> = found(&pages)
        .into_iter()
        .map(|pair| (pair.one.source.to_string(), pair.other.source.to_string()))
        .collect();
    let named = |one: &str, other: &str| (one.to_owned(), other.to_owned());
    assert_eq!(pairs, [named("p#1", "p#2"), named("p#1", "p#3"), named("p#2", "p#3")]);
    let found = found(&pages);
    assert_eq!(
        (found[0].one.value.as_str(), found[0].one.sentence.as_str()),
        ("£1", "Home delivery costs £1.")
    );
}
