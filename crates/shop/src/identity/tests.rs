//! Tokens that hold, and every way in which one may not.
#![cfg(test)]

use std::ffi::OsString;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use mostrador_answer::ports::UnixMillis;
use proptest::prelude::*;
use ring::hmac;
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::spki::Kind;
use super::*;

const SECRET: &str = "a secret of the shop, long enough";
/// When the tokens here are signed, in seconds.
const SIGNED: i64 = 1_800_000_000;
const SOON: UnixMillis = UnixMillis(SIGNED * 1_000 + 5_000);

const HS256: &str = "[identity]\naudience = \"tienda\"\n[[identity.keys]]\nid = \"2026-11\"\n\
    algorithm = \"HS256\"\nsecret_env = \"KEY\"\n";
const RS256: &str = "[[identity.keys]]\nid = \"2026-12\"\nalgorithm = \"RS256\"\nfile = \"keys/rsa.pem\"\n";
const EDDSA: &str =
    "[[identity.keys]]\nid = \"2027-01\"\nalgorithm = \"EdDSA\"\npublic_key_env = \"PUBLIC\"\n";

/// Made with `openssl`; the private key was thrown away.
const RSA_2048: &str = "\
-----BEGIN PUBLIC KEY-----\n\
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEArI3o6vYzNMjR3gjqQ0OB\n\
JilOEoMV7SvpMWG5EEAQTooweAtBpV9nCpkACJ1+KDHh7SIMBGFicwzvV/Lvoc5m\n\
x2zkdF+wgNSLxvqOa/z3d7nh67R7GX7vWau3Wq4tlmrt2ur1O/XFSslpZaaoBLgZ\n\
EHNlbU6gPyr5bSZxXH41Tnq9cpiBWCKE3bC/+q9TYrXh34/5TYMi/Qs7xnlfVxfn\n\
VeSfm22z/ZS9WNs9ryd6QBfdUVgv6WrNCPU0yQuEjFNliYvYYy+yySSuzJ/qDUBg\n\
dmA4DMZflJs0Yr/tLYWrqz2kfWJ3VoKhsrhBsjL9asUEftbcNN0jjszpGD5M5u/F\n\
cwIDAQAB\n\
-----END PUBLIC KEY-----\n";
const RSA_1024: &str = "\
-----BEGIN PUBLIC KEY-----\n\
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDk4msyEjlVvmCAg7Ft4MSPDx2b\n\
E2ZN2HcHhYtD8AlKtKLhV2gsqh2f5OaIWAY8+AdJx5bw9x/dJzzjdYdKLe1r6XFn\n\
Qww6Ngb4EfNGK/tOOlxkHM0ISUcAAeHrWWSTyvmwepPRCk0HQwAvofJB/KOgKwUE\n\
wEzrYS01zzMDpzIKowIDAQAB\n\
-----END PUBLIC KEY-----\n";
const P256: &str = "\
-----BEGIN PUBLIC KEY-----\n\
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEuQRzGySP5UYM4SKwX1EM/2wjGmTO\n\
C2dZVkAojij9qEeRrOx5If1Q78gF6XEl7t5WyyHz7DXMArKf3xDdhwyUQQ==\n\
-----END PUBLIC KEY-----\n";
/// Signed with `openssl`, by SECRET.
const HS256_TOKEN: &str = "\
eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjLTEwMSIsImF1ZCI6InRpZW5kYSIsImlhdCI6MTgwM\
DAwMDAwMCwiZXhwIjoxODAwMDAzNjAwfQ.vt-AaERVNT-nISXFQWLIvhqS-TNKO-esANYNgAB8VqM";
/// Signed with `openssl`, by the private key of RSA_2048.
const RS256_TOKEN: &str = "\
eyJhbGciOiJSUzI1NiIsImtpZCI6IjIwMjYtMTIifQ.eyJzdWIiOiJjLTEwMSIsImF1ZCI6InRpZW5kYSIsImlhdCI\
6MTgwMDAwMDAwMCwiZXhwIjoxODAwMDAzNjAwfQ.hVm7F4cPJYCoVvVB49R1shfapGpep1B7ZyoKB4uAMOw_CxzWLa\
EUp_L6ozt0kmj6c62xlYhI7dU1mcfBrMuE3sX6hbd2umy20cK9OncPZrxLPS7jNy9WuCcggU6XIVyPSoS4mKdFk7mS\
QH0ywxnZvUK9CUxp9-lQBxTE8PdLBmknkB7ribH683xs0od85QDN0ZmN09K0jQtK6ZLc5wAC3eM5VF23C7kwRDS99x\
Kbxar94oJI4HQR-Z3B01gvF9Vg-ha2GfEavI-x-98r8s5I8bPfQDO-RBs1LdoNTxPOA8J6GumGkZy8mqgFfupZGE0Z\
NDX2xdIA__sVv9oEmtNRtw";

