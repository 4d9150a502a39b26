// @ts-check
/**
 * The Paste JSON dialog: a box to write, paste or edit a log in. An error is shown above the box and its place is
 * selected; the text stays. A paste into the empty box, or a large one, is posted at once.
 */

import { button } from "../../draw/buttons.js";
import { html, redraw, withCode } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { findPlace, isProse } from "./places.js";
import { nodeName } from "../../draw/words.js";
import { followState } from "../dialog.js";
import { postPasted } from "./files.js";

/** @import { Actions, State, Store } from "../../data/types.js" */
/** @import { Draft } from "../live/draft.js" */

/** Characters that the text box takes; a longer text is posted without passing through it. */
const BOX = 262144;

/** Said of a text that is no log of any form. */
const PROSE =
  "This does not look like JSON. A log, a JavaScript InfoVis tree or another nested tree opens, also as a JavaScript literal.\n";

/**
 * Post a text as a log. A wrong text that is not too long comes back in the dialog with the place of the error marked.
 * @param {string} text
 * @param {Store} store
 * @param {Actions} actions
 * @param {Draft} draft
 */
export async function postText(text, store, actions, draft) {
  const release = store.hold();
  const { error } = await postPasted(text, actions);
  release();
  if (error === undefined) return;
  if (text.length > BOX) actions.notify("error", error);
  else draft.put({ text, error });
}

/**
 * @param {HTMLElement} container a dialog
 * @param {Store} store
 * @param {Actions} actions
 * @param {Draft} draft
 */
export function mountPaste(container, store, actions, draft) {
  const dialog = /** @type {HTMLDialogElement} */ (container);
  const note = html("p.dim");
  const error = html("p.dialog-error", { role: "alert", id: "paste-error" });
  const box = html("textarea.field.paste-box", {
    "aria-label": "Log as text",
    "aria-describedby": "paste-error",
    spellcheck: "false",
    autocomplete: "off",
    autofocus: true,
    wrap: "off",
    placeholder: '{"root": {"children": [\n  {"ply": "c6", "score": 3},\n  {"ply": "d6", "score": -1}]}}',
    onpaste: pasted,
  });
  const subtree = button([icon("json"), html("span")], insertSubtree);
  const load = html("button.button.button-first", { type: "submit" }, "Load");
  const close = button("Cancel", () => actions.closeDialog());

  dialog.replaceChildren(
    html(
      "form.dialog-form",
      { method: "dialog", onsubmit: submitted },
      html("h2.dialog-title", { id: "paste-title" }, "Paste JSON"),
      html(
        "p.dim",
        "A log, a JavaScript InfoVis tree, or any other nested tree, also as a JavaScript literal. It becomes a log of its own.",
      ),
      note,
      error,
      box,
      html("div.dialog-commands", subtree, close, load),
    ),
  );
  async function insertSubtree() {
    const { selected } = store.get();
    if (selected !== null) await draft.open(selected);
  }

  /** @param {ClipboardEvent} event */
  function pasted(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const empty = box.value.trim() === "";
    if (text.trim() === "" || (!empty && text.length <= BOX)) return;
    event.preventDefault();
    if (empty && text.length <= BOX) box.value = text;
    void post(text);
  }

  /** @param {SubmitEvent} event */
  function submitted(event) {
    event.preventDefault();
    if (box.value.trim() === "") fail("There is nothing to load: write or paste a log first.");
    else void post(box.value);
  }

  /** @param {string} text */
  async function post(text) {
    fail("");
    load.disabled = true;
    const answer = await postPasted(text, actions);
    load.disabled = false;
    if (answer.error !== undefined) {
      fail(answer.error);
      return;
    }
    box.value = "";
    note.textContent = "";
  }

  /** @param {string} text the error; empty for none */
  function fail(text) {
    redraw(error, withCode(text !== "" && isProse(box.value) ? `${PROSE} ${text}` : text));
    box.setAttribute("aria-invalid", String(text !== ""));
    const place = findPlace(text, box.value);
    if (place === null) return;
    box.focus();
    box.setSelectionRange(place.start, place.end);
    const height = box.scrollHeight / Math.max(1, box.value.split("\n").length);
    box.scrollTop = Math.max(0, (place.line - 3) * height);
  }

  function takeDraft() {
    const waiting = draft.take();
    if (waiting === null) return;
    box.value = waiting.text;
    note.textContent = waiting.note ?? "";
    box.setSelectionRange(0, 0);
    fail(waiting.error ?? "");
  }

  /** @param {State} state */
  function draw(state) {
    const selected = state.selected === null ? undefined : state.nodes.get(state.selected);
    subtree.hidden = state.phase !== "ready" || selected === undefined;
    const label = subtree.lastElementChild;
    if (label !== null && selected !== undefined)
      label.textContent = `Fill in the shown subtree of ${nodeName(selected)}`;
    if (state.dialog === "paste") takeDraft();
  }

  followState(dialog, "paste", store, actions, () => {
    fail("");
    return true;
  });
  store.subscribe(draw);
}
