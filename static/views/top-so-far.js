// @ts-check
/** The top of a tree whose log is being read: its root and the first of its plies, as far as they have come. */

import { isStub } from "../data/claims.js";
import { html } from "../draw/element.js";
import { layerMark } from "../draw/icons.js";
import { count, counted } from "../draw/numbers.js";
import { shortScore } from "../draw/scores.js";
import { stubText } from "../draw/words.js";
import { seen } from "../draw/seen.js";

/** @typedef {import("../data/types.js").TopSoFar} TopSoFar */

/**
 * @param {TopSoFar} top
 * @returns {HTMLElement}
 */
export function topSoFar({ nodes, n_children, n_nodes, mate }) {
  const [root, ...children] = nodes;
  const others = n_children - children.length;
  return html(
    "section",
    { class: "so-far", "aria-label": "The top of the tree so far" },
    html(
      "p",
      { class: "dim" },
      `So far ${counted(n_nodes, "node")}, of the root ${counted(n_children, "child", "children")}:`,
    ),
    html("div", { class: "so-far-root" }, root !== undefined && card(root, mate)),
    html(
      "ul",
      {},
      children.map((child) => html("li", {}, card(child, mate))),
      others > 0 && html("li", { class: "so-far-card dim" }, `\u2026 ${count(others)} more`),
    ),
  );
}

/**
 * @param {TopSoFar["nodes"][number]} node
 * @param {unknown} mate
 */
function card(node, mate) {
  const { score, bound } = node;
  return html(
    "span",
    { class: "so-far-card" },
    layerMark(node.layer),
    html("b", { class: "cut" }, nameOf(node)),
    score !== undefined && html("span", { class: "so-far-score" }, shortScore({ score, bound }, mate)),
  );
}

/** What a node is called of which more may come. @param {import("../data/types.js").TopSoFar["nodes"][number]} node */
function nameOf(node) {
  if (isStub(node)) return stubText(node);
  if (node.ply !== undefined && node.ply !== "") return seen(node.ply);
  return node.level === 0 ? "root" : "\u2026";
}
