// @ts-check
/** Actions on whole logs: list, open, delete, read again with another mapping. */

import { ApiError, messageOf } from "./api.js";
import { createBringing } from "../views/logs/bring-actions.js";
import { isBestFirst, ordersOf } from "./claims.js";
import { isShared } from "./shared/embedded.js";
import { drawnNodes, pvOf } from "./opening.js";
import { createResume } from "./resume.js";
import { isRanking } from "../views/table/actions.js";
import { staleOf, stillDismissed } from "./stale.js";
import { UNSEEN, unopened } from "./state.js";
import { FOREST } from "./types.js";

/** @import { FirstNodes, Told, ToldWith } from "./api.js" */
/** @import { Id, Opened, Room, Route, State, Summary } from "./types.js" */

/** Open nodes named in one question, and bytes of its answer: what the server takes and gives at most. */
const MOST_OPEN = 200;
const SUBTREE_BYTES = 256 * 1024;
/** Seconds between two reports of how far a log is read; its end is reported at once. */
const SECONDS_BETWEEN_LOOKS = 0.2;
/** Rows of a log up to which it is opened as far as the window shows it, and not the principal variation alone. */
const SMALL = 1000;
/** Pixels that a level takes about, for opening as much of the principal variation as is seen at once. */
const LEVEL = 210;

/** By order, the name of the figure that a log needs for it. @type {Readonly<Record<string, string>>} */
const ORDERS_LACKING = Object.freeze({ visits: "visits", mean: "a mean" });

/**
 * @param {Room & {fits: (state: State) => boolean, restoreWeights: (weights: Record<string, number>) => unknown,
 *   restoreTable: (link: Route["table"]) => Promise<void>, compareWith: (against: string, options: {iteration:
 *   number | null, stay: boolean}) => unknown, endDiff: () => Promise<void>, shown: () => void}} room
 */
