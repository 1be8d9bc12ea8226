// The console over the real program: who gets in, what is read there, by whom and on which screen.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { focused, marked, serious, tabTo } from "./access.mjs";
import { newPage, picture, quit } from "./browser.mjs";
import { arrive, asking, asks, HELD, owner, PASSWORD, quoting, SAID } from "./operator.mjs";
import { real as skip, scripted, serve } from "./server.mjs";

after(quit);

const MARKUP = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script> parcel`;

test("the link in the terminal makes the first owner once, who signs out and in", { skip }, async (t) => {
  const server = await quoting(t);
  const operator = await arrive(t, server, { faults: true });
  await operator.go("");
  await operator.heading("sign_in_title").waitFor();
  await picture(operator.page, "console-sign-in");
  await operator.page.goto(server.setup);
  await operator.heading("setup_title").waitFor();
  await operator.field("name").fill("olga");
  await operator.field("new_password").fill(PASSWORD);
  await operator.field("password_again").fill(`${PASSWORD}!`);
  await operator.button("arrive").click();
  await operator.text("password_differs").waitFor();
  await picture(operator.page, "console-setup");
  await operator.become(server.setup, "olga");
  await operator.text("inbox_empty").waitFor();
  await operator.page.goto(server.setup);
  await operator.text("fault_bad_link").waitFor();
  await operator.go("/inbox");
  await operator.button("sign_out").click();
  await operator.heading("sign_in_title").waitFor();
  await operator.go("/inbox");
  await operator.heading("sign_in_title").waitFor();
  await operator.signIn("olga", "three blue tents by the sea");
  await operator.text("sign_in_wrong").waitFor();
  await operator.signIn("olga");
  await operator.text("inbox_empty").waitFor();
  assert.deepEqual(operator.problems.filter((problem) => !/status of 40[0-9]/.test(problem)), []);
});

test("an owner invites a colleague, who may not do an owner's job", { skip }, async (t) => {
  const server = await quoting(t);
  const operator = await owner(t, server);
  await operator.link("nav_operators").click();
  await operator.page.getByLabel(operator.words.role, { exact: true }).selectOption("agent");
  await operator.button("invite").click();
  const link = await operator.page.locator(".link").innerText();
  assert.ok(link.startsWith(server.url), "it is sent to somebody, so it names the server");
  await picture(operator.page, "console-invitation");
  const agent = await arrive(t, server, { faults: true });
  await agent.become(link, "anna");
  assert.equal(await agent.link("nav_operators").count(), 0);
  await agent.go("/operators");
  await agent.text("fault_not_allowed").waitFor();
  await operator.go("/operators");
  await operator.page.getByRole("rowheader", { name: "anna" }).waitFor();
  await picture(operator.page, "console-operators");
  assert.deepEqual(operator.problems, []);
});

test("why an answer was given is shown with every score, and one click makes it a case", { skip }, async (t) => {
  const server = await quoting(t);
  const { chat } = await asks(t, server);
  const question = "How much is delivery to a parcel shop?";
  await chat.ask(question);
  await chat.button("helpful").waitFor();
  const operator = await owner(t, server);
  await operator.why();
  for (const name of ["ranked_title", "verdicts_title", "cited_title"]) await operator.heading(name).waitFor();
  const row = operator.page.getByRole("row").filter({ hasText: "delivery#2" }).first();
  assert.match(await row.innerText(), new RegExp(`[01]\\.\\d\\d.*${operator.words.reaches}.*${operator.words.yes}`, "s"));
  assert.match(await operator.page.locator(".verdicts .passed").first().innerText(), /£2\.40/);
  await picture(operator.page, "console-why");
  await operator.button("case_make").click();
  const file = await operator.page.locator("main code").first().innerText();
  assert.match(file, /^cases\/drafts\/[a-z0-9-]+\.yaml$/);
  assert.ok(existsSync(join(server.folder, file)));
  const written = readFileSync(join(server.folder, file), "utf8");
  assert.ok(written.includes(question) && written.includes("delivery#2"), written);
  assert.equal((await operator.page.locator("pre").innerText()).trim(), written.trim());
  await picture(operator.page, "console-case");
  assert.deepEqual(operator.problems, []);
});

test("the suite is run from its page, and its report is read there", { skip }, async (t) => {
  const operator = await owner(t, await quoting(t));
  await operator.link("nav_suite").click();
  await operator.button("suite_run").click();
  await operator.heading("suite_report").waitFor({ timeout: 60_000 });
  await operator.page.getByText(operator.words.suite_released).waitFor();
  await picture(operator.page, "console-suite");
  assert.deepEqual(operator.problems, []);
});

test("markup that a customer wrote is text on every page of the console", { skip }, async (t) => {
  const server = await quoting(t);
  const { chat, problems } = await asks(t, server);
  await chat.ask(MARKUP);
  await chat.log.locator(".pending").waitFor({ state: "detached" });
  await chat.button("person").first().click();
  await chat.dialog.getByRole("textbox", { name: chat.words.person_message }).fill(`${MARKUP} again`);
  await chat.dialog.getByRole("textbox", { name: chat.words.person_address }).fill(`"><b>x</b>`);
  await chat.button("person_send").click();
  await chat.log.getByText(`${MARKUP} again`).waitFor();
  const operator = await owner(t, server);
  const text = async () => {
    await operator.page.getByText(MARKUP).first().waitFor();
    assert.equal(await operator.page.locator("main img, main script, main b").count(), 0, operator.page.url());
    assert.notEqual(await operator.page.title(), "broken");
  };
  await text();
  await operator.page.getByRole("link", { name: `${MARKUP} again` }).click();
  await operator.heading("own_words").waitFor();
  await text();
  await operator.page.getByText(`"><b>x</b>`).waitFor();
  await operator.conversation();
  await text();
  await operator.page.locator("#lines a").first().click();
  await operator.heading("why_title").waitFor();
  await text();
  await operator.link("nav_turns").click();
  await text();
  // What comes by itself, without loading the page.
  await operator.conversation();
  await operator.button("take").click();
  await operator.button("give_back").waitFor();
  await chat.ask(`${MARKUP} third`);
  await operator.page.locator("#lines .customer", { hasText: `${MARKUP} third` }).waitFor();
  await text();
  // And the other way.
  await operator.field("your_answer").fill(MARKUP);
  await operator.button("send").click();
  await chat.log.locator(".colleague", { hasText: MARKUP }).waitFor();
  assert.equal(await chat.log.locator("img, script, b").count(), 0);
  assert.deepEqual([...problems, ...operator.problems], []);
});

