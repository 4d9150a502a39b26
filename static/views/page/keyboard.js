// @ts-check
/** The keys of the page, in one table: the help lists it, the listener looks keys up in it; the large board has its own. */

import { ordersOf } from "../../data/claims.js";
import { sizesOf } from "../../data/opening.js";
import { isShared } from "../../data/shared/embedded.js";
import { listChildren, showWhy } from "./asking.js";
import { BOARD_KEYS, LINE_KEYS } from "../board/walk.js";
import { stepWithin } from "../../draw/buttons.js";
import { focusPart, focusTree } from "./focus.js";
import { endNewest } from "./lenses.js";
import { take, WAYS } from "../game/ways.js";
import { ASKING_KEYS } from "../menu.js";
import { writeNote } from "../notes/details.js";
import { saveTree, shareLog } from "../picture/saving.js";
import { unfoldCommands } from "./topbar.js";

/** @import { Actions, State, Store } from "../../data/types.js" */

/**
 * @typedef {object} Key
 * @property {string[]} keys as `KeyboardEvent.key` says them; `Alt+` or `Shift+` before one asks for that key too
 * @property {string} what what it does, in words
 * @property {"walk" | "open" | "view" | "replay" | "page"} group
 * @property {(actions: Actions, state: State, name: string) => unknown} act
 */

