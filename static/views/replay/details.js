// @ts-check
/** The details of a node that a replay has not left: the window and the best so far, and the event that brings its score. */

import { enteredAt, leftAt, openOf, stageOf } from "../../data/then.js";
import { button } from "../../draw/buttons.js";
import { html } from "../../draw/element.js";
import { count, counted, signed } from "../../draw/numbers.js";
import { openWindowText } from "../../draw/window-bar.js";

/** @import { Actions, State, TreeNode } from "../../data/types.js" */
/** @import { Part } from "../details/parts.js" */

/** Whether the choice of the search is known: without a replay, or after it has left the root. @param {State} state */
export function isChosen({ replay, opened, nodes }) {
  const root = opened === null ? undefined : nodes.get(opened.root);
  return root === undefined || stageOf(replay, root) === "left";
}

/** @param {TreeNode} node @param {State} state @param {Actions} actions @returns {Part | null} */
export function nowPart(node, state, actions) {
  const { replay, nodes } = state;
  const stage = stageOf(replay, node);
  if (replay === null || stage === "left") return null;
  const at = stage === "later" ? enteredAt(node) : leftAt(node);
  const go = button(`event ${count(at)}`, () => void actions.seekReplay(at), {
    class: "figure-go",
    "data-key": "now-go",
  });
  if (stage === "later")
    return { title: "At this event", content: [html("p", "Not searched yet: the search enters it at ", go, ".")] };
  const open = openOf(state, node);
  const facts = [];
  if (open !== null) {
    const { best, best_id: by, left } = open;
    const window = openWindowText(open);
    const giver = by === undefined ? undefined : nodes.get(by);
    facts.push(
      html("dt", "best so far"),
      html(
        "dd.number",
        best === undefined ? "no ply yet" : signed(best),
        ...(by === undefined || best === undefined
          ? []
          : [
              " by ",
              button(giver?.ply ?? `#${by}`, () => void actions.goTo(by), {
                class: "figure-go",
                "data-key": "now-best",
              }),
            ]),
      ),
      html("dt", "window"),
      html("dd.number", window === "" ? "not stated" : window),
      html("dt", "left so far"),
      html("dd.number", `${count(left)} of ${counted(node.n_children, "child", "children")}`),
    );
  }
  return {
    title: "At this event",
    content: [
      facts.length > 0 ? html("dl.facts", facts) : null,
      html("p", "Being searched: its score comes at ", go, "."),
    ],
  };
}
