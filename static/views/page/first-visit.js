// @ts-check
/** A first visit: four things to try, each one press, until somebody closes them for good. */

import { button, iconButton } from "../../draw/buttons.js";
import { html, renew } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { showWhy } from "./asking.js";

/** @import { Actions, Mount, State, Store } from "../../data/types.js" */

/** The names of bundled logs of searches with a fault. */
const BUG = /^bug-/;

/** @type {Mount} */
export function mountFirstVisit(container, store, actions) {
  const bugOf = (/** @type {State} */ { logs }) => logs.find(({ name }) => BUG.test(name));

  /** @param {State} state */
  function draw(state) {
    if (!state.isFirst) return;
    const bug = bugOf(state);
    const pair = pairOf(state);
    renew(container, [
      icon("info", "notes-icon"),
      html(
        "p.first-visit",
        html("span", "Things to try:"),
        link("Why this ply and not that one", () => void showWhy(actions)),
        bug && link("The first finding of a search with a bug", () => void findBug(store, actions, bug.id)),
        pair && link("What a deeper search changed", () => void compareTwo(actions, pair)),
        link("A search of your own: paste it", () => actions.openDialog("paste")),
      ),
      iconButton("close", "Do not show this again", () => actions.endFirstVisit()),
    ]);
  }

  store.follow(draw, ["isFirst", "logs"]);
}

/** @param {string} text @param {() => void} press */
const link = (text, press) => button(text, press, { class: "link-button", "data-key": `first-${text}` });

/** Two bundled logs of one position. @param {State} state */
function pairOf({ logs }) {
  const examples = logs.filter(({ source }) => source === "example");
  for (const { start, id } of examples) {
    const other = examples.find((log) => log.id !== id && start !== undefined && log.start === start);
    if (other !== undefined) return [id, other.id];
  }
  return undefined;
}

/** Open the first log, and compare it with the second. @param {Actions} actions @param {string[]} pair */
async function compareTwo(actions, [log = "", against = ""]) {
  await actions.openLog(log);
  await actions.compareWith(against);
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
