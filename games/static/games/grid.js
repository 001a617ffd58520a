// The keyboard of a grid: one tab stop, arrows, Home and End (with Control: first and last), Enter or Space.

export class GridKeys {
  #cells;
  #columns;
  #choose;

  /** cells in reading order; columns() says how many stand side by side just now. */
  constructor(cells, { columns, choose }) {
    this.#cells = cells;
    this.#columns = columns;
    this.#choose = choose;
    cells.forEach((cell, index) => {
      cell.tabIndex = index === 0 ? 0 : -1;
      cell.addEventListener("keydown", (event) => this.#pressed(event, index));
      cell.addEventListener("focus", () => this.#makeStop(index));
    });
  }

  focus(index) {
    this.#cells[index].focus();
  }

  #makeStop(index) {
    this.#cells.forEach((cell, other) => (cell.tabIndex = other === index ? 0 : -1));
  }

  #pressed(event, index) {
    if (event.altKey || event.metaKey) return;
    const columns = this.#columns();
    const row = index - (index % columns);
    const rowEnd = Math.min(row + columns, this.#cells.length) - 1;
    const targets = {
      ArrowLeft: index > row ? index - 1 : index,
      ArrowRight: index < rowEnd ? index + 1 : index,
      ArrowUp: index - columns,
      ArrowDown: index + columns,
      Home: event.ctrlKey ? 0 : row,
      End: event.ctrlKey ? this.#cells.length - 1 : rowEnd,
    };
    if (event.key in targets) {
      event.preventDefault();
      if (this.#cells[targets[event.key]]) this.focus(targets[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(index);
    }
  }
}
