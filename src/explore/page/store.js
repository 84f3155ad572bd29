// Where the mechanism is, where it was, and who wants to know. A situation is `{state, set, free}`, as the command line has it.

const page = {
  /** @type {Engine} */ engine: null,
  /** @type {Worker|null} */ worker: null,
  data: null,
  about: null,
  at: { state: "", set: [], free: false },
  /** What the core last said of it. */ answer: null,
  /** What the picture shows; kept while something is held. */ window: null,
  past: [],
  future: [],
  /** Who wants to know, and the sections in which they show it. */ watchers: [],
  waiting: new Map(),
  asked: 0,
};

/**
 * Has a panel show each answer. While the hand draws, what is out of sight waits: it is shown once it comes into sight or the hand rests.
 * @param {(answer: object) => void} show @param {string} [id] its section
 */
const watch = (show, id) => {
  const watcher = { show, isAway: false, isLate: false };
  page.watchers.push(watcher);
  const place = id && byId(id);
  if (!place) return;
  const seen = new IntersectionObserver((entries) => {
    watcher.isAway = !entries.at(-1).isIntersecting || place.open === false;
    catchUp();
  });
  seen.observe(place);
  place.addEventListener("toggle", () => {
    seen.unobserve(place);
    seen.observe(place);
  });
};

/** Shows what waits, but for what is out of sight while the hand draws. */
const catchUp = () => {
  for (const watcher of page.watchers) {
    if (!watcher.isLate || (watcher.isAway && gesture.from)) continue;
    watcher.isLate = false;
    watcher.show(page.answer);
  }
};

/** Asks the worker. @param {object} message @returns {Promise<any>} */
const post = (message) => {
  if (!page.worker) {
    return Promise.resolve().then(() => page.engine.ask(message.question));
  }
  const id = ++page.asked;
  return new Promise((resolve, reject) => {
    page.waiting.set(id, { resolve, reject });
    page.worker.postMessage({ id, ...message });
  });
};

const askBeside = (question) => post({ question });

/** Hears what the worker answers. @param {Worker|null} worker */
const hear = (worker) => {
  page.worker = worker;
  if (!worker) return;
  worker.onmessage = ({ data }) => {
    const { resolve, reject } = page.waiting.get(data.id) ?? {};
    page.waiting.delete(data.id);
    if (data.fault) reject?.(new Fault(data.fault));
    else resolve?.(data.answer);
  };
  worker.onerror = worker.onmessageerror = (event) => {
    event.preventDefault();
    page.worker = null;
    page.waiting.forEach(({ reject }) => reject(new Fault({ code: "core", message: "the engine beside the page has ended" })));
    page.waiting.clear();
  };
};

/** Gives the worker the page's compiled module and a model file; without a worker the page asks its own engine. */
const openBeside = (module, file) => {
  if (page.worker) post({ module, file }).catch(() => { page.worker = null; });
};

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const question = (at, depth) => ({ ask: "state", at, depth, window: page.window });

/**
 * Goes to a situation: asks, shows, and remembers where it was.
 * @param {object} at @param {{record?: boolean, keepWindow?: boolean}} [how]
 */
const go = (at, { record = true, keepWindow = true } = {}) => {
  const window = page.window;
  if (!keepWindow) page.window = null;
  let answer;
  try {
    answer = page.engine.ask(question(at, "quick"));
  } catch (error) {
    page.window = window;
    fail(error);
    throw error;
  }
  fail(null);
  if (record && !same(at, page.at)) {
    page.past.push(page.at);
    page.future = [];
  }
  page.at = at;
  page.window = answer.window;
  show(answer);
  const { dataset } = document.documentElement;
  if (dataset.whole !== "false") dataset.whole = "false";
  whole();
};

/** The same without a word to the caller: what went wrong stands on the page. */
const tryGo = (at, how) => {
  try {
    go(at, how);
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
};

const show = (answer) => {
  page.answer = answer;
  page.watchers.forEach((watcher) => { watcher.isLate = true; });
  catchUp();
  byId("undo").disabled = page.past.length === 0;
  byId("redo").disabled = page.future.length === 0;
};

/** All that can be said, once nothing moves. */
const whole = later(180, async () => {
  const at = page.at;
  try {
    const answer = await askBeside(question(at, "full"));
    if (at === page.at) show(answer);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
  if (at === page.at) document.documentElement.dataset.whole = "true";
});

const undo = () => {
  const at = page.past.pop();
  if (!at) return;
  page.future.push(page.at);
  tryGo(at, { record: false });
};

const redo = () => {
  const at = page.future.pop();
  if (!at) return;
  page.past.push(page.at);
  tryGo(at, { record: false });
};

/** A situation with a number set. */
const withValue = (at, name, value) => ({
  ...at,
  set: [...at.set.filter(([known]) => known !== name), [name, value]],
});

/** The numbers of a state by the names that set them. */
const valuesOf = ({ q, v, parameters }) => ({
  ...q,
  ...Object.fromEntries(Object.entries(v).map(([name, value]) => [`dot(${name})`, value])),
  ...parameters,
});

/** Sets a number by hand; contacts that touch are kept if wanted and possible. */
const setByHand = (name, value, record = true) => {
  let at = withValue(page.at, name, value);
  if (sliders.keeps()) {
    try {
      const moved = page.engine.ask({ ask: "keep", at: page.at, name, value });
      if (moved.residual < 1e-6) at = moved.at;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
  }
  return tryGo(at, { record });
};

/** Many changes of one hand are one step back. */
const gesture = {
  from: null,
  begin() { this.from = page.at; },
  end() {
    if (this.from && !same(this.from, page.at)) {
      page.past.push(this.from);
      page.future = [];
      byId("undo").disabled = false;
      byId("redo").disabled = true;
    }
    this.from = null;
    catchUp();
  },
};
