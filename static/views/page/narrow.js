// @ts-check
/** On narrow windows the panels lie over the tree: they fold when a window becomes narrow, and one opens at a time. */

/** As in the style sheets: from here on the panels take no room of their own. */
const NARROW = "(max-width: 960px)";

/**
 * @param {Window} page
 * @param {import("../../data/state.js").Store} store
 * @param {import("../../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountNarrow(page, store, actions) {
  const narrow = page.matchMedia(NARROW);

  function foldBoth() {
    if (!narrow.matches) return;
    actions.setPanel("logs", false);
    actions.setPanel("details", false);
    actions.setPanel("check", false);
  }

  const remove = store.subscribe(({ panels }, previous) => {
    if (!narrow.matches || !panels.logs || !(panels.details || panels.check)) return;
    if (!previous.panels.logs) {
      actions.setPanel("details", false);
      actions.setPanel("check", false);
    } else actions.setPanel("logs", false);
  });
  narrow.addEventListener("change", foldBoth);
  return () => {
    remove();
    narrow.removeEventListener("change", foldBoth);
  };
}
