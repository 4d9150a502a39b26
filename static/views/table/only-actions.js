// @ts-check
/**
 * The tree reduced to the rows of a table and the nodes above them: of every open node the children that lead to a row
 * are drawn, all others fold into one stub. The server tells which lead to a row, so that a tree of millions costs no
 * more than its drawn part.
 */

import { ApiError } from "../../data/api.js";
import { createMarking } from "../../data/loading.js";
import { isOld, shownBeside } from "../../data/merged.js";
import { few, isOpen, most, ROW } from "../../data/opening.js";
import { questionOf } from "./actions.js";
import { FOREST } from "../../data/types.js";

/** @import { Id, Listing, Only, Room, State, TreeNode } from "../../data/types.js" */

/** Nodes asked about at once. */
const AT_ONCE = 50;
/** The most children of one node that are asked for. */
const MOST_LED = 500;

/** @param {Room} room */
export function createOnlyActions({ store, api, loader, walk, attempt }) {
  let following = false;

  /** Show only the rows of the table that is listed, and the nodes above them; false: the tree as it was. @param {boolean} on */
  async function setOnly(on) {
    const state = store.get();
    if (!on) return end();
    const of = state.table !== null && state.table.source !== "changes" ? "table" : "search";
    if (state[of] === null) return;
    await attempt(() => narrow(of, state.only?.began ?? placeOf(state)));
  }

  /** @param {Only["of"]} of @param {Only["began"]} began */
  async function narrow(of, began) {
    const state = store.get();
    const before = state.only;
    const listing = state[of];
    const root = state.top ?? state.opened?.root;
    if (listing === null || root === undefined) return;
    const question = rowsAsked(listing);
    const rows = Math.max(few(state.size.height), Math.floor((state.size.height - 2 * ROW) / ROW));
    const limit = Math.min(MOST_LED, most(state.size.height));
    const answer = await loader.ask((log) =>
      api.leading(log, { ...question, top: root, room: rows, limit, order: state.order }),
    );
    if (answer === null || store.get()[of] === null) return;
    const ids = answer.nodes.map(({ id }) => id);
    if (!(await loader.children([...ids, ...unmerged(answer.nodes)]))) return;
    if (store.get().only !== before) return; // ended meanwhile, or begun by another question
    const only = { of, key: keyOf(listing), question, nodes: store.get().nodes, led: new Map(), all: new Set(), began };
    store.update((now) => {
      const above = now.selected === null ? [] : [...way(now, now.selected)];
      return {
        only: keepLed(only, answer.nodes, state.order),
        expanded: new Set([...ids, ...above]),
        held: new Set(),
        kept: new Set(),
        shown: new Map(),
        hovered: null,
        aim: { kind: "fit", id: null },
      };
    });
    walk.fillRoom();
  }

  /** The tree as it was, with the node that is selected now. */
  function end() {
    const { only, selected } = store.get();
    if (only === null) return;
    store.update({ only: null, ...only.began, hovered: null, aim: { kind: "show", id: selected } });
    walk.fillRoom();
    if (selected !== null) void walk.goTo(selected);
  }

  /** Draw all other children of a node too. @param {Id} id */
  function showOthers(id) {
    store.update(({ only }) => (only === null ? {} : { only: { ...only, all: new Set([...only.all, id]) } }));
    void walk.showFewer(id);
  }

  /**
   * Nodes of an answer that are not loaded yet and have to be asked of both logs, where two lie beside one another.
   * @param {{items: {id: Id}[]}[]} answers
   */
  function unmerged(answers) {
    const state = store.get();
    if (shownBeside(state) === null) return [];
    return answers.flatMap(({ items }) => items.flatMap(({ id }) => (state.nodes.has(id) ? [] : id)));
  }

  /**
   * @param {Only} only
   * @param {{id: Id, total: number, others: number, items: TreeNode[]}[]} answers
   * @param {State["order"]} order
   * @returns {Only}
   */
  function keepLed(only, answers, order) {
    const { nodes } = store.get();
    const led = new Map(only.led);
    for (const { id, total, others, items } of answers) {
      for (const node of items) {
        nodes.set(node.id, nodes.get(node.id) ?? node);
        loader.adopt(node);
      }
      led.set(id, { total, others, items: items.map((node) => node.id), order });
    }
    return { ...only, led };
  }

  /** Ask of open nodes which children lead to a row; end where the table has ended, begin anew where it changed. */
  async function follow() {
    if (following) return;
    following = true;
    try {
      for (;;) {
        const state = store.get();
        const { only } = state;
        if (only === null || state.phase !== "ready") return;
        const listing = state[only.of];
        if (listing === null || listing.total === 0 || only.nodes !== state.nodes) {
          if (only.nodes === state.nodes) end();
          else store.update({ only: null });
          return;
        }
        if (keyOf(listing) !== only.key) {
          await narrow(only.of, only.began);
          if (store.get().only === only) return;
          continue;
        }
        const { ids, limit } = missing(state, only);
        if (ids.length === 0) return;
        const answer = await loader.ask((log) =>
          api.leading(log, { ...only.question, ids: ids.join(","), limit, order: state.order }),
        );
        if (answer === null || !(await loader.children(unmerged(answer.nodes)))) return;
        store.update(({ only: now, revision }) =>
          now === null || now.key !== only.key
            ? {}
            : { only: keepLed(now, answer.nodes, state.order), revision: revision + 1 },
        );
      }
    } catch (error) {
      end();
      await attempt(async () => {
        throw error instanceof ApiError ? error : new Error(String(error));
      });
    } finally {
      following = false;
    }
  }

  store.subscribe((state) => {
    if (state.only !== null) void follow();
  });

  return {
    setOnly,

    /** Show more of a node's children: those that lead to a row, then all others. @param {Id} id */
    showMore(id) {
      const state = store.get();
      const led = state.only?.led.get(id);
      if (state.only === null || led === undefined || state.only.all.has(id)) return walk.showMore(id);
      const wanted = state.shown.get(id) ?? Math.max(state.room, few(state.size.height));
      return led.total > wanted && wanted < MOST_LED ? walk.showMore(id) : showOthers(id);
    },
  };
}

