"""The one script of the page: it takes the parts that changed from the stream, and says when there is none. No more.

A part that has the focus is not taken away under somebody's hands: it changes when the focus leaves it.
A line that is dead without a word (a phone that changed its network) says nothing to the browser for an hour: what is
silent for longer than two of the store's signs of life (BEAT_S in site.py) is lost.
"""

from __future__ import annotations

SCRIPT = b""""use strict";
const line = document.getElementById("live"), held = new Map(), SILENT = 25000;
let at = line.dataset.at;
const say = (text, kind) => { if (line.textContent !== text) { line.textContent = text; line.className = kind; } };
const put = (part, html) => {
  const old = document.getElementById(part);
  if (!old) return;
  if (old.contains(document.activeElement)) { held.set(part, html); return; }
  const open = [...old.querySelectorAll("details")].map((each) => each.open);
  old.outerHTML = html;
  document.querySelectorAll("#" + part + " details").forEach((each, n) => { each.open = open[n] || false; });
};
document.addEventListener("focusout", () => setTimeout(() => {
  for (const [part, html] of [...held]) { held.delete(part); put(part, html); }
}));
const lost = () => say(line.dataset.lost.replace("{at}", at), "live lost");
const listen = () => {
  const source = new EventSource(line.dataset.from);
  let silent;
  const end = () => { clearTimeout(silent); source.close(); };
  const heard = () => { clearTimeout(silent); silent = setTimeout(() => { end(); lost(); listen(); }, SILENT); };
  heard();
  source.addEventListener("part", (event) => {
    const told = JSON.parse(event.data);
    heard();
    put(told.part, told.html);
  });
  source.addEventListener("at", (event) => { heard(); at = event.data; say(line.dataset.live, "live on"); });
  source.addEventListener("over", () => { end(); location.reload(); });
  source.onerror = () => {
    lost();
    if (source.readyState === 2) { end(); setTimeout(listen, 5000); }
  };
};
listen();
"""