struct Folder {
    dir: TempDir,
    public: String,
    secret: String,
}

impl Folder {
    fn new(identity: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("keys")).unwrap();
        std::fs::write(dir.path().join("keys/rsa.pem"), RSA_2048).unwrap();
        std::fs::write(
            dir.path().join("shop.toml"),
            format!("name = \"a\"\nlanguages = [\"en\"]\n{identity}"),
        )
        .unwrap();
        Self { dir, public: ed25519_pem(&pair()), secret: SECRET.to_owned() }
    }

    fn load(&self) -> Result<Identity, String> {
        let shop = Shop::read(self.dir.path()).map_err(|error| error.to_string())?;
        let variable = |name: &str| match name {
            "KEY" => Some(OsString::from(&self.secret)),
            "PUBLIC" => Some(OsString::from(&self.public)),
            _ => None,
        };
        let identity = Identity::load(&shop, &variable).map_err(|error| error.to_string())?;
        identity.ok_or_else(|| "none".to_owned())
    }
}

fn identity(text: &str) -> Identity {
    Folder::new(text).load().unwrap()
}

fn pair() -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap()
}

fn ed25519_pem(pair: &Ed25519KeyPair) -> String {
    let mut der = vec![0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
    der.extend(pair.public_key().as_ref());
    format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", STANDARD.encode(der))
}

fn claims() -> Value {
    json!({"sub": "c-101", "aud": "tienda", "iat": SIGNED, "exp": SIGNED + 3_600})
}

/// The usual claims with one of them put in place of its own; null takes it out.
fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    let object = claims.as_object_mut().unwrap();
    object.insert(name.to_owned(), value.clone());
    if value.is_null() {
        object.remove(name);
    }
    claims
}

fn body(header: &str, payload: &str) -> String {
    format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(payload))
}

fn hs256(header: &str, payload: &str, secret: &[u8]) -> String {
    let body = body(header, payload);
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), body.as_bytes());
    format!("{body}.{}", URL_SAFE_NO_PAD.encode(tag))
}

fn eddsa(header: &str, payload: &str) -> String {
    let body = body(header, payload);
    format!("{body}.{}", URL_SAFE_NO_PAD.encode(pair().sign(body.as_bytes())))
}

/// A token of these claims, signed as it should be.
fn token(claims: &Value) -> String {
    hs256("{\"alg\":\"HS256\"}", &claims.to_string(), SECRET.as_bytes())
}

fn of(claims: &Value) -> Result<String, TokenError> {
    identity(HS256).verify(&token(claims), SOON).map(|customer| customer.0)
}

#[test]
fn what_other_programs_sign_is_verified_by_each_algorithm() {
    assert_eq!(identity(HS256).verify(HS256_TOKEN, SOON).unwrap().0, "c-101");
    let all = identity(&format!("{HS256}{RS256}{EDDSA}"));
    assert_eq!(all.verify(RS256_TOKEN, SOON).unwrap().0, "c-101");
    let token = eddsa("{\"alg\":\"EdDSA\",\"kid\":\"2027-01\"}", &claims().to_string());
    assert_eq!(all.verify(&token, SOON).unwrap().0, "c-101");
}

