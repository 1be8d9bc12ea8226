//! Days of the week in texts of eleven languages, as their readers take them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use mostrador_language::{Bound, Kind, Lang, Pack, Value};

fn values(lang: &str, text: &str) -> Vec<Value> {
    Pack::builtin(lang.parse::<Lang>().unwrap()).unwrap().values_and_days(text)
}

fn days(lang: &str, text: &str) -> Vec<Value> {
    let mut found = values(lang, text);
    found.retain(Value::is_weekdays);
    found
}

/// Each line: texts that name the same days and no other; after `<`, texts that name some of them; after `≠`, texts
/// that name others.
fn check(lang: &str, lines: &[&str]) {
    let only = |text: &str| {
        let found = days(lang, text.trim());
        assert_eq!(found.len(), 1, "{lang} {text:?}: {found:#?}");
        found[0].clone()
    };
    for line in lines {
        let (line, others) = line.split_once('≠').unwrap_or((line, ""));
        let (alike, fewer) = line.split_once('<').unwrap_or((line, ""));
        let first = only(alike.split('|').next().unwrap());
        for text in alike.split('|') {
            let other = only(text);
            assert!(first.same(&other), "{lang} {line:?} {text:?}\n{first:?}\n{other:?}");
        }
        for text in fewer.split('|').filter(|text| !text.trim().is_empty()) {
            let fewer = only(text);
            assert!(fewer.said_by(&first) && !first.said_by(&fewer), "{lang} {line:?} {text:?}\n{fewer:?}");
        }
        for text in others.split('|').filter(|text| !text.trim().is_empty()) {
            let other = only(text);
            assert!(!other.said_by(&first), "{lang} {line:?} {text:?}\n{first:?}\n{other:?}");
        }
    }
}

#[test]
fn days_are_read_in_every_language() {
    check(
        "en",
        &[
            "Monday to Friday | Mon-Fri | Mon–Fri | Mon. to Fri. | from Monday through Friday | between Monday and Friday \
             | Mondays to Fridays | on weekdays < on Tuesday | Wed and Thu ≠ Saturday | Monday to Saturday | Sunday",
            "Mondays | on Mondays | every Monday | on Monday at 9:00 ≠ Tuesdays",
            "Saturday and Sunday | Saturdays & Sundays | Sat/Sun | at the weekend < Sundays ≠ Friday",
            "Tuesday, Thursday and Saturday | Tue, Thu, Sat | on Tuesdays, on Thursdays and on Saturdays ≠ Tuesday to Saturday",
            "Saturday to Thursday < Sunday | Monday ≠ Friday",
            "on Sundays and public holidays < public holidays | Sunday ≠ Saturday",
        ],
    );
    check(
        "es",
        &[
            "de martes a sábado | del martes al sábado | martes-sábado | mar–sáb < el miércoles | los jueves y los viernes ≠ lunes",
            "los lunes | cada lunes | el lunes ≠ los martes",
            "lunes, miércoles y viernes ≠ de lunes a viernes",
            "de lunes a viernes | L-V | entre semana ≠ fin de semana",
        ],
    );
    check(
        "bg",
        &[
            "вторник–събота | от вторник до събота | вт-сб < в петък | сряда и четвъртък ≠ неделя | понеделник",
            "всеки понеделник | понеделниците | в понеделник ≠ във вторник",
            "събота и неделя | в събота и в неделя | през уикенда < в неделя",
        ],
    );
    check(
        "pt",
        &[
            "de segunda a sexta | de segunda-feira a sexta-feira | segunda a sexta-feira | 2ª feira a 6ª feira < na quarta-feira ≠ sábado",
            "aos sábados e domingos | ao sábado e ao domingo < aos domingos ≠ na segunda-feira",
            "às terças | às terças-feiras ≠ às quintas",
        ],
    );
    check(
        "fr",
        &[
            "du lundi au vendredi | de lundi à vendredi | lun-ven | lun. – ven. < le mardi ≠ le samedi",
            "le lundi | tous les lundis | chaque lundi ≠ le mardi",
            "les samedis et les dimanches | samedi et dimanche | le week-end",
        ],
    );
    check(
        "de",
        &[
            "Montag bis Freitag | von Montag bis Freitag | Mo-Fr | Mo–Fr | Mo. bis Fr. | montags bis freitags < am Dienstag ≠ samstags",
            "montags | jeden Montag | am Montag ≠ dienstags",
            "Di, Do und Sa | dienstags, donnerstags und samstags | Di/Do/Sonnabend",
            "an Sonn- und Feiertagen | an Sonntagen und Feiertagen < feiertags ≠ freitags",
        ],
    );
    check(
        "ru",
        &[
            "с понедельника по пятницу | понедельник–пятница | пн-пт | от понедельника до пятницы < в среду | по вторникам ≠ в субботу",
            "по понедельникам | каждый понедельник | в понедельник ≠ по средам",
            "по вторникам и четвергам | вторник и четверг | вт. и чт.",
        ],
    );
    check(
        "ar",
        &[
            "من السبت إلى الخميس | السبت إلى الخميس | السبت - الخميس < يوم الأحد | الاثنين والثلاثاء ≠ الجمعة",
            "كل يوم اثنين | أيام الاثنين | يوم الاثنين ≠ يوم الثلاثاء",
            "السبت والأحد | السبت أو الأحد < يوم الأحد",
        ],
    );
    check(
        "fa",
        &[
            "شنبه تا چهارشنبه | از شنبه تا چهارشنبه < دوشنبه | سه‌شنبه ≠ پنجشنبه",
            "یکشنبه‌ها | یک‌شنبه | یک شنبه ≠ دوشنبه‌ها",
            "پنج‌شنبه و جمعه | پنجشنبه‌ها و جمعه‌ها ≠ شنبه",
        ],
    );
    check(
        "hi",
        &[
            "सोमवार से शुक्रवार तक | सोमवार से शुक्रवार | सोम–शुक्र < बुधवार को | मंगलवार और गुरुवार ≠ शनिवार",
            "हर सोमवार | सोमवार को ≠ मंगलवार को",
            "शनिवार और रविवार | शनि-रवि | सप्ताहांत",
        ],
    );
    check(
        "zh",
        &[
            "周一至周五 | 星期一到星期五 | 周一至五 | 周一—周五 | 平日 < 周三 | 星期二和星期四 ≠ 周六",
            "每周一 | 逢星期一 | 周一上午9点 ≠ 周二",
            "周六、周日 | 周六和周日 | 周末 | 周六周日 < 星期天",
            "周一或周三 ≠ 周二",
        ],
    );
}

