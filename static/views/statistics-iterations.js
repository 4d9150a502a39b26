// @ts-check
/** The chart of iterations: the score of a node, tree by tree, its bounds hollow, and the best ply in words under it. */

import { html } from "../draw/element.js";
import { signed } from "../draw/numbers.js";
import { seen } from "../draw/seen.js";
import { drawChart } from "./chart.js";

/** @typedef {import("../data/types.js").Id} Id */
/** @typedef {import("../data/statistics-actions.js").Statistics} Statistics */
/** @typedef {import("../data/statistics-actions.js").NodeIteration} NodeIteration */

const SIGNS = /** @type {Record<string, string>} */ ({ exact: "", lower: "≥ ", upper: "≤ ", "": "? " });

/**
 * @param {HTMLElement} section
 * @param {Statistics} found
 * @param {import("../data/state.js").Store} store
 * @param {import("../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountIterations(section, found, store, actions) {
  const place = html("div", { class: "figure-chart" });
  section.setAttribute("aria-label", "Iterations");
  section.replaceChildren(html("div", { class: "figure-head" }, html("h2", { class: "section-title" }, "Iterations")), place);
  let remove = () => {};
  let of = /** @type {Id | null} */ (null);
  let isGone = false;

  /** The selected node, or the whole tree where a root is selected. */
  async function draw() {
    const { selected, nodes } = store.get();
    const node = selected === null ? undefined : nodes.get(selected);
    const id = node === undefined || node.parent === null ? null : node.id;
    if (id === of && place.childElementCount > 0) return;
    of = id;
    if (id === null) return show("the root", found.iterations);
    const release = store.hold();
    try {
      const { items } = await actions.nodeIterations(id);
      if (!isGone && of === id) show(node?.ply ?? `#${id}`, items);
    } catch (error) {
      if (!isGone && of === id) place.replaceChildren(html("p", {}, error instanceof Error ? error.message : String(error)));
    } finally {
      release();
    }
  }

  /** @param {string} name @param {readonly (NodeIteration | Statistics["iterations"][number])[]} trees */
  function show(name, trees) {
    remove();
    remove = drawChart(place, chartOf(name, trees, found), store);
  }

  void draw();
  const unsubscribe = store.subscribe((state, previous) => {
    if (state.selected !== previous.selected) void draw();
  });
  return () => {
    isGone = true;
    unsubscribe();
    remove();
  };
}

/**
 * @param {string} name
 * @param {readonly (NodeIteration | Statistics["iterations"][number])[]} trees
 * @param {Statistics} found
 * @returns {import("./chart.js").Chart}
 */
function chartOf(name, trees, found) {
  const values = trees.map((tree, at) => ({
    at,
    tree: `${treeName(tree.iteration, tree.attempt, at)}\n${"ply" in tree && tree.ply !== null ? seen(tree.ply) : ""}`,
    score: typeof tree.score === "number" ? tree.score : null,
    kind: tree.bound === "exact" ? "exact" : "bound",
    ply: "ply" in tree && tree.ply !== null ? tree.ply : "",
    nodes: tree.nodes ?? null,
  }));
  const scored = trees.filter(({ score }) => score !== null);
  const last = scored[scored.length - 1];
  const more = found.more_iterations ?? 0;
  const ends = last === undefined ? "has no score in any tree" : `ends at ${SIGNS[last.bound] ?? ""}${signed(last.score ?? undefined)}`;
  const x = { field: "tree", type: "ordinal", sort: null, title: "iteration", axis: { labelAngle: 0, labelExpr: "split(datum.value, '\\n')", labelLimit: 90 } };
  const y = { field: "score", type: "quantitative", title: "score", scale: { zero: false } };
  const points = (/** @type {string} */ kind, /** @type {boolean} */ filled) => ({
    transform: [{ filter: `datum.kind === '${kind}' && datum.score !== null` }],
    mark: { type: "point", filled, size: 60, color: "var(--ink)", fill: filled ? undefined : "var(--pane)", opacity: 1 },
    encoding: { x, y },
  });
  const hasPlies = values.some(({ ply }) => ply !== "");
  return {
    name: "iterations",
    caption: `Score of ${name} by iteration: it ${ends}. Hollow: a bound.${hasPlies ? " Under it the best ply." : ""}${more > 0 ? ` The first ${trees.length} of ${trees.length + more} trees.` : ""}`,
    spec: {
      data: { values },
      height: 130,
      layer: [
        { transform: [{ filter: "datum.score !== null" }], mark: { type: "line", interpolate: "step-after", color: "var(--dim)" }, encoding: { x, y } },
        points("bound", false),
        points("exact", true),
      ],
    },
    table: {
      columns: ["iteration", "score", "best ply", "nodes"],
      rows: trees.map((tree, at) => [
        treeName(tree.iteration, tree.attempt, at),
        tree.score === null ? "–" : `${SIGNS[tree.bound] ?? ""}${signed(tree.score)}`,
        values[at]?.ply ?? "",
        tree.nodes ?? "–",
      ]),
    },
  };
}

/** @param {number | null} iteration @param {number} attempt @param {number} at */
function treeName(iteration, attempt, at) {
  if (iteration === null) return `tree ${at + 1}`;
  return attempt > 1 ? `${iteration}#${attempt}` : String(iteration);
}
