// Parameters, coordinates and velocities, each with its unit and a sensible range.

const sliders = {
  rows: new Map(),

  keeps: () => byId("keep")?.checked ?? true,

  build() {
    const place = byId("sliders");
    place.querySelectorAll(":scope > :not(h2)").forEach((old) => old.remove());
    this.rows.clear();
    place.append(make("label", {}, make("input", { type: "checkbox", id: "keep", checked: true }), " Contacts that touch stay closed: other numbers give way"));
    const titles = { coordinate: "Coordinates", velocity: "Velocities", parameter: "Parameters" };
    for (const [kind, title] of Object.entries(titles)) {
      const own = page.about.sliders.filter((slider) => slider.kind === kind);
      if (own.length === 0) continue;
      place.append(make("h3", {}, title), make("div", { class: "sliders" }, ...own.map((slider) => this.row(slider))));
    }
  },

  row({ name, kind, unit, description, range: [least, most] }) {
    const words = unit && unit !== "1" ? `${name} in ${unit}` : name;
    const range = make("input", { type: "range", min: least, max: most, step: "any", "aria-label": words, title: description });
    const number = make("input", { type: "text", inputmode: "decimal", "aria-label": `${words}, as a number`, title: description });
    const own = { range, number, value: null };
    // what is refused is not left standing
    const set = (value, record) => setByHand(name, value, record) || this.tell(own);
    range.addEventListener("pointerdown", () => gesture.begin());
    range.addEventListener("input", () => set(Number(range.value), gesture.from === null));
    // a press that changes nothing has no change
    for (const over of ["change", "pointerup", "pointercancel"]) range.addEventListener(over, () => gesture.end());
    range.addEventListener("keydown", (event) => {
      const sign = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!sign) return;
      event.preventDefault();
      const value = Number(range.value) + (sign * (most - least)) / (event.shiftKey ? 1000 : 100);
      set(Number(value.toPrecision(12)));
    });
    number.addEventListener("change", () => {
      const value = typed(number.value);
      if (Number.isFinite(value)) return set(value);
      fail(new Fault({ code: "number", message: `\`${number.value}\` is no number; ${name} stays as it is` }));
      return this.tell(own);
    });
    const inner = /^dot\((.*)\)$/.exec(name)?.[1];
    number.dataset.key = inner !== undefined ? `v.${inner}` : `${kind === "parameter" ? "parameters" : "q"}.${name}`;
    this.rows.set(name, own);
    return make("div", { class: "slider" }, make("span", { title: description }, name, " ", make("span", { class: "unit" }, unit && unit !== "1" ? unit : "")), range, number);
  },

  show({ state }) {
    for (const [name, value] of Object.entries(valuesOf(state))) {
      const row = this.rows.get(name);
      if (!row || typeof value !== "number" || (row.value === value && document.activeElement !== row.range)) continue;
      row.value = value;
      if (value < Number(row.range.min)) row.range.min = value;
      if (value > Number(row.range.max)) row.range.max = value;
      row.number.dataset.value = String(value);
      row.range.setAttribute("aria-valuetext", shown(value));
      this.tell(row);
    }
  },

  tell({ range, number, value }) {
    range.value = value;
    number.value = shown(value);
  },
};
