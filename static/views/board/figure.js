// @ts-check
/** A board with its surroundings: the end of the game, the searched plies, stacks, hands. */

import { stageOf } from "../../data/then.js";
import { neededFrame, steadyFrame } from "./frame.js";
import { endingWords, handsOf, heldWords } from "./words.js";
import { drawBoard, drawHand, valueEnds } from "./board.js";
import { html } from "../../draw/element.js";
import { plain } from "../../draw/numbers.js";
import { boardOverlay } from "./overlay.js";
import { boardStacks } from "./stacks.js";

/** @import { Actions, Drawing, Id, Opened, State } from "../../data/types.js" */
/** @import { Frame } from "./cells.js" */

/**
 * The frames of the boards of a log, so that the hive keeps its place from node to node.
 * @type {WeakMap<Opened, Frame>}
 */
const frames = new WeakMap();

/** How many times as wide as high a board is below which, not beside which, the large one has its list of plies. */
const WIDE = 2;

/**
 * The position of the node `id`.
 * @param {Drawing} drawing
 * @param {State} state
 * @param {Actions} actions
 * @param {{title: string, id: Id, changed?: boolean, all?: boolean}} options `all`: every searched ply is listed beside it
 * @returns {Element}
 */
export function boardFigure(drawing, state, actions, { title, id, changed = false, all = false }) {
  const board = drawBoard(drawing, { title, changed, frame: frameIn(drawing, state.opened) });
  if (!(board instanceof SVGSVGElement)) return board;
  const layers = html("div.board-layers", board);
  const figure = html("div.board-figure", html("div.board-place", layers));
  for (const size of ["--board-columns", "--board-rows"])
    figure.style.setProperty(size, board.style.getPropertyValue(size));
  const { width, height } = board.viewBox.baseVal;
  figure.classList.toggle("board-wide", width > WIDE * height);
  const { player, ...node } = (state.details?.data?.node.id === id ? state.details.data.node : state.nodes.get(id)) ?? {
    player: undefined,
  };
  const players = state.opened?.players ?? [];
  const ending = endingWords(drawing, node, { players, rootPlayer: state.opened?.root_player });
  const own = state.nodes.get(id);
  const isKnown = own === undefined || stageOf(state.replay, own) === "left"; // the marks of plies are coloured by their scores
  const showPlies = state.showPlies && isKnown && (drawing.plies?.length ?? 0) > 0;
  const hands = handsOf(drawing, players).filter(({ pieces }) => pieces.length > 0);
  const side = [
    ending !== "" ? html("p.board-ending", ending) : null,
    ...(showPlies ? boardOverlay(layers, drawing, state, actions, { id, title, all, player }) : []),
    boardStacks(layers, drawing),
    valueKey(drawing),
    hands.length > 0
      ? html(
          "div.board-hands",
          hands.map((held) => hand(held, drawing.kind)),
        )
      : null,
  ].filter((part) => part !== null);
  if (side.length > 0) figure.append(html("div.board-side", side));
  return figure;
}

/** The key to the shades and labels of cells; null where there are none. @param {Drawing} drawing */
function valueKey({ cells = [], value, labels = {} }) {
  const ends = valueEnds(cells);
  const shown = Object.entries(labels).filter(([label]) => cells.some((cell) => cell.label === label));
  const words = [
    ...(ends === null || value === undefined ? [] : [`Shaded: ${value}, ${plain(ends.low)} to ${plain(ends.high)}`]),
    ...shown.map(([label, meaning]) => `${label} ${meaning}`),
  ];
  return words.length === 0 ? null : html("p.board-key.dim", words.join(" \u00b7 "));
}

/** The frame of a board that grows: of hexes without names. @param {Drawing} drawing @param {Opened | null} opened */
function frameIn(drawing, opened) {
  if (drawing.kind !== "hexes" || opened === null || drawing.cells?.every(({ name }) => name)) return undefined;
  const frame = steadyFrame(frames.get(opened), neededFrame(drawing));
  frames.set(opened, frame);
  return frame;
}

/** @param {{player: string, pieces: string[]}} held @param {Drawing["kind"]} kind */
function hand({ player, pieces }, kind) {
  return html(
    "div.board-held",
    html("span.dim", `${player} in hand`),
    drawHand(pieces, `${player} in hand: ${heldWords(pieces)}`, kind),
  );
}
