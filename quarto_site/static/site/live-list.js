// Pages that follow a tournament or the lobby: boards are redrawn in place, marked parts are fetched again.

import "../games/quarto-mini.js";
import { Socket } from "./socket.js";

const REFRESH_AT_MOST_EVERY_MS = 1000;

/** Calls work at once, and at most once in the interval after that; the last call is never lost. */
function paced(work, interval) {
  let last = -Infinity;
  let timer = null;
  const run = () => {
    timer = null;
    last = performance.now();
    work();
  };
  return () => {
    if (timer === null) timer = setTimeout(run, Math.max(0, last + interval - performance.now()));
  };
}

// The games that were paused at last, by their ids.
const held = new Set();

function refresh(selector = "[data-live-refresh]") {
  for (const part of document.querySelectorAll(selector)) window.htmx?.trigger(part, "live");
}

/** What lists the results of single boards is fetched again when one of them ends. */
const refreshResults = paced(() => refresh('[data-live-refresh="results"]'), REFRESH_AT_MOST_EVERY_MS);

function showBoard(frame) {
  for (const mini of document.querySelectorAll(`quarto-mini[data-game="${CSS.escape(frame.game ?? "")}"]`)) {
    if (frame.position) mini.dataset.position = frame.position;
    const card = mini.closest(".board-card");
    if (!card) continue;
    card.dataset.status = frame.status;
    if (frame.to_act) card.dataset.toAct = frame.to_act;
    else delete card.dataset.toAct;
    const result = card.querySelector("[data-result]");
    if (result && frame.result) result.textContent = frame.result;
  }
}

/** Whether a board is held now that was not, or goes on: its label and the time to appear change with that. */
function heldOrFreed(frame) {
  const was = held.has(frame.game);
  const is = frame.status === "paused";
  if (is) held.add(frame.game);
  else held.delete(frame.game);
  return was !== is;
}

/** A gap in the connection may hide events: what is marked is fetched again after it. */
function follow(path, handle) {
  const refreshSoon = paced(() => refresh(), REFRESH_AT_MOST_EVERY_MS);
  let wasDown = false;
  new Socket(path, {
    message: (frame) => handle(frame, refreshSoon),
    up() {
      if (wasDown) refreshSoon();
    },
    down() {
      wasDown = true;
    },
  });
}

for (const wall of document.querySelectorAll("[data-live-boards]")) {
  follow(`/ws/tournaments/${encodeURIComponent(wall.dataset.slug)}/`, (frame, refreshSoon) => {
    if (frame.type === "board") {
      showBoard(frame);
      if (heldOrFreed(frame)) refreshSoon();
      if (frame.status === "over") refreshResults();
    } else if (frame.type === "round" || frame.type === "standings") refreshSoon();
  });
}

if (document.querySelector("[data-live-lobby]")) {
  follow("/ws/lobby/", (frame, refreshSoon) => {
    if (frame.type === "seeks") refreshSoon();
  });
}
