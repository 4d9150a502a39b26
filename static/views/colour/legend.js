// @ts-check
/** The line below the tree: its marks and colours, the order of children, the place of the selected node. */

import { OWN_COLOURS } from "../../data/state.js";
import { isBestFirst, ordersOf, ranksByVisits } from "../../data/claims.js";
import { pvOf, sizesOf } from "../../data/opening.js";
import { scaleOf, toneOf } from "../../draw/colours.js";
import { button } from "../../draw/buttons.js";
import { html, renew } from "../../draw/element.js";
import { icon, layerMark } from "../../draw/icons.js";
import { PURPOSE_MARKS, PURPOSES } from "../../draw/lettering.js";
import { count, counted, full, signed } from "../../draw/numbers.js";
import { ABSENT, endsOf, valueText } from "../../draw/paint.js";
import { othersOf } from "../../draw/seats.js";
import { placeBeside } from "../menu.js";
import { proofOf, REPEATING, UNPROVEN } from "../../draw/scores.js";

/** @import { Mount, State, TreeNode } from "../../data/types.js" */
/** @import { Scale } from "../../draw/colours.js" */

const LAYERS = /** @type {const} */ ({
  max: "root player moves",
  min: "opponent moves",
  chance: "chance",
  other: "another player moves",
});
const SCALE_MEANS =
  "the colours of this tree's scores: nearly all lie within these ends; by square roots, so that small ones differ too";
const MEANS_MEAN = "the colours of nodes that have a mean and no score, from one end to the other; even in the middle";
const UNPROVEN_MEANS = "a win or loss of which not all plies of the loser were searched";
/** Words that differ for a best-first tree, which is no run. @type {Readonly<Record<string, string>>} */
const VISITED_OUTCOMES = { searched: "expanded", leaf: "not expanded yet", open: "not expanded yet" };
const OUTCOMES = {
  searched: "searched",
  cutoff: "cut off",
  leaf: "leaf",
  terminal: "game over",
  tt: "from the table",
  stopped: "stopped",
  open: "never left",
};

/** @type {Mount} */
export function mountLegend(container, store, actions) {
  const marks = html("ul.legend-marks", { "aria-label": "Key to the tree" });
  const order = html("select.legend-order", {
    "aria-label": "Children shown first",
    title: "Which children of a wide node are shown before the others, and how a table of children stands (r)",
    onchange: () => void actions.setOrder(/** @type {State["order"]} */ (order.value)),
  });
  const replay = button("replay", () => void actions.startReplay(), {
    class: "link-button legend-replay",
    "data-asks": true,
    title: "The search as it ran, from the node on (.)",
  });
  const least = html("select.legend-order", {
    "aria-label": "Subtrees that are drawn",
    title: "Hide smaller subtrees; what stands for them shows them again when it is pressed (z)",
    onchange: () => actions.setLeast(Number(least.value)),
  });
  const place = html("span.legend-place.number");
  const all = html("div.menu.legend-all", { popover: "auto", role: "group", "aria-label": "Key to the tree" });
  const key = button("Key", showAll, { class: "link-button legend-key", "aria-haspopup": "true", hidden: true });
  container.replaceChildren(marks, key, all, html("span.legend-side", replay, order, least, place));

  /** All marks, above the button: those that do not fit into the line stand nowhere else. */
  function showAll() {
    placeBeside(all, key);
    all.replaceChildren(html("ul", legendItems(store.get())));
    all.showPopover();
  }

  /** Offer the list of all marks where the line has no room for them. */
  function fit() {
    key.hidden = true;
    const hidden = [...marks.children].filter((item) => /** @type {HTMLElement} */ (item).offsetTop > marks.offsetTop);
    key.hidden = hidden.length === 0;
    key.title = `All ${counted(marks.children.length, "mark")} of the key; ${hidden.length} have no room here`;
  }

  /** @param {State} state */
  function draw(state) {
    container.hidden = state.phase !== "ready";
    const { selected, opened } = state;
    const text = opened && selected !== null ? `node ${count(selected)} of ${count(opened.totals.rows)} rows` : "";
    const withoutReplay = state.replay !== null || isBestFirst(opened);
    const isNew = [
      renew(marks, legendItems(state)),
      renew(order, orderOptions(state)),
      renew(least, sizeOptions(state)),
    ].includes(true);
    const isWider = place.textContent?.length !== text.length || replay.hidden !== withoutReplay;
    if (order.value !== state.order) order.value = state.order;
    least.value = String(state.least);
    replay.hidden = withoutReplay;
    place.textContent = text;
    if (isNew || isWider) fit(); // which asks for places, and so has all of the page laid out
  }

  const watcher = new ResizeObserver(fit);
  watcher.observe(container);
  store.follow(draw, [
    "phase",
    "colour",
    "colouring",
    "order",
    "least",
    "opened",
    "selected",
    "revision",
    "replay",
    "showTies",
  ]);
}

