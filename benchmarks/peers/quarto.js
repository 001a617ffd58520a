// The standard rules, shared by the peers that have rules: no clock, a false claim is void.
'use strict';

const FILES = 'abcd';
const LINES = [
  ...[0, 1, 2, 3].map((row) => [0, 1, 2, 3].map((file) => 4 * row + file)),
  ...[0, 1, 2, 3].map((file) => [0, 1, 2, 3].map((row) => 4 * row + file)),
  [0, 5, 10, 15],
  [3, 6, 9, 12],
];

/** A square's number from its name, `a1` is 0; -1 where there is none. */
function squareNumber(name) {
  if (typeof name !== 'string' || name.length !== 2) return -1;
  const file = FILES.indexOf(name[0]);
  const row = '1234'.indexOf(name[1]);
  return file < 0 || row < 0 ? -1 : 4 * row + file;
}

/** A piece's number from its hexadecimal digit; -1 where there is none. */
function pieceNumber(name) {
  return typeof name === 'string' && /^[0-9A-F]$/.test(name) ? parseInt(name, 16) : -1;
}

/** The line between two end squares such as `a1-d1`, in either order, or undefined. */
function lineBetween(name) {
  const [from, to] = String(name).split('-').map(squareNumber);
  return LINES.find((line) => [`${from}-${to}`, `${to}-${from}`].includes(`${line[0]}-${line[3]}`));
}

/** Whether the four pieces on a line share an attribute; `board` has -1 for a free square. */
function shares(board, line) {
  const pieces = line.map((square) => board[square]);
  if (pieces.some((piece) => piece < 0)) return false;
  const all = pieces.reduce((left, piece) => left & piece, 15);
  const none = pieces.reduce((left, piece) => left & ~piece, 15);
  return all !== 0 || none !== 0;
}

/** Whether a line may be claimed: it shares an attribute and the last placement is on it. */
function claimable(board, last, name) {
  const line = lineBetween(name);
  return line !== undefined && line.includes(last) && shares(board, line);
}

module.exports = { claimable, pieceNumber, squareNumber };
