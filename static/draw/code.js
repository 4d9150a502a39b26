// @ts-check
/** Sentences with code in them: what stands between backticks is set as code, in which it stays text. */

import { html } from "./element.js";

/**
 * The parts of a sentence, to go into an element.
 * @param {string} sentence
 * @returns {(HTMLElement | string)[]}
 */
export function withCode(sentence) {
  const parts = sentence.split(/`([^`\n]+)`/);
  return parts.map((part, i) => (i % 2 === 1 ? html("code", {}, part) : part)).filter((part) => part !== "");
}
