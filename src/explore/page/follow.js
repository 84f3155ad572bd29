// The verdict in a word, what follows, why, and the combinations of modes with their forces.

const MARKS = { consistent: "●", inconsistent: "✕", indeterminate: "◆", marginal: "◐", undecided: "?" };
const OUTCOMES = {
  impact: "an impact",
  iwc: "an impact without collision: forces grow at once, although nothing strikes",
  free: "it lifts off",
  "slip+": "it slides in the + direction",
  "slip-": "it slides in the − direction",
  stick: "it sticks",
  slip: "it slides",
};

const follow = {
  last: "",

  words({ resolved, closed }) {
    if (closed.length === 0 && resolved?.join() === "free") return "What follows: the bodies move freely, nothing touches.";
    const one = (word) => OUTCOMES[word] ?? word.split(",").join(", ");
    if (!resolved || resolved.length === 0) return "";
    return resolved.length === 1 ? `What follows: ${one(resolved[0])}.` : `Any of these may follow: ${resolved.map(one).join("; ")}.`;
  },

  show({ state, why }) {
    const verdict = state.verdict ?? "undecided";
    byId("verdict").dataset.tone = verdict;
    write(byId("tone"), MARKS[verdict] ?? "?");
    if (verdict !== this.verdict) byId("word").replaceChildren(state.verdict ? told("verdict", verdict) : verdict);
    this.verdict = verdict;
    write(byId("follows"), this.words(state));
    become(byId("why"), make("div", { id: "why" }, ...why.map((sentence) => make("p", {}, sentence))));
    const words = `${verdict}. ${this.words(state)}`;
    if (words !== this.last) say(words);
    this.last = words;
  },
};

const modes = {
  show({ state }) {
    const place = byId("modes");
    if (place.children.length === 1) place.append(make("div", { class: "scroll" }));
    become(place.children[1], make("div", { class: "scroll" }, this.table(state)));
  },

  table(state) {
    if (!state.modes || state.modes.length === 0) {
      return make("p", {}, state.closed.length === 0 ? "No contact is closed: the bodies move freely." : "There is nothing to choose.");
    }
    const head = ["Mode", "Possible", "Forces", "Why"].map((word) => make("th", { scope: "col" }, word));
    const row = (mode, k) => {
      const name = Object.entries(mode.mode).map(([contact, word]) => (state.closed.length > 1 ? `${contact}: ${word}` : word)).join(", ") || "free";
      const forces = Object.entries(mode.forces ?? {}).flatMap(([contact, { N, T }]) => {
        const at = `modes.${k}.forces.${contact}`;
        const along = T.flatMap((x, i) => [i ? ", " : ", T\u00a0", told(`${at}.T.${i}`, x)]);
        return [make("div", {}, state.closed.length > 1 ? `${contact}: N\u00a0` : "N\u00a0", told(`${at}.N`, N), ...along)];
      });
      return make("tr", {}, make("td", {}, name), make("td", {}, mode.consistent ? "✓ yes" : "✕ no"), make("td", { class: "n" }, ...forces), make("td", {}, mode.reason ?? ""));
    };
    return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...state.modes.slice(0, 64).map(row)));
  },
};
