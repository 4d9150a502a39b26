// @ts-check
/** The scene of the tree, from the state and its layout: one item a row, in reading order. */

import { isStub } from "../../data/claims.js";
import { pvOf, samePosition } from "../../data/opening.js";
import { intervalOf, isReweighed } from "../../data/state.js";
import { asKnown, isBeingSearched, openOf, stageOf } from "../../data/then.js";
import { FOREST } from "../../data/types.js";
import { scaleOf, toneOf } from "../../draw/colours.js";
import { paintOf } from "../../draw/paint.js";
import { windowScale } from "../../draw/window-bar.js";
import { saidOf } from "../../draw/lettering.js";
import { signed } from "../../draw/numbers.js";
import { nodeName } from "../../draw/words.js";
import { seatOf } from "../../draw/seats.js";
import { noteOn } from "../notes/actions.js";
import { moreText, wedgePath } from "../../draw/wedge.js";
import { cardBox } from "../../layout/camera.js";
import { labelOf } from "../../layout/labels.js";
import { moreLength, SIZES } from "../../layout/tree-layout.js";

/** @import { Compared, Id, Open, State, TreeNode } from "../../data/types.js" */
/** @import { Hidden } from "../../data/opening.js" */
/** @import { Digits } from "../../draw/numbers.js" */
/** @import { Layout } from "../../layout/tree-layout.js" */
/** @import { Face } from "./card.js" */
/** @import { Item } from "./tree.js" */

/** @typedef {ReturnType<typeof import("../../draw/lettering.js").createLettering>} Writing */

/**
 * The items of the rows to draw.
 * @param {State} state
 * @param {Layout} layout
 * @param {number[]} drawnRows
 * @param {Writing} writing
 */
export function sceneOf(state, layout, drawnRows, writing) {
  const { search, replay, opened } = state;
  const root = opened === null ? undefined : state.nodes.get(opened.root);
  const isFound = root === undefined || stageOf(replay, root) === "left"; // what is chosen is known at the end
  const pv = isFound ? pvOf(state) : new Set();
  const hits = countsHits(state)
    ? new Set([...state.hitMarks].flatMap(([id, { hit }]) => (hit ? [id] : [])))
    : new Set(search?.items.map((node) => node.id));
  const tied = new Set(state.showTies ? samePosition(state, state.selected, layout.rowOf.keys()) : []);
  const paired = !isFound
    ? new Map()
    : state.diff.found !== null && state.pinned === null
      ? oldLine(state.diff.found, pv)
      : pairedNodes(state);
  /** @type {Item[]} */
  const items = [];
  for (const row of drawnRows) {
    const { ids, parent, hidden } = layout.rows;
    const id = /** @type {Id} */ (ids[row]);
    const above = /** @type {number} */ (parent[row]);
    const box = cardBox(layout, row);
    const from = above === -1 ? { right: box.left - SIZES.link, y: layout.middle[row] ?? 0 } : edge(layout, above);
    const place = {
      parent: above === -1 ? null : `n${ids[above]}`,
      x: box.left,
      y: (box.top + box.bottom) / 2,
      fromX: from.right,
      fromY: from.y,
      linked: above !== -1,
      share: (hidden[row] ?? 0) > 0 ? undefined : state.nodes.get(id)?.visited?.share,
    };
    const more = layout.rows.more[row];
    if (more) items.push({ ...place, ...moreItem(state, layout, row, id, more) });
    else {
      const item = nodeItem(state, layout, row, id, writing, pv, hits);
      const line = paired.get(id);
      const badge = isFound ? badgeOf(state, id) : undefined;
      if (item?.face !== undefined && badge !== undefined) item.face.badge = badge;
      if (item?.face !== undefined && tied.has(id)) item.face.tied = true;
      const alone = state.nodes.get(id)?.beside?.side !== undefined;
      if (item !== null)
        items.push({
          ...place,
          ...item,
          alone,
          ...(tied.has(id) && { tied: true, look: `${item.look}|tied` }),
          ...((line ?? badge) !== undefined && {
            ...(line !== undefined && { line }),
            look: `${item.look}|${line}|${badge}`,
          }),
        });
    }
  }
  return items;
}

/**
 * The nodes of the two lines that are explained, as far as each goes from parent to child.
 * @param {State} state
 */
