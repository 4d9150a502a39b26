// @ts-check
/**
 * The choice of a log to compare the open one with: first those that can be, else two others of one position; then
 * those that cannot, each with the reason, and last those that may have nothing in common with it.
 */

import { asOneStop, button, stepWithin } from "../../draw/buttons.js";
import { html, renew } from "../../draw/element.js";
import { followState } from "../dialog.js";
import { aboutLog, reasonAgainst } from "../logs/about.js";
import { comparePair, pairOf } from "./pair.js";

/** @import { Mount, State, Summary } from "../../data/types.js" */

/** @typedef {"same" | "unstated" | "unsure"} Game whether both logs are known to be of one game; unsure: one alone states its game */
/** @typedef {{log: Summary, reason: string | null, game: Game}} Choice why it cannot be compared */

/** In their order; those that cannot be compared stand before the last. */
const RANKS = ["same", "unstated", "", "unsure"];
/** The reasons why a game is not known. @type {Record<Game, string>} */
const UNKNOWN = {
  same: "",
  unstated: " \u00b7 neither log says of which game it is",
  unsure: " \u00b7 of a game that is not known, so they may have nothing in common",
};

/** @param {Summary} log @param {Summary} open @returns {Game} */
function gameOf({ game }, open) {
  if (game !== open.game) return "unsure";
  return game === undefined ? "unstated" : "same";
}

/** @type {Mount} */
export function mountChoice(container, store, actions) {
  const dialog = /** @type {HTMLDialogElement} */ (container);
  const about = html("p.dim");
  const list = html("div.choices", { onkeydown: (/** @type {KeyboardEvent} */ event) => stepped(event) });
  const others = html("button.button", { type: "submit", onclick: () => actions.openWeights() }, "Other weights");
  dialog.replaceChildren(
    html(
      "form.dialog-form",
      { method: "dialog" },
      html("h2.dialog-title", { id: "compare-title" }, "Compare with another log"),
      about,
      html("div.dialog-body", list),
      html("div.dialog-commands", others, html("button.button.button-first", { type: "submit" }, "Close")),
    ),
  );

  /** @param {KeyboardEvent} event */
  function stepped(event) {
    if (stepWithin(event)) event.preventDefault();
  }

  /** @param {Choice} choice */
  function choice({ log, reason, game }) {
    const said = reason ?? `${aboutLog(log)}${UNKNOWN[game]}`;
    return row(log.name, said, () => void actions.compareWith(log.id), {
      class: `choice ${reason === null && game === "unsure" ? "choice-unsure" : ""}`,
      "aria-disabled": reason !== null && "true",
      "data-key": `choice-${log.id}`,
    });
  }

  /** @param {[Summary, Summary]} pair */
  const ofTwo = (pair) =>
    row(`${pair[1].name} \u2192 ${pair[0].name}`, "two logs of one position", () => void comparePair(actions, pair), {
      "data-key": "choice-pair",
    });

  /** @param {string} name @param {string} said @param {() => void} compare @param {Record<string, any>} more */
  function row(name, said, compare, more) {
    const press = () => {
      actions.closeDialog();
      compare();
    };
    return button([html("span.log-name", name), html("span.log-about", said)], press, { class: "choice", ...more });
  }

  /** @param {State} state */
  function fill(state) {
    const { logs, log, diff } = state;
    const open = logs.find(({ id }) => id === log);
    const all = logs.flatMap((each) => {
      if (open === undefined || each === open || each.games || each.tuning) return [];
      const reason = each.id === diff.against ? "it is compared now" : reasonAgainst(each, open);
      return { log: each, reason, game: gameOf(each, open) };
    });
    const rank = (/** @type {Choice} */ { reason, game }) => (reason !== null ? 2 : RANKS.indexOf(game));
    const isAlone = !all.some((each) => rank(each) === 0);
    const pair = isAlone ? pairOf(state) : undefined;
    about.textContent = isAlone
      ? "No other log is known to be of this position: search it again with other weights, or open another log of it."
      : `Both become one tree, which says what changed from the log that you choose to ${open?.name}.`;
    renew(list, [...(pair === undefined ? [] : [ofTwo(pair)]), ...all.sort((a, b) => rank(a) - rank(b)).map(choice)]);
    asOneStop(list);
    return open !== undefined;
  }

  followState(dialog, "compare", store, actions, fill);
}
