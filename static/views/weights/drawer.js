// @ts-check
/** The evidence below the tree: the interval of each root ply under the weights, and its score against one of them. */

import { toNumber } from "../../data/claims.js";
import { button } from "../../draw/buttons.js";
import { html, redraw, tableHead } from "../../draw/element.js";
import { apart, count } from "../../draw/numbers.js";
import { intervalText } from "../../draw/scores.js";
import { placed, spanOf } from "./words.js";
import { chartOf } from "./chart.js";
import { drawChart } from "../chart.js";

/** @import { MountTab, Reweighted, State } from "../../data/types.js" */
/** @import { Digits } from "../../draw/numbers.js" */

/** Root plies of the chart: the first, and those that reach most. */
const MOST_LINES = 6;
/** The parts of the state that are shown here; unanswered questions are not. */
const SHOWN = /** @type {const} */ (["found", "logged", "ranges", "factor"]);
/** Milliseconds without a change before the chart is drawn again. */
const QUIET = 120;
/** Room beside the outermost ends of the bars, as a share of their range. */
const MARGIN = 0.06;

/** @type {MountTab} */
export function mountWeightsDrawer({ head, body }, store, actions) {
  const about = html("span.dim.cut");
  const bars = html("div", { role: "region", "aria-label": "Root plies" });
  const pick = html("select.field", {
    "aria-label": "Weight that the chart is about",
    onchange: () => actions.pickFactor(pick.value),
  });
  const place = html("div");
  const right = html(
    "div",
    { role: "region", "aria-label": "Score against one weight" },
    html("label.chart-pick", "Score against", pick),
    place,
  );
  head.replaceChildren(about);
  body.replaceChildren(html("div.weights-evidence", bars, right));
  let removeChart = () => {};
  let asked = "";
  let timer = 0;
  let release = () => {};

  /** @param {State} state */
  function draw(state) {
    const { found, logged, ranges } = state.weights;
    if (found === null) return;
    about.textContent = `re-weighed from ${count(found.leaves.moved)} recorded leaves`;
    redraw(bars, intervals(found, logged, state));
    const names = Object.keys(found.weights);
    const factor = state.weights.factor ?? ranges?.[0]?.name ?? names[0];
    if (factor === undefined) return;
    if (pick.options.length !== names.length || [...pick.options].some(({ value }, at) => value !== names[at])) {
      pick.replaceChildren(...names.map((name) => html("option", { value: name }, name)));
    }
    pick.value = factor;
    const now = found.changed[factor] ?? found.logged[factor] ?? 0;
    const key = `${factor}|${now}|${found.plies
      .slice(0, MOST_LINES)
      .map(({ id }) => id)
      .join()}|${ranges === null}`;
    if (key === asked) return;
    asked = key;
    clearTimeout(timer);
    release();
    release = store.hold();
    timer = window.setTimeout(() => void chart(factor, key), QUIET);
  }

  /** @param {string} factor @param {string} key */
  async function chart(factor, key) {
    const done = release;
    try {
      const { found, ranges } = store.get().weights;
      if (found === null) return;
      const logged = found.logged[factor] ?? 0;
      const now = found.changed[factor] ?? logged;
      const largest = Math.max(...Object.values(found.logged).map((weight) => Math.abs(weight ?? 0)));
      const span = spanOf(logged, now, largest);
      const curve = await actions.curveOf(factor, span[0], span[1]);
      if (curve === null || key !== asked) return;
      const shown = new Map(found.plies.slice(0, MOST_LINES).map((ply) => [ply.id, ply]));
      const lines = curve.plies.filter((/** @type {{id: number}} */ { id }) => shown.has(id));
      removeChart();
      removeChart = drawChart(
        place,
        chartOf({ factor, logged, now, span, range: ranges?.find((each) => each.name === factor) }, lines, found),
        store,
      );
    } finally {
      done();
    }
  }

  /** @param {Reweighted} found @param {Reweighted | null} logged @param {State} state */
  function intervals(found, logged, state) {
    const mate = state.opened?.search?.["mate"];
    const plies = found.plies;
    const before = new Map(
      (logged?.plies ?? []).map((ply) => [
        ply.id,
        /** @type {[number, number]} */ ([toNumber(ply.low), toNumber(ply.high)]),
      ]),
    );
    const now = plies.map(({ low, high }) => /** @type {[number, number]} */ ([toNumber(low), toNumber(high)]));
    const finite = now.flat().filter(Number.isFinite);
    const digits = apart(finite);
    const digitsBefore = apart([...before.values()].flat().filter(Number.isFinite));
    const [least, most] = [Math.min(...finite), Math.max(...finite)];
    const room = (most - least || 1) * MARGIN;
    const at = (/** @type {number} */ score) =>
      Math.min(1, Math.max(0, (score - least + room) / (most - least + 2 * room)));
    const root = state.opened === null ? undefined : state.nodes.get(state.opened.root);
    const first = now[0];
    const mark = first === undefined ? NaN : root?.layer === "min" ? first[1] : first[0];
    const rows = plies.map((ply, place) => {
      const [low, high] = /** @type {[number, number]} */ (now[place]);
      const bar = html("span", {
        class: `interval-bar${Number.isFinite(low) && Number.isFinite(high) ? "" : " is-open"}`,
        style: placed(at(low), Math.max(0.004, at(high) - at(low))),
      });
      const ends = [low, high].filter(Number.isFinite);
      const marks = ends.map((end) => html("span.interval-end", { style: placed(at(end)) }));
      const dotted = Number.isFinite(mark) && html("span.interval-least", { style: placed(at(mark)) });
      const old = before.get(ply.id);
      return html(
        "tr",
        { "data-place": ply.place },
        html(
          "th",
          { scope: "row" },
          button(ply.ply ?? "?", () => void actions.goTo(ply.id), {
            class: "weights-link",
            "data-key": `interval-${ply.id}`,
          }),
        ),
        html("td.number.dim", old === undefined ? "" : intervalText(old, mate, digitsBefore)),
        html("td.interval-cell", { "aria-hidden": "true" }, html("span.interval-plot", bar, marks, dotted)),
        html("td.number.interval-now", wordsOf([low, high], mate, digits)),
        html("td.interval-place", ply.place),
      );
    });
    const more =
      found.more_plies > 0
        ? html("p.dim", `${count(found.more_plies)} more plies, none of which reaches further.`)
        : null;
    return [
      html(
        "h2.evidence-title",
        "Root plies",
        html("span.dim", `where each can lie; dotted: ${root?.layer === "min" ? "most" : "least"} of the first`),
      ),
      html("table.intervals", tableHead(["ply", "as logged", null, "now", null]), html("tbody", rows)),
      more,
    ];
  }

  draw(store.get());
  const remove = store.subscribeAtRest((state, previous) => {
    if (SHOWN.some((key) => state.weights[key] !== previous.weights[key])) draw(state);
  });
  return () => {
    remove();
    clearTimeout(timer);
    release();
    removeChart();
    head.replaceChildren();
    body.replaceChildren();
  };
}

/**
 * An interval where there is room for a word.
 * @param {[number, number]} interval
 * @param {unknown} mate
 * @param {Digits} digits
 */
function wordsOf(interval, mate, digits) {
  return interval[0] === -Infinity && interval[1] === Infinity ? "unknown" : intervalText(interval, mate, digits);
}
