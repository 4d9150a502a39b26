// @ts-check
/**
 * Actions on another log beside the open one: show both as one tree, walk through the changes, end the comparison and
 * return. The open log is the new one; it is compared *against* the old one, or against an iteration of either.
 */

import { besideName, besideOf, isOld } from "../../data/merged.js";
import { foldedTo } from "../../data/line-actions.js";
import { UNCOMPARED } from "../../data/state.js";

/** @import { Waits } from "../../data/api.js" */
/** @import { Compared, Room, State } from "../../data/types.js" */

/** Milliseconds between two looks at a log that is being read. */
const POLL = 200;

/** @param {Room & {showChanges: () => Promise<unknown>}} room */
export function createDiffActions({ store, api, loader, walk, attempt, notify, pause, showChanges }) {
  /**
   * Ask until the comparison is made; null where another was begun, or the logs cannot be compared, which is said.
   * @template {Waits} T
   * @param {State["diff"]} diff
   * @param {(log: string) => Promise<T>} question
   */
  async function answerOf(diff, question) {
    for (;;) {
      const answer = await loader.ask(question);
      const now = store.get().diff;
      if (answer === null || now.against !== diff.against || now.iteration !== diff.iteration) return null;
      if (answer.state === "done") return answer;
      if (answer.state !== "running") {
        store.update({ diff: UNCOMPARED });
        notify(
          "error",
          `${besideName({ ...store.get(), diff })} cannot be compared with this log: ${answer.reason ?? answer.state}`,
        );
        return null;
      }
    }
  }

  /** Let the server read the other log; false where it fails. @param {string} id */
  async function read(id) {
    const { logs, log } = store.get();
    if (id === log) return true;
    if (!logs.some((each) => each.id === id))
      throw new Error(`The log ${id} that this view compares with is not in the list any more.`);
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
   * Lay another log or an iteration beside the open log: the tree is that of both, with its first difference selected.
   * @param {string} against id of the log, the open one only together with an iteration
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
      const found = await attempt(async () => ((await read(against)) ? compared(diff) : null));
      const done = found !== null && (await attempt(() => show(diff, found)));
      if (found === null || done !== true) {
        if (store.get().diff === diff) store.update({ diff: UNCOMPARED });
        return;
      }
      if (stay) return;
      await showChanges();
      await goToParting(found);
    } finally {
      release();
    }
  }

  /**
   * Fold the tree to the chosen lines of both logs, and go to the node where the runs part, or if that is the root to
   * the node where the lines do.
   * @param {Compared} found
   */
  async function goToParting({ first, old_pv: old }) {
    const { root = null, pv = [] } = store.get().opened ?? {};
    const parting = pv.find((id) => !old.includes(id)) ?? pv.at(0) ?? old.at(0) ?? root;
    const at = first !== null && first.at !== root ? first.at : parting;
    const { nodes } = store.get();
    for (const end of [old.at(-1), pv.at(-1), at ?? undefined]) if (end !== undefined) await walk.goTo(end);
    if (store.get().nodes !== nodes || store.get().selected !== at) return;
    store.update((state) => foldedTo(state, [pv, old, ...(at === null ? [] : [[at]])], at));
    walk.fillRoom();
  }

  /** Show both logs as one tree. @param {State["diff"]} diff @param {Compared} found */
  async function show(diff, found) {
    const { expanded, selected, panels } = store.get();
    const beside = besideOf(diff.against ?? "", diff.iteration);
    return loader.replant(beside, expanded, selected, {
      diff: { ...diff, found },
      panels: { ...panels, details: true, check: false, weights: false },
    });
  }

  /** @param {State["diff"]} diff */
  async function compared(diff) {
    const options = { ...besideOf(diff.against ?? "", diff.iteration), offset: 0, limit: 0 };
    return /** @type {Compared | null} */ (await answerOf(diff, (log) => api.diff(log, options)));
  }

  /** The open log alone again, as it was shown before. */
  async function endDiff() {
    const { diff, panels, pinned, details, table, drawer } = store.get();
    const { began } = diff;
    if (diff.against === null) return;
    if (diff.found === null || began === null) {
      store.update({ diff: UNCOMPARED });
      return;
    }
    const { panels: open, table: listed, drawer: before, ...place } = began;
    await attempt(() =>
      loader.replant(null, place.expanded, place.selected, {
        diff: UNCOMPARED,
        ...place,
        aim: null,
        hovered: null,
        table: table?.source === "changes" ? listed : table,
        drawer: drawer ?? before,
        panels: {
          ...panels,
          drawer: open.drawer,
          check: panels.check || open.check,
          weights: panels.weights || open.weights,
        },
        pinned: pinned !== null && isOld(pinned) ? null : pinned,
        details: details !== null && isOld(details.id) ? null : details,
      }),
    );
    walk.fillRoom();
  }

  return { compareWith, endDiff };
}

/** The place to return to: the selection, and what is open. @param {State} state @returns {NonNullable<State["diff"]["began"]>} */
function placeOf({ selected, expanded, held, kept, shown, top, camera, drawer, panels, table }) {
  return { selected, expanded, held, kept, shown, top, camera, drawer, panels, table };
}
