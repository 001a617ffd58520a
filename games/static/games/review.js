// What can be said of lines once a game is over. Loaded only then.

import { SQUARES, lineName, lineThrough } from "./position.js";

const BITS = [1, 2, 4, 8];

function linesThrough(square, lines) {
  const found = new Map();
  for (let other = 0; other < 16; other++) {
    const squares = lineThrough(square, other, lines);
    if (squares?.includes(square)) found.set(lineName(squares), squares);
  }
  // A small square is pointed at by its corners: from one square, only the opposite corner finds it.
  if (lines !== "L") {
    for (let corner = 0; corner < 11; corner++) {
      const squares = [corner, corner + 1, corner + 4, corner + 5];
      if (corner % 4 !== 3 && squares.includes(square)) found.set(lineName(squares), squares);
    }
  }
  return found;
}

/** Keys of the phrases for what the pieces share: "1" all dark, "not_1" all light, ... */
export function sharedBy(pieces, mask) {
  if (pieces.includes(null)) return [];
  return BITS.filter((bit) => bit & mask).flatMap((bit) => {
    const count = pieces.filter((piece) => piece & bit).length;
    return count === 4 ? [`shared_${bit}`] : count === 0 ? [`shared_not_${bit}`] : [];
  });
}

/** The lines that the last placement completed: [{name, squares, shared}]. */
export function completedLines(board, last, lines, mask) {
  if (last === null) return [];
  return [...linesThrough(last, lines)]
    .map(([name, squares]) => ({ name, squares, shared: sharedBy(squares.map((square) => board[square]), mask) }))
    .filter((line) => line.shared.length)
    .sort((one, other) => SQUARES.indexOf(one.name.slice(0, 2)) - SQUARES.indexOf(other.name.slice(0, 2)));
}

/**
 * For each step of the replay the lines that died there: completed by an earlier placement, and gone with this one.
 * Given as a map from the step of the placement that completed the line to its lines.
 */
export function missedLines(steps, lines, mask) {
  const missed = new Map();
  let open = null;
  steps.forEach((step, number) => {
    if (step.item?.kind === "claim" && step.item.right) open = null;
    if (step.item?.kind === "place" || step.item?.kind === "pass") {
      if (open && (step.item.kind === "place" || step.item.seat === 2)) {
        missed.set(open.number, open.found);
        open = null;
      }
      if (step.item.kind === "place") {
        const found = completedLines(step.board, step.last, lines, mask);
        open = found.length ? { number, found } : null;
      }
    }
  });
  return missed;
}
