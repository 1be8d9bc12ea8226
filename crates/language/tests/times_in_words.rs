//! Times of day, lengths of time and parts of numbers in words, in eleven languages.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{only, values};
use mostrador_language::{Bound, Kind, Period, Value};

#[test]
fn times_are_read_as_they_are_spoken() {
    let mut wrong = Vec::new();
    for (lang, texts) in [
        ("en", "9:30 | half past nine | half past 9 | at half past nine in the morning"),
        ("en", "9:15 | quarter past nine | a quarter past nine"),
        ("en", "9:45 | quarter to ten | a quarter to ten"),
        ("en", "12:45 | quarter to one"),
        ("en", "21:30 | half past nine in the evening | 9:30 pm"),
        ("es", "9:30 | a las nueve y media | hasta las nueve y media | a las 9 y media"),
        ("es", "9:45 | a las diez menos cuarto"),
        ("es", "17:00 | 5 horas de la tarde | a las 5 de la tarde | a las cinco de la tarde"),
        ("es", "17:30 | a las cinco y media de la tarde"),
        ("bg", "9:30 | в девет и половина | до девет и половина | в 9 и половина"),
        ("bg", "17:00 | 5 часа следобед | в 5 следобед | до 5 часа следобед"),
        ("bg", "9:45 | в десет без четвърт"),
        ("pt", "9:30 | às nove e meia | até às nove e meia"),
        ("pt", "17:00 | às 5 da tarde | 5 horas da tarde"),
        ("fr", "9:30 | à neuf heures et demie | à 9 heures et demie | jusqu'à neuf heures et demie"),
        ("fr", "9:45 | à dix heures moins le quart"),
        (
            "fr",
            "17:00 | 5 heures de l'après-midi | à cinq heures de l'après-midi | jusqu'à 5 heures de l'après-midi",
        ),
        ("de", "9:30 | halb zehn | um halb zehn | bis halb zehn | um halb zehn Uhr"),
        ("de", "9:15 | Viertel nach neun"),
        ("de", "9:45 | Viertel vor zehn | um dreiviertel zehn"),
        ("de", "12:30 | halb eins"),
        ("de", "17:00 | 5 Uhr nachmittags | um fünf Uhr nachmittags"),
        ("ru", "9:30 | в половине десятого | половина десятого | до половины десятого"),
        ("ru", "9:45 | без четверти десять"),
        ("ru", "17:00 | до 5 часов вечера | в пять часов вечера | в 5 вечера | 5 часов вечера"),
        ("ru", "9:00 | с 9 часов утра | в девять утра"),
        ("ar", "9:30 | الساعة التاسعة والنصف | التاسعة والنصف صباحًا | حتى التاسعة والنصف"),
        ("ar", "9:00 | الساعة التاسعة | الساعة التاسعة صباحًا"),
        ("ar", "17:00 | الخامسة مساءً | الساعة الخامسة عصرًا"),
        ("ar", "9:45 | الساعة العاشرة إلا ربعًا"),
        ("fa", "9:30 | ساعت نه و نیم | ساعت ۹ و نیم | تا ساعت نه و نیم"),
        ("fa", "17:00 | ساعت ۵ عصر | ۵ عصر | تا ساعت پنج عصر"),
        ("fa", "9:15 | ساعت نه و ربع"),
        ("hi", "9:30 | साढ़े नौ बजे | सुबह साढ़े नौ बजे"),
        ("hi", "9:15 | सवा नौ बजे"),
        ("hi", "9:45 | पौने दस बजे"),
        ("hi", "17:00 | शाम 5 बजे | शाम पाँच बजे"),
        ("zh", "9:30 | 九点半 | 9点半 | 上午九点半"),
        ("zh", "9:15 | 九点一刻"),
        ("zh", "17:00 | 下午5点 | 下午五点"),
    ] {
        let (first, others) = texts.split_once('|').unwrap();
        let first = only(lang, first.trim());
        for text in others.split('|').map(str::trim) {
            let found = values(lang, text);
            let time = |value: &Value| matches!(value.kind, Kind::Time { .. }) && value.same(&first);
            if found.len() != 1 || !found.iter().all(time) {
                wrong.push(format!("{lang} {text:?} {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_length_of_time_is_no_time_of_day() {
    for (lang, text) in [
        ("en", "for nine and a half hours"),
        ("es", "dura dos horas y media"),
        ("bg", "след два и половина часа"),
        ("fr", "dure deux heures et demie"),
        ("de", "eine halbe Stunde"),
        ("ru", "в течение 5 часов"),
        ("ru", "до 5 часов"),
        ("fa", "نیم ساعت"),
        ("hi", "साढ़े तीन घंटे"),
        ("zh", "半小时"),
        ("ar", "ساعة واحدة"),
    ] {
        let value = only(lang, text);
        assert!(matches!(value.kind, Kind::Duration { .. }), "{lang} {text:?} {value:?}");
    }
    for (lang, text) in [
        ("en", "a quarter to a third of them"),
        ("ru", "половина первого взноса"),
        ("ru", "вторая половина дня"),
        ("de", "ein halb volles Glas"),
    ] {
        let time = |value: &Value| matches!(value.kind, Kind::Time { .. });
        assert!(!values(lang, text).iter().any(time), "{lang} {text:?}");
    }
    let bound = only("ru", "до 5 часов вечера").bound;
    assert_eq!(bound, Some(Bound::Until));
    // The first and the second are places in an order where no hour is meant.
    for (lang, text) in [("ar", "الحصة الثانية"), ("ru", "после первого занятия"), ("ru", "первого дня")]
    {
        let value = only(lang, text);
        assert!(matches!(value.kind, Kind::Ordinal { .. }), "{lang} {text:?} {value:?}");
    }
}

#[test]
fn parts_of_numbers_and_their_units_are_read() {
    for (lang, one, other) in [
        ("hi", "सवा लाख रुपये", "₹1,25,000"),
        ("hi", "डेढ़ लाख रुपये", "₹1,50,000"),
        ("hi", "ढाई हज़ार रुपये", "₹2,500"),
        ("hi", "साढ़े तीन लाख रुपये", "₹3,50,000"),
        ("hi", "पौने दो लाख रुपये", "₹1,75,000"),
        ("hi", "सवा सौ रुपये", "₹125"),
        ("hi", "सवा घंटा", "75 मिनट"),
        ("hi", "साढ़े तीन घंटे", "210 मिनट"),
        ("ru", "полтора миллиона рублей", "1 500 000 рублей"),
        ("ar", "ساعة واحدة", "60 دقيقة"),
        ("ar", "يومًا واحدًا", "24 ساعة"),
        ("ar", "شهر واحد", "1 شهر"),
        ("fa", "۲۰ درصدی", "۲۰٪"),
        ("fa", "۵۰ هزار تومانی", "۵۰ هزار تومان"),
        ("fa", "۷ روزه", "یک هفته"),
    ] {
        let (one, other) = (only(lang, one), only(lang, other));
        assert!(one.same(&other), "{lang}\n{one:?}\n{other:?}");
    }
    for (lang, text, bound) in [
        ("ar", "دون سن 12 عامًا", Bound::LessThan),
        ("ar", "فوق سن 12", Bound::MoreThan),
        ("fa", "زیر سن ۱۲ سال", Bound::LessThan),
    ] {
        assert_eq!(only(lang, text).bound, Some(bound), "{lang} {text:?}");
    }
}

#[test]
fn what_each_pays_for_is_a_period_of_its_own() {
    for (lang, student, family) in [
        ("en", "£6 per pupil", "£6 per family"),
        ("es", "6 € por alumno", "6 € por familia"),
        ("bg", "6 € на ученик", "6 € на семейство"),
        ("pt", "6 € por aluno", "6 € por família"),
        ("fr", "6 € par élève", "6 € par famille"),
        ("de", "6 € pro Schüler", "6 € pro Familie"),
        ("ru", "600 рублей с ученика", "600 рублей с семьи"),
        ("ar", "6 دراهم لكل طالب", "6 دراهم لكل عائلة"),
        ("fa", "۶۰ هزار تومان برای هر دانش‌آموز", "۶۰ هزار تومان برای هر خانواده"),
        ("hi", "₹60 प्रति छात्र", "₹60 प्रति परिवार"),
        ("zh", "每名学生60元", "每个家庭60元"),
    ] {
        assert_eq!(only(lang, student).period, Some(Period::Student), "{lang} {student:?}");
        assert_eq!(only(lang, family).period, Some(Period::Family), "{lang} {family:?}");
    }
}

#[test]
fn a_value_may_be_counted_for_a_person_and_a_time() {
    for (lang, texts) in [
        (
            "en",
            "$9 per child per week | $9 a week per child | $9 per child and week ≠ $9 per week | $9 per family per week",
        ),
        ("es", "9 € por alumno y día | 9 € al día por alumno ≠ 9 € por alumno y mes"),
        ("de", "9 € pro Person und Nacht | 9 € pro Nacht und pro Person ≠ 9 € pro Person"),
        ("fr", "9 € par enfant et par jour | 9 € par jour et par enfant ≠ 9 € par enfant et par mois"),
        ("ru", "900 рублей за занятие с ученика"),
    ] {
        let (alike, others) = texts.split_once('≠').unwrap_or((texts, ""));
        let first = only(lang, alike.split('|').next().unwrap().trim());
        for text in alike.split('|').map(str::trim) {
            assert!(only(lang, text).same_period(&first), "{lang} {text:?}");
        }
        for text in others.split('|').map(str::trim).filter(|text| !text.is_empty()) {
            assert!(!only(lang, text).same_period(&first), "{lang} {text:?}");
        }
    }
}
