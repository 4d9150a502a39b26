// @ts-check
/**
 * Actions on tables of nodes, which list hits of a search or of an expression, the children of a node, or the visits of
 * its position: ask, walk the rows, sort them, choose columns, read on, and return to the place where a search began.
 */

import { ApiError, messageOf } from "../../data/api.js";
import { kindOf } from "../../data/expression.js";
import { isOld, shownBeside } from "../../data/merged.js";

/** @import { AskedField, Id, Kind, Listing, Opened, Room, Route, Search, State } from "../../data/types.js" */
/** @import { TreeNode } from "../../data/types.js" */

/** Rows of one answer, and the number of them before the row that is asked for. */
const PAGE = 100;
const BEFORE = 30;
/** Columns of hits of plies, and of tables without a question. */
const USUAL = Object.freeze(["score", "nodes_below"]);

/** Factors up to which a ranking lists all of them. */
const MOST_FACTORS = 12;

/**
 * The columns of a table without a choice; for the plies of a ranking also their factors, as it has nothing else.
 * @param {State} state
 * @param {Listing["source"]} source
 */
export function usualColumns({ opened }, source) {
  if (source !== "children" || opened === null || !isRanking(opened)) return USUAL;
  const names = opened.factors.map(({ name }) => name).filter((name) => /^[a-z_]\w*$/i.test(name));
  return ["score", ...names.slice(0, MOST_FACTORS).map((name) => `factors.${name}`)];
}

/** Whether a log is of one ply that was ranked, not searched. @param {Opened} opened */
export function isRanking({ search, factors }) {
  return search?.["algorithm"] === "ranked" && factors.length > 0;
}

/**
 * The table that the drawer lists: children or visits where they were asked for, else the hits.
 * @param {State} state
 */
export function listedOf({ table, search }) {
  return table ?? search;
}

/**
 * The parameters of a request for rows of a table, besides the page.
 * @param {Pick<Listing, "source" | "q" | "of" | "chosen" | "sort" | "descending">} listing
 * @param {State["order"]} order of children in an unsorted table
 * @param {readonly string[]} [usual] columns where none were chosen
 */
export function questionOf({ source, q, of, chosen, sort, descending }, order, usual = USUAL) {
  const columns = chosen ?? (source === "hits" ? undefined : [...usual]);
  return {
    rows: source,
    ...(source === "findings"
      ? {}
      : source === "hits" || source === "search"
        ? { q }
        : { [source === "children" ? "node" : "key"]: of ?? undefined }),
    ...(columns !== undefined && { columns: columns.join(",") }),
    ...(sort !== null && { sort }),
    ...(sort === null && source === "children" && { order }),
    ...(descending && { desc: 1 }),
  };
}

/** The parameters of a request for changes, besides the page. @param {Pick<Listing, "q" | "sort" | "descending">} listing */
export function changesOf({ q, sort, descending }) {
  return { ...(q !== "" && { kinds: q }), ...(sort !== null && { sort }), ...(descending && { desc: 1 }) };
}

