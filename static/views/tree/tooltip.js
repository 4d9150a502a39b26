// @ts-check
/** The tip beside the pointer: why a node has its score, in bars and one line; at the root, the whole run. */

import { isStub } from "../../data/claims.js";
import { pathTo } from "../../data/opening.js";
import { intervalOf, differ } from "../../data/state.js";
import { drawBars, factorRows, shortened, valuesNote } from "../../draw/bars.js";
import { asKnown, isBeingSearched, openOf, stageOf } from "../../data/then.js";
import { html } from "../../draw/element.js";
import { icon, layerMark } from "../../draw/icons.js";
import { counted } from "../../draw/numbers.js";
import { paintOf } from "../../draw/paint.js";
import { placeAtCard, placeTip, WEIGHTS } from "./placing.js";
import { cardMean } from "../../draw/lettering.js";
import { counterFields, runFields } from "../../draw/run-words.js";
import { reweighedParts } from "../../draw/reweighed.js";
import { fullFigure, fullScore, intervalText, resultText, shortScore } from "../../draw/scores.js";
import { noteOn } from "../notes/actions.js";
import { tipFigures } from "./tip-figures.js";
import { scoreBars, seatOf } from "../../draw/seats.js";
import { visitedParts } from "../../draw/visited-parts.js";
import { endsBelow } from "../../draw/wedge.js";
import { openText } from "../../draw/window-bar.js";
import { nodeName, searchedPlies, stubSentence } from "../../draw/words.js";

/** @import { Mount, State, TreeNode } from "../../data/types.js" */
/** @import { Interval } from "../../draw/reweighed.js" */
/** @import { Obstacle } from "./placing.js" */

/** Factors shown before the lesser ones are summed up, and plies of a stub before the rest is counted. */
const FACTORS = 10;
const PLIES = 40;
/** Fields of the run that are too long for a tip and stand in the panel only. */
const OF_THE_PANEL = new Set(["algorithm", "engine", "game"]);

/** @type {Mount} */
export function mountTooltip(container, store, actions) {
  /** @param {State} state */
  function draw(state) {
    const { hovered } = state;
    const logged = hovered === null ? undefined : state.nodes.get(hovered.id);
    const node = logged === undefined ? undefined : asKnown(state.replay, logged);
    container.hidden = hovered === null || node === undefined || state.dialog !== null; // it would stand behind a dialog
    if (container.hidden || hovered === null || node === undefined) {
      container.replaceChildren();
      return;
    }
    if (node.outcome === "cutoff" && node.n_children > 0 && !state.children.has(node.id)) void actions.peek(node.id);
    const { part = "card" } = hovered;
    container.replaceChildren(...(part === "card" ? tipParts(node, state) : wedgeParts(node, part, state)));
    const { width, height } = container.getBoundingClientRect();
    const page = { width: innerWidth, height: innerHeight };
    const own = part === "more" ? `.more[data-more="${node.id}"]` : `.node[data-id="${node.id}"] .node-card`;
    const card = document.querySelector(`#tree ${own}`)?.getBoundingClientRect();
    const { left, top } = card
      ? placeAtCard(card, { width, height }, page, obstacles(node, part, hovered, state))
      : placeTip(hovered, { width, height }, page);
    container.style.setProperty("left", `${left}px`);
    container.style.setProperty("top", `${top}px`);
  }

  container.setAttribute("aria-live", "polite");
  store.subscribe((state, previous) => {
    const isOther =
      differ(state, previous, "revision", "showMeanings", "replay", "dialog") ||
      state.weights.intervals !== previous.weights.intervals;
    if (state.hovered !== previous.hovered || (state.hovered !== null && isOther)) draw(state);
  });
  draw(store.get());
}

/**
 * The boxes that a tip should not cover: the siblings of its node above all.
 * @param {TreeNode} node
 * @param {"card" | "wedge" | "more"} part
 * @param {{x: number, y: number}} pointer
 * @param {State} state
 */
