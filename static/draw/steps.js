// @ts-check
/** A line of plies as steps; of a long one the middle is folded into one piece, which opens when it is pressed. */

import { html } from "./element.js";
import { counted } from "./numbers.js";

/** Steps that are all shown; of more, so many are shown at either end. */
const ALL_UP_TO = 30;
const END = 14;

/** @typedef {ReturnType<typeof createSteps>} DrawSteps */

/** What draws lines; it remembers which of them were opened, so that drawing one again does not fold it. */
export function createSteps() {
  /** @type {Set<string>} */
  const opened = new Set();

  /**
   * @param {string} key names the line
   * @param {HTMLElement[]} steps
   * @param {{unsent?: number, after?: number}} [gap] how many steps of the line are not there, and after which one
   * @returns {HTMLElement}
   */
  return function drawSteps(key, steps, { unsent = 0, after = steps.length } = {}) {
    const items = steps.map((step) => html("li", {}, step));
    if (unsent > 0) items.splice(after, 0, html("li", { class: "dim" }, `${counted(unsent, "ply", "plies")} not shown`));
    if (steps.length <= ALL_UP_TO || opened.has(key)) return html("ol", { class: "steps" }, items);
    const middle = items.slice(END, -END);
    const count = middle.length + Math.max(0, unsent - 1);
    const piece = html("li", {}, html("button", { class: "step step-folded", type: "button", "data-key": `${key}-middle`, onclick: open }, `\u2026 ${counted(count, "ply", "plies")}`));

    function open() {
      opened.add(key);
      piece.replaceWith(...middle);
      middle[0]?.querySelector("button")?.focus({ preventScroll: true });
    }
    return html("ol", { class: "steps" }, items.slice(0, END), piece, items.slice(-END));
  };
}
