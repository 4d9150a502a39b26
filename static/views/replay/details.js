// @ts-check
/** What a replay knows of a node that it has not left: the window and the best so far, and when its score comes. */

import { enteredAt, leftAt, openOf, stageOf } from "../../data/then.js";
import { html } from "../../draw/element.js";
import { count, counted, signed } from "../../draw/numbers.js";
import { openWindowText } from "../../draw/window-bar.js";

/** @typedef {import("../../data/types.js").State} State */
/** @typedef {import("../../data/types.js").TreeNode} TreeNode */
/** @typedef {import("../../data/actions.js").Actions} Actions */

/** Whether what the search chose is known: nothing is replayed, or the replay has left the root. @param {State} state */
export function isChosen({ replay, opened, nodes }) {
  const root = opened === null ? undefined : nodes.get(opened.root);
  return root === undefined || stageOf(replay, root) === "left";
}

/**
 * @param {TreeNode} node
 * @param {State} state
 * @param {Actions} actions
 * @returns {import("../details/parts.js").Part | null}
 */
export function nowPart(node, state, actions) {
  const { replay, nodes } = state;
  const stage = stageOf(replay, node);
  if (replay === null || stage === "left") return null;
  const at = stage === "later" ? enteredAt(node) : leftAt(node);
  const go = html(
    "button",
    { class: "figure-go", type: "button", "data-key": "now-go", onclick: () => void actions.seekReplay(at) },
    `event ${count(at)}`,
  );
  if (stage === "later")
    return { title: "At this event", content: [html("p", {}, "Not searched yet: the search enters it at ", go, ".")] };
  const open = openOf(replay, node.id);
  const facts = [];
  if (open !== null) {
    const { best, best_id: by, left } = open;
    const window = openWindowText(open);
    const giver = by === undefined ? undefined : nodes.get(by);
    facts.push(
      html("dt", {}, "best so far"),
      html(
        "dd",
        { class: "number" },
        best === undefined ? "no ply yet" : signed(best),
        ...(by === undefined || best === undefined
          ? []
          : [
              " by ",
              html(
                "button",
                { class: "figure-go", type: "button", "data-key": "now-best", onclick: () => void actions.goTo(by) },
                giver?.ply ?? `#${by}`,
              ),
            ]),
      ),
      html("dt", {}, "window"),
      html("dd", { class: "number" }, window === "" ? "not stated" : window),
      html("dt", {}, "left so far"),
      html("dd", { class: "number" }, `${count(left)} of ${counted(node.n_children, "child", "children")}`),
    );
  }
  return {
    title: "At this event",
    content: [
      facts.length > 0 ? html("dl", { class: "facts" }, facts) : null,
      html("p", {}, "Being searched: its score comes at ", go, "."),
    ],
  };
}