/** The parameters that name the rows of a table. @param {Listing} listing */
function rowsAsked(listing) {
  const {
    columns: _,
    sort: __,
    desc: ___,
    ...question
  } = questionOf({ ...listing, chosen: null, sort: null, descending: false }, "searched");
  return question;
}

/** @param {Listing} listing */
function keyOf(listing) {
  return JSON.stringify(rowsAsked(listing));
}

/** Open nodes of which it is not known which children lead to a row, or not enough of them. @param {State} state @param {Only} only */
function missing(state, only) {
  const ids = [];
  let limit = most(state.size.height);
  for (const id of state.expanded) {
    if (id === FOREST || isOld(id) || !isOpen(state, id) || only.all.has(id)) continue;
    const led = only.led.get(id);
    const wanted = Math.min(MOST_LED, state.shown.get(id) ?? Math.max(state.room, few(state.size.height)));
    const enough = led?.order === state.order ? Math.min(led.total, wanted) : led?.total;
    if (led !== undefined && enough !== undefined && led.items.length >= enough) continue;
    limit = Math.max(limit, wanted);
    ids.push(id);
    if (ids.length === AT_ONCE) break;
  }
  return { ids, limit: Math.min(MOST_LED, limit) };
}

/** The open nodes to return to. @param {State} state @returns {Only["began"]} */
function placeOf({ expanded, held, kept, shown, top }) {
  return { expanded, held, kept, shown, top };
}

/** The nodes above one. @param {State} state @param {Id} id */
function* way(state, id) {
  for (let at = state.nodes.get(id)?.parent ?? null; at !== null; at = state.nodes.get(at)?.parent ?? null) {
    if (state.children.has(at)) yield at;
  }
}

/**
 * Ask which of the loaded nodes are hits of the query, and how many hits are below each, as nodes come.
 * @param {Room} room
 */
export function followQueryMarks(room) {
  const { store, api } = room;
  const { forget, mark } = createMarking(room, {
    subject,
    question: (log, ids) => api.queryMarks(log, query() ?? {}, ids),
    keep: (found) => store.update(({ hitMarks }) => ({ hitMarks: new Map([...hitMarks, ...found]) })),
  });

  /** The rows that are marked: those that alone are drawn, else the hits of the expression. */
  function query() {
    const { only, search } = store.get();
    return only?.question ?? (search?.source === "hits" && search.total > 0 ? rowsAsked(search) : null);
  }

  function subject() {
    const question = query();
    return question === null ? null : JSON.stringify(question);
  }

  let last = subject();
  store.subscribe((state, previous) => {
    const now = subject();
    if (now !== last || state.nodes !== previous.nodes) {
      last = now;
      forget();
      if (state.hitMarks.size > 0) store.update({ hitMarks: new Map() });
    }
    if (now !== null) void mark();
  });
}
