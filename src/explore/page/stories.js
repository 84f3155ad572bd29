// Six short stories. Each ends in a question that is answered with the hand: `solved` looks at what the core says of the state.

const STORIES = [
  {
    title: "The chalk that hops", mechanism: "pushed_chalk", state: "pushed",
    text: ["A piece of chalk is pushed ahead of the hand over a board. At moderate friction it slides, and a force between chalk and board does what it should.",
      "Friction pulls the tip into the board the more, the larger it is. At some friction it pulls more than the board pushes out: then no force helps, and the chalk hops."],
    question: "Move the friction mu upwards until nothing is consistent any more. From where on?",
    solved: (state) => state.verdict === "inconsistent",
    answer: "Here p+ is below zero. Nothing that slides can stay closed, nor does it lift off: an impact without collision throws the tip up. That is the dotted line on every badly held blackboard.",
  },
  {
    title: "The rod that jams", mechanism: "painleve_rod", state: "before_jam",
    text: ["This rod slides towards the point where p+ and b become zero together. Press play: the force grows beyond all bounds, although nothing strikes.",
      "Near that point many motions run into it. It is no accident of the numbers, but a trap with a width."],
    question: "Set the rod so that it is out of the trap: with b above zero the contact opens. Turn it faster, or drag it.",
    solved: (state) => state.closed.some((name) => state.contacts[name].b > 0),
    answer: "With b above zero the surfaces part without any force: the rod flies over the point at which it would jam.",
  },
  {
    title: "Two futures", mechanism: "falling_pencil", state: "indeterminate",
    text: ["The pencil turns fast enough to lift off, and friction is large enough to hold it: both motions satisfy all laws. Press play and both happen, each in its colour.",
      "Rigid bodies with Coulomb friction do not say which. What decides is how the contact yields, of which a rigid body has no notion."],
    question: "Drag the pencil until only one motion is left.",
    solved: (state) => state.verdict === "consistent",
    answer: "Now p+ is positive, or the contact opens anyway: the future is one again.",
  },
  {
    title: "Reverse chatter", mechanism: "painleve_rod", state: "reverse_chatter",
    text: ["The rod rests, pulled by a force, and sticking is consistent. Yet if it bounces, each bounce is higher than the one before, although every impact loses energy.",
      "The ratio of two bounces is the effective restitution. Above one, infinitely many bounces may grow out of rest, at any time and without a cause."],
    question: "Make it quiet: bring the effective restitution below one. Try friction, the angle, and the force.",
    solved: (state) => Object.values(state.impact ?? {}).some((impact) => typeof impact.effective_restitution === "number" && impact.effective_restitution < 1),
    answer: "Below one every bounce is lower than the one before it: rest is rest.",
  },
  {
    title: "The body that stamps until it falls", mechanism: "tumbling_body", state: "perturbed",
    text: ["At rest on both legs this body can only stick, which is the strongest kind of stability that a test of forces knows. Lift one leg by a hair and press play: it stamps, each step a little larger, and tumbles down the slope.",
      "Stability under forces says nothing about stability in motion."],
    question: "Put it back on both legs: choose a state, or set what it needs, so that both contacts are closed.",
    solved: (state) => state.closed.length === 2,
    answer: "On both legs, at rest, one motion is consistent: it sticks. A hair's breadth away it does not come back.",
  },
  {
    title: "The woodpecker", mechanism: "woodpecker", state: "held",
    text: ["The bird hangs on a sleeve around a pole. Tilted, the sleeve jams: friction at its edge carries bird and sleeve. Swinging, the bird frees the sleeve, falls a little, pecks, and is caught again.",
      "Choose the state start and press play to see it go down."],
    question: "Lower the friction mu until the sleeve does not hold any more. Where does it let go?",
    solved: (state) => state.resolved.length > 0 && state.resolved.every((word) => !word.split(",").every((part) => part === "stick")),
    answer: "Below that friction the edge cannot carry the weight at this angle: the toy slides down without pecking.",
  },
];

const stories = {
  current: null,

  build() {
    const place = byId("stories");
    const names = page.data.mechanisms.map((one) => one.name);
    const all = STORIES.filter((story) => names.includes(story.mechanism));
    place.hidden = all.length === 0;
    this.place = make("div");
    place.replaceChildren(make("h2", {}, "Stories"), make("div", { class: "row" }, ...all.map((story) => make("button", { onclick: () => this.tell(story) }, story.title))), this.place);
  },

  tell(story) {
    if (page.about.name !== story.mechanism) main.open(story.mechanism);
    if (!tryGo({ state: story.state, set: [], free: false }, { keepWindow: false })) return;
    this.current = story;
    this.answer = make("p", { role: "status" });
    this.box = make("article", { class: "story", "aria-label": story.title }, make("h3", {}, story.title), ...story.text.map((text) => make("p", {}, text)), make("p", {}, make("strong", {}, story.question)), this.answer,
      make("button", { onclick: () => { this.current = null; this.place.replaceChildren(); } }, "Close"));
    this.place.replaceChildren(this.box);
  },

  show({ state }) {
    if (!this.current || !this.box) return;
    const solved = page.about.name === this.current.mechanism && this.current.solved(state);
    this.box.dataset.done = String(solved);
    this.answer.textContent = solved ? `✓ ${this.current.answer}` : "";
  },
};
