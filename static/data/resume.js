// @ts-check
/**
 * Restores the view of a log that was read again: the same nodes open and selected, as far as it has them. Nodes are
 * the same where the same plies lead to them; ids do not tell, since a log that was written anew may number its nodes
 * otherwise.
 */

import { pathTo } from "./opening.js";
import { FOREST } from "./types.js";

/** @import { Id, Room, State, TreeNode } from "./types.js" */

/** Open nodes that are opened again, the youngest, and levels above the selected node that are looked for. */
const MOST_OPEN = 200;
const DEEP = 60;

/** @param {Room} room */
export function createResume({ store, loader, walk, notify, painted }) {
  /**
   * The ids that nodes of the old content have now; null where another log was opened meanwhile.
   * @param {State} before
   * @param {Id[]} ids
   */
  async function idsNow(before, ids) {
    const existing = await loader.existing(ids);
    if (existing === null) return null;
    const found = new Map([...sameNodes(before.nodes, store.get().nodes, existing)].map((id) => [id, id]));
    for (const id of downwards(before.nodes, ids)) {
      if (found.has(id)) continue;
      const above = before.nodes.get(id)?.parent ?? FOREST;
      const parent = above === FOREST ? FOREST : found.get(above);
      if (parent === undefined) continue;
      if (parent !== FOREST && !(await loader.children([parent]))) return null;
      const twin = twinOf(before, id, store.get(), parent) ?? mainRootNow(before, id);
      if (twin !== undefined) found.set(id, twin);
    }
    return found;
  }

  /** The main root now where `id` was it: the trees of a run that ended are other ones. @param {State} before @param {Id} id */
  function mainRootNow(before, id) {
    return id === before.opened?.root ? store.get().opened?.root : undefined;
  }

  /**
   * Restore the view, but not what was pinned, found by a check or searched in the old content.
   * @param {State} before what the page showed of the log that is open now
   */
  return async function resume(before) {
    const { selected, camera } = before;
    const open = [...before.expanded].slice(-MOST_OPEN);
    const way = pathTo({ ...before, top: null }, selected).slice(-DEEP);
    const found = await idsNow(before, [...new Set([...way, ...open])]);
    if (found === null) return;
    const { nodes } = store.get();
    const openNow = open.flatMap((id) => found.get(id) ?? []);
    if (!(await loader.children(openNow))) return;
    const shown = [...before.shown].flatMap(([id, wanted]) => {
      const now = found.get(id);
      return now === undefined ? [] : [/** @type {[Id, number]} */ ([now, wanted])];
    });
    const node = (selected === null ? undefined : found.get(selected)) ?? null;
    await walk.lay({ node, pinned: null, open: openNow, shown, camera: null }, new Set(found.values()));
    // The bar of a log that is being written is gone by then, which gives its height to the tree: a new tree fills it.
    await painted();
    if (store.get().nodes !== nodes) return;
    // Open nodes show as many children as before, so that nodes stay where they were.
    if (node !== null)
      store.update((state) => ({ camera, room: before.room || state.room, aim: { kind: "show", id: node } }));
    else
      notify(
        "note",
        `The node that was selected is not in ${before.opened?.log.name ?? "this log"} any more; its root is selected.`,
      );
  };
}

/**
 * Those of `ids` that name the same node before and now: reached by the same plies, through nodes of the same ids.
 * @param {ReadonlyMap<Id, TreeNode>} before
 * @param {ReadonlyMap<Id, TreeNode>} now
 * @param {Iterable<Id>} ids
 */
export function sameNodes(before, now, ids) {
  /** @type {Set<Id>} */
  const same = new Set();
  /** @type {Set<Id>} */
  const others = new Set();
  for (const id of downwards(now, ids)) {
    const [old, node] = [before.get(id), now.get(id)];
    const isSame = old !== undefined && node !== undefined && old.parent === node.parent && areAlike(old, node);
    (isSame && !others.has(node.parent ?? id) ? same : others).add(id);
  }
  return same;
}

/**
 * The child of `parent` that stands for `id`: of the same ply, with as many siblings of that ply before it; undefined
 * where none is known.
 * @param {Pick<State, "nodes" | "children">} before
 * @param {Id} id
 * @param {Pick<State, "nodes" | "children">} now
 * @param {Id} parent
 */
export function twinOf(before, id, now, parent) {
  const old = before.nodes.get(id);
  if (old === undefined) return undefined;
  /** @param {Pick<State, "nodes" | "children">} state @param {Id} above */
  const likeOld = ({ nodes, children }, above) =>
    (children.get(above)?.items ?? []).filter((child) => {
      const node = nodes.get(child);
      return node !== undefined && areAlike(old, node);
    });
  const place = likeOld(before, old.parent ?? FOREST).indexOf(id);
  return place < 0 ? undefined : likeOld(now, parent)[place];
}

/** @param {TreeNode} one @param {TreeNode} other */
function areAlike(one, other) {
  return (
    one.level === other.level &&
    one.ply === other.ply &&
    one.purpose === other.purpose &&
    one.iteration === other.iteration
  );
}

/** @param {ReadonlyMap<Id, TreeNode>} nodes @param {Iterable<Id>} ids @returns {Id[]} each after those above it */
function downwards(nodes, ids) {
  const level = (/** @type {Id} */ id) => nodes.get(id)?.level ?? 0;
  return [...ids].sort((a, b) => level(a) - level(b));
}
