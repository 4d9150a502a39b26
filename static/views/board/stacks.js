// @ts-check
/** The stacks of a board, unfolded: a row of tiles each, the top one first, and the same over the stack pointed at. */

import { cellKey } from "./cells.js";
import { stacks, stackWords } from "./words.js";
import { drawHand } from "./board.js";
import { html } from "../../draw/element.js";

/** @import { Drawing } from "../../data/types.js" */

/** @typedef {{x: number, y: number, pieces: string[]}} Stack */

/**
 * The rows of stacks, null where no piece stands on another. Pointing at a row marks its stack, pointing at a stack
 * unfolds it.
 * @param {HTMLElement} layers the board, in whose first child the stacks are drawn
 * @param {Drawing} drawing
 * @returns {HTMLElement | null}
 */
export function boardStacks(layers, drawing) {
  const found = stacks(drawing);
  if (found.length === 0) return null;
  const board = layers.querySelector("svg.board");
  /** @type {Map<string, HTMLElement>} */
  const rows = new Map();

  /** @param {Stack} stack */
  function row({ x, y, pieces }) {
    const cell = cellKey(x, y);
    const made = html(
      "div.board-held.board-stack-row",
      { onpointerenter: () => mark(cell, true), onpointerleave: () => mark(cell, false) },
      html("span.dim", "stack, top first"),
      unfolded(pieces, drawing.kind),
    );
    rows.set(cell, made);
    return made;
  }

  /** @param {string} cell @param {boolean} on */
  function mark(cell, on) {
    rows.get(cell)?.classList.toggle("board-stack-pointed", on);
    for (const tile of layers.querySelectorAll(`[data-stack="${cell}"]`))
      tile.classList.toggle("board-tile-pointed", on);
  }

  /** @param {Event} event */
  function stackAt(event) {
    const cell = event.target instanceof Element ? event.target.getAttribute("data-stack") : null;
    return found.find(({ x, y }) => cellKey(x, y) === cell);
  }

  /** @param {Event} event */
  function unfold(event) {
    fold();
    const stack = stackAt(event);
    const box = stack && layers.querySelector(`[data-stack="${stack.x},${stack.y}"]`)?.getBoundingClientRect();
    if (stack === undefined || !box) return;
    mark(cellKey(stack.x, stack.y), true);
    const within = layers.getBoundingClientRect();
    const bubble = html("div.board-bubble", { "aria-hidden": "true" }, unfolded(stack.pieces, drawing.kind));
    bubble.style.setProperty("--x", `${box.left + box.width / 2 - within.left}px`);
    bubble.style.setProperty("--y", `${box.top - within.top}px`);
    layers.append(bubble);
  }

  function fold() {
    layers.querySelector(".board-bubble")?.remove();
    for (const { x, y } of found) mark(cellKey(x, y), false);
  }

  board?.addEventListener("pointerover", unfold);
  board?.addEventListener("pointerout", fold);
  return html("div.board-hands", found.map(row));
}

/** @param {readonly string[]} pieces the top one last @param {Drawing["kind"]} kind */
function unfolded(pieces, kind) {
  return drawHand([...pieces].reverse(), `Stack, top first: ${stackWords(pieces)}`, kind);
}
