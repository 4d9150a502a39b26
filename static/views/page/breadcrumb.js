// @ts-check
/**
 * The path to the selected node in the row of commands: the log, the root and the last few nodes. The middle folds into
 * "…", a button that lists it; nothing is cut but by an ellipsis.
 */

import { button } from "../../draw/buttons.js";
import { html, redraw } from "../../draw/element.js";
import { counted } from "../../draw/numbers.js";
import { nodeName } from "../../draw/words.js";
import { placeBeside } from "../menu.js";

/** @import { Actions, State, TreeNode } from "../../data/types.js" */

/** What is shown beside the log, from much room to little: the root or not, and how many of the last nodes. */
const FOLDS = Object.freeze([
  { root: true, last: 3, log: true },
  { root: true, last: 2, log: true },
  { root: true, last: 1, log: true },
  { root: false, last: 1, log: true },
  { root: false, last: 1, log: false },
]);

/**
 * The nodes of a path that are shown, and those between them that are not.
 * @template T
 * @param {readonly T[]} path from the root
 * @param {{root: boolean, last: number}} fold
 */
export function foldedPath(path, { root, last }) {
  const from = Math.max(0, path.length - last);
  const first = path.slice(0, root ? Math.min(1, from) : 0);
  return { first, hidden: path.slice(first.length, from), last: path.slice(from) };
}

/** @param {Actions} actions @returns {{element: HTMLElement, draw: (state: State) => void}} */
export function createBreadcrumb(actions) {
  const crumbs = html("ol.crumbs");
  const menu = html("div.crumbs-menu", { id: "crumbs-menu", popover: "auto" });
  const element = html("nav.crumbs-box", { "aria-label": "Path of the selected node" }, crumbs, menu);
  /** @type {{path: TreeNode[], log: string | undefined} | null} */
  let shown = null;
  let key = "";

  /** @param {TreeNode} node @param {boolean} current @param {string} [look] */
  function step(node, current, look = "crumb-button cut") {
    const name = nodeName(node);
    return button(name, () => go(node), {
      class: look,
      "data-key": `crumb-${node.id}`,
      "aria-current": current && "true",
      title: name,
    });
  }

  /** @param {TreeNode} node */
  function go(node) {
    menu.hidePopover();
    void actions.goTo(node.id);
  }

  /** @param {TreeNode[]} hidden */
  function more(hidden) {
    const label = `${counted(hidden.length, "further node", "further nodes")} of the path`;
    const names = hidden.map(nodeName).join(" \u203a ");
    return html(
      "button.crumb-button",
      { type: "button", "data-key": "crumb-more", popovertarget: menu.id, "aria-label": label, title: names },
      "\u2026",
    );
  }

  /** Draw with as little folded as there is room for. */
  function fit() {
    if (shown === null) return;
    const { path, log } = shown;
    for (const fold of FOLDS) {
      const { first, hidden, last } = foldedPath(path, fold);
      const current = path.at(-1);
      redraw(
        crumbs,
        log !== undefined && fold.log && html("li.crumb.crumb-log", html("span.cut", { title: log }, log)),
        first.map((node) => html("li.crumb", step(node, node === current))),
        hidden.length > 0 && html("li.crumb.crumb-far", more(hidden)),
        last.map((node) => html("li.crumb", step(node, node === current))),
      );
      menu.replaceChildren(...hidden.map((node) => step(node, false, "crumb-choice cut")));
      if (crumbs.scrollWidth <= crumbs.clientWidth) return;
    }
  }

  menu.addEventListener("beforetoggle", () => {
    const opener = crumbs.querySelector("[popovertarget]");
    if (opener !== null) placeBeside(menu, opener);
  });
  let width = 0;
  const watcher = new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    fit();
  });
  watcher.observe(element);

  return {
    element,
    draw(state) {
      const path = pathOf(state);
      const log = state.logs.find((other) => other.id === state.log)?.name;
      const next = JSON.stringify([log, path.map((node) => [node.id, nodeName(node)])]);
      if (next === key) return;
      key = next;
      shown = { path, log };
      fit();
    },
  };
}

/** The nodes from the root to the selected one, as far as they are known. @param {State} state */
function pathOf({ nodes, selected }) {
  /** @type {TreeNode[]} */
  const path = [];
  for (let id = selected; id !== null;) {
    const node = nodes.get(id);
    if (node === undefined) break;
    path.push(node);
    id = node.parent;
  }
  return path.reverse();
}