/**
 * The orders in which children can come first, and that by pre-score with the reason where it cannot.
 * @param {State} state
 */
function orderOptions(state) {
  const { opened } = state;
  const isVisited = isBestFirst(opened);
  const ofVisits = { visits: "most visits first", mean: "best mean first" };
  const words = {
    best: isVisited ? ofVisits[ranksByVisits(opened) ? "visits" : "mean"] : "best first",
    searched: isVisited ? "as logged" : "in search order",
    pre_score: "by pre-score",
    ...ofVisits,
  };
  const options = ordersOf(state).map((each) => html("option", { value: each }, words[each]));
  if (opened?.pre_scored !== true && !isVisited)
    options.push(html("option", { value: "pre_score", disabled: true }, "by pre-score: no node has one"));
  return options;
}

/** The sizes of subtrees by which these can be hidden. @param {State} state */
function sizeOptions(state) {
  const words = (/** @type {number} */ size) =>
    size === 0 ? "all sizes" : size === 2 ? "no leaves" : `from ${counted(size, "node")}`;
  return sizesOf(state).map((size) => html("option", { value: String(size) }, words(size)));
}

/**
 * What the marks mean that this log has, as far as it was fetched; what its totals count, it has in any case.
 * @param {State} state
 */
function legendItems(state) {
  const { colour, opened, nodes } = state;
  if (opened === null) return [];
  /** @type {Record<"layer" | "purpose" | "outcome", Set<string | undefined>>} */
  const found = { layer: new Set(), purpose: new Set(), outcome: new Set() };
  let [hasShares, hasMeans, hasKeys] = [false, false, false];
  const scale = scaleOf(opened);
  const claims = claimsOf(nodes.values(), scale);
  for (const node of nodes.values()) {
    found.layer.add(node.layer);
    found.purpose.add(node.purpose);
    found.outcome.add(node.outcome);
    hasShares ||= node.visited?.share !== undefined;
    hasMeans ||= node.mean !== undefined;
    hasKeys ||= node.key !== undefined;
  }
  /** @type {HTMLElement[]} */
  const items = [];
  for (const [layer, text] of entries(LAYERS)) {
    if (!found.layer.has(layer)) continue;
    if (layer === "other" && opened.players.length > 2) items.push(...playerItems(opened));
    else items.push(html("li", layerMark(layer), text));
  }
  if (colour === "score") items.push(...scaleItems(scale, claims, opened.means?.declared ?? true));
  if (!OWN_COLOURS.includes(colour)) items.push(...valueItems(state));
  for (const [outcome, text] of colour === "outcome" ? entries(OUTCOMES) : []) {
    if (!found.outcome.has(outcome)) continue;
    const swatch = html("span.legend-swatch", { style: { background: `var(--outcome-${outcome})` } });
    items.push(html("li", swatch, isBestFirst(opened) ? (VISITED_OUTCOMES[outcome] ?? text) : text));
  }
  if (hasShares) items.push(...visitedItems().slice(0, hasMeans ? 2 : 1));
  if (pvOf(state).size > 0) items.push(html("li", html("span.legend-line"), "principal variation"));
  if (state.showTies && hasKeys)
    items.push(
      html(
        "li",
        { title: "further visits of the position of the selected node (Shift T)" },
        html("span.legend-tie"),
        "same position",
      ),
    );
  for (const [purpose, text] of entries(PURPOSES)) {
    if (found.purpose.has(purpose)) items.push(html("li", `${PURPOSE_MARKS[purpose]} ${text}`));
  }
  if (claims.unproven)
    items.push(html("li", { title: UNPROVEN_MEANS }, `${UNPROVEN} not proven: among the plies searched`));
  if (claims.repeating) items.push(html("li", `${REPEATING} but for repetition`));
  const { pruned, prune_events, limited } = opened.totals;
  if (pruned + prune_events > 0 || found.outcome.has("pruned")) items.push(html("li", icon("pruned"), "pruned"));
  if (limited > 0 || found.outcome.has("limited")) items.push(html("li", icon("limited"), "over the limit"));
  return items;
}

