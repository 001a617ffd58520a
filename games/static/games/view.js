// Everything that is seen of a running game, drawn anew from one moment of it:
// {game, options, you, state, position, choice, pending, words}.

import { showPiece } from "./draw.js";
import { pieceName, say } from "./phrases.js";
import { SQUARES, piecesLeft, squareIndex } from "./position.js";
import { readRecord } from "./record.js";

export function part(id) {
  return document.getElementById(id);
}

export function isMine({ you, state }) {
  return you !== null && state.to_act === you && ["waiting", "live"].includes(state.status);
}

/** The window of the rules, and nothing else: what stands on the board does not matter. */
export function mayCall(moment) {
  const { you, position, pending } = moment;
  return isMine(moment) && position.last !== null && !position.closed.includes(you) && !pending;
}

export function isAsked(moment, phase) {
  return isMine(moment) && moment.state.phase === phase && !moment.pending && !moment.choice.pointing;
}

/** Show the moment; ends with what only a running game has. */
export function showMoment(moment) {
  showTurn(moment);
  showAsked(moment);
  if (moment.state.status === "over") return;
  showBoard(moment);
  showTray(moment);
  if (moment.you !== null) showActions(moment);
}

function showTurn(moment) {
  const { state } = moment;
  for (const plate of document.querySelectorAll(".plate")) {
    plate.toggleAttribute("data-active", Number(plate.dataset.seat) === state.to_act && state.status !== "over");
  }
  const title = document.title.replace(/^● /, "");
  document.title = isMine(moment) ? `● ${title}` : title;
}

function sentence({ state, position, choice, pending, words }) {
  if (state.status === "over") return words.outcome(state);
  if (pending) return say("sending");
  if (!choice.pointing) return words.asked(state, position);
  const line = choice.lineName(position.lines);
  if (line) return say("ask_claim_confirm", { line });
  return say(choice.ends.length ? "ask_claim_second" : "ask_claim_first");
}

function showAsked(moment) {
  const text = sentence(moment);
  if (part("ask").textContent !== text) part("ask").textContent = text;
  part("asked").toggleAttribute("data-mine", isMine(moment));
}

/** The piece in the well: in hand, or on its way, or chosen to be given. */
function pieceInHand({ position, pending, choice }) {
  const sent = pending?.do === "give" ? parseInt(pending.piece, 16) : null;
  return position.hand ?? sent ?? choice.piece;
}

function ghostOnBoard({ position, pending, choice }) {
  if (position.hand === null) return null;
  const square = pending?.do === "place" ? squareIndex(pending.square) : choice.square;
  return square === null ? null : { square, piece: position.hand };
}

function choosableSquares(moment) {
  const { position, choice } = moment;
  if (choice.pointing) return choice.targets(position.lines);
  if (!isAsked(moment, "place")) return null;
  return new Set(position.board.flatMap((piece, square) => (piece === null ? [square] : [])));
}

function selectedSquares({ position, choice }) {
  if (choice.pointing) return choice.line(position.lines) ?? choice.ends;
  return choice.square === null ? [] : [choice.square];
}

function showBoard(moment) {
  const { position, choice } = moment;
  const line = choice.line(position.lines);
  const ghost = ghostOnBoard(moment);
  const board = part("board");
  board.show({
    board: position.board,
    choosable: choosableSquares(moment),
    selected: selectedSquares(moment),
    ghost,
    last: position.last,
    lines: line ? [line] : [],
  });
  board.toggleAttribute("data-pointing", choice.pointing);
  showHand(pieceInHand(moment), { isAway: ghost !== null, isGhost: position.hand === null });
}

function showHand(piece, { isAway, isGhost }) {
  const hand = part("hand");
  showPiece(hand, isAway ? null : piece);
  hand.setAttribute("aria-label", piece === null ? say("hand_none") : say("hand", { piece: pieceName(piece) }));
  hand.toggleAttribute("data-ghost", isGhost && piece !== null);
}

function showTray(moment) {
  const { position, pending, choice } = moment;
  const left = piecesLeft(position);
  const sent = pending?.do === "give" ? pieceInHand(moment) : null;
  part("tray").show({
    left: left.filter((piece) => piece !== sent),
    choosable: isAsked(moment, "give") ? new Set(left) : null,
    selected: choice.piece,
  });
}

function confirmLabel({ position, choice }) {
  const line = choice.lineName(position.lines);
  if (line) return say("claim_confirm", { line });
  if (choice.square !== null) return say("place_confirm", { square: SQUARES[choice.square] });
  return choice.piece === null ? "" : say("give_confirm");
}

function costOfAFalseCall({ game, state, you }) {
  const [policy, limit] = game.claims.split("=");
  const isFalseAndMine = (item) => item.kind === "claim" && !item.right && item.seat === you;
  return say(`cost_${policy}`, { used: readRecord(state.record).filter(isFalseAndMine).length, limit });
}

function showActions(moment) {
  const { state, choice, pending } = moment;
  const label = confirmLabel(moment);
  const isEnd = ["end", "reply"].includes(state.phase);
  part("quarto").disabled = !mayCall(moment);
  part("quarto").setAttribute("aria-pressed", String(choice.pointing));
  part("confirm").hidden = label === "";
  part("confirm").textContent = label;
  part("undo").hidden = choice.isEmpty;
  part("undo").textContent = say(choice.pointing ? "claim_back" : "undo");
  part("pass").hidden = !(isMine(moment) && isEnd) || choice.pointing;
  part("pass").disabled = Boolean(pending);
  part("cost").hidden = !choice.pointing;
  part("cost").textContent = costOfAFalseCall(moment);
  showDraw(moment);
}

function showDraw(moment) {
  const { state, options, you, words } = moment;
  const other = 3 - you;
  const mayOffer = options.draws && isMine(moment) && ["give", "place"].includes(state.phase) && state.offer === null;
  part("offer-draw").hidden = !mayOffer;
  part("offer").hidden = state.offer === null;
  part("offer-text").textContent = state.offer === other ? say("draw_asked", { name: words.name(other) }) : say("draw_offered");
  part("accept-draw").hidden = part("decline-draw").hidden = state.offer !== other;
}

export function showPresence({ seats, watchers }, words) {
  seats.forEach((isHere, index) => {
    const dot = document.querySelector(`.presence[data-seat="${index + 1}"]`);
    dot.toggleAttribute("data-here", isHere);
    dot.textContent = say(isHere ? "present" : "absent", { name: words.name(index + 1) });
  });
  part("watchers").textContent = say("watchers", { count: watchers });
}