/** @type {readonly Key[]} */
const KEYS = Object.freeze([
  {
    keys: ["ArrowRight"],
    what: "open, or go to the first child",
    group: "walk",
    act: onSelected((actions, id, { expanded }) => (expanded.has(id) ? actions.goFirstChild() : actions.expand(id))),
  },
  {
    keys: ["ArrowLeft"],
    what: "fold, or go to the parent",
    group: "walk",
    act: onSelected((actions, id, { expanded }) => (expanded.has(id) ? actions.collapse(id) : actions.goParent())),
  },
  { keys: ["ArrowDown"], what: "next node", group: "walk", act: (actions) => actions.goNext() },
  { keys: ["ArrowUp"], what: "previous node", group: "walk", act: (actions) => actions.goPrevious() },
  { keys: ["Home"], what: "first node", group: "walk", act: (actions) => actions.goFirst() },
  { keys: ["End"], what: "last node that is shown", group: "walk", act: (actions) => actions.goLast() },
  { keys: ["p"], what: "next node of the principal variation", group: "walk", act: (actions) => actions.walkPv(1) },
  { keys: ["P"], what: "previous node of that line", group: "walk", act: (actions) => actions.walkPv(-1) },
  {
    keys: ["l"],
    what: "walk both lines of why X rather than Y: \u2190 \u2192 along, \u2191 \u2193 to the other; again: end",
    group: "walk",
    act: (actions) => actions.walkLines(),
  },
  {
    keys: ["Backspace", "Alt+ArrowLeft"],
    what: "back to the node visited before",
    group: "walk",
    act: (actions) => actions.back(),
  },
  { keys: ["Alt+ArrowRight"], what: "forward again", group: "walk", act: (actions) => actions.forward() },
  { keys: [" "], what: "open or fold", group: "open", act: onSelected((actions, id) => actions.toggle(id)) },
  {
    keys: ["*"],
    what: "open all siblings and keep them open",
    group: "open",
    act: onSelected((actions, id) => actions.expandSiblings(id)),
  },
  {
    keys: ["m"],
    what: "show the next best children of the node, or of its parent",
    group: "open",
    act: onFamily((actions, id) => actions.showMore(id)),
  },
  {
    keys: ["M"],
    what: "show fewer of them again",
    group: "open",
    act: onFamily((actions, id) => actions.showFewer(id)),
  },
  {
    keys: ["z"],
    what: "hide small subtrees: leaves, those under 10 nodes, under 100 …, none",
    group: "open",
    act: (actions, state) => actions.setLeast(sizesOf(state).find((size) => size > state.least) ?? 0),
  },
  {
    keys: ["r"],
    what: "children best first, in search order, or by pre-score where there are any",
    group: "open",
    act: nextOrder,
  },
  { keys: ["Escape"], what: "close what lies over the tree; end the newest lens", group: "open", act: escape },
  { keys: ["i"], what: "factors of the node, as when pointing at it", group: "open", act: tip },
  {
    keys: ["Enter"],
    what: "pin the node's details, or let them follow again",
    group: "open",
    act: onSelected(togglePin),
  },
  { keys: ["f"], what: "fit the tree into the window", group: "view", act: (actions) => actions.fit() },
  { keys: ["+", "="], what: "zoom in", group: "view", act: (actions) => actions.zoom(1.25) },
  { keys: ["-", "_"], what: "zoom out", group: "view", act: (actions) => actions.zoom(0.8) },
  { keys: ["0"], what: "original size, node in the middle", group: "view", act: (actions) => actions.resetZoom() },
  {
    keys: ["o"],
    what: "show or hide the searched plies on the board",
    group: "view",
    act: (actions) => actions.setShowPlies(),
  },
  {
    keys: ["T"],
    what: "tie the node to the drawn visits of its position, or not",
    group: "view",
    act: (actions) => actions.setShowTies(),
  },
  { keys: ["L"], what: "choose what cards show", group: "view", act: (actions) => actions.openDialog("labels") },
  { keys: ["w"], what: "say what factors count, or not", group: "view", act: (actions) => actions.setShowMeanings() },
  {
    keys: ["b"],
    what: "the board, large: arrows, P and Backspace walk on it, too",
    group: "view",
    act: (actions) => actions.openBoard(),
  },
  {
    keys: ["."],
    what: "replay: step in, from the node on",
    group: "replay",
    act: (actions) => actions.stepReplay("in"),
  },
  { keys: [","], what: "replay: step back", group: "replay", act: (actions) => actions.stepReplay("back") },
  {
    keys: [">"],
    what: "replay: step over, until the node is left",
    group: "replay",
    act: (actions) => actions.stepReplay("over"),
  },
  {
    keys: ["<"],
    what: "replay: step out, until its parent is left",
    group: "replay",
    act: (actions) => actions.stepReplay("out"),
  },
  { keys: ["h"], what: "replay: run to the next stop", group: "replay", act: (actions) => actions.runReplay() },
  { keys: ["H"], what: "replay: back to the last stop", group: "replay", act: (actions) => actions.runReplay(true) },
  { keys: ["k"], what: "replay: play or pause", group: "replay", act: (actions) => actions.playReplay() },
  {
    keys: ["F6", "Shift+F6"],
    what: "to the next part of the page, or to the one before; Esc: to the tree",
    group: "page",
    act: (_actions, _state, name) => focusPart(document, name === "F6" ? 1 : -1),
  },
  { keys: ["["], what: "show or hide the logs", group: "page", act: (actions) => actions.setPanel("logs") },
  { keys: ["]"], what: "show or hide the details", group: "page", act: (actions) => actions.setPanel("details") },
  { keys: ["/"], what: "search", group: "page", act: () => focusSearch() },
  {
    keys: ["n"],
    what: "next row of the table: hits, children, visits, findings, changes",
    group: "page",
    act: (actions) => actions.searchStep(1),
  },
  { keys: ["N"], what: "previous row of it", group: "page", act: (actions) => actions.searchStep(-1) },
  { keys: ["a"], what: "a note on the node", group: "page", act: writeNote },
  { keys: ["j"], what: "next note", group: "page", act: (actions) => actions.stepNote(1) },
  { keys: ["J"], what: "previous note", group: "page", act: (actions) => actions.stepNote(-1) },
  { keys: ["t"], what: "list the children of the node as a table, or close it", group: "page", act: listChildren },
  {
    keys: ["v"],
    what: "show or close the overview of the whole tree",
    group: "page",
    act: (actions) => actions.toggleOverview(),
  },
  {
    keys: ["V"],
    what: "the overview by subtrees, or every level equally wide",
    group: "page",
    act: (actions, { panels }) => {
      if (panels.overview) actions.setOverviewForm();
      else actions.toggleOverview(true);
    },
  },
  { keys: ["s"], what: "show or close the statistics", group: "page", act: (actions) => actions.toggleStatistics() },
  ...Object.values(WAYS).map((way) => ({
    keys: [way.key],
    what: way.what,
    group: /** @type {const} */ ("page"),
    act: (/** @type {Actions} */ actions, /** @type {State} */ state) => take(way, actions, state),
  })),
  {
    keys: ["u"],
    what: "the game of this search, turn by turn, or close it",
    group: "page",
    act: (actions) => actions.toggleGame(),
  },
  {
    keys: ["\\"],
    what: "show or fold what lies below the tree",
    group: "page",
    act: (actions) => actions.setPanel("drawer"),
  },
  {
    keys: ["g"],
    what: "other weights, or back to the details",
    group: "page",
    act: (actions, { panels }) => (panels.weights ? actions.closeWeights() : actions.openWeights()),
  },
  { keys: ["y"], what: "why this ply and not that one", group: "page", act: showWhy },
  {
    keys: ["x"],
    what: "let the two plies of that question change places",
    group: "page",
    act: (actions) => actions.swapPair(),
  },
  { keys: ["d"], what: "compare with another log", group: "page", act: (actions) => actions.openDialog("compare") },
  { keys: ["c"], what: "show or hide the check", group: "page", act: (actions) => actions.setPanel("check") },
  { keys: ["e"], what: "next finding of the check", group: "page", act: (actions) => actions.stepFinding(1) },
  { keys: ["E"], what: "previous finding", group: "page", act: (actions) => actions.stepFinding(-1) },
  {
    keys: ["S"],
    what: "save the tree as a picture, SVG; as PNG from the menu of the page",
    group: "page",
    act: (actions, state) => saveTree("svg", state, actions),
  },
  { keys: ["F"], what: "share the log as one file; Enter saves it", group: "page", act: shareLog },
  { keys: ["q"], what: "the menu of the page: what to ask, settings, sharing", group: "page", act: openMenu },
  { keys: ["?"], what: "list the keys", group: "page", act: (actions) => actions.openDialog("help") },
]);

