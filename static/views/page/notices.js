// @ts-check
/** Errors and notes that come up while one works, and what has become of the open log's file: said aloud, shown until closed. */

import { staleToTell } from "../../data/stale.js";
import { withCode, html } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";

/** @typedef {import("../../data/types.js").Notice} Notice */
/** @typedef {import("../../data/types.js").State} State */
/** @typedef {import("../../data/stale.js").Stale} Stale */

/**
 * @param {HTMLElement} container
 * @param {import("../../data/state.js").Store} store
 * @param {import("../../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountNotices(container, store, actions) {
  const errors = html("div", { class: "notices-kind", role: "alert" });
  const notes = html("div", { class: "notices-kind", role: "status" });
  const file = html("div", { class: "notices-kind", role: "status" });
  container.replaceChildren(errors, notes, file);
  /** What is told of the file; it is made anew only where it reads differently, however often the file changes. */
  let told = "";
  /** @type {Map<number, HTMLElement>} */
  const shown = new Map();

  /** @param {Notice} notice */
  function make({ id, kind, text }) {
    return html(
      "div",
      { class: `notice notice-${kind}` },
      icon(kind === "error" ? "warning" : "info"),
      html("p", { class: "notice-text" }, withCode(text)),
      closeButton(() => actions.dismiss(id)),
    );
  }

  /** @param {Stale} stale */
  function makeOfFile({ kind, name }) {
    const close = closeButton(() => leave(actions.dismissStale));
    if (kind === "gone") {
      const text = `${name} is not there any more; what was read of it is shown.`;
      return html(
        "div",
        { class: "notice notice-warning" },
        icon("warning"),
        html("p", { class: "notice-text" }, text),
        close,
      );
    }
    const again = html(
      "button",
      { class: "button button-small", type: "button", onclick: () => leave(actions.readAgain) },
      "Read again",
    );
    return html(
      "div",
      { class: "notice notice-note" },
      icon("info"),
      html("p", { class: "notice-text" }, `${name} has changed since it was read.`),
      close,
      html("div", { class: "notice-actions" }, again),
    );
  }

  /**
   * Do what closes the notice; the focus that was in it goes on in the tree.
   * @param {() => void | Promise<void>} work
   */
  async function leave(work) {
    await work();
    requestAnimationFrame(() => {
      const tree = document.querySelector('#tree [tabindex="0"]');
      if (document.activeElement === document.body && tree instanceof SVGElement) tree.focus({ preventScroll: true });
    });
  }

  /** @param {State} state */
  function drawOfFile(state) {
    const stale = staleToTell(state);
    const tells = stale === null ? "" : `${state.log} ${stale.kind} ${stale.name}`;
    if (tells === told) return;
    told = tells;
    file.replaceChildren(...(stale === null ? [] : [makeOfFile(stale)]));
  }

  /** @param {State} state */
  function draw(state) {
    const { notices } = state;
    drawOfFile(state);
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

/** @param {() => void} close */
function closeButton(close) {
  return html(
    "button",
    {
      class: "button button-icon button-small",
      type: "button",
      "aria-label": "Close this message",
      title: "Close",
      onclick: close,
    },
    icon("close"),
  );
}