/** @param {Room & {showFinding: (kind: Kind, at: number) => Promise<void>}} room */
export function createSearchActions({ store, api, loader, walk, attempt, showFinding }) {
  let searchesAsked = 0;
  let linked = /** @type {(() => Promise<void>) | null} */ (null);
  let tablesAsked = 0;
  let underWay = /** @type {Promise<unknown>} what was asked last of a table; it does not fail */ (Promise.resolve());

  /**
   * A page of a table; null where another log was opened meanwhile.
   * @param {Pick<Listing, "source" | "q" | "of" | "chosen" | "sort" | "descending">} listing
   * @param {{offset: number, limit: number, from?: Id}} page
   */
  async function rows(listing, page) {
    if (listing.source === "changes") return changes(listing, page);
    const { from, ...first } = page;
    if (from !== undefined && isOld(from)) page = first; // only the other log has the node
    if (listing.source === "search" && listing.chosen === null && listing.sort === null) {
      const found = await loader.ask((log) => api.search(log, listing.q, page));
      return found && { ...found, columns: [...USUAL], cells: [], signs: {}, notices: [], here: true };
    }
    const found = await loader.ask((log) =>
      api.table(log, {
        ...questionOf(listing, store.get().order, usualColumns(store.get(), listing.source)),
        ...page,
        nodes: 1,
      }),
    );
    if (found === null) return null;
    const { total, offset, columns, nodes, at, findings } = found;
    const cells =
      findings === undefined ? found.rows : found.rows.map((row, place) => ({ ...row, finding: findings[place] }));
    return {
      total,
      offset,
      columns,
      items: nodes,
      paths: found.rows.map(({ path }) => path),
      cells,
      signs: found.signs ?? {},
      notices: found.notices ?? [],
      at: at ?? undefined,
      here: found.here === true,
      none: found.none,
    };
  }

  /**
   * A page of the changes.
   * @param {Pick<Listing, "q" | "sort" | "descending">} listing
   * @param {{offset: number, limit: number, from?: Id}} page
   */
  async function changes(listing, page) {
    const beside = shownBeside(store.get());
    const found =
      beside && (await loader.askTree((log) => api.changes(log, beside, { ...changesOf(listing), ...page })));
    if (found === null) return null;
    const { total, offset, columns, nodes, rows: cells, at, here } = found;
    return {
      total,
      offset,
      columns,
      items: nodes,
      paths: cells.map(({ path }) => path),
      cells,
      signs: {},
      notices: [],
      at,
      here: here === true,
    };
  }

  /** Change the listing of a table, if the state still has it. @param {Listing} listing @param {Partial<Listing>} change */
  function put(listing, change) {
    const { table, search } = store.get();
    if (table === listing) store.update({ table: { ...table, ...change } });
    else if (search === listing) store.update({ search: { ...search, ...change } });
    return listedOf(store.get());
  }

  /**
   * Search plies, ids and paths, or the nodes for which an expression is true. A search of plies, ids or paths goes to
   * the hit at or after the selection; an expression goes to none until the user chooses one.
   * @param {string} q an empty text ends the search
   * @param {Partial<Pick<Listing, "chosen" | "sort" | "descending">>} [as]
   */
  async function searchFor(q, as = {}) {
    const searched = search(q, as);
    underWay = searched;
    await searched;
  }

  /** @param {string} q @param {Partial<Pick<Listing, "chosen" | "sort" | "descending">>} as */
  async function search(q, as) {
    searchesAsked += 1;
    const asked = searchesAsked;
    const question = q.trim();
    if (question === "") {
      store.update({ search: null });
      return;
    }
    const { nodes, search } = store.get();
    const began = search?.began ?? place(store.get());
    const kind = kindOf(question);
    const listing = {
      q: question,
      of: null,
      chosen: as.chosen ?? null,
      sort: as.sort ?? null,
      descending: as.descending ?? false,
    };
    let source = /** @type {"search" | "hits"} */ (kind === "expression" ? "hits" : "search");
    try {
      const selected = store.get().selected;
      const page = { offset: 0, limit: PAGE, ...(selected !== null && { from: selected }) };
      let found = await rows({ ...listing, source }, page);
      if (found?.total === 0 && kind === "either") {
        source = "hits";
        found = await rows({ ...listing, source }, page);
      }
      if (found === null || asked !== searchesAsked) return;
      const at = found.total === 0 || !found.here ? -1 : (found.at ?? 0);
      store.update({
        drawer: null,
        table: null,
        search: { ...listing, source, ...listed(found), at, began, ...noneOf(found) },
      });
      if (source === "search" && at >= 0) await goToHit(at);
    } catch (error) {
      if (asked !== searchesAsked || store.get().nodes !== nodes) return;
      const wrong = { error: messageOf(error), ...(error instanceof ApiError && placeOf(error.body)) };
      store.update({ search: { ...listing, source, ...listed(null), at: -1, began, ...wrong } });
    }
  }

  /**
   * Have the rows around one in the list.
   * @param {number} at its index
   * @returns {Promise<Listing | null>} null where the table has ended meanwhile
   */
  async function hitsAround(at) {
    const listing = listedOf(store.get());
    if (listing === null || (at >= listing.offset && at < listing.offset + listing.items.length)) return listing;
    const offset = Math.max(0, Math.min(at - BEFORE, listing.total - PAGE));
    const found = await rows(listing, { offset, limit: PAGE });
    const now = listedOf(store.get());
    if (found === null || now === null || !isSame(now, listing)) return null;
    return put(now, {
      offset: found.offset,
      items: found.items,
      paths: found.paths,
      cells: found.cells,
      signs: found.signs,
    });
  }

  /** @param {number} at index of a row */
  async function goToHit(at) {
    const listing = await hitsAround(at);
    const hit = listing?.items[at - listing.offset];
    if (listing === null || hit === undefined) return;
    put(listing, { at });
    const finding = findingAt(listing, at);
    if (finding !== undefined) await showFinding(finding, finding.at);
    else await walk.goTo(hit.id);
  }

  /**
   * Read a table again in another order or with other columns, after the last answer has come: a press during a
   * question is meant for the table that it brings.
   * @param {(listing: Listing) => Partial<Pick<Listing, "chosen" | "sort" | "descending">>} change
   */
  function reorder(change) {
    const before = underWay;
    const now = attempt(() => before.then(() => readAgain(change)));
    underWay = now;
    return now;
  }

  /** @param {(listing: Listing) => Partial<Pick<Listing, "chosen" | "sort" | "descending">>} change */
  async function readAgain(change) {
    const listing = listedOf(store.get());
    if (listing === null) return;
    const wanted = { ...listing, ...change(listing) };
    const { selected } = store.get();
    const found = await rows(wanted, { offset: 0, limit: PAGE, ...(selected !== null && { from: selected }) });
    const now = listedOf(store.get());
    if (found === null || now === null || now.q !== listing.q || now.of !== listing.of || now.source !== listing.source)
      return;
    const isHere = found.here && found.total > 0 && (now.source !== "search" || now.at >= 0);
    put(now, {
      chosen: wanted.chosen,
      sort: wanted.sort,
      descending: wanted.descending,
      ...listed(found),
      at: isHere ? (found.at ?? -1) : -1,
    });
  }

  /** Read the tables again that are listed: the log has grown. The row that one is at stays so. */
  async function renewRows() {
    const { search, table } = store.get();
    for (const listing of [search, table]) {
      if (listing === null || listing.source === "findings" || listing.source === "changes") continue;
      if ("error" in listing && listing.error !== undefined) continue;
      const found = await rows(listing, { offset: listing.offset, limit: PAGE });
      const now = store.get()[listing === search ? "search" : "table"];
      if (found === null || now === null || !isSame(now, listing)) return;
      const current = now.items[now.at - now.offset]?.id;
      const place = found.items.findIndex(({ id }) => id === current);
      put(now, { ...listed(found), at: place < 0 ? -1 : found.offset + place, ...noneOf(found) });
    }
  }

  /**
   * List the children of a node, the visits of its position, findings, or changes from another log, in place of the hits.
   * @param {"children" | "visits" | "findings" | "changes"} source
   * @param {Id | null} of null of findings and changes
   * @param {Partial<Pick<Listing, "q" | "chosen" | "sort" | "descending">>} [as] `q`: the kind of changes
   */
  async function showTable(source, of, as = {}) {
    tablesAsked += 1;
    const asked = tablesAsked;
    const listing = {
      source,
      q: as.q ?? "",
      of,
      chosen: as.chosen ?? null,
      sort: as.sort ?? null,
      descending: as.descending ?? false,
    };
    const shown = attempt(async () => {
      if (of !== null && isOld(of))
        throw new Error("Only the other log has this node: open that log to list its children or visits.");
      const { selected } = store.get();
      const found = await rows(listing, { offset: 0, limit: PAGE, ...(selected !== null && { from: selected }) });
      if (found === null || asked !== tablesAsked) return;
      const at = found.items.findIndex(({ id }) => id === selected);
      store.update(({ panels }) => ({
        table: { ...listing, ...listed(found), at },
        drawer: null,
        panels: { ...panels, drawer: true },
      }));
    });
    underWay = shown;
    await shown;
  }

  /** The row of the selected node is the current one, wherever it was selected. */
  store.subscribe((state, previous) => {
    if (state.report !== previous.report) followReport(state);
    const { table: listed } = state;
    if (state.order !== previous.order && listed?.source === "children" && listed.sort === null)
      void reorder(() => ({}));
    if (state.finding !== previous.finding && state.finding !== null && state.table?.source === "findings") {
      const { rule, severity, at } = state.finding;
      const { table } = state;
      const place = table.items.findIndex((_, each) => {
        const one = findingAt(table, table.offset + each);
        return one?.rule === rule && one.severity === severity && one.at === at;
      });
      if (place >= 0 && table.offset + place !== table.at) put(table, { at: table.offset + place });
      return;
    }
    if (state.selected === previous.selected) return;
    const listing = listedOf(state);
    if (listing === null || listing.items[listing.at - listing.offset]?.id === state.selected) return;
    const place = listing.items.findIndex(({ id }) => id === state.selected);
    if (place >= 0) put(listing, { at: listing.offset + place });
  });

  /** List the findings that a link asks for once they are there; let them go with their report. @param {State} state */
  function followReport({ report, table }) {
    if (report?.state !== "done") {
      if (table?.source === "findings") store.update({ table: null });
    } else if (linked !== null) {
      void linked();
      linked = null;
    }
  }

  return {
    searchFor,
    renewRows,
    showTable,
    /** Back from children or visits to the hits, if there are any. */
    closeTable() {
      tablesAsked += 1;
      store.update({ table: null });
    },

    /**
     * Sort by a column, with further presses in reverse and then in the order of the search again (of children in the
     * order of the tree).
     * @param {string} name
     */
    sortBy: (name) =>
      reorder(({ sort, descending }) =>
        sort !== name
          ? { sort: name, descending: false }
          : descending
            ? { sort: null, descending: false }
            : { sort: name, descending: true },
      ),

    /** @param {string[] | null} names the columns beside path and id; null: the usual ones */
    chooseColumns: (names) => reorder(() => ({ chosen: names })),

    /** @returns {Promise<AskedField[]>} the fields that nodes of the log state */
    fieldsToAsk: async () => (await attempt(() => loader.ask((log) => api.queryFields(log))))?.fields ?? [],

    /**
     * The table that a link names.
     * @param {Route["table"]} link
     * @param {() => Promise<void>} later done where the findings that it lists are not there yet, once they are
     * @returns {Promise<boolean>} whether it is there
     */
    async restoreTable(link, later) {
      const { search, table } = store.get();
      if (link === null) {
        if (search?.source === "hits") store.update({ search: null });
        if (table !== null) store.update({ table: null });
        return true;
      }
      const ofTable = link.rows !== null;
      const as = { chosen: link.columns, sort: link.sort, descending: link.descending };
      if (link.q !== null && search?.q !== link.q) await searchFor(link.q, ofTable ? {} : as);
      const { source = null, of = null, q = "" } = link.rows ?? {};
      const { report } = store.get();
      linked = source === "findings" && report?.state !== "done" ? () => showTable(source, null, as).then(later) : null;
      if (linked !== null) return false;
      if (source !== null && (source !== "changes" || shownBeside(store.get()) !== null))
        await showTable(source, of, { ...as, q });
      else if (table !== null) store.update({ table: null });
      return true;
    },

    /** @param {number} at index of a row */
    showHits: (at) => void attempt(() => hitsAround(at)),

    /** @param {number} at index of a row, the nearest that there is */
    async goToHit(at) {
      const total = listedOf(store.get())?.total ?? 0;
      if (total > 0) await attempt(() => goToHit(Math.max(0, Math.min(total - 1, at))));
    },

    /** Go to the next row (1) or the previous one (−1), around the ends. @param {number} step */
    async searchStep(step) {
      const listing = listedOf(store.get());
      if (listing === null || listing.total === 0) return;
      await attempt(async () => {
        const at = listing.at >= 0 ? listing.at + step : await nextAfterSelection(listing, step);
        await goToHit(((at % listing.total) + listing.total) % listing.total);
      });
    },

    /** End the search, and return to the place where it began unless the user left its hit. */
    leaveSearch() {
      searchesAsked += 1;
      const { search, selected } = store.get();
      if (search === null) return;
      const hit = search.items[search.at - search.offset]?.id;
      if (selected !== hit) store.update({ search: null });
      else {
        store.update({ search: null, ...search.began, aim: null, hovered: null });
        walk.fillRoom();
      }
    },
  };

  /** The place of the next row after the selected node, or of the one before it. @param {Listing} listing @param {number} step */
  async function nextAfterSelection(listing, step) {
    const { selected } = store.get();
    if (selected === null) return step > 0 ? 0 : -1;
    const found = await rows(listing, { offset: 0, limit: 1, from: selected });
    const next = found?.at ?? 0;
    return step > 0 ? next : next - 1;
  }
}

