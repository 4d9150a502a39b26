// @ts-check
/** The board of the node in the details, large: a game can be walked on it, ply by ply. */

import { beside, placeOn } from "../../data/line-actions.js";
import { html, redraw, keyParts } from "../../draw/element.js";
import { fullScore, scoreText } from "../../draw/scores.js";
import { boardFigure } from "./figure.js";
import { BOARD_WAYS, LINE_WAYS, walkTo } from "./walk.js";
import { boardTitle, pliesSwitch } from "./details.js";
import { followState } from "../dialog.js";

/** @typedef {import("../../data/types.js").State} State */

/**
 * @param {HTMLElement} container a dialog
 * @param {import("../../data/state.js").Store} store
 * @param {import("../../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountBoardDialog(container, store, actions) {
  const dialog = /** @type {HTMLDialogElement} */ (container);
  const heading = html("h2", { id: "board-title", class: "dialog-title" });
  const body = html("div", { class: "dialog-body board-large" });
  const commands = html("div", { class: "dialog-commands" });
  dialog.replaceChildren(html("form", { class: "dialog-form", method: "dialog" }, heading, body, commands));

  /** @param {State} state */
  function draw(state) {
    const { details, opened } = state;
    if (state.lines !== null && opened !== null) return drawBoth(state, state.lines);
    const data = details?.data;
    if (!data?.board?.kind || opened === null) return false;
    const { node, board } = data;
    const title = boardTitle(node);
    const mate = opened.search?.["mate"];
    const score = scoreText(node, mate);
    redraw(
      heading,
      title,
      score !== "" && html("span", { class: "board-score number", title: fullScore(node, mate) }, score),
    );
    const walks = body.contains(document.activeElement);
    redraw(body, boardFigure(board, state, actions, { title, id: node.id, all: true }));
    const { parent } = node;
    redraw(
      commands,
      board.plies?.length ? pliesSwitch(state, actions) : html("span", {}),
      html(
        "p",
        { class: "board-ways dim" },
        BOARD_WAYS.map(([keys, words]) =>
          html(
            "span",
            {},
            keys.flatMap((key) => keyParts(key).map((part) => html("kbd", {}, part))),
            ` ${words}`,
          ),
        ),
      ),
      html(
        "button",
        {
          class: "button",
          type: "button",
          "data-key": "board-back",
          disabled: parent === null,
          onclick: () => parent !== null && void walkTo(actions, store.get(), parent),
        },
        "Take back",
      ),
      html(
        "button",
        { class: "button button-first", type: "submit", "data-key": "board-close", autofocus: true },
        "Close",
      ),
    );
    if (walks) goOn();
    else if (dialog.open && !dialog.contains(document.activeElement)) focusClose();
    return true;
  }

  /**
   * The boards of both lines, X with a solid edge and Y with a dashed one.
   * @param {State} state
   * @param {import("../../data/types.js").Lines} lines
   */
  function drawBoth(state, lines) {
    const place = placeOn(lines, state.selected);
    if (place === null) return false;
    const shown = beside(lines, place.at);
    redraw(heading, "Both lines");
    redraw(
      body,
      html(
        "div",
        { class: "board-pair" },
        shown.map((id, at) => {
          const side = at === 0 ? "x" : "y";
          const node = state.nodes.get(id);
          const drawing = lines.boards.get(id);
          const title = node === undefined ? "" : boardTitle(node);
          const board = drawing?.kind
            ? boardFigure(drawing, state, actions, { title, id })
            : html("p", { class: "dim" }, drawing?.reason ?? "\u2026");
          return html(
            "figure",
            { class: `board-of board-of-${side}`, "aria-current": place.side === side && "true" },
            html(
              "figcaption",
              { class: "board-of-title" },
              html("span", { class: `why-badge why-badge-${side}`, "aria-hidden": "true" }, side.toUpperCase()),
              html("b", {}, title),
              node && html("span", { class: "number" }, scoreText(node, state.opened?.search?.["mate"])),
            ),
            board,
          );
        }),
      ),
    );
    redraw(
      commands,
      pliesSwitch(state, actions),
      html(
        "p",
        { class: "board-ways dim" },
        LINE_WAYS.map(([keys, words]) =>
          html(
            "span",
            {},
            keys.flatMap((key) => keyParts(key).map((part) => html("kbd", {}, part))),
            ` ${words}`,
          ),
        ),
      ),
      html(
        "button",
        { class: "button", type: "button", "data-key": "board-back", onclick: () => void actions.stepLine(-1) },
        "Back",
      ),
      html(
        "button",
        { class: "button", type: "button", "data-key": "board-on", onclick: () => void actions.stepLine(1) },
        "On",
      ),
      html(
        "button",
        { class: "button button-first", type: "submit", "data-key": "board-close", autofocus: true },
        "Close",
      ),
    );
    return true;
  }

  /** Whoever walked by a ply that is not here any more goes on at the best one, where there is none at the way back. */
  function goOn() {
    const next = body.querySelector('.ply-mark[tabindex="0"]') ?? commands.querySelector("button:enabled");
    if (next instanceof HTMLElement || next instanceof SVGElement) next.focus({ preventScroll: true });
  }

  /** Whoever took back the first ply is not left without a focus. */
  function focusClose() {
    const close = commands.querySelector('[data-key="board-close"]');
    if (close instanceof HTMLElement) close.focus();
  }

  const unfollow = followState(dialog, "board", store, actions, draw);
  const remove = store.subscribe((state, previous) => {
    if (previous.dialog === "board" && state.dialog !== "board" && state.hovered !== null) actions.hover(null);
    if (!dialog.open || state.dialog !== "board") return;
    if (
      state.details !== previous.details ||
      state.lines !== previous.lines ||
      (state.lines !== null && state.selected !== previous.selected) ||
      state.showPlies !== previous.showPlies
    )
      draw(state);
  });
  return () => {
    remove();
    unfollow();
  };
}
