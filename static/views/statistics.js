// @ts-check
/**
 * The tab *Statistics* of the drawer: what the search did, in figures. Each part has a caption in words, its rows
 * are its table, and it is saved as a picture. What the log cannot tell stands where its figure would be.
 */

import { withCode } from "../draw/code.js";
import { html, redraw } from "../draw/element.js";
import { icon } from "../draw/icons.js";
import { atLeast, count, plain, shortCount } from "../draw/numbers.js";
import { drawFigures, drawStrip, pictureOf } from "../draw/figures.js";
import { save } from "./chart.js";
import { mountIterations } from "./statistics-iterations.js";

/** @typedef {import("../draw/figures.js").FigureRow} FigureRow */
/** @typedef {import("../data/statistics-actions.js").Statistics} Statistics */
/** @typedef {import("../data/statistics-actions.js").Figure} Figure */
/** @typedef {import("../data/actions.js").Actions} Actions */

/**
 * One part: its caption says what is to be seen; `rows` are its table, `more` stands below them.
 * @typedef {object} Part
 * @property {Figure} name
 * @property {string} title
 * @property {string} caption
 * @property {string} [what] the name of the first column
 * @property {string[]} [columns]
 * @property {FigureRow[]} [rows]
 * @property {Node} [lead] stands before them
 * @property {(Node | string)[]} [more]
 */

/** Rows of one part; the others are counted. */
const MOST_ROWS = 40;

/** @param {number} part */
const percent = (part) => part > 0 && part < 0.0005 ? "< 0.1 %" : `${(100 * part).toFixed(part > 0 && part < 0.0995 ? 1 : 0)} %`;
/** @param {number | null} number */
const figure = (number) => (number === null ? "–" : plain(number, 2));

/**
 * @param {import("./drawer.js").Places} places
 * @param {import("../data/state.js").Store} store
 * @param {Actions} actions
 * @returns {() => void}
 */
export function mountStatistics({ head, body }, store, actions) {
  const jumps = html("nav", { class: "figure-jumps", "aria-label": "Figures" });
  const place = html("div", { class: "figure-parts", tabindex: 0, role: "region", "aria-label": "Figures of the search" });
  head.replaceChildren(jumps);
  body.replaceChildren(place);
  let removeChart = () => {};
  let isGone = false;
  let shown = /** @type {object | null} */ (null);

  async function load() {
    const { opened } = store.get();
    if (opened === null || opened === shown) return;
    shown = opened;
    removeChart();
    removeChart = () => {};
    jumps.replaceChildren();
    place.replaceChildren(html("p", { class: "dim figure-waits" }, "Counting …"));
    const release = store.hold();
    try {
      const found = await actions.statistics();
      if (!isGone && shown === opened) draw(found);
    } catch (error) {
      if (!isGone && shown === opened) {
        shown = null;
        const again = html("button", { class: "button button-small", type: "button", onclick: () => void load() }, "Count again");
        place.replaceChildren(html("p", {}, error instanceof Error ? error.message : String(error)), again);
      }
    } finally {
      release();
    }
  }

  /** @param {Statistics} found */
  function draw(found) {
    const parts = partsOf(found, actions);
    const drawn = parts.map((part) => drawPart(part, lacks(found, part.name)));
    if (found.iterations.length > 1) {
      const section = html("section", { class: "figure-part figure-wide", "data-figure": "iterations", tabindex: -1 });
      removeChart = mountIterations(section, found, store, actions);
      drawn.unshift(section);
    }
    place.replaceChildren(...drawn);
    redraw(
      jumps,
      [...(found.iterations.length > 1 ? [{ name: /** @type {Figure} */ ("iterations"), title: "Iterations" }] : []), ...parts].map(({ name, title }) =>
        html("button", { class: "link-button", type: "button", "data-key": `jump-${name}`, onclick: () => reveal(name) }, title),
      ),
    );
    reveal(store.get().figure);
  }

  /** Have a part in sight, and the focus on it. @param {Figure | null} name */
  function reveal(name) {
    const part = name === null ? null : place.querySelector(`[data-figure="${name}"]`);
    if (!(part instanceof HTMLElement)) return;
    part.scrollIntoView({ block: "nearest", inline: "nearest" });
    part.focus({ preventScroll: true });
  }

  void load();
  const remove = store.subscribe((state, previous) => {
    if (state.opened !== previous.opened) void load();
    else if (state.figure !== previous.figure) reveal(state.figure);
  });
  return () => {
    isGone = true;
    remove();
    removeChart();
    head.replaceChildren();
    body.replaceChildren();
  };
}

/** What a part cannot say. @param {Statistics} found @param {Figure} name */
function lacks(found, name) {
  return found.missing.filter((each) => each.figure.split(".")[0] === name);
}