function obstacles(node, part, pointer, state) {
  const parent = part === "more" ? node.id : node.parent;
  const path = new Set(pathTo(state, node.id));
  /** @type {Obstacle[]} */
  const found = [];
  /** @param {Element} element @param {number} weight */
  const add = (element, weight) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return;
    const under = pointer.x >= left && pointer.x <= right && pointer.y >= top && pointer.y <= bottom;
    found.push({ left, right, top, bottom, weight: under ? WEIGHTS.own : weight });
  };
  for (const card of document.querySelectorAll("#tree .node-card, #tree .wedge, #tree .more")) {
    const more = card.getAttribute("data-more");
    const id = Number(more ?? card.parentElement?.getAttribute("data-id"));
    const above = more === null ? state.nodes.get(id)?.parent : id;
    if (more === null && id === node.id && card.matches(".node-card")) continue;
    if (above === parent) add(card, card.matches(".wedge") ? WEIGHTS.path : WEIGHTS.sibling);
    else if (above === node.id) add(card, WEIGHTS.child);
    else add(card, path.has(id) && more === null ? WEIGHTS.path : WEIGHTS.other);
  }
  for (const panel of document.querySelectorAll(".panel:not([hidden]), .topbar, .legend:not([hidden]), .notice"))
    add(panel, WEIGHTS.aside);
  return found;
}

/** @param {TreeNode} node @param {State} state @returns {HTMLElement[]} */
function tipParts(node, state) {
  if (isStub(node)) return stubParts(node);
  const { opened, replay, showMeanings } = state;
  const mate = opened?.search?.["mate"];
  const result = resultText(node, mate);
  const stage = isBeingSearched(state, node) ? "open" : stageOf(replay, node);
  if (stage !== "left") {
    const open = openOf(state, node);
    const line = inLine(tipFigures(node, undefined, opened?.players ?? []));
    const words =
      stage === "later" ? "not searched yet" : `being searched${open === null ? "" : `: ${openText(open)}`}`;
    return [
      tipHead(node, mate, undefined, seatOf(node, opened)),
      html("p.tip-line.number", words),
      ...(line.length > 0 ? [html("p.tip-line.number", line)] : []),
    ];
  }
  const interval = intervalOf(state, node.id);
  const parts = [tipHead(node, mate, interval, seatOf(node, opened))];
  if (interval !== undefined)
    parts.push(
      html("p.tip-line.number", reweighedParts(node, interval, mate, { full: true })),
      html("p.tip-line", "All below is as logged."),
    );
  if (result !== "")
    parts.push(html("p.tip-line", html("b.tip-result", result), html("span.number", ` ${fullFigure(node)}`)));
  const rows = opened === null ? [] : shortened(factorRows(node, opened), FACTORS);
  if (opened !== null && rows.length > 0) {
    const tolerance = opened.search?.["tolerance"];
    parts.push(
      drawBars(rows, {
        caption: `Factors of ${nodeName(node)}`,
        static: node.static,
        tolerance,
        player: opened.root_player,
        meanings: showMeanings,
      }),
    );
    const words = showMeanings ? valuesNote(opened) : "W: what each factor counts";
    if (rows.some(({ meaning }) => meaning)) parts.push(html("p.bars-values", words));
  }
  const paint = paintOf(state, node.id);
  if (paint !== undefined)
    parts.push(
      html("p.tip-line", html("bdi.expression", state.colour), " ", html("b.tip-result", html("bdi", paint.words))),
    );
  if (opened !== null) parts.push(...visitedParts(node, opened));
  if (opened !== null && node.scores !== undefined) parts.push(scoreBars(node.scores, opened));
  const line = tipLine(node, state);
  if (line.length > 0) parts.push(html("p.tip-line.number", line));
  const note = noteOn(state, node.id);
  if (note !== undefined && note.text !== "")
    parts.push(html("p.tip-line", html("b", "Note "), html("bdi", note.text)));
  if (node.why !== undefined) parts.push(html("p.tip-line", node.why));
  const run = node.id === opened?.root ? Object.keys(opened.header?.["document"] ?? {}) : []; // said with the run
  parts.push(...otherParts(node, run));
  if (opened !== null && node.id === opened.root) {
    const said = opened.result?.["score"] === node.score ? "score" : ""; // at the head of the tip
    const facts = runFields(opened, node)
      .filter(({ label }) => label !== said && !OF_THE_PANEL.has(label))
      .flatMap(({ label, value }) => [html("dt", label), html("dd.number.cut", value)]);
    parts.push(html("dl.facts.tip-run", facts));
    const counters = counterFields(opened).flatMap(({ label, value }) => [html("dt", label), html("dd.number", value)]);
    if (counters.length > 0) parts.push(html("dl.facts.tip-counters", counters));
  }
  return parts;
}

