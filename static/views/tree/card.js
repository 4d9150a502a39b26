// @ts-check
/** A node's card: one line with the layer's mark, the ply and the score; a stub is dashed and says a number. */

import { isStub } from "../../data/claims.js";
import { cardHeight, SIZES } from "../../layout/tree-layout.js";
import { svg } from "../../draw/element.js";
import { spokenChange } from "../../draw/changes.js";
import { markText } from "../../draw/finding-words.js";
import { PURPOSES } from "../../draw/lettering.js";
import { ICONS, SEATS, pairBadge } from "../../draw/icons.js";
import { placedPath } from "./marks.js";
import { counted, isGiven, plain } from "../../draw/numbers.js";
import { ARROW } from "../../draw/reweighed.js";
import { figureText, intervalText, resultText } from "../../draw/scores.js";
import { visitedMarks, visitedWords } from "./visited.js";
import { foldedWedge, moreText } from "../../draw/wedge.js";
import { openText, windowBar } from "../../draw/window-bar.js";
import { nodeName, outcomeText, stubSentence } from "../../draw/words.js";

/** @import { Hidden } from "../../data/opening.js" */
/** @import { Mark, Note, Open, TreeNode } from "../../data/types.js" */
/** @import { Tone } from "../../draw/colours.js" */
/** @import { Digits } from "../../draw/numbers.js" */
/** @import { Paint } from "../../draw/paint.js" */
/** @import { Scale } from "../../draw/window-bar.js" */
/** @import { Right } from "./visited.js" */

/**
 * What one card shows.
 * @typedef {object} Face
 * @property {TreeNode} node
 * @property {number} width
 * @property {string} name cut to the room there is
 * @property {string} score
 * @property {Digits} [digits] those that tell its score from those of its siblings
 * @property {unknown} [mate] how the log scores wins
 * @property {boolean} open
 * @property {boolean} selected
 * @property {boolean} pv
 * @property {boolean} hit a hit of the search
 * @property {number | null} [hitsBelow] hits of the query below it; null while no query is on
 * @property {"later" | "open" | "left"} [stage] of a replay: not entered yet, searched, left
 * @property {boolean} [isLive] whether the search is in it now, as its log is written
 * @property {{open: Open | null, scale: Scale}} [now] of a node that a replay is in
 * @property {Tone} tone the colour of its score
 * @property {number} level 1 at what is drawn first
 * @property {number} place its index among its siblings
 * @property {number} siblings how many there are, drawn or not
 * @property {Mark | undefined} mark findings on it or below it
 * @property {string} outline severity of the finding that is looked at, with `involved` where it is another node's
 * @property {[number, number] | null} [interval] what it is worth under other weights, null while that is not known
 * @property {"first" | "could overtake" | "ruled out"} [rivalry] of a ply of the root under other weights
 * @property {Paint | undefined} [paint] its colour by a field or an expression
 * @property {number} above levels of the tree above it that are not drawn
 * @property {Right} [right] of a node of a best-first tree: its visits, and the scale of its mean
 * @property {number} [seat] which of the other players moves, in a game of more than two
 * @property {Note} [note] what was noted on it
 * @property {string[]} [said] the chosen fields that it does not say anyway
 * @property {boolean} [tied] whether it is a further visit of the position of the selected node
 * @property {"x" | "y"} [badge] which of the two plies that are explained it is
 */

/** @param {string} icon @param {number} scale */
const mark = (icon, scale) => placedPath(icon, 9, -8 * scale, scale);
const MARKS = {
  max: mark(ICONS["max-solid"], 0.72),
  min: mark(ICONS["min-solid"], 0.72),
  chance: mark(ICONS["chance-solid"], 0.72),
  other: mark(ICONS["other-solid"], 0.72),
};
const SEAT_MARKS = SEATS.map((name) => mark(ICONS[name], 0.72));
/** Marks of plies that were searched in the old tree and are dropped now. @type {Readonly<Record<string, string>>} */
const DROPPED = { newly_pruned: mark(ICONS.pruned, 0.8), newly_dropped: mark(ICONS.limited, 0.8) };
const STUB_MARKS = { pruned: mark(ICONS.pruned, 0.8), limited: mark(ICONS.limited, 0.8) };

