// Everybody can use it: by keyboard, with a screen reader, small, enlarged, dark, without motion.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { focused, marked, serious, tabTo } from "./access.mjs";
import { picture, quit, visit } from "./browser.mjs";

after(quit);

test("by keyboard alone: from the page to an opened citation and back", async (t) => {
  const { page, chat, shop } = await visit(t, "es");
  await chat.launcher.waitFor();
  await tabTo(page, ({ name }) => name.includes(chat.words.launcher));
  assert.ok(await marked(page));
  await page.keyboard.press("Enter");
  await chat.dialog.waitFor();
  assert.equal((await focused(page)).tag, "textarea");
  assert.ok(await marked(page));
  await page.keyboard.type("primera línea");
  await page.keyboard.press("Shift+Enter");
  assert.match(await chat.input.inputValue(), /\n/);
  await page.keyboard.press("Control+A");
  await page.keyboard.type(shop.known.question);
  await page.keyboard.press("Enter");
  await chat.button("helpful").waitFor();
  assert.equal((await focused(page)).tag, "textarea");
  await tabTo(page, ({ class: name }) => name === "cite", "Shift+Tab");
  assert.ok(await marked(page));
  await page.keyboard.press("Enter");
  await chat.log.locator("details[open]").waitFor();
  assert.equal((await focused(page)).tag, "summary");
  assert.ok(await marked(page));
  await page.keyboard.press("Enter");
  await chat.log.locator("details:not([open])").first().waitFor();
  await tabTo(page, ({ name }) => name === chat.words.person);
  await page.keyboard.press("Enter");
  await chat.button("person_send").waitFor();
  await page.keyboard.press("Escape");
  await chat.button("person_send").waitFor({ state: "detached" });
  assert.ok(await chat.dialog.isVisible(), "the first Escape closes only the form");
  await page.keyboard.press("Escape");
  await chat.dialog.waitFor({ state: "hidden" });
  assert.match((await focused(page)).name, new RegExp(chat.words.launcher));
});

for (const [name, language, options] of [
  ["light", "es", {}],
  ["dark", "bg", { colorScheme: "dark" }],
  ["right to left", "fa", {}],
  ["dark and narrow", "es", { colorScheme: "dark", viewport: { width: 320, height: 568 } }],
]) {
  test(`axe finds nothing serious: ${name}`, async (t) => {
    const { page, chat, shop } = await visit(t, language, { bypassCSP: true, reducedMotion: "reduce", ...options });
    await chat.launcher.waitFor();
    assert.deepEqual(await serious(page), [], "closed");
    await chat.open();
    await chat.ask(shop.known.question);
    await chat.button("unhelpful").click();
    await chat.log.locator(".cite").first().click();
    await chat.log.locator("details[open]").waitFor();
    assert.deepEqual(await serious(page), [], "answered");
    await chat.button("person").click();
    await page.context().setOffline(true);
    await chat.status("offline").waitFor();
    assert.deepEqual(await serious(page), [], "form and notice");
    await picture(page, `axe-${name.replaceAll(" ", "-")}`);
  });
}

for (const [name, options] of [
  ["320 px wide", { viewport: { width: 320, height: 568 } }],
  ["enlarged to 200 %", { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 }],
]) {
  test(`everything fits and can be used at ${name}`, async (t) => {
    const { page, chat, shop } = await visit(t, "bg", options);
    await chat.launcher.waitFor();
    await picture(page, `small-${options.viewport.width}-closed`);
    await chat.open();
    await chat.ask(shop.known.question);
    await chat.log.locator(".cite").first().click();
    await chat.log.locator("details[open]").waitFor();
    const { width, height } = options.viewport;
    assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]), [width, width]);
    const overflow = await chat.dialog.evaluate((dialog) => [...dialog.querySelectorAll("*")]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible" && !element.className.includes?.("unseen"))
      .map((element) => `${element.localName}.${element.className}`));
    assert.deepEqual(overflow, []);
    for (const button of ["send", "close"]) {
      const box = await chat.button(button).boundingBox();
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, button);
      assert.ok(box.width >= 24 && box.height >= 24, button);
    }
    const log = await chat.log.boundingBox();
    assert.ok(log.height > 100, `the log is ${log.height} high`);
    await picture(page, `small-${width}`);
    await chat.button("person").click();
    for (const button of ["person_send", "cancel"]) {
      await chat.button(button).scrollIntoViewIfNeeded();
      const box = await chat.button(button).boundingBox();
      assert.ok(box.y + box.height <= height, button);
    }
    await picture(page, `small-${width}-form`);
    await chat.button("cancel").click();
    // Over the whole window, the page behind is out of reach.
    await page.evaluate(() => {
      for (const place of [document.body.firstElementChild, document.querySelector("main")]) {
        place.append(Object.assign(document.createElement("a"), { href: "#", textContent: "link" }));
      }
    });
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press("Tab");
      assert.notEqual(await page.evaluate(() => document.activeElement.localName), "a");
    }
    await page.keyboard.press("Escape");
    await chat.dialog.waitFor({ state: "hidden" });
    assert.match((await focused(page)).name, new RegExp(chat.words.launcher));
  });
}

test("nothing moves for those who asked for that", async (t) => {
  const { chat } = await visit(t, "es", { reducedMotion: "reduce" });
  await chat.open();
  assert.equal(await chat.dialog.evaluate((dialog) => getComputedStyle(dialog).animationName), "none");
});

test("something moves for those who did not", async (t) => {
  const { chat } = await visit(t, "es", { reducedMotion: "no-preference" });
  await chat.open();
  assert.equal(await chat.dialog.evaluate((dialog) => getComputedStyle(dialog).animationName), "rise");
});

test("the field, the log and the dialog have names", async (t) => {
  const { chat, shop, page } = await visit(t, "es");
  await chat.open();
  assert.equal(await page.getByRole("dialog", { name: shop.name }).count(), 1);
  assert.equal(await page.getByRole("log", { name: chat.words.log }).count(), 1);
  assert.equal(await page.getByRole("textbox", { name: chat.words.question }).count(), 1);
});
