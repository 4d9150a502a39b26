// @ts-check
/**
 * Settings that the browser keeps between visits: theme, motion, the end of the first visit, the content of boards and
 * bars, the widths of panels. Without storage the page works all the same.
 */

import { readLabels } from "../../layout/labels.js";
import { WIDTHS } from "../../data/actions.js";
import { USUAL_WIDTHS, differ } from "../../data/state.js";

/** @import { State, Store } from "../../data/types.js" */

const NAME = "plyscope";
const THEMES = ["system", "light", "dark"];
/** The settings that are on or off. */
const SWITCHES = /** @type {const} */ (["animate", "showPlies", "showMeanings", "showTies"]);

/**
 * The settings kept by an earlier visit; whatever is not there or makes no sense is left out.
 * @param {Pick<Storage, "getItem">} storage
 * @returns {Partial<Pick<State, "theme" | "isFirst" | "tried" | "widths" | "labels" | (typeof SWITCHES)[number]>>}
 */
export function readSettings(storage) {
  try {
    const kept = JSON.parse(storage.getItem(NAME) ?? "{}");
    return {
      ...(THEMES.includes(kept?.theme) && { theme: kept.theme }),
      ...(kept?.isFirst === false && { isFirst: false }),
      ...(Array.isArray(kept?.tried) && { tried: kept.tried }),
      ...Object.fromEntries(
        SWITCHES.flatMap((name) => (typeof kept?.[name] === "boolean" ? [[name, kept[name]]] : [])),
      ),
      labels: Object.fromEntries(Object.entries(kept?.labels ?? {}).map(([game, each]) => [game, readLabels(each)])),
      widths: { left: width(kept?.left) ?? USUAL_WIDTHS.left, right: width(kept?.right) ?? USUAL_WIDTHS.right },
    };
  } catch {
    return {}; // no storage, or not our words in it
  }
}

/** A width that a panel may have. @param {unknown} kept */
function width(kept) {
  return typeof kept === "number" && kept >= WIDTHS.least && kept <= WIDTHS.most ? kept : null;
}

/**
 * Keep settings as they change, and show them on the root element for the style sheets.
 * @param {Pick<Storage, "setItem">} storage
 * @param {HTMLElement} root
 * @param {Store} store
 */
export function keepSettings(storage, root, store) {
  function show() {
    const { theme, animate } = store.get();
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    if (animate) delete root.dataset.motion;
    else root.dataset.motion = "off";
  }
  show();
  store.subscribe((state, previous) => {
    const kept = /** @type {const} */ (["theme", "isFirst", "tried", "labels", ...SWITCHES]);
    if (!differ(state, previous, ...kept, "widths")) return;
    const others = Object.fromEntries(kept.map((key) => [key, state[key]]));
    show();
    try {
      storage.setItem(NAME, JSON.stringify({ ...others, ...state.widths }));
    } catch {
      // a browser that keeps nothing
    }
  });
}
