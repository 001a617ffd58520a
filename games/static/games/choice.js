// What the player has chosen on this page but not sent: a square, a piece, or the ends of a line.
// A new state of the game ends every choice.

import { lineName, lineThrough } from "./position.js";

export class Choice {
  square = null;
  piece = null;
  pointing = false;
  ends = [];

  clear() {
    this.square = null;
    this.piece = null;
    this.pointing = false;
    this.ends = [];
  }

  get isEmpty() {
    return this.square === null && this.piece === null && !this.pointing;
  }

  startPointing() {
    this.clear();
    this.pointing = true;
  }

  /** A square was pointed at: the first end, the second, or a new beginning. */
  point(square, lines) {
    if (this.ends.length === 1 && this.ends[0] === square) this.ends = [];
    else if (this.ends.length === 1 && lineThrough(this.ends[0], square, lines)) this.ends.push(square);
    else this.ends = [square];
  }

  /** The four squares of the line pointed at, or null. */
  line(lines) {
    return this.ends.length === 2 ? lineThrough(...this.ends, lines) : null;
  }

  lineName(lines) {
    const squares = this.line(lines);
    return squares && lineName(squares);
  }

  /** Squares that may be pointed at next, whatever stands on them. */
  targets(lines) {
    const all = Array.from({ length: 16 }, (_, square) => square);
    if (this.ends.length !== 1) return new Set(all);
    return new Set(all.filter((square) => square === this.ends[0] || lineThrough(this.ends[0], square, lines)));
  }
}
