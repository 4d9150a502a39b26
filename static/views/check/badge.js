// @ts-check
/** The badge of the check in the row of commands: how many findings of each severity; it opens their panel. */

import { html, redraw } from "../../draw/element.js";
import { isJudgeless, percent, reportSentence, SEVERITIES } from "../../draw/finding-words.js";
import { icon } from "../../draw/icons.js";
import { shortCount } from "../../draw/numbers.js";

/** @typedef {import("../../data/types.js").State} State */

/**
 * @param {import("../../data/state.js").Store} store
 * @param {import("../../data/actions.js").Actions} actions
 * @returns {{element: HTMLElement, draw: (state: State) => void}}
 */
export function createBadge(store, actions) {
  const button = html("button", {
    class: "button badge",
    type: "button",
    "aria-controls": "check-panel",
    "aria-keyshortcuts": "c",
    onclick: press,
  });
  const spoken = html("span", { class: "visually-hidden", role: "status" });
  const element = html("div", { class: "topbar-group" }, button, spoken);
  /** @type {State["report"] | undefined} */
  let drawn;

  function press() {
    if (store.get().phase === "ready") actions.setPanel("check");
  }

  /** @param {State} state */
  function draw({ phase, report, panels }) {
    button.setAttribute("aria-expanded", String(panels.check));
    button.setAttribute("aria-disabled", String(phase !== "ready"));
    if (report === drawn) return;
    drawn = report;
    const sentence = reportSentence(report);
    button.setAttribute("aria-label", sentence);
    button.title = `${sentence} (C)`;
    redraw(button, face(report));
    const said = report?.state === "done" || report?.state === "failed" ? sentence : "";
    if (spoken.textContent !== said) spoken.textContent = said;
  }

  return { element, draw };
}

/**
 * @param {State["report"]} report
 * @returns {(Node | string)[]}
 */
function face(report) {
  if (report?.state === "running") return [icon("check"), html("span", { class: "number" }, percent(report))];
  if (report?.state === "failed") return [icon("warning", "severity-wrong"), "Check"];
  const { counts } = report ?? {};
  if (report?.state !== "done" || counts === undefined) return [icon("check"), "Check"];
  const there = SEVERITIES.filter((severity) => counts[severity] > 0);
  if (there.length === 0 && isJudgeless(report)) return [icon("info"), "Nothing to judge"];
  if (there.length === 0) return [icon("clean", "severity-clean"), "Clean"];
  return there.map((severity) =>
    html(
      "span",
      { class: "badge-count number" },
      icon(severity, `severity-${severity}`),
      shortCount(counts[severity]),
      there.length === 1 && html("span", { class: "button-word" }, severity),
    ),
  );
}
