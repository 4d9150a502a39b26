// @ts-check
/**
 * A first visit: four things to try, each one press, until somebody pressed one or closed them for good. Of a page that
 * is one file, what it has beside its tree.
 */

import { isShared } from "../../data/shared/embedded.js";
import { button, iconButton } from "../../draw/buttons.js";
import { html, renew } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { counted } from "../../draw/numbers.js";
import { comparePair, pairOf } from "../diff/pair.js";
import { showWhy } from "./asking.js";

/** @import { Actions, Mount, State, Store } from "../../data/types.js" */

/** The names of bundled logs of searches with a fault. */
const BUG = /^bug-/;

/** @type {Mount} */
export function mountFirstVisit(container, store, actions) {
  const bugOf = (/** @type {State} */ { logs }) => logs.find(({ name }) => BUG.test(name));

  /** @param {string} text @param {() => void} act */
  function link(text, act) {
    const press = () => {
      actions.endFirstVisit();
      act();
    };
    return button(text, press, { class: "link-button", "data-key": `first-${text}` });
  }

  /** @param {State} state */
  function toTry(state) {
    const bug = bugOf(state);
    const pair = pairOf(state);
    return [
      bug && link("The first finding of a search with a bug", () => void findBug(store, actions, bug.id)),
      pair && link("What a deeper search changed", () => void comparePair(actions, pair)),
      link("A search of your own: paste it", () => actions.openDialog("paste")),
    ];
  }

  /** @param {State} state */
  function inFile({ report, notes }) {
    const n_findings = (report?.groups ?? []).reduce((sum, { count }) => sum + count, 0);
    return [
      n_findings > 0 && link(counted(n_findings, "finding"), () => void actions.stepFinding(1)),
      notes.length > 0 && link(counted(notes.length, "note"), () => actions.showDrawer("notes")),
      link("Statistics", () => actions.showStatistics()),
    ];
  }

  /** @param {State} state */
  function draw(state) {
    if (!state.isFirst) return;
    renew(container, [
      icon("info", "notes-icon"),
      html(
        "p.first-visit",
        html("span", isShared ? "In this file:" : "Things to try:"),
        link("Why this ply and not that one", () => void showWhy(actions)),
        ...(isShared ? inFile(state) : toTry(state)),
      ),
      iconButton("close", isShared ? "Close" : "Do not show this again", () => actions.endFirstVisit()),
    ]);
  }

  store.follow(draw, ["isFirst", "logs", ...(isShared ? /** @type {const} */ (["report", "notes"]) : [])]);
}

/** Open a log, and go to what its check finds first. @param {Store} store @param {Actions} actions @param {string} log */
async function findBug(store, actions, log) {
  await actions.openLog(log);
  await isChecked(store);
  if (store.get().log === log) await actions.stepFinding(1);
}

/** Resolves once the open log is checked. @param {Store} store @returns {Promise<void>} */
function isChecked(store) {
  const isThere = () => !["running", undefined].includes(store.get().report?.state);
  return new Promise((resolve) => {
    if (isThere()) return resolve();
    const remove = store.subscribe(() => {
      if (!isThere()) return;
      remove();
      resolve();
    });
  });
}
