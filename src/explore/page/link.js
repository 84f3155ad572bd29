// Everything in a link: the text of the file and the situation, deflated, in the fragment. What comes in by a link is data, and is judged before it is used.

const MOST_LINK = 1 << 20;

const link = {
  async made() {
    const content = { v: 1, name: page.about.name, text: page.about.text, at: page.at, axes: map.axes, until: motion.length ?? 1 };
    const bytes = await deflated(new TextEncoder().encode(JSON.stringify(content)));
    return `${location.href.split("#")[0]}#m=${toBase64(bytes)}`;
  },

  async copy() {
    const url = await this.made();
    const words = window.top === window ? await this.copied(url) : this.beside(url);
    say(`${words}.`);
    byId("link").textContent = words;
    setTimeout(() => { byId("link").textContent = "Copy link"; }, 2000);
  },

  async copied(url) {
    try {
      history.replaceState(null, "", url);
    } catch {
      // some places allow no other address; the link is copied all the same
    }
    try {
      await navigator.clipboard.writeText(url);
      return "Link copied";
    } catch {
      return "Link in the address bar";
    }
  },

  /** A page within another one may neither change the address nor copy. */
  beside(url) {
    byId("url")?.remove();
    byId("link").after(make("input", { id: "url", readonly: true, value: url, "aria-label": "The link" }));
    byId("url").select();
    return "Link beside";
  },

  /** What a fragment says, checked in shape; null without one. */
  async read(fragment) {
    const found = /^#m=([A-Za-z0-9_-]+)$/.exec(fragment);
    if (!fragment.startsWith("#m=")) return null;
    const broken = () => new Fault({ code: "link", message: "the link was cut or changed: it holds no mechanism; the page begins without it" });
    if (!found || fragment.length > MOST_LINK) throw broken();
    let content;
    try {
      content = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await inflated(fromBase64(found[1]), MOST_LINK)));
    } catch {
      throw broken();
    }
    if (Number.isInteger(content?.v) && content.v !== 1) throw new Fault({ code: "link", message: "the link is of another version of mechan; the page begins without it" });
    if (!this.isSound(content)) throw broken();
    return content;
  },

  isSound(content) {
    const isPair = (pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === "string" && Number.isFinite(pair[1]);
    const isAxis = (axis) => Array.isArray(axis) && axis.length === 3 && typeof axis[0] === "string" && Number.isFinite(axis[1]) && axis[1] < axis[2];
    const { v, name, text, at, axes } = content ?? {};
    return v === 1 && typeof name === "string" && typeof text === "string" && typeof at?.state === "string" && typeof at.free === "boolean"
      && Array.isArray(at.set) && at.set.length < 1000 && at.set.every(isPair) && Array.isArray(axes) && axes.every(isAxis);
  },

  /** Goes where a link says. */
  follow(content) {
    if (content.text !== page.about.text) page.about = page.engine.ask({ ask: "adopt", text: content.text });
    const known = new Set(page.about.sliders.map((slider) => slider.name));
    if (content.axes.length === 2 && content.axes.every((axis) => known.has(axis[0]))) map.given = content.axes;
    if (Number.isFinite(content.until) && content.until > 0) motion.length = content.until;
    return { state: content.at.state, set: content.at.set, free: content.at.free };
  },
};