/**
 * @param {Part} part
 * @param {Statistics["missing"]} missing
 * @returns {HTMLElement}
 */
function drawPart({ name, title, caption, what = "", columns = [], rows = [], lead, more = [] }, missing) {
  const shown = rows.slice(0, MOST_ROWS);
  const left = rows.length - shown.length;
  return html(
    "section",
    { class: "figure-part", "data-figure": name, tabindex: -1, "aria-label": title },
    html(
      "div",
      { class: "figure-head" },
      html("h2", { class: "section-title" }, title),
      shown.length > 0 &&
        html(
          "button",
          { class: "button button-small", type: "button", "aria-label": `Save the picture of “${title}”`, title: "Save the picture", onclick: (/** @type {Event} */ event) => savePicture(name, caption, rows, event) },
          icon("down"),
          "SVG",
        ),
    ),
    caption !== "" && html("p", { class: "figure-caption" }, caption),
    lead,
    shown.length > 0 && drawFigures(caption, what, columns, shown),
    left > 0 && html("p", { class: "dim" }, `and ${count(left)} more`),
    more,
    missing.map(({ says }) => html("p", { class: "dim figure-lack" }, withCode(sentence(says)))),
  );
}

/** @param {string} says */
function sentence(says) {
  return `${says.charAt(0).toUpperCase()}${says.slice(1)}.`;
}

/** @param {Figure} name @param {string} caption @param {FigureRow[]} rows @param {Event} event */
function savePicture(name, caption, rows, event) {
  const button = /** @type {HTMLElement} */ (event.currentTarget);
  const bar = button.closest(".figure-part")?.querySelector(".bar");
  const style = getComputedStyle(button);
  const look = {
    ink: style.color,
    bar: bar == null ? style.color : getComputedStyle(bar).backgroundColor,
    paper: getComputedStyle(document.body).backgroundColor,
    font: style.fontFamily,
  };
  save(new Blob([pictureOf(caption, rows, look)], { type: "image/svg+xml" }), `${name}.svg`);
}

/**
 * Every part that the log has something for, or says what it lacks.
 * @param {Statistics} found
 * @param {Actions} actions
 * @returns {Part[]}
 */
function partsOf(found, actions) {
  const parts = [levels(found), order(found), limits(found), where(found, actions), counters(found), quotient(found)];
  return parts.filter((part) => part !== null);
}

/** @param {Statistics} found @returns {Part} */
function levels({ levels: all, nodes, best_first, more_levels = 0 }) {
  const most = Math.max(1, ...all.map((level) => level.nodes));
  const widest = all.reduce((best, level) => (level.nodes > best.nodes ? level : best), all[0] ?? { level: 0, nodes: 0 });
  const hasVisits = best_first && all.some(({ visits }) => visits !== null);
  return {
    name: "levels",
    title: "Levels",
    caption: `${count(nodes)} nodes; level ${widest.level} has most of them, ${percent(nodes > 0 ? widest.nodes / nodes : 0)}.`,
    what: "level",
    columns: hasVisits ? ["nodes", "visits", "branching"] : ["nodes", "cuts", "branching", "next/this"],
    rows: all.map((level) => ({
      key: `level-${level.level}`,
      name: String(level.level),
      share: level.nodes / most,
      cells: hasVisits
        ? [count(level.nodes), level.visits === null ? "–" : count(level.visits), figure(level.branching)]
        : [count(level.nodes), count(level.cuts), figure(level.branching), figure(level.effective_branching)],
      title: `${count(level.leaves)} leaves, ${atLeast(level.pruned, level.uncounted_pruned)} siblings pruned, ${atLeast(level.limited, level.uncounted_limited)} over the limit; with stubs ${level.branching_with_stubs === null ? "an unknown number of" : figure(level.branching_with_stubs)} children a node that was expanded`,
    })),
    more: more_levels > 0 ? [html("p", { class: "dim" }, `and ${count(more_levels)} deeper levels`)] : [],
  };
}

