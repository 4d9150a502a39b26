// @ts-check
/** The board of the node in the details, large: a game can be walked on it, ply by ply. */

import { beside, placeOn } from "../../data/line-actions.js";
import { differ } from "../../data/state.js";
import { button } from "../../draw/buttons.js";
import { html, keyParts, redraw, withCode } from "../../draw/element.js";
import { fullScore, scoreText } from "../../draw/scores.js";
import { moverWords } from "../../draw/seats.js";
import { boardFigure } from "./figure.js";
import { BOARD_WAYS, LINE_WAYS, outcomesPart, walkTo } from "./walk.js";
import { boardTitle, pliesSwitch } from "./details.js";
import { followState } from "../dialog.js";

/** @import { Lines, Mount, State } from "../../data/types.js" */

/** @type {Mount} */
export function mountBoardDialog(container, store, actions) {
  const dialog = /** @type {HTMLDialogElement} */ (container);
  const heading = html("h2.dialog-title", { id: "board-title" });
  const body = html("div.dialog-body.board-large");
  const commands = html("div.dialog-commands");
  dialog.replaceChildren(html("form.dialog-form", { method: "dialog" }, heading, body, commands));

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
    const mover = moverWords(node, opened);
    redraw(
      heading,
      title,
      mover !== "" && `, ${mover}`,
      score !== "" && html("span.board-score.number", { title: fullScore(node, mate) }, score),
    );
    const walks = body.contains(document.activeElement);
    redraw(body, boardFigure(board, state, actions, { title, id: node.id, all: true }));
    if (node.layer === "chance" && !state.children.has(node.id)) void actions.peek(node.id);
    const { parent } = node;
    redraw(
      commands,
      board.plies?.length ? pliesSwitch(state, actions) : html("span"),
      outcomesPart(node, state, actions) ??
        html(
          "p.board-ways.dim",
          BOARD_WAYS.map(([keys, words]) =>
            html(
              "span",
              keys.flatMap((key) => keyParts(key).map((part) => html("kbd", part))),
              ` ${words}`,
            ),
          ),
        ),
      button("Take back", () => parent !== null && void walkTo(actions, store.get(), parent), {
        "data-key": "board-back",
        disabled: parent === null,
      }),
      html("button.button.button-first", { type: "submit", "data-key": "board-close", autofocus: true }, "Close"),
    );
    if (walks) goOn();
    else if (dialog.open && !dialog.contains(document.activeElement)) focusClose();
    return true;
  }

  /**
   * The boards of both lines, X with a solid edge and Y with a dashed one.
   * @param {State} state
   * @param {Lines} lines
   */
  function drawBoth(state, lines) {
    const place = placeOn(lines, state.selected);
    if (place === null) return false;
    const shown = beside(lines, place.at);
    redraw(heading, "Both lines");
    redraw(
      body,
      html(
        "div.board-pair",
        shown.map((id, at) => {
          const side = at === 0 ? "x" : "y";
          const node = state.nodes.get(id);
          const drawing = lines.boards.get(id);
          const title = node === undefined ? "" : boardTitle(node);
          const board = drawing?.kind
            ? boardFigure(drawing, state, actions, { title, id })
            : html("p.dim", withCode(drawing?.reason ?? "\u2026"));
          return html(
            "figure",
            { class: `board-of board-of-${side}`, "aria-current": place.side === side && "true" },
            html(
              "figcaption.board-of-title",
              html("span", { class: `why-badge why-badge-${side}`, "aria-hidden": "true" }, side.toUpperCase()),
              html("b", title),
              node && html("span.number", scoreText(node, state.opened?.search?.["mate"])),
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
        "p.board-ways.dim",
        LINE_WAYS.map(([keys, words]) =>
          html(
            "span",
            keys.flatMap((key) => keyParts(key).map((part) => html("kbd", part))),
            ` ${words}`,
          ),
        ),
      ),
      button("Back", () => void actions.stepLine(-1), { "data-key": "board-back" }),
      button("On", () => void actions.stepLine(1), { "data-key": "board-on" }),
      html("button.button.button-first", { type: "submit", "data-key": "board-close", autofocus: true }, "Close"),
    );
    return true;
  }

  /** Move the focus of a ply that is gone to the best ply, or without plies to the way back. */
  function goOn() {
    const next = body.querySelector('.ply-mark[tabindex="0"]') ?? commands.querySelector("button:enabled");
    if (next instanceof HTMLElement || next instanceof SVGElement) next.focus({ preventScroll: true });
  }

  /** Keep a focus after the first ply was taken back. */
  function focusClose() {
    const close = commands.querySelector('[data-key="board-close"]');
    if (close instanceof HTMLElement) close.focus();
  }

  followState(dialog, "board", store, actions, draw);
  store.subscribe((state, previous) => {
    if (previous.dialog === "board" && state.dialog !== "board" && state.hovered !== null) actions.hover(null);
    if (!dialog.open || state.dialog !== "board") return;
    const isElsewhere = state.lines !== null && state.selected !== previous.selected;
    if (isElsewhere || differ(state, previous, "details", "lines", "children", "showPlies")) draw(state);
  });
}
