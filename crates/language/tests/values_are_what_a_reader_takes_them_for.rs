//! Values of texts in eleven languages, as their readers take them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)]

mod common;

use common::{only, values};
use mostrador_language::{Bound, Kind, Period};

/// Each line: texts with one value each, all the same; after `≠`, texts whose value is another.
fn check(lang: &str, lines: &[&str]) {
    for line in lines {
        let (alike, others) = line.split_once('≠').unwrap_or((line, ""));
        let alike: Vec<&str> = alike.split('|').map(str::trim).collect();
        let first = only(lang, alike[0]);
        for text in &alike {
            let other = only(lang, text);
            assert!(
                first.same(&other) && other.same(&first),
                "{lang}: {:?} {text:?}\n{first:?}\n{other:?}",
                alike[0]
            );
        }
        for text in others.split('|').map(str::trim).filter(|text| !text.is_empty()) {
            let other = only(lang, text);
            assert!(!first.same(&other) && !other.same(&first), "{lang}: {:?} {text:?} {other:?}", alike[0]);
        }
    }
}

#[test]
fn spanish() {
    check(
        "es",
        &[
            "3 € | EUR 3,00 | tres euros | 3,00€ | €3 | 3 EUR ≠ 3 $ | 30 € | 3 | 3 %",
            "1.200,50 € | 1200,50 € | 1,200.50 € | 1 200,50 € ≠ 1.200 €",
            "1.200 € | mil doscientos euros ≠ 1,20 €",
            "treinta y dos euros con cincuenta céntimos | 32,50 € | 32€50",
            "dos años | 24 meses | veinticuatro meses ≠ dos meses | 730 días",
            "14 días | dos semanas | 14 días naturales ≠ 14 días laborables | 14 meses",
            "cinco días hábiles | 5 días laborables",
            "3 a 5 días | 3-5 días | entre 3 y 5 días | tres a cinco días | 3–5 días ≠ 3 días | 5 días",
            "dos años y medio | 30 meses",
            "hora y media | 90 minutos | 1 h 30 min | una hora y 30 minutos",
            "media hora | 30 min",
            "20 % | veinte por ciento | 20% ≠ 20",
            "1 de marzo de 2026 | 01/03/2026 | 2026-03-01 | 1/3/2026 ≠ 3 de enero de 2026 | 1 de marzo",
            "a las 5 de la tarde | 17:00 | 17.00 h ≠ 5:00",
            "a las 10 y media | 10:30 | 10h30 | 10.30 h",
            "doscientos mil | 200.000 | 200 000",
            "3 millones de euros | 3.000.000 €",
            "1/2 litro | ½ litro | medio litro | 0,5 l | 500 ml",
            "5 ºC | 5 °C | 5 grados ≠ -5 °C",
            "pedido n.º A-1042 | el A-1042 | pedido A1042 ≠ A-1043",
            "pedido 1042 | #1042 | 1042 ≠ 42",
            "+34 900 123 456 | tel. 0034 900 123 456 | +34900123456 ≠ +34 900 123 457",
            "900 123 456 | teléfono: 900123456",
            "3 kg | 3000 g | tres kilos ≠ 3 l",
            "veintidós | 22",
            "ciento veintitrés mil cuatrocientos cincuenta y seis | 123.456",
        ],
    );
    let pair = values("es", "90x200 cm");
    assert_eq!(pair.len(), 2);
    assert!(pair[0].same(&only("es", "90 cm")) && pair[1].same(&only("es", "2 m")));
}

#[test]
fn english() {
    check(
        "en",
        &[
            "$29 | 29 dollars | USD 29.00 | twenty-nine dollars ≠ 29 EUR | nineteen dollars",
            "within 14 days | two weeks | a fortnight ≠ 14 months",
            "one hundred and two euros | €102",
            "one thousand two hundred thirty-four | 1,234",
            "March 1, 2026 | 1 March 2026 | 2026-03-01 | 03/01/2026 | March 1st, 2026 | the first of March 2026 ≠ 3 January 2026",
            "half an hour | 30 minutes",
            "one and a half years | 18 months | 1½ years",
            "two and a half hours | 150 minutes",
            "5 pm | 17:00 | 5:00 p.m. ≠ 5 am",
            "9am–5pm | 9:00 to 17:00",
            "from 5 to 7 pm | 17:00–19:00",
            "two thirds | 2/3 ≠ 1/3",
            "1.2.3 ≠ 12.3",
            "a million euros | 1,000,000 €",
            "order no. 1042 | order 1042 | #1042",
            "50% | fifty percent | 50 per cent",
        ],
    );
    assert_eq!(values("en", "a lamp, one of them, open 24/7").len(), 1);
    assert!(matches!(only("en", "24/7").kind, Kind::Identifier { .. }));
}