test("the inbox shows what has come by itself", { skip }, async (t) => {
  const server = await quoting(t);
  const operator = await owner(t, server);
  await operator.go("/inbox");
  await operator.text("inbox_empty").waitFor();
  const { chat } = await asks(t, server);
  await chat.ask("Do you rent kayaks by the hour?");
  await operator.page.getByRole("link", { name: "Do you rent kayaks by the hour?" }).waitFor({ timeout: 30_000 });
  assert.deepEqual(operator.problems, []);
});

for (const door of ["inbox", "conversations/one"]) {
  test(`whoever is no longer signed in is led to where one signs in: ${door}`, { skip: scripted }, async (t) => {
    const server = await serve("es");
    t.after(() => server.stop());
    const { page } = await newPage(t, { faults: true });
    await page.goto(`${server.url}/console/${door}`);
    await page.getByRole("heading", { name: "console" }).waitFor();
    server.double.session = false;
    await page.getByRole("heading", { name: "sign in" }).waitFor();
  });
}

/** A shop in which everything has happened, and the owner at its console. */
async function busy(t, options) {
  const { provider, server } = await asking(t, HELD.rule);
  provider.script(HELD.words);
  provider.script(`${SAID.one} [${SAID.source}]`);
  const { chat } = await asks(t, server);
  await chat.ask(SAID.question);
  await chat.log.locator(".fixed").waitFor();
  await chat.ask("How long do parcels wait in a shop?");
  await chat.button("helpful").waitFor();
  await chat.ask("Do you rent kayaks by the hour?");
  await chat.log.locator(".fixed").nth(1).waitFor();
  return owner(t, server, options);
}

