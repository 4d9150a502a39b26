// @ts-check
/**
 * The parts of a best-first card beside its mean: the visits, a bar of their share of the parent's, and the 95 %
 * interval of the mean on the scale of all means.
 */

import { toNumber } from "../../data/claims.js";
import { SIZES } from "../../layout/tree-layout.js";
import { svg } from "../../draw/element.js";
import { percentText } from "../../draw/lettering.js";
import { counted, isGiven, plain } from "../../draw/numbers.js";

/** @import { Score, TreeNode } from "../../data/types.js" */

/**
 * The text at the right of a card, as a rule the visits, the room it takes there, and the ends of means.
 * @typedef {{text: string, width: number, means: {low: number, high: number} | undefined}} Right
 */

/** Pixels of the bars: their height, and the room between both. */
const BAR = { height: 4, apart: 9 };

/** @param {TreeNode} node @param {number} width of the card @param {Right} right @returns {SVGElement} */
export function visitedMarks(node, width, { text, means }) {
  const { share, interval } = node.visited ?? {};
  const y = SIZES.visited / 2 - 9;
  const inner = width - 2 * SIZES.end;
  const half = (inner - BAR.apart) * 0.62;
  const box = { x: SIZES.end + half + BAR.apart, width: inner - BAR.apart - half };
  return svg(
    "g.node-visited",
    { "aria-hidden": "true" },
    svg(
      "text.node-visits",
      {
        x: width - SIZES.end,
        y: 4.5 - (node.visited === undefined ? 0 : (SIZES.visited - SIZES.card) / 2),
        "text-anchor": "end",
      },
      text,
    ),
    share !== undefined && svg("rect.share-track", { x: SIZES.end, y, width: half, height: BAR.height, rx: 1.5 }),
    share !== undefined &&
      svg("rect.share-bar", { x: SIZES.end, y, width: Math.max(0.8, share * half), height: BAR.height, rx: 1.5 }),
    ...(node.visited === undefined || means === undefined || means.high <= means.low
      ? []
      : intervalMarks(node, interval, means, box, y + BAR.height / 2)),
  );
}

/**
 * The scale with its middle, the interval on it, and the mean.
 * @param {TreeNode} node
 * @param {NonNullable<TreeNode["visited"]>["interval"]} interval
 * @param {{low: number, high: number}} means
 * @param {{x: number, width: number}} box
 * @param {number} y
 */
function intervalMarks({ mean }, interval, { low, high }, box, y) {
  const at = (/** @type {Score} */ value) =>
    box.x + Math.max(0, Math.min(1, (toNumber(value) - low) / (high - low))) * box.width;
  const marks = [svg("path.scale-line", { d: `M${box.x} ${y}h${box.width}M${box.x + box.width / 2} ${y - 4}v8` })];
  if (!isGiven(mean)) return marks;
  const [from, to] = interval === undefined ? [at(Number(mean)), at(Number(mean))] : interval.map(at);
  const long = Math.max(2.4, Number(to) - Number(from));
  const x = Math.max(box.x, Math.min(box.x + box.width - long, (Number(from) + Number(to) - long) / 2));
  marks.push(
    svg("rect", {
      class: interval === undefined ? "interval-unknown" : "interval-bar",
      x,
      y: y - 2,
      width: long,
      height: 4,
    }),
  );
  return marks;
}

/**
 * The same in words: `mean 58.2 %, from 57.2 % to 59.1 %, 10,412 visits, 47.9 % of those above`.
 * @param {TreeNode} node
 */
export function visitedWords({ mean, visits, visited }) {
  const words = [];
  if (isGiven(mean))
    words.push(`mean ${visited?.rate === undefined ? plain(Number(mean)) : percentText(visited.rate)}`);
  if (isGiven(visits)) words.push(counted(Number(visits), "visit"));
  if (visited?.share !== undefined && visited.share < 1) words.push(`${percentText(visited.share)} of those above`);
  return words;
}
