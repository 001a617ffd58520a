// A socket of JSON frames that comes back by itself.
//
// Handlers: message(frame), up(), down({code, tries, opened}). A close for good (not signed in, forbidden,
// no such thing) is not tried again; everything else is, with a growing and jittered pause.

const FINAL_CODES = new Set([4001, 4003, 4004]);
const LONGEST_PAUSE_MS = 15_000;

export function socketUrl(path) {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export class Socket {
  #path;
  #handlers;
  #socket = null;
  #tries = 0;
  #timer = null;
  #stopped = false;

  constructor(path, handlers) {
    this.#path = path;
    this.#handlers = handlers;
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    this.#open();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** True when the frame was handed to an open socket. */
  send(frame) {
    if (!this.isOpen) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  /** Try now instead of after the pause. */
  hurry() {
    if (this.#timer === null || this.#stopped) return;
    clearTimeout(this.#timer);
    this.#open();
  }

  /** Give up this connection and make a new one: the old one has gone silent. */
  renew() {
    const socket = this.#socket;
    if (!socket) return;
    socket.onmessage = socket.onopen = socket.onclose = null;
    socket.close();
    this.#lost({ code: 4000, opened: true });
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#socket?.close(1000);
  }

  #open() {
    this.#timer = null;
    let opened = false;
    const socket = new WebSocket(socketUrl(this.#path));
    this.#socket = socket;
    socket.onopen = () => {
      opened = true;
      this.#handlers.up?.();
    };
    socket.onmessage = (event) => {
      const frame = parsed(event.data);
      if (!frame) return;
      this.#tries = 0;
      if (frame.type === "notice" && "maintenance" in frame) {
        document.dispatchEvent(new CustomEvent("maintenance", { detail: frame }));
      }
      this.#handlers.message?.(frame);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#lost({ code: event.code, opened });
    };
  }

  #lost({ code, opened }) {
    this.#socket = null;
    if (FINAL_CODES.has(code)) this.#stopped = true;
    this.#tries += 1;
    this.#handlers.down?.({ code, opened, tries: this.#tries, final: this.#stopped });
    if (this.#stopped) return;
    const pause = Math.min(LONGEST_PAUSE_MS, 250 * 2 ** Math.min(this.#tries, 7)) * (0.5 + Math.random());
    this.#timer = setTimeout(() => this.#open(), code === 4029 ? pause + 5000 : pause);
  }
}
