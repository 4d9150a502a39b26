// @ts-check
/** The list beside a board that names its marks: the plies that end on the cell pointed at, or all by rank. */

import { cellKey } from "./cells.js";
import { isThrow, plyWords, plyWorth } from "./plies.js";
import { button } from "../../draw/buttons.js";
import { html } from "../../draw/element.js";
import { apart, counted } from "../../draw/numbers.js";
import { seen } from "../../draw/seen.js";

/** @import { BoardPly, Id } from "../../data/types.js" */
/** @import { Shared } from "./plies.js" */

/**
 * The events of the list's buttons: one was pressed, pointed at (with the place in the window), left.
 * @typedef {{go: (ply: Id) => void, pointed: (ply: BoardPly, x: number, y: number) => void, left: () => void}} Listener
 */

/**
 * The list, and what it does for the marks.
 * @param {readonly BoardPly[]} plies by rank
 * @param {{all: boolean, player?: string, mate?: unknown}} options `all`: every ply is there from the beginning;
 *   `player` is to move, `mate` is how the log scores wins
 * @param {Listener} listener
 */
export function boardList(plies, { all, player, mate }, { go, pointed, left }) {
  const digits = apart(plies.map((ply) => ply.score));
  const list = html(
    "div.ply-list",
    { role: "group", "aria-label": "By rank" },
    all ? plies.map(plyButton) : html("span.dim", "Point at a mark: it says its plies here."),
  );

  /** @param {BoardPly} ply */
  function plyButton(ply) {
    const score = plyWorth(ply, mate, digits);
    return button(
      [
        html("b", seen(ply.ply)),
        isThrow(ply.ply, player) && html("span.dim", "throw"),
        score !== "" && html("span.number.ply-score", score),
      ],
      () => go(ply.id),
      {
        class: "ply-button",
        "aria-label": plyWords(ply, { total: plies.length, player, mate, digits }),
        "data-ids": ply.id,
        onpointerenter: (/** @type {PointerEvent} */ event) => pointed(ply, event.clientX, event.clientY),
        onpointerleave: left,
        onfocus: (/** @type {Event} */ event) => pointAt(ply, event.currentTarget),
        onblur: left,
      },
    );
  }

  /** @param {BoardPly} ply @param {EventTarget | null} at */
  function pointAt(ply, at) {
    if (!(at instanceof Element)) return;
    const { left: x, bottom } = at.getBoundingClientRect();
    pointed(ply, x, bottom);
  }

  /** Tell the plies of a cell: they alone are listed, or they are marked and seen among all. @param {Shared} shared */
  function show(shared) {
    const cell = cellKey(...shared.to);
    if (all) {
      mark(shared.plies);
      scrollTo(buttonOf(shared));
    } else if (list.dataset.cell !== cell) {
      list.dataset.cell = cell;
      list.replaceChildren(...shared.plies.map(plyButton));
    }
  }

  /** Scroll the list to a button and nothing else, so that the board stays under the pointer. @param {HTMLElement | null} button */
  function scrollTo(button) {
    if (button === null) return;
    const [room, { top, bottom }] = [list.getBoundingClientRect(), button.getBoundingClientRect()];
    if (top < room.top) list.scrollTop -= room.top - top;
    else if (bottom > room.bottom) list.scrollTop += bottom - room.bottom;
  }

  /** Mark these plies and no others. @param {readonly BoardPly[]} shown */
  function mark(shown) {
    const ids = new Set(shown.map((ply) => String(ply.id)));
    for (const button of list.querySelectorAll("[data-ids]"))
      button.classList.toggle("ply-there", ids.has(button.getAttribute("data-ids") ?? ""));
  }

  /** The plies of a cell go first, under a line that asks to choose; the others follow by rank. @param {Shared} shared */
  function lead({ plies: here }) {
    const heading = html("p.ply-heading", `${counted(here.length, "ply", "plies")} end here: choose one`);
    list.replaceChildren(heading, ...[...here, ...plies.filter((ply) => !here.includes(ply))].map(plyButton));
    list.scrollTop = 0;
  }

  /** The button of a cell's best ply. @param {Shared} shared */
  function buttonOf({ plies: [best] }) {
    const button = list.querySelector(`[data-ids="${best?.id ?? ""}"]`);
    return button instanceof HTMLElement ? button : null;
  }

  return { element: list, show, mark, lead, buttonOf };
}
