// @ts-check
/** A line of plies, or the path to a node, as steps; of a long one the middle is folded into one piece, which opens when it is pressed. */

import { asOneStop, button } from "./buttons.js";
import { html } from "./element.js";
import { counted } from "./numbers.js";

/**
 * The form of a line: the most steps that are all shown, the number shown at either end of a longer line, its classes
 * and words.
 * @typedef {{upTo: number, first: number, last: number, list: string, item?: string, more: string, words: [string, string]}} Look
 */
/** @type {Look} */
const LINE = { upTo: 30, first: 14, last: 14, list: "steps", more: "step step-folded", words: ["ply", "plies"] };
/** As the path in the row of commands: the root and the last few. @type {Look} */
export const PATH = {
  upTo: 12,
  first: 1,
  last: 7,
  list: "crumbs",
  item: "crumb",
  more: "crumb-button",
  words: ["node", "nodes"],
};

/** @typedef {ReturnType<typeof createSteps>} DrawSteps */

/** What draws lines; it remembers which of them were opened, so that drawing one again does not fold it. */
export function createSteps() {
  /** @type {Set<string>} */
  const opened = new Set();

  /**
   * @param {string} key names the line
   * @param {HTMLElement[]} steps
   * @param {{unsent?: number, after?: number}} [gap] number of steps of the line that are missing, and the step before
   *   them
   * @param {Look} [look]
   * @returns {HTMLElement}
   */
  return function drawSteps(
    key,
    steps,
    { unsent = 0, after = steps.length } = {},
    { upTo, first, last, list, item, more, words } = LINE,
  ) {
    const items = steps.map((step) => html("li", { class: item }, step));
    const gap = html("li", { class: `${item ?? ""} dim` }, `${counted(unsent, ...words)} not shown`);
    if (unsent > 0) items.splice(after, 0, gap);
    if (steps.length <= upTo || opened.has(key)) return asOneStop(html("ol", { class: list }, items));
    const middle = items.slice(first, -last);
    const count = middle.length + (middle.includes(gap) ? unsent - 1 : 0);
    const piece = html(
      "li",
      { class: item },
      button(`\u2026 ${counted(count, ...words)}`, open, { class: more, "data-key": `${key}-middle` }),
    );

    function open() {
      opened.add(key);
      piece.replaceWith(...middle);
      middle[0]?.querySelector("button")?.focus({ preventScroll: true });
    }
    return asOneStop(html("ol", { class: list }, items.slice(0, first), piece, items.slice(-last)));
  };
}
