// @ts-check
/** A tuning in words and tables: its terms, the chosen trial, the list of all trials. */

import { button } from "../draw/buttons.js";
import { html } from "../draw/element.js";
import { count, counted, signed } from "../draw/numbers.js";
import { table } from "../match/standings.js";

/** @import { Tried, Tuned } from "./types.js" */

/** Rows of the list of trials. */
const MOST_LISTED = 1000;

/** The terms of the tuning in a line. @param {Tuned} tuned */
export function termsOf({ game, evaluation, trials, games, against }) {
  const judged = evaluation === null ? "" : `, judged by ${evaluation}`;
  return `${game}${judged} · ${counted(trials.length, "trial")} of ${counted(games, "game")} against ${against}`;
}

/** The sentences on the best trial, and on how sure it is. @param {Tuned} tuned */
export function sentencesOf({ trials, best, fresh, faults_in_words: faults }) {
  const first = trials.find(({ trial }) => trial === best);
  if (first === undefined) return [];
  const took = `Trial ${best} took ${percent(first.value)} of the points of its ${counted(played(first), "game")}.`;
  const luck = trials.length > 1 ? `: the best of ${count(trials.length)} trials is partly luck` : "";
  if (fresh === null) return [...faults, took, `Its weights played no fresh games${luck}.`];
  const [low, high] = fresh.of_95;
  const why = fresh.value < first.value ? luck : "";
  return [
    ...faults,
    took,
    `In ${counted(played(fresh), "fresh game")} its weights took ${percent(fresh.value)} of the points (95 % interval: ${percent(low)} to ${percent(high)})${why}.`,
  ];
}

/** @param {Tried} trial */
export function saysOf(trial) {
  const { won, drawn, lost } = trial;
  return `${percent(trial.value)} of ${counted(played(trial), "game")}: ${count(won)} won, ${count(drawn)} drawn, ${count(lost)} lost`;
}

/** The weights of a trial beside those of the best. @param {Tuned} tuned @param {Tried} trial */
export function tableOfWeights({ names, trials, best, importances }, trial) {
  const first = trials.find((each) => each.trial === best);
  return table(
    `Weights of trial ${trial.trial}`,
    ["weight of", `trial ${trial.trial}`, `best, trial ${best}`, "importance"],
    names.map((name, place) => [
      html("bdi", name),
      signed(trial.weights[place] ?? 0, 3),
      signed(first?.weights[place] ?? 0, 3),
      importances[name] === undefined ? "–" : `${Math.round(100 * importances[name])} %`,
    ]),
  );
}

/**
 * All trials, each with the way to it.
 * @param {Tuned} tuned
 * @param {{now: number, isByShare: boolean, choose: (trial: number) => void}} asked
 */
export function tableOfTrials({ trials, names }, { now, isByShare, choose }) {
  const sorted = isByShare ? [...trials].sort((a, b) => b.value - a.value || a.trial - b.trial) : trials;
  const rows = sorted
    .slice(0, MOST_LISTED)
    .map((trial) => [
      button(String(trial.trial), () => choose(trial.trial), {
        class: "figure-go",
        "data-key": `trial-${trial.trial}`,
        "aria-current": trial.trial === now ? "true" : null,
        title: "Look at this trial",
      }),
      percent(trial.value),
      count(trial.won),
      count(trial.drawn),
      count(trial.lost),
      ...trial.weights.map((weight) => signed(weight, 2)),
    ]);
  const left = trials.length - rows.length;
  return [
    table("Trials", ["trial", "share", "won", "drawn", "lost", ...names], rows),
    left > 0 && html("p.dim", `and ${counted(left, "trial")} more, in the file`),
  ];
}

/** @param {Tried} trial */
function played({ won, drawn, lost }) {
  return won + drawn + lost;
}

/** @param {number} share */
function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}