#[test]
fn bulgarian() {
    check(
        "bg",
        &[
            "3 € | три евро | 3 евро | EUR 3 ≠ 3 лв.",
            "двадесет и пет лева и петдесет стотинки | 25,50 лв. | 25.50 лева",
            "две години | 2 години | 24 месеца | двугодишна | две години",
            "от 3 до 5 работни дни | 3–5 работни дни | между 3 и 5 работни дни",
            "час и половина | 90 минути | 1 ч. 30 мин.",
            "1 март 2026 г. | 01.03.2026 г. | 1-ви март 2026 | 2026-03-01",
            "в 10 часа | 10:00 ч.",
            "хиляда двеста тридесет и четири | 1234 | 1 234",
            "500 г ≠ 500 кг",
        ],
    );
}

#[test]
fn portuguese_and_french() {
    check(
        "pt",
        &[
            "cinco dias úteis | 5 dias úteis ≠ 5 dias",
            "mil e quinhentos reais | R$ 1.500,00 | R$1500",
            "vinte e dois euros e cinquenta cêntimos | 22,50 €",
            "das 9h às 18h | 9:00 às 18:00",
            "um ano e meio | 18 meses",
            "1 de março de 2026 | 01/03/2026",
        ],
    );
    check(
        "fr",
        &[
            "quatre-vingt-dix-sept euros | 97 €",
            "soixante et onze | 71",
            "quatre-vingt-un | 81",
            "quatre-vingts | 80",
            "deux cent mille | 200 000",
            "3€50 | 3,50 € | trois euros et cinquante centimes",
            "1er mars 2026 | 01/03/2026 | le premier mars 2026",
            "une demi-heure | 30 minutes",
            "9 h à 18 h | 9h00 à 18h00",
            "jours : 5 jours ouvrables ≠ 5 jours ouvrés | 5 jours",
            "neuf euros | 9 €",
        ],
    );
    assert!(values("fr", "Un produit neuf, un article.").is_empty());
}

#[test]
fn german() {
    check(
        "de",
        &[
            "zweiundzwanzig Euro | 22 € | 22,00 EUR",
            "dreihundertfünfundvierzig | 345",
            "eine Million zweihunderttausend | 1.200.000",
            "neunhundertneunundneunzigtausendneunhundertneunundneunzig | 999.999",
            "zweijährige | zwei Jahre | 24 Monate",
            "14-tägiges | 14 Tage | zwei Wochen ≠ 14 Werktage | 14 Arbeitstage",
            "1. März 2026 | 01.03.2026 | 1.3.2026",
            "10.30 Uhr | 10:30",
            "von 9 bis 18 Uhr | 9:00–18:00 Uhr",
            "eine halbe Stunde | 30 Minuten",
            "4,90 € | 4,90 Euro ≠ 50 €",
        ],
    );
    assert!(values("de", "Achtung, ein Paket und eine Lampe").is_empty());
}

#[test]
fn russian() {
    check(
        "ru",
        &[
            "14 дней | двух недель | четырнадцать дней ≠ 14 рабочих дней",
            "300 рублей | 300 ₽ | триста рублей ≠ 30 рублей",
            "двадцать пять тысяч рублей | 25 000 руб.",
            "полтора часа | 90 минут",
            "полгода | 6 месяцев",
            "1 марта 2026 года | 1 марта 2026 г. | 01.03.2026",
            "с 9 до 18 часов | с 9:00 до 18:00",
            "8 800 555-35-35 | 8-800-555-35-35",
            "2026 год | 2026 г. | 2026",
        ],
    );
}

