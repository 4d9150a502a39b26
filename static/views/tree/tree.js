// @ts-check
/**
 * The drawn tree: keeps one group of shapes for each drawn row and updates it from a scene, the list of all rows and
 * their places. New rows come out of their parents, leaving ones go back into them.
 */

import { createCard, createMore, dressCard, dressMore } from "./card.js";
import { svg } from "../../draw/element.js";
import { cardHeight } from "../../layout/tree-layout.js";
import { linkPath, linkWidth, tiePath } from "./link.js";
import { between, run, stageAt } from "./motion.js";

/** @import { Face } from "./card.js" */
/** @import { Stage } from "./motion.js" */

/**
 * One drawn row: `face` of a node, or `more` for children without room. (x, y) is the middle of its left edge.
 * @typedef {object} Item
 * @property {string} key
 * @property {string | null} parent key of the item above, drawn or not
 * @property {number} x
 * @property {number} y
 * @property {number} fromX right edge and middle of the parent, where the link begins
 * @property {number} fromY
 * @property {number} [share] of the visits of the node above, which its link is as wide as
 * @property {boolean} linked whether a link leads to it
 * @property {boolean} pv whether the link is of the principal variation
 * @property {boolean} [alone] whether only one of two logs has it
 * @property {boolean} [tied] whether it is a further visit of the position of the selected node
 * @property {"x" | "y"} [line] of which of two lines that are explained it is
 * @property {string} look everything that its shapes depend on, as one text
 * @property {Face} [face]
 * @property {Parameters<typeof dressMore>[1]} [more]
 */

/**
 * @typedef {object} Drawn
 * @property {SVGGElement} group
 * @property {SVGPathElement | null} link
 * @property {Item} item
 * @property {number} x
 * @property {number} y
 * @property {number} fromX
 * @property {number} fromY
 * @property {number} opacity NaN before it was put anywhere
 * @property {Place | null} start where the present change began, null for what comes
 */

/** @typedef {{x: number, y: number, fromX: number, fromY: number}} Place */

/** @typedef {ReturnType<typeof createTree>} Tree */

