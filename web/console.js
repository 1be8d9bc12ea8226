// The console without this script does everything; with it, an open conversation shows new lines by itself, and a link
// that is to be sent to somebody is shown with the server's address.
"use strict";

(() => {
  for (const link of document.querySelectorAll("a.link")) link.textContent = link.href;

  const lines = document.getElementById("lines");
  const pause = Number(lines?.dataset.refresh);
  if (!pause) return;

  async function refresh() {
    const answer = await fetch(lines.dataset.page, { credentials: "same-origin", redirect: "error" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const line of page.querySelectorAll("#lines > li[id]")) {
      if (!document.getElementById(line.id)) lines.append(document.importNode(line, true));
    }
  }

  setInterval(() => {
    if (!document.hidden) refresh().catch(() => {});
  }, pause);
})();
