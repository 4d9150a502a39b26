// @ts-check
/** A part of the statistics: a heading, a sentence whose figures lead to nodes, rows with bars, and the lacking fields. */

import { button } from "../../draw/buttons.js";
import { plain } from "../../draw/numbers.js";

/** @import { Statistics } from "../../data/answers.js" */
/** @import { Figure } from "./actions.js" */
/** @import { FigureRow } from "./figures.js" */

/**
 * One part: its caption says what is to be seen; `rows` are its table, `more` stands below them.
 * @typedef {object} Part
 * @property {Figure} name
 * @property {string} title
 * @property {string} [short] the title where room is short
 * @property {string} caption
 * @property {(Node | string)[]} [says] the caption with links in it
 * @property {string} [what] the name of the first column
 * @property {string[]} [columns]
 * @property {FigureRow[]} [rows]
 * @property {Node} [lead] stands before them
 * @property {(Node | string)[]} [more]
 */

/** @param {number} part */
export const percent = (part) =>
  part > 0 && part < 0.0005 ? "< 0.1 %" : `${(100 * part).toFixed(part > 0 && part < 0.0995 ? 1 : 0)} %`;

/** @param {number | null} number */
export const figure = (number) => (number === null ? "–" : plain(number, 2));

/**
 * A figure in a sentence that leads to its node or nodes.
 * @param {string} key unique on the page
 * @param {string} text
 * @param {string} title the target in words
 * @param {() => unknown} act
 */
export function link(key, text, title, act) {
  return button(text, () => void act(), { class: "figure-go", "data-key": key, title });
}

/** The sentence on the fields that a part lacks. @param {Statistics} found @param {Figure} name */
export function lacks(found, name) {
  return found.missing.filter((each) => each.figure.split(".")[0] === name);
}

/**
 * The end of a path of plies, which tells more of the place than its beginning.
 * @param {string} path
 * @param {number} [most] plies
 */
export function pathEnd(path, most = 3) {
  const steps = path.split(" > ");
  return `${steps.length > most ? "… › " : ""}${steps.slice(-most).join(" › ")}`;
}
