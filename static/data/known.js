// @ts-check
/**
 * The known nodes and children of a tree, and adding an answer to them: to those of the state, which grow in place, or
 * to a copy, which shows what an answer would change.
 */

import { FOREST } from "./types.js";

/** @import { Id, Page, Ranking, State, TreeNode } from "./types.js" */

/** @typedef {Pick<State, "nodes" | "children">} Known */

/**
 * A copy that can grow below some nodes without changing its original.
 * @param {Known} known
 * @param {readonly Id[]} ids the nodes
 * @returns {Known}
 */
export function copyOf({ nodes, children }, ids) {
  const copied = new Map(children);
  for (const id of ids) {
    const family = children.get(id);
    if (family !== undefined) copied.set(id, { ...family, items: [...family.items], ranked: { ...family.ranked } });
  }
  return { nodes: new Map(nodes), children: copied };
}

/**
 * Add nodes with their first children and those that come first in an order.
 * @param {Known} known
 * @param {{node: TreeNode, children: Page}[]} answers
 * @param {number} ranked how many of the first children in an order were asked for
 * @param {Ranking} order
 */
export function keepFamilies(known, answers, ranked, order) {
  for (const { node, children } of answers) {
    keepNodes(known, [node]);
    keepPage(known, node.id, children);
    const family = known.children.get(node.id);
    if (family !== undefined)
      family.ranked[order] = Math.max(family.ranked[order] ?? 0, Math.min(ranked, family.total));
  }
  for (const { node, children } of answers) {
    adopt(known, node);
    for (const best of children.best ?? []) adopt(known, best);
  }
}

/** @param {Known} known @param {TreeNode[]} answered */
export function keepNodes({ nodes }, answered) {
  for (const node of answered) nodes.set(node.id, node);
}

/** @param {Known} known @param {Id} id @param {Page} page */
export function keepPage(known, id, page) {
  const { children } = known;
  keepNodes(known, page.items);
  keepNodes(known, page.best ?? []);
  const family = children.get(id) ?? { total: page.total, items: [], prefix: 0, ranked: {} };
  const loose = family.items.slice(family.prefix);
  const fresh = page.items.map((node) => node.id);
  if (page.offset > family.prefix) return;
  const prefix = [...family.items.slice(0, page.offset), ...fresh];
  if (prefix.length <= family.prefix && children.has(id)) return;
  const there = new Set(prefix);
  children.set(id, {
    total: page.total,
    items: [...prefix, ...loose.filter((child) => !there.has(child))],
    prefix: prefix.length,
    ranked: family.ranked,
  });
}

/**
 * Add a page of the children of a node in an order.
 * @param {Known} known
 * @param {Id} id
 * @param {Page} page
 * @param {State["order"]} order
 */
export function keepNext(known, id, page, order) {
  const family = known.children.get(id);
  if (order === "searched" || family === undefined) return keepPage(known, id, page);
  keepNodes(known, page.items);
  for (const child of page.items) adopt(known, child);
  family.ranked[order] = page.offset + page.items.length;
  if (family.items.length === family.total) family.prefix = family.total;
}

/**
 * Put a node that came alone among its parent's known children, in the order of the search.
 * @param {Known} known
 * @param {TreeNode} node
 */
export function adopt({ nodes, children }, node) {
  const siblings = children.get(node.parent ?? FOREST);
  if (siblings === undefined || siblings.items.includes(node.id)) return;
  const place = siblings.items.findIndex((id) => (nodes.get(id)?.index ?? 0) > node.index);
  siblings.items.splice(place < 0 ? siblings.items.length : place, 0, node.id);
}
