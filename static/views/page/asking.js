// @ts-check
/** What can be asked of the tree, as commands of a menu: each is a key as well, which the menu says. */

import { menuCommand } from "../menu.js";
import { writeNote } from "../notes/details.js";

/** @import { Actions, State, Store } from "../../data/types.js" */

/** The commands. @param {Store} store @param {Actions} actions */
export function askingCommands(store, actions) {
  return [
    menuCommand("line", "Why this ply and not that one", () => showWhy(actions), "y"),
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

/** Brings the section into view, with the focus on its title. @param {Actions} actions */
export function showWhy(actions) {
  actions.setPanel("details", true);
  const title = document.querySelector("#why .why-title");
  if (!(title instanceof HTMLElement)) return;
  requestAnimationFrame(() => {
    title.scrollIntoView({ block: "nearest" });
    title.focus();
  });
}

/** @param {Actions} actions @param {State} state */
export function listChildren(actions, { table, selected }) {
  if (table !== null) actions.closeTable();
  else if (selected !== null) void actions.showTable("children", selected);
}
