// The game page: what the player does goes to the server, what the server says is shown.

import "./net-status.js";
import "./quarto-board.js";
import "./quarto-tray.js";
import { Choice } from "./choice.js";
import { Clocks } from "./clocks.js";
import { bindCommands } from "./command.js";
import { draggable } from "./drag.js";
import { GameLink } from "./link.js";
import { MoveLog } from "./log.js";
import { pageJson, refusal, say } from "./phrases.js";
import { SQUARES, digitOf, piecesLeft, readPosition } from "./position.js";
import { bindPreferences, wantsConfirmation } from "./preferences.js";
import { readRecord } from "./record.js";
import { play } from "./sounds.js";
import { isAsked, isMine, part, showMoment, showPresence } from "./view.js";
import { Words } from "./words.js";

const game = pageJson("game");
const options = pageJson("options");
const { you } = game;
const words = new Words(game);
const choice = new Choice();
const log = new MoveLog(part("log"), words);

let state = game.state;
let position = readPosition(state.position);
let aftermath = null;

const link = new GameLink(game.id, state, {
  game: (frame) => frame.you === you || location.reload(),
  state: take,
  reply: answered,
  presence: (frame) => showPresence(frame, words),
  status: showConnection,
  change: () => queueMicrotask(render),
});

const clocks = new Clocks(
  new Map([1, 2].map((seat) => [seat, document.querySelector(`live-clock[data-seat="${seat}"]`)])),
  { you, now: link.now, speak },
);

function moment() {
  return { game, options, you, state, position, choice, pending: link.pending, words };
}

// What the player does

function act(action) {
  note("");
  choice.clear();
  if (!link.act(action)) note(say("sending"));
  render();
}

function chooseSquare(square) {
  if (choice.pointing) {
    choice.point(square, position.lines);
  } else if (isAsked(moment(), "place") && position.board[square] === null) {
    if (!wantsConfirmation()) return act({ do: "place", square: SQUARES[square] });
    choice.square = square;
  }
  return showChoice();
}

function choosePiece(piece) {
  if (!isAsked(moment(), "give") || !piecesLeft(position).includes(piece)) return undefined;
  if (!wantsConfirmation()) return act({ do: "give", piece: digitOf(piece) });
  choice.piece = piece;
  return showChoice();
}

function confirm() {
  const line = choice.lineName(position.lines);
  if (line) act({ do: "claim", line });
  else if (choice.square !== null) act({ do: "place", square: SQUARES[choice.square] });
  else if (choice.piece !== null) act({ do: "give", piece: digitOf(choice.piece) });
}

function toggleCall() {
  if (choice.pointing) choice.clear();
  else choice.startPointing();
  note("");
  render();
  if (choice.pointing) bringIntoView("board");
}

function cancel() {
  choice.clear();
  render();
}

// What the server says

function take(next, isNews) {
  const before = { wasMine: isMine(moment()), wasOver: state.status === "over" };
  state = next;
  position = readPosition(state.position);
  if (isNews) {
    choice.clear();
    note("");
    sound(before);
  }
  render();
  if (isNews) showWhatIsAsked();
  if (state.status === "over" && !before.wasOver) {
    alertNow(`${words.outcome(state)}. ${words.why(state)}`);
    for (const element of document.querySelectorAll("[data-live-end]")) window.htmx?.trigger(element, "live");
  }
}

function sound({ wasMine, wasOver }) {
  if (state.status === "over") return wasOver || play("over");
  if (isMine(moment()) && !wasMine) return play("turn");
  return play(state.phase === "place" ? "give" : "place");
}

function showConnection(name, code) {
  const wasLost = part("net").isLost;
  part("net").show(name);
  if (part("net").isLost) note(say(code >= 4001 ? `net_${code}` : `net_${name}`));
  else if (wasLost) note("");
}

function answered(reply) {
  if (!reply.ok) note(refusal(reply.code));
  render();
}

function speak(seconds) {
  const text = say(`clock_${seconds}`);
  if (seconds > 10) return note(text);
  alertNow(text);
  return play("hurry");
}

function note(text) {
  part("note").textContent = text;
}

function alertNow(text) {
  part("alert").textContent = text;
}

// What is seen

/** On a small screen the tray, or the button that confirms, may be below what is seen. */
function bringIntoView(id) {
  part(id).scrollIntoView({ block: "nearest" });
}

function showWhatIsAsked() {
  if (isMine(moment())) bringIntoView(state.phase === "give" ? "tray" : "board");
}

function showChoice() {
  render();
  if (!part("confirm").hidden) bringIntoView("actions");
}

function render() {
  const isOver = state.status === "over";
  document.body.dataset.playing = String(you !== null && !isOver);
  log.show(readRecord(state.record));
  clocks.show(state);
  showMoment(moment());
  if (isOver) showEnd();
}

async function showEnd() {
  choice.clear();
  aftermath ??= import("./aftermath.js");
  const { showAftermath } = await aftermath;
  showAftermath({ game, state, words, board: part("board") });
}

// Wiring

function bindPlayer() {
  const clicks = {
    quarto: toggleCall,
    confirm,
    undo: cancel,
    pass: () => act({ do: "pass" }),
    "offer-draw": () => act({ do: "offer_draw" }),
    "accept-draw": () => act({ do: "accept_draw" }),
    "decline-draw": () => act({ do: "decline_draw" }),
    resign: () => {
      part("resign-dialog").close();
      act({ do: "resign" });
    },
  };
  for (const [id, click] of Object.entries(clicks)) part(id).addEventListener("click", click);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !choice.isEmpty) cancel();
  });
}

function bindDragging() {
  draggable(part("hand"), {
    piece: () => (isAsked(moment(), "place") ? position.hand : null),
    drop: (_piece, x, y) => {
      const square = part("board").squareAt(x, y);
      if (square !== null) chooseSquare(square);
    },
  });
  draggable(part("tray"), {
    touch: false,
    piece: (event) => {
      const digit = event.target.closest?.("[data-can]")?.dataset.digit;
      return digit && isAsked(moment(), "give") ? parseInt(digit, 16) : null;
    },
    drop: (piece, x, y) => {
      if (document.elementFromPoint(x, y)?.closest("#asked, .plate")) choosePiece(piece);
    },
  });
}

part("board").addEventListener("square", (event) => chooseSquare(event.detail));
part("tray").addEventListener("piece", (event) => choosePiece(event.detail));
if (you !== null) {
  bindPlayer();
  bindDragging();
}
bindCommands(part("command"), { moment, act, note, clocks, log });
bindPreferences();
render();
showWhatIsAsked();