/**
 * @param {{total: number, offset: number, columns: string[], items: TreeNode[], paths: string[],
 *   cells: Listing["cells"], signs: Listing["signs"], notices: string[]} | null} found
 */
function listed(found) {
  if (found === null)
    return { total: 0, offset: 0, columns: [], items: [], paths: [], cells: [], signs: {}, notices: [] };
  const { total, offset, columns, items, paths, cells, signs, notices } = found;
  return { total, offset, columns, items, paths, cells, signs, notices };
}

/** The nearest condition that has hits, where there are none. @param {object} found @returns {Pick<Search, "none">} */
function noneOf(found) {
  const { none } = /** @type {Pick<Search, "none">} */ (found);
  return none === undefined ? {} : { none };
}

/** @param {Listing} one @param {Listing} other */
function isSame(one, other) {
  const { source, q, of, sort, descending } = one;
  return (
    source === other.source &&
    q === other.q &&
    of === other.of &&
    sort === other.sort &&
    descending === other.descending &&
    one.chosen === other.chosen
  );
}

/**
 * The finding that a row of a table is.
 * @param {Listing} listing
 * @param {number} at
 * @returns {(Kind & {at: number, message: string}) | undefined}
 */
export function findingAt(listing, at) {
  return listing.source === "findings"
    ? /** @type {any} */ (listing.cells[at - listing.offset]?.["finding"])
    : undefined;
}

/** Where an expression is wrong, and what may have been meant. @param {any} body @returns {Pick<Search, "place" | "suggestion">} */
function placeOf(body) {
  const { start, end, suggestion } = body ?? {};
  return {
    ...(typeof start === "number" && typeof end === "number" && { place: [start, end] }),
    ...(typeof suggestion === "string" && { suggestion }),
  };
}

/** The place to return to: the selection, and what is open. @param {State} state @returns {Search["began"]} */
function place({ selected, expanded, held, kept, shown, top, camera }) {
  return { selected, expanded, held, kept, shown, top, camera };
}
