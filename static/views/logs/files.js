// @ts-check
/** Files and texts that the user brings: sent whole, files one after the other; the last one stays open. */

import { LARGE } from "./bring-actions.js";
import { bytes } from "../../draw/numbers.js";
import { html } from "../../draw/element.js";

/** @import { Actions, Store } from "../../data/types.js" */

/**
 * How many bytes the server takes of a log of this size, which is sent whole or in pieces; unlimited where the page
 * does not say.
 * @param {number} size
 */
function limitFor(size) {
  const { bodyLimit, uploadLimit } = document.body.dataset;
  return Number(size > LARGE ? uploadLimit : bodyLimit) || Infinity;
}

/**
 * Post each file as a log, and refuse those that are too large. Errors are shown once the last file is open.
 * @param {readonly File[]} files
 * @param {Store} store
 * @param {Actions} actions
 * @returns {Promise<void>}
 */
export async function postFiles(files, store, actions) {
  const release = store.hold();
  const wrong = [];
  try {
    for (const file of files) {
      const limit = limitFor(file.size);
      if (file.size > limit) {
        wrong.push(
          `${file.name} has ${bytes(file.size)}; the page takes up to ${bytes(limit)}. Open it with: plyscope view ${file.name}`,
        );
      } else {
        const { error } = await post(file, file.name, actions);
        if (error !== undefined) wrong.push(`${file.name}: ${error}`);
      }
    }
    for (const text of wrong) actions.notify("error", text);
  } finally {
    release();
  }
}

/**
 * Post a pasted text as a log without a notice; the answer is its error.
 * @param {string} text
 * @param {Actions} actions
 * @returns {Promise<{error?: string}>}
 */
export async function postPasted(text, actions) {
  const blob = new Blob([text], { type: "text/plain" });
  const limit = limitFor(blob.size);
  if (blob.size > limit) {
    return {
      error: `The text has ${bytes(blob.size)}; the page takes up to ${bytes(limit)}. Save it to a file and open that with: plyscope view FILE`,
    };
  }
  return post(blob, "", actions);
}

/**
 * Post a log, and take the server's order of the list and its name for a nameless log.
 * @param {Blob} content
 * @param {string} name
 * @param {Actions} actions
 * @returns {Promise<{error?: string}>}
 */
async function post(content, name, actions) {
  const answer = await actions.postLog(content, name, { quiet: true });
  if ("error" in answer) return answer;
  await actions.loadLogs();
  return {};
}

/** Ask for files and post them. @param {Store} store @param {Actions} actions */
export function chooseFiles(store, actions) {
  const input = html("input", { type: "file", multiple: true });
  input.addEventListener("change", () => void postFiles([...(input.files ?? [])], store, actions));
  actions.expectLog();
  input.click();
}
