// What happens to me while I look at any page: games that start, challenges, notices.

import { Socket } from "./socket.js";

const SIGNED_OUT = 4001;
const banner = document.getElementById("banner");

/** True while this page shows a game of mine that is not over (the game page says so). */
function isPlaying() {
  return document.body.dataset.playing === "true";
}

function isAt(path) {
  return location.pathname === path;
}

function show(text, href, label) {
  const note = document.createElement("p");
  const words = document.createElement("span");
  words.textContent = text;
  note.append(words);
  if (href) {
    const link = document.createElement("a");
    link.href = href;
    link.textContent = label;
    note.append(link);
  }
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "×";
  close.setAttribute("aria-label", banner.dataset.close);
  close.addEventListener("click", () => note.remove());
  note.append(close);
  for (const earlier of banner.querySelectorAll("p")) {
    if (earlier.firstChild.textContent === text && earlier.querySelector("a")?.getAttribute("href") === href) {
      earlier.remove();
    }
  }
  banner.append(note);
}

const TELL = {
  game_start(frame) {
    const path = `/games/${encodeURIComponent(frame.game)}/`;
    if (isAt(path)) return;
    if (isPlaying()) show(banner.dataset.game, path, banner.dataset.open);
    else location.assign(path);
  },
  challenge(frame) {
    const waitsForMe = frame.you === "opponent" && frame.challenge.state === "open";
    const text = banner.dataset.challenge.replace("{name}", frame.challenge.challenger);
    if (waitsForMe && !isAt("/")) show(text, "/", banner.dataset.look);
  },
  notice(frame) {
    if (frame.text && !("maintenance" in frame)) show(frame.text, frame.href, banner.dataset.look);
  },
};

new Socket("/ws/me/", {
  message(frame) {
    TELL[frame.type]?.(frame);
    for (const part of document.querySelectorAll("[data-live-me]")) window.htmx?.trigger(part, "live");
  },
  /** Signed out elsewhere, or banned. A game's page says so itself. */
  down({ code }) {
    if (code !== SIGNED_OUT || document.querySelector("net-status")) return;
    const back = encodeURIComponent(location.pathname + location.search);
    show(banner.dataset.signedOut, `/accounts/sign-in/?next=${back}`, banner.dataset.signIn);
  },
});
