// @ts-check
/**
 * The layout of the drawn tree: its rows as cards in columns, one column a level, from left to right. Beside the cards
 * of a column is a lane for the wedges of its folded nodes, and then one for the links, so that no line crosses a
 * wedge. Points are tree points: pixels at the scale 1.
 */

import { isStub } from "../data/claims.js";
import { CARD, FINGER, GAP, MARGIN, outline } from "../data/opening.js";
import { intervalOf } from "../data/state.js";
import { isBeingSearched, openOf } from "../data/then.js";
import { labelOf } from "./labels.js";
import { intoSpan } from "./levels.js";
import { tidy } from "./tidy.js";

/** @import { Hidden, Outline } from "../data/opening.js" */
/** @import { Id, Open, State, TreeNode } from "../data/types.js" */

/** @import { Label } from "./labels.js" */
/** @typedef {State["weights"]["intervals"]} Intervals */
/** How the floor that draws writes figures; opaque here. @typedef {any} Digits */

/**
 * How cards are written, given by the floor that draws them.
 * @typedef {object} Lettering
 * @property {(node: TreeNode, label?: Label) => string} name
 * @property {(nodes: TreeNode[], intervals?: Intervals) => Digits} digits those that tell the scores of siblings apart
 * @property {(node: TreeNode, digits: Digits | undefined, mate: unknown, interval?: [number, number] | null, label?:
 *   Label) => string} score `mate`: how the log scores wins; `interval`: what the node is worth under other weights
 * @property {(node: TreeNode, label?: Label) => string} third what stands small right of the score: in a best-first tree
 *   the visits
 * @property {(hidden: Hidden) => string} more what stands for children that are not drawn
 * @property {(open: Open | null, digits: Digits | undefined) => string} soFar what a node is worth that is searched
 * @property {(text: string, style: "name" | "score" | "small") => number} width pixels
 */

/**
 * @typedef {object} Layout
 * @property {Outline} rows
 * @property {Map<Id, number>} rowOf the row of a drawn node
 * @property {Float64Array} middle y of each row's middle
 * @property {Float64Array} height of each row
 * @property {Map<number, Digits>} digits of the scores of the siblings below each row, -1 for the topmost
 * @property {Column[]} columns by depth
 * @property {number} width
 * @property {number} totalHeight
 */

/**
 * @typedef {{x: number, width: number, lane: number, visits: number}} Column a level: its cards, what of them the
 *   visits take, then its lane of wedges
 */

export const SIZES = Object.freeze({
  card: CARD,
  /** A card of a best-first tree, which has bars below its line. */
  visited: CARD + 10,
  stub: FINGER ? CARD : 24,
  more: FINGER ? CARD : 22,
  gap: Object.freeze({ siblings: GAP, cousins: 14 }),
  /** Pixels of the card beside its texts: the layer's mark before, room between name and score, both ends. */
  beforeName: 26,
  afterName: 14,
  end: 10,
  widestName: 190,
  narrowest: 84,
  link: 44,
  wedge: Object.freeze({ least: 8, most: 30, before: 3, text: 5 }),
});

/** How much larger the letters right of a score are than those beside a wedge. */
const LARGER = 12 / 11;

/** The height of each row of an outline. @param {State} state @param {Outline} rows */
function rowHeights(state, rows) {
  const height = new Float64Array(rows.ids.length);
  for (let row = 0; row < height.length; row += 1) {
    const node = state.nodes.get(/** @type {Id} */ (rows.ids[row]));
    if (rows.hidden[row] !== 0) height[row] = SIZES.more;
    else height[row] = node === undefined ? SIZES.card : cardHeight(node);
  }
  return height;
}

/** Pixels of a card. @param {TreeNode} node */
export function cardHeight(node) {
  if (isStub(node)) return SIZES.stub;
  return node.visited === undefined ? SIZES.card : SIZES.visited;
}

/**
 * How long the wedge of a folded node is: with the logarithm of the nodes below, up to a million.
 * @param {number} nodes
 */
export function wedgeLength(nodes) {
  const { least, most } = SIZES.wedge;
  const share = Math.log10(Math.max(1, nodes)) / 6;
  return least + (most - least) * Math.min(1, share);
}

/** How long the wedge of children is that are not drawn. @param {Hidden} more */
export function moreLength({ hidden, small }) {
  return wedgeLength((hidden - small.plies) * 50 + small.nodes);
}

/**
 * The height of every row: those of the tidy drawing, with its levels moved into the window where it does not fit.
 * @param {State} state
 */