/** @param {Statistics} found @returns {Part | null} */
function order({ order: of, nodes, missing }) {
  if (of === null) return missing.some(({ figure: lacking }) => lacking === "order") ? { name: "order", title: "Order of plies", caption: "" } : null;
  const known = of.by_child - of.at_unknown_ply;
  const first = of.first_share === null ? "No cut by a ply." : `${percent(of.first_share)} of ${count(known)} cuts by a ply came at the first one.`;
  const rows = histogram("cut", of.at_ply, of.at_later_ply, known, 1, "ply");
  const asked = of.best_rank.reduce((sum, n) => sum + n, 0) + of.best_rank_later;
  const others = [["stand pat", of.by_stand_pat], ["null move", of.by_null], ["estimate", of.by_estimate], ["not said", of.by_unknown]];
  const more = [];
  const said = others.filter(([, n]) => Number(n) > 0).map(([name, n]) => `${name} ${count(Number(n))}`);
  if (said.length > 0) more.push(html("p", { class: "dim" }, `Other cuts: ${said.join(", ")}.`));
  if (of.at_unknown_ply > 0) more.push(html("p", { class: "dim" }, `At ${count(of.at_unknown_ply)} cuts plies have no row, so the number is not known.`));
  more.push(html("p", {}, `${count(of.cost)} nodes (${percent(nodes > 0 ? of.cost / nodes : 0)}) lie in plies before the one that cut.`));
  if (asked > 0) {
    const best = of.best_rank[0] ?? 0;
    more.push(
      html("p", { class: "figure-caption" }, `At ${percent(best / asked)} of ${count(asked)} nodes with an exact score no ply had a better pre_score than the best one.`),
      drawFigures("Plies of better pre_score than the best ply", "better plies", ["nodes", "share"], histogram("best", of.best_rank, of.best_rank_later, asked, 0, "")),
    );
  }
  return { name: "order", title: "Order of plies", caption: first, what: "cut at", columns: ["cuts", "share"], rows: known > 0 ? rows : [], more };
}

/**
 * @param {string} key
 * @param {number[]} counts
 * @param {number} later
 * @param {number} total
 * @param {number} from the number of the first
 * @param {string} noun
 * @returns {FigureRow[]}
 */
function histogram(key, counts, later, total, from, noun) {
  const shown = counts.slice(0, 8);
  const rest = counts.slice(8).reduce((sum, n) => sum + n, 0) + later;
  const most = Math.max(1, rest, ...shown);
  /** @param {string} name @param {number} n */
  const row = (name, n) => ({ key: `${key}-${name}`, name, share: n / most, cells: [count(n), percent(total > 0 ? n / total : 0)] });
  const rows = shown.map((n, i) => row(noun === "" ? String(i + from) : `${noun} ${i + from}`, n));
  return rest > 0 ? [...rows, row("more", rest)] : rows;
}

const VERDICTS = Object.freeze({ kept: { mark: "✓", says: "kept" }, changed: { mark: "✕", says: "changed" }, unknown: { mark: "?", says: "cannot be known" } });

/** @param {Statistics} found @returns {Part | null} */
function limits({ limits: of, missing, where: { nodes } }) {
  if (of === null) return missing.some(({ figure: lacking }) => lacking === "limits") ? { name: "limits", title: "Smaller limits", caption: "" } : null;
  if (of.each.length === 0) return null;
  const certain = of.each.filter(({ decision }) => decision !== "kept");
  const last = certain[certain.length - 1];
  const chosen = of.ply ?? "the choice";
  const caption =
    last === undefined ? `${chosen} stays the choice at every smaller limit.`
    : last === of.each[of.each.length - 1] ? `At limit ${last.limit} ${last.decision === "changed" ? `${chosen} is chosen no more` : `it cannot be known whether ${chosen} stays`}.`
    : `${chosen} surely stays the choice from limit ${of.each[of.each.indexOf(last) + 1]?.limit} on.`;
  /** @param {import("../data/statistics-actions.js").LimitFigures} each */
  const saved = (each) => (each.saved_at_most > each.saved ? `${count(each.saved)} to ${count(each.saved_at_most)}` : count(each.saved));
  const cells = of.each.map((each) => ({
    name: String(each.limit), kind: each.decision, mark: VERDICTS[each.decision].mark, says: `limit ${each.limit}: ${VERDICTS[each.decision].says}; ${saved(each)} nodes lie below what it drops`,
  }));
  const more = [];
  if (of.left_out > 0) more.push(html("p", { class: "dim" }, `${count(of.left_out)} limits between these were not tried.`));
  if (of.rests_on.length > 0) more.push(html("p", { class: "dim" }, `Taken to do the same there: ${of.rests_on.join(", ")}.`));
  return {
    name: "limits",
    title: "Smaller limits",
    caption,
    lead: drawStrip("Is the choice kept under a smaller branching limit?", cells),
    what: "limit",
    columns: ["decision", "nodes dropped"],
    rows: of.each.map((each) => ({ key: `limit-${each.limit}`, name: String(each.limit), share: nodes > 0 ? each.saved / nodes : 0, cells: [VERDICTS[each.decision].says, saved(each)] })),
    more,
  };
}

