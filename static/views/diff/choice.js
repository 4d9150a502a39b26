// @ts-check
/**
 * The choice of a log to compare the open one with: first those that can be, else two others of one position; then the
 * rest, each with the reason why not.
 */

import { asOneStop, button, stepWithin } from "../../draw/buttons.js";
import { html, renew } from "../../draw/element.js";
import { followState } from "../dialog.js";
import { aboutLog, reasonAgainst } from "../logs/about.js";
import { comparePair, pairOf } from "./pair.js";

/** @import { Mount, State, Summary } from "../../data/types.js" */

/** @typedef {{log: Summary, reason: string | null, isOfGame: boolean}} Choice why it cannot be compared; whether its game is known to be the same */

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
  function choice({ log, reason, isOfGame }) {
    const said = reason ?? (isOfGame ? aboutLog(log) : `${aboutLog(log)} \u00b7 of a game that is not known yet`);
    return row(log.name, said, () => void actions.compareWith(log.id), {
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
      return { log: each, reason, isOfGame: each.game !== undefined && each.game === open.game };
    });
    const rank = (/** @type {Choice} */ { reason, isOfGame }) => (reason !== null ? 2 : isOfGame ? 0 : 1);
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
