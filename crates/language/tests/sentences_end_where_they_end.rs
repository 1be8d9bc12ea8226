//! Where sentences end in each language, and what is waited for.

use mostrador_language::{Lang, Pack, SentenceStream};

/// Each text has its sentences divided by `|`.
fn cut(lang: Lang, texts: &[&str]) {
    for marked in texts {
        let expected: Vec<&str> = marked.split('|').collect();
        assert_eq!(Pack::of(lang).sentences(&marked.replace('|', "")), expected);
    }
}

#[test]
fn spanish() {
    cut(
        Lang::ES,
        &[
            "Cuesta 3.50 €. |Gratis desde 50 €.",
            "El Sr. Pérez llama a las 10.30 h.",
            "El Sr. Pérez llama a las 10.30 h. |Luego escribe.",
            "Hay lámparas, p. ej. Orla, y p.ej. Luna. |Mira el núm. 5 en la pág. 12.",
            "¿Cuánto tarda? |¡Dos días!",
            "¿Cuánto?|¡Dos días!",
            "Hay cables, pilas, etc. en la tienda. |Hay cables, etc. |También pilas.",
            "Dijo «Es gratis. Siempre.» y colgó. |Dijo: «Es gratis.» |Colgó.",
            "«¿Es gratis?» preguntó Ana. |(¿Es gratis? Sí.) |Vale.",
            "Escribe a J. R. Pérez. |EE. UU. no entra.",
            "1. Abre la caja. |2. Mira.",
            "**1.** Abre la caja. |**Mira.** |Ya.",
            "Mira... y verás. |Mira... |Verás.",
        ],
    );
}

#[test]
fn german() {
    cut(
        Lang::DE,
        &[
            "Wir öffnen am 1. Oktober, z. B. 3 € weniger. |Am 3. Mai zahlen Sie z.B. 3 €.",
            "1. Oktober bis 3. Mai. |Im Jahr 2024. |Lampen kosten 5. |Das ist wenig.",
            "Er sagte: „Ja. Gern.“ |Sie fragte: ,,Wann?” und ging.",
            "Lampen, Tische usw. |Preise inkl. MwSt. |Es gilt das o. g. Recht.",
        ],
    );
}

#[test]
fn bulgarian() {
    cut(
        Lang::BG,
        &[
            "Доставката е 3.50 €. |Над 50 € е безплатна.",
            "Магазинът е на ул. Шипка 5, гр. София. |Вземете я от бул. Витоша.",
            "На 3. октомври пристига. |Обадете се на тел. 0700 12345.",
            "Тя каза: „Безплатно е. Винаги.“ |После затвори.",
            "Струва 5 лв. за офис. |Струва 5 лв. |Над 50 лв. е безплатно.",
        ],
    );
}

#[test]
fn english() {
    cut(
        Lang::EN,
        &[
            "See https://shop.example/a.b?c=d. |Next.",
            "Write to help@shop.example or see www.shop.example. |We answer within a day!",
            "Mr. Smith paid $3.50. |Why? |Ask Dr. J. Watson.",
            "Use small parts, e.g. Bolts. |Order No. 5 is late. |Is it? |No. |Fine.",
            "She said \"It is free. Always.\" |Then she left.",
            "A 5\" screen costs 30 €. |A 7\" one costs 50 €.",
            "Sorry :( It costs 3 €. |Really.",
            "Open [the \"box. Then wait.\n|Next.",
            "I live in the U.S. |How about you? |The U.S. Army goes on, e.g. The Hague.",
            "Ask Smith & Co. |They know. |Ask Smith & Co. Brown.",
            "we deliver on mondays. |ask us. it is free, approx. two days.",
            "Hello world.|Today it rains. |See Node.js, Booking.Com or a@Shop.Example for it.",
            "It is good.10 |Next. |It is 3.5 Euro.",
            "He came (in a hurry.) Then he left. |(He came.) |Then he left.",
            "'Is it. Yes.' she said. |In the 'nineties. |It was.",
            "Wait -- really! -- and go. |Go! |-- Yes.",
            "It is . . . I think . . . good. |Well. |. . . The end.",
            "1. Unpack it |2. Switch it on |3. Done. |• 4.5 kg |• 3 litres",
            "It flows \nover lines, \nlike this.\n|Not here\n|or here  \n|or \n|Here.",
        ],
    );
}

#[test]
fn other_scripts_have_marks_of_their_own() {
    cut(
        "zh".parse().unwrap(),
        &["七天内可退。|运费三元。|「可以。」|好！", "هل الشحن مجاني؟ |نعم.", "यह मुफ़्त है। |हाँ।"],
    );
}

#[test]
fn a_citation_belongs_to_the_sentence_it_closes() {
    cut(
        Lang::EN,
        &[
            "Text. [returns#1] |Next.",
            "Text. [returns#1]|Next.",
            "Text.[returns#1] |next.",
            "Text. [a/b-c#1][d#2] [3] |Next [4]. |Last.",
            "Text. [4][1][4]. |Next.",
            "Text? [a#1, b#2] |Next.",
            "Vitamin C. [a#1] |Next.",
            "Text. |[Note] Next. |[Open",
            "Text. |[see b#1 (here)] Next.",
            "Version.[x is free. Next.",
            "Text.\n|[a#1] Next.",
        ],
    );
}

#[test]
fn a_line_ends_a_sentence() {
    cut(
        Lang::EN,
        &["\n\n Delivery", "Delivery\n\n|- 3 €\r\n|- 5 €\n", "One\u{2028}|two", "  ", "Text.  \n |Next."],
    );
    assert_eq!(Pack::of(Lang::EN).sentences(""), Vec::<String>::new());
}

#[test]
fn nothing_is_closed_before_what_follows_is_known() {
    let nothing = Vec::<String>::new();
    let mut stream = SentenceStream::new(Pack::of(Lang::ES));
    for piece in ["Cuesta 3", ".", "50 €.", " ", "[a#1", "] "] {
        assert_eq!(stream.push(piece), nothing, "{piece:?}");
    }
    assert_eq!(stream.push("G"), ["Cuesta 3.50 €. [a#1] "]);
    assert_eq!(stream.finish(), ["G"]);
    assert_eq!(stream.finish(), nothing);
    assert_eq!(stream.push("Text. [a#1"), nothing);
    assert_eq!(stream.finish(), ["Text. ", "[a#1"]);
    assert_eq!(stream.push("gratis."), nothing);
    assert_eq!(stream.finish(), ["gratis."]);
}

#[test]
fn what_nothing_closes_is_given_up() {
    for open in ["(", "\"", "„", "[", "«"] {
        let text = format!("Before {open}it. {}Then. Next.", "x ".repeat(300));
        let found = Pack::of(Lang::EN).sentences(&text);
        assert_eq!(found.last().map(String::as_str), Some("Next."), "{open}");
        assert_eq!(found.len(), 2, "{open}");
    }
}
