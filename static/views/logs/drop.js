// @ts-check
/** Paste and drop anywhere on the page: the text or the file is posted whole as a log. */

import { html } from "../../draw/element.js";
import { postFiles } from "./files.js";
import { postText } from "./paste.js";

/** @import { Actions, Store } from "../../data/types.js" */
/** @import { Draft } from "../live/draft.js" */

/**
 * @param {HTMLElement} container the drop zone
 * @param {Store} store
 * @param {Actions} actions
 * @param {Draft} draft
 */
export function mountDrop(container, store, actions, draft) {
  let depth = 0;
  container.replaceChildren(html("p", "Drop to open it as a log"));

  /** @param {number} to */
  function setDepth(to) {
    if (depth === 0 && to > 0) actions.expectLog();
    depth = Math.max(0, to);
    container.hidden = depth === 0;
  }

  /** @param {ClipboardEvent} event */
  function pasted(event) {
    if (event.defaultPrevented || event.clipboardData === null || isTextBox(event.target)) return;
    take(event, event.clipboardData);
  }

  /** @param {DragEvent} event */
  function dropped(event) {
    setDepth(0);
    if (event.dataTransfer === null || (isTextBox(event.target) && !hasFiles(event))) return;
    take(event, event.dataTransfer);
  }

  /** @param {Event} event @param {DataTransfer} data */
  function take(event, data) {
    const folders = [...data.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry?.isDirectory);
    const files = [...data.files].filter((file) => !folders.some((folder) => folder?.name === file.name));
    const text = data.getData("text/plain");
    for (const folder of folders) {
      actions.notify(
        "error",
        `${folder?.name} is a folder; a page cannot read it. Open it with: plyscope view ${folder?.name}`,
      );
    }
    if (files.length > 0) void postFiles(files, store, actions);
    else if (text.trim() !== "") void postText(text, store, actions, draft);
    else if (folders.length === 0) return;
    event.preventDefault();
  }

  document.addEventListener("paste", pasted);
  document.addEventListener("dragenter", (event) => isWelcome(event) && setDepth(depth + 1));
  document.addEventListener("dragleave", (event) => isWelcome(event) && setDepth(depth - 1));
  document.addEventListener("dragover", (event) => {
    if (!isWelcome(event) || event.dataTransfer === null) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  });
  document.addEventListener("drop", dropped);
}

/** @param {DragEvent} event */
function isWelcome(event) {
  return hasFiles(event) || (!isTextBox(event.target) && (event.dataTransfer?.types.includes("text/plain") ?? false));
}

/** @param {DragEvent} event */
function hasFiles(event) {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

/** @param {EventTarget | null} target */
function isTextBox(target) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}
