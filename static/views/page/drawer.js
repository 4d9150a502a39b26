// @ts-check
/**
 * The drawer below the tree: views of many nodes at once, a tab each. A tab loads its code when it is first shown. A
 * new tab is a new row of `TABS`.
 */

import { button, iconButton, nameControl } from "../../draw/buttons.js";
import { html, redraw } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { isShared } from "../../data/shared/embedded.js";
import { isOfGame } from "../game/actions.js";
import { listedOf } from "../table/actions.js";
import { mountRows } from "../table/rows.js";

/** @import { Actions, DrawerTab, Mount, MountTab, State } from "../../data/types.js" */

/**
 * @typedef {object} Tab
 * @property {DrawerTab} name
 * @property {string} label
 * @property {(state: State) => boolean} has whether there is something to show
 * @property {() => Promise<MountTab>} load
 * @property {(state: State) => string} ends what its × does, in words
 * @property {(actions: Actions, state: State) => unknown} end
 */

/** @type {readonly Tab[]} */
const TABS = Object.freeze([
  {
    name: "rows",
    label: "Rows",
    has: (state) => state.table !== null || (listedOf(state)?.total ?? 0) > 0,
    load: async () => mountRows,
    ends: ({ table }) => (table === null ? "End the search, stay here" : "Close this table"),
    end: (actions, { table }) => (table === null ? actions.searchFor("") : actions.closeTable()),
  },
  {
    name: "weights",
    label: "Weights",
    has: ({ weights, panels }) => weights.found !== null && (panels.weights || Object.keys(weights.changed).length > 0),
    load: async () => (await import("../weights/drawer.js")).mountWeightsDrawer,
    ends: () => "Close the weights, stay with them",
    end: (actions) => actions.closeWeights(),
  },
  {
    name: "statistics",
    label: "Statistics",
    has: ({ opened }) => opened !== null,
    load: async () => (await import("../statistics/statistics.js")).mountStatistics,
    ends: () => "Close the statistics",
    end: (actions) => actions.showDrawer(null),
  },
  {
    name: "notes",
    label: "Notes",
    has: ({ notes }) => notes.length > 0,
    load: async () => (await import("../notes/list.js")).mountNotesList,
    ends: () => "Close the notes",
    end: (actions) => actions.showDrawer(null),
  },
  {
    name: "game",
    label: "Game",
    has: (state) => !isShared && isOfGame(state),
    load: async () => (await import("../game/game.js")).mountGame,
    ends: () => "Close the game",
    end: (actions) => actions.showDrawer(null),
  },
]);

/**
 * The tab that the drawer shows: the one asked for where it has something, else the rows where there are any.
 * @param {State} state
 */
function tabShown(state) {
  if (state.phase !== "ready") return null;
  const there = TABS.filter(({ has }) => has(state));
  return (
    there.find(({ name }) => name === (state.drawer ?? "rows")) ?? there.find(({ name }) => name === "rows") ?? null
  );
}

/** @type {Mount} */
export function mountDrawer(container, store, actions) {
  const tabs = html("div.drawer-tabs", { role: "tablist", "aria-label": "What lies below the tree" });
  const fold = iconButton("down", "", () => actions.setPanel("drawer"));
  const close = iconButton("close", "", () => void shown?.end(actions, store.get()));
  const head = html("div.drawer-head");
  const body = html("div.drawer-body", { id: "drawer-body" });
  container.replaceChildren(html("div.drawer-bar", tabs, head, fold, close), body);
  let shown = /** @type {Tab | null} */ (null);
  let remove = () => {};
  let turns = 0;

  /** Draw another tab, once its code is here. @param {Tab} tab */
  async function show(tab) {
    remove();
    remove = () => {};
    head.replaceChildren();
    body.replaceChildren();
    turns += 1;
    const turn = turns;
    const release = store.hold();
    try {
      const mount = await tab.load();
      if (shown === tab && turn === turns) remove = mount({ head, body }, store, actions);
    } catch {
      actions.notify("error", `The code of “${tab.label}” could not be loaded; is the server still there?`);
      if (shown === tab) shown = null;
    } finally {
      release();
    }
  }

  /** @param {State} state */
  function draw(state) {
    const tab = tabShown(state);
    container.hidden = tab === null;
    if (tab !== shown) {
      shown = tab;
      if (tab === null) remove();
      else void show(tab);
    }
    if (tab === null) return;
    const open = state.panels.drawer;
    container.dataset.tab = tab.name;
    container.setAttribute("aria-label", tab.label);
    body.hidden = !open;
    const label = open ? "Fold what lies below the tree (\\)" : "Show what lies below the tree (\\)";
    nameControl(fold, label);
    fold.setAttribute("aria-expanded", String(open));
    fold.replaceChildren(icon(open ? "down" : "up"));
    nameControl(close, tab.ends(state));
    const there = TABS.filter(({ has }) => has(state));
    tabs.hidden = there.length < 2;
    redraw(
      tabs,
      there.map((each) => tabButton(each, each === tab)),
    );
  }

  /** @param {Tab} tab @param {boolean} isShown */
  function tabButton({ name, label }, isShown) {
    return button(label, () => actions.showDrawer(name), {
      class: "drawer-tab",
      role: "tab",
      "data-key": name,
      "aria-selected": String(isShown),
      "aria-controls": body.id,
      tabindex: isShown ? 0 : -1,
      onkeydown: stepTab,
    });
  }

  /** The arrow keys go from tab to tab, as in every row of tabs. @param {KeyboardEvent} event */
  function stepTab(event) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const all = /** @type {HTMLElement[]} */ ([...tabs.children]);
    if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return;
    event.preventDefault();
    const next = all[(all.indexOf(event.currentTarget) + step + all.length) % all.length];
    next?.focus();
    next?.click();
  }

  store.follow(draw);
}
