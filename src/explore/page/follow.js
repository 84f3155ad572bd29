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

  words(resolved) {
    const one = (word) => OUTCOMES[word] ?? word.split(",").join(", ");
    if (!resolved || resolved.length === 0) return "";
    return resolved.length === 1 ? `What follows: ${one(resolved[0])}.` : `Any of these may follow: ${resolved.map(one).join("; ")}.`;
  },

  show({ state, why }) {
    const verdict = state.verdict ?? "undecided";
    byId("verdict").dataset.tone = verdict;
    byId("tone").textContent = MARKS[verdict] ?? "?";
    byId("word").replaceChildren(state.verdict ? told("verdict", verdict) : verdict);
    byId("follows").textContent = this.words(state.resolved);
    byId("why").replaceChildren(...why.map((sentence) => make("p", {}, sentence)));
    this.modes(state);
    const words = `${verdict}. ${this.words(state.resolved)}`;
    if (words !== this.last) say(words);
    this.last = words;
  },

  modes(state) {
    const place = byId("modes");
    place.querySelectorAll(":scope > :not(h2)").forEach((old) => old.remove());
    if (!state.modes || state.modes.length === 0) {
      place.append(make("p", {}, state.closed.length === 0 ? "No contact is closed: the bodies move freely." : "There is nothing to choose."));
      return;
    }
    const head = ["Mode", "Possible", "Forces", "Why"].map((word) => make("th", { scope: "col" }, word));
    const row = (mode, k) => {
      const name = Object.entries(mode.mode).map(([contact, word]) => (state.closed.length > 1 ? `${contact}: ${word}` : word)).join(", ") || "free";
      const forces = Object.entries(mode.forces ?? {}).flatMap(([contact, { N, T }]) => {
        const at = `modes.${k}.forces.${contact}`;
        const along = T.flatMap((x, i) => [", ", told(`${at}.T.${i}`, x)]);
        return [make("div", {}, state.closed.length > 1 ? `${contact}: N ` : "N ", told(`${at}.N`, N), ", T", ...along.slice(0, 1).map(() => " "), ...along.slice(1))];
      });
      return make("tr", {}, make("td", {}, name), make("td", {}, mode.consistent ? "✓ yes" : "✕ no"), make("td", { class: "n" }, ...forces), make("td", {}, mode.reason ?? ""));
    };
    place.append(make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...state.modes.slice(0, 64).map(row)))));
  },
};
