// @ts-check
/** The note of the node in the details: read, written, coloured and deleted there. */

import { NOTE_COLOURS } from "../../data/fields.js";
import { isShared } from "../../data/shared/embedded.js";
import { iconButton } from "../../draw/buttons.js";
import { html } from "../../draw/element.js";
import { focusTree, idle } from "../page/focus.js";
import { noteOn } from "./actions.js";

/** @import { Actions, Id, Mount, Note, State } from "../../data/types.js" */

/** Brings the field of the note into view, with the cursor in it. @param {Actions} actions */
export async function writeNote(actions) {
  actions.setPanel("details", true);
  const focus = () => /** @type {HTMLElement | null} */ (document.querySelector(".note-text"))?.focus();
  await new Promise(requestAnimationFrame);
  focus();
  await idle(); // details that had been closed are drawn anew
  focus();
}

/** @type {Mount} */
export function mountNote(container, store, actions) {
  let shown = /** @type {Id | null} */ (null);
  /** What the field began with, so that only what was written is kept. */
  let begun = "";
  let colour = NOTE_COLOURS[0];
  const text = html("textarea.note-text", {
    rows: 1,
    readonly: isShared,
    "aria-label": "Note on this node",
    placeholder: "Note (a); Enter keeps it, also without a word",
    onkeydown: keyed,
    onblur: () => text.value !== begun && keep(),
  });
  const swatches = NOTE_COLOURS.map((name) =>
    html("button.note-swatch", {
      type: "button",
      "data-colour": name,
      "aria-label": `${name[0]?.toUpperCase()}${name.slice(1)} note`,
      title: name,
      onclick: () => keep(name),
    }),
  );
  const remove = iconButton("trash", "Delete the note", () => {
    const note = shown === null ? undefined : noteOn(store.get(), shown);
    begun = text.value = "";
    if (note !== undefined) void actions.deleteNote(note);
  });
  const colours = html("div.note-colours", { role: "group", "aria-label": "Colour of the note" }, swatches, remove);
  colours.dataset.asks = "";
  container.replaceChildren(text, colours);

  /** @param {Note["colour"]} [chosen] */
  function keep(chosen = colour) {
    if (shown === null) return;
    begun = text.value;
    colour = chosen;
    void actions.putNote(shown, text.value, colour);
  }

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || isShared) return;
    event.preventDefault();
    keep();
    focusTree(document);
  }

  /** @param {State} state */
  function draw(state) {
    const id = state.details?.id ?? null;
    const note = id === null ? undefined : noteOn(state, id);
    container.hidden = id === null || id < 0 || (isShared && note === undefined);
    if (id !== shown || document.activeElement !== text) {
      shown = id;
      text.value = begun = note?.text ?? "";
      colour = note?.colour ?? colour;
    }
    colours.hidden = note === undefined;
    for (const swatch of swatches) swatch.setAttribute("aria-pressed", String(note?.colour === swatch.dataset.colour));
  }

  store.follow(draw, ["details", "notes"]);
}
