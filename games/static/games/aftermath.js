// After the game: who won and why, the line and what it shares, the replay with what was overlooked, a rematch.

import { html, showPiece } from "./draw.js";
import { post } from "./link.js";
import { say } from "./phrases.js";
import { lineFromName, readPosition, squareIndex } from "./position.js";
import { boardsOf, readRecord } from "./record.js";
import { missedLines, sharedBy } from "./review.js";

let shownSeq = null;

function part(id) {
  return document.getElementById(id);
}

function lineWords(name, shared) {
  return say("line_shared", { line: name, shared: shared.map((key) => say(key)).join(", ") });
}

/** Draw the end of the game once. */
export function showAftermath({ game, state, words, board }) {
  if (shownSeq === state.seq) return;
  shownSeq = state.seq;
  const position = readPosition(state.position);
  const lines = state.win_lines.map((name) => ({ name, squares: lineFromName(name, position.lines) }));
  for (const line of lines) line.shared = sharedBy(line.squares.map((square) => position.board[square]), position.mask);
  part("why").textContent = words.why(state);
  part("won-lines").replaceChildren(...lines.map((line) => html("li", {}, lineWords(line.name, line.shared))));
  part("result").hidden = false;
  for (const id of ["actions", "actions-more", "tray", "hand"]) part(id)?.toggleAttribute("hidden", true);
  showReplay({ game, state, words, board, position, lines });
  if (game.you !== null) offerRematch(game, words);
}

function showReplay({ state, words, board, position, lines }) {
  const items = readRecord(state.record);
  const steps = boardsOf(items, squareIndex);
  const missed = missedLines(steps, position.lines, position.mask);
  const scrubber = part("scrubber");
  scrubber.max = steps.length - 1;
  scrubber.value = scrubber.max;

  const draw = () => {
    const number = Number(scrubber.value);
    const step = steps[number];
    const isLast = number === steps.length - 1;
    const overlooked = missed.get(number) ?? [];
    board.show({
      board: step.board,
      last: step.last,
      lines: isLast && lines.length ? lines.map((line) => line.squares) : overlooked.map((line) => line.squares),
      selected: isLast ? lines.flatMap((line) => line.squares) : [],
    });
    board.toggleAttribute("data-missed", !isLast && overlooked.length > 0);
    part("replay-hand").hidden = step.hand === null;
    showPiece(part("replay-hand"), step.hand);
    part("replay-text").textContent = step.item ? words.happened(step.item) : say("replay_start");
    part("replay-missed").textContent = overlooked.length
      ? say("missed", { lines: overlooked.map((line) => lineWords(line.name, line.shared)).join("; ") })
      : "";
    scrubber.setAttribute("aria-valuetext", say("replay_step", { step: number, total: steps.length - 1 }));
  };
  const go = (change) => {
    scrubber.value = Number(scrubber.value) + change;
    draw();
  };
  scrubber.addEventListener("input", draw);
  part("step-back").addEventListener("click", () => go(-1));
  part("step-on").addEventListener("click", () => go(1));
  part("missed-list").replaceChildren(...missedButtons(missed, steps, (number) => {
    scrubber.value = number;
    draw();
  }));
  part("missed-none").hidden = missed.size > 0;
  part("replay").hidden = false;
  draw();
}

function missedButtons(missed, steps, show) {
  return [...missed].map(([number, found]) => {
    const text = found.map((line) => lineWords(line.name, line.shared)).join("; ");
    const button = html("button", { type: "button", class: "button button--small" }, `${steps[number].item.number}. ${text}`);
    button.addEventListener("click", () => show(number));
    return html("li", {}, button);
  });
}

function offerRematch(game, words) {
  const button = part("rematch");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    const response = await post(`/api/games/${encodeURIComponent(game.id)}/rematch/`);
    const answer = response?.ok ? await response.json().catch(() => null) : null;
    if (answer?.game) location.assign(`/games/${encodeURIComponent(answer.game)}/`);
    else if (answer?.challenge) part("rematch-note").textContent = say("rematch_offered", { name: words.name(3 - game.you) });
    else {
      part("rematch-note").textContent = say("failed");
      button.disabled = false;
    }
  });
}
