// <quarto-tray>: the sixteen pieces, each in its own place; those that are gone leave a dent.

import { define, html, showPiece } from "./draw.js";
import { GridKeys } from "./grid.js";
import { pieceName, say } from "./phrases.js";
import { digitOf } from "./position.js";

/** Tall ones above short ones, light ones before dark ones. */
const ORDER = [2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13];

export class QuartoTray extends HTMLElement {
  #cells = new Map();

  connectedCallback() {
    if (this.#cells.size) return;
    const grid = html("div", { role: "grid", "aria-label": say("tray"), class: "dents" });
    for (const half of [ORDER.slice(0, 8), ORDER.slice(8)]) {
      grid.append(html("div", { role: "row", class: "dents-row" }, ...half.map((piece) => this.#cell(piece))));
    }
    this.replaceChildren(grid);
    new GridKeys(ORDER.map((piece) => this.#cells.get(piece)), {
      columns: () => getComputedStyle(grid).gridTemplateColumns.split(" ").length,
      choose: (index) => this.#choose(ORDER[index]),
    });
  }

  /** left: pieces still there; choosable: Set or null; selected: piece or null. */
  show({ left, choosable = null, selected = null }) {
    this.toggleAttribute("data-asks", choosable !== null);
    for (const [piece, cell] of this.#cells) {
      const isThere = left.includes(piece);
      showPiece(cell, isThere ? piece : null);
      cell.toggleAttribute("data-can", Boolean(choosable?.has(piece)));
      cell.toggleAttribute("data-selected", selected === piece);
      cell.setAttribute("aria-selected", String(selected === piece));
      cell.setAttribute("aria-disabled", String(!choosable?.has(piece)));
      cell.setAttribute("aria-label", isThere ? pieceName(piece) : say("piece_gone", { piece: pieceName(piece) }));
    }
  }

  focusPiece(piece) {
    this.#cells.get(piece).focus();
  }

  #cell(piece) {
    const cell = html("div", { role: "gridcell", class: "dent", "data-digit": digitOf(piece) });
    cell.addEventListener("click", () => this.#choose(piece));
    this.#cells.set(piece, cell);
    return cell;
  }

  #choose(piece) {
    this.dispatchEvent(new CustomEvent("piece", { detail: piece }));
  }
}

define("quarto-tray", QuartoTray);