#[test]
fn what_only_looks_like_a_day_is_none() {
    for (lang, text) in [
        ("en", "The sun sat low, and we wed."),
        ("en", "Two weeks and three days."),
        ("de", "So geht es: Mi und sonst nichts."),
        ("de", "So 10 Minuten dauert das."),
        ("es", "El mar y la montaña."),
        ("pt", "A segunda aula e a primeira semana."),
        ("pt", "A quinta fica longe."),
        ("fr", "La mer est belle."),
        ("ru", "Рабочая среда и качество."),
        ("ar", "اثنين من الموظفين."),
        ("hi", "दो दिन और तीन रात।"),
        ("zh", "每周一次，一周两天，每周三节课。"),
        ("zh", "一周一件。"),
        // The day of a date is said with it.
        ("en", "On Monday, 3 June 2026, we are closed."),
        ("bg", "Затворено на 3 юни (сряда)."),
    ] {
        assert_eq!(days(lang, text), [], "{lang} {text:?}");
    }
}

#[test]
fn a_day_has_a_bound_and_no_number() {
    for (lang, text, bound) in [
        ("en", "Order by Wednesday.", Some(Bound::Until)),
        ("en", "Open until the Friday.", Some(Bound::Until)),
        ("en", "Open on Friday until 18:00.", None),
        ("en", "Open from Monday to Friday.", None),
        ("es", "Hasta el viernes.", Some(Bound::Until)),
        ("de", "Ab Montag gilt das.", Some(Bound::Since)),
        ("bg", "След понеделник.", Some(Bound::Since)),
        ("ru", "До пятницы.", Some(Bound::Until)),
        ("hi", "शुक्रवार तक।", Some(Bound::Until)),
        ("zh", "周五之前。", Some(Bound::Until)),
    ] {
        let found = days(lang, text);
        assert_eq!(found.iter().map(|day| day.bound).collect::<Vec<_>>(), [bound], "{lang} {text:?}");
    }
    // "Second" and "three" are parts of the names of days.
    for (lang, text) in
        [("pt", "de segunda a sexta"), ("fa", "سه شنبه"), ("zh", "星期三"), ("pt", "segunda-feira")]
    {
        let found = values(lang, text);
        assert_eq!(found.len(), 1, "{lang} {text:?}: {found:#?}");
    }
    // Values as such have no days.
    let pack = Pack::builtin("en".parse::<Lang>().unwrap()).unwrap();
    assert!(!pack.values("Monday, 9:00").iter().any(|value| matches!(value.kind, Kind::Weekdays { .. })));
}

#[test]
fn two_statements_are_no_list() {
    for (lang, text, names) in [
        ("en", "Closed on Monday, Tuesday open.", 2),
        ("en", "Monday 9-17 and Tuesday 10-18", 2),
        ("de", "Mo–Fr 9–18 Uhr, Sa 10–14 Uhr und So geschlossen", 2),
        ("en", "- Sat: 10:00-14:00", 1),
        ("es", "| Mar | 10:00 |", 1),
        ("ru", "В понедельник до 18:00, во вторник до 20:00", 2),
    ] {
        assert_eq!(days(lang, text).len(), names, "{lang} {text:?}");
    }
}