export function createLogActions(room) {
  const { store, api, loader, walk, notify, attempt, fits, pause, shown, compareWith, endDiff } = room;
  const { restoreWeights, restoreTable } = room;
  const resume = createResume(room);
  let opening = 0;
  const bringing = createBringing({ ...room, openLog, firstNodes, forget, claim });
  /** @type {Set<string>} what was said of the data folder, which is said once */
  const told = new Set();

  /** Read the list of logs. @returns {Promise<string | null>} the log to open where the address names none */
  async function loadLogs() {
    const answer = await attempt(() => store.wait(api.logs()));
    if (answer === null) return null;
    store.update({ logs: answer.logs, folders: answer.folders });
    for (const text of answer.notices ?? []) {
      if (!told.has(text)) notify("note", text);
      told.add(text);
    }
    return answer.default ?? null;
  }

  /** Ask whether the list of logs has changed; without an answer it stays as it is. */
  async function refreshLogs() {
    const before = store.get().logs;
    try {
      const { logs, folders } = await api.logs();
      const now = store.get();
      if (now.logs !== before) return;
      if (JSON.stringify([logs, folders]) !== JSON.stringify([now.logs, now.folders])) store.update({ logs, folders });
      const dismissed = stillDismissed(store.get());
      if (dismissed !== now.dismissed) store.update({ dismissed });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // the next look finds the server again, or a question says that it is gone
    }
  }

  /** @param {Summary} summary */
  function keepSummary(summary) {
    store.update(({ logs }) => ({
      logs: logs.some((log) => log.id === summary.id)
        ? logs.map((log) => (log.id === summary.id ? summary : log))
        : [summary, ...logs],
    }));
  }

  /** Another log is to be shown, or one that has no id yet. @param {string | null} id */
  function forget(id) {
    const { drawer, log, notices, overview } = store.get();
    store.update({
      ...unopened(),
      log: id,
      notices: log === null || log === id ? notices : [], // they were of the other log
      phase: "loading",
      drawer: drawer === "game" ? "game" : null, // from search to search of one game
      overview: { ...UNSEEN, width: overview.width, form: overview.form },
    });
  }

  /**
   * Open a log: as a link describes it, as it was shown before, or with as much of its principal variation as fits the
   * window.
   * @param {string} id
   * @param {Route} [route]
   * @param {State} [before] what the page showed of the same log, to go on there
   * @param {ToldWith} [told] the log as the server has just told it
   */
  async function openLog(id, route, before, told) {
    const isCurrent = claim();
    forget(id);
    try {
      const first = told?.first ?? firstNodes(route, before);
      const answer = await store.wait(whenRead(id, isCurrent, first, told?.log));
      if (answer === null) return;
      await begin(answer, first, route, before);
      if (isCurrent()) shown();
    } catch (error) {
      if (!isCurrent()) return;
      store.update({ phase: "error", message: messageOf(error) });
    }
  }

  /** Begin to open a log; the answer is a function that tells whether no other was begun since. */
  function claim() {
    opening += 1;
    const turn = opening;
    return () => turn === opening;
  }

  /** Whether a log opens as a link describes it, or as it was. @param {Route} [route] @param {State} [before] */
  const isLaidOut = (route, before) => before !== undefined || (route !== undefined && route.open.length > 0);

  /**
   * The nodes that a log is opened with: as much of its principal variation as fits the window, or its root.
   * @param {Route} [route]
   * @param {State} [before]
   */
  function firstNodes(route, before) {
    const levels = Math.max(1, Math.min(8, Math.floor(store.get().size.width / LEVEL) - 1));
    return loader.first(isLaidOut(route, before) ? 1 : levels);
  }

  /**
   * The opened log as soon as it is read; null where another was asked for meanwhile.
   * @param {string} id
   * @param {() => boolean} isCurrent
   * @param {FirstNodes} first the nodes to send with it
   * @param {Told} [told]
   */
  async function whenRead(id, isCurrent, first, told) {
    for (let answer = told ?? (await api.read(id, first)); ;) {
      if (!isCurrent()) return null;
      const { opened, ...summary } = answer;
      if (opened !== undefined) return opened;
      keepSummary(summary);
      if (summary.state === "failed") throw new Error(summary.error ?? `${summary.name} could not be read.`);
      const { progress = null, top = store.get().topSoFar } = summary;
      store.update({ message: reading(summary), progress, topSoFar: top });
      if (summary.state === "waiting") await pause(1000 * SECONDS_BETWEEN_LOOKS);
      if (!isCurrent()) return null;
      // One that was let go again is `waiting`, and has to be asked for anew.
      answer = await (summary.state === "waiting"
        ? api.read(id, first)
        : api.summary(id, SECONDS_BETWEEN_LOOKS, first));
    }
  }

  /** Show the form and the part of the overview that a link names. @param {NonNullable<Route["overview"]>} named */
  function showPart({ form, part }) {
    store.update(({ overview, panels }) => ({
      overview: { ...overview, form, part },
      panels: { ...panels, overview: true },
    }));
  }

  /** Put the best children first where the log has nothing that the order goes by. @param {Opened} opened */
  function settleOrder(opened) {
    const { order } = store.get();
    if (ordersOf({ opened }).includes(order)) return;
    store.update({ order: "best" });
    const lacking = isBestFirst(opened) ? null : ORDERS_LACKING[order];
    if (order === "pre_score" || lacking)
      notify("note", `No node of this log has ${lacking ?? "a pre-score"}: the best children come first.`);
  }

  /**
   * Show a log that has just been opened.
   * @param {NonNullable<Told["opened"]>} answer
   * @param {FirstNodes} first what was asked of its nodes
   * @param {Route} [route]
   * @param {State} [before]
   */
  async function begin({ nodes: came = [], ...opened }, first, route, before) {
    keepSummary(opened.log);
    const line = [opened.root, ...opened.pv.filter((id) => id !== opened.root)];
    const open = line.slice(0, first.opens);
    const { children } = store.get();
    settleOrder(opened);
    children.set(FOREST, { total: opened.roots.length, items: [], prefix: 0, ranked: {} });
    loader.keepFirst(came, first);
    if (!(await loader.children(open))) return; // where these did not come with it, or in another order
    const root = store.get().nodes.get(opened.root);
    const forest = children.get(FOREST);
    if (forest !== undefined && opened.roots.length === 1) forest.prefix = forest.items.length;
    store.update({
      opened,
      phase: "ready",
      message: "",
      progress: null,
      topSoFar: null,
      linked: route?.finding ?? null,
      least: route?.least ?? before?.least ?? 0,
      iteration: route?.iteration ?? null,
    });
    if (route?.drawer) store.update({ drawer: route.drawer });
    if (route?.overview) showPart(route.overview);
    if (route?.check) store.update(({ panels }) => ({ panels: { ...panels, check: true } }));
    const openable = open.filter((id) => (store.get().nodes.get(id)?.n_children ?? 0) > 0);
    if (root !== undefined) {
      store.update({ selected: root.id, expanded: new Set(openable), aim: { kind: "fit", id: null } });
    }
    if (opened.roots.length > 1 && (await attempt(() => loader.roots(100))))
      store.update({ aim: { kind: "fit", id: null } }); // other roots may be wider than what was fitted before they came
    if (opened.totals.rows <= SMALL && !isLaidOut(route, before)) await attempt(openWhatFits);
    walk.fillRoom();
    store.drawNow(); // not in the next frame, which then shows it
    if (route?.against)
      await compareWith(route.against, { iteration: route.againstIteration, stay: route.node !== null });
    if (route !== undefined) await walk.restore(route);
    if (route?.ply) await goToChosen(route.ply);
    if (route !== undefined && Object.keys(route.weights).length > 0) await restoreWeights(route.weights);
    if (route?.table) await attempt(() => restoreTable(route.table));
    else if (!isShared && route === undefined && before === undefined && isRanking(opened) && opened.totals.rows > 1)
      await attempt(() => restoreTable(childrenOf(opened.root)));
    if (before !== undefined) await attempt(() => resume(before));
  }

  /** Go to the ply that the search chose at its root, if it is this one. @param {string} ply */
  async function goToChosen(ply) {
    const { opened, nodes } = store.get();
    const chosen = opened?.pv.find((each) => nodes.get(each)?.parent === opened.root);
    if (chosen !== undefined && nodes.get(chosen)?.ply === ply) await walk.goTo(chosen);
  }

  /** The table of a link that lists the children of a node. @param {Id} id @returns {NonNullable<Route["table"]>} */
  function childrenOf(id) {
    const rows = /** @type {const} */ ({ source: "children", of: id });
    return { q: null, rows, columns: null, sort: null, descending: false, only: false };
  }

  /** Open a small tree level by level, the principal variation first, until the next node would not fit. */
  async function openWhatFits() {
    const narrow = () => ({ ...store.get(), room: 0 }); // levels come first; what height is left is filled with children
    while (fits(narrow())) {
      const folded = drawnNodes(narrow()).filter((id) => isFolded(store.get(), id));
      const level = Math.min(...folded.map((id) => store.get().nodes.get(id)?.level ?? Infinity));
      const next = folded.filter((id) => store.get().nodes.get(id)?.level === level);
      if (next.length === 0 || !(await loader.children(next))) return;
      const pv = pvOf(store.get());
      next.sort((a, b) => Number(pv.has(b)) - Number(pv.has(a)));
      for (const id of next) {
        const state = narrow();
        const expanded = new Set([...state.expanded, id]);
        if (!fits({ ...state, expanded })) return;
        store.update({ expanded, aim: { kind: "fit", id: null } });
      }
    }
  }

  /** List a log that the server has just kept, and open it. @param {Summary} summary */
  async function openKept(summary) {
    keepSummary(summary);
    await openLog(summary.id);
  }

  /** Read the open log again after its file has changed, and stay at the same nodes as far as it still has them. */
  async function readAgain() {
    const before = store.get();
    if (before.log === null || before.phase !== "ready") return;
    const release = store.hold();
    await openLog(before.log, undefined, before);
    release();
  }

  /** Hide the notice about the open log's file until that file changes again. */
  function dismissStale() {
    const mark = staleOf(store.get())?.mark;
    if (mark !== undefined) store.update({ dismissed: { mark, last: mark } });
  }

  /** Stop sending a log, or reading the one that is being opened; the page then says so and can begin again. */
  async function stopReading() {
    const { log, phase } = store.get();
    if (phase !== "loading" || bringing.stopSending() || log === null) return;
    await attempt(async () => keepSummary(await store.wait(api.stopReading(log))));
  }

  /** Give a paste another name. @param {string} id @param {string} name */
  async function renameLog(id, name) {
    await attempt(async () => keepSummary(await store.wait(api.rename(id, name))));
  }

  /** Delete the stored copy of a log; another is opened where it was the open one. @param {string} id */
  async function deleteLog(id) {
    await attempt(async () => {
      if (store.get().diff.against === id && store.get().log !== id) await endDiff();
      await store.wait(api.remove(id));
      const fallback = await loadLogs();
      if (store.get().log !== id) return;
      if (fallback !== null) await openLog(fallback);
      else store.update({ log: null, opened: null, phase: "empty", nodes: new Map(), children: new Map() });
    });
  }

  /**
   * Read the open log again with a mapping of its fields; an empty object lets the reader guess again.
   * @param {Record<string, string>} mapping
   * @returns {Promise<{error?: string}>} what is wrong with the mapping
   */
  async function setMapping(mapping) {
    const { log } = store.get();
    if (log === null) return {};
    try {
      await store.wait(api.map(log, mapping));
      store.update({ dialog: null });
      await openLog(log);
      return {};
    } catch (error) {
      return { error: messageOf(error) };
    }
  }

  /**
   * The shown part of the tree below a node, as a log to edit and load again; up to 256 KB.
   * @param {Id} id
   */
  async function shownSubtree(id) {
    const { expanded } = store.get();
    const options = { ids: [...expanded].slice(-MOST_OPEN), max_bytes: SUBTREE_BYTES };
    return attempt(() => loader.ask((log) => api.subtree(log, id, options)));
  }

  return {
    loadLogs,
    refreshLogs,
    openLog,
    readAgain,
    dismissStale,
    goToChosen,
    stopReading,
    postLog: bringing.postLog,
    expectLog: bringing.expectLog,
    openKept,
    renameLog,
    deleteLog,
    setMapping,
    shownSubtree,
    settleOrder,
  };
}

/** @param {State} state @param {Id} id */
function isFolded(state, id) {
  return !state.expanded.has(id) && (state.nodes.get(id)?.n_children ?? 0) > 0;
}

/** The step that the reading of a log is at, in words. @param {Summary} summary */
function reading({ name, compiling, live }) {
  if (live?.awaited) return `Waiting for ${name}, which is not there yet …`;
  if (live !== undefined) return `Waiting for the first node of ${name} …`;
  return compiling ? `Reading ${name} … (compiling what reads large logs, once on a machine)` : `Reading ${name} …`;
}
