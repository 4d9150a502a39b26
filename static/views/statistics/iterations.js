// @ts-check
/**
 * The chart of iterations: the score of a node, tree by tree, its bounds hollow, and the best ply in words under it.
 * The scrubber below it says one tree in full; its plies lead to that tree.
 */

import { messageOf } from "../../data/api.js";
import { toNumber } from "../../data/claims.js";
import { isOld } from "../../data/merged.js";
import { html, redraw } from "../../draw/element.js";
import { percentText } from "../../draw/lettering.js";
import { count, counted, plain, signed } from "../../draw/numbers.js";
import { link } from "./parts.js";
import { seen } from "../../draw/seen.js";
import { drawChart } from "../chart.js";

/** @import { NodeIteration, Statistics } from "../../data/answers.js" */
/** @import { Actions, Id, Opened, Store } from "../../data/types.js" */
/** @import { Figure } from "../../draw/numbers.js" */
/** @import { Chart, View } from "../chart.js" */

/** A node in one tree. @typedef {NodeIteration | Statistics["iterations"][number]} Tree */

const SIGNS = /** @type {Record<string, string>} */ ({ exact: "", lower: "≥ ", upper: "≤ ", "": "? " });
const SPOKEN = /** @type {Record<string, string>} */ ({ exact: "", lower: "at least ", upper: "at most ", "": "" });
/** Half the width of the scrubber's thumb, in pixels. */
const THUMB = 8;

/**
 * @param {HTMLElement} section
 * @param {Statistics} found
 * @param {Store} store
 * @param {Actions} actions
 */
