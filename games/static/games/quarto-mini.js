// <quarto-mini data-position="...">: a small board drawn from the position alone; it follows its attribute.

import { define, svg } from "./draw.js";
import { digitOf, readPosition } from "./position.js";

export class QuartoMini extends HTMLElement {
  static observedAttributes = ["data-position"];

  attributeChangedCallback(_name, before, now) {
    if (before === null && this.querySelector("svg")) return;
    if (now && before !== now) this.#draw(now);
  }

  #draw(text) {
    const { board } = readPosition(text);
    const label = this.querySelector("svg")?.getAttribute("aria-label") ?? "";
    const placed = board.filter((piece) => piece !== null).length;
    const drawing = svg("svg", {
      class: "mini",
      viewBox: "0 0 164 164",
      role: "img",
      "aria-label": label.replace(/\d+/, placed) || String(placed),
    });
    board.forEach((_piece, square) => {
      const [x, y] = [4 + 40 * (square % 4), 4 + 40 * (3 - (square >> 2))];
      drawing.append(svg("rect", { x, y, width: 36, height: 36, rx: 9 }));
    });
    board.forEach((piece, square) => {
      if (piece === null) return;
      const [x, y] = [6 + 40 * (square % 4), 6 + 40 * (3 - (square >> 2))];
      drawing.append(svg("use", { href: `#piece-${digitOf(piece)}`, x, y, width: 32, height: 32 }));
    });
    this.replaceChildren(drawing);
  }
}

define("quarto-mini", QuartoMini);
