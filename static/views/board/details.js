// @ts-check
/** The position of a node in the details: its board, the switches of the board, the button for the large one. */

import { iconButton, smallButton } from "../../draw/buttons.js";
import { html, withCode } from "../../draw/element.js";
import { nodeName } from "../../draw/words.js";
import { tipOf, WAYS } from "../game/ways.js";
import { boardFigure } from "./figure.js";
import { namesFile } from "./words.js";

/** @import { Actions, Drawing, State, TreeNode } from "../../data/types.js" */
/** @import { Part } from "../details/parts.js" */

/**
 * The position as a board, on request with the difference to its parent; without a board the reason, where the game is
 * named.
 * @param {Drawing} drawing
 * @param {TreeNode} node
 * @param {State} state
 * @param {Actions} actions
 * @param {{showChanges: boolean, toggleChanges: () => void, searchedOn: HTMLElement}} more
 * @returns {Part | null}
 */
export function boardPart(drawing, node, state, actions, { showChanges, toggleChanges, searchedOn }) {
  const title = boardTitle(node);
  if (!drawing.kind) {
    if (state.opened?.game === undefined || node.board !== undefined) return null;
    const { reason = "This game cannot be drawn." } = drawing;
    return {
      title: "Position",
      content: [html(`p.section-empty${namesFile(reason) ? "" : ".sentence"}`, withCode(reason))],
    };
  }
  const figure = boardFigure(drawing, state, actions, { title, id: node.id, changed: showChanges });
  const switches = [
    drawing.plies?.length ? pliesSwitch(state, actions) : null,
    drawing.changed?.length ? changeSwitch("Show what the ply changed", "changes", showChanges, toggleChanges) : null,
    drawing.cells?.length ? largeButton(actions) : null,
    ...[WAYS.playOn, WAYS.searchOn]
      .filter((way) => way.isThere(state))
      .map((way) =>
        smallButton(way.label, () => void way.go(actions, node.id, state), {
          "data-key": `way-${way.key}`,
          title: tipOf(way),
        }),
      ),
  ];
  return { title, content: [figure, html("div.board-switches", switches), searchedOn] };
}

/**
 * Redraw a panel that holds a board: a board that is in view stays at its place, whatever changes above it.
 * @param {HTMLElement} panel
 * @param {() => void} draw
 */
export function keepingBoard(panel, draw) {
  const before = panel.scrollTop > 0 ? boardIn(panel) : null;
  if (before === null) return draw(); // measured only where that is of use: it has the whole page laid out
  const { top, bottom } = panel.getBoundingClientRect();
  draw();
  const after = boardIn(panel);
  if (after !== null && before.bottom > top && before.top < bottom) panel.scrollTop += after.top - before.top;
  return undefined;
}

/** The place of a panel's board in the window, null where it has none. @param {HTMLElement} panel */
function boardIn(panel) {
  return panel.querySelector(".board-place")?.getBoundingClientRect() ?? null;
}

/** @param {TreeNode} node */
export function boardTitle(node) {
  return node.parent === null ? "Position" : `Position after ${nodeName(node)}`;
}

/** @param {State} state @param {Actions} actions */
export function pliesSwitch({ showPlies }, actions) {
  return changeSwitch(
    "Searched plies",
    "plies",
    showPlies,
    () => actions.setShowPlies(),
    "Show on the board where the searched plies end (o)",
  );
}

/** @param {string} words @param {string} key @param {boolean} on @param {() => void} toggle @param {string} [title] */
function changeSwitch(words, key, on, toggle, title) {
  const box = html("input", { type: "checkbox", "data-key": key, onchange: toggle });
  box.checked = on;
  return html("label.check", { title }, box, words);
}

/** @param {Actions} actions */
function largeButton(actions) {
  return iconButton("fit", "Large board", () => actions.openDialog("board"), {
    title: "The board, large (b)",
    "data-key": "large-board",
  });
}
