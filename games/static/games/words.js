// Sentences about a game: what is asked, what happened, how it ended.

import { pieceName, say } from "./phrases.js";

export class Words {
  #players;
  #you;

  constructor(game) {
    this.#players = new Map(game.players.map((player) => [player.seat, player.name]));
    this.#you = game.you;
  }

  name(seat) {
    return this.#players.get(seat) ?? "";
  }

  /** One sentence: what is asked of whom. */
  asked(state, position) {
    const mine = state.to_act === this.#you;
    const actor = this.name(state.to_act);
    const other = this.name(3 - state.to_act);
    if (state.status === "paused") {
      const reason = state.clock.paused?.reason;
      return reason ? say("paused_reason", { reason }) : say("paused");
    }
    if (state.status === "waiting") return mine ? say("ask_first", { name: other }) : say("waiting_start", { name: actor });
    const canCall = position.last !== null && !position.closed.includes(state.to_act);
    if (state.phase === "give") {
      if (!mine) return say("wait_give", { name: actor });
      return say(canCall ? "ask_give_or_call" : "ask_give", { name: other });
    }
    if (state.phase === "place") {
      if (!mine) return say("wait_place", { name: actor });
      return say(canCall ? "ask_place_or_call" : "ask_place");
    }
    return mine ? say("ask_end") : say("wait_end", { name: actor });
  }

  /** One item of the record, as a sentence. */
  happened(item) {
    const name = this.name(item.seat);
    switch (item.kind) {
      case "give":
        return say("log_give", { name, piece: pieceName(item.piece) });
      case "place":
        return say("log_place", { name, square: item.square });
      case "claim":
        return say(item.right ? "log_claim_right" : "log_claim_wrong", { name, line: item.line });
      case "arbiter":
      case "outage":
        return say(`log_${item.kind}`, { what: item.what });
      default:
        return say(`log_${item.kind}`, { name });
    }
  }

  winner(result) {
    return { "1-0": 1, "0-1": 2 }[result] ?? null;
  }

  /** "You win", "Ann wins", "A draw", ... */
  outcome(state) {
    const winner = this.winner(state.result);
    if (winner === null) return say(state.result === "1/2-1/2" ? "over_draw" : "over_aborted");
    if (winner === this.#you) return say("over_you_won");
    return say(this.#you ? "over_you_lost" : "over_won", { name: this.name(winner) });
  }

  why(state) {
    const winner = this.winner(state.result);
    return say(`why_${state.termination}`, { winner: this.name(winner), loser: this.name(winner && 3 - winner) });
  }
}
