// What the widget promises the page it stands on: no storage needed, no markup from anybody, a strict policy, tokens kept to itself.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";

import { Chat, newPage, picture, quit, visit } from "./browser.mjs";
import { answered, Double, event, texts } from "./double.mjs";
import { scripted } from "./server.mjs";
import { SHOPS } from "./shops.mjs";

after(quit);

const MARKUP = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script><b>fuerte</b>`;

test("a customer is answered where storage and cookies are blocked", async (t) => {
  const init = () => {
    for (const [owner, name] of [[window, "localStorage"], [window, "sessionStorage"], [Document.prototype, "cookie"], [window, "indexedDB"]]) {
      const refuse = () => { throw new DOMException("blocked", "SecurityError"); };
      Object.defineProperty(owner, name, { configurable: true, get: refuse, set: refuse });
    }
  };
  const { page, chat, shop, problems } = await visit(t, "es", { init });
  assert.equal(await page.evaluate(() => {
    try {
      return String(window.sessionStorage);
    } catch (error) {
      return error.name;
    }
  }), "SecurityError");
  await chat.open();
  await chat.ask(shop.known.question);
  await chat.button("helpful").waitFor();
  await chat.ask(shop.unknown.question);
  await chat.answer(shop.unknown.says).waitFor();
  assert.deepEqual(problems, []);
});

test("nothing is kept but the conversation, the draft and whether the dialog is open", async (t) => {
  const { page, chat, shop } = await visit(t, "es");
  await page.evaluate(() => { document.querySelector("mostrador-chat").token = "secret.of.theirs"; });
  await page.evaluate(() => { document.querySelector("mostrador-chat").token = undefined; });
  await chat.open();
  await chat.ask(shop.known.question);
  await chat.button("helpful").waitFor();
  const kept = await page.evaluate(() => ({
    session: Object.values(sessionStorage).map((value) => Object.keys(JSON.parse(value)).sort()),
    local: localStorage.length,
    cookie: document.cookie,
  }));
  assert.deepEqual(kept, { session: [["conversation", "draft", "open"]], local: 0, cookie: "" });
});

test("under a policy that forbids everything inline, nothing is refused", async (t) => {
  const { page, chat, shop, problems, server } = await visit(t, "es");
  const policy = (await fetch(`${server.url}/`)).headers.get("content-security-policy");
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"]) {
    assert.ok(policy.split(/;\s*/).includes(part), `${part} is not in: ${policy}`);
  }
  await chat.open();
  await chat.ask(shop.known.question);
  await chat.log.locator(".cite").first().click();
  await chat.button("unhelpful").click();
  await chat.button("person").click();
  await chat.button("cancel").click();
  await chat.button("erase").click();
  await chat.button("cancel").click();
  assert.ok((await chat.dialog.evaluate((dialog) => getComputedStyle(dialog).position)) === "fixed", "the widget has its style");
  await page.keyboard.press("Escape");
  assert.deepEqual(problems, []);
});

test("the policy is in force: a style or a script of the page itself would be refused", async (t) => {
  const { page, problems } = await visit(t, "es");
  await page.evaluate(() => {
    const style = document.createElement("style");
    style.textContent = "body { color: red }";
    document.head.append(style);
  });
  await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(resolve); }));
  assert.ok(problems.length > 0);
});

test("markup in a question stays text", async (t) => {
  const { page, chat } = await visit(t, "es");
  await chat.open();
  await chat.ask(MARKUP);
  await chat.log.locator(".customer", { hasText: MARKUP }).waitFor();
  await chat.log.locator(".pending").waitFor({ state: "detached" });
  assert.equal(await chat.log.locator("img, script, b").count(), 0);
  assert.notEqual(await page.title(), "broken");
});

test("markup in answers, passages, notices and colleagues' lines stays text", { skip: scripted }, async (t) => {
  const { page, chat, double, problems } = await visit(t, "es");
  const citation = { source: "x#1", file: `${MARKUP}.md`, headings: [MARKUP], text: MARKUP, date: MARKUP };
  double.script("marca", event("sentence", { text: `${MARKUP} [x#1]` }), event("citation", citation),
    event("notice", { key: "hold", text: MARKUP }), event("done", { ending: "held" }));
  await chat.open();
  await chat.ask("marca");
  await chat.log.locator(".cite").click();
  const id = double.conversation();
  double.colleague(id, MARKUP);
  await chat.log.locator(".colleague", { hasText: MARKUP }).waitFor();
  assert.equal(await chat.log.locator("blockquote").innerText(), MARKUP);
  assert.equal(await chat.log.locator("img, script, .text b, blockquote b").count(), 0);
  assert.notEqual(await page.title(), "broken");
  await picture(page, "markup");
  assert.deepEqual(problems, []);
});

