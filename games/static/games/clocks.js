// Both players' clocks, from the state alone; the own one speaks at 30 and 10 seconds.

import { formatClock } from "./live-clock.js";
import { say } from "./phrases.js";

export class Clocks {
  #clocks;
  #you;
  #now;
  #speak;
  #frozen = null;
  #deadline = null;

  /** clocks: Map of seat to <live-clock>; speak(seconds) is called when that much is left to the own side. */
  constructor(clocks, { you, now, speak }) {
    this.#clocks = clocks;
    this.#you = you;
    this.#now = now;
    this.#speak = speak;
  }

  show(state) {
    const { clock } = state;
    if (clock.paused && this.#deadline) this.#frozen = this.#deadline - clock.paused.since;
    if (!clock.paused) this.#frozen = null;
    this.#deadline = clock.deadline;
    for (const [seat, element] of this.#clocks) this.#showSeat(element, seat, state);
  }

  text(seat) {
    return this.#clocks.get(seat).text;
  }

  #showSeat(element, seat, state) {
    const { clock } = state;
    const turn = clock.turn_ms ?? 0;
    const bank = clock.bank_ms[seat - 1] ?? 0;
    if (state.status === "over") element.rest(null, { state: "over" });
    else if (seat !== state.to_act) element.rest(turn + bank, { note: turn && bank ? bankNote(bank) : "" });
    else if (clock.paused) element.rest(this.#frozen, { note: say("clock_paused"), state: "paused" });
    else if (clock.deadline) this.#run(element, seat, state, turn ? bank : 0);
  }

  #run(element, seat, state, bank) {
    const isBeginning = state.status === "waiting";
    let before = null;
    element.run({
      deadline: state.clock.deadline,
      now: this.#now,
      note: isBeginning ? say("clock_begin") : "",
      tick: (left) => {
        if (bank && !isBeginning) element.note = bankNote(Math.max(0, Math.min(bank, left)));
        for (const seconds of [30, 10]) {
          const isCrossed = before !== null && before > seconds * 1000 && left <= seconds * 1000;
          if (isCrossed && seat === this.#you) this.#speak(seconds);
        }
        before = left;
      },
    });
  }
}

function bankNote(ms) {
  return say("clock_bank", { time: formatClock(ms) });
}
