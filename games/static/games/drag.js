// Dragging a piece, as an addition to choosing by clicks: a drop says where it ended.

import { pieceDrawing } from "./draw.js";

const SLACK_PX = 8;

/**
 * piece(event) gives the piece that a press picks up, or null; drop(piece, x, y) is called where it is let go.
 * A press that does not move stays a click.
 */
export function draggable(element, { piece, drop, touch = true }) {
  element.addEventListener("pointerdown", (down) => {
    if (down.button !== 0 || (down.pointerType === "touch" && !touch)) return;
    const held = piece(down);
    if (held === null) return;
    down.preventDefault();
    let ghost = null;
    const move = (event) => {
      const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > SLACK_PX;
      if (!ghost && far) {
        ghost = pieceDrawing(held);
        ghost.classList.add("dragged");
        document.body.append(ghost);
      }
      if (ghost) {
        ghost.style.left = `${event.clientX}px`;
        ghost.style.top = `${event.clientY}px`;
      }
    };
    const end = (event) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      if (event.type === "pointerup") drop(held, event.clientX, event.clientY);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  });
}