export function mountIterations(section, found, store, actions) {
  const place = html("div.figure-chart");
  const scrubber = html("input.iteration-scrubber", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Iteration",
    title: "Iteration: drag, or the arrow keys",
    oninput: () => actions.setIteration(rootOf(trees[Number(scrubber.value)])),
  });
  const words = html("p.iteration-words.number");
  section.setAttribute("aria-label", "Iterations");
  section.replaceChildren(html("div.figure-head", html("h2.section-title", "Iterations")), place, scrubber, words);
  let trees = /** @type {readonly Tree[]} */ ([]);
  let figures = SCORES;
  let view = /** @type {View | null} */ (null);
  let remove = () => {};
  let of = /** @type {Id | null | undefined} */ (undefined);
  let isGone = false;

  /** The selected node, or the whole tree where a root is selected. */
  async function draw() {
    const { selected, nodes } = store.get();
    const node = selected === null ? undefined : nodes.get(selected);
    const id = node === undefined || node.parent === null || isOld(node.id) ? null : node.id;
    if (id === of) return;
    of = id;
    if (id === null) return show("the root", found.iterations);
    const release = store.hold();
    try {
      const { items } = await actions.nodeIterations(id);
      if (!isGone && of === id) show(node?.ply ?? `#${id}`, items);
    } catch (error) {
      if (!isGone && of === id) fail(messageOf(error));
    } finally {
      release();
    }
  }

  /** @param {string} text */
  function fail(text) {
    remove();
    remove = () => {};
    view = null;
    trees = [];
    place.replaceChildren(html("p", text));
    point();
  }

  /** @param {string} name @param {readonly Tree[]} shown */
  function show(name, shown) {
    const isOfMeans = !shown.some(({ score }) => score !== null) && shown.some(({ mean }) => mean !== null);
    figures = isOfMeans ? meansOf(store.get().opened) : SCORES;
    const drawable = isOfMeans ? shown.map((tree) => ({ ...tree, score: tree.mean, bound: "exact" })) : shown;
    if (!drawable.some(({ score }) => typeof score === "number")) return fail(`No tree has a score of ${name}.`);
    remove();
    view = null;
    trees = drawable;
    const drawn = (/** @type {View} */ now) => {
      view = now;
      now.addEventListener("click", (_, item) => {
        const at = item?.datum?.at;
        if (typeof at === "number") actions.setIteration(rootOf(trees[at]));
      });
      align();
      point();
    };
    remove = drawChart(place, { ...chartOf(name, trees, found, placeOf(), figures), drawn }, store);
    point();
  }

  /** The tree that is pointed at: the one that was chosen, else the one of the selected node, else the last. */
  function placeOf() {
    const { iteration } = store.get();
    const chosen = trees.findIndex((tree) => rootOf(tree) === iteration);
    if (chosen >= 0) return chosen;
    const own = trees.findIndex((tree) => "root" in tree && tree.id === of);
    return own >= 0 ? own : trees.length - 1;
  }

  /** Move the scrubber's thumb below the tree that it points at. */
  function align() {
    const scale = view?.scale("x");
    const [first, last] = [0, trees.length - 1].map((at) => scale?.(labelOf(trees, at)));
    if (view === null || first === undefined || last === undefined) return;
    const left = view.padding().left + view.origin()[0] + (scale?.bandwidth?.() ?? 0) / 2;
    scrubber.style.setProperty("margin-left", `${left + first - THUMB}px`);
    scrubber.style.setProperty("width", `${last - first + 2 * THUMB}px`);
  }

  /** Whether the main tree can be compared with this one: the last root of another iteration. @param {Tree} tree */
  function compares(tree) {
    const { iteration, attempt } = tree;
    const isLast = !trees.some((each) => each.iteration === iteration && each.attempt > attempt);
    return iteration !== null && isLast && rootOf(tree) !== store.get().opened?.root;
  }

  /** Say the tree that is pointed at. */
  function point() {
    const at = placeOf();
    const tree = trees[at];
    scrubber.hidden = trees.length < 2;
    words.hidden = tree === undefined;
    if (tree === undefined) return;
    scrubber.max = String(trees.length - 1);
    scrubber.value = String(at);
    void view?.signal("at", at).runAsync();
    const name = `iteration ${treeName(tree, at)}`;
    const score = typeof tree.score === "number" ? figures.write(tree.score) : null;
    const plies = tree.pv.map((ply) => (ply === null ? "?" : seen(ply)));
    const isThere = tree.id !== null;
    scrubber.setAttribute(
      "aria-valuetext",
      [
        name,
        isThere
          ? score === null
            ? `no ${figures.name}`
            : `${figures.name} ${SPOKEN[tree.bound] ?? ""}${score}`
          : "not in this tree",
        ...(plies.length > 0 ? [`${figures.first} ply ${plies[0]}`] : []),
      ].join(", "),
    );
    const { id } = tree;
    redraw(words, [
      id === null
        ? html("b", name)
        : link("iteration-node", name, "Go to the node in this tree", () => actions.goTo(id)),
      ...(isThere
        ? [
            html("span", score === null ? `no ${figures.name}` : html("b", `${SIGNS[tree.bound] ?? ""}${score}`)),
            tree.nodes !== null && html("span.dim", counted(tree.nodes, "node")),
            plies.length > 0 &&
              html(
                "span",
                `${figures.first} `,
                ...plies.flatMap((ply, i) => [
                  i > 0 && " › ",
                  link(`iteration-ply-${i}`, ply, "Go to this ply in this tree", () =>
                    actions.goTo(/** @type {Id} */ (tree.pv_ids[i])),
                  ),
                ]),
              ),
          ]
        : [html("span.dim", "has no such node")]),
      compares(tree) &&
        link(
          "iteration-compare",
          `compare with iteration ${tree.iteration}`,
          `Show this tree beside iteration ${tree.iteration}, as one tree`,
          () => actions.compareWith(store.get().log ?? "", { iteration: tree.iteration }),
        ),
    ]);
  }

  void draw();
  const unsubscribe = store.subscribe((state, previous) => {
    if (state.selected !== previous.selected) void draw();
    if (state.iteration !== previous.iteration || state.selected !== previous.selected) point();
  });
  const watcher = new ResizeObserver(() => requestAnimationFrame(align)); // the chart takes the new width first
  watcher.observe(place);
  return () => {
    isGone = true;
    watcher.disconnect();
    unsubscribe();
    remove();
  };
}

/**
 * What the figures of the chart are: how they are called, written, and what comes first by them.
 * @typedef {{name: string, axis: string, first: string, write: (figure: Figure) =>
 *   string}} Figures
 */

/** @type {Figures} */
const SCORES = { name: "score", axis: "score", first: "best", write: (figure) => signed(figure) };

