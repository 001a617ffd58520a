// <quarto-board>: sixteen squares that show a position and say which one was chosen.
// It knows no rules: what may be chosen is told to it.

import { define, html, showPiece, svg } from "./draw.js";
import { GridKeys } from "./grid.js";
import { say, squareLabel } from "./phrases.js";
import { SQUARES, squareIndex } from "./position.js";

/** Rank 4 is drawn on top: the place of each square in reading order. */
const READING_ORDER = [12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3];

function centre(square) {
  return [12.5 + 25 * (square % 4), 12.5 + 25 * (3 - (square >> 2))];
}

/** A stroke through the four squares, or a frame round a small square. */
function lineDrawing(squares) {
  const [x1, y1] = centre(squares[0]);
  const [x2, y2] = centre(squares[3]);
  const isSmall = Math.abs(x1 - x2) === 25 && Math.abs(y1 - y2) === 25;
  if (!isSmall) return svg("line", { x1, y1, x2, y2 });
  return svg("rect", { x: Math.min(x1, x2) - 12.4, y: Math.min(y1, y2) - 12.4, width: 49.8, height: 49.8, rx: 6 });
}

export class QuartoBoard extends HTMLElement {
  #cells = [];
  #strokes;
  #keys;

  connectedCallback() {
    if (this.#cells.length) return;
    const grid = html("div", { role: "grid", "aria-label": say("board"), class: "squares" });
    for (let row = 0; row < 4; row++) {
      const line = html("div", { role: "row", class: "squares-row" });
      for (const square of READING_ORDER.slice(4 * row, 4 * row + 4)) line.append(this.#cell(square));
      grid.append(line);
    }
    this.#strokes = svg("svg", { class: "strokes", viewBox: "0 0 100 100", "aria-hidden": "true" });
    const ranks = html("div", { class: "ranks", "aria-hidden": "true" }, ..."4321".split("").map((rank) => html("span", {}, rank)));
    const files = html("div", { class: "files", "aria-hidden": "true" }, ..."abcd".split("").map((file) => html("span", {}, file)));
    this.replaceChildren(ranks, html("div", { class: "surface" }, grid, this.#strokes), files);
    this.#keys = new GridKeys(
      READING_ORDER.map((square) => this.#cells[square]),
      { columns: () => 4, choose: (index) => this.#choose(READING_ORDER[index]) },
    );
  }

  /**
   * board: sixteen pieces or nulls; chosen: Set of squares that may be chosen, or null where nothing is asked;
   * selected: array of squares; ghost: {square, piece} not yet on the board; last: square; lines: arrays of squares.
   */
  show({ board, choosable = null, selected = [], ghost = null, last = null, lines = [] }) {
    this.toggleAttribute("data-asks", choosable !== null);
    this.#cells.forEach((cell, square) => {
      const isGhost = ghost?.square === square;
      const piece = isGhost ? ghost.piece : board[square];
      showPiece(cell, piece);
      cell.toggleAttribute("data-ghost", isGhost);
      cell.toggleAttribute("data-last", last === square);
      cell.toggleAttribute("data-can", Boolean(choosable?.has(square)));
      cell.toggleAttribute("data-selected", selected.includes(square));
      cell.setAttribute("aria-disabled", String(!choosable?.has(square)));
      cell.setAttribute("aria-selected", String(selected.includes(square)));
      cell.setAttribute("aria-label", squareLabel(SQUARES[square], piece));
    });
    this.#strokes.replaceChildren(...lines.map(lineDrawing));
  }

  focusSquare(square) {
    this.#cells[square].focus();
  }

  /** The square at this point of the window, or null. */
  squareAt(x, y) {
    const name = document.elementFromPoint(x, y)?.closest("quarto-board [data-square]")?.dataset.square;
    return name ? squareIndex(name) : null;
  }

  #cell(square) {
    const cell = html("div", { role: "gridcell", class: "square", "data-square": SQUARES[square] });
    cell.addEventListener("click", () => this.#choose(square));
    this.#cells[square] = cell;
    return cell;
  }

  #choose(square) {
    this.dispatchEvent(new CustomEvent("square", { detail: square }));
  }
}

define("quarto-board", QuartoBoard);
