// @ts-check
/** The search with other weights: its button, its progress, its result, or the reason why it is not possible. */

import { button } from "../../draw/buttons.js";
import { html, progressBar, withCode } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { count } from "../../draw/numbers.js";
import { scoreText } from "../../draw/scores.js";
import { weightText } from "./words.js";

/** @import { Actions, Again, State } from "../../data/types.js" */

/** @param {State} state @param {Actions} actions */
export function againPart(state, actions) {
  const { again, changed } = state.weights;
  if (again === null) return [];
  if (again.state === "refused") return [note(`This search cannot be repeated with other weights: ${again.reason}.`)];
  if (again.state === "running") return running(again, state, actions);
  const isChanged = Object.keys(changed).length > 0;
  const begin = button("Search again with these weights", () => void actions.searchAgain(), {
    class: "button button-first",
    "data-key": "again-begin",
    disabled: !isChanged,
    title: isChanged ? "" : "Change a weight first",
  });
  return [
    begin,
    ...(again.state === "failed"
      ? [
          html(
            "p.panel-error.again-said",
            { role: "alert" },
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
  return html("p.weights-note.again-said", icon("info"), html("span", withCode(text)));
}

/** @param {Again} again @param {Actions} actions */
function done({ weights = {} }, actions) {
  return html(
    "p.again-said",
    `Searched again with ${named(weights)}: `,
    button("what changed", () => void actions.openAgain(), { class: "weights-link", "data-key": "again-open" }),
  );
}

/** @param {Record<string, number>} weights */
function named(weights) {
  const each = Object.entries(weights).map(([name, weight]) => `${name} ${weightText(weight)}`);
  return each.length === 0 ? "the weights of the log" : each.join(", ");
}

/** @param {Again} again @param {State} state @param {Actions} actions */
function running(again, { opened }, actions) {
  return [
    html("p.again-said", { role: "status" }, `${says(again, opened?.search?.["mate"])}`),
    progressBar("Search with other weights"),
    button("Cancel the search", () => void actions.cancelAgain(), {
      class: "button again-said",
      "data-key": "again-cancel",
    }),
  ];
}

/** How far it is, in a sentence or two. @param {Again} again @param {unknown} mate */
function says({ phase, depth = 0, nodes = 0, seconds = 0, ply, score, weights = {}, asked }, mate) {
  const begun = `Searching with ${named(weights)}.`;
  if (phase === "writing") return `${begun} Writing its log\u2026`;
  if (phase !== "searching") return `${begun} Getting ready\u2026`;
  const best =
    typeof ply === "string" && typeof score === "number" ? ` Best so far: ${ply} ${scoreText({ score }, mate)}.` : "";
  return `${begun} Depth ${depth} of ${asked?.depth ?? "?"}: ${count(nodes)} nodes in ${seconds.toFixed(1)} s.${best}`;
}
