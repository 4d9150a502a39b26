// @ts-check
/**
 * A log that is being written: the page asks how far it is, and asks for its nodes again whenever the server has sealed
 * more. Nodes keep their ids, so the selection, the open nodes and the view stay. Pausing stops the page, not the
 * engine. After the end the page waits for the next log: over the same file, or by the next engine.
 */

import { ApiError } from "../../data/api.js";
import { isOld, shownBeside } from "../../data/merged.js";
import { pathTo } from "../../data/opening.js";
import { followed } from "../../data/line-actions.js";

/** @import { Id, Room, State } from "../../data/types.js" */

/** Seconds that the server may wait for news, and while the page is paused, when only the count goes on. */
const WAIT = 5;
const WAIT_PAUSED = 1;
/** Milliseconds before it is asked again where it did not answer. */
const AGAIN = 1000;

/**
 * Whether the page shows one moment of the log though it is not paused.
 * @param {Pick<State, "replay" | "diff">} state
 */
export function standsStill({ replay, diff }) {
  return replay !== null || diff.against !== null;
}

/**
 * @param {Room & {openLog: (id: string, route?: undefined, before?: State) => Promise<void>, renew: () =>
 *   Promise<unknown>}} room
 */
export function createLiveActions({ store, api, loader, attempt, openLog, renew, pause, walk }) {
  /** The opening whose log is followed, or whose next log is waited for. */
  let followedOpening = /** @type {State["opening"] | null} */ (null);
  /** The nodes that were opened to follow the search. */
  let shownLine = /** @type {Id[]} */ ([]);
  /** The log whose end the page has seen: whatever came after that, it has not shown. */
  let seenToEnd = /** @type {string | null} */ (null);

  /** Whether no log was opened since, also not the same one again. @param {State["opening"]} opening */
  const isHere = (opening) => store.get().opening === opening && store.get().phase === "ready";

  /**
   * The progress of the log once that has changed. Null ends the questions: another log is open, or this viewer does
   * not know the log, which the page then shows. The page also shows that the viewer does not answer.
   * @param {string} log
   * @param {Parameters<typeof api.live>[1]} options
   */
  async function ask(log, options) {
    const { opening } = store.get();
    for (;;) {
      try {
        const live = await api.live(log, options);
        return isHere(opening) ? live : null;
      } catch (error) {
        if (!(error instanceof ApiError) || !isHere(opening)) return null;
        if (error.status !== 0 && error.status !== 404) throw error;
        const lost = error.status === 404 ? "unknown" : "silent";
        store.update(({ live }) => ({ live: live && { ...live, lost, hold: undefined } }));
        if (lost === "unknown") return null;
        await pause(AGAIN);
        if (!isHere(opening)) return null;
      }
    }
  }

  /** Ask for the progress of the log until it has ended or another is open. @param {string} log */
  async function watch(log) {
    const { opening } = store.get();
    let mark = /** @type {number | undefined} */ (undefined);
    let generation = /** @type {number | undefined} */ (undefined);
    let snapshot = -1;
    while (isHere(opening)) {
      const { paused } = store.get();
      // A page that stands still shows one snapshot: it asks for no other, or answers would be of a later one.
      const still = paused || standsStill(store.get()) ? 1 : undefined;
      const options = { after: mark, wait: still ? WAIT_PAUSED : WAIT, paused: still };
      const live = await ask(log, options);
      if (live === null) return;
      if (live.state === "ended") return finish(log, live.log ?? log);
      const isOther = generation !== undefined && generation !== live.generation;
      generation = live.generation;
      mark = live.mark;
      const open = store.get().live?.open;
      store.update({ live: { ...live, ...(open?.join() === live.open?.join() && open && { open }) } });
      const isOver = live.state === "failed" && live.from !== "file"; // a file may be written anew
      if (isOver && snapshot === live.snapshot) return;
      if (isOther) return openLog(log);
      if (live.snapshot === snapshot || store.get().paused || standsStill(store.get())) {
        if (isOver) return;
        continue;
      }
      snapshot = live.snapshot;
      await refresh(log);
    }
  }

  /** The log is whole: it opens as any other, where one is. @param {string} log @param {string} now its id from now on */
  async function finish(log, now) {
    seenToEnd = now;
    const before = store.get();
    const release = store.hold();
    await openLog(now, undefined, before);
    if (log !== now || !before.logs.some(({ id }) => id === now)) {
      store.update(({ logs }) => ({ logs: logs.filter(({ id }) => id !== log || id === now) }));
    }
    release();
  }

  /** Wait for the next log after the end of this one, and open it as soon as it begins. @param {string} log */
  async function awaitNext(log) {
    const { opening } = store.get();
    let mark = /** @type {number | undefined} */ (undefined);
    let hasNext = seenToEnd === log; // of one that is looked at again later, the next was seen before
    while (isHere(opening)) {
      const live = await ask(log, { after: mark, wait: WAIT, paused: 1 });
      if (live === null) return;
      hasNext ||= mark !== undefined && live.mark !== mark;
      mark = live.mark;
      const next = live.state !== "ended" ? log : hasNext ? live.next : undefined;
      if (next === undefined) continue;
      while (isHere(opening) && standsStill(store.get())) await pause(AGAIN);
      if (isHere(opening)) await openLog(next);
      return;
    }
  }

  /** Bring what is drawn up to the last snapshot. @param {string} log */
  async function refresh(log) {
    const { opening } = store.get();
    const release = store.hold();
    try {
      const opened = await api.open(log);
      if (!isHere(opening)) return;
      const { nodes, selected, expanded } = store.get();
      const before = nodes.get(opened.root);
      const isNew = before === undefined || before.n_children === 0;
      const open = new Set([...expanded].filter((id) => !isOld(id)));
      if (isNew) open.add(opened.root);
      if (shownBeside(store.get()) !== null) return;
      const { log: summary } = opened;
      store.update(({ logs }) => ({ opened, logs: logs.map((one) => (one.id === log ? summary : one)) }));
      if (!(await loader.replant(null, open, selected, { opened }))) return;
      if (isNew) store.update((state) => ({ expanded: new Set([...state.expanded, opened.root]) }));
      await keepOpen();
      if (store.get().following) await showSearched();
      await Promise.all([refreshDetails(), renew()]);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404 && isHere(opening))
        await openLog(log, undefined, store.get());
      else if (!(error instanceof ApiError)) throw error;
    } finally {
      release();
    }
  }

  /** Go to the deepest node that is searched, and fold the nodes that were opened for the last one. */
  async function showSearched() {
    const { live, kept, expanded } = store.get();
    const deepest = live?.open?.at(-1);
    if (deepest === undefined || deepest === store.get().selected) return;
    await walk.goTo(deepest);
    const line = pathTo(store.get(), deepest);
    const gone = new Set([...shownLine].filter((id) => !line.includes(id)));
    shownLine = line.filter((id) => shownLine.includes(id) || !(kept.has(id) && expanded.has(id)));
    store.update((state) => ({
      kept: new Set([...state.kept].filter((id) => !gone.has(id))),
      expanded: new Set([...state.expanded].filter((id) => !gone.has(id))),
    }));
  }

  /** Load the nodes that the user opened or selected while the answers came. */
  async function keepOpen() {
    const { expanded, children, nodes, selected } = store.get();
    const lost = [...expanded].filter((id) => !children.has(id) && !isOld(id));
    if (lost.length > 0) await loader.children(lost);
    if (selected !== null && !isOld(selected) && !nodes.has(selected)) await loader.path(selected);
  }

  async function refreshDetails() {
    const id = followed(store.get());
    if (!store.get().panels.details || id === null || isOld(id)) return;
    const data = await loader.askTree((log, beside) => api.details(log, id, beside));
    if (data !== null && followed(store.get()) === id) store.update({ details: { id, data } });
  }

  store.subscribe(({ phase, log, opened, opening }) => {
    const isOpen = phase === "ready" && opened?.log.id === log;
    const isWritten = isOpen && opened?.log.live !== undefined;
    const work = isWritten ? watch : isOpen && opened?.log.followed ? awaitNext : null;
    if (work === null || log === null || opening === followedOpening) return;
    followedOpening = opening;
    void attempt(() => work(log));
  });

  return {
    /** Stop the page, or let it go on; the engine writes on. @param {boolean} [paused] */
    pauseLive: (paused) => store.update((state) => ({ paused: paused ?? !state.paused })),

    /** Keep the line that is searched in view, or no longer. @param {boolean} following */
    followSearch: async (following) => {
      shownLine = [];
      store.update({ following });
      if (following) await attempt(showSearched);
    },

    /** Let the engine go on that waits. */
    goOn: async () => {
      const { log } = store.get();
      if (log === null) return;
      await attempt(() => store.wait(api.goOn(log)));
    },
  };
}