function pairedNodes({ why, nodes }) {
  /** @type {Map<Id, "x" | "y">} */
  const found = new Map();
  for (const [place, line] of (why?.answer?.lines ?? []).entries()) {
    let above = /** @type {Id | null} */ (null);
    for (const { id } of line.nodes) {
      if (above !== null && nodes.get(id)?.parent !== above) break;
      found.set(id, place === 0 ? "x" : "y");
      above = id;
    }
  }
  return found;
}

/**
 * The principal variation of the old log where the new one has another: dashed, as the ply that was not chosen.
 * @param {Compared} found
 * @param {ReadonlySet<Id>} pv
 * @returns {Map<Id, "x" | "y">}
 */
function oldLine({ old_pv }, pv) {
  return new Map(old_pv.flatMap((id) => (pv.has(id) ? [] : [/** @type {[Id, "y"]} */ ([id, "y"])])));
}

/** Which of the two plies that are explained a node is. @param {State} state @param {Id} id */
function badgeOf({ why, diff, pinned }, id) {
  if (diff.found !== null && pinned === null) return undefined; // the dashed line is the old log's
  const { chosen = null, rival = null } = why?.answer ?? {};
  if (chosen === null || rival === null) return undefined;
  return chosen.id === id ? "x" : rival.id === id ? "y" : undefined;
}

/** Whether marks show on every node the hits at it and below it. @param {State} state */
function countsHits({ only, search }) {
  return only !== null || (search?.source === "hits" && search.total > 0);
}

/**
 * The text of a card whose node is being searched: the best so far, in words, or with an ellipsis for the words, or the
 * number alone, whichever fits first. All of these are slanted.
 * @param {Open | null} open
 * @param {Digits | undefined} digits
 * @param {string} whole
 * @param {(text: string) => boolean} fits
 */
function soFar(open, digits, whole, fits) {
  if (open?.best === undefined) return "";
  const best = signed(open.best, digits);
  return [whole, `\u2026 ${best}`].find(fits) ?? best;
}

/** @param {Layout} layout @param {number} row */
function edge(layout, row) {
  return { right: cardBox(layout, row).right, y: layout.middle[row] ?? 0 };
}

/**
 * @param {State} state
 * @param {Layout} layout
 * @param {number} row
 * @param {Id} id
 * @param {Writing} writing
 * @param {ReadonlySet<Id>} pv
 * @param {Set<Id>} hits
 */
