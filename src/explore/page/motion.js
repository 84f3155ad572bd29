// All motions from the state, together: each branch of the tree in a colour of its own, until one of them is followed.

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7b3fa6", "#4c5662"];
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 4", "1 4", "14 3 3 3"];
/** The picture becomes no smaller than by this factor. */
const WIDEST = 5;
const KINDS = {
  touch: "touches", "lift-off": "lifts off", stick: "begins to stick", slip: "begins to slip", reversal: "slip turns round", impact: "impact",
  iwc: "impact without collision: the forces alone throw it", jam: "dynamic jam: the force grows beyond all bounds while nothing strikes", "chatter-end": "infinitely many bounces have ended",
  "not-unique": "forces are no longer unique", inconsistent: "no motion satisfies the laws of contact", indeterminate: "several motions satisfy the laws of contact", stop: "stop", end: "end",
};
const ENDS = {
  end: "", jam: "This motion ends in a dynamic jam: p and b become zero together.", inconsistent: "Here no motion satisfies the laws of contact.",
  indeterminate: "Here the theory leaves open what follows.", undecided: "Here it is not decided what follows.", budget: "There are too many events to go on.", failed: "The numbers failed here.", stopped: "",
};

const motion = {
  all: null,
  t: 0,
  playing: false,
  followed: null,

  build() {
    const place = byId("motion");
    place.querySelectorAll(":scope > :not(h2)").forEach((old) => old.remove());
    this.all = null;
    this.playing = false;
    const button = (id, words, onclick) => make("button", { id, onclick }, words);
    this.time = make("input", { type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time", oninput: (event) => this.scrub(Number(event.target.value)) });
    this.end = make("input", { type: "text", inputmode: "decimal", size: 5, value: shown(this.length ?? 1), "aria-label": "Until, in the unit of time", onchange: () => this.until() });
    this.speed = make("select", { "aria-label": "Speed" }, ...[0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5].map((x) => make("option", { value: x, selected: x === 0.5 }, `${x}×`)));
    this.clock = make("output", { class: "n", "aria-live": "off" });
    this.events = make("ul", { class: "events", "aria-label": "Events" });
    this.list = make("div", { id: "futures" });
    this.words = make("p", { role: "status" });
    place.append(
      make("div", { class: "row" }, button("play", "▶ Play", () => this.toggle()), button("back", "◂ Step", () => this.nudge(-1)), button("on", "Step ▸", () => this.nudge(1)),
        make("label", {}, "Speed ", this.speed), make("label", {}, "Until ", this.end), this.clock),
      make("div", { class: "row" }, make("div", { class: "grow" }, this.time)),
      this.words, this.list, this.events,
      make("div", { class: "row" },
        button("take", "Take this moment as the state", () => this.take()),
        button("csv", "Save CSV", () => this.csv()),
        button("film", "Save animation", () => this.film())),
    );
  },

  /** The state is another one: what was followed is no longer its motion. */
  show() {
    if (this.from && !same(this.from, page.at)) this.forget();
  },

  forget() {
    this.stop();
    this.turn = (this.turn ?? 0) + 1;
    this.all = null;
    this.from = null;
    this.followed = null;
    this.t = 0;
    this.time.value = 0;
    this.clock.textContent = "";
    this.words.textContent = "";
    this.events.replaceChildren();
    this.list.replaceChildren();
    drawing.ghost([]);
  },

  span() {
    const length = typed(this.end.value);
    if (Number.isFinite(length) && length > 0) this.length = length;
    this.length ??= 1;
    return { t_end: page.answer.state.t + this.length, samples: 400 };
  },

  /** Another end; what is none does not stay. */
  until() {
    this.span();
    this.end.value = shown(this.length);
    this.forget();
  },

  /** Asks for all motions once. */
  async ready() {
    if (this.all) return true;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const at = page.at;
    this.words.textContent = "…";
    try {
      const begun = performance.now();
      const answer = await askBeside({ ask: "motion", at, depth: 3, ...this.span() });
      page.timing = { ...page.timing, motion: performance.now() - begun };
      if (turn !== this.turn || !same(at, page.at)) return false;
      this.from = at;
      this.all = answer.futures;
      this.tree = answer.tree;
      this.t = page.answer.state.t;
      this.lay();
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.words.textContent = error.message;
      return false;
    }
  },

  /** Lays out the branches, their buttons and the tree. */
  lay() {
    const { nodes, complete } = this.all;
    const ends = nodes.map((node) => node.trajectory.rows.at(-1)?.[0] ?? 0);
    this.time.min = this.t;
    this.time.max = Math.max(...ends, this.t + Number.EPSILON);
    this.time.value = this.t;
    const leaves = nodes.filter((node) => !nodes.some((other) => other.parent === node.id));
    this.branches = leaves.map((leaf, k) => ({ ways: this.way(leaf), leaf, colour: COLOURS[k % COLOURS.length], dash: DASHES[k % DASHES.length] }));
    const many = this.branches.length > 1;
    this.words.textContent = many
      ? `${this.branches.length} motions are possible${complete ? "" : ", or more: not all were followed"}. They play together; choose one to follow it.`
      : ENDS[leaves[0]?.trajectory.status] ?? "";
    this.list.replaceChildren();
    if (many) {
      const choose = this.branches.map((branch, k) => {
        const { colour, leaf, ways } = branch;
        const choices = ways.map((node) => node.choice).filter(Boolean).join(", then ");
        const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
        swatch.style.borderTopColor = colour;
        return make("li", {}, make("button", { "aria-pressed": "false", "data-future": k, onclick: () => this.follow(k) }, swatch, `${choices || "goes on"} – ${ENDS[leaf.trajectory.status] || "goes on to the end"}`));
      });
      this.list.append(make("ul", { class: "events", "aria-label": "Futures" }, ...choose));
      if (this.tree) this.list.append(make("div", { class: "card" }, picture(this.tree)));
    }
    this.tell();
    this.widen();
    this.draw();
  },

  /** Lets the picture show where the bodies go, as far as they do not fly away. */
  widen() {
    if (!page.window) return;
    const count = Object.keys(page.answer.state.q).length;
    const some = this.branches.flatMap((branch) => branch.ways.flatMap((node) => node.trajectory.rows.filter((_, k) => k % 8 === 0)));
    const paths = page.engine.ask({ ask: "outline", at: this.from, window: page.window, rows: some.slice(0, 400).map((row) => [row[0], row.slice(1, 1 + count)]) });
    const { centre, unit, size } = page.window;
    const ends = [[0, size[0]], [0, size[1]]];
    for (const path of paths) {
      for (const [, x, y] of path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)) {
        [Number(x), Number(y)].forEach((value, k) => { ends[k] = [Math.min(ends[k][0], value), Math.max(ends[k][1], value)]; });
      }
    }
    const grown = Math.max(...ends.map(([low, high], k) => (high - low) / size[k]));
    if (grown <= 1 || !Number.isFinite(grown)) return;
    const factor = Math.min(grown * 1.05, WIDEST);
    const middle = ends.map(([low, high], k) => (factor < WIDEST ? (low + high) / 2 : size[k] / 2));
    const window = { centre: [centre[0] + (middle[0] - size[0] / 2) / unit, centre[1] - (middle[1] - size[1] / 2) / unit], unit: unit / factor, size };
    page.window = window;
    tryGo(page.at, { record: false });
  },

  /** From the first motion to a leaf. */
  way(leaf) {
    const found = [];
    for (let node = leaf; node; node = this.all.nodes[node.parent]) {
      found.unshift(node);
      if (node.parent === null) break;
    }
    return found;
  },

  follow(k) {
    this.followed = this.followed === k ? null : k;
    this.list.querySelectorAll("[data-future]").forEach((button, i) => button.setAttribute("aria-pressed", String(i === this.followed)));
    this.tell();
    this.draw();
  },

  /** The branch whose events and numbers are shown. */
  told() {
    return this.branches?.[this.followed ?? 0];
  },

  tell() {
    const branch = this.told();
    if (!branch) return;
    const events = branch.ways.flatMap((node) => node.trajectory.events).filter((event) => event.kind !== "end");
    const last = branch.ways.at(-1).trajectory;
    const words = (event) => `t = ${shown(event.t)}${event.contact ? `, ${event.contact}` : ""}: ${KINDS[event.kind] ?? event.kind}`;
    this.events.replaceChildren(...events.slice(0, 40).map((event) => make("li", {}, make("button", { onclick: () => this.scrub(event.t) }, words(event)))));
    if (events.length > 40) this.events.append(make("li", {}, `and ${events.length - 40} more`));
    const { initial, final, defect } = last.energy;
    this.events.append(make("li", {}, `energy ${shown(initial)} → ${shown(final)}, unaccounted ${shown(defect)}`));
    const reason = last.reason ?? branch.leaf.reason;
    if (ENDS[last.status]) this.words.textContent = `${this.branches.length > 1 && this.followed === null ? `${this.words.textContent} ` : ""}${ENDS[last.status]}${reason && reason !== last.status ? ` ${reason}` : ""}`;
  },

  rowAt(branch, t) {
    let found = null;
    for (const node of branch.ways) {
      const { rows } = node.trajectory;
      if (rows.length === 0 || rows[0][0] > t) continue;
      let [low, high] = [0, rows.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (rows[middle][0] <= t) low = middle;
        else high = middle - 1;
      }
      found = { row: rows[low], columns: node.trajectory.columns };
    }
    return found;
  },

  draw() {
    if (!this.all) return;
    if (page.window) this.ghosts();
    const told = this.rowAt(this.told(), this.t);
    this.clock.textContent = `t = ${shown(Number(this.t.toPrecision(5)))}${told ? `, ${told.columns[1]} = ${shown(told.row[1])}` : ""}`;
    this.time.value = this.t;
    this.time.setAttribute("aria-valuetext", `t = ${shown(this.t)}`);
  },

  ghosts() {
    const count = Object.keys(page.answer.state.q).length;
    const rows = this.branches.map((branch) => this.rowAt(branch, this.t));
    const paths = page.engine.ask({ ask: "outline", at: this.from, window: page.window, rows: rows.map((found) => [found?.row[0] ?? 0, (found?.row ?? []).slice(1, 1 + count)]) });
    drawing.ghost(this.branches.map(({ colour, dash }, k) => ({ path: paths[k], colour, dash: this.branches.length > 1 ? dash : "", dim: this.followed !== null && this.followed !== k })));
  },

  async scrub(t) {
    this.stop();
    if (!(await this.ready())) return;
    this.t = Math.min(Number(this.time.max), Math.max(Number(this.time.min), t));
    this.draw();
  },

  nudge(sign) {
    const part = this.all ? (Number(this.time.max) - Number(this.time.min)) / 100 : 0;
    return this.scrub(this.t + sign * part);
  },

  stop() {
    this.playing = false;
    const play = byId("play");
    if (play) play.textContent = "▶ Play";
  },

  async toggle() {
    if (this.playing) return this.stop();
    if (!(await this.ready())) return undefined;
    if (this.t >= Number(this.time.max)) this.t = Number(this.time.min);
    this.playing = true;
    byId("play").textContent = "❚❚ Pause";
    let last = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      this.t = Math.min(Number(this.time.max), this.t + ((now - last) / 1000) * Number(this.speed.value));
      last = now;
      this.draw();
      if (this.t >= Number(this.time.max)) this.stop();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return undefined;
  },

  async take() {
    if (!(await this.ready())) return;
    const found = this.rowAt(this.told(), this.t);
    if (!found) return;
    const names = page.about.sliders.filter((slider) => slider.kind !== "parameter").map((slider) => slider.name);
    let at = { ...page.at, free: true };
    for (const name of names) at = withValue(at, name, found.row[found.columns.indexOf(name)]);
    tryGo(at);
  },

  async csv() {
    if (!(await this.ready())) return;
    const nodes = this.told().ways;
    const lines = [nodes[0].trajectory.columns.join(",")];
    for (const node of nodes) for (const row of node.trajectory.rows) lines.push(row.map((x) => x ?? "").join(","));
    save(`${page.about.name}-motion.csv`, `${lines.join("\n")}\n`, "text/csv");
  },

  async film() {
    try {
      const svg = await askBeside({ ask: "plot", at: page.at, plot: "animation", ...this.span() });
      save(`${page.about.name}-motion.svg`, svg, "image/svg+xml");
    } catch (error) {
      fail(error);
    }
  },
};
