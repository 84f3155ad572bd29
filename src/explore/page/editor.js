// The mechanism's file, judged as it is typed. Numbers, laws, states and shapes change at once; other equations are derived where the page is served.

const KEYS = ["mechan", "name", "title", "description", "space", "parameters", "coordinates", "gravity", "definitions", "bodies", "forces", "contacts", "constraints", "states", "domain", "value", "unit", "mass", "inertia", "position", "rotation", "shape", "point", "surface", "normal", "friction", "restitution", "law", "energetic", "newton", "poisson", "closed", "solve"];

const editor = {
  names: [],

  build() {
    const place = byId("editor");
    place.querySelectorAll(":scope > :not(summary)").forEach((old) => old.remove());
    this.area = make("textarea", { spellcheck: "false", autocapitalize: "off", "aria-label": "The mechanism's file, YAML" });
    this.area.value = page.about.text;
    this.findings = make("ul", { class: "findings", "aria-label": "Findings" });
    this.words = make("p", { role: "status" });
    this.complete = make("div", { class: "row", "aria-label": "Completions" });
    this.names = page.about.sliders.map((slider) => slider.name);
    place.append(this.area, this.complete, this.words, this.findings);
    this.area.addEventListener("input", () => {
      this.suggest();
      this.check();
    });
  },

  check: later(250, () => editor.judge()),

  async judge() {
    const text = this.area.value;
    let judged;
    try {
      judged = page.engine.ask({ ask: "check", text });
    } catch (error) {
      this.words.textContent = error.message;
      this.findings.replaceChildren();
      return;
    }
    this.names = judged.names;
    this.findings.replaceChildren(...judged.findings.map((found) => this.line(found)));
    if (!judged.sound) this.words.textContent = `${judged.findings.length === 1 ? "One thing is" : `${judged.findings.length} things are`} wrong; the page shows the mechanism as it was.`;
    else if (judged.same) this.adopt(text);
    else if (page.data.derive) await this.derive(text);
    else this.words.textContent = "Coordinates, bodies, contacts or forces are others: the equations have to be derived anew, which a browser cannot do. `mechan explore --serve FILE` serves this page and derives as you type.";
  },

  line({ severity, code, message, hint, path, place }) {
    const words = `${place ? `line ${place[0][0]}: ` : ""}${path ? `${path}: ` : ""}${message} [${code}]${hint ? ` – ${hint}` : ""}`;
    return make("li", {}, make("button", { onclick: () => place && this.select(place) }, severity === "warning" ? "△ " : "✕ ", words));
  },

  select([[line, column], [endLine, endColumn]]) {
    const lines = this.area.value.split("\n");
    const offset = (l, c) => lines.slice(0, l - 1).reduce((sum, text) => sum + text.length + 1, 0) + c - 1;
    this.area.focus();
    this.area.setSelectionRange(offset(line, column), offset(endLine, endColumn));
  },

  adopt(text) {
    try {
      page.about = page.engine.ask({ ask: "adopt", text });
      askBeside({ ask: "adopt", text }).catch(() => {});
      this.words.textContent = "Taken over.";
      this.begin();
    } catch (error) {
      this.words.textContent = error.message;
    }
  },

  /** The page for another text; the editor stays as it is. */
  begin() {
    const states = page.about.states.map((state) => state.name);
    const at = { ...page.at, state: states.includes(page.at.state) ? page.at.state : states[0] };
    main.panels(false);
    if (!tryGo(at, { record: false })) tryGo({ state: at.state, set: [], free: false }, { record: false });
  },

  async derive(text) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    this.words.textContent = "The equations are derived …";
    try {
      const answer = await fetch(page.data.derive, { method: "POST", body: text, headers: { "content-type": "text/plain" } });
      const body = await answer.text();
      if (turn !== this.turn) return;
      if (!answer.ok) {
        const fault = JSON.parse(body).fault;
        this.words.textContent = fault.message;
        this.findings.replaceChildren(...(fault.findings ?? []).map((found) => this.line(found)));
        return;
      }
      page.engine.open(body);
      page.about = page.engine.ask({ ask: "about" });
      post({ module: page.engine.module, file: body }).catch(() => {});
      this.words.textContent = "Derived and taken over.";
      page.window = null;
      this.begin();
    } catch (error) {
      this.words.textContent = `It could not be derived: ${error.message}`;
    }
  },

  /** Words that go on as what stands before the caret. */
  suggest() {
    const before = this.area.value.slice(0, this.area.selectionStart);
    const start = /[A-Za-z_][A-Za-z0-9_]*$/.exec(before)?.[0] ?? "";
    const all = start.length < 2 ? [] : [...new Set([...this.names, ...KEYS])].filter((word) => word.startsWith(start) && word !== start).slice(0, 8);
    this.complete.replaceChildren(...all.map((word) => make("button", { onclick: () => this.insert(word.slice(start.length)) }, word)));
  },

  insert(rest) {
    const at = this.area.selectionStart;
    this.area.setRangeText(rest, at, at, "end");
    this.area.focus();
    this.complete.replaceChildren();
    this.check();
  },
};
