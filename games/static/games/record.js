// The movetext of a game: its items one by one, and the board after each.

const ITEM = /\{(?:arbiter|outage): [^}]*\}|\S+/g;
const TIMED = /^(.*?)(?:\{([\d.]+)\})?$/;

const READERS = [
  [/^(\d+)\.@([0-9A-Fa-f])$/, ([, number, piece]) => ({ kind: "give", number: Number(number), piece: parseInt(piece, 16) })],
  [/^([a-d][1-4])$/, ([, square]) => ({ kind: "place", square })],
  [/^Q([12])\(([a-d][1-4]-[a-d][1-4])\)([!?])$/, ([, seat, line, mark]) => ({ kind: "claim", seat: Number(seat), line, right: mark === "!" })],
  [/^--$/, () => ({ kind: "pass" })],
  [/^R([12])$/, ([, seat]) => ({ kind: "resign", seat: Number(seat) })],
  [/^T([12])$/, ([, seat]) => ({ kind: "time", seat: Number(seat) })],
  [/^D([12])\?$/, ([, seat]) => ({ kind: "offer", seat: Number(seat) })],
  [/^D([12])-$/, ([, seat]) => ({ kind: "decline", seat: Number(seat) })],
  [/^=$/, () => ({ kind: "agreed" })],
  [/^\{arbiter: (.*)\}$/, ([, what]) => ({ kind: "arbiter", what })],
  [/^\{outage: (.*)\}$/, ([, what]) => ({ kind: "outage", what })],
];

function readItem(text) {
  const timed = text.startsWith("{") ? null : TIMED.exec(text);
  const bare = timed ? timed[1] : text;
  for (const [pattern, make] of READERS) {
    const found = pattern.exec(bare);
    if (found) return { ...make(found), seconds: timed?.[2] ? Number(timed[2]) : null };
  }
  return null;
}

/** The items in order, each with the seat that acted where somebody did; results are left out. */
export function readRecord(movetext) {
  const items = [];
  let number = 0;
  let passes = 0;
  for (const text of movetext.match(ITEM) ?? []) {
    const item = readItem(text);
    if (!item) continue;
    if (item.kind === "give") number = item.number;
    if (item.kind === "give") item.seat = number % 2 === 1 ? 1 : 2;
    if (item.kind === "place") item.seat = number % 2 === 1 ? 2 : 1;
    if (item.kind === "pass") item.seat = ++passes;
    item.number = number;
    items.push(item);
  }
  return items;
}

/** What stands on the board after each item: {item, board, hand, last}; the empty board comes first. */
export function boardsOf(items, squareIndex) {
  let board = Array(16).fill(null);
  let hand = null;
  let last = null;
  const steps = [{ item: null, board, hand, last }];
  for (const item of items) {
    if (item.kind === "give") hand = item.piece;
    if (item.kind === "place") {
      last = squareIndex(item.square);
      const [at, placed] = [last, hand];
      board = board.map((piece, index) => (index === at ? placed : piece));
      hand = null;
    }
    steps.push({ item, board, hand, last });
  }
  return steps;
}
