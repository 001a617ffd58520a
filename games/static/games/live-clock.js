// <live-clock>: time that runs down to the server's deadline by a monotonic clock, or rests.
// On pages without a game's script: <live-clock data-deadline="ms" data-now="ms">, both of the server's clock.

import { define, html } from "./draw.js";

const TICK_MS = 100;

/**
 * "10:00", "0:10", "9.9": rounded up once as a whole, so that nobody sees time that is not there split wrongly,
 * and 0 only when it is over. Tenths below ten seconds.
 */
export function formatClock(ms) {
  const tenths = Math.ceil(Math.max(0, ms) / 100);
  if (tenths < 100) return `${Math.floor(tenths / 10)}.${tenths % 10}`;
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const tail = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

export class LiveClock extends HTMLElement {
  #timer = null;
  #deadline = 0;
  #now = () => Date.now();
  #tick = null;
  #time;
  #note;

  connectedCallback() {
    if (!this.#time) {
      this.#time = html("span", { class: "clock-time" });
      this.#note = html("span", { class: "clock-note" });
      this.replaceChildren(this.#time, this.#note);
    }
    if (this.dataset.deadline) {
      const offset = Number(this.dataset.now ?? Date.now()) - performance.now();
      this.run({ deadline: Number(this.dataset.deadline), now: () => performance.now() + offset });
    }
  }

  disconnectedCallback() {
    this.#stop();
  }

  get remaining() {
    return this.#deadline - this.#now();
  }

  /** Run to a deadline of the server's clock; now() gives that clock; tick(ms left) after each redraw. */
  run({ deadline, now, note = "", tick = null }) {
    this.#deadline = deadline;
    this.#now = now;
    this.#tick = tick;
    this.#note.textContent = note;
    this.dataset.state = "running";
    if (this.#timer === null) this.#timer = setInterval(() => this.#draw(), TICK_MS);
    this.#draw();
  }

  /** Show a time that does not run. */
  rest(ms, { note = "", state = "resting" } = {}) {
    this.#stop();
    this.dataset.state = state;
    this.#write(ms === null ? "" : formatClock(ms));
    this.#note.textContent = note;
    this.toggleAttribute("data-low", false);
  }

  set note(text) {
    if (this.#note.textContent !== text) this.#note.textContent = text;
  }

  get text() {
    return this.#time.textContent;
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #write(text) {
    if (this.#time.textContent !== text) this.#time.textContent = text;
  }

  #draw() {
    const left = this.remaining;
    this.#write(formatClock(left));
    this.toggleAttribute("data-low", left < 10_000);
    this.#tick?.(left);
    if (left <= 0) this.#stop();
  }
}

define("live-clock", LiveClock);