const FINDING_MARKS = Object.fromEntries(
  /** @type {const} */ (["wrong", "waste", "odd"]).map((severity) => [
    severity,
    placedPath(ICONS[severity], -8, -8, 1),
  ]),
);

/** The parts of every card; all others stand behind them and are made anew whenever it is dressed. */
let blank = /** @type {SVGGElement | null} */ (null);

/** An empty card, to be filled by `dressCard`. It is a copy, which takes half as long as a new one. */
export function createCard() {
  blank ??= svg(
    "g.node",
    { role: "treeitem" },
    svg("rect.node-card", { x: 0, rx: 6 }),
    svg("path.node-mark"),
    svg("text.node-name", { y: 4.5 }),
    svg("text.node-score", { y: 4.5, "text-anchor": "end" }),
  );
  return /** @type {SVGGElement} */ (blank.cloneNode(true));
}

/** Make a card show a face. @param {SVGGElement} card @param {Face} face */
export function dressCard(card, face) {
  const { node, width } = face;
  const stub = isStub(node);
  const height = cardHeight(node);
  const [box, layer, name, score, ...others] = /** @type {SVGElement[]} */ ([...card.children]);
  if (!box || !layer || !name || !score) return;
  for (const old of others) old.remove();
  set(card, {
    class: classes(face, stub),
    tabindex: face.selected ? 0 : -1,
    "data-id": node.id,
    "aria-level": face.level,
    "aria-posinset": face.place + 1,
    "aria-setsize": face.siblings,
    "aria-selected": face.selected,
    "aria-expanded": node.n_children > 0 ? face.open : null,
    "aria-label": sentence(face),
  });
  // Set on the box alone, so that its siblings inherit the same in all cards, and share their styles.
  box.style.setProperty("--share", String(face.paint?.share ?? face.tone.share));
  if (face.paint?.name === "category") box.style.setProperty("--paint", `var(--category-${face.paint.place + 1})`);
  set(box, { y: -height / 2, width, height });
  const ending = /** @type {keyof typeof STUB_MARKS} */ (node.outcome);
  const ofSeat = face.seat === undefined ? undefined : SEAT_MARKS[face.seat % SEAT_MARKS.length];
  const drawing = stub
    ? STUB_MARKS[ending]
    : (DROPPED[node.beside?.kind ?? ""] ?? ofSeat ?? (node.layer && MARKS[node.layer]));
  set(layer, { d: drawing ?? "" });
  set(name, { x: drawing === undefined ? SIZES.end + 1 : SIZES.beforeName });
  name.textContent = face.name;
  const line = node.visited === undefined || stub ? 0 : -(SIZES.visited - SIZES.card) / 2; // its text stands over bars
  for (const part of [layer, name, score]) {
    if (line === 0) part.removeAttribute("transform");
    else part.setAttribute("transform", `translate(0 ${line})`);
  }
  score.setAttribute("x", String(width - SIZES.end - (face.right?.width ?? 0)));
  writeScore(score, face);
  if (face.selected) card.append(ring(width, height));
  dressWedge(card, face);
  dressFindings(card, face, height);
  dressAbove(card, face, height);
  dressWindow(card, face, height);
  dressRivalry(card, face, height);
  dressBeside(card, face, height);
  if (face.badge !== undefined) card.append(pairBadge(face.badge, -12, 0)); // where its line enters
  dressNote(card, face, height);
  if (face.right !== undefined) card.append(visitedMarks(node, width, face.right));
}

/** What says that a card is selected. @param {number} width @param {number} height */
function ring(width, height) {
  const box = { x: -4, y: -height / 2 - 4, width: width + 8, height: height + 8, rx: 9 };
  return svg("rect.node-ring", { ...box, "aria-hidden": "true" });
}

/** The flag of a note at the upper right corner. @param {SVGGElement} card @param {Face} face @param {number} height */
function dressNote(card, { note, width }, height) {
  if (note === undefined) return;
  const d = `M${width - 15} ${-height / 2 - 6}h9v11l-4.500-3-4.500 3z`;
  card.append(svg("path.note-flag", { d, "data-colour": note.colour, "aria-hidden": "true" }));
}

