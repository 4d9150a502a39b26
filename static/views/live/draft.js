// @ts-check
/** A text for the paste dialog to open with: a shown subtree as JSON, or a paste that was no log. */

import { bytes, counted } from "../../draw/numbers.js";

/** @import { Actions, Id } from "../../data/types.js" */

/** @typedef {{text: string, note?: string, error?: string}} Waiting */
/** @typedef {ReturnType<typeof createDraft>} Draft */

/** @param {Actions} actions */
export function createDraft(actions) {
  /** @type {Waiting | null} */
  let waiting = null;

  /** @param {Waiting} text opens the dialog with it */
  function put(text) {
    waiting = text;
    actions.openDialog("paste");
  }

  return {
    put,

    /** Fetch the shown subtree of `id` and open the dialog with it. @param {Id} id */
    async open(id) {
      const subtree = await actions.shownSubtree(id);
      if (subtree === null) return;
      const size = bytes(new Blob([subtree.text]).size);
      const rest = subtree.whole ? "" : " Deeper nodes are left out: the box takes 256 KB.";
      put({ text: subtree.text, note: `The shown subtree: ${counted(subtree.nodes, "node")}, ${size}.${rest}` });
    },

    /** The waiting text, once. */
    take() {
      const taken = waiting;
      waiting = null;
      return taken;
    },
  };
}
