// @ts-check
/** What the browser remembers between visits: theme, motion, panels. Without storage the page works all the same. */

/** @typedef {import("../data/types.js").State} State */

const NAME = "plyscope";
const THEMES = ["system", "light", "dark"];

/**
 * The settings kept by an earlier visit; whatever is not there or makes no sense is left out.
 * @param {Pick<Storage, "getItem">} storage
 * @returns {Partial<Pick<State, "theme" | "animate">>}
 */
export function readSettings(storage) {
  try {
    const kept = JSON.parse(storage.getItem(NAME) ?? "{}");
    return {
      ...(THEMES.includes(kept?.theme) && { theme: kept.theme }),
      ...(typeof kept?.animate === "boolean" && { animate: kept.animate }),
    };
  } catch {
    return {}; // no storage, or not our words in it
  }
}

/**
 * Keep settings as they change, and show them on the root element for the style sheets.
 * @param {Pick<Storage, "setItem">} storage
 * @param {HTMLElement} root
 * @param {import("../data/state.js").Store} store
 * @returns {() => void}
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
  return store.subscribe((state, previous) => {
    if (state.theme === previous.theme && state.animate === previous.animate) return;
    show();
    try {
      storage.setItem(NAME, JSON.stringify({ theme: state.theme, animate: state.animate }));
    } catch {
      return; // a browser that keeps nothing
    }
  });
}
