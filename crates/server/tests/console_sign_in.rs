//! Who comes into the console, and who does not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod browser;
mod common;

use browser::{Browser, OURS, PASSWORD, arriving, encoded, fresh, path_of, store};
use common::{Running, serve};

const SESSION: &str = "mostrador_console";

#[tokio::test(flavor = "multi_thread")]
async fn the_link_of_the_first_run_makes_one_owner_and_no_second() {
    let server = fresh().await;
    let link = path_of(server.setup.as_deref().unwrap());
    let mut first = Browser::new(&server);
    let mut second = Browser::new(&server);
    for browser in [&mut first, &mut second] {
        assert_eq!(browser.get(&link).await.status, 200);
    }
    // A link that was never made, and a password that is too short, use nothing up.
    let wrong = "/console/setup/0000";
    assert_eq!(second.post(wrong, &arriving("eve")).await.status, 410);
    let short = [("name", "olga"), ("password", "short"), ("again", "short")];
    assert_eq!(first.post(&link, &short).await.status, 400);
    let differs = [("name", "olga"), ("password", PASSWORD), ("again", "another long one")];
    assert_eq!(first.post(&link, &differs).await.status, 400);
    assert_eq!(first.post(&link, &arriving("olga")).await.status, 303);
    assert_eq!(first.get("/console/operators").await.status, 200);
    assert_eq!(second.post(&link, &arriving("eve")).await.status, 410);
    assert_eq!(second.get(&link).await.status, 410);
    let operators = store(&server).await.operators().await.unwrap();
    assert_eq!(operators.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["olga"]);
    let again = common::serve_folder(server.stop().await).await;
    assert_eq!(again.setup, None, "there is an owner: no link is made");
    again.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_comes_in_before_somebody_was_made() {
    let server = fresh().await;
    for (name, password) in
        [("admin", "admin"), ("owner", "owner"), ("admin", ""), ("", ""), ("admin", "password")]
    {
        let (mut browser, reply) = Browser::sign_in(&server, name, password).await;
        assert_eq!(reply.status, 401, "{name}");
        assert!(!browser.cookies.contains_key(SESSION));
        assert_eq!(browser.get("/console/inbox").await.header("location"), Some("/console/sign-in"));
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_locked_after_five_failures_known_or_not() {
    let server = fresh().await;
    Browser::owner(&server).await;
    for name in ["olga", "nobody"] {
        let mut told = Vec::new();
        for _ in 0..5 {
            let (_, reply) = Browser::sign_in(&server, name, "wrong password").await;
            told.push((reply.status, reply.body.contains("name or the password is wrong")));
        }
        assert_eq!(told, [(401, true); 5], "{name}");
        // The right password does not open it then.
        let (browser, reply) = Browser::sign_in(&server, name, PASSWORD).await;
        assert_eq!(reply.status, 429, "{name}");
        assert!(!browser.cookies.contains_key(SESSION));
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_does_not_lock_out_whoever_has_the_right_password() {
    let server = serve("[server]\ntrusted_proxies = [\"127.0.0.1\"]\n").await;
    Browser::owner(&server).await;
    let enter = async |address: &str, password: &str| {
        let mut browser = Browser::new(&server);
        browser.get("/console/sign-in").await;
        let body = encoded(&[("form", &browser.form), ("name", "olga"), ("password", password)]);
        let headers = [OURS, ("x-forwarded-for", address)];
        browser.send("POST", "/console/sign-in", &headers, &body).await.status
    };
    for status in [401, 401, 401, 401, 401, 429] {
        assert_eq!(enter("198.51.100.7", "wrong password").await, status);
    }
    assert_eq!(enter("198.51.100.7", PASSWORD).await, 429);
    assert_eq!(enter("203.0.113.9", PASSWORD).await, 303, "from elsewhere");
    assert_eq!(enter("198.51.100.7", PASSWORD).await, 429, "which forgives the stranger nothing");
    // A household has one network of IPv6, and many addresses in it.
    for (number, status) in [(1, 401), (2, 401), (3, 401), (4, 401), (5, 401), (6, 429)] {
        assert_eq!(enter(&format!("2001:db8:1:2::{number}"), "wrong password").await, status, "{number}");
    }
    // From many addresses it does not go on for ever.
    let store = store(&server).await;
    for number in 0..40 {
        let address = format!("192.0.2.{number}");
        store.note_failure("olga", &address, mostrador_shop::counter::now()).await.unwrap();
    }
    assert_eq!(enter("203.0.113.9", PASSWORD).await, 429);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_tries_at_once_are_counted_each() {
    let server = fresh().await;
    Browser::owner(&server).await;
    let tries = (0..12).map(|_| Browser::sign_in(&server, "olga", "wrong password"));
    let replies = futures_util::future::join_all(tries).await;
    let compared = replies.iter().filter(|(_, reply)| reply.status == 401).count();
    assert!(compared <= 5, "{compared} passwords were compared");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_was_planted_is_not_the_one_that_is_opened() {
    let server = fresh().await;
    Browser::owner(&server).await;
    let mut browser = Browser::new(&server);
    let planted = "cGxhbnRlZHBsYW50ZWRwbGFudGVkcGxhbnRlZHBsYW50ZWQ";
    browser.cookies.insert(SESSION.to_owned(), planted.to_owned());
    browser.get("/console/sign-in").await;
    let reply = browser.post("/console/sign-in", &[("name", "olga"), ("password", PASSWORD)]).await;
    assert_eq!(reply.status, 303, "{}", reply.body);
    let first = browser.cookies[SESSION].clone();
    assert_ne!(first, planted);
    let mut attacker = Browser::new(&server);
    attacker.cookies.insert(SESSION.to_owned(), planted.to_owned());
    assert_eq!(attacker.get("/console/inbox").await.status, 303);
    // Signing in again gives another name, and signing out ends it for whoever holds it.
    browser.get("/console/sign-in").await;
    browser.post("/console/sign-in", &[("name", "olga"), ("password", PASSWORD)]).await;
    assert_ne!(browser.cookies[SESSION], first);
    attacker.cookies.insert(SESSION.to_owned(), first);
    assert_eq!(attacker.get("/console/inbox").await.status, 303, "the session before is over");
    let last = browser.cookies[SESSION].clone();
    browser.get("/console/inbox").await;
    assert_eq!(browser.post("/console/sign-out", &[]).await.status, 303);
    attacker.cookies.insert(SESSION.to_owned(), last);
    assert_eq!(attacker.get("/console/inbox").await.status, 303);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cookie_of_a_session_is_for_the_console_and_no_script() {
    for (more, secure) in [("", false), ("[server]\npublic_url = \"https://chat.shop.example\"\n", true)] {
        let server = serve(more).await;
        let mut browser = Browser::new(&server);
        let link = path_of(server.setup.as_deref().unwrap());
        browser.get(&link).await;
        let reply = browser.post(&link, &arriving("olga")).await;
        let line = reply.header("set-cookie").unwrap();
        assert!(
            line.starts_with("mostrador_console=")
                && line.contains("; Path=/console; HttpOnly; SameSite=Strict")
        );
        assert_eq!(line.contains("; Secure"), secure, "{line}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_is_not_ours_does_nothing() {
    let server = fresh().await;
    let mut owner = Browser::owner(&server).await;
    let mut other = owner.invite("owner", "otto").await;
    owner.get("/console/operators").await;
    other.get("/console/operators").await;
    let own = owner.form.clone();
    let foreign = other.form.clone();
    let body = |form: &str| encoded(&[("form", form), ("role", "owner")]);
    let evil = ("origin", "https://evil.example");
    type Sent<'a> = (&'a str, &'a [(&'a str, &'a str)], String);
    let refused: [Sent<'_>; 7] = [
        ("no mark", &[OURS], encoded(&[("role", "owner")])),
        ("an empty mark", &[OURS], body("")),
        ("the mark of another session", &[OURS], body(&foreign)),
        ("another site, by fetch metadata", &[("sec-fetch-site", "cross-site")], body(&own)),
        ("a sibling site", &[("sec-fetch-site", "same-site")], body(&own)),
        ("another site, by origin", &[evil], body(&own)),
        (
            "another site that says it is this one",
            &[("sec-fetch-site", "cross-site"), ("origin", "http://counter")],
            body(&own),
        ),
    ];
    for (what, headers, body) in refused {
        let reply = owner.send("POST", "/console/operators", headers, &body).await;
        assert_eq!(reply.status, 403, "{what}");
    }
    let plain = [OURS, ("content-type", "text/plain")];
    let reply = owner.send("POST", "/console/operators", &plain, &body(&own)).await;
    assert_eq!(reply.status, 400, "a form of another kind");
    let invited = |log: Vec<(i64, mostrador_store::Action)>| {
        log.into_iter().filter(|(_, action)| action.action == "operator.invited").count()
    };
    let store = store(&server).await;
    assert_eq!(invited(store.actions(100, None).await.unwrap()), 1, "only the one that was meant");
    assert_eq!(owner.send("POST", "/console/operators", &[OURS], &body(&own)).await.status, 200);
    // Browsers that know nothing of fetch metadata send `null` under our own policy.
    assert_eq!(
        owner.send("POST", "/console/operators", &[("origin", "null")], &body(&own)).await.status,
        200
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_signed_in_by_a_form_of_another_browser() {
    let server = fresh().await;
    Browser::owner(&server).await;
    let mut attacker = Browser::new(&server);
    attacker.get("/console/sign-in").await;
    let body = encoded(&[("form", &attacker.form), ("name", "olga"), ("password", PASSWORD)]);
    let mut victim = Browser::new(&server);
    // A cookie for one site is not sent from another; without it the form is not ours.
    assert_eq!(victim.send("POST", "/console/sign-in", &[], &body).await.status, 403);
    victim.get("/console/sign-in").await;
    assert_eq!(victim.send("POST", "/console/sign-in", &[], &body).await.status, 403);
    assert!(!victim.cookies.contains_key(SESSION));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_keeps_itself_out_of_frames_caches_and_scripts() {
    let server = fresh().await;
    let mut owner = Browser::owner(&server).await;
    for path in [
        "/console/inbox",
        "/console/spend",
        "/console/nowhere",
        "/console/sign-in",
        "/console",
        "/console/inbox/99",
        "/console/setup/x",
        "/console/static/console.css",
        "/console/static/nothing",
    ] {
        let reply = owner.get(path).await;
        let policy = reply.header("content-security-policy").unwrap_or_else(|| panic!("{path}"));
        for part in [
            "default-src 'none'",
            "style-src 'self'",
            "script-src 'self'",
            "img-src 'self' data:",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "connect-src 'self'",
        ] {
            assert!(policy.split("; ").any(|one| one.trim() == part), "{path}: {part} in {policy}");
        }
        assert_eq!(reply.header("x-frame-options"), Some("DENY"), "{path}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"), "{path}");
        let kept = if path.ends_with(".css") { "no-cache" } else { "no-store" };
        assert_eq!(reply.header("cache-control"), Some(kept), "{path}");
        for inline in ["<style", " style=", "onclick", "javascript:"] {
            assert!(!reply.body.contains(inline), "{path}: {inline}");
        }
        assert!(!reply.body.replace("<script src=", "").contains("<script"), "{path}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_holds_once_and_a_lost_password_is_replaced_by_a_link() {
    let server = fresh().await;
    let mut owner = Browser::owner(&server).await;
    let mut agent = owner.invite("agent", "anna").await;
    assert_eq!(agent.get("/console/inbox").await.status, 200);
    let id = store(&server).await.operator("anna").await.unwrap().unwrap().0.id;
    owner.get("/console/operators").await;
    let reply = owner.post(&format!("/console/operators/{id}/password"), &[]).await;
    let link = format!(
        "/console/invitations/{}",
        browser::between(&reply.body, "href=\"/console/invitations/", "\"")
    );
    let mut anew = Browser::new(&server);
    assert!(anew.get(&link).await.body.contains("anna"));
    let word = "another good passphrase";
    assert_eq!(anew.post(&link, &[("password", word), ("again", word)]).await.status, 303);
    assert_eq!(agent.get("/console/inbox").await.status, 303, "sessions of the old password are over");
    assert_eq!(anew.post(&link, &[("password", word), ("again", word)]).await.status, 410);
    assert_eq!(Browser::sign_in(&server, "anna", PASSWORD).await.1.status, 401);
    assert_eq!(Browser::sign_in(&server, "anna", word).await.1.status, 303);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_shut_out_is_out_at_once_and_an_owner_is_left() {
    let server = fresh().await;
    let mut owner = Browser::owner(&server).await;
    let mut agent = owner.invite("agent", "anna").await;
    let ids = ids(&server).await;
    owner.get("/console/operators").await;
    assert_eq!(
        owner.post(&format!("/console/operators/{}/disabled", ids[1]), &[("disabled", "yes")]).await.status,
        303
    );
    assert_eq!(agent.get("/console/inbox").await.status, 303);
    assert_eq!(Browser::sign_in(&server, "anna", PASSWORD).await.1.status, 401);
    for (path, field) in [("disabled", ("disabled", "yes")), ("role", ("role", "agent"))] {
        let reply = owner.post(&format!("/console/operators/{}/{path}", ids[0]), &[field]).await;
        assert_eq!(reply.status, 409, "the last owner stays: {path}");
    }
    // A role holds from the next page on.
    owner.post(&format!("/console/operators/{}/disabled", ids[1]), &[("disabled", "no")]).await;
    let (mut agent, _) = Browser::sign_in(&server, "anna", PASSWORD).await;
    assert_eq!(agent.get("/console/operators").await.status, 403);
    owner.post(&format!("/console/operators/{}/role", ids[1]), &[("role", "owner")]).await;
    assert_eq!(agent.get("/console/operators").await.status, 200);
    server.stop().await;
}

async fn ids(server: &Running) -> Vec<i64> {
    let mut ids: Vec<i64> = store(server).await.operators().await.unwrap().iter().map(|one| one.id).collect();
    ids.sort_unstable();
    ids
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_ends_every_other_session() {
    let server = fresh().await;
    let mut owner = Browser::owner(&server).await;
    let (mut elsewhere, _) = Browser::sign_in(&server, "olga", PASSWORD).await;
    assert_eq!(elsewhere.get("/console/inbox").await.status, 200);
    let word = "another good passphrase";
    owner.get("/console/account").await;
    let wrong = [("old", "not this one"), ("password", word), ("again", word)];
    assert_eq!(owner.post("/console/account", &wrong).await.status, 403);
    let right = [("old", PASSWORD), ("password", word), ("again", word)];
    assert_eq!(owner.post("/console/account", &right).await.status, 303);
    assert_eq!(owner.get("/console/inbox").await.status, 200);
    assert_eq!(elsewhere.get("/console/inbox").await.status, 303);
    server.stop().await;
}
