// @ts-check
/** Errors and notes that come up while one works: said aloud, shown until closed. */

import { withCode } from "../draw/code.js";
import { html } from "../draw/element.js";
import { icon } from "../draw/icons.js";

/** @typedef {import("../data/types.js").Notice} Notice */
/** @typedef {import("../data/types.js").State} State */

/**
 * @param {HTMLElement} container
 * @param {import("../data/state.js").Store} store
 * @param {import("../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountNotices(container, store, actions) {
  const errors = html("div", { class: "notices-kind", role: "alert" });
  const notes = html("div", { class: "notices-kind", role: "status" });
  container.replaceChildren(errors, notes);
  /** @type {Map<number, HTMLElement>} */
  const shown = new Map();

  /** @param {Notice} notice */
  function make({ id, kind, text }) {
    return html(
      "div",
      { class: `notice notice-${kind}` },
      icon(kind === "error" ? "warning" : "info"),
      html("p", { class: "notice-text" }, withCode(text)),
      html(
        "button",
        { class: "button button-icon button-small", type: "button", "aria-label": "Close this message", title: "Close",
          onclick: () => actions.dismiss(id) },
        icon("close"),
      ),
    );
  }

  /** @param {State} state */
  function draw({ notices }) {
    const kept = new Set(notices.map((notice) => notice.id));
    for (const [id, element] of shown) {
      if (kept.has(id)) continue;
      element.remove();
      shown.delete(id);
    }
    for (const notice of notices) {
      if (shown.has(notice.id)) continue;
      const element = make(notice);
      shown.set(notice.id, element);
      (notice.kind === "error" ? errors : notes).append(element);
    }
  }

  draw(store.get());
  const remove = store.subscribe(draw);
  return () => {
    remove();
    container.replaceChildren();
  };
}
