// @ts-check
/**
 * What can be done with another log beside the open one: compare them, walk through what changed. The open log is the
 * new one; what it is compared *against* is the old one.
 */

import { drawnNodes } from "./opening.js";
import { UNCOMPARED } from "./state.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Compared} Compared */

/** Seconds that the server may wait before it says how far it is. */
const WAIT = 1;
/** Milliseconds between two looks at a log that is being read. */
const POLL = 200;
/** Changes of one page of the list. */
const PAGE = 100;
/** Nodes whose marks are asked for at once: what the server gives. */
const MOST_MARKED = 1000;
/** Changes of these may draw nodes whose marks are not known. */
const DRAWING = /** @type {const} */ (["revision", "expanded", "shown", "room", "top", "order"]);

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
  let marking = false;

  /** @param {Partial<State["diff"]>} change */
  const keep = (change) => store.update(({ diff }) => ({ diff: { ...diff, ...change } }));

  /**
   * Ask until the comparison is made; null where another was begun, or the logs cannot be compared, which is said.
   * @template {{state: string, reason?: string}} T
   * @param {string} against
   * @param {(log: string) => Promise<T>} question
   * @returns {Promise<T | null>}
   */
  async function answerOf(against, question) {
    for (;;) {
      const answer = await loader.ask(question);
      if (answer === null || store.get().diff.against !== against) return null;
      if (answer.state === "done") return answer;
      if (answer.state !== "running") {
        keep({ ...UNCOMPARED });
        notify("error", `${nameOf(against)} cannot be compared with this log: ${answer.reason ?? answer.state}`);
        return null;
      }
    }
  }

  /** @param {string} id */
  const nameOf = (id) => store.get().logs.find((log) => log.id === id)?.name ?? id;

  /** Have the other log read; false where it cannot be. @param {string} id */
  async function read(id) {
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
   * Lay another log beside the open one.
   * @param {string} against
   * @param {{stay?: boolean}} [options] stay: do not go to the first difference, as where a link says which node to show
   */
  async function compareWith(against, { stay = false } = {}) {
    const { log, phase } = store.get();
    if (phase !== "ready" || log === null || against === store.get().diff.against) return;
    keep({ ...UNCOMPARED, against });
    const release = store.hold();
    try {
      const found = await attempt(async () => ((await read(against)) ? page(against, 0, "") : null));
      if (found === null) {
        if (store.get().diff.against === against) keep({ ...UNCOMPARED });
        return;
      }
      keep({ found });
      store.update(({ panels, drawer }) => ({ drawer: drawer ?? "changes", panels: { ...panels, drawer: true, check: false, weights: false } }));
      await mark();
      const first = found.first?.new?.id;
      if (!stay && first !== undefined) await walk.goTo(first);
    } finally {
      release();
    }
  }

  /**
   * @param {string} against
   * @param {number} offset
   * @param {string} kinds
   * @returns {Promise<Compared | null>}
   */
  const page = async (against, offset, kinds) => {
    const options = { against, offset, limit: PAGE, wait: WAIT, ...(kinds !== "" && { kinds }) };
    return /** @type {Compared | null} */ (await answerOf(against, (log) => api.diff(log, options)));
  };

  /** Another page of the changes, of one kind or of all. @param {number} offset @param {string} [kinds] */
  async function showChanges(offset, kinds = store.get().diff.kinds) {
    const { against } = store.get().diff;
    if (against === null) return;
    const found = await attempt(() => page(against, Math.max(0, offset), kinds));
    if (found !== null) keep({ found, kinds });
  }

  /** Have the marks of the nodes that are drawn. */
  async function mark() {
    const { against, marks } = store.get().diff;
    const wanted = drawnNodes(store.get()).filter((id) => !marks.has(id)).slice(0, MOST_MARKED);
    if (against === null || marking || wanted.length === 0) return;
    marking = true;
    try {
      const options = { against, ids: wanted.join(","), wait: WAIT };
      const answer = await attempt(() => answerOf(against, (log) => api.diffMarks(log, options)));
      if (answer === null || answer.marks === undefined) return;
      const found = answer.marks;
      keep({ marks: new Map([...store.get().diff.marks, ...wanted.map((id) => /** @type {const} */ ([id, found[id] ?? null]))]) });
    } finally {
      marking = false;
    }
  }

  store.subscribe((state, previous) => {
    const isOn = state.phase === "ready" && state.diff.found !== null;
    if (isOn && (state.diff.marks !== previous.diff.marks || DRAWING.some((key) => state[key] !== previous[key]))) void mark();
  });

  return {
    compareWith,
    showChanges,

    /** The open log alone again. */
    endDiff: () => store.update(({ drawer }) => ({ diff: UNCOMPARED, drawer: drawer === "changes" ? null : drawer })),

    /** Go to the next change of the page that this log has a node for, or the one before. @param {1 | -1} step */
    async stepChange(step) {
      const { found } = store.get().diff;
      if (found === null) return;
      const ids = found.nodes.flatMap((change) => (change.new === null ? [] : [change.new.id]));
      const at = ids.indexOf(store.get().selected ?? -1);
      const next = at === -1 ? (step === 1 ? 0 : ids.length - 1) : at + step;
      const id = ids[next];
      if (id !== undefined) return walk.goTo(id);
      const offset = found.offset + step * PAGE;
      if (offset < 0 || offset >= found.total) return;
      await showChanges(offset);
      const { found: other } = store.get().diff;
      const there = (other?.nodes ?? []).flatMap((change) => (change.new === null ? [] : [change.new.id]));
      const end = step === 1 ? there[0] : there.at(-1);
      if (end !== undefined) await walk.goTo(end);
    },
  };
}