#[test]
fn arabic_and_persian() {
    check(
        "ar",
        &[
            "٣٫٥٠ يورو | 3.50 يورو | 3,50 يورو ≠ 350 يورو",
            "خمسة وعشرون يورو | 25 يورو",
            "ألف ومئتان وخمسون ريالًا | 1250 ريال | ١٬٢٥٠ ريالًا",
            "أسبوعين | 14 يومًا",
            "سنتان | 24 شهرًا | عامان",
            "ساعة ونصف | 90 دقيقة",
            "٢٠٪ | عشرون بالمئة | 20 في المئة",
            "1 مارس 2026 | ٠١/٠٣/٢٠٢٦ | 1 آذار 2026",
            "٣ إلى ٥ أيام عمل | بين 3 و5 أيام عمل",
        ],
    );
    check(
        "fa",
        &[
            "۵ یورو | 5 یورو | پنج یورو ≠ ۱۵ یورو",
            "بیست و پنج هزار تومان | ۲۵٬۰۰۰ تومان ≠ ۲۵٬۰۰۰ ریال",
            "۳ تا ۵ روز کاری | بین ۳ و ۵ روز کاری",
            "دو سال | دوساله | ۲۴ ماهه",
            "یک و نیم ساعت | ۹۰ دقیقه",
            "۱ فروردین ۱۴۰۵ | ۱۴۰۵/۰۱/۰۱ ≠ ۱ ژانویه ۱۴۰۵",
            "ساعت ۵ عصر | ۱۷:۰۰",
        ],
    );
    assert!(values("fa", "نه، می‌خواهم یک چراغ بخرم.").is_empty());
}

#[test]
fn hindi_and_chinese() {
    check(
        "hi",
        &[
            "14 दिनों | १४ दिनों | चौदह दिन | दो सप्ताह ≠ 40 दिनों",
            "दो लाख पचास हज़ार रुपये | ₹2,50,000 | 250000 रुपये",
            "निन्यानवे रुपये | ₹99",
            "साढ़े तीन घंटे | 210 मिनट",
            "डेढ़ साल | 18 महीने",
            "शाम 5 बजे | 17:00",
            "3 से 5 कार्य दिवस | तीन से पाँच कार्य दिवस",
        ],
    );
    check(
        "zh",
        &[
            "两年 | 2年 | 24个月 | 二十四个月",
            "二十二元 | 22元 | ￥22 | ¥22 | 人民币22元",
            "三千五百元 | 3500元 | 3,500元",
            "五万元 | 5万元 | 50,000元",
            "百分之二十 | 20%",
            "半年 | 6个月",
            "两年半 | 30个月",
            "2026年3月1日 | 二〇二六年三月一日 | 2026-03-01",
            "下午5点半 | 17:30",
            "3至5个工作日 | 3-5个工作日 ≠ 3-5天",
        ],
    );
    assert!(values("zh", "十分满意，便宜一点，千万别，一起买一个。").is_empty());
}

/// How many values, and the text of each, comma and space between.
#[test]
fn what_is_no_value_is_left_out_and_lists_are_taken_apart() {
    for (lang, text, expected) in [
        ("es", "tallas 36,38,40", vec!["36", "38", "40"]),
        ("es", "Lámpara Orla: 2x1, casquillo E27, 5 V", vec!["2", "1", "E27", "5 V"]),
        ("es", "Teléfono 128 GB, código 10 % de descuento", vec!["128 GB", "10 %"]),
        ("es", "el 1 y 5 de marzo", vec!["1", "5 de marzo"]),
        ("es", "un pedido, una lámpara, medio ambiente", vec![]),
        ("de", "Im Jahr 1973 gab es um eine Lampe Streit, Mo–Fr 9–18 Uhr", vec!["1973", "9–18 Uhr"]),
        ("de", "vom 1. bis 5. März, 1.–5. April", vec!["1. bis 5. März", "1.–5. April"]),
        ("ru", "1-2 дня, два-три дня, 2 ночи", vec!["1-2 дня", "два-три дня", "2 ночи"]),
        ("fr", "de 9h à 12h30, produit neuf", vec!["9h à 12h30"]),
        ("hi", "3 रात", vec!["3 रात"]),
        ("zh", "上午9:00至晚上9:00，第一次", vec!["9:00至晚上9:00", "第一"]),
        ("en", "a list: 1.2.3, 12b, v2, 50+", vec!["1.2.3", "12b", "v2", "50"]),
    ] {
        let found = values(lang, text);
        let found: Vec<&str> = found.iter().map(|value| &text[value.span.clone()]).collect();
        assert_eq!(found, expected, "{lang} {text}");
    }
    assert!(only("ru", "2 ночи").same(&only("ru", "две ночи")));
    assert!(only("ru", "в 2 часа дня").same(&only("ru", "14:00")));
}