/** The other players of a game of more than two, each with its mark. @param {NonNullable<State["opened"]>} opened */
function playerItems(opened) {
  return othersOf(opened).map((name, seat) =>
    html("li", layerMark("other", seat), html("bdi.cut.legend-value", name), " moves"),
  );
}

/** The entries on the bars of cards and the widths of links in a best-first tree. */
function visitedItems() {
  return [
    html(
      "li",
      { title: "of the visits of the node above; a link is as wide" },
      html("span.legend-share"),
      "share of visits",
    ),
    html("li", { title: "95 %, on the scale of all means" }, html("span.legend-interval"), "interval of the mean"),
  ];
}

/** The claims of won and lost games among nodes. @param {Iterable<TreeNode>} nodes @param {Scale} scale */
function claimsOf(nodes, scale) {
  const claims = { win: false, loss: false, unproven: false, repeating: false };
  for (const node of nodes) {
    const proof = proofOf(node, scale.mate);
    if (proof === null) continue;
    const { side } = toneOf(node, scale);
    if (side === "win" || side === "loss") claims[side] = true;
    if (proof !== "proven") claims.unproven = true;
    if (proof !== "none" && node.proof?.repetition) claims.repeating = true;
  }
  return claims;
}

/**
 * The scale of colours, and beside it the colours of won and lost games.
 * @param {Scale} scale
 * @param {ReturnType<typeof claimsOf>} claims
 * @param {boolean} isDeclared whether the log declares the ends of its means
 * @returns {HTMLElement[]}
 */
function scaleItems({ reach, means }, claims, isDeclared) {
  const items =
    reach > 0
      ? [html("li.number", { title: SCALE_MEANS }, signed(-reach), html("span.legend-scale"), signed(reach))]
      : [];
  if (means !== undefined) {
    const title = isDeclared
      ? MEANS_MEAN
      : `${MEANS_MEAN}; this log declares no range, so they are its least and its greatest mean`;
    items.push(html("li.number", { title }, "mean ", full(means.low), html("span.legend-scale"), full(means.high)));
  }
  for (const side of /** @type {const} */ (["win", "loss"])) {
    if (claims[side])
      items.push(
        html(
          "li",
          { title: claims.unproven ? "paler where it is not proven" : null },
          html("span", { class: `legend-swatch legend-${side}` }),
          side,
        ),
      );
  }
  return items;
}

/**
 * What the colours of a field or expression stand for: ends or values, those that have none said in words.
 * @param {State} state
 * @returns {HTMLElement[]}
 */
function valueItems({ colour, colouring }) {
  const of = html("bdi.expression.cut.legend-value", colour);
  if (colouring === null || colouring.of !== colour) return [html("li", of, " \u2026")];
  const { scale } = colouring;
  const ends = endsOf(scale);
  const items = [html("li", { title: (scale.notices ?? []).join("; ") }, of)];
  if (scale.stated === 0) return [...items, html("li", "stated by no node")];
  if (scale.kind === "number" && ends !== null) {
    const { least = ends.low, greatest = ends.high, logarithmic = false } = scale;
    const words = [
      least < ends.low && "\u2264\u00a0",
      valueText(ends.low, scale),
      html("span", { class: ends.signed ? "legend-scale" : "legend-scale legend-ramp" }),
      greatest > ends.high && "\u2265\u00a0",
      valueText(ends.high, scale),
      logarithmic && html("span.dim", " logarithmic"),
    ];
    items.push(
      html(
        "li.number.legend-ends",
        { title: `from ${valueText(least, scale)} to ${valueText(greatest, scale)} in the whole log` },
        words,
      ),
    );
  } else if (scale.kind === "number") items.push(html("li", "no finite number"));
  for (const [place, { value, rows }] of (scale.categories ?? []).entries()) {
    const background = scale.kind === "flag" ? `var(--paint-${String(value)})` : `var(--category-${place + 1})`;
    const swatch = html("span.legend-swatch", { style: { background } });
    items.push(
      html("li", { title: counted(rows, "node") }, swatch, html("bdi.cut.legend-value", valueText(value, scale))),
    );
  }
  if (scale.other_values)
    items.push(
      html(
        "li",
        { title: counted(scale.other_rows ?? 0, "node") },
        html("span.legend-swatch.legend-other"),
        counted(scale.other_values, "other value"),
      ),
    );
  if (scale.absent > 0)
    items.push(html("li", { title: counted(scale.absent, "node") }, html("span.legend-swatch.legend-absent"), ABSENT));
  return items;
}

/** @template {string} Key @param {Record<Key, string>} words */
function entries(words) {
  return /** @type {[Key, string][]} */ (Object.entries(words));
}
