// Every number that `analyze --format json` gives for a state, under its path.

const numbers = {
  rows: new Map(),

  build() {
    const place = byId("numbers");
    place.querySelectorAll(":scope > :not(summary)").forEach((old) => old.remove());
    this.body = make("tbody");
    this.rows.clear();
    const head = make("tr", {}, make("th", { scope: "col" }, "Path"), make("th", { scope: "col" }, "Value"));
    place.append(make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), this.body)));
  },

  /** Leaves of the document with their paths. */
  *leaves(value, path) {
    if (value !== null && typeof value === "object") {
      for (const [key, inner] of Object.entries(value)) yield* this.leaves(inner, path ? `${path}.${key}` : key);
    } else if (value !== null) {
      yield [path, value];
    }
  },

  show({ state }) {
    const seen = new Set();
    for (const [path, value] of this.leaves(state, "")) {
      if (path === "description") continue;
      seen.add(path);
      let row = this.rows.get(path);
      if (!row) {
        const cell = make("td", { class: "n", "data-key": path });
        row = { line: make("tr", {}, make("th", { scope: "row" }, path), cell), cell, value: undefined };
        this.rows.set(path, row);
        this.body.append(row.line);
      }
      if (row.value !== value) {
        row.value = value;
        row.cell.dataset.value = String(value);
        row.cell.textContent = shown(value);
      }
    }
    for (const [path, row] of this.rows) {
      if (!seen.has(path)) {
        row.line.remove();
        this.rows.delete(path);
      }
    }
  },
};
