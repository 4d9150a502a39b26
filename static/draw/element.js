// @ts-check
/**
 * Elements made by calls: text goes in as text, never as markup, so that a log can hold anything; characters that
 * would not be seen, or would turn others around, go in as signs.
 */

import { seen } from "./seen.js";

const SVG = "http://www.w3.org/2000/svg";

/** A child of an element; null, undefined and false stand for none. @typedef {Node | string | null | undefined | false} Child */
/** Declarations of a style; an empty one is left out. @typedef {Record<string, string | number | undefined>} Style */
/**
 * Attributes; `false`, null and undefined leave one out, `true` writes it empty. `style` has declarations.
 * @typedef {Record<string, string | number | boolean | null | undefined | Style | ((event: any) => void)>} Attributes
 */

/**
 * An HTML element: `html("p.dim", "text")`, `html("a.link", { href }, "text")`.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K | `${K}.${string}`} tag with its classes
 * @param {Attributes | Child | readonly Child[]} [first] attributes, or the first child; a key that begins with `on` and
 *   holds a function is a listener
 * @param {...(Child | readonly Child[])} children
 */
export function html(tag, first, ...children) {
  const [name = "", ...classes] = tag.split(".");
  return fill(/** @type {HTMLElementTagNameMap[K]} */ (document.createElement(name)), classes, first, children);
}

/**
 * An SVG element, likewise.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K | `${K}.${string}`} tag
 * @param {Attributes | Child | readonly Child[]} [first]
 * @param {...(Child | readonly Child[])} children
 */
export function svg(tag, first, ...children) {
  const [name = "", ...classes] = tag.split(".");
  const element = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, name));
  return fill(element, classes, first, children);
}

/**
 * Replaces what `container` holds, and gives the focus back to the element with the same `data-key`.
 * @param {Element} container
 * @param {...(Child | readonly Child[])} children
 */
export function redraw(container, ...children) {
  const focused = document.activeElement;
  const key = focused instanceof HTMLElement && container.contains(focused) ? focused.dataset.key : undefined;
  container.replaceChildren(...present(children));
  if (key !== undefined) {
    const again = container.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }
}

/**
 * Replaces the content of `container` unless it is the same already, so that a press on it survives. Tells whether it
 * replaced it. Listeners are not compared, so they may depend only on visible content.
 * @param {Element} container
 * @param {readonly Element[]} children
 */
export function renew(container, children) {
  const old = container.children;
  if (old.length === children.length && children.every((child, at) => child.isEqualNode(old[at] ?? null))) return false;
  redraw(container, children);
  return true;
}

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {string[]} classes
 * @param {Attributes | Child | readonly Child[]} first
 * @param {readonly (Child | readonly Child[])[]} children
 */
function fill(element, classes, first, children) {
  if (classes.length > 0) element.setAttribute("class", classes.join(" "));
  if (typeof first !== "object" || first === null || Array.isArray(first) || "nodeType" in first)
    element.append(...present([/** @type {Child | readonly Child[]} */ (first)]));
  else
    for (const [name, value] of Object.entries(first)) {
      if (value === null || value === undefined || value === false) continue;
      if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else if (typeof value === "object") style(element, value);
      else element.setAttribute(name, value === true ? "" : name === "title" ? seen(String(value)) : String(value));
    }
  element.append(...present(children));
  return element;
}

/** Set declarations one by one: the page's policy refuses them as an attribute. @param {HTMLElement | SVGElement} element @param {Style} declarations */
export function style(element, declarations) {
  for (const [name, value] of Object.entries(declarations))
    if (value !== undefined) element.style.setProperty(name, String(value));
}

/**
 * The head of a table: the names of its columns.
 * @param {readonly (string | null)[]} names of a column without one, null
 * @param {string} [look]
 */
export function tableHead(names, look) {
  return html(
    "thead",
    { class: look },
    html(
      "tr",
      names.map((name) => (name === null ? html("td") : html("th", { scope: "col" }, name))),
    ),
  );
}

/**
 * A drawing as the text of a file, which needs no page around it.
 * @param {{width: number, height: number, title?: string, paper?: string, font?: string}} look
 * @param {readonly Child[]} children
 */
export function standingAlone({ width, height, title, paper = "#fff", font = "sans-serif" }, children) {
  const size = { viewBox: `0 0 ${width} ${height}`, width, height, "font-family": font, "font-size": 12 };
  const ground = [title !== undefined && svg("title", title), svg("rect", { width, height, fill: paper })];
  return new XMLSerializer().serializeToString(svg("svg", size, ground, children));
}

/** @param {readonly (Child | readonly Child[])[]} children */
function present(children) {
  /** @type {(Node | string)[]} */
  const kept = [];
  for (const child of /** @type {Child[]} */ (children.flat())) {
    if (child !== null && child !== undefined && child !== false)
      kept.push(typeof child === "string" ? seen(child) : child);
  }
  return kept;
}

/**
 * The parts of a sentence, to go into an element: what stands between backticks is set as code, in which it stays text.
 * @param {string} sentence
 */
export function withCode(sentence) {
  const parts = sentence.split(/`([^`\n]+)`/);
  return parts.map((part, i) => (i % 2 === 1 ? html("code", {}, part) : part)).filter((part) => part !== "");
}

/** Keys as they are printed on a keyboard. */
const PRINTED = new Map([
  ["ArrowDown", "\u2193"],
  ["ArrowUp", "\u2191"],
  ["ArrowRight", "\u2192"],
  ["ArrowLeft", "\u2190"],
  [" ", "Space"],
  ["-", "\u2212"],
  ["Escape", "Esc"],
  ["Backspace", "\u232b"],
]);

/**
 * The parts of a key as `KeyboardEvent.key` names it, `Alt+` before it where that is held: `["Alt", "←"]`.
 * A capital letter is the letter with Shift.
 * @param {string} key
 */
export function keyParts(key) {
  const parts = key.length > 1 ? key.split("+").filter((part) => part !== "") : [key];
  return parts.flatMap((part) => {
    if (/^[A-Z]$/.test(part)) return ["Shift", part];
    return [PRINTED.get(part) ?? (part.length === 1 ? part.toUpperCase() : part)];
  });
}

/**
 * A progress bar, 0…1; null for work that goes on without a known end.
 * @param {string} label
 * @param {number | null} [part]
 */
export function progressBar(label, part = null) {
  const range = { role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100 };
  return showProgress(html("span.progress", range, html("span.progress-done")), label, part);
}

/** The same bar, further on. @param {HTMLElement} bar @param {string} label @param {number | null} part */
export function showProgress(bar, label, part) {
  bar.classList.toggle("progress-unknown", part === null);
  bar.style.setProperty("--share", String(part ?? 0));
  bar.setAttribute("aria-label", label);
  if (part === null) bar.removeAttribute("aria-valuenow");
  else bar.setAttribute("aria-valuenow", String(Math.floor(100 * part)));
  return bar;
}
