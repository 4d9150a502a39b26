// @ts-check
/** The searched plies over a board: marks to point at and to press, with their key and their list beside it. */

import { cellKey } from "./cells.js";
import { drawKey, drawPlies, drawWays, keyToPlies, sharedCells } from "./plies.js";
import { scaleOf } from "../../draw/colours.js";
import { html } from "../../draw/element.js";
import { counted } from "../../draw/numbers.js";
import { boardList } from "./list.js";
import { walkTo } from "./walk.js";

/** @import { Actions, BoardPly, Drawing, Id, State } from "../../data/types.js" */
/** @import { Shared } from "./plies.js" */

/** Pixels that a tip takes at the left of the panel, so that it covers neither the board nor the list of plies. */
const TIP = 330;
/** Pixels within which the pointer still rests. */
const STILL = 2;
/** The place of the last press: a mark that appears under a pointer resting there is not pointed at. */
let rests = { x: NaN, y: NaN };
const NEXT = new Set(["ArrowRight", "ArrowDown"]);
const PREVIOUS = new Set(["ArrowLeft", "ArrowUp"]);

/**
 * Lay the plies over the board, and answer the key to their marks and the list: of those that end on the cell pointed
 * at, or of all.
 * @param {HTMLElement} layers
 * @param {Drawing} drawing
 * @param {State} state
 * @param {Actions} actions
 * @param {{id: Id, title: string, all: boolean, player?: string}} options
 * @returns {HTMLElement[]}
 */
export function boardOverlay(layers, drawing, state, actions, { id, title, all, player }) {
  const plies = drawing.plies ?? [];
  const cells = new Map(sharedCells(plies).map((shared) => [cellKey(...shared.to), shared]));
  const viewBox = layers.firstElementChild?.getAttribute("viewBox") ?? "";
  const mate = state.opened?.search?.["mate"];
  const marks = drawPlies(drawing, {
    title: `Searched plies: ${title}`,
    scale: scaleOf(state.opened),
    viewBox,
    player,
  });
  /** The cell whose plies were asked for by pressing its mark. @type {string | null} */
  let chosen = null;
  const key = html(
    "ul.ply-keys",
    { "aria-label": "Key to the marks" },
    html("li", counted(plies.length, "searched ply", "searched plies")),
    keyToPlies(plies).map(({ kind, text }) => html("li", drawKey(kind), text)),
  );
  const list = boardList(plies, { all, player, mate }, { go, pointed, left });
  layers.append(marks);

  /** The ways of pieces that move, and in hand the pieces that are placed. @param {readonly BoardPly[]} shown */
  function showWays(shown) {
    hideWays();
    marks.prepend(drawWays(drawing.kind, shown));
    const placed = new Set(shown.filter(({ from }) => from === undefined).map(({ ply }) => ply.split(" ")[0]));
    for (const tile of heldTiles())
      tile.classList.toggle("board-tile-pointed", placed.has(tile.getAttribute("data-held") ?? ""));
  }

  function hideWays() {
    marks.querySelector(".ply-ways")?.remove();
    for (const tile of heldTiles()) tile.classList.remove("board-tile-pointed");
  }

  function heldTiles() {
    return layers.closest(".board-figure")?.querySelectorAll("[data-held]") ?? [];
  }

  /** @param {Shared} shared */
  function show(shared) {
    showWays(shared.plies);
    list.show(shared);
  }

  function left() {
    hideWays();
    list.mark(chosen === null ? [] : (cells.get(chosen)?.plies ?? []));
    actions.hover(null);
  }

  /** @param {Id} ply */
  function go(ply) {
    actions.hover(null);
    void (all ? walkTo(actions, state, ply) : actions.goTo(ply));
  }

  /**
   * Point at a ply's node, which may not be here yet; its tip goes beside the panel.
   * @param {Id} ply
   * @param {number} x
   * @param {number} y
   */
  function point(ply, x, y) {
    const beside = layers.closest(".panel")?.getBoundingClientRect().left ?? 0;
    actions.hover(ply, beside > TIP ? beside - TIP : x, y);
    if (!state.nodes.has(ply)) void actions.peek(id);
  }

  /** @param {BoardPly} ply @param {number} x @param {number} y */
  function pointed(ply, x, y) {
    showWays([ply]);
    point(ply.id, x, y);
  }

  /** @param {Event} event */
  function markOf(event) {
    const mark = event.target instanceof Element ? event.target.closest(".ply-mark") : null;
    const cell = mark?.getAttribute("data-cell") ?? "";
    const shared = cells.get(cell);
    return mark instanceof SVGElement && shared !== undefined
      ? { mark, cell, shared, best: /** @type {BoardPly} */ (shared.plies[0]) }
      : null;
  }

  /** Go to the only ply of a cell; of several, to their list. @param {Shared} shared @param {string} cell */
  function choose(shared, cell) {
    const [only] = shared.plies;
    if (shared.plies.length === 1 && only !== undefined) return go(only.id);
    chosen = cell;
    for (const mark of marks.querySelectorAll(".ply-mark"))
      mark.classList.toggle("ply-chosen", mark.getAttribute("data-cell") === cell);
    if (all) list.lead(shared);
    show(shared);
    list.buttonOf(shared)?.focus({ preventScroll: false });
  }

  marks.addEventListener("pointerover", (event) => {
    const at = markOf(event);
    if (at === null || Math.hypot(event.clientX - rests.x, event.clientY - rests.y) < STILL) return;
    show(at.shared);
    point(at.best.id, event.clientX, event.clientY);
  });
  marks.addEventListener("pointerout", left);
  marks.addEventListener("focusin", (event) => {
    const at = markOf(event);
    if (at === null || !at.mark.matches(":focus-visible")) return;
    const { left: x, bottom } = at.mark.getBoundingClientRect();
    show(at.shared);
    point(at.best.id, x, bottom);
  });
  marks.addEventListener("focusout", left);
  marks.addEventListener("click", (event) => {
    const at = markOf(event);
    rests = { x: event.clientX, y: event.clientY };
    if (at !== null) choose(at.shared, at.cell);
  });
  marks.addEventListener("keydown", (event) => {
    const at = markOf(event);
    if (at === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = all ? 0 : NEXT.has(event.key) ? 1 : PREVIOUS.has(event.key) ? -1 : 0; // on the large board arrows walk the tree
    if (step !== 0) walk(at.mark, [...cells.keys()], at.cell, step);
    else if (event.key === "Enter" || event.key === " ") choose(at.shared, at.cell);
    else return;
    event.preventDefault();
  });

  /**
   * The focus goes to the next or previous mark, in the order of their best plies.
   * @param {SVGElement} mark
   * @param {string[]} order
   * @param {string} cell
   * @param {number} step
   */
  function walk(mark, order, cell, step) {
    const next = order[(order.indexOf(cell) + step + order.length) % order.length];
    const other = marks.querySelector(`[data-cell="${next}"]`);
    if (!(other instanceof SVGElement)) return;
    mark.setAttribute("tabindex", "-1");
    other.setAttribute("tabindex", "0");
    other.focus();
  }

  return [key, list.element];
}
