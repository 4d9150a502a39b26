// @ts-check
/** A log in the list: its size or nodes, its age, the progress of its reading; and the item of results. */

import { pageOfResults } from "../../data/route.js";
import { html } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { bytes, counted } from "../../draw/numbers.js";

/** @import { Summary } from "../../data/types.js" */

/** Where logs come from, in words. */
export const SOURCES = {
  file: "given on the command line",
  folder: "from the folder",
  example: "an example",
  pasted: "pasted",
};

/** The item of a file of games or trials: its results are another page. @param {Summary} log */
export function resultsItem(log) {
  return html(
    "li.log",
    html(
      "a.log-button",
      { href: pageOfResults(log) ?? "", title: `${log.name}, ${SOURCES[log.source]}: the results` },
      icon("ranking", "log-icon"),
      html(
        "span.log-text",
        html("span.log-name", log.name),
        html(
          "span.log-about.number",
          `${log.tuning === true ? "trials of a tuning" : "games of a match"} · ${bytes(log.n_bytes)}`,
        ),
      ),
    ),
  );
}

/** The figures of a log in one line: `27,931 nodes · depth 3 · limit 30`. @param {Summary} log */
export function aboutLog(log) {
  if (log.state === "reading") return `${bytes(log.n_bytes)} · reading${percent(log.progress)}`;
  const parts = [log.nodes === undefined ? bytes(log.n_bytes) : counted(log.nodes, "node")];
  if (log.depth !== undefined) parts.push(`depth ${log.depth}`);
  if (log.limit !== undefined) parts.push(`limit ${log.limit}`);
  if (log.added !== undefined) parts.push(when(log.added));
  return parts.join(" · ");
}

/**
 * The reason why a log cannot be compared with the open one, as far as it is known before both are read; null without
 * one.
 * @param {Summary} log
 * @param {Summary} open
 */
export function reasonAgainst(log, open) {
  if (log.state === "failed") return "it cannot be read";
  if (log.game !== undefined && open.game !== undefined && log.game !== open.game) return `another game, ${log.game}`;
  if (log.start !== undefined && open.start !== undefined && log.start !== open.start) return "another position";
  return null;
}

/** The words for a file that was changed or removed since it was read. @param {Summary} log */
export function newsOf({ changed, gone }) {
  const news = gone ? "file gone" : changed ? "changed" : null;
  return news !== null && [" \u00b7 ", html("span.log-news", news)];
}

/** A time of today as `14:05`, an earlier one as its day. @param {number} seconds since 1970 */
function when(seconds) {
  const time = new Date(seconds * 1000);
  const today = time.toDateString() === new Date().toDateString();
  return today ? time.toTimeString().slice(0, 5) : time.toLocaleDateString([], { day: "numeric", month: "short" });
}

/** @param {number | undefined} progress */
function percent(progress) {
  return progress === undefined ? "" : ` ${Math.floor(progress * 100)} %`;
}
