// @ts-check
/** The weights in the details of the root: those that flip the choice soonest, and the range where it certainly stands. */

import { isReweighed } from "../../data/state.js";
import { smallButton } from "../../draw/buttons.js";
import { html } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { spanOf, track, weightText } from "./words.js";

/** @import { Actions, State } from "../../data/types.js" */
/** @import { Part } from "../details/parts.js" */

/** Weights that are named. */
const CLOSEST = 3;

/** The note on the details that other weights change, and on those that they do not. @param {State} state */
export function reweighedNote(state) {
  if (!isReweighed(state)) return null;
  const words =
    "With other weights: the score of this node is re-weighed, behind the logged one. Reasons, lines, evaluations and fields are as logged.";
  return html("p.section.reweighed-note", icon("sliders"), html("span", words));
}

/**
 * Nothing while the ranges are not known, and of a log without weights.
 * @param {State} state
 * @param {Actions} actions
 * @returns {Part | null}
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
      html("bdi.cut", { title: words }, range.name),
      html("span.weight-track", track(range, span, range.weight)),
      html("span.number", { title: words }, range.certain || (range.state === "falls" ? "falls" : "depends")),
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
      html("div.stands.stands-list", rows),
      smallButton([icon("sliders"), "Other weights"], () => void actions.openWeights(), {
        "data-asks": true,
        "data-key": "open-weights",
        title: "Other weights (G)",
      }),
    ],
  };
}
