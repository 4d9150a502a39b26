// @ts-check
/** A board with what belongs to it: the searched plies over it, the plies of the cell that is pointed at, stacks, hands. */

import { drawBoard, drawHand } from "../draw/board.js";
import { drawPlies, drawWays, plyWords, sharedCells } from "../draw/board-plies.js";
import { bugList, handsOf, stacks, stackWords } from "../draw/board-words.js";
import { scoreReach } from "../draw/card.js";
import { html } from "../draw/element.js";
import { counted, scoreText } from "../draw/numbers.js";
import { seen } from "../draw/seen.js";

/** @typedef {import("../data/types.js").Drawing} Drawing */
/** @typedef {import("../data/types.js").BoardPly} BoardPly */
/** @typedef {import("../data/types.js").Id} Id */
/** @typedef {import("../data/types.js").State} State */
/** @typedef {import("../draw/board-plies.js").Shared} Shared */

const HINT = "larger: better rank; green: for the root player";
/** Pixels within which the pointer still rests. */
const STILL = 2;
/** Where the last press was: a mark that is drawn under a pointer that rests there is not pointed at. */
let rests = { x: NaN, y: NaN };
const NEXT = new Set(["ArrowRight", "ArrowDown"]);
const PREVIOUS = new Set(["ArrowLeft", "ArrowUp"]);

/**
 * The position of the node `id`.
 * @param {Drawing} drawing
 * @param {State} state
 * @param {import("../data/actions.js").Actions} actions
 * @param {{title: string, id: Id, changed?: boolean}} options
 * @returns {Element}
 */
export function boardFigure(drawing, state, actions, { title, id, changed = false }) {
  const board = drawBoard(drawing, { title, changed });
  if (!(board instanceof SVGSVGElement)) return board;
  const layers = html("div", { class: "board-layers" }, board);
  for (const size of ["--board-columns", "--board-rows"]) layers.style.setProperty(size, board.style.getPropertyValue(size));
  const figure = html("div", { class: "board-figure" }, layers);
  if (state.showPlies && drawing.plies?.length) figure.append(overlay(layers, drawing, state, actions, id, title));
  const piled = stacks(drawing);
  if (piled.length > 0) figure.append(html("p", { class: "board-note dim" }, piled.map(stackWords).join("; ")));
  const hands = handsOf(drawing, state.opened?.players ?? []).filter(({ pieces }) => pieces.length > 0);
  if (hands.length > 0) figure.append(html("div", { class: "board-hands" }, hands.map(hand)));
  return figure;
}

/** @param {{player: string, pieces: string[]}} held */
function hand({ player, pieces }) {
  return html("div", { class: "board-held" }, html("span", { class: "dim" }, `${player} in hand`), drawHand(pieces, `${player} in hand: ${bugList(pieces)}`));
}

/**
 * Lay the plies over the board, and answer the list of those that end on the cell pointed at.
 * @param {HTMLElement} layers
 * @param {Drawing} drawing
 * @param {State} state
 * @param {import("../data/actions.js").Actions} actions
 * @param {Id} id
 * @param {string} title
 */
