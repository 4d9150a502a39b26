// @ts-check
/** At the head of the details: what changed from the other log to this one, each node a link. */

import { html } from "../draw/element.js";
import { icon } from "../draw/icons.js";

/** @typedef {import("../data/types.js").State} State */
/** @typedef {import("../data/types.js").SentencePart} SentencePart */

/**
 * Nothing where no log is compared.
 * @param {State} state
 * @param {import("../data/actions.js").Actions} actions
 */
export function diffPart({ diff, log, logs }, actions) {
  if (diff.against === null) return null;
  const name = logs.find(({ id }) => id === diff.against)?.name ?? diff.against;
  if (diff.found === null) {
    return html("div", { class: "section diff-part", "aria-busy": "true" }, html("p", { class: "dim" }, "Comparing with ", html("bdi", {}, name), " \u2026"));
  }
  /** @param {SentencePart} part @param {number} place */
  const piece = (part, place) => {
    if (part.new !== undefined) {
      const id = part.new;
      return html("button", { class: "weights-link", type: "button", "data-key": `diff-${place}-${id}`, onclick: () => void actions.goTo(id) }, part.text);
    }
    if (part.old === undefined) return part.text;
    const fields = new URLSearchParams({ log: diff.against ?? "", node: String(part.old), ...(log !== null && { against: log }) });
    return html("a", { class: "diff-old", href: `#${fields}`, title: `Open ${name} there` }, part.text);
  };
  const { parts, notes } = diff.found;
  return html(
    "div",
    { class: "section diff-part", role: "status" },
    html("p", { class: "diff-against dim" }, icon("compare"), html("span", {}, "Against ", html("bdi", {}, name))),
    parts.map((sentence, at) => html("p", {}, sentence.map((part, place) => piece(part, 100 * at + place)))),
    notes.map((note) => html("p", { class: "dim" }, note)),
  );
}
