// The way to the game on the server: a socket, or POST and a long poll where sockets cannot be opened.
//
// One action is under way at a time. It is kept with the `seq` it was made for until it is answered, also over a
// reload, and sent again with the same `seq`: the server executes it once. States that are not newer are dropped.

import { Socket } from "../site/socket.js";

const PING_EVERY_MS = 10_000;
const SLOW_MS = 1_500;
const SILENT_MS = 8_000;
const TRIES_BEFORE_POLLING = 3;
const POLL_WAIT_S = 25;

function csrfToken() {
  return document.querySelector('meta[name="csrf-token"]')?.content ?? "";
}

/** POST JSON as the signed-in user; the response, or null where nothing came. */
export async function post(path, body = {}) {
  try {
    return await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
      body: JSON.stringify(body),
    });
  } catch {
    return null;
  }
}

/** The server's clock by a monotonic one. The sample that travelled fastest is the best, so the largest offset wins. */
class ServerTime {
  #offset = Date.now() - performance.now();
  #isOld = true;

  sample(now) {
    const offset = now - performance.now();
    this.#offset = this.#isOld ? offset : Math.max(this.#offset, offset);
    this.#isOld = false;
  }

  /** A new connection: its first sample replaces what was known, which serves until then. */
  reset() {
    this.#isOld = true;
  }

  now() {
    return performance.now() + this.#offset;
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export class GameLink {
  #id;
  #handlers;
  #socket;
  #state = null;
  #pending = null;
  #settling = null;
  #pingSent = null;
  #isPolling = false;
  #time = new ServerTime();

  /** handlers: game(frame), state(state, isNews), reply(reply, frame), presence(frame), status(name, code), change(). */
  constructor(id, state, handlers) {
    this.#id = id;
    this.#handlers = handlers;
    this.#state = state;
    this.#time.sample(state.clock.now);
    this.#pending = this.#recall();
    this.#socket = new Socket(`/ws/games/${encodeURIComponent(id)}/`, {
      up: () => this.#up(),
      message: (frame) => this.#receive(frame),
      down: (loss) => this.#down(loss),
    });
    setInterval(() => this.#ping(), PING_EVERY_MS);
    addEventListener("offline", () => this.#handlers.status("offline"));
    addEventListener("online", () => this.#ping());
  }

  /** The action under way: until it is answered, and until the state that it made is here. */
  get pending() {
    return this.#pending ?? this.#settling?.frame ?? null;
  }

  now = () => this.#time.now();

  /** Send an action for the state that is shown; refused (false) while another is under way. */
  act(action) {
    if (this.pending) return false;
    const id = `c-${Math.random().toString(36).slice(2, 10)}`;
    this.#keep({ ...action, seq: this.#state.seq, id });
    this.#deliver();
    return true;
  }

  #keep(frame) {
    this.#pending = frame;
    try {
      if (frame) sessionStorage.setItem(`pending:${this.#id}`, JSON.stringify(frame));
      else sessionStorage.removeItem(`pending:${this.#id}`);
    } catch {
      // Without storage the action survives everything but a reload.
    }
    this.#handlers.change();
  }

  #recall() {
    try {
      return JSON.parse(sessionStorage.getItem(`pending:${this.#id}`));
    } catch {
      return null;
    }
  }

  #deliver() {
    const frame = this.#pending;
    if (!frame) return;
    if (this.#socket.isOpen) {
      this.#socket.send(frame);
      setTimeout(() => this.#expectReply(frame), SILENT_MS);
    } else if (this.#isPolling) {
      this.#postAction(frame);
    }
  }

  #expectReply(frame) {
    if (this.#pending === frame && this.#socket.isOpen) this.#socket.renew();
  }

  async #postAction(frame) {
    const response = await post(`/api/games/${encodeURIComponent(this.#id)}/actions/`, frame);
    const reply = response ? await response.json().catch(() => null) : null;
    if (reply && this.#pending === frame && ("ok" in reply || reply.code)) {
      this.#answered({ ok: false, ...reply, id: frame.id });
    } else if (this.#pending === frame) {
      await pause(2000);
      this.#deliver();
    }
  }

  #up() {
    this.#isPolling = false;
    this.#pingSent = null;
    this.#time.reset();
    this.#handlers.status("online");
    this.#deliver();
  }

  #down({ code, tries, opened, final }) {
    this.#pingSent = null;
    const status = final ? "closed" : navigator.onLine ? "reconnecting" : "offline";
    if (!this.#isPolling || final) this.#handlers.status(status, code);
    if (!final && !opened && tries >= TRIES_BEFORE_POLLING && !this.#isPolling) this.#poll();
  }

  #receive(frame) {
    if (frame.type === "game") return this.#handlers.game(frame);
    if (frame.type === "state") return this.#take(frame);
    if (frame.type === "reply") return this.#answered(frame);
    if (frame.type === "presence") return this.#handlers.presence(frame);
    if (frame.type === "pong") return this.#pong(frame);
    return undefined;
  }

  #take(state) {
    this.#time.sample(state.clock.now);
    if (state.seq < this.#state.seq) return;
    const isNews = state.seq > this.#state.seq;
    this.#state = state;
    if (this.#settling && state.seq >= this.#settling.seq) this.#settling = null;
    this.#handlers.state(state, isNews);
  }

  #answered(reply) {
    const frame = this.#pending;
    if (!frame || reply.id !== frame.id) return;
    if (reply.code === "unavailable" || reply.code === "rate_limited") {
      setTimeout(() => this.#pending === frame && this.#deliver(), 1500);
      this.#handlers.reply(reply, frame);
      return;
    }
    if (reply.ok && reply.seq > this.#state.seq) this.#settling = { frame, seq: reply.seq };
    this.#keep(null);
    if (reply.state) this.#take(reply.state);
    this.#handlers.reply(reply, frame);
  }

  #ping() {
    if (!this.#socket.isOpen) return;
    if (this.#pingSent !== null && performance.now() - this.#pingSent > SILENT_MS) {
      this.#socket.renew();
      return;
    }
    this.#pingSent = performance.now();
    this.#socket.send({ do: "ping", t: Math.round(this.#pingSent) });
  }

  #pong(frame) {
    if (this.#pingSent === null) return;
    const took = performance.now() - this.#pingSent;
    this.#pingSent = null;
    if (took < 500) this.#time.sample(frame.now + took / 2);
    this.#handlers.status(took > SLOW_MS ? "slow" : "online");
    if (frame.seq > this.#state.seq) this.#socket.send({ do: "sync" });
  }

  /** Follow the game without a socket, until one opens after all. */
  async #poll() {
    this.#isPolling = true;
    const path = `/api/games/${encodeURIComponent(this.#id)}/events/`;
    let wait = 0;
    while (this.#isPolling) {
      const response = await fetch(`${path}?since=${this.#state.seq}&wait=${wait}`).catch(() => null);
      if (!this.#isPolling) return;
      if (response?.status === 200) this.#take(await response.json());
      if (response?.ok) {
        this.#handlers.status("polling");
        if (wait === 0) this.#deliver();
        wait = POLL_WAIT_S;
      } else {
        wait = 0;
        this.#handlers.status(navigator.onLine ? "reconnecting" : "offline");
        await pause(3000);
      }
    }
  }
}
