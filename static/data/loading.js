// @ts-check
/**
 * Loads nodes into the state: pages of children, paths, batches. Nodes and children are caches that grow in place;
 * `revision` counts their changes, so that views notice them. An answer that arrives after another log was opened is
 * dropped.
 */

import { createAhead } from "./ahead.js";
import { ApiError } from "./api.js";
import { adopt as putAmong, copyOf, keepFamilies, keepNext, keepNodes, keepPage } from "./known.js";
import { isOld, shownBeside } from "./merged.js";
import { most } from "./opening.js";
import { FOREST } from "./types.js";

/** @import { FirstNodes, Waits } from "./api.js" */
/** @import { Known } from "./known.js" */
/** @import { Beside } from "./merged.js" */
/** @import { Api, Id, Page, Ranking, Room, State, Store, TreeNode } from "./types.js" */

/** @typedef {ReturnType<typeof createLoader>} Loader */

/** Children asked for at once. */
export const PAGE = 100;
/** Best children asked for with a page of children at most: the limit of the server. */
const MOST_BEST = 100;
/** Ids in one request: their first pages and best ones together stay within the 2,000 children of an answer. */
const BATCH = 10;
/** Nodes in one question for marks. */
const MARKED = 500;

/** @param {Store} store @param {Api} api */
export function createLoader(store, api) {
  const ahead = createAhead(store);

  /**
   * Ask something of the open log; null where another log was opened meanwhile.
   * @template T
   * @param {(log: string) => Promise<T>} question
   */
  async function ask(question) {
    const { log, nodes } = store.get();
    if (log === null) return null;
    const answer = await store.wait(question(log));
    return store.get().nodes === nodes ? answer : null;
  }

  /**
   * Ask for nodes of the open log, or of both logs where another lies beside it. Null too where the tree was replaced
   * meanwhile.
   * @template {Waits} T
   * @param {(log: string, beside: Beside | null) => Promise<T>} question
   * @param {Beside | null} [of] the tree, unless it is the one that is shown
   */
  async function askTree(question, of) {
    const shown = shownBeside(store.get());
    const beside = of === undefined ? shown : of;
    const { diff } = store.get();
    for (;;) {
      const answer = await ask((log) => question(log, beside));
      const now = store.get().diff;
      if (answer === null || now.against !== diff.against || now.iteration !== diff.iteration) return null;
      if (of === undefined && (now.found === null) !== (shown === null)) return null;
      if (beside === null || answer.state === "done") return answer;
      if (answer.state !== "running") throw new Error(answer.reason ?? `The logs cannot be compared: ${answer.state}.`);
    }
  }

  /**
   * Replace all known nodes at once: by those of both logs as one tree, or by those of the open log alone.
   * @param {Beside | null} of
   * @param {Iterable<Id>} open nodes whose children are drawn
   * @param {Id | null} selected
   * @param {Partial<State>} change the changes of the state that go with it
   * @returns {Promise<boolean>} false where another log was opened meanwhile
   */
  async function replant(of, open, selected, change) {
    const ids = [...open];
    const ranked = best();
    const order = ranking();
    const few = (store.get().opened?.roots ?? []).slice(0, 100).map(({ id }) => id);
    const [answers, way, trees] = await Promise.all([
      batches(ids, ranked, order, of),
      selected === null ? { path: [] } : askTree((log, beside) => api.path(log, selected, beside), of),
      askTree((log, beside) => api.nodes(log, few, 1, {}, beside), of),
    ]);
    if (answers === null || way === null || trees === null) return false;
    const { opened, nodes, children } = store.get();
    nodes.clear();
    children.clear();
    children.set(FOREST, { total: opened?.roots.length ?? 0, items: [], prefix: 0, ranked: {} });
    const items = trees.nodes.map(({ node }) => node);
    keepPage(store.get(), FOREST, { total: opened?.roots.length ?? 0, offset: 0, items });
    keepFamilies(store.get(), answers, ranked, order);
    keepNodes(store.get(), way.path);
    for (const node of way.path) adopt(node);
    store.update(change);
    grow();
    for (const [id, wanted] of store.get().shown) await moreChildren(id, wanted);
    return true;
  }

  /**
   * Ask for many nodes with their first children, some at a time; null where the tree has become another meanwhile.
   * @param {Id[]} ids
   * @param {number} ranked
   * @param {Ranking} order
   * @param {Beside | null} of
   */
  async function batches(ids, ranked, order, of) {
    const answers = [];
    for (let start = 0; start < ids.length; start += BATCH) {
      const batch = ids.slice(start, start + BATCH);
      const answer = await askTree((log, beside) => api.nodes(log, batch, PAGE, { best: ranked, order }, beside), of);
      if (answer === null) return null;
      answers.push(...answer.nodes);
    }
    return answers;
  }

  /** Best children to ask for: as many as an open node shows by itself, twelve at least. */
  const best = () => Math.min(MOST_BEST, Math.max(12, most(store.get().size.height)));

  /** The order by which those children are asked for that come before the others. */
  const ranking = () => {
    const { order } = store.get();
    return order === "searched" ? "best" : order;
  };

  /**
   * Ask for nodes with their first children and those that come first in the order that is chosen.
   * @param {Id[]} ids at most 10
   * @returns {Promise<boolean>} false where another log was opened meanwhile
   */
  async function families(ids) {
    const ranked = best();
    const order = ranking();
    const answer = await askTree((log, beside) =>
      ahead.take(familyKey(ids, ranked, order), beside, () =>
        api.nodes(log, ids, PAGE, { best: ranked, order }, beside),
      ),
    );
    if (answer === null) return false;
    keepFamilies(store.get(), answer.nodes, ranked, order);
    grow();
    return true;
  }

  /**
   * What to ask for of the first nodes of a log that is opened.
   * @param {number} opens how many of them
   * @returns {FirstNodes}
   */
  const first = (opens) => ({ opens, limit: PAGE, best: best(), order: ranking() });

  /**
   * Keep the first nodes, which came with the log.
   * @param {{node: TreeNode, children: Page}[]} came
   * @param {FirstNodes} first what was asked for
   */
  const keepFirst = (came, { best, order }) => keepFamilies(store.get(), came, best, order);

  /** @param {Id[]} ids @param {number} ranked @param {Ranking} order */
  const familyKey = (ids, ranked, order) => `${ids.join()} ${ranked} ${order}`;

  /** @param {Id} id @param {NonNullable<ReturnType<typeof nextPage>>} page */
  const pageKey = (id, { offset, limit, order }) => `${id} from ${offset} ${limit} ${order}`;

  /**
   * Ask, without changing the state, what opening a node would ask, or showing `wanted` of its children.
   * @param {Id} id
   * @param {number | null} wanted null of a node that is folded
   * @returns {Promise<Known | null>} the nodes that would be known then; null where that cannot be told
   */
  async function foresee(id, wanted) {
    const { log } = store.get();
    const page = wanted === null ? null : nextPage(id, wanted);
    if (log === null || shownBeside(store.get()) !== null) return null;
    if (page !== null) {
      const { offset, limit, order } = page;
      const answer = await ahead.ask(pageKey(id, page), () => api.node(log, id, offset, limit, order, null));
      if (answer === null) return null;
      const known = copyOf(store.get(), [id]);
      keepNext(known, id, { ...answer.children, offset }, order);
      return known;
    }
    if (wanted !== null || !isUnranked(id)) return store.get();
    const [ranked, order] = [best(), ranking()];
    const answer = await ahead.ask(familyKey([id], ranked, order), () =>
      api.nodes(log, [id], PAGE, { best: ranked, order }, null),
    );
    if (answer === null) return null;
    const known = copyOf(store.get(), [id]);
    keepFamilies(known, answer.nodes, ranked, order);
    return known;
  }

  /** Put a node that came alone among its parent's known children, in the order of the search. @param {TreeNode} node */
  const adopt = (node) => putAmong(store.get(), node);

  function grow() {
    store.update((state) => ({ revision: state.revision + 1 }));
  }

  /** Whether it is not known of a node which children come first in the order that is chosen. @param {Id} id */
  function isUnranked(id) {
    const known = store.get().children.get(id);
    if (known === undefined) return true;
    const { order } = store.get();
    return id !== FOREST && order !== "searched" && known.prefix < known.total && known.ranked[order] === undefined;
  }

  /**
   * Load the nodes `ids`, the first page of the children of each, and those children that come first in the chosen
   * order.
   * @param {Id[]} ids
   * @returns {Promise<boolean>} false where another log was opened meanwhile
   */
  async function children(ids) {
    const { nodes } = store.get();
    const missing = ids.filter(isUnranked);
    for (let start = 0; start < missing.length; start += BATCH) {
      const batch = missing.slice(start, start + BATCH);
      if (!(await families(batch))) return false;
    }
    return store.get().nodes === nodes;
  }

  /**
   * Those of `ids` that the log has, each with its first page of children; null where another log was opened.
   * @param {Id[]} ids
   */
  async function existing(ids) {
    const there = new Set();
    const batches = [];
    for (let start = 0; start < ids.length; start += BATCH) batches.push(ids.slice(start, start + BATCH));
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      try {
        if (!(await children(batch))) return null;
        for (const id of batch) there.add(id);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        const half = batch.length >> 1;
        if (half > 0) batches.push(batch.slice(0, half), batch.slice(half));
      }
    }
    return ids.filter((id) => there.has(id));
  }

  /**
   * Load the first `wanted` children of a node in the chosen order, or all.
   * @param {Id} id
   * @param {number} wanted
   */
  async function moreChildren(id, wanted) {
    if (id === FOREST) await firstRoots(wanted);
    else await pages(id, wanted);
  }

  /**
   * The next page to ask for until the first `wanted` children of a node are loaded; null where all of them are.
   * @param {Id} id
   * @param {number} wanted
   * @returns {{offset: number, limit: number, order: State["order"]} | null}
   */
  function nextPage(id, wanted) {
    const known = store.get().children.get(id);
    if (known === undefined || known.prefix >= known.total) return null;
    const { order } = store.get();
    const offset = order === "searched" ? known.prefix : (known.ranked[order] ?? 0);
    if (offset >= Math.min(wanted, known.total)) return null;
    const least = order === "searched" ? PAGE : 1;
    return { offset, limit: Math.min(500, Math.max(least, wanted - offset)), order };
  }

  /** @param {Id} id @param {number} wanted */
  async function pages(id, wanted) {
    for (let page = nextPage(id, wanted); page !== null; page = nextPage(id, wanted)) {
      const { offset, limit, order } = page;
      const key = pageKey(id, page);
      const answer = await askTree((log, beside) =>
        ahead.take(key, beside, () => api.node(log, id, offset, limit, order, beside)),
      );
      const known = store.get().children.get(id);
      if (answer === null || known === undefined || answer.children.items.length === 0) return;
      keepNext(store.get(), id, { ...answer.children, offset }, order);
      grow();
    }
  }

  /** @param {number} wanted */
  async function firstRoots(wanted) {
    for (;;) {
      const known = store.get().children.get(FOREST);
      if (known === undefined || known.prefix >= Math.min(wanted, known.total)) return;
      if (!(await roots(wanted))) return;
    }
  }

  /** Load the first `wanted` roots of the forest. @param {number} wanted */
  async function roots(wanted) {
    const { opened, children } = store.get();
    if (opened === null) return false;
    const from = children.get(FOREST)?.prefix ?? 0;
    const ids = opened.roots.slice(from, Math.min(wanted, from + 200)).map((root) => root.id);
    if (ids.length === 0) return false;
    const answer = await askTree((log, beside) => api.nodes(log, ids, 1, {}, beside));
    if (answer === null) return false;
    const items = answer.nodes.map(({ node }) => node);
    keepPage(store.get(), FOREST, { total: opened.roots.length, offset: from, items });
    grow();
    return true;
  }

  /**
   * The nodes from a root to `id`, nearest 1,000, kept.
   * @param {Id} id
   * @returns {Promise<{path: TreeNode[], more?: number} | null>}
   */
  async function path(id) {
    const answer = await askTree((log, beside) => api.path(log, id, beside));
    if (answer === null) return null;
    keepNodes(store.get(), answer.path);
    for (const node of answer.path) adopt(node);
    grow();
    return answer;
  }

  return { ask, askTree, replant, adopt, first, keepFirst, children, existing, moreChildren, roots, path, foresee };
}

