// @ts-check
/** Above the tree: what the reader guessed, mended or left out, and how it read somebody's own tree. */

import { withCode, html, redraw } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";

/** @typedef {import("../../data/types.js").State} State */
/** @typedef {import("../../data/types.js").Opened} Opened */

/**
 * @param {HTMLElement} container
 * @param {import("../../data/state.js").Store} store
 * @param {import("../../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountNotes(container, store, actions) {
  /** @type {Set<string>} what was closed: a log and its notes, which may be others once it is read again */
  const closed = new Set();

  /** @param {Opened} opened */
  function close(opened) {
    closed.add(keyOf(opened));
    draw(store.get());
  }

  /** @param {State} state */
  function draw({ opened }) {
    const lines = opened === null || closed.has(keyOf(opened)) ? [] : noteLines(opened);
    container.hidden = lines.length === 0;
    if (opened === null || lines.length === 0) {
      container.replaceChildren();
      return;
    }
    redraw(
      container,
      icon("info", "notes-icon"),
      html("ul", { class: "notes-list" }, lines),
      html(
        "button",
        {
          class: "button button-icon button-small",
          type: "button",
          "aria-label": "Close the notes",
          title: "Close",
          onclick: () => close(opened),
        },
        icon("close"),
      ),
    );
  }

  /**
   * @param {Opened} opened
   * @returns {HTMLElement[]}
   */
  function noteLines(opened) {
    const isForeign = opened.fields.length > 0;
    const said = isForeign ? opened.notices.find((notice) => notice.startsWith("Read as ")) : undefined;
    const lines = opened.notices.filter((notice) => notice !== said).map((notice) => html("li", {}, withCode(notice)));
    if (isForeign) lines.unshift(mappingLine(said ?? mappingText(opened)));
    return lines;
  }

  /**
   * @param {string} text
   * @returns {HTMLLIElement}
   */
  function mappingLine(text) {
    return html(
      "li",
      {},
      withCode(`${text} `),
      html(
        "button",
        { class: "link-button", type: "button", "data-key": "mapping", onclick: () => actions.openDialog("mapping") },
        "Change",
      ),
    );
  }

  container.setAttribute("role", "region");
  container.setAttribute("aria-label", "Notes on this log");
  draw(store.get());
  const remove = store.subscribe((state, previous) => {
    if (state.opened !== previous.opened) draw(state);
  });
  return () => {
    remove();
    container.replaceChildren();
  };
}

/** @param {Opened} opened */
function keyOf({ log, notices }) {
  return JSON.stringify([log.id, notices]);
}

/**
 * What was taken for what: `Read as: children = nextMove, score = value.`
 * @param {Opened} opened
 * @returns {string}
 */
function mappingText({ mapping }) {
  const read = Object.entries(mapping).map(([ours, theirs]) => `${ours} = ${theirs}`);
  return read.length > 0 ? `Read as: ${read.join(", ")}.` : "None of its fields was recognised.";
}
