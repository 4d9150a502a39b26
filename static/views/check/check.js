// @ts-check
/**
 * The panel of the check: its progress, its findings by group, the chosen finding, the rules that were not asked.
 */

import { differ } from "../../data/state.js";
import { shownGroups } from "./filter-actions.js";
import { button, iconButton, smallButton } from "../../draw/buttons.js";
import { html, progressBar, redraw, withCode } from "../../draw/element.js";
import { countsText, isJudgeless, percent, SEVERITIES, SEVERITY_MEANING } from "../../draw/finding-words.js";
import { icon } from "../../draw/icons.js";
import { count, counted } from "../../draw/numbers.js";
import { askedPart, findingPart, groupPart, notJudged, soFarPart, stepPart, unaskedPart } from "./parts.js";

/** @import { Mount, Report, State } from "../../data/types.js" */
/** @import { Part } from "./parts.js" */

const REDRAWN = /** @type {(keyof State)[]} */ ([
  "report",
  "openGroup",
  "findings",
  "finding",
  "findingFilter",
  "panels",
  "revision",
  "opened",
  "phase",
]);

/** @type {Mount} */
export function mountCheck(container, store, actions) {
  // Kept from one redraw to the next, with the focus and the typed text.
  const words = html("input.field.check-words", {
    type: "search",
    placeholder: "Rule, path, #id or words",
    "aria-label": "Filter the findings by rule, path, id or words",
    autocomplete: "off",
    spellcheck: "false",
    oninput: () => actions.filterFindings(words.value),
  });
  const toggles = html("div.check-severities");
  const filter = html("div.check-filter", { role: "group", "aria-label": "Filter the findings" }, toggles, words);
  const below = html("div");
  const all = button([], turn, { class: "button button-small check-all", "data-key": "check-all" });
  const table = smallButton("Table", () => void actions.showTable("findings", null), {
    "data-asks": true,
    "data-key": "check-table",
    title: "Every finding as a row of the table below the tree: sorted, coloured, as CSV",
  });
  container.replaceChildren(head(), filter, below);
  let drawn = /** @type {{said: string | undefined, part: Element | null}} */ ({ said: undefined, part: null });
  let listed = false; // where there is little room: whether the list is shown instead of the finding
  /** @type {Map<string, boolean>} parts that were folded or unfolded by hand */
  const folded = new Map();

  /** @param {Part} part */
  function section({ title, content, open = false }) {
    /** @param {Event} event */
    const keep = (event) => void folded.set(title, !(/** @type {HTMLDetailsElement} */ (event.currentTarget).open));
    return html(
      "details.section",
      { open: !(folded.get(title) ?? !open), ontoggle: keep },
      html("summary.section-title", { "data-key": `check-part-${title}` }, title),
      content,
    );
  }

  function head() {
    return html(
      "div.details-head.check-head",
      icon("check"),
      html("h2.details-name", "Check"),
      all,
      table,
      iconButton("close", "Close the check", () => actions.setPanel("check", false), {
        title: "Close (C)",
        "data-key": "check-close",
      }),
    );
  }

  function turn() {
    listed = !listed;
    draw(store.get());
    container.scrollTop = 0;
  }

  /** @param {State} state */
  function body(state) {
    const { report, opened } = state;
    if (opened === null)
      return [html("p.section.section-empty", "What a check finds appears here once a log is open.")];
    if (opened.log.live !== undefined)
      return [html("p.section.section-empty", "A log is checked once it is whole: this one is being written.")];
    if (report === null) return [html("p.section.section-empty", { role: "status" }, "Loading\u2026")];
    if (report.state === "running") return [running(report), soFar(report)];
    if (report.state === "failed") return [failed(report)];
    if (report.state === "none") return [unchecked(opened.totals.rows)];
    return (report.groups ?? []).length === 0 ? clean(report) : found(state, report);
  }

  /** @param {number} rows */
  function unchecked(rows) {
    return html(
      "div.section.check-say",
      html(
        "p",
        `This log is not checked yet. It has ${counted(rows, "row")}, which may take a while; you can go on looking at it meanwhile.`,
      ),
      button("Check this log", () => void actions.runCheck(), {
        "data-asks": true,
        class: "button button-first",
        "data-key": "check-run",
      }),
    );
  }

  /**
   * The findings so far, drawn anew only where they are others, so that a press on one survives each step of progress.
   * @param {Report} report
   */
  function soFar(report) {
    const said = JSON.stringify(report.groups);
    if (said !== drawn.said) drawn = { said, part: soFarPart(report, actions) };
    return drawn.part;
  }

  /** @param {Report} report */
  function running(report) {
    const { progress = 0, rows, phase, compiling } = report;
    const checking = phase === "checking" || phase === "replaying";
    const bar = progressBar("Check", checking ? progress : null);
    bar.classList.toggle("progress-still", compiling === true);
    const work =
      phase === "replaying" ? "Playing the game again, for the last rule" : `Checking ${counted(rows, "row")}`;
    const done = checking ? `${work}, ${percent(report)}.` : "Getting ready\u2026";
    const text = `${done}${compiling ? " Compiling the rules, once on a machine\u2026" : ""}`;
    return html(
      "div.section.check-say",
      html("p", text),
      bar,
      button("Cancel", () => void actions.cancelCheck(), { "data-key": "check-cancel" }),
    );
  }

  /** @param {Report} report */
  function failed({ error }) {
    return html(
      "div.section.check-say",
      html(
        "p.panel-error",
        { role: "alert" },
        withCode(`The check did not come to its end: ${error ?? "nobody knows why"}.`),
      ),
      button("Try again", () => void actions.runCheck(), { "data-key": "check-run" }),
    );
  }

  /** @param {Report} report */
  function clean(report) {
    const asked = report.checked ?? [];
    const nothing = isJudgeless(report);
    return [
      html(
        "div.section.check-say",
        html(
          "p.check-clean",
          icon(nothing ? "info" : "clean", nothing ? "" : "severity-clean"),
          html("strong", nothing ? "Nothing to judge" : "Nothing was found"),
        ),
        html(
          "p",
          nothing
            ? "No rule could be asked, so this says neither that the search is right nor that it is wrong. What the log would have to state, first of all the scores:"
            : `${counted(asked.length, "rule")} asked of ${counted(report.rows, "row")}; none is broken.${left(report)}`,
        ),
        nothing ? null : notJudged(report),
      ),
      nothing ? null : section(askedPart(report)),
      unasked(report, nothing),
    ];
  }

  /** The sentence on what the check leaves open, after a blank. @param {Report} report */
  function left({ checked = [], not_checked: unasked = [] }) {
    const asked = new Set(checked.map(({ rule }) => rule));
    const not = unasked.filter(({ rule }) => !asked.has(rule)).length;
    return not === 0
      ? ""
      : ` ${counted(not, "rule")} could not be asked, most of them for fields that the log does not state.`;
  }

  /** @param {Report} report @param {boolean} [open] */
  function unasked(report, open = false) {
    const part = unaskedPart(report);
    return part === null ? null : section({ ...part, open });
  }

  /** @param {State} state @param {Report} report */
  function found(state, report) {
    const groups = shownGroups(state);
    const matters = notJudged(report);
    return [
      stepPart(state, groups, actions),
      notInside(report),
      state.finding && findingPart(state.finding, state, actions),
      groups.length === 0
        ? nothingLeft(state)
        : html(
            "ul.check-groups",
            { "aria-label": "Findings by rule" },
            groups.map((group) => groupPart(group, state, actions)),
          ),
      unread(state),
      section(askedPart(report)),
      matters && html("div.section.check-say", matters),
      unasked(report),
    ];
  }

  /** The note on findings that a shared page lacks. @param {Report} report */
  function notInside({ in_log, groups = [] }) {
    const inside = groups.reduce((sum, group) => sum + group.count, 0);
    if (in_log === undefined || in_log <= inside) return null;
    const text = `The log has ${counted(in_log, "finding")}; this file holds ${count(inside)}, the first of each rule.`;
    return html("p.section.dim", text);
  }

  /** @param {State} state */
  function nothingLeft({ findingFilter: { text, hidden } }) {
    const what =
      text.trim() === ""
        ? "No finding is of a severity that is shown."
        : `No finding ${hidden.length > 0 ? "that is shown " : ""}matches \u201c${text.trim()}\u201d.`;
    return html(
      "div.section.check-say",
      { role: "status" },
      html("p.check-message", what),
      smallButton("Clear the filter", () => actions.clearFilter(), { "data-key": "check-clear" }),
    );
  }

  /** @param {State} state */
  function unread({ findingFilter: { found } }) {
    if (found === null || found.unread === 0) return null;
    return html(
      "div.section.check-say",
      html("p.dim", `Rules, paths and ids were searched; not yet the messages of ${counted(found.unread, "finding")}.`),
      smallButton("Search on", () => actions.seekOn(), { "data-key": "check-seek-on" }),
    );
  }

  /** @param {State} state @param {Report} report */
  function severityToggles({ findingFilter }, report) {
    const counts = report.counts ?? { wrong: 0, waste: 0, odd: 0 };
    const buttons = SEVERITIES.map((severity) => {
      const pressed = counts[severity] > 0 && !findingFilter.hidden.includes(severity);
      return button(
        [icon(severity, `severity-${severity}`), html("span.number", `${count(counts[severity])} ${severity}`)],
        () => actions.toggleSeverity(severity),
        {
          class: "button button-small check-severity",
          "aria-pressed": String(pressed),
          "aria-disabled": String(counts[severity] === 0),
          "data-key": `check-${severity}`,
          title: `${severity}: ${SEVERITY_MEANING[severity]}`,
        },
      );
    });
    return [html("p.visually-hidden", countsText(report)), ...buttons];
  }

  /** @param {State} state */
  function draw(state) {
    if (!state.panels.check) return;
    container.setAttribute("aria-busy", String(state.report === null || state.report.state === "running"));
    if (words.value !== state.findingFilter.text) words.value = state.findingFilter.text;
    const scrolled = container.scrollTop;
    const { report } = state;
    const filtered = report?.state === "done" && (report.groups ?? []).length > 0;
    filter.hidden = !filtered;
    table.hidden = !filtered;
    if (filtered) redraw(toggles, severityToggles(state, report));
    redraw(below, body(state));
    all.hidden = !filtered || state.finding === null;
    all.textContent = listed ? "This finding" : "All findings";
    container.classList.toggle("check-one", !all.hidden && !listed);
    container.scrollTop = scrolled;
  }

  draw(store.get());
  store.subscribe((state, previous) => {
    if (state.finding !== previous.finding) listed = false;
    if (differ(state, previous, ...REDRAWN)) draw(state);
  });
}
