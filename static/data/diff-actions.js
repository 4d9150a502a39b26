// @ts-check
/**
 * What can be done with another log beside the open one: show both as one tree, walk through what changed, end it where
 * one was before. The open log is the new one; what it is compared *against* is the old one, or an iteration of either.
 */

import { besideName, besideOf, isOld } from "./merged.js";
import { UNCOMPARED } from "./state.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Compared} Compared */

/** Milliseconds between two looks at a log that is being read. */
const POLL = 200;
/** Changes of one page of the list. */
const PAGE = 100;

/**
 * @param {object} room
 * @param {import("./state.js").Store} room.store
 * @param {import("./api.js").Api} room.api
 * @param {import("./loading.js").Loader} room.loader
 * @param {import("./walk-actions.js").WalkActions} room.walk
 * @param {<T>(work: () => Promise<T>) => Promise<T | null>} room.attempt
 * @param {(kind: "error" | "note", text: string) => void} room.notify
 * @param {(milliseconds: number) => Promise<void>} room.pause
 */
export function createDiffActions({ store, api, loader, walk, attempt, notify, pause }) {
  /** @param {Partial<State["diff"]>} change */
  const keep = (change) => store.update(({ diff }) => ({ diff: { ...diff, ...change } }));

  /**
   * Ask until the comparison is made; null where another was begun, or the logs cannot be compared, which is said.
   * @template {import("./api.js").Waits} T
   * @param {State["diff"]} diff
   * @param {(log: string) => Promise<T>} question
   * @returns {Promise<T | null>}
   */
  async function answerOf(diff, question) {
    for (;;) {
      const answer = await loader.ask(question);
      const now = store.get().diff;
      if (answer === null || now.against !== diff.against || now.iteration !== diff.iteration) return null;
      if (answer.state === "done") return answer;
      if (answer.state !== "running") {
        store.update({ diff: UNCOMPARED });
        notify("error", `${besideName({ ...store.get(), diff })} cannot be compared with this log: ${answer.reason ?? answer.state}`);
        return null;
      }
    }
  }

  /** Have the other log read; false where it cannot be. @param {string} id */
  async function read(id) {
    const { logs, log } = store.get();
    if (id === log) return true;
    if (!logs.some((each) => each.id === id)) throw new Error(`The log ${id} that this view compares with is not in the list any more.`);
    let summary = await store.wait(api.read(id));
    while (summary.state === "reading" || summary.state === "waiting") {
      await pause(POLL);
      if (store.get().diff.against !== id) return false;
      summary = await store.wait(summary.state === "waiting" ? api.read(id) : api.summary(id));
    }
    if (summary.state !== "failed") return true;
    throw new Error(summary.error ?? `${summary.name} could not be read.`);
  }

  /**
   * Lay another log beside the open one, or an iteration: the tree is that of both, its first difference selected.
   * @param {string} against id of the log, which may be the open one where an iteration is named
   * @param {{iteration?: number | null, stay?: boolean}} [options] stay: do not go to the first difference, as where a
   *   link says which node to show
   */
  async function compareWith(against, { iteration = null, stay = false } = {}) {
    const { log, phase, diff: before } = store.get();
    if (phase !== "ready" || log === null || (against === before.against && iteration === before.iteration)) return;
    if (before.found !== null) await endDiff();
    const diff = { ...UNCOMPARED, against, iteration, began: placeOf(store.get()) };
    store.update({ diff });
    const release = store.hold();
    try {
      const found = await attempt(async () => ((await read(against)) ? page(diff, 0, "") : null));
      const done = found !== null && (await attempt(() => show(diff, found)));
      if (done !== true) {
        if (store.get().diff === diff) store.update({ diff: UNCOMPARED });
        return;
      }
      if (!stay && found?.first) await walk.goTo(found.first.at);
    } finally {
      release();
    }
  }

  /**
   * Show both logs as one tree.
   * @param {State["diff"]} diff
   * @param {Compared} found
   */
  async function show(diff, found) {
    const { expanded, selected, drawer, panels } = store.get();
    const beside = besideOf(diff.against ?? "", diff.iteration);
    return loader.replant(beside, expanded, selected, {
      diff: { ...diff, found },
      drawer: drawer ?? "changes",
      panels: { ...panels, drawer: true, check: false, weights: false },
    });
  }

  /**
   * @param {State["diff"]} diff
   * @param {number} offset
   * @param {string} kinds
   * @returns {Promise<Compared | null>}
   */
  const page = async (diff, offset, kinds) => {
    const options = { ...besideOf(diff.against ?? "", diff.iteration), offset, limit: PAGE, ...(kinds !== "" && { kinds }) };
    return /** @type {Compared | null} */ (await answerOf(diff, (log) => api.diff(log, options)));
  };

  /** Another page of the changes, of one kind or of all. @param {number} offset @param {string} [kinds] */
  async function showChanges(offset, kinds = store.get().diff.kinds) {
    const { diff } = store.get();
    if (diff.against === null) return;
    const found = await attempt(() => page(diff, Math.max(0, offset), kinds));
    if (found !== null) keep({ found, kinds });
  }

  /** The open log alone again, as it was shown before. */
  async function endDiff() {
    const { diff, panels, pinned, details, drawer } = store.get();
    const { began } = diff;
    if (diff.against === null) return;
    if (diff.found === null || began === null) {
      store.update({ diff: UNCOMPARED });
      return;
    }
    const { drawer: before, panels: open, ...place } = began;
    await attempt(() =>
      loader.replant(null, place.expanded, place.selected, {
        diff: UNCOMPARED,
        ...place,
        aim: null,
        hovered: null,
        drawer: drawer === "changes" ? before : drawer,
        panels: { ...panels, drawer: open.drawer, check: panels.check || open.check, weights: panels.weights || open.weights },
        pinned: pinned !== null && isOld(pinned) ? null : pinned,
        details: details !== null && isOld(details.id) ? null : details,
      }),
    );
    walk.fillRoom();
  }

  return {
    compareWith,
    showChanges,
    endDiff,

    /** Go to the next change of the list, or the one before. @param {1 | -1} step */
    async stepChange(step) {
      const { found } = store.get().diff;
      if (found === null) return;
      const ids = found.nodes.map(({ at }) => at);
      const at = ids.indexOf(store.get().selected ?? -1);
      const next = at === -1 ? (step === 1 ? 0 : ids.length - 1) : at + step;
      const id = ids[next];
      if (id !== undefined) return walk.goTo(id);
      const offset = found.offset + step * PAGE;
      if (offset < 0 || offset >= found.total) return;
      await showChanges(offset);
      const there = (store.get().diff.found?.nodes ?? []).map((change) => change.at);
      const end = step === 1 ? there[0] : there.at(-1);
      if (end !== undefined) await walk.goTo(end);
    },
  };
}

/** Where one is, and what is open there. @param {State} state @returns {NonNullable<State["diff"]["began"]>} */
function placeOf({ selected, expanded, held, kept, shown, top, camera, drawer, panels }) {
  return { selected, expanded, held, kept, shown, top, camera, drawer, panels };
}