/**
 * The part of a tip on the nodes below a folded node, or on children that are not drawn.
 * @param {TreeNode} node
 * @param {"wedge" | "more"} part
 * @param {State} state
 * @returns {HTMLElement[]}
 */
function wedgeParts(node, part, state) {
  const { below } = node;
  const mate = state.opened?.search?.["mate"];
  const size =
    below === undefined
      ? counted(node.n_children, "child", "children")
      : `${counted(below.nodes, "node")} below, ${counted(below.height, "level")} deep`;
  const parts = [
    html(
      "div.tip-head",
      html("strong.cut", nodeName(node)),
      html("span.dim", part === "wedge" ? "folded" : "not all children drawn"),
    ),
    html("p.tip-line.number", size),
  ];
  const ends = endsBelow(node, mate, fullScore);
  if (ends !== null) {
    const [best, worst] = ends.map(([word, figure]) => html("span", `${word} `, html("b", figure)));
    parts.push(
      html(
        "p.tip-line.number",
        intervalOf(state, node.id) === undefined ? "children: " : "children as logged: ",
        best,
        " \u00b7 ",
        worst,
      ),
    );
  }
  return parts;
}

/**
 * @param {TreeNode} node
 * @param {unknown} mate how the log scores wins
 * @param {Interval | undefined} interval under other weights
 * @param {number | undefined} seat which of several other players moves
 * @returns {HTMLElement}
 */
function tipHead(node, mate, interval, seat) {
  const logged = resultText(node, mate) === "" ? fullFigure(node) : shortScore(node, mate);
  return html(
    "div.tip-head",
    layerMark(node.layer, seat),
    html("strong.cut", nodeName(node)),
    node.layer !== undefined && html("span", { class: `layer-${node.layer}` }, node.layer),
    node.player !== undefined && html("span.dim.cut", node.player),
    html(
      "strong.tip-score.number",
      node.visited !== undefined && logged === ""
        ? cardMean(node)
        : interval === undefined
          ? logged
          : interval && intervalText(interval, mate),
    ),
  );
}

/**
 * The line of a tip beside the factors.
 * @param {TreeNode} node
 * @param {State} state
 * @returns {(HTMLElement | string)[]}
 */
function tipLine(node, state) {
  const known = state.children.get(node.id);
  const children = known?.items.flatMap((id) => state.nodes.get(id) ?? []) ?? [];
  const searched = known !== undefined && known.prefix >= known.total ? searchedPlies(children) : undefined;
  return inLine(tipFigures({ ...node, scores: undefined }, searched, state.opened?.players ?? []));
}

/** @param {ReturnType<typeof tipFigures>} figures @returns {(HTMLElement | string)[]} */
function inLine(figures) {
  return figures.flatMap((part, i) => {
    const content = typeof part === "string" ? part : [`${part[0]} `, html("b", part[1])];
    return [i > 0 ? " \u00b7 " : "", html("span.tip-part", content)];
  });
}

/**
 * The fields that the format does not know: the first few, each in a line; the details have all, and whole.
 * @param {TreeNode} node
 * @param {readonly string[]} [elsewhere] those that the tip says in another place
 * @returns {HTMLElement[]}
 */
function otherParts({ others = {}, more_others: more = 0 }, elsewhere = []) {
  const rows = Object.entries(others)
    .filter(([name]) => !elsewhere.includes(name))
    .flatMap(([name, text]) => [html("dt.cut", name), html("dd.cut", text)]);
  if (rows.length === 0) return [];
  const rest = more > 0 && html("dd.dim.tip-rest", `${counted(more, "more field")} in the details`);
  return [html("dl.facts.tip-others", rows, rest)];
}

/** @param {TreeNode} node @returns {HTMLElement[]} */
function stubParts(node) {
  const plies = node.plies ?? [];
  const parts = [
    html("div.tip-head", icon(node.outcome === "limited" ? "limited" : "pruned"), html("strong", stubSentence(node))),
  ];
  if (plies.length > 0) {
    const more = (node.more_plies ?? 0) + Math.max(0, plies.length - PLIES);
    parts.push(
      html(
        "p.tip-plies",
        plies.slice(0, PLIES).flatMap((ply) => [html("bdi", ply), "  "]),
        more > 0 && html("span.dim", `and ${more} more`),
      ),
    );
  }
  const figures = tipFigures({ ...node, outcome: undefined }, undefined, []);
  if (figures.length > 0) parts.push(html("p.tip-line.number", inLine(figures)));
  return [...parts, ...otherParts(node)];
}