/** Means, as percentages of the declared range. @param {Opened | null} opened @returns {Figures} */
function meansOf(opened) {
  const ends = opened?.means;
  const write = (/** @type {Figure} */ figure) =>
    ends?.declared === true ? percentText((toNumber(figure) - ends.low) / (ends.high - ends.low)) : plain(figure, 4);
  return { name: "mean", axis: "mean", first: "most visited", write };
}

/** The id of the root of a tree. @param {Tree | undefined} tree */
function rootOf(tree) {
  if (tree === undefined) return null;
  return "root" in tree ? tree.root : tree.id;
}

/**
 * @param {string} name
 * @param {readonly Tree[]} trees of which at least one has a score
 * @param {Statistics} found
 * @param {number} at the one that is pointed at
 * @param {Figures} figures
 * @returns {Chart}
 */
function chartOf(name, trees, found, at, figures) {
  const values = trees.map((tree, place) => ({
    at: place,
    tree: labelOf(trees, place),
    score: typeof tree.score === "number" ? tree.score : null,
    kind: tree.bound === "exact" ? "exact" : "bound",
  }));
  const scored = values.filter(({ score }) => score !== null);
  const last = trees[scored.at(-1)?.at ?? 0];
  const more = found.more_iterations ?? 0;
  const x = {
    field: "tree",
    type: "ordinal",
    sort: null,
    title: "iteration",
    scale: { domain: values.map(({ tree }) => tree) },
    axis: { labelAngle: 0, labelExpr: "split(datum.value, '\\n')", labelLimit: 90 },
  };
  const y = { field: "score", type: "quantitative", title: figures.axis, scale: { zero: false } };
  // A layer of no points has no extent, of which the library warns.
  const points = (/** @type {string} */ kind, /** @type {boolean} */ filled) =>
    scored.some((value) => value.kind === kind)
      ? [
          {
            data: { values: scored.filter((value) => value.kind === kind) },
            mark: {
              type: "point",
              filled,
              size: 60,
              color: "var(--ink)",
              fill: filled ? undefined : "var(--pane)",
              opacity: 1,
              cursor: "pointer",
            },
            encoding: { x, y },
          },
        ]
      : [];
  const hasPlies = trees.some(({ pv }) => pv.length > 0);
  const beyond = trees.filter(({ id, score }) => id !== null && typeof score !== "number").length;
  return {
    name: "iterations",
    caption: `${figures.name === "mean" ? "Mean" : "Score"} of ${name} by iteration: it ends at ${SIGNS[last?.bound ?? ""] ?? ""}${last?.score == null ? "" : figures.write(last.score)}.${figures === SCORES ? " Hollow: a bound." : ""}${hasPlies ? ` Under it the ${figures.first} ply.` : ""}${beyond > 0 ? ` ${counted(beyond, "tree")} without a finite ${figures.name}.` : ""}${more > 0 ? ` The first ${count(trees.length)} of ${count(trees.length + more)} trees.` : ""}`,
    spec: {
      params: [{ name: "at", value: at }],
      height: 110,
      layer: [
        {
          data: { values },
          transform: [{ filter: "datum.at === at" }],
          mark: { type: "rule", color: "var(--accent)", strokeWidth: 2 },
          encoding: { x },
        },
        {
          data: { values: scored },
          mark: { type: "line", interpolate: "step-after", color: "var(--dim)" },
          encoding: { x, y },
        },
        ...points("bound", false),
        ...points("exact", true),
      ],
    },
    table: {
      columns: ["iteration", figures.name, `${figures.first} ply`, "nodes"],
      rows: trees.map((tree, place) => [
        treeName(tree, place),
        tree.score === null ? "–" : `${SIGNS[tree.bound] ?? ""}${figures.write(tree.score)}`,
        tree.pv[0] ?? "",
        tree.nodes ?? "–",
      ]),
    },
  };
}

/** A tree as the axis names it, no two alike: its name and below it the best ply. @param {readonly Tree[]} trees @param {number} at */
function labelOf(trees, at) {
  const tree = trees[at];
  return tree === undefined ? "" : `${treeName(tree, at)}\n${tree.pv[0] == null ? "" : seen(tree.pv[0])}`;
}

/** @param {Tree} tree @param {number} at its place among all */
function treeName({ iteration, attempt }, at) {
  if (iteration === null) return `tree ${at + 1}`;
  return attempt > 1 ? `${iteration}#${attempt}` : String(iteration);
}
