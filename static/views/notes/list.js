// @ts-check
/** The tab *Notes* of the drawer: every note of the log in the order of its nodes, a press each; those without a node last. */

import { button, iconButton } from "../../draw/buttons.js";
import { html, redraw } from "../../draw/element.js";
import { count, counted } from "../../draw/numbers.js";
import { nodeName } from "../../draw/words.js";

/** @import { MountTab, Note } from "../../data/types.js" */

/** @type {MountTab} */
export function mountNotesList({ head, body }, store, actions) {
  const title = html("h2.rows-title");
  const save = html(
    "a.button.button-small.rows-file",
    { download: "", href: actions.fileWithNotes(), "data-asks": true },
    "Save with notes",
  );
  save.title = "The whole log as a file, with its notes in the header";
  const list = html("ul.note-list", { tabindex: 0, role: "list", "aria-label": "Notes of the log" });
  head.replaceChildren(title, save);
  body.replaceChildren(list);

  /** @param {Note} note @param {boolean} isHere */
  function row(note, isHere) {
    const { id, text, colour } = note;
    const path = placeOf(note);
    const parts = [
      html("span.note-dot", { "data-colour": colour, role: "img", "aria-label": colour }),
      html("b.note-path.cut", { title: path }, html("bdi", path)),
      text === "" ? html("span.dim", "bookmark") : html("span.note-words", html("bdi", text)),
    ];
    const shown =
      id === undefined
        ? html("span.note-go", ...parts, html("span.dim", "\u00b7 no such node in this log"))
        : button(parts, () => void actions.goTo(id), {
            class: "note-go",
            "data-key": `note-${id}`,
            "aria-current": isHere && "true",
          });
    return html(
      "li.note-row",
      shown,
      iconButton("trash", `Delete the note on ${path}`, () => void actions.deleteNote(note), {
        "data-key": `delete-${path}`,
        "data-asks": true,
        title: "Delete",
      }),
    );
  }

  /** The place of a note: its path, and its iteration where there are several trees. @param {Note} note */
  function placeOf({ id, path, iteration }) {
    const { nodes, opened } = store.get();
    const node = id === undefined ? undefined : nodes.get(id);
    if (node?.parent === null) return nodeName(node);
    return iteration === undefined || opened?.roots.length === 1 ? path : `${path}, iteration ${count(iteration)}`;
  }

  const remove = store.follow(
    ({ notes, selected }) => {
      title.textContent = counted(notes.length, "note");
      redraw(
        list,
        notes.map((note) => row(note, note.id === selected)),
      );
    },
    ["notes", "selected"],
  );
  return () => {
    remove();
    head.replaceChildren();
    body.replaceChildren();
  };
}