/** @param {Statistics} found @param {Actions} actions @returns {Part | null} */
function where({ where: of }, actions) {
  const plies = of.root_plies;
  const first = plies[0];
  if (first === undefined) return null;
  const most = Math.max(1, first.nodes);
  const hasSeconds = plies.some(({ seconds }) => seconds !== null);
  const more = [];
  if (of.more_root_plies !== undefined) more.push(html("p", { class: "dim" }, `and ${count(of.more_root_plies)} more plies`));
  if (of.purposes.length > 1) {
    const mostOf = Math.max(1, ...of.purposes.map(({ nodes }) => nodes));
    more.push(
      html("p", { class: "figure-caption" }, "By purpose: a node counts for every purpose that it lies below."),
      drawFigures("Nodes by purpose", "purpose", ["visits", "nodes"], of.purposes.map(({ purpose, visits, nodes }) => ({
        key: `purpose-${purpose}`, name: purpose === "" ? "not stated" : purpose, share: nodes / mostOf, cells: [count(visits), count(nodes)],
      }))),
    );
  }
  if (of.quiescence > 0) more.push(html("p", {}, `${count(of.quiescence)} nodes (${percent(of.quiescence / Math.max(1, of.nodes))}) are in quiescence.`));
  return {
    name: "where",
    title: "Where the nodes went",
    caption: `${percent(first.share)} of the nodes below the root lie below ${first.ply ?? `#${first.id}`}.`,
    what: "root ply",
    columns: ["nodes", "share", ...(hasSeconds ? ["seconds"] : [])],
    rows: plies.map((ply) => ({
      key: `root-ply-${ply.id}`,
      name: ply.ply ?? `#${ply.id}`,
      share: ply.nodes / most,
      cells: [shortCount(ply.nodes), percent(ply.share), ...(hasSeconds ? [figure(ply.seconds)] : [])],
      title: `${count(ply.nodes)} nodes in ${count(ply.visits)} ${ply.visits === 1 ? "visit" : "visits"}`,
      act: () => void actions.goTo(ply.id),
    })),
    more,
  };
}

/** @param {Statistics} found @returns {Part | null} */
function counters({ counters: pairs, table, missing }) {
  const tried = pairs.filter((pair) => pair.tried > 0);
  const isLacking = missing.some(({ figure: lacking }) => lacking === "counters");
  if (tried.length === 0 && table === null && !isLacking) return null;
  const more = table === null ? [] : [html("p", {}, `Table: ${count(table.found)} nodes with an entry; it cut at ${count(table.cut)}, narrowed at ${count(table.narrow)}, ordered at ${count(table.order)}.`)];
  return {
    name: "counters",
    title: "Techniques",
    caption: tried.length === 0 ? "" : "How often each was tried, and the part that succeeded.",
    what: "technique",
    columns: ["tried", "succeeded"],
    rows: tried.map((pair) => ({
      key: `pair-${pair.name}`,
      name: pair.name,
      share: pair.succeeded === null ? null : pair.succeeded / pair.tried,
      cells: [count(pair.tried), pair.succeeded === null ? "unknown" : percent(pair.succeeded / pair.tried)],
      title: pair.succeeded === null ? `${pair.tried_is}; ${pair.succeeded_is}` : `${pair.tried_is}: ${count(pair.succeeded)} of ${count(pair.tried)} ${pair.succeeded_is}`,
    })),
    more,
  };
}

/** @param {Statistics} found @returns {Part | null} */
function quotient({ quotient: of, missing }) {
  if (of === null) return missing.some(({ figure: lacking }) => lacking === "quotient") ? { name: "quotient", title: "Randomness quotient", caption: "" } : null;
  const best = of.bars[0]?.probability ?? 1;
  const drawn = of.rank === null ? "" : ` Rank ${of.rank} was drawn.`;
  return {
    name: "quotient",
    title: "Randomness quotient",
    caption: `Q = ${of.quotient}: the best of ${count(of.n_plies)} plies is played ${percent(best)} of the time.${drawn}`,
    what: "rank",
    columns: ["played", "costs"],
    rows: of.bars.map((bar) => ({
      key: `rank-${bar.rank}`,
      name: bar.ply === null ? String(bar.rank) : `${bar.rank} ${bar.ply}`,
      share: bar.probability,
      cells: [bar.probability < 0.0005 ? "< 0.1 %" : percent(bar.probability), costOf(bar)],
      strong: bar.rank === of.rank,
    })),
  };
}

/** @param {import("../data/statistics-actions.js").RankFigures} bar */
function costOf({ cost_low: low, cost_high: high, exact }) {
  if (exact) return plain(low ?? undefined, 2);
  if (high !== null) return `${plain(low ?? 0, 2)} to ${plain(high, 2)}`;
  return low ? `≥ ${plain(low, 2)}` : "unknown";
}
