// The mechanism as reports draw it; what is taken hold of follows the hand.

const drawing = {
  grip: null,
  lifting: false,

  build() {
    const place = byId("mechanism");
    place.querySelectorAll(":scope > :not(h2)").forEach((old) => old.remove());
    this.card = make("div", { id: "picture", class: "card", tabindex: "0", role: "application", "aria-roledescription": "mechanism", "aria-label": "The mechanism. Arrow keys move the body in its middle; with Shift contacts may open." });
    this.ghosts = document.createElementNS(SVG, "svg");
    this.ghosts.setAttribute("class", "ghosts");
    this.ghosts.setAttribute("aria-hidden", "true");
    const lift = make("label", {}, make("input", { type: "checkbox", id: "lift" }), " Contacts may open (or hold Shift)");
    const fit = make("button", { onclick: () => tryGo(page.at, { record: false, keepWindow: false }) }, "Fit");
    place.append(this.card, make("div", { class: "row" }, lift, fit, savesPicture(`${page.about.name}`, () => this.card.querySelector("svg"))));
    this.card.addEventListener("pointerdown", (event) => this.take(event));
    this.card.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.card.addEventListener(end, () => this.release());
    this.card.addEventListener("keydown", (event) => this.key(event));
    addEventListener("scroll", () => { this.box = null; }, { passive: true });
  },

  /** The place of a pointer in units of the picture. */
  placeOf(event) {
    // to ask anew at each move would have the page laid out twice a frame
    this.box ??= this.card.querySelector("svg").getBoundingClientRect();
    const { box } = this;
    const [width, height] = page.window.size;
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
  },

  take(event) {
    if (!page.window || event.button > 0) return;
    this.box = null;
    try {
      this.grip = page.engine.ask({ ask: "grip", at: page.at, window: page.window, place: this.placeOf(event) });
    } catch (error) {
      fail(error);
    }
    if (!this.grip) return;
    event.preventDefault();
    this.card.focus();
    this.card.setPointerCapture(event.pointerId);
    this.card.classList.add("held");
    gesture.begin();
    motion.stop();
  },

  move(event) {
    if (!this.grip) return;
    this.target = { place: this.placeOf(event), lift: event.shiftKey || byId("lift").checked };
    this.frame ??= requestAnimationFrame(() => this.pull());
  },

  pull() {
    this.frame = null;
    if (!this.grip || !this.target) return;
    this.drawTo(this.grip, this.target.place, this.target.lift);
  },

  drawTo(grip, place, lift) {
    try {
      const moved = page.engine.ask({ ask: "drag", at: page.at, window: page.window, grip, place, lift });
      tryGo(moved.at, { record: false });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      fail(error);
    }
  },

  release() {
    if (!this.grip) return;
    if (this.frame) {
      cancelAnimationFrame(this.frame);
      this.pull();
    }
    this.grip = null;
    this.card.classList.remove("held");
    gesture.end();
  },

  /** Arrows draw the nearest body to the middle of the picture. */
  key(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way || !page.window) return;
    event.preventDefault();
    const [width, height] = page.window.size;
    const grip = this.nearMiddle(width, height);
    if (!grip) return;
    const place = [0, 1].map((k) => grip.place[k] + 8 * way[k]);
    gesture.begin();
    this.drawTo(grip.grip, place, event.shiftKey || byId("lift").checked);
    gesture.end();
  },

  nearMiddle(width, height) {
    for (let ring = 0; ring <= 10; ring++) {
      for (let turn = 0; turn < 8; turn++) {
        const angle = (turn * Math.PI) / 4;
        const place = [width / 2 + ring * 0.05 * width * Math.cos(angle), height / 2 - ring * 0.05 * height * Math.sin(angle)];
        const grip = page.engine.ask({ ask: "grip", at: page.at, window: page.window, place });
        if (grip) return { grip, place };
      }
    }
    return null;
  },

  show({ picture: text, window, undrawn }) {
    const fresh = text ? picture(text) : make("p", {}, `${undrawn[0].toUpperCase()}${undrawn.slice(1)}. Its numbers can be moved all the same.`);
    const old = this.card.querySelector(":scope > :not(.ghosts)");
    if (old) become(old, fresh);
    else this.card.prepend(fresh);
    if (!text) {
      this.ghosts.remove();
      return;
    }
    this.ghosts.setAttribute("viewBox", `0 0 ${window.size[0]} ${window.size[1]}`);
    if (!this.ghosts.isConnected) this.card.append(this.ghosts);
  },

  /** Bodies as lines, each in its colour. @param {{path: string, colour: string, dash: string, dim: boolean}[]} all */
  ghost(all) {
    const paths = all.map(({ path, colour, dash, dim }) => {
      const element = document.createElementNS(SVG, "path");
      const given = { d: path, stroke: colour, fill: colour, "fill-opacity": dim ? 0.04 : 0.16, "stroke-opacity": dim ? 0.35 : 1, "stroke-width": 2.4, "stroke-dasharray": dash };
      for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
      return element;
    });
    this.ghosts.replaceChildren(...paths);
    this.card.classList.toggle("moving", all.length > 0);
  },
};
