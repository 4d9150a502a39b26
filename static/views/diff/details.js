// @ts-check
/** The head of the details: the changes from the other log to this one, each node a link, and the change of one node. */

import { besideName, isOld, otherId } from "../../data/merged.js";
import { changedScore, KIND_WORDS } from "../../draw/changes.js";
import { button } from "../../draw/buttons.js";
import { html, withCode } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { fullFigure } from "../../draw/scores.js";
import { brief } from "../../draw/seen.js";

/** @import { Actions, Beside, SentencePart, State, TreeNode } from "../../data/types.js" */

/** Nothing where no log is compared. @param {State} state @param {Actions} actions */
export function diffPart(state, actions) {
  const { diff } = state;
  if (diff.against === null) return null;
  const name = besideName(state);
  if (diff.found === null) {
    return html(
      "div.section.diff-part",
      { "aria-busy": "true" },
      html("p.dim", "Comparing with ", html("bdi", name), " \u2026"),
    );
  }
  /** @param {SentencePart} part @param {number} place */
  const piece = ({ text, at }, place) =>
    at === undefined
      ? withCode(text)
      : button(brief(text), () => void actions.goTo(at), { class: "weights-link", "data-key": `diff-${place}-${at}` });
  const { parts, notes } = diff.found;
  return html(
    "div.section.diff-part",
    { role: "status" },
    html("p.diff-against.dim", icon("compare"), html("span", "Against ", html("bdi", name))),
    parts.map((sentence, at) =>
      html(
        "p",
        sentence.flatMap((part, place) => piece(part, 100 * at + place)),
      ),
    ),
    notes.map((note) => html("p.dim", withCode(note))),
  );
}

/**
 * The change of one node; nothing where it is unchanged or outside the compared trees.
 * @param {TreeNode} node
 * @param {State} state
 */
export function changePart(node, state) {
  const beside = state.nodes.get(node.id)?.beside;
  if (beside === undefined || beside.kind === "same" || state.diff.found === null) return null;
  const name = html("bdi", besideName(state));
  if (beside.side === "new") return html("p.diff-node", "Not in ", name, ".");
  if (isOld(node.id)) {
    const { against, iteration } = state.diff;
    const fields = new URLSearchParams({
      log: against ?? "",
      node: String(otherId(node.id)),
      ...(iteration === null && state.log !== null && { against: state.log }),
    });
    const dropped =
      beside.kind === "newly_pruned" || beside.kind === "newly_dropped"
        ? `, ${KIND_WORDS[beside.kind]} in this log`
        : "";
    return html(
      "p.diff-node",
      "Only in ",
      name,
      `${dropped}. `,
      html("a.diff-old", { href: `#${fields}` }, "Open it there"),
    );
  }
  const mate = state.opened?.search?.["mate"];
  const said = changedScore({ ...node, beside }, undefined, mate);
  const title = beside.old === undefined ? "" : `${fullFigure(beside.old)} \u2192 ${fullFigure(node)}`;
  return html(
    "p.diff-node",
    { title },
    `${KIND_WORDS[beside.kind] ?? beside.kind}: `,
    html("span.number", said),
    outcomes(node, beside),
  );
}

/** The outcomes where these differ. @param {TreeNode} node @param {Beside} beside */
function outcomes(node, { kind, old }) {
  return kind === "outcome" ? `, ${old?.outcome ?? "unknown"} \u2192 ${node.outcome ?? "unknown"}` : "";
}
