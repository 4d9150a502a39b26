// @ts-check
/**
 * The open part of the tree: the drawn children of open nodes, their parents, and all drawn nodes in reading order.
 * Pure functions of the state; every walk is iterative, since a log may be 100,000 levels deep.
 */

import { comparing, isBestFirst, isStub } from "./claims.js";
import { isOld } from "./merged.js";
import { FOREST } from "./types.js";

/** @import { Id, Opened, State, TreeNode } from "./types.js" */

/** Pixels that stay free above and below the tree. */
export const MARGIN = 24;

/** Whether the tree is pressed by fingers, asked once: whatever is pressed is 44 pixels high then. */
export const FINGER = typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;

/** Pixels of a card, of the gap to the next, and of both. */
export const CARD = FINGER ? 44 : 28;
export const GAP = 6;
export const ROW = CARD + GAP;

/** How many more children one press of "more" shows: first, then each further time. */
export const MORE = [30, 100];

/**
 * The least number of children that an open node shows in a window of this height before "… more", however much is
 * open; with free height it shows more (`State.room`).
 * @param {number} height pixels
 */
export function few(height) {
  return Math.max(5, Math.min(12, Math.floor(height / 60)));
}

/**
 * The most children that an open node shows unasked: the number of cards that fit below one another in the window.
 * @param {number} height pixels
 */
export function most(height) {
  return Math.max(few(height), Math.floor((height - 2 * MARGIN) / ROW) - 1);
}

/** @type {WeakMap<Opened, Set<Id>>} */
const principal = new WeakMap();

/**
 * The nodes of the principal variation with its root; none where there is no line to draw.
 * @param {State} state
 * @returns {Set<Id>}
 */
export function pvOf(state) {
  if (state.opened === null) return new Set();
  let found = principal.get(state.opened);
  if (found === undefined) {
    found = new Set([state.opened.root, ...state.opened.pv]);
    if (found.size < 2) found.clear();
    principal.set(state.opened, found);
  }
  return found;
}

/**
 * The nodes from the drawn top to `id`, as far as they are known; the last is `id` itself.
 * @param {State} state
 * @param {Id | null} id
 */
export function pathTo(state, id) {
  const path = [];
  for (let at = id; at !== null && at !== FOREST; at = state.nodes.get(at)?.parent ?? null) {
    path.push(at);
    if (at === state.top) break;
  }
  return path.reverse();
}

/**
 * The parent as drawn: FOREST above a root and above the drawn top, null where the node is not known.
 * @param {State} state
 * @param {Id} id
 */
export function parentOf(state, id) {
  const node = state.nodes.get(id);
  if (node === undefined) return null;
  return id === state.top ? FOREST : (node.parent ?? FOREST);
}

/** Whether the node is open and its children are there to be drawn. @param {State} state @param {Id} id */
export function isOpen(state, id) {
  return id === FOREST || (state.expanded.has(id) && state.children.has(id));
}

/**
 * The drawn children of an open node in the chosen order (`State.order`): the first of them, and also the principal
 * variation, stubs, open nodes and nodes that the user went to.
 * @param {State} state
 * @param {Id} id
 * @param {ReadonlySet<Id>} [path] nodes to draw in any case: the path to the selection
 */
export function chosenChildren(state, id, path) {
  const chosen = childrenInTime(state, id, path);
  const compare = id === FOREST ? undefined : comparing(state.order, state.nodes.get(id)?.layer, state.opened);
  if (compare === undefined) return chosen;
  const nodes = chosen.flatMap((child) => state.nodes.get(child) ?? []);
  return nodes.sort(compare).map((node) => node.id);
}

/**
 * The drawn children of an open node in the order of the log.
 * @param {State} state
 * @param {Id} id
 * @param {ReadonlySet<Id>} [path]
 */