/** The score, of one that other weights have moved the logged part dim. @param {SVGElement} place @param {Face} face */
function writeScore(place, { score, interval }) {
  const [before, ...now] = score.split(ARROW);
  if (interval === undefined || now.length === 0) place.textContent = score;
  else place.replaceChildren(svg("tspan.score-logged", before), ARROW + now.join(ARROW));
}

/**
 * The live window along the lower edge of a node that a replay is in.
 * @param {SVGGElement} card
 * @param {Face} face
 * @param {number} height
 */
function dressWindow(card, { now, width }, height) {
  if (now === undefined || now.open === null) return;
  card.append(
    svg(
      "g.node-window",
      { "aria-hidden": "true" },
      windowBar(now.open, now.scale, { x: 8, y: height / 2 - 5, width: width - 16, height: 4 }),
    ),
  );
}

/** Hatching at the left of a ply that could overtake the first. @param {SVGGElement} card @param {Face} face @param {number} height */
function dressRivalry(card, { rivalry }, height) {
  if (rivalry !== "could overtake") return;
  const lines = [];
  for (let y = -height / 2 + 7; y < height / 2 + 2; y += 5)
    lines.push(`M1 ${Math.min(y, height / 2 - 1)} L6 ${Math.max(y - 6, 1 - height / 2)}`);
  card.append(svg("path.rival-hatch", { d: lines.join(""), "aria-hidden": "true" }));
}

/**
 * The marks of a comparison: a plus at nodes of the new log alone, a minus at those of the old one alone, a flag where
 * the runs part.
 * @param {SVGGElement} card
 * @param {Face} face
 * @param {number} height
 */
function dressBeside(card, { node: { beside } }, height) {
  if (beside === undefined) return;
  if (beside.side !== undefined && beside.kind !== "inside") {
    const sign = svg("text", { y: 4.5, "text-anchor": "middle" }, beside.side === "new" ? "+" : "\u2212");
    card.append(
      svg("g.diff-mark", { transform: "translate(-12 0)", "aria-hidden": "true" }, svg("circle", { r: 7 }), sign),
    );
  }
  if (beside.first === undefined) return;
  const top = -height / 2;
  const flag = svg(
    "path.diff-flag",
    { d: `M-2 ${top + 4}v-17h11l-3 4 3 4h-9v9z` },
    svg("title", `The first difference, #${beside.first}`),
  );
  card.append(svg("g.diff-first", { "aria-hidden": "true" }, flag));
}

/** @param {SVGGElement} card @param {Face} face @param {number} height */
function dressAbove(card, { above }, height) {
  if (above === 0) return;
  const words = `\u2191 ${counted(above, "level")} above`;
  card.append(svg("text.above", { "data-above": true, x: 2, y: -height / 2 - 10 }, words));
}

/**
 * The outline of the chosen finding, and the mark of the findings at a card.
 * @param {SVGGElement} card
 * @param {Face} face
 * @param {number} height
 */
function dressFindings(card, { mark, open, outline, width }, height) {
  const [severity, involved] = outline.split(" ");
  if (severity) {
    const names = `finding-outline finding-${severity}${involved ? " finding-outline-involved" : ""}`;
    const around = involved ? 4 : 7; // beyond the ring of the selection
    card.append(
      svg("rect", {
        class: names,
        x: -around,
        y: -height / 2 - around,
        width: width + 2 * around,
        height: height + 2 * around,
        rx: 4 + around,
      }),
    );
  }
  const own = (mark?.count ?? 0) > 0;
  const shown = own ? mark?.severity : open ? undefined : mark?.worst_below;
  if (shown === undefined) return;
  const group = svg("g", {
    class: `finding-mark finding-${shown}${own ? "" : " finding-below"}`,
    "aria-hidden": "true",
    transform: `translate(3 ${-height / 2}) scale(0.9)`,
  });
  group.append(svg("path", { d: FINDING_MARKS[shown] ?? "" }));
  card.append(group);
}

