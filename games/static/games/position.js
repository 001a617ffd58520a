// Positions as they travel (RANKS HAND SIDE PHASE LAST CLOSED RULES), and where lines can lie.
// Nothing here looks at what pieces have in common: a player finds a line, or nobody does.

export const FILES = "abcd";
export const SQUARES = Array.from({ length: 16 }, (_, index) => FILES[index % 4] + (Math.floor(index / 4) + 1));

export function squareIndex(name) {
  return SQUARES.indexOf(name);
}

function pieceOf(mark) {
  return mark === "." || mark === "-" ? null : parseInt(mark, 16);
}

export function digitOf(piece) {
  return piece.toString(16).toUpperCase();
}

/** Board as sixteen pieces or nulls, a1 first. */
export function readPosition(text) {
  const [ranks, hand, side, phase, last, closed, rules] = text.split(" ");
  const board = ranks.split("/").reverse().join("").split("").map(pieceOf);
  return {
    board,
    hand: pieceOf(hand),
    toAct: side === "-" ? null : Number(side),
    phase,
    last: last === "-" ? null : squareIndex(last),
    closed: closed === "-" ? [] : closed.split("").map(Number).filter(Boolean),
    lines: rules.split(":")[0],
    mask: parseInt(rules.split(":")[1], 16),
  };
}

export function piecesLeft(position) {
  const gone = new Set(position.board.filter((piece) => piece !== null));
  if (position.hand !== null) gone.add(position.hand);
  return Array.from({ length: 16 }, (_, piece) => piece).filter((piece) => !gone.has(piece));
}

/**
 * The four squares of the line that two of its squares point at, or null.
 * Two corners that touch mean the small square where the rules know it, the long diagonal otherwise.
 */
export function lineThrough(first, second, lines) {
  const [x1, y1, x2, y2] = [first % 4, first >> 2, second % 4, second >> 2];
  const across = Math.abs(x1 - x2);
  const up = Math.abs(y1 - y2);
  if (first === second) return null;
  if (lines !== "L" && across === 1 && up === 1) {
    const corner = Math.min(x1, x2) + 4 * Math.min(y1, y2);
    return [corner, corner + 1, corner + 4, corner + 5];
  }
  if (up === 0) return [0, 1, 2, 3].map((x) => x + 4 * y1);
  if (across === 0) return [0, 1, 2, 3].map((y) => x1 + 4 * y);
  if (lines === "OS" || across !== up) return null;
  if (x1 === y1 && x2 === y2) return [0, 5, 10, 15];
  if (x1 + y1 === 3 && x2 + y2 === 3) return [12, 9, 6, 3];
  return null;
}

/** "a1-d1": the name by which the line is called. */
export function lineName(squares) {
  return `${SQUARES[squares[0]]}-${SQUARES[squares[3]]}`;
}

export function lineFromName(name, lines) {
  const ends = name.toLowerCase().split("-").map(squareIndex);
  return ends.length === 2 && !ends.includes(-1) ? lineThrough(ends[0], ends[1], lines) : null;
}
