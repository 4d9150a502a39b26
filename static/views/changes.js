// @ts-check
/** The list of what changed from the other log to this one, a page at a time, in the drawer. */

import { KIND_WORDS } from "../draw/changes.js";
import { html, redraw } from "../draw/element.js";
import { count, isGiven } from "../draw/numbers.js";
import { fullFigure, shortScore } from "../draw/scores.js";

/** @typedef {import("../data/types.js").State} State */
/** @typedef {import("../data/types.js").Change} Change */

const SEPARATOR = " > ";

/**
 * @param {import("./drawer.js").Places} places
 * @param {import("../data/state.js").Store} store
 * @param {import("../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountChanges({ head, body }, store, actions) {
  const title = html("h2", { class: "rows-title" });
  const pick = html("select", { class: "field", "aria-label": "Kind of change", onchange: () => void actions.showChanges(0, pick.value) });
  const earlier = html("button", { class: "button button-small", type: "button", onclick: () => turn(-1) }, "Earlier");
  const later = html("button", { class: "button button-small", type: "button", onclick: () => turn(1) }, "Later");
  const rows = html("tbody");
  const names = ["change", "path", "before", "now", "difference", "nodes"].map((name) => html("th", { scope: "col" }, name));
  const list = html("div", { class: "changes-list", tabindex: 0, role: "region", "aria-label": "Changes" }, html("table", { class: "changes" }, html("thead", {}, html("tr", {}, names)), rows));
  head.replaceChildren(title, pick, earlier, later);
  body.replaceChildren(list);
  let drawn = /** @type {State["diff"]["found"]} */ (null);

  /** @param {1 | -1} step */
  function turn(step) {
    const { found } = store.get().diff;
    if (found !== null) void actions.showChanges(found.offset + step * Math.max(1, found.nodes.length));
  }

  /** @param {State} state */
  function draw(state) {
    const { found, kinds } = state.diff;
    if (found === null) return;
    const { total, offset, nodes, counts } = found;
    const last = offset + nodes.length;
    const place = total > nodes.length ? `, ${count(offset + 1)} to ${count(last)}` : "";
    title.replaceChildren(html("b", { class: "number" }, count(total)), html("span", {}, ` ${total === 1 ? "change" : "changes"}${place}`));
    const there = Object.keys(KIND_WORDS).filter((kind) => (counts[kind] ?? 0) > 0);
    redraw(pick, [
      html("option", { value: "" }, "all kinds"),
      ...there.map((kind) => html("option", { value: kind }, `${KIND_WORDS[kind]} (${count(counts[kind] ?? 0)})`)),
    ]);
    pick.value = kinds;
    earlier.disabled = offset === 0;
    later.disabled = last >= total;
    earlier.hidden = later.hidden = total <= nodes.length;
    redraw(rows, nodes.map((change) => row(change, state)));
    if (found !== drawn) list.scrollTop = 0;
    drawn = found;
  }

  /** @param {Change} change @param {State} state */
  function row(change, state) {
    const { kind, path, old, delta } = change;
    const now = change.new;
    const mate = state.opened?.search?.["mate"];
    const steps = path.split(SEPARATOR);
    const words = [html("span", { class: "rows-way cut" }, html("bdi", {}, steps.slice(0, -1).join(" \u203a "), steps.length > 1 ? " \u203a" : "")), html("b", { class: "cut" }, steps.at(-1) ?? "")];
    const key = `change-${change.at}`;
    const name = html("button", { class: "changes-link", type: "button", title: path, "data-key": key, onclick: () => void actions.goTo(change.at) }, words);
    return html(
      "tr",
      { "data-kind": kind, "aria-current": change.at === state.selected && "true" },
      html("td", {}, KIND_WORDS[kind] ?? kind),
      html("td", { class: "changes-path" }, name),
      html("td", { class: "number", title: old === null ? "" : fullFigure(old) }, said(old, kind, mate)),
      html("td", { class: "number", title: now === null ? "" : fullFigure(now) }, said(now, kind, mate)),
      html("td", { class: `number ${differenceClass(delta)}` }, isGiven(delta) && delta !== 0 ? shortScore({ score: delta }, null) : change.claims === "contradict" ? html("span", { title: "No score satisfies both claims" }, "contradict") : ""),
      html("td", { class: "number dim" }, change.nodes === undefined ? "" : count(change.nodes)),
    );
  }

  draw(store.get());
  const remove = store.subscribe((state, previous) => {
    if (state.diff !== previous.diff || state.selected !== previous.selected) draw(state);
  });
  return () => {
    remove();
    head.replaceChildren();
    body.replaceChildren();
  };
}

/** What a log says of a change: the count of a stub, else the score, and the outcome where that is what changed. @param {Change["old"]} row @param {string} kind @param {unknown} mate */
function said(row, kind, mate) {
  if (row === null) return "\u2013";
  if (kind === "stub") return row.count === undefined ? "?" : count(row.count);
  const score = shortScore(row, mate);
  return kind === "outcome" ? [score, " ", html("span", { class: "dim" }, row.outcome ?? "")] : score;
}

/** @param {import("../data/types.js").Score | undefined} delta */
function differenceClass(delta) {
  return typeof delta !== "number" || delta === 0 ? "" : delta > 0 ? "changes-more" : "changes-less";
}
