// Pictures on demand: those of a state follow the hand, those of a motion are drawn when they are asked for.

const PICTURES = {
  plane: "Free accelerations (a, b)", impulse: "Impulse plane", portrait: "Compliant contact", jam: "Near p = b = 0", vectors: "Two contacts", gain: "p over directions", forces: "Forces that hold it", returns: "Small motions",
};

const extras = {
  open: new Map(),
  want: null,
  busy: false,

  build() {
    const place = byId("extras");
    place.querySelectorAll(":scope > :not(h2)").forEach((old) => old.remove());
    this.open.clear();
    this.grid = make("div", { class: "grid" });
    const toggle = ([name, title]) => make("button", { "aria-pressed": "false", "data-panel": name, onclick: (event) => this.toggle(name, title, event.currentTarget) }, title);
    const coordinates = page.about.sliders.filter((slider) => slider.kind === "coordinate").map((slider) => slider.name);
    const columns = [...coordinates, ...page.about.contacts.map((name) => `${name}.N`)];
    const series = make("select", { "aria-label": "Column over time" }, ...columns.map((name) => make("option", {}, name)));
    const phase = make("select", { "aria-label": "Coordinate of the phase plane" }, ...coordinates.map((name) => make("option", {}, name)));
    place.append(
      make("div", { class: "row" }, ...Object.entries(PICTURES).map(toggle)),
      make("div", { class: "row" }, series, make("button", { onclick: () => this.ofMotion(series.value, `${series.value} over time`) }, "Over time"), phase, make("button", { onclick: () => this.ofMotion(`phase:${phase.value}`, `Phase plane of ${phase.value}`) }, "Phase plane")),
      this.grid,
    );
  },

  card(title) {
    const body = make("div", { class: "card" });
    const figure = make("figure", {}, make("figcaption", {}, title, " ", savesPicture(`${page.about.name}-${title}`, () => body.querySelector("svg"))), body);
    this.grid.append(figure);
    return { figure, body };
  },

  toggle(name, title, button) {
    const known = this.open.get(name);
    button.setAttribute("aria-pressed", String(!known));
    if (known) {
      known.figure.remove();
      this.open.delete(name);
    } else {
      this.open.set(name, this.card(title));
      this.show();
    }
  },

  async ofMotion(plot, title) {
    const { body } = this.card(title);
    try {
      body.replaceChildren(picture(await askBeside({ ask: "plot", at: page.at, plot, ...motion.span() })));
    } catch (error) {
      body.replaceChildren(make("p", {}, error.message));
    }
  },

  /** The worker draws one set after the other, the last that is wanted: the hand does not wait for them. */
  async show() {
    this.want = this.open.size > 0 ? page.at : null;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.want) {
        const at = this.want;
        this.want = null;
        const { panels } = await askBeside({ ask: "state", at, panels: [...this.open.keys()] });
        await this.fill(panels);
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    } finally {
      this.busy = false;
    }
  },

  /** One picture a frame, so that no frame is long. */
  async fill(panels) {
    for (const [name, card] of this.open) {
      const text = panels[name];
      if (text === undefined || text === card.text) continue;
      await new Promise(requestAnimationFrame);
      card.text = text;
      const fresh = text ? picture(text) : make("p", {}, "This state has nothing to show here.");
      if (card.body.firstChild) become(card.body.firstChild, fresh);
      else card.body.append(fresh);
    }
  },
};
