// The verdict over two numbers, coarse to fine, with the state in it. Words have a colour and a hatch each.

const LOOKS = {
  "": { colour: "#ffffff", hatch: "none", words: "nothing to judge" },
  consistent: { colour: "#9fd8c4", hatch: "none", words: "consistent" },
  inconsistent: { colour: "#eea07c", hatch: "lines", words: "inconsistent" },
  indeterminate: { colour: "#f4d27a", hatch: "dots", words: "indeterminate" },
  marginal: { colour: "#c9a3dd", hatch: "cross", words: "marginal" },
  undecided: { colour: "#c9ced4", hatch: "cross", words: "undecided" },
};

/** Dots along a tile: all hatches come back after so many. */
const TILE = 60;

const map = {
  axes: null,
  /** What the picture that is shown was asked for. */ key: "",
  /** The letters that are painted, by how fine they are. */ painted: new Map(),
  busy: false,
  want: null,
  grids: [25, 120, 400],
  /** A map that would take longer than this is left coarse, ms. */ longest: 6000,

  build() {
    const place = byId("map");
    place.querySelectorAll(":scope > :not(h2)").forEach((old) => old.remove());
    this.axes = this.given ?? page.about.axes;
    this.given = null;
    this.present = "";
    this.painted.clear();
    this.key = "";
    if (this.axes.length < 2) {
      place.append(make("p", {}, "There are not two numbers to draw a map over."));
      return;
    }
    const names = page.about.sliders.map((slider) => slider.name);
    const choose = (k) => make("select", { "aria-label": k ? "Upwards" : "To the right", onchange: (event) => this.choose(k, event.target.value) },
      ...names.map((name) => make("option", { value: name, selected: name === this.axes[k][0] }, name)));
    const end = (k, side) => make("input", { type: "text", inputmode: "decimal", size: 6, value: shown(this.axes[k][side]), "aria-label": `${side === 1 ? "least" : "largest"} ${k ? "upwards" : "to the right"}`, onchange: (event) => this.bound(k, side, event.target) });
    this.canvas = make("canvas", { width: 400, height: 400, tabindex: "0", role: "application", "aria-roledescription": "map", "aria-label": "Map of verdicts. Arrow keys move the state in it." });
    this.mark = this.cursor();
    const words = () => ["", "", ""].map(() => make("span"));
    this.up = make("div", { class: "axis up", "aria-hidden": "true" }, ...words());
    this.across = make("div", { class: "axis", "aria-hidden": "true" }, ...words());
    this.legend = make("ul", { class: "legend" });
    place.append(
      make("div", { class: "row axes" }, make("label", {}, "Right ", choose(0)), end(0, 1), end(0, 2), make("label", {}, "Up ", choose(1)), end(1, 1), end(1, 2)),
      make("div", { class: "frame" }, this.up, make("div", { class: "plate" }, this.canvas, this.mark), make("span"), this.across),
      this.legend,
      make("div", { class: "row" }, make("button", { onclick: () => this.save() }, "Save SVG")),
    );
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.holding = true;
      gesture.begin();
      this.point(event);
    });
    this.canvas.addEventListener("pointermove", (event) => this.holding && this.point(event));
    for (const over of ["pointerup", "pointercancel"]) {
      this.canvas.addEventListener(over, () => {
        if (this.holding) gesture.end();
        this.holding = false;
      });
    }
    this.canvas.addEventListener("keydown", (event) => this.step(event));
  },

  choose(k, name) {
    const slider = page.about.sliders.find((slider) => slider.name === name);
    if (this.axes[1 - k][0] === name) this.axes[1 - k] = this.axes[k];
    this.axes[k] = [name, ...slider.range];
    this.given = [...this.axes];
    this.build();
    this.show(page.answer);
  },

  bound(k, side, input) {
    const axis = [...this.axes[k]];
    axis[side] = typed(input.value);
    const isSound = Number.isFinite(axis[side]) && axis[1] < axis[2];
    if (isSound) this.axes = this.axes.map((own, i) => (i === k ? axis : own));
    fail(isSound ? null : new Fault({ code: "range", message: "a range goes from a number to a larger one" }));
    input.value = shown(this.axes[k][side]);
    this.show(page.answer);
  },

  /** A place on the map as numbers. */
  at(x, y) {
    const [[, left, right], [, low, high]] = this.axes;
    return [left + Math.min(1, Math.max(0, x)) * (right - left), low + Math.min(1, Math.max(0, y)) * (high - low)];
  },

  point(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = this.at((event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height);
    this.move(x, y);
  },

  move(x, y) {
    const round = (value, [, least, most]) => Number(value.toPrecision(Math.abs(value) > (most - least) / 1000 ? 6 : 3));
    const before = page.at;
    const first = setByHand(this.axes[0][0], round(x, this.axes[0]), false);
    const second = setByHand(this.axes[1][0], round(y, this.axes[1]), false);
    if (!gesture.from && (first || second) && !same(before, page.at)) {
      page.past.push(before);
      page.future = [];
      byId("undo").disabled = false;
    }
  },

  step(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const values = valuesOf(page.answer.state);
    const part = event.shiftKey ? 500 : 50;
    const [x, y] = [0, 1].map((k) => values[this.axes[k][0]] + (way[k] * (this.axes[k][2] - this.axes[k][1])) / part);
    this.move(x, y);
  },

  show({ state }) {
    if (!this.canvas || this.axes.length < 2) return;
    const values = valuesOf(state);
    const [x, y] = [0, 1].map((k) => (values[this.axes[k][0]] - this.axes[k][1]) / (this.axes[k][2] - this.axes[k][1]));
    const [cx, cy] = [100 * x, 100 * (1 - y)];
    const isThere = Number.isFinite(x + y) && x >= 0 && x <= 1 && y >= 0 && y <= 1;
    const d = isThere ? `M${cx - 4} ${cy}h8M${cx} ${cy - 4}v8M${cx - 2} ${cy}a2 2 0 1 0 4 0a2 2 0 1 0 -4 0` : "";
    for (const path of this.mark.children) path.setAttribute("d", d);
    this.canvas.setAttribute("aria-label", `Map of verdicts. ${this.axes[0][0]} is ${shown(values[this.axes[0][0]])}, ${this.axes[1][0]} is ${shown(values[this.axes[1][0]])}: ${state.verdict}. Arrow keys move the state.`);
    [this.across, this.up].forEach((place, k) => {
      const [name, least, most] = this.axes[k];
      [shown(least), name, shown(most)].forEach((text, i) => write(place.children[i], text));
    });
    this.refresh();
  },

  /** A cross, dark on a bright one. */
  cursor() {
    const mark = document.createElementNS(SVG, "svg");
    mark.setAttribute("class", "cursor");
    mark.setAttribute("viewBox", "0 0 100 100");
    for (const [stroke, width] of [["#fff", 2.2], ["#111", 0.8]]) {
      const path = document.createElementNS(SVG, "path");
      for (const [name, value] of Object.entries({ stroke, "stroke-width": width, fill: "none" })) path.setAttribute(name, value);
      mark.append(path);
    }
    return mark;
  },

  /** What a map is asked for: it depends on all that is set but what it varies. */
  wanted(whole, axes) {
    const varied = axes.map((axis) => axis[0]);
    const at = { ...whole, set: whole.set.filter(([name]) => !varied.includes(name)) };
    return { at, axes, key: JSON.stringify([at, axes, page.engine.text]) };
  },

  refresh() {
    const want = this.wanted(page.at, this.axes);
    if (want.key === this.key) return;
    this.key = want.key;
    this.want = want;
    if (!this.busy) this.work();
  },

  /** Has the worker look while the page still lays out its first picture. */
  ahead(at) {
    const want = this.wanted(at, this.given ?? page.about.axes);
    if (want.axes.length < 2) return;
    this.early = { key: want.key, answer: this.ask(want, this.grids[0]) };
    // whoever waits for it hears of faults
    this.early.answer.catch(() => {});
  },

  ask({ at, axes: [x, y] }, count) {
    return askBeside({ ask: "map", at, x, y, count });
  },

  /** One map after the other, the last that is wanted; what moves on is not made finer. */
  async work() {
    this.busy = true;
    try {
      while (this.want) {
        const want = this.want;
        this.want = null;
        await this.fill(want);
      }
    } finally {
      this.busy = false;
    }
  },

  async fill(want) {
    let taken = 0;
    let early = this.early?.key === want.key ? this.early.answer : null;
    this.early = null;
    for (const count of this.grids) {
      // some six times what the grid before took, whose boundaries are a third or less as long
      if (this.want || taken * 6 > this.longest) return;
      const begun = performance.now();
      try {
        const answer = await (early ?? this.ask(want, count));
        early = null;
        if (want.axes !== this.axes) return;
        this.paint(answer);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        this.legend.replaceChildren(make("li", {}, error.message));
        return;
      }
      taken = performance.now() - begun;
      page.timing = { ...page.timing, [`map${count}`]: taken };
    }
  },

  /** A look as a tile of dots, which all hatches fit. */
  tile(look) {
    if (look.tile) return look.tile;
    const parts = [1, 3, 5].map((k) => parseInt(look.colour.slice(k, k + 2), 16));
    const dark = parts.map((part) => Math.round(part * 0.72));
    const image = new ImageData(TILE, TILE);
    for (let y = 0; y < TILE; y++) for (let x = 0; x < TILE; x++) image.data.set([...(this.hatched(look.hatch, x, y) ? dark : parts), 255], 4 * (y * TILE + x));
    look.tile = make("canvas", { width: TILE, height: TILE });
    look.tile.getContext("2d").putImageData(image, 0, 0);
    return look.tile;
  },

  hatched(hatch, x, y) {
    const [s, d] = [(x + y) % 12, (x - y + TILE) % 12];
    if (hatch === "lines") return s < 2;
    if (hatch === "cross") return s < 1 || d < 1;
    return hatch === "dots" && x % 10 < 3 && y % 10 < 3;
  },

  /** Points that agree and stand side by side are one rectangle. What is as coarse and the same as before leaves the finer one there. */
  paint({ words, count, letters }) {
    if (this.painted.get(count) === letters) return;
    this.painted.forEach((_, other) => other > count && this.painted.delete(other));
    this.painted.set(count, letters);
    const size = this.canvas.width;
    const context = this.canvas.getContext("2d");
    const looks = words.map((word) => context.createPattern(this.tile(LOOKS[word]), "repeat"));
    const begins = Array.from({ length: count }, (_, k) => Math.max(0, Math.ceil(((k - 0.5) * (size - 1)) / (count - 1))));
    begins.push(size);
    for (let row = 0; row < count; row++) {
      const own = letters.slice(row * count, (row + 1) * count);
      for (let from = 0, to; from < count; from = to) {
        for (to = from + 1; own[to] === own[from];) to++;
        context.fillStyle = looks[own[from]];
        context.fillRect(begins[from], size - begins[row + 1], begins[to] - begins[from], begins[row + 1] - begins[row]);
      }
    }
    const present = words.filter((word, k) => letters.includes(String(k)));
    if (present.join() !== this.present) {
      this.present = present.join();
      this.legend.replaceChildren(...present.map((word) => make("li", {}, this.patch(LOOKS[word]), LOOKS[word].words)));
    }
  },

  patch(look) {
    const canvas = make("canvas", { width: 22, height: 22, "aria-hidden": "true" });
    canvas.getContext("2d").drawImage(this.tile(look), 0, 0);
    return canvas;
  },

  save() {
    const [[x, left, right], [y, low, high]] = this.axes;
    const escaped = (text) => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
    save(`${page.about.name}-map.svg`, `<svg xmlns="${SVG}" viewBox="0 0 460 450" font-family="sans-serif" font-size="13"><image x="50" y="5" width="400" height="400" href="${this.canvas.toDataURL()}"/><svg x="50" y="5" width="400" height="400" viewBox="0 0 100 100">${this.mark.innerHTML}</svg><text x="50" y="422">${shown(left)}</text><text x="450" y="422" text-anchor="end">${shown(right)}</text><text x="250" y="440" text-anchor="middle">${escaped(x)}</text><text x="44" y="405" text-anchor="end">${shown(low)}</text><text x="44" y="16" text-anchor="end">${shown(high)}</text><text x="44" y="210" text-anchor="end">${escaped(y)}</text></svg>`, "image/svg+xml");
  },
};
