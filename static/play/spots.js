// @ts-check
/** The board of the game: cells to press, a piece and then its target, or the target of a placement. */

import { cellKey, layOf, rounded } from "../views/board/cells.js";
import { neededFrame, steadyFrame } from "../views/board/frame.js";
import { handsOf, heldWords } from "../views/board/words.js";
import { drawBoard, drawHand } from "../views/board/board.js";
import { html, svg } from "../draw/element.js";
import { counted } from "../draw/numbers.js";

/** @import { Frame } from "../views/board/cells.js" */
/** @import { Legal, Place, Played } from "./types.js" */

const ARROWS = /** @type {Record<string, Place>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});

/** Adds to the way to a spot that lies more aside than along. */
const FAR_ASIDE = 1000;
/** The prefix that tells a piece in hand from a cell. */
const HELD = "held ";

/**
 * @param {HTMLElement} container
 * @param {(plies: readonly Legal[]) => void} choose one ply, or several that end on the cell pressed
 * @returns {(game: Played) => void} draws the game as it stands
 */
export function mountSpots(container, choose) {
  /** @type {Frame | undefined} */
  let frame;
  /** The cell or the piece in hand that was pressed first. @type {string | null} */
  let chosen = null;
  /** The cell that had the focus last, which goes back there once a ply was answered. @type {string | null} */
  let last = null;
  let before = "";

  /** @param {Played} game */
  function draw(game) {
    const position = `${game.plies.length} ${game.position}`;
    if (position !== before) chosen = null;
    before = position;
    const drawing = { ...game.drawing, plies: /** @type {any} */ (game.legal.filter(({ to }) => to !== undefined)) };
    if (drawing.kind === "hexes" && !drawing.cells?.every(({ name }) => name))
      frame = steadyFrame(frame, neededFrame(drawing));
    const title = game.plies.length === 0 ? "The board" : `The board after ${game.plies.at(-1)}`;
    const board = drawBoard(game.drawing, { title, frame });
    if (!(board instanceof SVGSVGElement)) return void container.replaceChildren(board);
    const spots = svg("svg.play-spots", { viewBox: board.getAttribute("viewBox") });
    const layers = html("div.board-layers", board, spots);
    for (const size of ["--board-columns", "--board-rows"])
      layers.style.setProperty(size, board.style.getPropertyValue(size));
    const { activeElement } = document;
    const isHere = activeElement !== null && container.contains(activeElement);
    if (isHere) last = activeElement.getAttribute("data-cell");
    const focused = isHere || activeElement === document.body ? last : null;
    spots.append(...spotsOf(game));
    const hands = handsOf(game.drawing, game.players).filter(({ pieces }) => pieces.length > 0);
    container.replaceChildren(
      layers,
      ...hands.map(({ player, pieces }) => {
        const hand = drawHand(pieces, `${player} in hand: ${heldWords(pieces)}`, game.drawing.kind);
        hand.addEventListener("click", (event) => {
          const piece = event.target instanceof Element ? event.target.getAttribute("data-held") : null;
          if (piece !== null && game.legal.some((ply) => isPlaced(ply, piece))) press(game, HELD + piece);
        });
        return html("div.board-held", html("span.dim", `${player} in hand`), hand);
      }),
    );
    for (const tile of container.querySelectorAll("[data-held]"))
      tile.classList.toggle("board-tile-pointed", `${HELD}${tile.getAttribute("data-held")}` === chosen);
    const all = pressable(spots);
    const first = all.find((spot) => spot.getAttribute("data-cell") === focused) ?? all[0];
    first?.setAttribute("tabindex", "0");
    if (focused !== null && first instanceof SVGElement) first.focus({ preventScroll: true });
  }

  /** @param {Played} game */
  function spotsOf(game) {
    const { place } = layOf(game.drawing.kind);
    const names = new Map((game.drawing.cells ?? []).map(({ x, y, name }) => [cellKey(x, y), name]));
    /** @type {Map<string, Place>} */
    const cells = new Map();
    for (const { from, to } of game.legal)
      for (const cell of [from, to]) if (cell !== undefined) cells.set(cellKey(...cell), cell);
    return [...cells].map(([key, cell]) => {
      const [cx, cy] = place(...cell);
      const [ending, leaving] = [endingOn(game, key), leavingFrom(game, key)];
      const name = names.get(key) || cell.map(rounded).join(", ");
      const kinds = [
        ending.length > 0 && "play-to",
        leaving.length > 0 && "play-from",
        key === chosen && "play-chosen",
      ];
      const spot = svg("circle", { cx, cy, r: 0.42, role: "button", tabindex: "-1", "data-cell": key });
      spot.setAttribute("class", ["play-spot", ...kinds.filter(Boolean)].join(" "));
      spot.setAttribute("aria-label", labelOf(name, ending, leaving));
      if (leaving.length > 0) spot.setAttribute("aria-pressed", String(key === chosen));
      spot.addEventListener("click", () => press(game, key));
      spot.addEventListener("keydown", (event) => {
        const way = ARROWS[event.key];
        if (way !== undefined) walk(spot, way);
        else if (event.key === "Enter" || event.key === " ") press(game, key);
        else if (event.key === "Escape" && chosen !== null) press(game, chosen);
        else return;
        event.preventDefault();
      });
      return spot;
    });
  }

  /** The plies that a press on a cell plays, as far as is chosen. @param {Played} game @param {string} key */
  function endingOn(game, key) {
    const ends = game.legal.filter(({ to }) => to !== undefined && cellKey(...to) === key);
    if (chosen === null) return ends.filter(({ from }) => from === undefined);
    if (chosen.startsWith(HELD)) return ends.filter((ply) => isPlaced(ply, chosen?.slice(HELD.length) ?? ""));
    return ends.filter(({ from }) => from !== undefined && cellKey(...from) === chosen);
  }

  /** @param {Played} game @param {string} key */
  function press(game, key) {
    const plies = key.startsWith(HELD) ? [] : endingOn(game, key);
    if (plies.length > 0) {
      choose(plies);
      return;
    }
    const isStart = key.startsWith(HELD) || leavingFrom(game, key).length > 0;
    chosen = isStart && key !== chosen ? key : null;
    draw(game);
  }

  return draw;
}