/**
 * Asks which of the loaded nodes are marked, some at a time.
 * @template M
 * @param {Pick<Room, "store" | "loader">} room
 * @param {object} marking
 * @param {() => unknown} marking.subject the name of the marks, null where there are none: the marks depend on it alone
 *   whether an answer is still wanted
 * @param {(log: string, ids: Id[]) => Promise<{marks: Record<string, M>}>} marking.question
 * @param {(found: [Id, M][]) => void} marking.keep
 */
export function createMarking({ store, loader }, { subject, question, keep }) {
  /** @type {Set<Id>} */
  let asked = new Set();
  let isAsking = false;

  function unmarked() {
    if (subject() === null) return [];
    const ids = [];
    for (const id of store.get().nodes.keys()) {
      if (asked.has(id) || isOld(id)) continue;
      ids.push(id);
      if (ids.length === MARKED) break;
    }
    return ids;
  }

  return {
    /** Begin anew: no node was asked about. */
    forget: () => void (asked = new Set()),

    /** Ask about all nodes that were loaded since, as long as there are marks to ask for. */
    async mark() {
      if (isAsking) return;
      isAsking = true;
      try {
        for (let ids = unmarked(); ids.length > 0; ids = unmarked()) {
          const wanted = ids;
          const about = subject();
          for (const id of wanted) asked.add(id);
          const answer = await loader.ask((log) => question(log, wanted));
          const found = Object.entries(answer?.marks ?? {});
          if (found.length === 0 || subject() !== about) continue;
          keep(found.map(([id, mark]) => [Number(id), mark]));
        }
      } catch {
        // A report that was let go meanwhile marks nothing; what is wrong with a query it says itself.
      } finally {
        isAsking = false;
      }
    },
  };
}