/** A shop's own site at another origin, with a policy of its own and the widget of `origin`. */
async function site(t, origin, attributes = "", script = "") {
  const server = createServer((request, response) => {
    if (request.url === "/site.js") return response.writeHead(200, { "Content-Type": "text/javascript" }).end(script);
    response.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; script-src 'self' ${origin}; connect-src ${origin}`,
    });
    response.end(`<!doctype html><html lang="es"><title>t</title><script src="/site.js"></script>`
      + `<script src="${origin}/widget.js" defer></script><body><mostrador-chat ${attributes}></mostrador-chat></body></html>`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }));
  return `http://127.0.0.1:${server.address().port}`;
}

async function embedded(t, attributes, script) {
  const double = new Double("es");
  const origin = await double.start();
  t.after(() => double.stop());
  double.origin = await site(t, origin, attributes, script);
  const { page, problems } = await newPage(t, { faults: true });
  await page.goto(double.origin);
  return { page, problems, double, chat: new Chat(page, texts("es", "widget.toml")) };
}

test("a site of another origin embeds it, and its customer is signed in by an event", { skip: scripted }, async (t) => {
  const { page, chat, double, problems } = await embedded(t, `token-from="shop-token"`,
    `addEventListener("shop-token", (event) => event.detail.respond(Promise.resolve("signed.by.shop")));`);
  await chat.open();
  await chat.ask(SHOPS.es.known.question);
  await chat.button("helpful").waitFor();
  const asked = double.requests.filter(({ method, path }) => method === "POST" && path === "/v1/answers");
  assert.deepEqual(asked.map(({ headers }) => headers.authorization), ["Bearer signed.by.shop"]);
  assert.ok(asked.every(({ headers }) => headers.cookie === undefined));
  assert.equal(await page.evaluate(() => document.querySelector("mostrador-chat").token), undefined);
  assert.ok(!(await page.evaluate(() => JSON.stringify(sessionStorage))).includes("signed.by.shop"));
  assert.deepEqual(problems, []);
});

test("a token that has run out is asked for again, once", { skip: scripted }, async (t) => {
  const { chat, double } = await embedded(t, `token-from="shop-token"`,
    `let given = 0; addEventListener("shop-token", (event) => { given += 1; event.detail.respond("token-" + given); });`);
  double.script("¿y mi pedido?", { status: 401 });
  double.script("¿y mi pedido?", ...answered({ sentences: ["En reparto."] }));
  await chat.open();
  await chat.ask("¿y mi pedido?");
  await chat.answer("En reparto.").waitFor();
  const sent = double.requests.filter(({ method, path }) => method === "POST" && path === "/v1/answers").map(({ headers }) => headers.authorization);
  assert.deepEqual(sent, ["Bearer token-1", "Bearer token-2"]);
});

test("a token set before the script has run is used, and signing out forgets the conversation", { skip: scripted }, async (t) => {
  const { page, chat, double } = await embedded(t, "",
    `addEventListener("DOMContentLoaded", () => {}); document.addEventListener("readystatechange", () => {
       const chat = document.querySelector("mostrador-chat"); if (chat && document.readyState === "interactive") chat.token = "early"; });`);
  await chat.open();
  await chat.ask(SHOPS.es.known.question);
  await chat.button("helpful").waitFor();
  assert.ok(double.requests.filter(({ path, method }) => path === "/v1/answers" && method === "POST").every(({ headers }) => headers.authorization === "Bearer early"));
  await page.evaluate(() => { document.querySelector("mostrador-chat").token = null; });
  assert.equal(await chat.log.locator(".customer").count(), 0);
  await chat.ask(SHOPS.es.known.question);
  await chat.button("helpful").waitFor();
  const asked = double.requests.filter(({ path, method }) => path === "/v1/answers" && method === "POST");
  assert.equal(asked.at(-1).headers.authorization, undefined);
  assert.notEqual(asked[0].body.conversation, asked[1].body.conversation);
});

test("a site's style does not reach into it, and its own properties colour it", { skip: scripted }, async (t) => {
  const { page, chat } = await embedded(t, "", `addEventListener("DOMContentLoaded", () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { font-size: 40px !important; color: red } button { display: none } mostrador-chat { --mostrador-accent: rgb(120, 30, 60); }");
    document.adoptedStyleSheets = [sheet]; });`);
  await chat.open();
  const look = await chat.button("send").evaluate((button) => {
    const style = getComputedStyle(button);
    return [style.backgroundColor, style.color, style.display];
  });
  assert.deepEqual(look, ["rgb(120, 30, 60)", "rgb(255, 255, 255)", "grid"]);
  assert.equal(await chat.input.evaluate((input) => getComputedStyle(input).fontSize), "16px");
  await picture(page, "themed");
});

test("a site that is always light has a light widget, also at night", async (t) => {
  const { page, chat } = await visit(t, "es", { colorScheme: "dark" });
  await chat.open();
  const background = () => chat.dialog.evaluate((dialog) => getComputedStyle(dialog).backgroundColor);
  const dark = await background();
  await page.evaluate(() => document.querySelector("mostrador-chat").setAttribute("theme", "light"));
  assert.deepEqual([dark, await background()], ["rgb(23, 28, 26)", "rgb(255, 255, 255)"]);
});