function nodeItem(state, layout, row, id, writing, pv, hits) {
  const logged = state.nodes.get(id);
  if (logged === undefined) return null;
  const { replay } = state;
  const node = asKnown(replay, logged);
  const stage = isBeingSearched(state, node) ? "open" : stageOf(replay, logged);
  const open = stage === "open" ? openOf(state, node) : null;
  const { rows, columns } = layout;
  const column = columns[rows.depth[row] ?? 0];
  if (column === undefined) return null;
  const mate = state.opened?.search?.["mate"];
  const digits = layout.digits.get(/** @type {number} */ (rows.parent[row]));
  const isLeft = stage === "left";
  const label = labelOf(state, node);
  const interval = isLeft ? intervalOf(state, id) : undefined;
  const rivalry = isLeft ? rivalryOf(state, id) : undefined;
  const score = isStub(node)
    ? ""
    : isLeft
      ? writing.score(node, digits, mate, interval, label)
      : soFar(
          open,
          digits,
          writing.soFar(open, digits),
          (text) =>
            SIZES.beforeName +
              writing.width(writing.name(node, label), "name") +
              SIZES.afterName +
              writing.width(text, "score") +
              SIZES.end <=
            column.width,
        );
  const seat = seatOf(node, state.opened);
  const note = noteOn(state, id);
  const third = isStub(node) || (label ?? node.visited) === undefined ? undefined : writing.third(node, label);
  const taken = (score === "" ? 0 : SIZES.afterName + writing.width(score, "score")) + (third ? column.visits : 0);
  const room = column.width - SIZES.beforeName - SIZES.end - taken;
  /** @type {Face} */
  const face = {
    node,
    width: column.width,
    name: writing.cut(writing.name(node, label), room),
    score,
    digits,
    mate,
    open: rows.open[row] ?? false,
    selected: state.selected === id,
    pv: pv.has(id),
    hit: hits.has(id),
    hitsBelow: countsHits(state) ? (state.hitMarks.get(id)?.below ?? 0) : null,
    stage,
    ...(stage === "open" && { isLive: replay === null }),
    ...(stage === "open" && replay !== null && { now: { open, scale: windowScale(replay.stack) } }),
    tone: toneOf(interval === undefined ? node : claimed(node, interval ?? OPEN), scaleOf(state.opened)),
    ...(interval !== undefined && { interval }),
    paint: isLeft ? paintOf(state, id) : undefined,
    ...(rivalry !== undefined && { rivalry }),
    level: (rows.depth[row] ?? 0) + 1,
    place: rows.place[row] ?? 0,
    siblings: rows.siblings[row] ?? 1,
    ...(third !== undefined && { right: { text: third, width: column.visits, means: state.opened?.means } }),
    ...(label !== undefined && { said: label.fields.flatMap((name) => saidOf(node, name, label.opened)) }),
    ...(seat !== undefined && { seat }),
    mark: state.marks.get(id),
    outline: outlineOf(state, id),
    ...(note !== undefined && { note }),
    above: state.top === id ? node.level : 0,
  };
  const { beside } = node;
  const { name, width, selected, hit, now, tone, level, mark, outline } = face;
  const window = now === undefined ? "" : [open?.alpha, open?.beta, open?.best, now.scale.low, now.scale.high].join();
  const found = mark === undefined ? "" : `${mark.severity} ${mark.count} ${mark.worst_below} ${mark.below}`;
  const look = [
    name,
    score,
    width,
    face.open,
    selected,
    face.pv,
    hit,
    stage,
    window,
    tone.side,
    tone.share,
    tone.proven,
    level,
    face.siblings,
    face.above,
    found,
    outline,
    note?.colour,
    note?.text,
    rivalry,
    interval?.join(),
    face.hitsBelow,
    face.right?.text,
    node.visited?.share,
    node.visited?.interval?.join(),
    node.outcome, // of a log that is being written all of this changes
    node.bound,
    node.n_children,
    node.below?.nodes,
    node.below?.height,
    node.below?.best,
    node.below?.worst,
    beside?.kind,
    beside?.side,
    beside?.below,
    beside?.first,
    face.paint?.name,
    face.paint?.share,
    face.paint?.place,
    face.paint?.words,
  ].join("|");
  return { key: `n${id}`, face, look, pv: face.pv && pv.has(/** @type {Id} */ (node.parent ?? id)) };
}

/** Of what nothing is known. @type {[number, number]} */
const OPEN = [-Infinity, Infinity];

/** The place of a root ply under other weights; nothing for other nodes. @param {State} state @param {Id} id */
function rivalryOf(state, id) {
  if (!isReweighed(state)) return undefined;
  return state.weights.found?.plies.find((ply) => ply.id === id)?.place;
}

/**
 * A node with its interval as its score: an interval that is open at both ends, or lies between two scores, has no
 * colour.
 * @param {TreeNode} node
 * @param {[number, number]} interval
 * @returns {TreeNode}
 */
function claimed(node, [low, high]) {
  const { score: _, bound: __, proof: ___, ...rest } = node;
  if (low === high) return { ...rest, score: low };
  if (low === -Infinity && high !== Infinity) return { ...rest, score: high, bound: /** @type {const} */ ("upper") };
  if (high === Infinity && low !== -Infinity) return { ...rest, score: low, bound: /** @type {const} */ ("lower") };
  return rest;
}

/**
 * How a node is outlined for the finding that is looked at: `wrong` its own node, `wrong involved` another.
 * @param {State} state
 * @param {Id} id
 */
function outlineOf({ finding, panels }, id) {
  if (finding === null || !panels.check) return "";
  if (finding.node === id) return finding.severity;
  return finding.involved.includes(id) ? `${finding.severity} involved` : "";
}

/** @param {State} state @param {Layout} layout @param {number} row @param {Id} id @param {Hidden} hidden */
function moreItem(state, layout, row, id, hidden) {
  const { rows } = layout;
  const length = moreLength(hidden);
  const above = state.nodes.get(id);
  const more = {
    id,
    hidden,
    length,
    path: wedgePath(0, length),
    level: (rows.depth[row] ?? 0) + 1,
    place: rows.place[row] ?? 0,
    siblings: rows.siblings[row] ?? 1,
    of: id === FOREST || above === undefined ? "the log" : nodeName(above),
  };
  return { key: `m${id}`, more, look: `${moreText(hidden)}|${more.level}`, pv: false };
}
