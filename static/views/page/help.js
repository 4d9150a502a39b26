// @ts-check
/** The help: the mouse, and every key, from the table that the keyboard uses. */

import { isShared } from "../../data/shared/embedded.js";
import { html, keyParts } from "../../draw/element.js";
import { followState } from "../dialog.js";
import { keysOffered } from "./keyboard.js";

/** @import { Mount } from "../../data/types.js" */

const MOUSE = [
  ["Point", "at a node: its factors, window and outcome; at the root: the whole run"],
  ["Click", "a node: select it, open it, see its details; again: fold it"],
  ["Shift + click", "open it; all that is open stays open"],
  ["Wheel", "zoom; two fingers do too"],
  ["Drag", "move the tree"],
  ...(isShared ? [] : [["Drop, paste", "anywhere: open a log"]]),
];

const GROUPS = /** @type {const} */ ({
  walk: "Walk",
  open: "Open and fold",
  replay: "The search as it ran",
  view: "Look",
  page: "Page",
});

/** @type {Mount} */
export function mountHelp(container, store, actions) {
  const dialog = /** @type {HTMLDialogElement} */ (container);
  const groups = helpGroups();
  const search = html("input.field", {
    type: "search",
    placeholder: "Search the help",
    "aria-label": "Search the help",
    autocomplete: "off",
    oninput: () => narrow(search.value),
    onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && event.preventDefault(),
  });

  const none = html("p.dim", { role: "status" });

  /** What is typed while the keys are read is searched for. @param {KeyboardEvent} event */
  function typed({ key, ctrlKey, metaKey }) {
    if (key.length === 1 && key !== " " && !ctrlKey && !metaKey) search.focus();
  }

  /** Show the rows that have all of these words. @param {string} words */
  function narrow(words) {
    const wanted = words.toLowerCase().split(/\s+/);
    for (const group of groups) {
      const rows = /** @type {HTMLElement[]} */ ([...group.querySelectorAll(".help-row")]);
      for (const row of rows)
        row.hidden = !wanted.every((word) =>
          `${group.firstChild?.textContent} ${row.textContent}`.toLowerCase().includes(word),
        );
      group.hidden = rows.every((row) => row.hidden);
    }
    none.textContent = groups.every((group) => group.hidden) ? `Nothing found for “${words}”.` : "";
  }

  dialog.replaceChildren(
    html(
      "form.dialog-form",
      { method: "dialog" },
      html("h2.dialog-title", { id: "help-title" }, "Keys and help"),
      search,
      html(
        "div.dialog-body",
        { tabindex: 0, role: "region", "aria-label": "Keys", autofocus: true, onkeydown: typed },
        none,
        html("div.help-groups", groups),
      ),
      html(
        "p.dim",
        "A score with \u2264 or \u2265 is a bound: the true score is at most, or at least, that. All scores are seen from the root player.",
      ),
      html(
        "div.dialog-commands",
        html("span.dim.dialog-aside", `Plyscope ${document.body.dataset.version}`, notices()),
        html("button.button.button-first", { type: "submit" }, "Close"),
      ),
    ),
  );

  followState(dialog, "help", store, actions, () => {
    search.value = "";
    narrow("");
    return true;
  });
}

/** The link to the licences of what draws the charts; a page that is one file has neither. */
function notices() {
  if (isShared) return [];
  const link = html("a.link-button", { href: "static/notices.txt", target: "_blank", rel: "noopener" }, "Notices");
  return [" \u00b7 ", link];
}

function helpGroups() {
  const mouse = MOUSE.map(([what = "", text = ""]) => helpRow([what], text));
  return [helpGroup("Mouse", mouse), ...Object.entries(GROUPS).map(([group, title]) => keyGroup(group, title))];
}

/** @param {string} group @param {string} title */
function keyGroup(group, title) {
  const rows = keysOffered()
    .filter((key) => key.group === group)
    .map(({ keys, what }) => {
      const shown = keys.map((key) => keyParts(key).map((part) => html("kbd", part)));
      return helpRow(
        shown.flatMap((parts, i) => (i === 0 ? parts : [" or ", ...parts])),
        what,
      );
    });
  return helpGroup(title, rows);
}

/** @param {string} title @param {HTMLElement[]} rows */
function helpGroup(title, rows) {
  return html("section.help-group", html("h3.section-title", title), html("dl.help-rows", rows));
}

/** @param {(Node | string)[]} what @param {string} text */
function helpRow(what, text) {
  return html("div.help-row", html("dt", what), html("dd", text));
}
