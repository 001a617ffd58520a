// Small drawing hands shared by board, tray and minis.

import { digitOf } from "./position.js";

const SVG = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A drawing of the piece; its words stand elsewhere. */
export function pieceDrawing(piece) {
  return svg("svg", { class: "piece", viewBox: "0 0 32 32", "aria-hidden": "true" }, svg("use", { href: `#piece-${digitOf(piece)}` }));
}

/** Put the piece (or nothing) into the element, unless it stands there already. */
export function showPiece(element, piece) {
  const shown = piece === null ? "" : digitOf(piece);
  if (element.dataset.piece === shown) return;
  element.dataset.piece = shown;
  element.querySelector(".piece")?.remove();
  if (piece !== null) element.prepend(pieceDrawing(piece));
}

export function define(name, element) {
  if (!customElements.get(name)) customElements.define(name, element);
}