/** @param {Played} game @param {string} key */
function leavingFrom(game, key) {
  return game.legal.filter(({ from }) => from !== undefined && cellKey(...from) === key);
}

/** Whether a ply places a piece of that name. @param {Legal} legal @param {string} piece */
function isPlaced({ ply, from }, piece) {
  return from === undefined && ply.split(" ")[0] === piece;
}

/** @param {string} name @param {readonly Legal[]} ending @param {readonly Legal[]} leaving */
function labelOf(name, ending, leaving) {
  const [only] = ending;
  if (ending.length === 1 && only !== undefined) return `${name}: play ${only.ply}`;
  if (ending.length > 1) return `${name}: ${counted(ending.length, "ply", "plies")} end here`;
  return leaving.length > 0 ? `${name}: a piece with ${counted(leaving.length, "ply", "plies")}` : name;
}

/** The spots that do something: of a piece that is chosen where it can go, and itself. @param {Element} spots */
function pressable(spots) {
  const isChosen = spots.querySelector(".play-chosen") !== null;
  return [...spots.querySelectorAll(`.play-to, ${isChosen ? ".play-chosen" : ".play-from"}`)];
}

/**
 * Move the focus to the nearest spot in a direction, preferring spots at most 45° aside.
 * @param {SVGElement} spot @param {Place} way
 */
function walk(spot, [dx, dy]) {
  const at = placeOf(spot);
  let [nearest, least] = [/** @type {SVGElement | null} */ (null), Infinity];
  for (const other of spot.parentElement === null ? [] : pressable(spot.parentElement)) {
    const [x, y] = placeOf(other);
    const along = (x - at[0]) * dx + (y - at[1]) * dy;
    const aside = Math.abs((x - at[0]) * dy) + Math.abs((y - at[1]) * dx);
    const far = Math.hypot(along, aside) + (aside > along + 0.01 ? FAR_ASIDE : 0);
    if (along > 0.2 && far < least) [nearest, least] = [/** @type {SVGElement} */ (other), far];
  }
  spot.setAttribute("tabindex", nearest === null ? "0" : "-1");
  nearest?.setAttribute("tabindex", "0");
  nearest?.focus();
}

/** @param {Element} spot @returns {Place} */
function placeOf(spot) {
  return [Number(spot.getAttribute("cx")), Number(spot.getAttribute("cy"))];
}