/** @param {SVGGElement} card @param {Face} face */
function dressWedge(card, { node, open, width, pv, mate, interval, hitsBelow = null }) {
  if (open || node.n_children === 0) return;
  const { path, textX, text, title } = foldedWedge(node, width, mate, hitsBelow);
  const reach = textX - width + 8 * text.length;
  const wedge = svg(
    "g",
    {
      class: `wedge${pv ? " wedge-pv" : ""}${hitsBelow === null ? "" : hitsBelow > 0 ? " wedge-hits" : " wedge-no-hits"}`,
      "data-wedge": true,
      "aria-hidden": "true",
    },
    svg("title", interval === undefined ? title : `${title} (scores as logged)`),
    svg("rect.wedge-reach", { x: width, y: -SIZES.card / 2, width: reach, height: SIZES.card }),
    svg("path", { d: path }),
    svg("text.wedge-text", { x: textX, y: 4 }, text),
  );
  card.append(wedge);
}

/** @param {Face} face @param {boolean} stub */
function classes({ node, selected, pv, hit, stage, isLive, tone, interval, rivalry, paint, seat, tied }, stub) {
  const { beside } = node;
  const names = ["node", `node-${node.layer ?? "plain"}`];
  if (stub) names.push("node-stub");
  if (seat !== undefined) names.push(`seat-${seat % SEATS.length}`);
  if (node.outcome !== undefined) names.push(`outcome-${node.outcome}`);
  if (selected) names.push("node-selected");
  if (pv) names.push("node-pv");
  if (hit) names.push("node-hit");
  if (tied) names.push("node-tied");
  if (stage === "later" || stage === "open") names.push(`node-${stage}`);
  if (isLive) names.push("node-live");
  if (interval !== undefined) names.push("node-reweighted");
  if (beside?.side !== undefined) names.push(beside.side === "new" ? "node-added" : "node-gone");
  if (beside?.side === "old" && DROPPED[beside.kind] !== undefined) names.push("node-dropped");
  if (beside?.kind === "same") names.push("node-unchanged");
  if (rivalry !== undefined) names.push(`node-${rivalry.replace(" ", "-")}`);
  if (paint !== undefined && !(stub && paint.name === "absent")) names.push(`paint-${paint.name}`);
  if (node.purpose === "null" || node.purpose === "probe") names.push("node-aside");
  if (node.purpose === "scout") names.push("node-scout");
  if (tone.side !== "unknown") names.push(`score-${tone.side}`);
  if ((tone.side === "win" || tone.side === "loss") && !tone.proven) names.push("score-unproven");
  return names.join(" ");
}

/** Zeros that only keep figures in line, which is nothing to hear. */
const IDLE_ZEROS = /\.0+$|(?<=\.\d*[1-9])0+$/;

/**
 * A node as a screen reader says it: `c6, min, score at most +4, 28 children, folded`.
 * @param {Pick<Face, "node" | "open" | "pv" | "mate" | "digits" | "interval" | "rivalry" | "badge" | "paint" | "stage"
 *   | "now" | "note" | "tied" | "said"> & {above?: number, mark?: Face["mark"], hit?: boolean, hitsBelow?: number | null}} face
 */
