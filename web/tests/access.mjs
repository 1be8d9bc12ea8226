// What tests of access share: where the focus is, whether one sees it, and what axe finds.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What has the focus, through shadow roots: its accessible name's source or its tag. */
export const focused = (page) => page.evaluate(() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at && { tag: at.localName, name: at.getAttribute("aria-label") ?? at.textContent, class: at.className };
});

/** Presses a key until the focus is where it should be. */
export async function tabTo(page, found, key = "Tab") {
  const seen = [];
  for (let presses = 0; presses < 30; presses += 1) {
    const here = await focused(page);
    if (here && found(here)) return;
    seen.push(`${here?.tag} ${here?.name}`);
    await page.keyboard.press(key);
  }
  assert.fail(`never reached; went over ${seen.join(", ")}`);
}

/** How the focused element is marked: an outline of its own or of the frame around it. */
export const marked = (page) => page.evaluate(() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const style = getComputedStyle(at);
  const frame = at.closest("form") && getComputedStyle(at.closest("form"));
  return style.outlineStyle !== "none" || Boolean(frame && frame.outlineStyle !== "none");
});

/** Runs axe over the page; what is serious or critical, with where it is. */
export async function serious(page) {
  await page.addScriptTag({ path: axe });
  const { violations, passes } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations", "passes"] }));
  assert.ok(passes.length > 10, "axe looked at the page");
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target.flat()} ${failureSummary}`).join(" | ")}`);
}
