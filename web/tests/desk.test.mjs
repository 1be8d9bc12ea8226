// A customer and a colleague, each in their own browser, over the real program.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { picture, quit } from "./browser.mjs";
import { texts } from "./double.mjs";
import { asking, asks, HELD, owner, quoting, SAID } from "./operator.mjs";
import { real as skip } from "./server.mjs";

after(quit);

const { question, one, begun, two, source } = SAID;
const rest = ` ${two}`.slice(begun.length);

test("an answer of a slow model is read sentence by sentence", { skip }, async (t) => {
  const { provider, server } = await asking(t);
  provider.script("Delivery to a parcel ", { gate: "half" }, `shop near you costs £2.40. [${source}]${begun}`,
    { gate: "between" }, `${rest} [${source}]`);
  const { page, chat, problems } = await asks(t, server);
  await chat.ask(question);
  await provider.gate("half").reached;
  await chat.log.getByText(chat.words.thinking).waitFor();
  assert.equal(await chat.said("Delivery to a parcel").count(), 0, "half a sentence is not checked, so not shown");
  provider.gate("half").open();
  await provider.gate("between").reached;
  await chat.said(one).waitFor();
  assert.equal(await chat.said(two).count(), 0);
  assert.equal(await chat.button("helpful").count(), 0);
  await picture(page, "streaming");
  provider.gate("between").open();
  await chat.said(two).waitFor();
  await chat.button("helpful").waitFor();
  assert.equal(provider.heard.length, 1);
  assert.deepEqual(problems, []);
});

test("a held answer is approved as it is shown, and arrives without a reload", { skip }, async (t) => {
  const { provider, server } = await asking(t, HELD.rule);
  provider.script(HELD.words);
  const { page, chat, problems } = await asks(t, server);
  await chat.ask(question);
  await chat.log.locator(".fixed").waitFor();
  assert.equal(await chat.said("as a gift").count(), 0, "what is held is not read");
  await picture(page, "held");
  const operator = await owner(t, server);
  await picture(operator.page, "console-inbox-held");
  await operator.page.getByRole("link", { name: question }).click();
  await operator.heading("draft").waitFor();
  const shown = await operator.page.locator("blockquote").innerText();
  await picture(operator.page, "console-approve");
  await operator.button("approve").click();
  await operator.text("note_approved").waitFor();
  const line = chat.log.locator(".colleague", { hasText: "as a gift" });
  await line.waitFor();
  const marks = /\s*\[[^\]]*\]|\s+\d(?= |$)/g;
  assert.equal((await line.locator(".text").innerText()).replace(marks, ""), shown.replace(marks, ""));
  await picture(page, "approved");
  assert.equal(await operator.page.getByRole("link", { name: question }).count(), 0, "it waits no longer");
  await operator.link("nav_audit").click();
  await operator.page.getByRole("cell", { name: operator.words.action_inbox_approved }).waitFor();
  assert.deepEqual([...problems, ...operator.problems], []);
});

test("a colleague takes over in the middle of an answer, writes, and gives back", { skip }, async (t) => {
  const { provider, server } = await asking(t);
  provider.script(`${one} [${source}]${begun}`, { gate: "stalled" }, `${rest} [${source}]`);
  provider.script(`${two} [${source}]`);
  const { page, chat, problems } = await asks(t, server);
  await chat.ask(question);
  await chat.said(one).waitFor();
  await provider.gate("stalled").reached;

  const operator = await owner(t, server);
  await operator.conversation();
  await operator.button("take").click();
  await operator.button("give_back").waitFor();
  await chat.status("colleague_here").waitFor();
  // The model goes on; nobody listens to it.
  provider.gate("stalled").open();
  await operator.field("your_answer").fill("Hello, Olga here. Which parcel shop is it?");
  await operator.button("send").click();
  await chat.log.locator(".colleague", { hasText: "Olga here" }).waitFor();
  assert.equal(provider.written.at(-1), `${rest} [${source}]`);
  assert.equal(await chat.said(two).count(), 0);
  assert.equal(await chat.said(one).count(), 1, "what was read stays");
  await picture(page, "taken-over");

  await chat.ask("The one in Mill Lane.");
  await operator.page.locator("#lines .customer", { hasText: "Mill Lane" }).waitFor();
  await chat.log.locator(".pending").waitFor({ state: "detached" });
  await picture(operator.page, "console-conversation");
  assert.equal(provider.heard.length, 1, "the assistant is silent");

  await operator.button("give_back").click();
  await operator.button("take").waitFor();
  await chat.status("colleague_left").waitFor();
  await chat.ask(question);
  await chat.said(two).waitFor();
  await chat.button("helpful").last().waitFor();
  await operator.page.reload();
  assert.equal(provider.heard.length, 2, "one question, one answer");
  assert.equal(await chat.said(two).count(), 1);
  assert.equal(await operator.page.locator("#lines .assistant", { hasText: two }).count(), 1);
  assert.deepEqual([...problems, ...operator.problems], []);
});

