// @ts-check
/** A position in words, for readers who do not see the board: pieces, stacks, hands, the last ply. */

import { cellKey } from "./cells.js";
import { PIECES, bugOf } from "./shapes.js";

/** @import { Drawing, TreeNode } from "../../data/types.js" */

/** From a hex to its neighbours. */
const AROUND = /** @type {const} */ ([
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, 0],
  [-1, 1],
  [0, 1],
]);

/**
 * What stands on the board: `12 black disc, 9 white disc; last ply at c6`, `white queen, ant 1; black queen; …`.
 * @param {Drawing} drawing
 */
export function boardWords(drawing) {
  const standing = (drawing.cells ?? []).flatMap((cell) => cell.pieces ?? []);
  const bugs = standing.every((piece) => bugOf(piece) !== null);
  const parts = [
    standing.length > 0 && bugs ? bugWords(standing) : countWords(standing),
    ...stacks(drawing).map(({ pieces }) => stackWords(pieces)),
  ];
  const last = lastWords(drawing);
  if (last !== "") parts.push(last);
  if (drawing.check !== undefined) parts.push(checkWords(drawing, drawing.check));
  return [...parts, ...surroundedQueens(drawing).map(({ queen }) => `${pieceWords(queen)} surrounded`)].join("; ");
}

/** @param {Drawing} drawing @param {[number, number]} check */
function checkWords({ cells = [] }, check) {
  const king = cells.find(({ x, y }) => cellKey(x, y) === cellKey(...check))?.pieces?.at(-1) ?? "king";
  return `${pieceWords(king)} in check`;
}

/**
 * The queens of Hive around which no cell is empty, on top of a stack or in it.
 * @param {Drawing} drawing
 */
export function surroundedQueens({ kind, cells = [] }) {
  if (kind !== "hexes") return [];
  const taken = new Set(cells.filter(({ pieces = [] }) => pieces.length > 0).map(({ x, y }) => cellKey(x, y)));
  return cells.flatMap(({ x, y, pieces = [] }) => {
    const queen = pieces.find((piece) => bugOf(piece)?.letter === "Q");
    const closed = AROUND.every(([dx, dy]) => taken.has(cellKey(x + dx, y + dy)));
    return queen !== undefined && closed ? [{ queen, x, y }] : [];
  });
}

/**
 * How the game ended in this position: `White wins: the black queen is surrounded`; nothing while it goes on.
 * @param {Drawing} drawing
 * @param {Pick<TreeNode, "outcome" | "ending" | "why">} node
 * @param {{players: readonly string[], rootPlayer?: string}} sides by their names, as far as the log tells them
 */
export function endingWords(drawing, { outcome, ending, why }, { players, rootPlayer }) {
  const lost = surroundedQueens(drawing).map(({ queen }) => bugOf(queen)?.side ?? "");
  if (lost.length > 1) return "A draw: both queens are surrounded";
  if (lost.length === 1) return `${lost[0] === "white" ? "Black" : "White"} wins: the ${lost[0]} queen is surrounded`;
  if (outcome !== "terminal") return "";
  const because = why === undefined ? "" : `: ${why}`;
  if (ending === undefined) return `The game is over${because}`;
  if (ending === "draw") return `A draw${because}`;
  const other =
    players.length === 2 && rootPlayer !== undefined ? players.find((name) => name !== rootPlayer) : undefined;
  const winner =
    (ending === "win" ? rootPlayer : other) ??
    `the ${ending === "win" ? "root player" : "opponent of the root player"}`;
  return `${winner.charAt(0).toUpperCase()}${winner.slice(1)} wins${because}`;
}

/**
 * The stacks of a board, each with the top one last, and where they stand.
 * @param {Drawing} drawing
 */
export function stacks({ cells = [] }) {
  return cells.flatMap(({ x, y, pieces = [] }) => (pieces.length > 1 ? [{ x, y, pieces }] : []));
}

/** A stack in words, from its top: `white beetle 1 on black queen`. @param {readonly string[]} pieces */
export function stackWords(pieces) {
  return [...pieces].reverse().map(pieceWords).join(" on ");
}

/** A piece in words: `white ant 1`. @param {string} piece */
function pieceWords(piece) {
  const found = bugOf(piece);
  return found === null ? piece : `${found.side} ${bugWord(piece)}`;
}

/**
 * The pieces that each player has in hand, by the names of the players, else by the side of the pieces.
 * @param {Drawing} drawing
 * @param {readonly string[]} players
 */
export function handsOf({ hands = [] }, players) {
  return hands.map((pieces, i) => ({
    player: players[i] ?? bugOf(pieces[0] ?? "")?.side ?? `player ${i + 1}`,
    pieces,
  }));
}

/** The pieces in hand in words: `queen, ant 1`, `3 white disc`. @param {readonly string[]} pieces */
export function heldWords(pieces) {
  return pieces.every((piece) => bugOf(piece) !== null) ? bugList(pieces) : countWords(pieces);
}

/** The pieces without their side: `queen, ant 1`. @param {readonly string[]} pieces */
function bugList(pieces) {
  return pieces.map(bugWord).join(", ") || "nothing";
}

/** @param {string} piece */
function bugWord(piece) {
  const found = bugOf(piece);
  return found === null ? piece : `${found.bug.name}${found.number && ` ${found.number}`}`;
}

/** Each side's bugs, the queen first. @param {readonly string[]} standing */
function bugWords(standing) {
  const order = Object.keys(PIECES.bugs).join("");
  const sorted = [...standing].sort(
    (a, b) => order.indexOf(a.charAt(1)) - order.indexOf(b.charAt(1)) || a.localeCompare(b),
  );
  return /** @type {const} */ (["white", "black"])
    .map((side) => ({ side, own: sorted.filter((piece) => bugOf(piece)?.side === side) }))
    .filter(({ own }) => own.length > 0)
    .map(({ side, own }) => `${side} ${bugList(own)}`)
    .join("; ");
}

/** @param {readonly string[]} standing */
function countWords(standing) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const piece of standing) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return [...counts].map(([piece, n]) => `${n} ${piece}`).join(", ") || "empty";
}

/** @param {Drawing} drawing */
function lastWords({ cells = [], last = [], step }) {
  const at = step?.to ?? last[0];
  if (at === undefined) return "";
  const cell = cells.find((other) => other.x === at[0] && other.y === at[1]);
  const top = cell?.pieces?.at(-1);
  if (!cell?.name && top !== undefined && bugOf(top) !== null) return `last ply by ${pieceWords(top)}`;
  return `last ply at ${cell?.name || at.join(", ")}`;
}

/** Whether a reason begins with the name of a file, whose first letter must not be changed. @param {string} reason */
export const namesFile = (reason) => /^\S*[._/\\]\S/.test(reason);
