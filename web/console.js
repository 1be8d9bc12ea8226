// The console without this script does everything; with it, an open conversation and the inbox show what is new by
// themselves, and a link that is to be sent to somebody is shown with the server's address.
"use strict";

(() => {
  for (const link of document.querySelectorAll("a.link")) link.textContent = link.href;

  const lines = document.getElementById("lines");
  const inbox = document.getElementById("inbox");
  const pause = Number((lines ?? inbox)?.dataset.refresh);
  if (!pause) return;

  async function read(place) {
    const answer = await fetch(place, { credentials: "same-origin", redirect: "manual" });
    // The session is over: the page itself leads to where one signs in.
    if (answer.type === "opaqueredirect" || answer.status === 401 || answer.status === 403) {
      clearInterval(renewing);
      location.reload();
    }
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  }

  async function refreshLines() {
    const page = await read(lines.dataset.page);
    for (const line of page?.querySelectorAll("#lines > li[id]") ?? []) {
      if (!document.getElementById(line.id)) lines.append(document.importNode(line, true));
    }
  }

  // What is looked at stays as it is: nothing moves while somebody has opened a group or holds a link in the list.
  async function refreshInbox() {
    const now = (await read(location.href))?.getElementById("inbox");
    const busy = inbox.contains(document.activeElement) || inbox.querySelector("details[open]");
    if (now && !busy && now.innerHTML !== inbox.innerHTML) {
      inbox.replaceChildren(...document.importNode(now, true).childNodes);
    }
  }

  const refresh = lines ? refreshLines : refreshInbox;
  const renewing = setInterval(() => {
    if (!document.hidden) refresh().catch(() => {});
  }, pause);
})();
