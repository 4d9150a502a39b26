// @ts-check
/** The questions about the tree as commands of a menu, each with its key. */

import { menuCommand } from "../menu.js";
import { writeNote } from "../notes/details.js";
import { idle } from "./focus.js";

/** @import { Actions, State, Store } from "../../data/types.js" */

/** The commands. @param {Store} store @param {Actions} actions */
export function askingCommands(store, actions) {
  return [
    menuCommand("line", "Why this ply and not that one", () => void showWhy(actions), "y"),
    menuCommand("sliders", "Other weights", () => actions.openWeights(), "g"),
    menuCommand("check", "Statistics: pruning, order of plies, iterations", () => actions.showStatistics(), "s"),
    menuCommand("limited", "Overview: the whole tree as one picture", () => actions.toggleOverview(), "v"),
    menuCommand("run", "Replay the search", () => void actions.startReplay(), "."),
    menuCommand("note", "A note on the node", () => writeNote(actions), "a"),
    menuCommand("note", "All notes", () => listNotes(actions, store.get())),
    menuCommand("compare", "Compare with another log\u2026", () => actions.openDialog("compare"), "d"),
    menuCommand("limited", "Children of the node as a table", () => listChildren(actions, store.get()), "t"),
  ];
}

/** @param {Actions} actions @param {State} state */
function listNotes(actions, { notes }) {
  if (notes.length > 0) actions.showDrawer("notes");
  else void actions.stepNote(1); // says how to put one
}

/** Milliseconds for which the answer is lit up, since it may have been there already. */
const LIT = 1200;

/** Brings the section into view, lit up, with the focus on its title. @param {Actions} actions */
export async function showWhy(actions) {
  actions.setPanel("details", true);
  const find = () => /** @type {HTMLElement | null} */ (document.querySelector("#why:not([hidden]) > *"));
  if (find() === null) await idle();
  else await new Promise(requestAnimationFrame);
  const first = find(); // the two plies, or why there are none to set against each other
  if (first === null) {
    actions.notify(
      "note",
      "Nothing to explain here: no ply was chosen among several. Select a node that has siblings.",
    );
    return;
  }
  first.scrollIntoView({ block: "nearest" });
  first.focus();
  first.parentElement?.animate({ backgroundColor: ["var(--accent-fill)", "transparent"] }, LIT);
}

/** @param {Actions} actions @param {State} state */
export function listChildren(actions, { table, selected }) {
  if (table !== null) actions.closeTable();
  else if (selected !== null) void actions.showTable("children", selected);
}
