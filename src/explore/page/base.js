// Small things that all panels need.

/** @param {string} id */
const byId = (id) => document.getElementById(id);

/**
 * An element with attributes and children; texts become text, never markup.
 * @param {string} name @param {Record<string, any>} [given] @param {...(Node|string|null)} children
 */
const make = (name, given = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
};

const SVG = "http://www.w3.org/2000/svg";

/** Elements and attributes that the core's pictures have; nothing else gets into the page. */
const DRAWN = new Set(["svg", "g", "path", "circle", "rect", "ellipse", "line", "polygon", "text", "tspan", "title", "clipPath", "defs", "pattern", "use", "style"]);

/** What a picture of the core has none of, but for links within it. */
const CALLS = /\son\w*\s*=|href/i;

/** A picture of the core as an element. @param {string} text */
const picture = (text) => {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.namespaceURI !== SVG || root.localName !== "svg") return make("p", {}, "no picture");
  const calls = CALLS.test(text);
  for (const element of [root, ...root.getElementsByTagName("*")]) {
    if (!DRAWN.has(element.localName)) element.remove();
    if (!calls) continue;
    for (const { name } of [...element.attributes]) {
      if (name.startsWith("on") || (name.endsWith("href") && !element.getAttribute(name).startsWith("#"))) element.removeAttribute(name);
    }
  }
  root.setAttribute("role", "img");
  const title = root.querySelector("title");
  if (title) root.setAttribute("aria-label", title.textContent);
  return document.adoptNode(root);
};

/** Makes a picture that is shown into a fresh one, by what differs alone: the page is laid out and drawn anew only there. */
const become = (shown, fresh) => {
  if (shown.nodeName !== fresh.nodeName) return shown.replaceWith(fresh);
  if (shown.nodeType !== Node.ELEMENT_NODE) return write(shown, fresh.textContent);
  for (const { name, value } of fresh.attributes) if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  if (shown.attributes.length > fresh.attributes.length) for (const { name } of [...shown.attributes]) if (!fresh.hasAttribute(name)) shown.removeAttribute(name);
  const [olds, news] = [[...shown.childNodes], [...fresh.childNodes]];
  news.forEach((child, k) => (k < olds.length ? become(olds[k], child) : shown.append(child)));
  olds.slice(news.length).forEach((old) => old.remove());
  return undefined;
};

/** Writes a text where another one stands. @param {Node} place @param {string} text */
const write = (place, text) => {
  if (place.textContent !== text) place.textContent = text;
};

/** A number as one reads it: six digits, a real minus sign. @param {number|string|null} x */
const shown = (x) => {
  if (x === null || x === undefined) return "–";
  if (typeof x !== "number") return String(x);
  return String(Number(x.toPrecision(6))).replaceAll("-", "−");
};

/** What is typed as a number, with a comma too; NaN for what is none. @param {string} text */
const typed = (text) => (text.trim() === "" ? NaN : Number(text.replaceAll("−", "-").replace(",", ".")));

/** A number or word of the analysis, with its path and in full. @param {string} key */
const told = (key, value, words = shown(value)) =>
  make("span", value === null ? {} : { "data-key": key, "data-value": String(value) }, words);

/** @param {string} text @returns {Uint8Array} */
const fromBase64 = (text) => {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
};

const toBase64 = (bytes) => {
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

const deflated = (bytes) => through(bytes, new CompressionStream("deflate-raw"));

/** Gives the reader a file. @param {string} name @param {string} text @param {string} type */
const save = (name, text, type) => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

/** A button that saves the picture beside it. */
const savesPicture = (name, find) =>
  make("button", {
    onclick: () => {
      const svg = find();
      if (svg) save(`${name}.svg`, new XMLSerializer().serializeToString(svg), "image/svg+xml");
    },
  }, "Save SVG");

/** Calls only the last of many, after some quiet. */
const later = (wait, then) => {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => then(...given), wait);
  };
};

/** Says something to those who listen to the page. */
const say = (words) => {
  write(byId("said"), words);
};

/** Shows what went wrong, or that nothing did. @param {Error|null} error */
const fail = (error) => {
  const place = byId("fault");
  if (!error && place.hidden) return;
  place.hidden = !error;
  const hints = (error?.findings ?? []).filter((f) => f.hint).map((f) => `\n${f.hint}`);
  place.textContent = error ? error.message + hints.join("") : "";
};
