// What the server put into the page for scripts: phrases in the reader's language, and plain values.

export function pageJson(id) {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent) : null;
}

const known = pageJson("phrases") ?? { pieces: [], refusals: {} };

/** The phrase with its {words} filled in. */
export function say(key, words = {}) {
  return (known[key] ?? key).replace(/\{(\w+)\}/g, (whole, word) => words[word] ?? whole);
}

export function refusal(code) {
  return known.refusals[code] ?? code;
}

export function pieceName(piece) {
  return known.pieces[piece] ?? "";
}

export function squareLabel(square, piece) {
  return piece === null ? say("square_empty", { square }) : say("square_piece", { square, piece: pieceName(piece) });
}
