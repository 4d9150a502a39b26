// @ts-check
/** Walking the tree: opening, folding, selecting, and going to nodes that have not been fetched yet. */

import { ordersOf } from "./claims.js";
import { isShared } from "./shared/embedded.js";
import { isOld, shownBeside } from "./merged.js";
import { chosenChildren, drawnNodes, isOpen, MORE, parentOf, pathTo, pvOf } from "./opening.js";
import { FOREST } from "./types.js";

/** @import { AimKind, Id, Room, Route, State } from "./types.js" */

/** @typedef {ReturnType<typeof createWalkActions>} WalkActions */

/** Levels drawn above a node where the tree above it is deeper and not open yet. */
const DEEP = 60;

/** @param {State} state @param {Id} id */
const drawnChildren = (state, id) => chosenChildren(state, id, new Set(pathTo(state, state.selected)));

/** @param {Omit<Room, "walk"> & {fold: (state: State, id: Id | null) => Set<Id>, room: (state: State) => number}} room */
export function createWalkActions({ store, loader, fold, room, attempt, notify }) {
  /** How often the user chose a node: the last choice wins, however long its path takes to load. */
  let wishes = 0;

  /** Begin a choice of a node; the answer is a function that tells whether it is still the last. */
  function wish() {
    wishes += 1;
    const mine = wishes;
    return () => mine === wishes;
  }

  /** @param {Id} id */
  const node = (id) => store.get().nodes.get(id);

  /** Let every open node show as many children as the free height holds. */
  const fillRoom = () => store.update((state) => ({ room: room(state) }));

  /**
   * Open nodes whose children are loaded, fold what no longer fits, and let the camera follow.
   * @param {Id[]} ids
   * @param {{hold?: "these" | "all", aim?: AimKind}} [options] hold: keep these nodes open, or all that are open now
   */
  function unfold(ids, options = {}) {
    store.update((state) => unfolded(state, ids, options));
    fillRoom();
  }

  /**
   * The change by which nodes open.
   * @param {State} state
   * @param {Id[]} ids
   * @param {{hold?: "these" | "all", aim?: AimKind}} [options]
   * @returns {Partial<State>}
   */
  function unfolded(state, ids, options = {}) {
    const last = ids.at(-1) ?? null;
    const expanded = new Set(state.expanded);
    for (const id of ids) {
      expanded.delete(id); // so that it is the youngest
      if ((state.children.get(id)?.total ?? 0) > 0) expanded.add(id);
    }
    const held = new Set([...state.held, ...(options.hold === "all" ? expanded : options.hold === "these" ? ids : [])]);
    const next = { ...state, expanded, held };
    return { expanded: fold(next, last), held, hovered: null, aim: { kind: options.aim ?? "show", id: last } };
  }

  /**
   * The change by which an open node shows `wanted` of its children; the camera goes to those that it did not show.
   * @param {State} state
   * @param {Id} id
   * @param {number} wanted
   * @param {readonly Id[]} before those that it showed
   * @returns {Partial<State>}
   */
  function shownMore(state, id, wanted, before) {
    const shown = new Map(state.shown).set(id, wanted);
    const old = new Set(before);
    const brought = drawnChildren({ ...state, shown }, id).filter((child) => !old.has(child));
    return { shown, hovered: null, aim: { kind: "reveal", id, ids: brought } };
  }

  /**
   * The state after a folded node was opened, or more children of an open one are shown, all of them loaded.
   * @param {Id} id
   * @param {State} state
   * @returns {State}
   */
  function pressed(id, state) {
    if (state.expanded.has(id))
      return { ...state, ...shownMore(state, id, wantedNext(id), drawnChildren(store.get(), id)) };
    const next = { ...state, ...unfolded(state, [id]) };
    return { ...next, room: room(next) };
  }

  /**
   * Show a node's children. Branches off its path that no longer fit fold, unless held open.
   * @param {Id} id
   * @param {{hold?: boolean}} [options] hold: keep it and all that is open now, until a person folds it
   */
  async function expand(id, options = {}) {
    if ((node(id)?.n_children ?? 0) === 0) return;
    await attempt(async () => {
      if (await loader.children([id])) unfold([id], options.hold ? { hold: "all" } : {});
      store.drawNow();
    });
  }

  /** Load the first children of a node without opening it, since texts about it may count them. @param {Id} id */
  async function peek(id) {
    await attempt(() => loader.children([id]));
  }

  /** @param {Id} id */
  function collapse(id) {
    wish();
    store.update((state) => {
      if (!state.expanded.has(id)) return {};
      const expanded = new Set(state.expanded);
      expanded.delete(id);
      const inside = state.selected !== id && pathTo(state, state.selected).includes(id);
      const held = new Set(state.held);
      held.delete(id);
      return { expanded, held, hovered: null, selected: inside ? id : state.selected, aim: { kind: "show", id } };
    });
    fillRoom();
  }

  /** @param {Id} id @param {{hold?: boolean}} [options] */
  async function toggle(id, options) {
    if (store.get().expanded.has(id)) collapse(id);
    else await expand(id, options);
  }

  /** How many children of an open node are drawn after the next step. @param {Id} id */
  function wantedNext(id) {
    const state = store.get();
    const step = /** @type {number} */ (state.shown.has(id) ? MORE[1] : MORE[0]);
    return Math.min(state.children.get(id)?.total ?? 0, drawnChildren(state, id).length + step);
  }

  /**
   * Show more children of an open node, in steps: the next in the order that is chosen; the camera
   * goes where most of them are seen. FOREST asks for more roots.
   * @param {Id} id
   */
  async function showMore(id) {
    await attempt(async () => {
      const state = store.get();
      if (!state.children.has(id)) return;
      const before = drawnChildren(state, id);
      const wanted = wantedNext(id);
      await loader.moreChildren(id, wanted);
      store.update((now) => shownMore(now, id, wanted, before));
      store.drawNow();
      const known = store.get().children.get(id);
      if (isShared && known !== undefined && known.items.length < Math.min(wanted, known.total))
        notify("note", `This file has ${known.items.length} of the ${known.total} children of the node.`);
    });
  }

  /**
   * Order the children of every node best first, as searched, or by pre-score.
   * @param {State["order"]} order
   */
  async function setOrder(order) {
    if (!ordersOf(store.get()).includes(order)) return;
    store.update({ order, hovered: null });
    await attempt(async () => {
      await loader.children([...store.get().expanded]);
      for (const [id, wanted] of store.get().shown) await loader.moreChildren(id, wanted);
    });
    fillRoom();
  }

  /**
   * Draw only subtrees of at least `least` nodes, and count the others; 0: all.
   * @param {number} least
   */
  function setLeast(least) {
    store.update(({ selected }) => ({
      least,
      shown: new Map(),
      kept: new Set(),
      hovered: null,
      aim: { kind: "show", id: selected },
    }));
    fillRoom();
  }

  /** Show again only the few children of a node. @param {Id} id */
  function showFewer(id) {
    store.update(({ shown }) => {
      const next = new Map(shown);
      next.delete(id);
      return { shown: next, aim: { kind: "show", id } };
    });
  }

  /** Open all drawn siblings of a node and hold them open. @param {Id} id */
  async function expandSiblings(id) {
    const state = store.get();
    const parent = parentOf(state, id);
    if (parent === null) return;
    const siblings = drawnChildren(state, parent);
    const open = siblings.filter((sibling) => (node(sibling)?.n_children ?? 0) > 0).slice(0, 50);
    await attempt(async () => {
      if (await loader.children(open)) unfold(open, { hold: "these" });
      store.update({ aim: { kind: "show", id } });
    });
  }

  /** Fold everything below the roots. */
  function foldAll() {
    wish();
    store.update((state) => {
      const path = pathTo(state, state.selected);
      return {
        expanded: new Set(),
        held: new Set(),
        kept: new Set(),
        shown: new Map(),
        selected: path[0] ?? state.selected,
        aim: { kind: "fit", id: null },
      };
    });
    fillRoom();
  }

  /**
   * Select a node that is known; the camera follows when it lies outside the view.
   * @param {Id} id
   * @param {{aim?: AimKind}} [options]
   */
  function select(id, options = {}) {
    if (node(id) === undefined) return;
    wish();
    store.update({ selected: id, aim: { kind: options.aim ?? "show", id } });
  }

  /**
   * Go to any node of the log: fetch the way to it, open it, select it.
   * @param {Id} id
   * @param {{aim?: AimKind}} [options]
   */
  async function goTo(id, options = {}) {
    const isWanted = wish();
    await attempt(() => reach(id, options.aim ?? "show", isWanted));
  }

  /** @param {Id} id @param {AimKind} aim @param {() => boolean} [isWanted] whether one still goes there */
  async function reach(id, aim, isWanted = () => true) {
    const answer = await loader.path(id);
    if (answer === null) return;
    const ids = answer.path.map((step) => step.id);
    let above = ids.slice(0, -1);
    let top = null;
    if (answer.more || above.filter((step) => !store.get().children.has(step)).length > DEEP) {
      above = above.slice(-DEEP);
      top = above[0] ?? id;
    }
    if (!(await loader.children(above))) return;
    for (const step of answer.path) loader.adopt(step);
    if (!isWanted()) return;
    store.update(({ kept }) => ({ kept: new Set([...kept, ...ids]), selected: id, top: keepTop(top, ids) }));
    unfold(above);
    store.update({ aim: { kind: aim, id } });
  }

  /** @param {Id | null} top @param {Id[]} ids */
  function keepTop(top, ids) {
    const now = store.get().top;
    return top === null && now !== null && ids.includes(now) && ids.length - ids.indexOf(now) <= DEEP ? now : top;
  }

  /**
   * Open what a link names, and go to its node; what the log does not have is left out, with one notice.
   * @param {Route} route
   */
  async function restore(route) {
    await attempt(() => restoreKnown(route));
  }

  /** @param {Route} route */
  async function restoreKnown(route) {
    const named = [...route.open, ...route.shown.map(([id]) => id)];
    if (route.node !== null) named.push(route.node);
    if (route.pinned !== null) named.push(route.pinned);
    const isAlone = shownBeside(store.get()) === null; // what only another log has is not asked of this one
    const existing = await loader.existing([...new Set(named)].filter((id) => !(isAlone && isOld(id))));
    if (existing === null) return;
    const there = new Set(existing);
    const lacking = new Set(named.filter((id) => !there.has(id) && !(isAlone && isOld(id))));
    if (lacking.size > 0) {
      const [first] = lacking;
      const others = lacking.size > 1 ? ` and ${lacking.size - 1} more that the link names` : "";
      notify("note", `This log has no node ${first}${others}; the rest of the link is shown.`);
    }
    await lay(route, there);
  }

  /**
   * Open, select and pin the nodes of a view.
   * @param {Pick<Route, "node" | "pinned" | "open" | "shown" | "camera">} route
   * @param {ReadonlySet<Id>} there those of its nodes that the log has
   */
  async function lay(route, there) {
    const { nodes } = store.get();
    const open = route.open.filter((id) => there.has(id));
    if (open.length > 0) {
      const byLevel = [...open].sort((a, b) => (node(a)?.level ?? 0) - (node(b)?.level ?? 0));
      for (const id of byLevel) {
        const known = node(id);
        if (known !== undefined) loader.adopt(known);
      }
      store.update({ expanded: new Set(open), held: new Set() });
    }
    const shown = route.shown.filter(([id]) => there.has(id));
    if (shown.length > 0) {
      for (const [id, wanted] of shown) await loader.moreChildren(id, wanted);
      store.update({ shown: new Map(shown) });
    }
    if (route.node !== null && there.has(route.node)) await reach(route.node, "show");
    if (store.get().nodes !== nodes) return;
    if (open.length > 0) store.update(({ expanded }) => ({ expanded: new Set([...open, ...expanded]) }));
    fillRoom();
    const pinned = route.pinned !== null && there.has(route.pinned) ? route.pinned : null;
    if (pinned !== null) store.update(({ panels }) => ({ pinned, panels: { ...panels, details: true } }));
    if (route.camera !== null) store.update({ camera: route.camera, aim: null });
    else if (open.length > 0) store.update({ aim: { kind: route.node === null ? "fit" : "refit", id: route.node } });
  }

  /** Go along the principal variation: to its next node, or (−1) to the one before. @param {number} [step] */
  async function walkPv(step = 1) {
    const state = store.get();
    const line = [...pvOf(state)];
    if (line.length === 0) return;
    const path = pathTo(state, state.selected);
    const on = line.findLastIndex((id) => path.includes(id));
    const id = line[Math.max(0, Math.min(line.length - 1, on + step))];
    if (id === undefined) return;
    await goTo(id);
    if (store.get().selected === id) await expand(id);
  }

  /** Go to the next node of the principal variation; from its end back to the root. */
  async function stepPv() {
    const state = store.get();
    const last = [...pvOf(state)].at(-1);
    if (last !== undefined && pathTo(state, state.selected).includes(last)) await goTo(state.opened?.root ?? last);
    else await walkPv(1);
  }

  /** Go to the parent; above the drawn top, the tree is drawn from further up. */
  async function goParent() {
    const { selected, top } = store.get();
    const parent = selected === null ? null : node(selected)?.parent;
    if (parent === null || parent === undefined) return;
    if (selected === top) await goTo(parent);
    else select(parent);
  }

  /** Go to the first child of the selected node, opening it where it is folded. */
  async function goFirstChild() {
    const { selected } = store.get();
    if (selected === null) return;
    const isWanted = wish();
    if (!store.get().expanded.has(selected)) await expand(selected);
    if (!isWanted()) return;
    const state = store.get();
    const first = isOpen(state, selected) ? chosenChildren(state, selected)[0] : undefined;
    if (first !== undefined) select(first);
  }

  /**
   * Select the node `step` places further among all drawn nodes, in reading order; ±Infinity goes to the ends.
   * @param {number} step
   */
  function goAlong(step) {
    const state = store.get();
    const drawn = drawnNodes(state);
    if (drawn.length === 0) return;
    const at = drawn.findIndex((id) => id === state.selected);
    const to = drawn[Math.max(0, Math.min(drawn.length - 1, at + step))];
    if (to !== undefined) select(to);
  }

  /** Select the sibling `step` places further among the drawn ones. @param {number} step */
  function goSibling(step) {
    const state = store.get();
    const parent = state.selected === null ? null : parentOf(state, state.selected);
    if (parent === null) return;
    const siblings = drawnChildren(state, parent);
    const to = siblings[siblings.indexOf(/** @type {Id} */ (state.selected)) + step];
    if (to !== undefined) select(to);
  }

  return {
    expand,
    peek,
    collapse,
    toggle,
    showMore,
    wantedNext,
    pressed,
    showFewer,
    setLeast,
    setOrder,
    expandSiblings,
    foldAll,
    fillRoom,
    select,
    goTo,
    restore,
    lay,
    walkPv,
    stepPv,
    goParent,
    goFirstChild,
    goNext: () => goAlong(1),
    goPrevious: () => goAlong(-1),
    goFirst: () => goAlong(-Infinity),
    goLast: () => goAlong(Infinity),
    goNextSibling: () => goSibling(1),
    goPreviousSibling: () => goSibling(-1),
    goRoot: () => goTo(store.get().opened?.root ?? FOREST),
  };
}