test("what a customer thinks of an answer and whom they ask for is read in the console", { skip }, async (t) => {
  const server = await quoting(t);
  const { chat } = await asks(t, server);
  await chat.ask("How much is delivery to a parcel shop?");
  await chat.log.locator(".cite").first().click();
  await chat.log.locator("details[open]").waitFor();
  await chat.button("helpful").scrollIntoViewIfNeeded();
  await picture(chat.dialog, "widget");
  await chat.button("unhelpful").click();
  const comment = chat.dialog.getByRole("textbox", { name: chat.words.comment });
  await comment.fill("which shops?");
  await comment.press("Enter");
  await comment.waitFor({ state: "detached" });
  await chat.button("person").click();
  await chat.dialog.getByRole("textbox", { name: chat.words.person_message }).fill("Which shop is near Leeds?");
  await chat.dialog.getByRole("textbox", { name: chat.words.person_address }).fill("ann@mail.example");
  await chat.button("person_send").click();
  await chat.log.locator(".fixed").waitFor();
  const operator = await owner(t, server);
  await operator.page.getByRole("link", { name: "Which shop is near Leeds?" }).click();
  await operator.page.getByText("ann@mail.example").waitFor();
  await operator.field("your_answer").fill("The one in Park Row.");
  await operator.button("send").click();
  await chat.log.locator(".colleague", { hasText: "Park Row" }).waitFor();
  await operator.why();
  assert.match(await operator.page.locator(".facts").innerText(), new RegExp(`${operator.words.not_helpful}: which shops\\?`));
});

test("three messages in a row get one answer", { skip }, async (t) => {
  const { provider, server } = await asking(t);
  provider.script({ gate: "first" });
  provider.script({ gate: "second" });
  provider.script(`${one} [${source}]`);
  const { page, chat } = await asks(t, server);
  const messages = ["About a parcel shop:", "what does delivery to it cost?", "I mean a shop near me."];
  // Nobody waits for the answer.
  const ask = (words) => page.evaluate((text) => void document.querySelector("mostrador-chat").ask(text), words);
  await ask(messages[0]);
  await provider.gate("first").reached;
  await ask(messages[1]);
  await provider.gate("second").reached;
  await ask(messages[2]);
  await chat.said(one).waitFor();
  await chat.button("helpful").waitFor();
  await chat.log.locator(".assistant").nth(2).waitFor({ state: "detached" });
  const said = await chat.log.locator(".turn .text").allInnerTexts();
  assert.deepEqual(said.slice(1, -1), messages);
  assert.ok(said.at(-1).startsWith(one));
  assert.equal(provider.heard.length, 3);
  const last = JSON.stringify(provider.heard[2]);
  for (const words of messages) assert.ok(last.includes(words), `${words} is not in ${last}`);
});

test("a server that stops in the middle of an answer says so, and another try is offered", { skip }, async (t) => {
  const { provider, server } = await asking(t, "[server]\nshutdown_seconds = 0\n");
  provider.script(`${one} [${source}]${begun}`, { gate: "stalled" });
  const { chat } = await asks(t, server, { faults: true });
  await chat.ask(question);
  await chat.said(one).waitFor();
  await server.end();
  await chat.log.locator(".fixed", { hasText: texts("en", "texts.toml").interrupted }).waitFor();
  await chat.button("retry").waitFor();
  assert.equal(await chat.said(one).count(), 1, "what was read stays");
});

test("an answer that a reload breaks off can be asked again, and stands there once", { skip }, async (t) => {
  const { provider, server } = await asking(t);
  provider.script(`${one} [${source}]${begun}`, { gate: "stalled" });
  provider.script(`${one} [${source}] ${two} [${source}]`);
  const { page, chat } = await asks(t, server);
  await chat.ask(question);
  await chat.said(one).waitFor();
  await page.reload();
  await chat.log.getByText(chat.words.dropped).waitFor();
  await chat.said(one).waitFor();
  await chat.button("retry").click();
  await chat.said(two).waitFor();
  await chat.button("helpful").waitFor();
  await page.reload();
  await chat.button("helpful").waitFor();
  assert.equal(await chat.said(one).count(), 1);
  assert.equal(await chat.log.locator(".customer").count(), 1);
});

test("after a reload the colleague is still there, and still heard", { skip }, async (t) => {
  const server = await quoting(t);
  const { page, chat } = await asks(t, server);
  await chat.ask("How much is delivery to a parcel shop?");
  await chat.button("helpful").waitFor();
  await chat.button("person").click();
  await chat.dialog.getByRole("textbox", { name: chat.words.person_message }).fill("Is there one in Leeds?");
  await chat.button("person_send").click();
  await chat.log.locator(".fixed").waitFor();
  const operator = await owner(t, server);
  await operator.conversation();
  await operator.button("take").click();
  await operator.field("your_answer").fill("Let me look.");
  await operator.button("send").click();
  await chat.log.locator(".colleague", { hasText: "Let me look." }).waitFor();
  await page.reload();
  await chat.status("colleague_here").waitFor();
  await operator.field("your_answer").fill("There is, in Park Row.");
  await operator.button("send").click();
  await chat.log.locator(".colleague", { hasText: "Park Row" }).waitFor();
  const said = await chat.log.locator(".colleague .text").allInnerTexts();
  assert.deepEqual(said, ["Let me look.", "There is, in Park Row."]);
});