export function standing(state) {
  const rows = outline(state);
  const height = rowHeights(state, rows);
  const middle = tidy(rows.parent, height, SIZES.gap);
  const totalHeight = intoSpan(middle, height, rows.depth, state.size.height - 2 * MARGIN);
  return { rows, height, middle, totalHeight };
}

/**
 * The layout of what is open.
 * @param {State} state
 * @param {Lettering} lettering
 * @param {(nodes: number) => string} countText writes the count of a wedge
 * @returns {Layout}
 */
export function layOut(state, lettering, countText) {
  const { rows, height, middle, totalHeight } = standing(state);
  const digits = siblingDigits(state, rows, lettering);
  const columns = layColumns(state, rows, lettering, countText, digits);
  /** @type {Map<Id, number>} */
  const rowOf = new Map();
  for (let row = 0; row < height.length; row += 1) {
    if (rows.hidden[row] === 0) rowOf.set(/** @type {Id} */ (rows.ids[row]), row);
  }
  const end = columns.at(-1);
  const width = end === undefined ? 0 : end.x + end.width + end.lane;
  return { rows, rowOf, middle, height, digits, columns, width, totalHeight };
}

/** @param {State} state @param {Outline} rows @param {Lettering} lettering */
function siblingDigits(state, rows, lettering) {
  /** @type {Map<number, TreeNode[]>} */
  const families = new Map();
  rows.ids.forEach((id, row) => {
    const node = rows.hidden[row] === 0 ? state.nodes.get(id) : undefined;
    if (node === undefined || isStub(node)) return;
    const parent = /** @type {number} */ (rows.parent[row]);
    const family = families.get(parent);
    if (family === undefined) families.set(parent, [node]);
    else family.push(node);
  });
  return new Map([...families].map(([parent, nodes]) => [parent, lettering.digits(nodes, state.weights.intervals)]));
}

/**
 * @param {State} state
 * @param {Outline} rows
 * @param {Lettering} lettering
 * @param {(nodes: number) => string} countText
 * @param {Map<number, Digits>} digits
 */
function layColumns(state, rows, lettering, countText, digits) {
  /** @type {{node: TreeNode, parent: number}[][]} */
  const levels = [];
  /** @type {number[]} */
  const lanes = [];
  /** @type {number[]} */
  const mores = [];
  rows.ids.forEach((id, row) => {
    const depth = /** @type {number} */ (rows.depth[row]);
    const node = state.nodes.get(id);
    const level = (levels[depth] ??= []);
    lanes[depth] ??= 0;
    const more = rows.more[row];
    if (more) {
      const wide = moreLength(more) + SIZES.wedge.text + lettering.width(lettering.more(more), "small");
      mores[depth] = Math.max(mores[depth] ?? 0, wide);
    }
    if (node === undefined || more) return;
    level.push({ node, parent: /** @type {number} */ (rows.parent[row]) });
    if (!rows.open[row] && node.n_children > 0) {
      const nodes = node.below?.nodes ?? node.n_children;
      const { before, text } = SIZES.wedge;
      const wide = before + wedgeLength(nodes) + text + lettering.width(countText(nodes), "small");
      lanes[depth] = Math.max(/** @type {number} */ (lanes[depth]), wide);
    }
  });
  /** @type {Column[]} */
  const columns = [];
  let x = 0;
  const mate = state.opened?.search?.["mate"];
  levels.forEach((nodes, depth) => {
    let name = 0;
    let score = 0;
    let stub = 0;
    let visits = 0;
    for (const { node, parent } of nodes) {
      const label = labelOf(state, node);
      const wide = Math.min(SIZES.widestName, lettering.width(lettering.name(node, label), "name"));
      if (isStub(node)) stub = Math.max(stub, wide);
      else {
        name = Math.max(name, wide);
        const right = label === undefined && node.visited === undefined ? "" : lettering.third(node, label);
        if (right !== "") visits = Math.max(visits, SIZES.afterName + LARGER * lettering.width(right, "small"));
        const apart = digits.get(parent);
        const text = isBeingSearched(state, node)
          ? lettering.soFar(openOf(state, node), apart)
          : lettering.score(node, apart, mate, intervalOf(state, node.id), label);
        score = Math.max(score, lettering.width(text, "score"));
      }
    }
    const inner = Math.max(stub, name + (score > 0 ? SIZES.afterName + score : 0) + visits);
    const width = Math.ceil(Math.max(SIZES.narrowest, SIZES.beforeName + inner + SIZES.end));
    const lane = Math.ceil(Math.max(lanes[depth] ?? 0, (mores[depth] ?? 0) - width));
    columns.push({ x, width, lane, visits });
    x += width + lane + SIZES.link;
  });
  return columns;
}
