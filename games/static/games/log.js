// The list of moves: new ones are added at its end, so that they are read aloud once.

import { html, pieceDrawing } from "./draw.js";

function mark(item) {
  const marks = {
    place: item.square,
    claim: `Q! ${item.line} ${item.right ? "✓" : "✗"}`,
    pass: "–",
    resign: "⚑",
    time: "0:00",
    offer: "½?",
    decline: "½ ✗",
    agreed: "½",
    arbiter: "‖",
    outage: item.what,
  };
  return marks[item.kind] ?? "";
}

export class MoveLog {
  #list;
  #words;
  #texts = [];

  constructor(list, words) {
    this.#list = list;
    this.#words = words;
  }

  get last() {
    return this.#list.lastElementChild?.querySelector(".visually-hidden").textContent ?? null;
  }

  show(items) {
    const texts = items.map((item) => JSON.stringify(item));
    const isLonger = this.#texts.every((text, index) => text === texts[index]);
    if (!isLonger || !this.#texts.length) this.#list.replaceChildren();
    for (const item of items.slice(isLonger ? this.#texts.length : 0)) this.#list.append(this.#entry(item));
    if (texts.length !== this.#texts.length) this.#list.parentElement.scrollTop = this.#list.parentElement.scrollHeight;
    this.#texts = texts;
  }

  #entry(item) {
    const shown = html("span", { "aria-hidden": "true", class: "move-mark" });
    if (item.kind === "give") shown.append(pieceDrawing(item.piece));
    else shown.append(mark(item));
    const entry = html("li", { class: `move move--${item.kind}`, "data-seat": item.seat ?? "" });
    if (item.kind === "give") entry.append(html("span", { class: "move-number", "aria-hidden": "true" }, `${item.number}.`));
    const sentence = this.#words.happened(item);
    entry.title = sentence;
    entry.append(shown, html("span", { class: "visually-hidden" }, sentence));
    return entry;
  }
}