for (const [name, options] of [["light", {}], ["dark", { colorScheme: "dark" }]]) {
  test(`axe finds nothing serious in the console: ${name}`, { skip }, async (t) => {
    const operator = await busy(t, { bypassCSP: true, ...options });
    const { page } = operator;
    const look = async (what) => {
      assert.deepEqual(await serious(page), [], what);
      await picture(page, `console-${what}-${name}`);
    };
    await look("inbox");
    await page.getByRole("link", { name: SAID.question }).click();
    await operator.heading("draft").waitFor();
    await look("entry");
    await operator.conversation();
    await operator.button("take").click();
    await operator.button("give_back").waitFor();
    await look("conversation");
    await operator.why();
    await look("turn");
    for (const door of ["turns", "spend", "documents", "audit", "operators", "erasure", "suite", "account"]) {
      await operator.go(`/${door}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await look(door);
    }
    await operator.button("sign_out").click();
    await operator.heading("sign_in_title").waitFor();
    await look("sign-in");
  });
}

test("by keyboard alone: from signing in to an approved answer", { skip }, async (t) => {
  const first = await busy(t, {});
  const operator = await arrive(t, first.server);
  const { page, words } = operator;
  const reach = async (text) => {
    await tabTo(page, ({ name }) => name.trim() === text);
    assert.ok(await marked(page), text);
  };
  await operator.go("/sign-in");
  await page.keyboard.press("Tab");
  assert.equal((await focused(page)).name, words.skip);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("olga");
  await page.keyboard.press("Tab");
  assert.ok(await marked(page));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await operator.heading("nav_inbox").waitFor();
  await reach(SAID.question);
  await page.keyboard.press("Enter");
  await operator.heading("draft").waitFor();
  await reach(words.approve);
  await page.keyboard.press("Enter");
  await operator.text("note_approved").waitFor();
  assert.deepEqual(operator.problems, []);
});

test("on a narrow screen everything fits", { skip }, async (t) => {
  const operator = await busy(t, { viewport: { width: 320, height: 640 } });
  const { page } = operator;
  const fits = async (what) => {
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]), [320, 320], what);
    await picture(page, `console-narrow-${what}`);
  };
  await fits("inbox");
  await page.getByRole("link", { name: SAID.question }).click();
  await operator.heading("draft").waitFor();
  await fits("entry");
  await operator.conversation();
  await fits("conversation");
  await operator.why();
  await fits("turn");
  for (const door of ["turns", "spend", "documents", "audit", "operators", "erasure", "suite", "account"]) {
    await operator.go(`/${door}`);
    await fits(door);
  }
  assert.deepEqual(operator.problems, []);
});

test("in Persian the console runs from right to left, and stays so", { skip }, async (t) => {
  const english = await busy(t, {});
  const operator = await arrive(t, english.server, { language: "fa" });
  await operator.go("/sign-in?lang=fa");
  await operator.heading("sign_in_title").waitFor();
  await operator.signIn("olga");
  await operator.heading("nav_inbox").waitFor();
  assert.equal(await operator.page.evaluate(() => getComputedStyle(document.body).direction), "rtl");
  assert.equal(await operator.page.evaluate(() => document.documentElement.lang), "fa");
  const shop = await operator.page.locator(".shop").boundingBox();
  assert.ok(shop.x > 550, "the shop's name begins the line, on the right");
  // What customers wrote keeps its own direction.
  assert.equal(await operator.page.getByRole("link", { name: SAID.question }).evaluate((link) => getComputedStyle(link).direction), "ltr");
  // A day turned round is another day.
  assert.equal(await operator.page.locator("time").first().evaluate((time) => getComputedStyle(time).direction), "ltr");
  await picture(operator.page, "console-fa-inbox");
  await operator.conversation();
  await picture(operator.page, "console-fa-conversation");
  await operator.why();
  await picture(operator.page, "console-fa-turn");
  assert.deepEqual(operator.problems, []);
});
