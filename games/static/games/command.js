// The command box: words typed on the same page.

import { pieceName, say, squareLabel } from "./phrases.js";
import { SQUARES } from "./position.js";

const ACTIONS = [
  [/^(?:place )?([a-d][1-4])$/, ([, square]) => ({ do: "place", square })],
  [/^(?:give|g) ?([0-9a-f])$/, ([, piece]) => ({ do: "give", piece: piece.toUpperCase() })],
  [/^(?:quarto|q) ?([a-d][1-4]) ?[- ] ?([a-d][1-4])$/, ([, one, other]) => ({ do: "claim", line: `${one}-${other}` })],
  [/^pass$/, () => ({ do: "pass" })],
  [/^resign$/, () => ({ do: "resign" })],
  [/^board$/, () => ({ tell: "board" })],
  [/^last$/, () => ({ tell: "last" })],
  [/^clock$/, () => ({ tell: "clock" })],
];

/** {do: ...} an action, {tell: ...} a question, or null. */
export function readCommand(text) {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  for (const [pattern, make] of ACTIONS) {
    const found = pattern.exec(words);
    if (found) return make(found);
  }
  return null;
}

function boardInWords({ position }) {
  const placed = position.board.flatMap((piece, square) => (piece === null ? [] : [squareLabel(SQUARES[square], piece)]));
  const held = position.hand === null ? say("hand_none") : say("hand", { piece: pieceName(position.hand) });
  return [...placed, held].join(". ");
}

function answer(question, { words, ...moment }, { clocks, log }) {
  if (question === "board") return boardInWords(moment);
  if (question === "last") return log.last ?? say("last_none");
  return say("clock_both", { name: words.name(1), time: clocks.text(1), other: words.name(2), other_time: clocks.text(2) });
}

/** Obey the box; resigning has to be typed twice. */
export function bindCommands(form, { moment, act, note, clocks, log }) {
  let before = null;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const box = form.elements.text;
    const command = readCommand(box.value);
    box.value = "";
    const now = moment();
    const isRepeated = before?.do === command?.do;
    before = command;
    if (!command) note(say("command_unknown"));
    else if (command.tell) note(answer(command.tell, now, { clocks, log }));
    else if (now.you === null || now.state.status === "over") note(say("command_not_now"));
    else if (command.do === "resign" && !isRepeated) note(say("resign_twice"));
    else act(command);
  });
}
