// @ts-check
/**
 * Narrow windows, in which the panels lie over the tree: they fold when a window becomes narrow, and one opens at a
 * time. The list of logs folds once a log was chosen; on a phone the rows fold when a comparison begins, since they
 * would leave the tree no room.
 */

/** @import { Actions, Store } from "../../data/types.js" */

/** As in the style sheets: from here on the panels take no room of their own. */
const NARROW = "(max-width: 960px)";
const PHONE = "(max-width: 600px)";

/** @param {Window} page @param {Store} store @param {Actions} actions */
export function mountNarrow(page, store, actions) {
  const narrow = page.matchMedia(NARROW);

  function foldBoth() {
    if (!narrow.matches) return;
    actions.setPanel("logs", false);
    actions.setPanel("details", false);
    actions.setPanel("check", false);
  }

  store.subscribe(({ panels, log, table }, previous) => {
    if (!narrow.matches) return;
    if (panels.logs && previous.panels.logs && log !== previous.log && previous.log !== null)
      actions.setPanel("logs", false);
    const begins = table?.source === "changes" && previous.table?.source !== "changes";
    if (begins && panels.details && page.matchMedia(PHONE).matches) actions.setPanel("drawer", false);
    if (!panels.logs || !(panels.details || panels.check)) return;
    if (!previous.panels.logs) {
      actions.setPanel("details", false);
      actions.setPanel("check", false);
    } else actions.setPanel("logs", false);
  });
  narrow.addEventListener("change", foldBoth);
}
