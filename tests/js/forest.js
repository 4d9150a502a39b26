/** A log for the tests: a tree made from nested lists, and an API that answers from it as the server would. */

import { createActions } from "../../static/data/actions.js";
import { ApiError } from "../../static/data/api.js";
import { bestFirst, isStub } from "../../static/data/claims.js";
import { FOREST } from "../../static/data/types.js";
import { createStore, initialState } from "../../static/data/state.js";

/** The nodes of nested branches, numbered in pre-order, layers alternating. */
export function plant(roots) {
  const nodes = new Map();
  const stack = roots.map((root, index) => [root, null, 0, index]).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [{ children = [], ...fields }, parent, level, index] = next;
    const id = nodes.size;
    const layer = level % 2 ? "min" : "max";
    nodes.set(id, { id, parent, level, index, layer, n_children: children.length, ...fields });
    for (let at = children.length - 1; at >= 0; at -= 1) {
      stack.push([children[at], id, level + 1, at]);
    }
  }
  return nodes;
}

/** A branch whose every node down to `levels` has `width` children. */
export function full(width, levels) {
  return levels === 0 ? {} : { children: Array.from({ length: width }, () => full(width, levels - 1)) };
}

/** A branch without forks, so many levels deep. */
export function chain(levels) {
  let branch = {};
  for (let level = 0; level < levels; level += 1) branch = { children: [branch] };
  return branch;
}

export function childrenOf(nodes, id) {
  return [...nodes.values()].filter((node) => (node.parent ?? FOREST) === id);
}

/** A state in which every node is known, and `expanded` are open. */
export function knowing(nodes, expanded, more = {}) {
  const children = new Map();
  for (const id of [FOREST, ...nodes.keys()]) {
    const items = childrenOf(nodes, id).map((node) => node.id);
    if (items.length > 0)
      children.set(id, { total: items.length, items, prefix: items.length, ranked: { best: items.length } });
  }
  return { ...initialState(), log: "a", phase: "ready", nodes, children, expanded: new Set(expanded), ...more };
}

export function openedLog(nodes, more = {}) {
  const roots = childrenOf(nodes, FOREST).map(({ id }) => ({ id }));
  const lists = { players: [], factors: [], contribution_names: [], pv: [], notices: [], fields: [] };
  const totals = { leaves: 0, prune_events: 0, pruned: 0, limited: 0, levels: [] };
  return {
    log: { id: "a", name: "a.json", source: "file", state: "ready", n_bytes: 1, deletable: false },
    ...lists,
    totals: { rows: nodes.size, nodes: nodes.size, ...totals },
    roots,
    root: roots[0]?.id ?? 0,
    mapping: {},
    header: {},
    ...more,
  };
}

/** A server in memory: the functions of `createApi`, and a list of what was asked. */
export function fakeApi(nodes, more = {}) {
  const opened = openedLog(nodes, more);
  const asked = [];
  const unchecked = { state: "none", rows: nodes.size, quick: false };
  const known = (id) => {
    const node = nodes.get(id);
    if (node === undefined) throw new ApiError(`this log has no node ${id}`, 404);
    return node;
  };
  const page = (id, offset, limit, best = 0) => {
    const node = known(id);
    const all = childrenOf(nodes, id);
    const items = all.slice(offset, offset + limit);
    const closing = all.slice(-2).filter(isStub);
    const first = [...all].sort(bestFirst(node.layer)).slice(0, best);
    const others =
      best === 0
        ? []
        : all.filter((child) => (first.includes(child) || closing.includes(child)) && !items.includes(child));
    return { node, children: { total: all.length, offset, items, ...(others.length > 0 && { best: others }) } };
  };
  const api = {
    logs: async () => ({ logs: [opened.log], default: "a" }),
    open: async () => opened,
    read: async () => ({ ...opened.log, opened }),
    summary: async () => ({ ...opened.log, opened }),
    nodes: async (_, ids, limit, { best } = {}) => {
      asked.push(`nodes ${ids.join(",")}`);
      return { nodes: ids.map((id) => page(id, 0, limit, best)) };
    },
    node: async (_, id, offset, limit, order) => {
      asked.push(`node ${id} from ${offset}${order === "best" ? " of the best" : ""}`);
      if (order !== "best") return page(id, offset, limit);
      const ranked = childrenOf(nodes, id).sort(bestFirst(known(id).layer));
      const items = ranked.slice(offset, offset + limit);
      return { node: known(id), children: { total: ranked.length, offset, items } };
    },
    path: async (_, id) => {
      const path = [];
      for (let at = id; at !== null; at = known(at).parent) path.unshift(known(at));
      return path.length > 1000 ? { path: path.slice(-1000), more: path.length - 1000 } : { path };
    },
    details: async (_, id) => ({ node: known(id), path: [], line: { nodes: [], leaf: known(id), how: "leaf" } }),
    notes: async () => ({ notes: [] }),
    board: async () => ({ drawing: null, reason: "not ours" }),
    startCheck: async () => unchecked,
    check: async () => unchecked,
    endCheck: async () => unchecked,
    findings: async (_, { offset = 0 }) => ({ total: 0, offset, items: [] }),
    marks: async () => ({ marks: {} }),
    search: async (_, q, { offset = 0, limit = 50 }) => {
      const hits = [...nodes.values()].filter((node) => node.ply === q);
      const items = hits.slice(offset, offset + limit);
      return { q, total: hits.length, offset, items, paths: items.map(({ id }) => `root > ${id}`) };
    },
  };
  return { api, asked, opened };
}

/** A page on that server: `other` answers differ, `around` is what its actions are given. */
export function pageOn(nodes, opened, other, around) {
  const { api, asked } = fakeApi(nodes, opened);
  const store = createStore(initialState(), { frame: (draw) => void setImmediate(draw) });
  const actions = createActions(store, { ...api, ...other }, { pause: async () => {}, ...around });
  return { store, actions, api, asked, state: store.get };
}

/** The same page once its log is open, and nothing more comes by itself. */
export async function openPage(nodes, opened, other, around) {
  const page = pageOn(nodes, opened, other, around);
  await page.actions.openLog("a");
  await settle();
  return page;
}

/** Wait until nothing comes any more. */
export async function settle() {
  for (let frames = 0; frames < 20; frames += 1) await new Promise((resolve) => void setImmediate(resolve));
}