export function createTree() {
  const links = svg("g.links", { "aria-hidden": "true" });
  const principal = svg("g.links", { "aria-hidden": "true" }); // over all other lines
  const ties = svg("g.ties", { "aria-hidden": "true" });
  const nodes = svg("g.nodes", { role: "tree", "aria-label": "The search tree" });
  const going = svg("g.going", { "aria-hidden": "true" });
  const world = svg("g.world", links, principal, ties, going, nodes);
  /** @type {Map<string, Drawn>} */
  const drawn = new Map();
  /** Rows that are likely drawn next, made already. @type {Map<string, Drawn>} */
  const ready = new Map();
  /** @type {Drawn[]} */
  let leaving = [];
  /** @type {(() => void) | null} */
  let stop = null;

  /** @param {Item} item @returns {Drawn} */
  function create(item) {
    const group = item.face === undefined ? createMore() : createCard();
    const link = item.linked ? svg("path") : null;
    const { x, y, fromX, fromY } = item;
    return { group, link, item: { ...item, look: "" }, x, y, fromX, fromY, opacity: NaN, start: null };
  }

  /** @param {Drawn} one @param {Item} item */
  function dress(one, item) {
    const stale = one.item.look !== item.look;
    one.item = item;
    if (!stale) return;
    if (item.face !== undefined) {
      dressCard(one.group, item.face);
      if (item.line === "y") one.group.classList.add("node-of-y");
    } else if (item.more !== undefined) dressMore(one.group, item.more);
    if (one.link === null) return;
    one.link.setAttribute(
      "class",
      ["link", item.pv && "link-pv", item.alone && "link-alone", item.line !== undefined && `link-${item.line}`]
        .filter(Boolean)
        .join(" "),
    );
    if (item.share !== undefined) one.link.style.strokeWidth = `${linkWidth(item.share, item.pv)}px`;
    else one.link.removeAttribute("style");
  }

  /** Put the link of a row into its layer. @param {Drawn} one */
  function hang({ link, item }) {
    const layer = item.pv || item.line !== undefined ? principal : links;
    if (link !== null && link.parentNode !== layer) layer.append(link);
  }

  /** @param {Drawn} one @param {Place} place @param {number} opacity */
  function put(one, place, opacity) {
    const { x, y, fromX, fromY } = one;
    const stays = x === place.x && y === place.y && fromX === place.fromX && fromY === place.fromY;
    if (stays && one.opacity === opacity) return;
    Object.assign(one, place, { opacity });
    one.group.setAttribute("transform", `translate(${place.x.toFixed(1)} ${place.y.toFixed(1)})`);
    one.link?.setAttribute("d", linkPath(place.fromX, place.fromY, place.x, place.y));
    if (opacity < 1) one.group.setAttribute("opacity", opacity.toFixed(2));
    else one.group.removeAttribute("opacity");
    if (opacity < 1) one.link?.setAttribute("opacity", opacity.toFixed(2));
    else one.link?.removeAttribute("opacity");
  }

  function clearLeaving() {
    for (const { group, link } of leaving) {
      group.remove();
      link?.remove();
    }
    leaving = [];
  }

  /**
   * Bring the drawing to `items`, in reading order.
   * @param {Item[]} items
   * @param {{animate: boolean, frame?: (share: number) => void, ended?: () => void}} options frame: called with each
   *   step of the change, for what should change along with it
   */
  function draw(items, { animate, frame, ended }) {
    stop?.();
    stop = null;
    clearLeaving();
    const present = new Set(items.map((item) => item.key));
    for (const [key, one] of drawn) {
      if (present.has(key)) continue;
      drawn.delete(key);
      leaving.push(one);
      one.group.removeAttribute("role");
      going.append(one.group);
    }
    if (!animate) clearLeaving();
    let moving = false;
    let entering = false;
    let cursor = nodes.firstChild;
    for (const item of items) {
      let one = drawn.get(item.key);
      if (one === undefined) {
        one = ready.get(item.key) ?? create(item);
        drawn.set(item.key, one);
        entering = true;
      } else {
        const { x, y, fromX, fromY } = one;
        one.start = { x, y, fromX, fromY };
        moving ||= x !== item.x || y !== item.y || fromX !== item.fromX || fromY !== item.fromY;
      }
      dress(one, item);
      hang(one);
      if (one.group === cursor) cursor = cursor.nextSibling;
      else nodes.insertBefore(one.group, cursor);
    }
    ready.clear();
    ties.replaceChildren(...items.flatMap(({ tied, key }) => (tied ? svg("path.tie", { "data-tie": key }) : [])));
    if (!animate || (!moving && !entering && leaving.length === 0)) {
      clearLeaving();
      step({ fold: 1, move: 1, unfold: 1 });
      frame?.(1);
      ended?.();
      return;
    }
    for (const one of leaving) one.start = { x: one.x, y: one.y, fromX: one.fromX, fromY: one.fromY };
    const parts = { leaving: leaving.length > 0, moving, entering };
    step(stageAt(0, parts));
    frame?.(0);
    stop = run(
      (share) => {
        const stage = stageAt(share, parts);
        step(stage);
        frame?.(stage.move === 1 && !moving ? share : stage.move);
      },
      () => {
        stop = null;
        clearLeaving();
        for (const one of drawn.values()) one.start = null;
        ended?.();
      },
    );
  }

  /** @param {Stage} stage */
  function step({ fold, move, unfold }) {
    for (const one of leaving) {
      const { x, y, fromX, fromY } = /** @type {Place} */ (one.start ?? one);
      put(one, { x: between(x, fromX, fold), y: between(y, fromY, fold), fromX, fromY }, 1 - fold);
    }
    for (const one of drawn.values()) {
      const { item, start } = one;
      if (start !== null) {
        put(
          one,
          {
            x: between(start.x, item.x, move),
            y: between(start.y, item.y, move),
            fromX: between(start.fromX, item.fromX, move),
            fromY: between(start.fromY, item.fromY, move),
          },
          1,
        );
      } else {
        const { x, y, fromX, fromY } = item;
        put(one, { x: between(fromX, x, unfold), y: between(fromY, y, unfold), fromX, fromY }, unfold);
      }
    }
    const from = [...drawn.values()].find(({ item }) => ties.firstChild !== null && item.face?.selected);
    for (const tie of ties.children) {
      const to = drawn.get(tie.getAttribute("data-tie") ?? "");
      if (from !== undefined && to !== undefined) tie.setAttribute("d", tiePath(cardOf(from), cardOf(to)));
    }
  }

  /** @param {Drawn} one */
  function cardOf({ x, y, item: { face } }) {
    return { x, y, width: face?.width ?? 0, height: face === undefined ? 0 : cardHeight(face.node) };
  }

  /**
   * Make those rows that are not drawn, without drawing them: the next drawing takes them where they are as it wants.
   * @param {Item[]} items
   */
  function prepare(items) {
    ready.clear();
    for (const item of items) {
      if (drawn.has(item.key)) continue;
      const one = create(item);
      dress(one, item);
      const { x, y, fromX, fromY } = item;
      put(one, { x, y, fromX, fromY }, 1);
      ready.set(item.key, one);
    }
  }

  return {
    world,
    draw,
    prepare,
    /** The group of a row, where it is drawn. @param {string} key */
    group: (key) => drawn.get(key)?.group ?? null,
    /** Ends a running change at once. */
    finish: () => stop?.(),
  };
}
