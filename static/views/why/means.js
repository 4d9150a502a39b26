// @ts-check
/** Why a ply of a best-first tree was chosen, as charts: means and visits, the first two close up, and how games ended. */

import { button, smallButton } from "../../draw/buttons.js";
import { html, redraw } from "../../draw/element.js";
import { closeUp, FEW, hasMeans, meansPicture, meansTable } from "./mean-chart.js";
import { count } from "../../draw/numbers.js";
import { endings } from "../../draw/visited-parts.js";

/** @import { Explanation } from "../../data/types.js" */
/** @import { Leads } from "./mean-chart.js" */

/**
 * Draw the charts of an explanation, again whenever another one is given.
 * @param {Leads} leads
 * @returns {{part: HTMLElement, show: (answer: Explanation) => void}}
 */
export function createMeansPart(leads) {
  const part = html("div.why-means");
  let all = false;
  /** @type {Explanation | null} */
  let shown = null;

  /** @param {Explanation} answer */
  function show(answer) {
    if (answer !== shown) all = false;
    shown = answer;
    const { means, chosen, rival } = answer;
    if (means === undefined || chosen === null || rival === null) return void redraw(part, []);
    const pair = { x: chosen.id, y: rival.id };
    const two = [pair.x, pair.y].flatMap((id) => means.plies.find((ply) => ply.id === id) ?? []);
    const few = means.plies.filter((ply, at) => all || at < FEW || two.includes(ply));
    const hidden = means.plies.length - few.length;
    const isKnown = two.length === 2 && two.every(({ interval }) => interval !== undefined);
    const ended = two.flatMap(({ ply, id, ended: games }) =>
      games === undefined ? [] : [{ name: ply ?? `#${id}`, ended: games }],
    );
    redraw(part, [
      head(hasMeans(means) ? "Means, their intervals, visits" : "Visits", () => void save(answer)),
      meansTable(means, pair, few, leads),
      hidden > 0 &&
        button(
          `Show ${count(hidden)} more`,
          () => {
            all = true;
            show(answer);
          },
          { class: "link-button", "data-key": "means-all" },
        ),
      means.more_plies > 0 && html("p.dim.why-caveat", `${count(means.more_plies)} more are not listed.`),
      isKnown &&
        html(
          "h3.section-title.means-title",
          "The two close up",
          means.shared !== null && html("span.dim", "hatched: shared"),
        ),
      isKnown && closeUp(means, two),
      ended.length > 0 && html("h3.section-title.means-title", "Won, drawn, lost for the root player"),
      ended.length > 0 && endings(ended),
    ]);
  }

  return { part, show };
}

/** @param {string} title @param {() => void} save */
function head(title, save) {
  return html(
    "div.why-chart-head",
    html("span.section-title", title),
    smallButton("Save picture", save, { title: "Save the chart as a picture (SVG)", "data-key": "why-save" }),
  );
}

/** @param {Explanation} answer */
async function save({ means, chosen, rival }) {
  if (means === undefined || chosen === null || rival === null) return;
  const { save: asFile } = await import("../chart.js");
  asFile(new Blob([meansPicture(means, { x: chosen.id, y: rival.id })], { type: "image/svg+xml" }), "why.svg");
}