/** Those of a page that may be one file, which has no server to ask. */
export const keysOffered = () => (isShared ? KEYS.filter(({ keys }) => !ASKING_KEYS.has(keys[0] ?? "")) : KEYS);

/** Keys that mean something to a control that has the focus. */
const OF_CONTROLS = new Set([" ", "Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

/** @param {Document} page @param {Store} store @param {Actions} actions */
export function mountKeyboard(page, store, actions) {
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.isComposing) return;
    const state = store.get();
    if (event.key === "Escape" && page.querySelector(":popover-open") !== null) return; // the browser closes it
    const name = nameOf(event);
    if (isText(event.target) && !name.endsWith("F6")) {
      if (name === "Escape" && state.dialog === null && focusTree(page)) event.preventDefault();
      return;
    }
    if (state.dialog === "board") {
      const walk = (state.lines === null ? BOARD_KEYS : LINE_KEYS).find(({ keys }) => keys.includes(name));
      if (walk === undefined) return;
      event.preventDefault();
      void walk.act(actions, state);
    }
    if (state.dialog !== null) return;
    if (OF_CONTROLS.has(event.key) && !event.altKey && isControl(event.target)) {
      if (stepWithin(event)) event.preventDefault();
      return;
    }
    const along = state.lines === null ? undefined : LINE_KEYS.find(({ keys }) => keys.includes(name));
    const key = KEYS.find(({ keys }) => keys.includes(name));
    if (key === undefined) return;
    event.preventDefault();
    if (!keysOffered().includes(key))
      return actions.notify("note", `Not in a shared page, which has no server to ask: ${key.what}.`);
    /** @type {HTMLElement | null} */ (page.querySelector(":popover-open"))?.hidePopover(); // it would lie over what comes
    if (along !== undefined) {
      focusTree(page);
      return void along.act(actions, state);
    }
    if (key.group === "walk" || key.group === "open") focusTree(page);
    void key.act(actions, state, name);
  }
  page.addEventListener("keydown", onKey);
}

/**
 * The key as the table names it. A capital letter is the letter with Shift, also while Caps Lock is on.
 * @param {KeyboardEvent} event
 */
function nameOf(event) {
  const { key } = event;
  if (event.altKey) return `Alt+${key}`;
  if (key === "F6" && event.shiftKey) return "Shift+F6";
  if (!/^[a-z]$/i.test(key) || !event.getModifierState("CapsLock")) return key;
  return key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase();
}

/** Whether keys are text there. @param {EventTarget | null} target */
function isText(target) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))
  );
}

/**
 * Whether arrows, Enter and Space belong to the focused element rather than to the tree.
 * @param {EventTarget | null} target
 */
function isControl(target) {
  return target instanceof HTMLElement && target !== document.body && target.closest("#tree") === null;
}

/** Shows all commands also on a phone, where they are folded. */
function unfold() {
  const topbar = document.getElementById("topbar");
  if (topbar !== null) unfoldCommands(topbar, true);
}

function openMenu() {
  unfold();
  document.getElementById("page-menu")?.showPopover();
}

/** Puts the cursor into the search field. */
function focusSearch() {
  unfold();
  const field = document.querySelector('input[type="search"]');
  if (field instanceof HTMLInputElement) {
    field.focus();
    field.select();
  }
}

/** @param {(actions: Actions, id: number, state: State) => unknown} act @returns {Key["act"]} */
function onSelected(act) {
  return (actions, state) => (state.selected === null ? undefined : act(actions, state.selected, state));
}

/**
 * Act on the node whose children a key is about: the selected one where it is open, else its parent.
 * @param {(actions: Actions, id: number) => unknown} act
 */
function onFamily(act) {
  return onSelected((actions, selected, { expanded, nodes }) => {
    const id = expanded.has(selected) ? selected : (nodes.get(selected)?.parent ?? null);
    return id === null ? undefined : act(actions, id);
  });
}

/** @param {Actions} actions @param {number} id @param {State} state */
function togglePin(actions, id, { pinned, panels }) {
  return actions.pin(pinned === id && panels.details && !panels.check && !panels.weights ? null : id);
}

/** @param {Actions} actions @param {State} state */
function nextOrder(actions, state) {
  const orders = ordersOf(state);
  return actions.setOrder(orders[(orders.indexOf(state.order) + 1) % orders.length] ?? "best");
}

/** @param {Actions} actions @param {State} state */
function tip(actions, { selected, hovered }) {
  const box = document.querySelector(`#tree [data-id="${selected}"] .node-card`)?.getBoundingClientRect();
  if (selected === null || box === undefined) return;
  if (hovered?.id === selected) actions.hover(null);
  else actions.hover(selected, box.right, box.bottom);
}

/** @param {Actions} actions @param {State} state */
function escape(actions, state) {
  if (state.hovered !== null) actions.hover(null);
  else if (state.search?.total === 0)
    actions.leaveSearch(); // no lens, yet what is wrong with it lies over the tree
  else endNewest(actions, state);
}
