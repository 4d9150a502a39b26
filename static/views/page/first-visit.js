// @ts-check
/**
 * The suggestions of a first visit: four commands to try, each gone after one press, until all were tried or the user
 * closed them for good. In a page that is one file, the commands that it has beside its tree.
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

  /** @typedef {[text: string, act: () => void]} Try */

  /** @param {Try} one @param {boolean} isLast */
  function link([text, act], isLast) {
    const press = () => {
      if (isLast) actions.endFirstVisit();
      else actions.tryOut(text);
      act();
    };
    return button(text, press, { class: "link-button", "data-key": `first-${text}` });
  }

  /** @param {State} state @returns {(Try | false | undefined)[]} */
  function toTry(state) {
    const bug = bugOf(state);
    const pair = pairOf(state);
    return [
      bug && ["The first finding of a search with a bug", () => void findBug(store, actions, bug.id)],
      pair && ["What a deeper search changed", () => void comparePair(actions, pair)],
      ["A search of your own: paste it", () => actions.openDialog("paste")],
    ];
  }

  /** @param {State} state @returns {(Try | false | undefined)[]} */
  function inFile({ report, notes }) {
    const n_findings = (report?.groups ?? []).reduce((sum, { count }) => sum + count, 0);
    return [
      n_findings > 0 && [counted(n_findings, "finding"), () => void actions.stepFinding(1)],
      notes.length > 0 && [counted(notes.length, "note"), () => actions.showDrawer("notes")],
      ["Statistics", () => actions.showStatistics()],
    ];
  }

  /** @param {State} state */
  function draw(state) {
    if (!state.isFirst) return;
    /** @type {(Try | false | undefined)[]} */
    const offered = [
      ["Why this ply and not that one", () => void showWhy(actions)],
      ...(isShared ? inFile(state) : toTry(state)),
    ];
    const left = offered.flatMap((one) => (one && !state.tried.includes(one[0]) ? [one] : []));
    renew(container, [
      icon("info", "notes-icon"),
      html(
        "p.first-visit",
        html("span", isShared ? "In this file:" : "Things to try:"),
        left.map((one) => link(one, left.length === 1)),
      ),
      iconButton("close", isShared ? "Close" : "Do not show this again", () => actions.endFirstVisit()),
    ]);
  }

  store.follow(draw, ["isFirst", "tried", "logs", ...(isShared ? /** @type {const} */ (["report", "notes"]) : [])]);
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
