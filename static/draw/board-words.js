// @ts-check
/** A position in words, for those who do not see the board: what stands where, stacks, hands, the last ply. */

import { BUGS, bugOf } from "./bugs.js";

/** @typedef {import("../data/types.js").Drawing} Drawing */

/**
 * What stands on the board: `12 black disc, 9 white disc; last ply at c6`, `white queen, ant 1; black queen; …`.
 * @param {Drawing} drawing
 * @returns {string}
 */
export function boardWords(drawing) {
  const standing = (drawing.cells ?? []).flatMap((cell) => cell.pieces ?? []);
  const bugs = standing.every((piece) => bugOf(piece) !== null);
  const parts = [standing.length > 0 && bugs ? bugWords(standing) : countWords(standing), ...stacks(drawing).map(stackWords)];
  const last = lastWords(drawing);
  if (last !== "") parts.push(last);
  return parts.join("; ");
}

/**
 * The stacks of a board, each with the top one last.
 * @param {Drawing} drawing
 * @returns {string[][]}
 */
export function stacks({ cells = [] }) {
  return cells.flatMap(({ pieces = [] }) => (pieces.length > 1 ? [pieces] : []));
}

/**
 * A stack in words, from its top: `white beetle 1 on black queen`.
 * @param {readonly string[]} pieces
 */
export function stackWords(pieces) {
  return [...pieces].reverse().map(pieceWords).join(" on ");
}

/**
 * A piece in words: `white ant 1`.
 * @param {string} piece
 */
export function pieceWords(piece) {
  const found = bugOf(piece);
  return found === null ? piece : `${found.side} ${bugWord(piece)}`;
}

/**
 * What each player holds beside the board, by the names of the players, else by the side of the pieces.
 * @param {Drawing} drawing
 * @param {readonly string[]} players
 * @returns {{player: string, pieces: string[]}[]}
 */
export function handsOf({ hands = [] }, players) {
  return hands.map((pieces, i) => ({ player: players[i] ?? bugOf(pieces[0] ?? "")?.side ?? `player ${i + 1}`, pieces }));
}

/** The pieces without their side: `queen, ant 1`. @param {readonly string[]} pieces */
export function bugList(pieces) {
  return pieces.map(bugWord).join(", ") || "nothing";
}

/** @param {string} piece */
function bugWord(piece) {
  const found = bugOf(piece);
  return found === null ? piece : `${found.bug.name}${found.number && ` ${found.number}`}`;
}

/** Each side's bugs, the queen first. @param {readonly string[]} standing */
function bugWords(standing) {
  const order = Object.keys(BUGS).join("");
  const sorted = [...standing].sort((a, b) => order.indexOf(a.charAt(1)) - order.indexOf(b.charAt(1)) || a.localeCompare(b));
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