#[test]
fn the_signature_of_rfc_8037_holds_and_its_payload_is_no_claims() {
    let mut folder = Folder::new(&format!("[identity]\naudience = \"tienda\"\n{EDDSA}"));
    let point = URL_SAFE_NO_PAD.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo").unwrap();
    let mut der = vec![0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
    der.extend(point);
    folder.public =
        format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", STANDARD.encode(der));
    let token = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.\
        hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
    let identity = folder.load().unwrap();
    assert_eq!(identity.verify(token, SOON), Err(TokenError::NotJson("payload")));
    let other = token.replace("hgyY0il", "hgyY0im");
    assert_eq!(identity.verify(&other, SOON), Err(TokenError::BadSignature));
}

#[test]
fn the_key_decides_on_the_algorithm_and_never_the_token() {
    let only_rsa = identity(&format!("[identity]\naudience = \"tienda\"\n{RS256}"));
    // The public key of RS256, which everybody knows, as the secret of HS256.
    for secret in [RSA_2048.as_bytes(), RSA_2048.trim().as_bytes()] {
        let forged = hs256("{\"alg\":\"HS256\"}", &claims().to_string(), secret);
        assert_eq!(only_rsa.verify(&forged, SOON), Err(TokenError::OtherAlgorithm("RS256")));
        let forged = hs256("{\"alg\":\"RS256\"}", &claims().to_string(), secret);
        assert_eq!(only_rsa.verify(&forged, SOON), Err(TokenError::BadSignature));
    }
    for alg in ["\"none\"", "\"None\"", "\"hs256\"", "\"HS512\"", "\"\"", "null", "1", "[\"HS256\"]"] {
        let header = format!("{{\"alg\":{alg}}}");
        for token in [
            hs256(&header, &claims().to_string(), SECRET.as_bytes()),
            format!("{}.", body(&header, &claims().to_string())),
        ] {
            let error = identity(HS256).verify(&token, SOON).unwrap_err();
            assert_eq!(error, TokenError::OtherAlgorithm("HS256"), "{alg}");
        }
    }
    let none = hs256("{}", &claims().to_string(), SECRET.as_bytes());
    assert_eq!(identity(HS256).verify(&none, SOON), Err(TokenError::OtherAlgorithm("HS256")));
    let unsigned = format!("{}.", body("{\"alg\":\"HS256\"}", &claims().to_string()));
    assert_eq!(identity(HS256).verify(&unsigned, SOON), Err(TokenError::BadSignature));
}

#[test]
fn keys_are_chosen_by_their_id_while_one_takes_over_from_another() {
    let two = identity(&format!("{HS256}{EDDSA}"));
    let payload = claims().to_string();
    let hs = |header: &str| two.verify(&hs256(header, &payload, SECRET.as_bytes()), SOON);
    assert!(hs("{\"alg\":\"HS256\",\"kid\":\"2026-11\"}").is_ok());
    assert!(two.verify(&eddsa("{\"alg\":\"EdDSA\",\"kid\":\"2027-01\"}", &payload), SOON).is_ok());
    assert_eq!(hs("{\"alg\":\"HS256\"}"), Err(TokenError::NoKeyId));
    for kid in ["\"2026-10\"", "\"\"", "null", "11"] {
        assert_eq!(hs(&format!("{{\"alg\":\"HS256\",\"kid\":{kid}}}")), Err(TokenError::UnknownKey), "{kid}");
    }
    assert_eq!(hs("{\"alg\":\"HS256\",\"kid\":\"2027-01\"}"), Err(TokenError::OtherAlgorithm("EdDSA")));
    // With one key, a token need not name it, and may not name another.
    let other = hs256("{\"alg\":\"HS256\",\"kid\":\"2026-10\"}", &payload, SECRET.as_bytes());
    assert_eq!(identity(HS256).verify(&other, SOON), Err(TokenError::UnknownKey));
    let foreign = hs256("{\"alg\":\"HS256\"}", &payload, b"another secret, just as long as ours");
    assert_eq!(identity(HS256).verify(&foreign, SOON), Err(TokenError::BadSignature));
}

#[test]
fn a_token_holds_in_its_time_and_neither_before_nor_after() {
    let token = token(&claims());
    let at = |millis: i64| identity(HS256).verify(&token, UnixMillis(millis)).map(|_| ());
    let (begin, end) = (SIGNED * 1_000 - 30_000, (SIGNED + 3_600) * 1_000 + 30_000);
    for (millis, expected) in [
        (begin - 1, Err(TokenError::TooEarly("iat"))),
        (begin, Ok(())),
        (end - 1, Ok(())),
        (end, Err(TokenError::Expired)),
        (i64::MIN, Err(TokenError::TooEarly("iat"))),
        (i64::MAX, Err(TokenError::Expired)),
    ] {
        assert_eq!(at(millis), expected, "{millis}");
    }
    assert_eq!(of(&with("nbf", json!(SIGNED + 35))), Ok("c-101".to_owned()));
    assert_eq!(of(&with("nbf", json!(SIGNED + 36))), Err(TokenError::TooEarly("nbf")));
}

#[test]
fn a_token_has_an_end_and_it_is_not_far() {
    assert_eq!(of(&with("exp", Value::Null)), Err(TokenError::NoMoment("exp")));
    assert_eq!(of(&with("exp", json!(SIGNED + 86_400))), Ok("c-101".to_owned()));
    for far in [SIGNED + 86_401, i64::MAX] {
        assert_eq!(of(&with("exp", json!(far))), Err(TokenError::TooLasting(86_400)));
    }
    // Signed long ago, for long: the end is near, the whole is too long.
    assert_eq!(of(&with("iat", json!(SIGNED - 90_000))), Err(TokenError::TooLasting(86_400)));
    assert_eq!(of(&with("iat", json!(i64::MIN))), Err(TokenError::TooLasting(86_400)));
    let mut without = with("iat", Value::Null);
    assert_eq!(of(&without), Ok("c-101".to_owned()));
    without["exp"] = json!(SIGNED + 100_000);
    assert_eq!(of(&without), Err(TokenError::TooLasting(86_400)));
    for name in ["exp", "iat", "nbf"] {
        for value in [json!("1800000000"), json!(1.5), json!(u64::MAX), json!([SIGNED]), json!(true)] {
            assert_eq!(of(&with(name, value)), Err(TokenError::BadMoment(name)));
        }
    }
}

#[test]
fn a_token_is_for_this_shop_and_by_its_signer() {
    let other = || Err(TokenError::OtherAudience("tienda".to_owned()));
    assert_eq!(of(&with("aud", json!(["blog", "tienda"]))), Ok("c-101".to_owned()));
    for audience in
        [json!("Tienda"), json!("tienda "), json!([]), json!(["blog"]), json!({"tienda": 1}), json!(1)]
    {
        assert_eq!(of(&with("aud", audience)), other());
    }
    assert_eq!(of(&with("aud", Value::Null)), other());
    let strict = identity(&HS256.replace("[[identity", "issuer = \"https://shop.example\"\n[[identity"));
    let by = |issuer: Value| strict.verify(&token(&with("iss", issuer)), SOON);
    assert!(by(json!("https://shop.example")).is_ok());
    for issuer in [Value::Null, json!("https://shop.example/"), json!(["https://shop.example"])] {
        assert_eq!(by(issuer), Err(TokenError::OtherIssuer("https://shop.example".to_owned())));
    }
}

#[test]
fn the_customer_is_a_short_text_or_a_whole_number() {
    for (value, id) in [
        (json!(101), "101".to_owned()),
        (json!(u64::MAX), u64::MAX.to_string()),
        (json!("x".repeat(200)), "x".repeat(200)),
    ] {
        assert_eq!(of(&with("sub", value)), Ok(id));
    }
    for value in [
        json!(""),
        json!(" "),
        json!("x".repeat(201)),
        json!("c-101\n"),
        json!("c\u{0}"),
        json!("c\u{85}"),
        json!(1.0),
        json!(true),
        json!(["c-101"]),
    ] {
        assert_eq!(of(&with("sub", value)), Err(TokenError::BadCustomer("sub".to_owned())));
    }
    assert_eq!(of(&with("sub", Value::Null)), Err(TokenError::NoCustomer("sub".to_owned())));
    let named = identity(&HS256.replace("[[identity", "claim = \"customer_no\"\n[[identity"));
    assert_eq!(named.verify(&token(&with("customer_no", json!(7))), SOON).unwrap().0, "7");
}

#[test]
fn a_key_that_stands_twice_is_refused_wherever_it_stands() {
    let good = claims().to_string();
    let twice = good.replace("\"sub\":\"c-101\"", "\"sub\":\"c-101\",\"sub\":\"c-102\"");
    let nested = good.replace("\"sub\":\"c-101\"", "\"sub\":\"c-101\",\"x\":[{\"a\":1,\"a\":2}]");
    let escaped = good.replace("\"sub\":\"c-101\"", "\"sub\":\"c-101\",\"s\\u0075b\":\"c-102\"");
    for payload in [twice, nested, escaped, "[]".to_owned(), "{".to_owned(), format!("{good} x")] {
        let token = hs256("{\"alg\":\"HS256\"}", &payload, SECRET.as_bytes());
        assert_eq!(identity(HS256).verify(&token, SOON), Err(TokenError::NotJson("payload")), "{payload}");
    }
    let token = hs256("{\"alg\":\"none\",\"alg\":\"HS256\"}", &good, SECRET.as_bytes());
    assert_eq!(identity(HS256).verify(&token, SOON), Err(TokenError::NotJson("header")));
    let token = hs256("{\"alg\":\"HS256\",\"crit\":[]}", &good, SECRET.as_bytes());
    assert_eq!(identity(HS256).verify(&token, SOON), Err(TokenError::Critical));
}

#[test]
fn another_form_is_no_token() {
    let good = token(&claims());
    for text in [
        String::new(),
        "..".to_owned(),
        "c-101".to_owned(),
        format!("{good}="),
        format!(" {good}"),
        format!("{good}\n"),
        format!("{good}.{good}"),
        good.replacen('.', "", 1),
    ] {
        let error = identity(HS256).verify(&text, SOON).unwrap_err();
        assert!(
            matches!(error, TokenError::Malformed | TokenError::NotJson(_) | TokenError::BadSignature),
            "{text:?}: {error:?}"
        );
    }
    let long = token(&with("x", json!("x".repeat(MOST_BYTES))));
    assert_eq!(identity(HS256).verify(&long, SOON), Err(TokenError::TooLong));
    // Deeper than a reader may go.
    let deep = format!("{}{}", "[".repeat(2_000), "]".repeat(2_000));
    let token = hs256(&deep, "{}", SECRET.as_bytes());
    assert!(identity(HS256).verify(&token, SOON).is_err());
}

#[test]
fn no_error_and_no_debug_output_repeats_a_token_or_a_secret() {
    let identity = identity(&format!("{HS256}{EDDSA}"));
    assert!(!format!("{identity:?}").contains(SECRET));
    for claims in [with("aud", json!("b-l-o-g")), with("sub", json!("d-202\n")), with("exp", json!(1_111))] {
        let error = of(&claims).unwrap_err();
        for shown in [format!("{error}"), format!("{error:?}")] {
            assert!(!shown.contains("b-l-o-g") && !shown.contains("d-202") && !shown.contains("1111"));
        }
    }
}

#[test]
fn keys_that_do_not_fit_say_what_to_do() {
    let mut folder = Folder::new(HS256);
    folder.secret = "short".to_owned();
    let error = folder.load().unwrap_err();
    assert!(error.contains("`2026-11`") && error.contains("5 bytes") && !error.contains("short"), "{error}");
    folder.secret = String::new();
    assert!(folder.load().unwrap_err().contains("KEY is not set"));
    folder.secret = RSA_2048.to_owned();
    assert!(folder.load().unwrap_err().contains("needs a secret"));

    let folder = Folder::new(&format!("[identity]\naudience = \"tienda\"\n{RS256}"));
    let file = folder.dir.path().join("keys/rsa.pem");
    let private = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
    let cut = RSA_2048.replacen("MIIB", "MIIA", 1);
    let armour = |kind: &str| private.replace("PRIVATE KEY", kind);
    for (written, says) in [
        (RSA_1024.to_owned(), "1024 bits"),
        (P256.to_owned(), "no RSA key"),
        (ed25519_pem(&pair()), "no RSA key"),
        (private.to_owned(), "-pubout"),
        (armour("RSA PRIVATE KEY"), "-pubout"),
        (armour("ENCRYPTED PRIVATE KEY"), "-pubout"),
        (format!("{RSA_2048}{private}"), "-pubout"),
        (armour("CERTIFICATE"), "openssl x509"),
        (String::new(), "holds no public key"),
        (cut, "holds no public key"),
        (RSA_2048.replace("-----END", "----END"), "holds no public key"),
        (format!("{RSA_2048}{RSA_2048}"), "more than one"),
    ] {
        std::fs::write(&file, written).unwrap();
        let error = folder.load().unwrap_err();
        assert!(error.contains(says) && error.contains("keys/rsa.pem"), "{says}: {error}");
        assert!(!error.contains("AAAA"), "{error}");
    }
    std::fs::remove_file(&file).unwrap();
    assert!(folder.load().unwrap_err().contains("cannot be read"));
}

#[test]
fn a_configuration_that_does_not_fit_names_its_line() {
    let section = "[identity]\naudience = \"tienda\"\n";
    let key = "[[identity.keys]]\nid = \"a\"\nalgorithm = ";
    for (text, line, says) in [
        (section.to_owned(), 3, "no key"),
        ("[identity]\nkeys = []\n".to_owned(), 3, "audience"),
        (format!("{section}{key}\"none\"\n"), 7, "HS256"),
        (format!("{section}{key}\"HS256\"\n"), 5, "secret_env"),
        (format!("{section}{key}\"HS256\"\nsecret_env = \"A\"\nfile = \"a\"\n"), 5, "secret_env"),
        (format!("{section}{key}\"RS256\"\nsecret_env = \"A\"\n"), 5, "public_key_env"),
        (format!("{section}{key}\"EdDSA\"\nfile = \"a\"\npublic_key_env = \"B\"\n"), 5, "either"),
        (format!("{section}{key}\"EdDSA\"\nfile = \"../a\"\n"), 8, "shop folder"),
        (
            format!("{HS256}{HS256}").replace("[identity]\naudience = \"tienda\"\n", "").replacen(
                "[[",
                "[identity]\naudience = \"t\"\n[[",
                1,
            ),
            9,
            "two identity keys",
        ),
        (format!("{section}leeway_seconds = 6000\n"), 5, "from 0 to 600"),
        (format!("{section}max_age = 1\n"), 5, "did you mean `max_age_seconds`"),
    ] {
        let error = Folder::new(&text).load().unwrap_err();
        assert!(error.starts_with(&format!("shop.toml:{line}:")) && error.contains(says), "{error}");
    }
    assert_eq!(Folder::new("").load().unwrap_err(), "none");
}

proptest! {
    #[test]
    fn no_text_is_a_token(text in any::<String>(), header in "\\PC{0,40}", payload in "\\PC{0,40}", alg: bool) {
        let identity = identity(HS256);
        let header = if alg { "{\"alg\":\"HS256\"}" } else { &header };
        prop_assert!(identity.verify(&text, SOON).is_err());
        let signed = format!("{}.{text}", body(header, &payload));
        prop_assert!(identity.verify(&signed, SOON).is_err());
    }

    #[test]
    fn no_key_is_read_without_being_one(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        // Whatever the bytes are: no panic, and a key only of a known length.
        if let Some((Kind::Ed25519, key)) = spki::read(&bytes) {
            prop_assert_eq!(key.len(), 32);
        }
        let _ = spki::rsa_bits(&bytes);
    }

    #[test]
    fn a_token_with_another_character_anywhere_does_not_hold(
        at in any::<proptest::sample::Index>(),
        other in proptest::char::any(),
        base64 in "[A-Za-z0-9_.-]",
        which in 0usize..3,
    ) {
        let identity = identity(&format!("{HS256}{RS256}{EDDSA}"));
        let payload = claims().to_string();
        let token = match which {
            0 => hs256("{\"alg\":\"HS256\",\"kid\":\"2026-11\"}", &payload, SECRET.as_bytes()),
            1 => RS256_TOKEN.to_owned(),
            _ => eddsa("{\"alg\":\"EdDSA\",\"kid\":\"2027-01\"}", &payload),
        };
        let mut letters: Vec<char> = token.chars().collect();
        let at = at.index(letters.len());
        for other in [other, base64.chars().next().unwrap()] {
            let before = std::mem::replace(&mut letters[at], other);
            let changed: String = letters.iter().collect();
            prop_assert_eq!(identity.verify(&changed, SOON).is_ok(), other == before);
            letters[at] = before;
        }
    }
}
