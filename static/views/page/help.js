// @ts-check
/** The help: what the mouse does, and every key, from the table that the keyboard obeys. */

import { html, keyParts } from "../../draw/element.js";
import { followState } from "../dialog.js";
import { KEYS } from "./keyboard.js";

const MOUSE = [
  ["Point", "at a node: its factors, window and outcome; at the root: the whole run"],
  ["Click", "a node: select it, open it, see its details; again: fold it"],
  ["Shift + click", "open it; all that is open stays open"],
  ["Wheel", "zoom; two fingers do too"],
  ["Drag", "move the tree"],
  ["Drop, paste", "anywhere: open a log"],
];

const GROUPS = /** @type {const} */ ({
  walk: "Walk",
  open: "Open and fold",
  replay: "The search as it ran",
  view: "Look",
  page: "Page",
});

/**
 * @param {HTMLElement} container a dialog
 * @param {import("../../data/state.js").Store} store
 * @param {import("../../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountHelp(container, store, actions) {
  const dialog = /** @type {HTMLDialogElement} */ (container);
  const version = document.body.dataset.version;
  dialog.replaceChildren(
    html(
      "form",
      { class: "dialog-form", method: "dialog" },
      html("h2", { id: "help-title", class: "dialog-title" }, "Keys and help"),
      html(
        "div",
        { class: "dialog-body", tabindex: 0, role: "region", "aria-label": "Keys", autofocus: true },
        html("div", { class: "help-groups" }, helpGroups()),
      ),
      html(
        "p",
        { class: "dim" },
        "A score with \u2264 or \u2265 is a bound: the true score is at most, or at least, that. All scores are seen from the root player.",
      ),
      html(
        "div",
        { class: "dialog-commands" },
        html("span", { class: "dim dialog-aside" }, version ? `Plyscope ${version}` : ""),
        html("button", { class: "button button-first", type: "submit" }, "Close"),
      ),
    ),
  );

  return followState(dialog, "help", store, actions);
}

/** @returns {HTMLElement[]} */
function helpGroups() {
  const mouse = MOUSE.map(([what = "", text = ""]) => helpRow([what], text));
  return [helpGroup("Mouse", mouse), ...Object.entries(GROUPS).map(([group, title]) => keyGroup(group, title))];
}

/**
 * @param {string} group
 * @param {string} title
 */
function keyGroup(group, title) {
  const rows = KEYS.filter((key) => key.group === group).map(({ keys, what }) => {
    const shown = keys.map((key) => keyParts(key).map((part) => html("kbd", {}, part)));
    return helpRow(
      shown.flatMap((parts, i) => (i === 0 ? parts : [" or ", ...parts])),
      what,
    );
  });
  return helpGroup(title, rows);
}

/**
 * @param {string} title
 * @param {HTMLElement[]} rows
 */
function helpGroup(title, rows) {
  return html(
    "section",
    { class: "help-group" },
    html("h3", { class: "section-title" }, title),
    html("dl", { class: "help-rows" }, rows),
  );
}

/**
 * @param {(Node | string)[]} what
 * @param {string} text
 */
function helpRow(what, text) {
  return html("div", { class: "help-row" }, html("dt", {}, what), html("dd", {}, text));
}