function overlay(layers, drawing, state, actions, id, title) {
  const plies = drawing.plies ?? [];
  const cells = new Map(sharedCells(plies).map((shared) => [shared.to.join(), shared]));
  const viewBox = layers.firstElementChild?.getAttribute("viewBox") ?? "";
  const marks = drawPlies(drawing, { title: `Searched plies: ${title}`, reach: scoreReach(state), viewBox });
  const summary = html("span", { class: "dim" }, `${counted(plies.length, "searched ply", "searched plies")}; ${HINT}`);
  const list = html("div", { class: "ply-list" }, summary);
  layers.append(marks);

  /** @param {Shared} shared @param {string} cell */
  function show(shared, cell) {
    if (list.dataset.cell !== cell) {
      list.dataset.cell = cell;
      list.replaceChildren(...shared.plies.map(plyButton));
    }
    marks.querySelector(".ply-ways")?.remove();
    marks.prepend(drawWays(drawing.kind, shared.plies));
  }

  /** @param {BoardPly} ply */
  function plyButton(ply) {
    return html(
      "button",
      {
        class: "ply-button", type: "button", "aria-label": plyWords(ply, plies.length), "data-ids": ply.id,
        onclick: () => go(ply.id),
        onpointerenter: (/** @type {PointerEvent} */ event) => point(ply.id, event.clientX, event.clientY),
        onpointerleave: () => actions.hover(null),
        onfocus: (/** @type {Event} */ event) => pointAt(ply.id, event.currentTarget),
        onblur: () => actions.hover(null),
      },
      html("b", {}, seen(ply.ply)),
      html("span", { class: "number" }, scoreText(ply.score, ply.bound)),
    );
  }

  /** @param {Id} ply */
  function go(ply) {
    actions.hover(null);
    void actions.goTo(ply);
  }

  /** Point at a ply's node, which may not be here yet. @param {Id} ply @param {number} x @param {number} y */
  function point(ply, x, y) {
    actions.hover(ply, x, y);
    if (!state.nodes.has(ply)) void actions.peek(id);
  }

  /** @param {Id} ply @param {EventTarget | null} at */
  function pointAt(ply, at) {
    if (!(at instanceof Element)) return;
    const { left, bottom } = at.getBoundingClientRect();
    point(ply, left, bottom);
  }

  /** @param {Event} event */
  function markOf(event) {
    const mark = event.target instanceof Element ? event.target.closest(".ply-mark") : null;
    const cell = mark?.getAttribute("data-cell") ?? "";
    const shared = cells.get(cell);
    return mark instanceof SVGElement && shared !== undefined ? { mark, cell, shared, best: /** @type {BoardPly} */ (shared.plies[0]) } : null;
  }

  /** Go to the only ply of a cell; of several, to their list. @param {Shared} shared @param {string} cell */
  function choose(shared, cell) {
    const [only] = shared.plies;
    if (shared.plies.length === 1 && only !== undefined) return go(only.id);
    show(shared, cell);
    const first = list.querySelector("button");
    first?.focus({ preventScroll: false });
  }

  marks.addEventListener("pointerover", (event) => {
    const at = markOf(event);
    if (at === null || Math.hypot(event.clientX - rests.x, event.clientY - rests.y) < STILL) return;
    show(at.shared, at.cell);
    point(at.best.id, event.clientX, event.clientY);
  });
  marks.addEventListener("pointerout", () => {
    marks.querySelector(".ply-ways")?.remove();
    actions.hover(null);
  });
  marks.addEventListener("focusin", (event) => {
    const at = markOf(event);
    if (at === null || !at.mark.matches(":focus-visible")) return;
    show(at.shared, at.cell);
    pointAt(at.best.id, at.mark);
  });
  marks.addEventListener("focusout", () => actions.hover(null));
  marks.addEventListener("click", (event) => {
    const at = markOf(event);
    rests = { x: event.clientX, y: event.clientY };
    if (at !== null) choose(at.shared, at.cell);
  });
  marks.addEventListener("keydown", (event) => {
    const at = markOf(event);
    if (at === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = NEXT.has(event.key) ? 1 : PREVIOUS.has(event.key) ? -1 : 0;
    if (step !== 0) walk(at.mark, [...cells.keys()], at.cell, step);
    else if (event.key === "Enter" || event.key === " ") choose(at.shared, at.cell);
    else return;
    event.preventDefault();
  });

  /** The focus goes to the next or previous mark, in the order of their best plies. @param {SVGElement} mark @param {string[]} order @param {string} cell @param {number} step */
  function walk(mark, order, cell, step) {
    const next = order[(order.indexOf(cell) + step + order.length) % order.length];
    const other = marks.querySelector(`[data-cell="${next}"]`);
    if (!(other instanceof SVGElement)) return;
    mark.setAttribute("tabindex", "-1");
    other.setAttribute("tabindex", "0");
    other.focus();
  }

  return list;
}