function childrenInTime(state, id, path) {
  const known = state.children.get(id);
  if (known === undefined) return [];
  if (id === FOREST && state.top !== null) return [state.top];
  const wanted = state.shown.get(id) ?? Math.max(state.room, few(state.size.height));
  if (narrows(state, id)) {
    const led = new Set(state.only?.led.get(id)?.items.slice(0, wanted));
    return known.items.filter((child) => led.has(child) || path?.has(child));
  }
  const pv = pvOf(state);
  const isShown = (/** @type {Id} */ child) => !isTooSmall(state, id, child) || pv.has(child) || path?.has(child);
  const items = state.least === 0 ? known.items : known.items.filter(isShown);
  if (items.length <= wanted) return items;
  const nodes = items.flatMap((child) => state.nodes.get(child) ?? []);
  /** @type {Set<Id>} */
  const chosen = new Set();
  for (const node of nodes) {
    const child = node.id;
    const isLast = isStub(node) && node.index >= known.total - 2; // stubs close the list of their siblings
    if (isLast || pv.has(child) || path?.has(child)) chosen.add(child);
    if (state.expanded.has(child) || state.kept.has(child)) chosen.add(child);
  }
  const rest = nodes.filter((node) => !chosen.has(node.id));
  if (id === FOREST) rest.sort(nearest(state));
  else {
    const compare = comparing(state.order, state.nodes.get(id)?.layer, state.opened);
    if (compare !== undefined) rest.sort(compare);
  }
  for (const node of rest) {
    if (chosen.size >= wanted) break;
    chosen.add(node.id);
  }
  // A mark that one more is hidden would take as much room as that one.
  if (known.total - known.items.length + items.length - chosen.size === 1) return items;
  return items.filter((child) => chosen.has(child));
}

/** Nodes of a subtree. @param {TreeNode} node */
const sizeOf = ({ below }) => 1 + (below?.nodes ?? 0);

/**
 * Whether a child is left out because its subtree is too small. It is never left out where the user asked for more
 * children or went to it, nor where it differs from the other log. Stubs have no subtree.
 * @param {State} state
 * @param {Id} id
 * @param {Id} child
 */
function isTooSmall({ least, shown, kept, nodes }, id, child) {
  if (least === 0 || id === FOREST || shown.has(id) || kept.has(child)) return false;
  const node = nodes.get(child);
  const differs = node?.beside !== undefined && node.beside.kind !== "same";
  return node !== undefined && !isStub(node) && !differs && sizeOf(node) < least;
}

/**
 * The sizes of subtrees below which these can be hidden: none, leaves, and by powers of ten; and the one that is chosen.
 * @param {Pick<State, "opened" | "least">} state
 */
export function sizesOf({ opened, least }) {
  const sizes = new Set([0, 2, least]);
  for (let size = 10; size < (opened?.totals.nodes ?? 0); size *= 10) sizes.add(size);
  return [...sizes].sort((a, b) => a - b);
}

/**
 * Whether only those children of a node are drawn that lead to a row of a table.
 * @param {State} state
 * @param {Id} id
 */
function narrows({ only, nodes }, id) {
  return only !== null && only.nodes === nodes && id !== FOREST && !only.all.has(id);
}

/**
 * The counts of the children of a node that are not drawn. `others` of them lead to no row of the table, while only
 * what leads to one is drawn; until it is known which do, nothing is given. `small` have too small a subtree.
 * @param {State} state
 * @param {Id} id
 * @param {readonly Id[]} drawn
 * @typedef {{hidden: number, others: number, small: {plies: number, nodes: number}}} Hidden
 * @returns {Hidden}
 */
