// <net-status>: the connection in words.

import { define } from "./draw.js";
import { say } from "./phrases.js";

const LOST = ["reconnecting", "offline", "closed"];

export class NetStatus extends HTMLElement {
  get isLost() {
    return LOST.includes(this.dataset.state);
  }

  /** state: online, slow, reconnecting, offline, polling, closed. */
  show(state) {
    this.dataset.state = state;
    this.textContent = say(`net_${state}`);
  }
}

define("net-status", NetStatus);
