// @ts-check
/** The badge of the check in the row of commands: the number of findings of each severity; it opens their panel. */

import { button } from "../../draw/buttons.js";
import { html, redraw } from "../../draw/element.js";
import { isJudgeless, percent, reportSentence, SEVERITIES } from "../../draw/finding-words.js";
import { icon } from "../../draw/icons.js";
import { shortCount } from "../../draw/numbers.js";

/** @import { Actions, State, Store } from "../../data/types.js" */

/** @param {Store} store @param {Actions} actions @returns {{element: HTMLElement, draw: (state: State) => void}} */
export function createBadge(store, actions) {
  const badge = button([], press, { class: "button badge", "aria-controls": "check-panel", "aria-keyshortcuts": "c" });
  const spoken = html("span.visually-hidden", { role: "status" });
  const element = html("div.topbar-group", badge, spoken);
  /** @type {State["report"] | undefined} */
  let drawn;

  function press() {
    if (store.get().phase === "ready") actions.setPanel("check");
  }

  /** @param {State} state */
  function draw({ phase, report, panels }) {
    badge.setAttribute("aria-expanded", String(panels.check));
    badge.setAttribute("aria-disabled", String(phase !== "ready"));
    if (report === drawn) return;
    drawn = report;
    const sentence = reportSentence(report);
    badge.setAttribute("aria-label", sentence);
    badge.title = `${sentence} (C)`;
    redraw(badge, face(report));
    const said = report?.state === "done" || report?.state === "failed" ? sentence : "";
    if (spoken.textContent !== said) spoken.textContent = said;
  }

  return { element, draw };
}

/** @param {State["report"]} report @returns {(Node | string)[]} */
function face(report) {
  if (report?.state === "running") return [icon("check"), html("span.number", percent(report))];
  if (report?.state === "failed") return [icon("warning", "severity-wrong"), "Check"];
  const { counts } = report ?? {};
  if (report?.state !== "done" || counts === undefined) return [icon("check"), "Check"];
  const there = SEVERITIES.filter((severity) => counts[severity] > 0);
  if (there.length === 0 && isJudgeless(report)) return [icon("info"), "Nothing to judge"];
  if (there.length === 0) return [icon("clean", "severity-clean"), "Clean"];
  return there.map((severity) =>
    html(
      "span.badge-count.number",
      icon(severity, `severity-${severity}`),
      shortCount(counts[severity]),
      there.length === 1 && html("span.button-word", severity),
    ),
  );
}