#[test]
fn bounds_and_periods_stand_beside_the_amount() {
    for (lang, text, bound, period) in [
        ("es", "hasta 20 kg", Some(Bound::AtMost), None),
        ("es", "más de 20 kg", Some(Bound::MoreThan), None),
        ("es", "Mínimo: 2 noches", Some(Bound::AtLeast), None),
        ("es", "50 € o más", Some(Bound::AtLeast), None),
        ("es", "5 días, como máximo", Some(Bound::AtMost), None),
        ("es", "hasta el 5 de marzo", Some(Bound::Until), None),
        ("es", "9 € al mes", None, Some(Period::Month)),
        ("es", "9 €/mes", None, Some(Period::Month)),
        ("es", "18+", Some(Bound::AtLeast), None),
        ("ru", "100 руб./шт.", None, Some(Period::Piece)),
        ("es", "12 € por persona como mínimo", Some(Bound::AtLeast), Some(Period::Person)),
        ("en", "up to about 5 kg", Some(Bound::About), None),
        ("en", "$29 per month", None, Some(Period::Month)),
        ("en", "until 5 March", Some(Bound::Until), None),
        ("bg", "до 14 дни", Some(Bound::AtMost), None),
        ("bg", "9 € на месец", None, Some(Period::Month)),
        ("pt", "até 14 dias", Some(Bound::AtMost), None),
        ("fr", "dès 50 €", Some(Bound::AtLeast), None),
        ("de", "ab 50 €", Some(Bound::AtLeast), None),
        ("de", "bis 24.12.", Some(Bound::Until), None),
        ("ru", "не более 20 кг", Some(Bound::AtMost), None),
        ("ar", "خلال 14 يومًا", Some(Bound::AtMost), None),
        ("fa", "تا ۱۴ روز", Some(Bound::AtMost), None),
        ("hi", "14 दिनों के भीतर", Some(Bound::AtMost), None),
        ("zh", "7天内", Some(Bound::AtMost), None),
        ("zh", "满50欧元", Some(Bound::AtLeast), None),
        ("zh", "每月9欧元", None, Some(Period::Month)),
    ] {
        let value = only(lang, text);
        assert_eq!((value.bound, value.period), (bound, period), "{lang} {text}");
    }
    let (claim, source) = (only("es", "20 kg"), only("es", "hasta 20 kg"));
    assert!(claim.same(&source) && !claim.same_bound(&source) && claim.same_period(&source));
}

#[test]
fn a_date_may_leave_out_the_year_of_its_source() {
    let (whole, short) = (only("es", "1 de marzo de 2026"), only("es", "1 de marzo"));
    assert!(short.said_by(&whole) && !whole.said_by(&short) && !short.same(&whole));
    let range = only("es", "del 1 al 5 de marzo");
    assert!(range.said_by(&only("es", "del 1 al 5 de marzo de 2026")));
}

#[test]
fn addresses_are_whole_and_without_the_punctuation_around_them() {
    for (text, address) in [
        ("Ver (https://tienda.example/r).", "https://tienda.example/r"),
        ("[r](https://tienda.example/r_(1)), y", "https://tienda.example/r_(1)"),
        ("«https://tienda.example/año?x=1&y=2»", "https://tienda.example/año?x=1&y=2"),
        ("**www.tienda.example**", "www.tienda.example"),
        ("Escribe a ayuda.24@tienda.example.", "ayuda.24@tienda.example"),
        ("<ayuda@tienda.example>", "ayuda@tienda.example"),
    ] {
        let value = only("es", text);
        assert_eq!(&text[value.span.clone()], address);
        assert!(matches!(value.kind, Kind::Url { .. } | Kind::Email { .. }));
    }
    let same = |a, b| only("en", a).same(&only("en", b));
    assert!(same("HTTPS://Shop.example/", "https://shop.example"));
    assert!(same("www.shop.example/a", "https://www.shop.example/a"));
    assert!(!same("https://shop.example/returns", "https://shop.example/returns?utm=1"));
    assert!(!same("https://shop.example/A", "https://shop.example/a"));
    assert!(!same("help@shop.example", "help@shop.example.org"));
    assert_eq!(values("es", "a@b ://x @ http:// www.").len(), 0);
}

#[test]
fn a_number_too_long_to_be_one_is_a_name() {
    let long = "9".repeat(31);
    assert_eq!(only("en", &long).kind, Kind::Identifier { text: long.clone() });
    assert!(matches!(only("en", &long[1..]).kind, Kind::Number { .. }));
}

#[test]
fn values_are_written_as_json() {
    let value = only("es", "hasta 9,50 € al mes");
    let expected = r#"{"span":{"start":6,"end":14},"kind":"money","amount":{"from":{"value":"9.5"}},"currency":"EUR","bound":"at_most","period":"month"}"#;
    assert_eq!(serde_json::to_string(&value).unwrap(), expected);
}
