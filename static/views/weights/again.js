// @ts-check
/** The search with other weights: its button, how far it is, what came of it, or the reason why there can be none. */

import { withCode, html } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { count } from "../../draw/numbers.js";
import { scoreText } from "../../draw/scores.js";
import { weightText } from "./words.js";

/** @typedef {import("../../data/types.js").State} State */
/** @typedef {import("../../data/types.js").Again} Again */

/**
 * @param {State} state
 * @param {import("../../data/actions.js").Actions} actions
 * @returns {HTMLElement[]}
 */
export function againPart(state, actions) {
  const { again, changed } = state.weights;
  if (again === null) return [];
  if (again.state === "refused") return [note(`It cannot be searched again: ${again.reason}.`)];
  if (again.state === "running") return running(again, state, actions);
  const isChanged = Object.keys(changed).length > 0;
  const begin = html(
    "button",
    {
      class: "button button-first",
      type: "button",
      "data-key": "again-begin",
      disabled: !isChanged,
      title: isChanged ? "" : "Change a weight first",
      onclick: () => void actions.searchAgain(),
    },
    "Search again with these",
  );
  return [
    begin,
    ...(again.state === "failed"
      ? [
          html(
            "p",
            { class: "panel-error again-said", role: "alert" },
            withCode(`The search did not come to its end: ${again.reason}.`),
          ),
        ]
      : []),
    ...(again.state === "done" ? [done(again, actions)] : []),
    ...(again.notes ?? []).map(note),
  ];
}

/** @param {string} text */
function note(text) {
  return html("p", { class: "weights-note again-said" }, icon("info"), html("span", {}, withCode(text)));
}

/** @param {Again} again @param {import("../../data/actions.js").Actions} actions */
function done({ weights = {} }, actions) {
  return html(
    "p",
    { class: "again-said" },
    `Searched again with ${named(weights)}: `,
    html(
      "button",
      { class: "weights-link", type: "button", "data-key": "again-open", onclick: () => void actions.openAgain() },
      "what changed",
    ),
  );
}

/** @param {Record<string, number>} weights */
function named(weights) {
  const each = Object.entries(weights).map(([name, weight]) => `${name} ${weightText(weight)}`);
  return each.length === 0 ? "the weights of the log" : each.join(", ");
}

/** @param {Again} again @param {State} state @param {import("../../data/actions.js").Actions} actions */
function running(again, { opened }, actions) {
  return [
    html("p", { class: "again-said", role: "status" }, `${says(again, opened?.search?.["mate"])}`),
    html(
      "div",
      { class: "progress progress-unknown", role: "progressbar", "aria-label": "Search with other weights" },
      html("span", { class: "progress-done" }),
    ),
    html(
      "button",
      {
        class: "button again-said",
        type: "button",
        "data-key": "again-cancel",
        onclick: () => void actions.cancelAgain(),
      },
      "Cancel the search",
    ),
  ];
}

/** How far it is, in a sentence or two. @param {Again} again @param {unknown} mate */
function says({ phase, depth = 0, nodes = 0, seconds = 0, ply, score, weights = {}, asked }, mate) {
  const begun = `Searching with ${named(weights)}.`;
  if (phase === "compiling") return `${begun} Compiling the search, once on a machine: 5 to 20 s\u2026`;
  if (phase === "writing") return `${begun} Writing its log\u2026`;
  if (phase !== "searching") return `${begun} Getting ready\u2026`;
  const best =
    typeof ply === "string" && typeof score === "number" ? ` Best so far: ${ply} ${scoreText({ score }, mate)}.` : "";
  return `${begun} Depth ${depth} of ${asked?.depth ?? "?"}: ${count(nodes)} nodes in ${seconds.toFixed(1)} s.${best}`;
}
