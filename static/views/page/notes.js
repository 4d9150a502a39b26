// @ts-check
/** The notes above the tree: guesses, repairs and omissions of the reader, and its mapping of a foreign tree. */

import { button, iconButton } from "../../draw/buttons.js";
import { html, redraw, withCode } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";

/** @import { Mount, Opened, State } from "../../data/types.js" */

/** @type {Mount} */
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
      html("ul.notes-list", lines),
      iconButton("close", "Close the notes", () => close(opened), { title: "Close" }),
    );
  }

  /** @param {Opened} opened @returns {HTMLElement[]} */
  function noteLines(opened) {
    const isForeign = opened.fields.length > 0;
    const said = isForeign ? opened.notices.find((notice) => notice.startsWith("Read as ")) : undefined;
    const lines = opened.notices.filter((notice) => notice !== said).map((notice) => html("li", withCode(notice)));
    if (isForeign) lines.unshift(mappingLine(said ?? mappingText(opened)));
    return lines;
  }

  /** @param {string} text */
  function mappingLine(text) {
    return html(
      "li",
      withCode(`${text} `),
      button("Change", () => actions.openDialog("mapping"), {
        class: "link-button",
        "data-key": "mapping",
        "data-asks": true,
      }),
    );
  }

  container.setAttribute("role", "region");
  container.setAttribute("aria-label", "Notes on this log");
  store.follow(draw, ["opened"]);
}

/** @param {Opened} opened */
function keyOf({ log, notices }) {
  return JSON.stringify([log.id, notices]);
}

/**
 * The mapping in words: `Read as: children = nextMove, score = value.`
 * @param {Opened} opened
 */
function mappingText({ mapping, search }) {
  if (search?.["said_over"] === "UCI") return "Read as a session over UCI.";
  const read = Object.entries(mapping).map(([ours, theirs]) => `${ours} = ${theirs}`);
  return read.length > 0 ? `Read as: ${read.join(", ")}.` : "None of its fields was recognised.";
}
