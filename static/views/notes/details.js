// @ts-check
/** The note of the node in the details: read, written, coloured and deleted there. */

import { isShared } from "../../data/shared/embedded.js";
import { iconButton, smallButton } from "../../draw/buttons.js";
import { html } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { focusTree } from "../page/focus.js";
import { NOTE_COLOURS, noteOn } from "./actions.js";

/** @import { Id, Mount, Note, State } from "../../data/types.js" */

/** @type {Mount} */
export function mountNote(container, store, actions) {
  let shown = /** @type {Id | null} */ (null);
  /** What the field began with, so that only what was written is kept. */
  let begun = "";
  let colour = /** @type {Note["colour"]} */ (NOTE_COLOURS[0]);
  const text = html("textarea.note-text", {
    rows: 2,
    readonly: isShared,
    "aria-label": "Note on this node",
    placeholder: "A note; Enter keeps it, also without a word",
    onkeydown: keyed,
    onblur: left,
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
    actions.endNote();
    if (note !== undefined) void actions.deleteNote(note);
  });
  const add = smallButton([icon("note"), "Note"], () => actions.editNote(), {
    title: "Put a note on this node (n)",
    "data-asks": true,
  });
  const field = html(
    "div.note-field",
    text,
    html(
      "div.note-colours",
      { "data-asks": true, role: "group", "aria-label": "Colour of the note" },
      swatches,
      remove,
    ),
  );
  container.replaceChildren(field, add);

  /** @param {Note["colour"]} [chosen] */
  function keep(chosen = colour) {
    if (shown === null) return;
    begun = text.value;
    colour = chosen;
    void actions.putNote(shown, text.value, colour);
  }

  function left() {
    if (text.value !== begun) keep();
    if (!store.get().notes.some(({ id }) => id === shown))
      requestAnimationFrame(() => {
        if (!container.contains(document.activeElement)) actions.endNote();
      });
    else actions.endNote();
  }

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    keep();
    focusTree(document);
  }

  /** @param {State} state */
  function draw(state) {
    const id = state.details?.id ?? null;
    const note = id === null ? undefined : noteOn(state, id);
    const isEdited = id !== null && state.editing === id;
    container.hidden = id === null || id < 0 || (isShared && note === undefined);
    if (id !== shown || document.activeElement !== text) {
      shown = id;
      text.value = begun = note?.text ?? "";
      colour = note?.colour ?? colour;
    }
    field.hidden = note === undefined && !isEdited;
    add.hidden = !field.hidden;
    remove.hidden = note === undefined;
    for (const swatch of swatches) swatch.setAttribute("aria-pressed", String(note?.colour === swatch.dataset.colour));
    if (isEdited && document.activeElement !== text && container.isConnected) text.focus();
  }

  store.follow(["details", "notes", "editing"], draw);
}
