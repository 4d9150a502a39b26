// @ts-check
/** Where the keys go: from part to part of the page, into the tree, and never nowhere. */

/** @import { Store } from "../../data/types.js" */

/** Parts of the page that keys go through, in the order in which they stand; one that is hidden is passed over. */
const PARTS = Object.freeze([
  "#topbar",
  "#logs-panel",
  "#lenses",
  "#notes",
  "#tree",
  "#notices",
  "#drawer",
  "#replay",
  "#rail",
  "#legend",
  "#details-panel",
  "#weights-panel",
  "#check-panel",
]);
/** The elements at which Tab stops. */
const STOPS =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** Focus the node of the tree at which Tab stops; false where there is none. @param {Document} page */
export function focusTree(page) {
  const tree = page.getElementById("tree");
  if (tree !== null && page.activeElement !== tree && tree.contains(page.activeElement)) return true;
  const item = tree?.querySelector('[role="treeitem"][tabindex="0"]');
  if (!(item instanceof SVGElement)) return false;
  item.focus({ preventScroll: true });
  return true;
}

/**
 * Focus the first element of the next part of the page, or of the one before; the last part is followed by the first.
 * @param {Document} page
 * @param {1 | -1} step
 */
export function focusPart(page, step) {
  const parts = PARTS.flatMap((name) => {
    const stops = page.querySelector(name)?.querySelectorAll(STOPS) ?? [];
    const first = [...stops].find((stop) => stop.checkVisibility({ visibilityProperty: true }));
    return first instanceof HTMLElement || first instanceof SVGElement ? [{ name, first }] : [];
  });
  if (parts.length === 0) return;
  const at = parts.findIndex(({ name }) => page.activeElement?.closest(name) != null);
  const from = at < 0 ? parts.findIndex(({ name }) => name === "#tree") : at;
  parts[(from + step + parts.length) % parts.length]?.first.focus();
}

/**
 * Move the focus to the tree when its element goes away, as with a panel that closes or a log that is replaced. An
 * element that the user left by pressing beside it is still there, so that the focus stays lost.
 * @param {Document} page
 * @param {Store} store
 */
export function keepFocus(page, store) {
  /** @type {Element | null} */
  let last = null;

  /** @param {FocusEvent} event */
  function note(event) {
    last = event.target instanceof Element ? event.target : null;
  }

  function keep() {
    if (last === null || store.get().dialog !== null) return;
    const { activeElement } = page;
    if (activeElement !== null && activeElement !== page.body && activeElement !== last) return;
    if (activeElement === last && last.closest("#tree") !== null) return; // to ask whether it is seen lays the page out
    const isGone = !last.isConnected || !last.checkVisibility({ visibilityProperty: true });
    if (!isGone) {
      if (activeElement !== last) last = null;
    } else focusTree(page); // where no tree is drawn yet, the next redraw tries again
  }

  page.addEventListener("focusin", note);
  store.subscribe(keep);
}

/** Resolves once nothing is under way on the page. @returns {Promise<void>} */
export function idle() {
  const { documentElement: root } = document;
  return new Promise((resolve) => {
    const watcher = new MutationObserver(look);
    function look() {
      if (root.dataset.idle !== "true") return;
      watcher.disconnect();
      resolve();
    }
    watcher.observe(root, { attributes: true, attributeFilter: ["data-idle"] });
    look();
  });
}
