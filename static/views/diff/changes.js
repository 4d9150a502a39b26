// @ts-check
/** Changes from another log in the table of nodes: the choice of their kind, and their cells. */

import { KIND_WORDS } from "../../draw/changes.js";
import { html, renew } from "../../draw/element.js";
import { count, isGiven } from "../../draw/numbers.js";
import { meanText } from "../../draw/lettering.js";
import { fullFigure, resultOf, shortScore } from "../../draw/scores.js";

/** @import { Actions, ComparedRow, Listing, State } from "../../data/types.js" */

/** The choice of a kind of changes; hidden beside other rows. @param {Actions} actions */
export function createKinds(actions) {
  const element = html("select.field.rows-kinds", {
    "aria-label": "Kind of change",
    hidden: true,
    onchange: () => void actions.showTable("changes", null, { q: element.value }),
  });

  /** @param {State} state @param {Listing} listing */
  function draw({ diff: { found } }, listing) {
    element.hidden = listing.source !== "changes" || found === null;
    if (element.hidden || found === null) return;
    const there = Object.keys(KIND_WORDS).filter((kind) => (found.counts[kind] ?? 0) > 0);
    renew(element, [
      html("option", { value: "" }, "all kinds"),
      ...there.map((kind) =>
        html("option", { value: kind }, `${KIND_WORDS[kind]} (${count(found.counts[kind] ?? 0)})`),
      ),
    ]);
    element.value = listing.q;
  }

  return { element, draw };
}

/**
 * A cell of a change.
 * @param {string} name of the column
 * @param {Record<string, any>} cells
 * @param {unknown} mate how the log scores wins
 */
export function changeCell(name, cells, mate) {
  const kind = String(cells["change"]);
  if (name === "change") return html("span.cut", KIND_WORDS[kind] ?? kind);
  if (name === "before" || name === "now") {
    const row = /** @type {ComparedRow | null} */ (cells[name]);
    return html("span.number.cut", { title: row === null ? "" : fullFigure(row) }, said(row, kind, mate));
  }
  if (name === "nodes") return html("span.number.dim", isGiven(cells["nodes"]) ? count(cells["nodes"]) : "");
  const delta = cells["difference"];
  if (cells["claims"] === "contradict" && !isGiven(delta))
    return html("span.number", { title: "No score satisfies both claims" }, "contradict");
  // A figure and a won or lost game have no difference that says anything.
  const [before, now] = [cells["before"], cells["now"]].map((row) => row && resultOf(row, mate) !== null);
  if (isGiven(delta) && before !== now) return html("span.number.dim", "\u2013");
  const way = typeof delta !== "number" || delta === 0 ? "" : delta > 0 ? " changes-more" : " changes-less";
  return html(
    "span",
    { class: `number${way}` },
    isGiven(delta) && delta !== 0 ? shortScore({ score: delta }, null) : "",
  );
}

/**
 * What a log says of a change: the count of a stub, else the score, and the outcome where that is what changed.
 * @param {ComparedRow | null} row
 * @param {string} kind
 * @param {unknown} mate
 */
function said(row, kind, mate) {
  if (row === null) return "\u2013";
  if (kind === "stub") return row.count === undefined ? "?" : count(row.count);
  const score = shortScore(row, mate) || meanText(row);
  return kind === "outcome" ? [score, " ", html("span.dim", row.outcome ?? "")] : score;
}