export function sentence({
  node,
  open,
  pv,
  mate,
  digits,
  above = 0,
  mark,
  interval,
  rivalry,
  paint,
  stage,
  now,
  hit = false,
  hitsBelow = null,
  badge,
  note,
  tied = false,
  said = [],
}) {
  const { beside } = node;
  const found = markText(mark, open);
  if (isStub(node)) return [stubSentence(node), beside && spokenChange(beside), found].filter(Boolean).join(", ");
  const parts = [nodeName(node)];
  if (node.layer !== undefined) parts.push(node.layer === "other" ? (node.player ?? node.layer) : node.layer);
  if (node.purpose !== undefined && node.purpose !== "full") parts.push(PURPOSES[node.purpose]);
  if (interval !== undefined)
    parts.push(interval === null ? "re-weighted score not known yet" : `re-weighted ${spoken(interval, mate, digits)}`);
  if (isGiven(node.score)) {
    const bound = node.bound === "upper" ? "at most " : node.bound === "lower" ? "at least " : "";
    const said =
      resultText(node, mate) || `score ${bound}${figureText({ score: node.score }, digits).replace(IDLE_ZEROS, "")}`;
    parts.push(interval === undefined ? said : `logged ${said}`);
  }
  parts.push(...said);
  if (stage === "later") parts.push("not searched yet");
  if (stage === "open") parts.push("being searched", ...(now?.open ? [openText(now.open)] : []));
  if (rivalry !== undefined) parts.push(rivalry);
  if (node.visited !== undefined) parts.push(...visitedWords(node));
  else if (!isGiven(node.score)) {
    if (isGiven(node.mean)) parts.push(`mean ${plain(Number(node.mean), digits)}`);
    if (isGiven(node.visits)) parts.push(counted(Number(node.visits), "visit"));
  }
  if (above) parts.push(`${counted(above, "level")} above it not drawn`);
  if (pv) parts.push("on the principal variation");
  if (node.n_children > 0) parts.push(counted(node.n_children, "child", "children"), open ? "open" : "folded");
  else if (node.outcome !== undefined) parts.push(outcomeText(node));
  if (hit) parts.push("hit");
  if (hitsBelow !== null && hitsBelow > 0) parts.push(`${counted(hitsBelow, "hit")} below`);
  if (beside !== undefined) parts.push(spokenChange(beside));
  if (badge !== undefined) parts.push(`${badge.toUpperCase()} of the pair`);
  if (tied) parts.push("same position as the selected node");
  if (paint !== undefined) parts.push(`colour ${paint.words}`);
  if (found !== "") parts.push(found);
  if (note !== undefined) parts.push(note.text === "" ? "bookmark" : `note: ${note.text}`);
  return parts.join(", ");
}

/** An interval in words for screen readers. @param {[number, number]} interval @param {unknown} mate @param {Face["digits"]} digits */
function spoken([low, high], mate, digits) {
  const [least, most] = [low, high].map((end) => intervalText([end, end], mate, digits).replace(IDLE_ZEROS, ""));
  if (low === high) return `score ${least}`;
  if (low === -Infinity) return high === Infinity ? "score unknown" : `score at most ${most}`;
  return high === Infinity ? `score at least ${least}` : `score from ${least} to ${most}`;
}

/** An empty mark of children that are not drawn. */
export function createMore() {
  return svg(
    "g.more",
    { role: "treeitem", tabindex: -1 },
    svg("rect.wedge-reach", { x: 0, y: -SIZES.more / 2, height: SIZES.more }),
    svg("path"),
    svg("text.wedge-text", { y: 4 }),
  );
}

/**
 * @param {SVGGElement} more
 * @param {{id: number, hidden: Hidden, path: string, length: number, level: number, place: number, siblings: number,
 *   of: string}} face
 */
export function dressMore(more, { id, hidden: unseen, path, length, level, place, siblings, of }) {
  const [reach, wedge, text] = [...more.children];
  if (!reach || !wedge || !text) return;
  const { hidden, others, small } = unseen;
  const further = hidden - others - small.plies;
  const words = moreText(unseen);
  const children = [
    further > 0 && counted(further, "more child", "more children"),
    others > 0 && counted(others, "child without hits", "children without hits"),
    small.plies > 0 &&
      `${counted(small.plies, "small child", "small children")} with ${counted(small.nodes, "node")} in all`,
  ]
    .filter(Boolean)
    .join(" and ");
  set(more, {
    "data-more": id,
    "aria-level": level,
    "aria-posinset": place + 1,
    "aria-setsize": siblings,
    "aria-label": `${children} of ${of}, not drawn; press m on ${of} to show them`,
  });
  set(reach, { width: length + SIZES.wedge.text + 8 * words.length });
  set(wedge, { d: path });
  set(text, { x: length + SIZES.wedge.text });
  text.textContent = words;
}

/** @param {Element} element @param {Record<string, string | number | boolean | null>} attributes null removes one */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, String(value));
  }
}
