// Begins: unpacks the module and the models, opens one, and joins the panels.

/** What the page's first lines began to unpack. */
const unpacked = window.mechan;

/** Panels, and the sections of those that may wait. */
const PANELS = () => [[follow], [modes, "modes"], [sliders, "sliders"], [numbers, "numbers"], [drawing], [map], [extras, "extras"], [motion], [stories]];

const main = {
  /** Fills what depends on the mechanism. @param {boolean} [all] with the editor */
  panels(all = true) {
    const { about } = page;
    document.title = `${about.title ?? about.name} – mechan`;
    byId("title").textContent = about.title ?? about.name;
    byId("lead").textContent = about.description ?? "";
    byId("state").replaceChildren(...about.states.map((state) => make("option", { value: state.name, title: state.description ?? "" }, state.name)));
    for (const panel of [sliders, numbers, drawing, map, motion, extras]) panel.build();
    if (all) editor.build();
  },

  /** Opens a mechanism of the page at its first state. */
  open(name) {
    const found = page.data.mechanisms.find((one) => one.name === name) ?? page.data.mechanisms[0];
    page.engine.open(found.file);
    openBeside(page.engine.module, found.file);
    page.about = page.engine.ask({ ask: "about" });
    page.window = null;
    page.past = [];
    page.future = [];
    byId("which").value = found.name;
    this.panels();
    return { state: page.about.states[0]?.name ?? "", set: [], free: false };
  },

  async begin() {
    hear(unpacked.worker);
    const [module, data] = await Promise.all([unpacked.module, unpacked.data]);
    page.data = JSON.parse(new TextDecoder().decode(data));
    const { mechanisms } = page.data;
    let content = null;
    let complaint = null;
    try {
      content = await link.read(location.hash);
    } catch (error) {
      complaint = error;
    }
    const wanted = mechanisms.find((one) => one.name === content?.name) ?? mechanisms[0];
    page.engine = new Engine(module, wanted.file);
    byId("which").replaceChildren(...this.groups(mechanisms));
    byId("which-label").hidden = mechanisms.length < 2;
    byId("which").value = wanted.name;
    page.about = page.engine.ask({ ask: "about" });
    // only now: code that this engine has called is compiled, and the other one shares it
    openBeside(module, wanted.file);
    let at = page.data.at ?? { state: page.about.states[0]?.name ?? "", set: [], free: false };
    if (content) {
      try {
        at = link.follow(content);
        if (page.engine.text) askBeside({ ask: "adopt", text: page.engine.text }).catch(() => {});
      } catch (error) {
        complaint = error;
      }
    }
    map.ahead(at);
    PANELS().forEach(([panel, id]) => watch((answer) => panel.show(answer), id));
    watch(() => { byId("state").value = page.at.state; });
    this.panels();
    stories.build();
    this.listen();
    document.querySelector("main").hidden = false;
    if (!tryGo(at, { record: false })) {
      complaint ??= new Error(byId("fault").textContent);
      const own = page.about.states.map((state) => ({ state: state.name, set: [], free: false }));
      [page.data.at, ...own].some((other) => other && tryGo(other, { record: false }));
    }
    if (complaint) fail(complaint);
  },

  /** Mechanisms by their topics. */
  groups(mechanisms) {
    const option = (one) => make("option", { value: one.name }, one.title ?? one.name);
    const topics = [...new Set(mechanisms.map((one) => one.topic))];
    return topics.flatMap((topic) => {
      const options = mechanisms.filter((one) => one.topic === topic).map(option);
      return topic ? [make("optgroup", { label: topic }, ...options)] : options;
    });
  },

  listen() {
    listen();
    byId("which").addEventListener("change", (event) => tryGo(this.open(event.target.value), { record: false }));
    byId("state").addEventListener("change", (event) => tryGo({ state: event.target.value, set: [], free: false }, { keepWindow: false }));
    byId("undo").addEventListener("click", undo);
    byId("redo").addEventListener("click", redo);
    byId("reset").addEventListener("click", () => tryGo({ state: page.at.state, set: [], free: false }, { keepWindow: false }));
    byId("link").addEventListener("click", () => link.copy());
    byId("yaml").addEventListener("click", () => {
      try {
        const { text } = page.engine.ask({ ask: "yaml", at: page.at });
        save(`${page.about.name}.yaml`, text, "application/yaml");
      } catch (error) {
        fail(error);
      }
    });
    addEventListener("hashchange", async () => {
      try {
        const content = await link.read(location.hash);
        if (!content) return;
        if (content.name !== page.about.name && page.data.mechanisms.some((one) => one.name === content.name)) this.open(content.name);
        const at = link.follow(content);
        this.panels();
        tryGo(at);
      } catch (error) {
        fail(error);
      }
    });
    addEventListener("beforeprint", () => byId("numbers").setAttribute("open", ""));
  },
};

/** What tests and other scripts may do. */
window.mechan = {
  /** Sets coordinates, velocities and parameters, as `--set` does. @param {Record<string, number>} values */
  set(values) {
    let { at } = page;
    for (const [name, value] of Object.entries(values)) {
      if (typeof value !== "number" || !Number.isFinite(value)) throw new Error(`${name} is to be a finite number`);
      at = withValue(at, name, value);
    }
    go(at);
  },
  /** All numbers of the state by their names. */
  state: () => valuesOf(page.answer.state),
  /** Where it is: `{state, set, free}`. */
  situation: () => structuredClone(page.at),
  /** Opens a mechanism of the page. @param {string} name */
  open: (name) => go(main.open(name), { record: false }),
  /** Goes to a state of the file. @param {string} name */
  choose: (name) => go({ state: name, set: [], free: false }, { keepWindow: false }),
  /** Asks the engine. */
  ask: (question) => page.engine.ask(question),
  /** Bytes that the engine of the page has taken. */
  memory: () => page.engine.core.memory.buffer.byteLength,
  /** How long maps and motions took, ms. */
  timing: () => page.timing ?? {},
};

main.begin().catch((error) => {
  fail(error);
}).finally(() => {
  document.documentElement.dataset.ready = "true";
});
