// @ts-check
/** Below the details of the root: the weights that flip the choice soonest, and where it certainly stands. */

import { isReweighed } from "../../data/state.js";
import { html } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { spanOf, standsText, track, weightText } from "./words.js";

/** Weights that are named. */
const CLOSEST = 3;

/**
 * What of the details other weights have moved, and what they have not.
 * @param {import("../../data/types.js").State} state
 */
export function reweighedNote(state) {
  if (!isReweighed(state)) return null;
  const words =
    "With other weights: the score of this node is re-weighed, behind the logged one. Reasons, lines, evaluations and fields are as logged.";
  return html("p", { class: "section reweighed-note" }, icon("sliders"), html("span", {}, words));
}

/**
 * Nothing while the ranges are not known, and of a log without weights.
 * @param {import("../../data/types.js").State} state
 * @param {import("../../data/actions.js").Actions} actions
 * @returns {import("../details/parts.js").Part | null}
 */
export function standsPart({ weights: { ranges } }, actions) {
  if (ranges === null || ranges.length === 0) return null;
  const largest = Math.max(...ranges.map(({ weight }) => Math.abs(weight)));
  const certain = ranges.filter(({ stands }) => stands !== null);
  const closest = (certain.length > 0 ? certain : ranges).slice(0, CLOSEST);
  const rows = closest.flatMap((range) => {
    const span = spanOf(range.weight, range.weight, largest);
    const words = `${range.name} ${weightText(range.weight)}: ${range.words}`;
    return [
      html("bdi", { class: "cut", title: words }, range.name),
      html("span", { class: "weight-track" }, track(range, span, range.weight)),
      html(
        "span",
        { class: "number", title: words },
        standsText(range) || (range.state === "falls" ? "falls" : "depends"),
      ),
    ];
  });
  const title =
    certain.length > 0
      ? "It certainly stands while"
      : ranges[0]?.state === "falls"
        ? "Another ply is first by these leaves"
        : "The choice depends on unsearched plies";
  return {
    title,
    content: [
      html("div", { class: "stands stands-list" }, rows),
      html(
        "button",
        {
          class: "button button-small",
          type: "button",
          "data-key": "open-weights",
          title: "Other weights (G)",
          onclick: () => void actions.openWeights(),
        },
        icon("sliders"),
        "Other weights",
      ),
    ],
  };
}