export function hiddenChildren(state, id, drawn) {
  const total = id === FOREST && state.top !== null ? 1 : (state.children.get(id)?.total ?? 0);
  const hidden = total - drawn.length;
  const small = { plies: 0, nodes: 0 };
  if (!narrows(state, id)) {
    const there = new Set(drawn);
    for (const child of state.least === 0 ? [] : (state.children.get(id)?.items ?? [])) {
      const node = state.nodes.get(child);
      if (node === undefined || there.has(child) || !isTooSmall(state, id, child)) continue;
      small.plies += 1;
      small.nodes += sizeOf(node);
    }
    return { hidden, others: 0, small };
  }
  const led = state.only?.led.get(id);
  if (led === undefined) return { hidden: 0, others: 0, small };
  const leading = new Set(led.items);
  const there = drawn.filter((child) => leading.has(child) || state.hitMarks.has(child)).length;
  return { hidden, others: Math.max(0, hidden - Math.max(0, led.total - there)), small };
}

/**
 * Order roots by nearness to the tree whose result counts.
 * @param {State} state
 * @returns {(a: {index: number}, b: {index: number}) => number}
 */
function nearest(state) {
  const roots = state.opened?.roots ?? [];
  const main = roots.findIndex((root) => root.id === state.opened?.root);
  return (a, b) => Math.abs(a.index - main) - Math.abs(b.index - main);
}

/**
 * The drawn rows in reading order: each a node, or (`hidden` above 0) the mark of further children of the node above
 * it. `parent` is a row, -1 at the top; `depth` counts from what is drawn first.
 * @typedef {{ids: Id[], parent: number[], depth: number[], place: number[], siblings: number[],
 *   hidden: number[], more: (Hidden | null)[], open: boolean[]}} Outline `more` says what `hidden` counts
 */

/** @param {State} state */
export function outline(state) {
  const path = new Set(pathTo(state, state.selected));
  const isRanked = state.order !== "searched" || isBestFirst(state.opened);
  /** @type {Outline} */
  const rows = { ids: [], parent: [], depth: [], place: [], siblings: [], hidden: [], more: [], open: [] };
  /** @type {[id: Id, parent: number, depth: number, place: number, siblings: number, more: Hidden | null][]} */
  const stack = [];
  /** @param {Id} id @param {number} row @param {number} depth */
  const push = (id, row, depth) => {
    const children = chosenChildren(state, id, path);
    const total = id === FOREST && state.top !== null ? 1 : (state.children.get(id)?.total ?? 0);
    const more = hiddenChildren(state, id, children);
    if (more.hidden > 0) stack.push([id, row, depth, children.length, total, more]);
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const child = /** @type {Id} */ (children[at]);
      const place = isRanked && id !== FOREST ? at : (state.nodes.get(child)?.index ?? at);
      stack.push([child, row, depth, place, total, null]);
    }
  };
  push(FOREST, -1, 0);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [id, parent, depth, place, siblings, more] = next;
    const row = rows.ids.length;
    const open = more === null && isOpen(state, id);
    rows.ids.push(id);
    rows.parent.push(parent);
    rows.depth.push(depth);
    rows.place.push(place);
    rows.siblings.push(siblings);
    rows.hidden.push(more?.hidden ?? 0);
    rows.more.push(more);
    rows.open.push(open);
    if (open) push(id, row, depth + 1);
  }
  return rows;
}

/** The drawn nodes in reading order. @param {State} state */
export function drawnNodes(state) {
  const rows = outline(state);
  return rows.ids.filter((_, row) => rows.hidden[row] === 0);
}

/**
 * Those of `ids` that are further visits of the position of a node; none in a replay, which knows no later ones.
 * @param {Pick<State, "nodes" | "replay">} state
 * @param {Id | null} id
 * @param {Iterable<Id>} ids
 */
export function samePosition({ nodes, replay }, id, ids) {
  const key = id === null || replay !== null || isOld(id) ? undefined : nodes.get(id)?.key;
  if (key === undefined || key.endsWith("\u2026")) return []; // one that was cut is none
  return [...ids].filter((each) => each !== id && !isOld(each) && nodes.get(each)?.key === key);
}

/** The drawn nodes that the open log has. @param {State} state */
export function ownDrawn(state) {
  return drawnNodes(state).filter((id) => !isOld(id));
}
