// @ts-check
/**
 * Why this ply and not that one: the pair follows the pinned and the selected node. One question is under way at a
 * time, and the next asks for wherever one is by then; the last answer stays until the next is there.
 */

import { messageOf } from "../../data/api.js";
import { isOld } from "../../data/merged.js";

/** @import { AskedPair, ExactSearch, Room, State, Summary } from "../../data/types.js" */

/**
 * The pair that a state means: the pinned node is X, the selected one Y. Without a pin the server sets the selected
 * ply against the best beside it, the best against the next, and at a root the chosen ply against the best other.
 * While its lines are walked, the pair stays.
 * @param {Pick<State, "pinned" | "selected"> & Partial<Pick<State, "lines">>} state
 */
export function pairOf({ pinned, selected: id, lines = null }) {
  if (lines !== null) return lines.pair;
  const selected = id !== null && isOld(id) ? null : id;
  if (pinned !== null && isOld(pinned)) return {};
  if (pinned !== null)
    return selected === null || selected === pinned ? { node: pinned } : { node: pinned, versus: selected };
  return selected === null ? {} : { versus: selected };
}

/** @param {AskedPair | undefined} one @param {AskedPair} other */
function isSamePair(one, other) {
  return one !== undefined && one.node === other.node && one.versus === other.versus && one.ply === other.ply;
}

/** Seconds that the server may wait before it says how far a search is. */
const WAIT = 1;

/** The key of an exact search of a ply of a pair in the state. @param {AskedPair} asked @param {"chosen" | "rival"} which */
export function exactKey({ node = -1, versus = -1, ply = "" }, which) {
  return `${node}|${versus}|${ply}|${which}`;
}

/** @param {Room & {openKept: (summary: Summary) => unknown}} room */
export function createWhyActions({ store, api, loader, attempt, openKept }) {
  let wanted = /** @type {AskedPair | null} */ (null);
  let asking = /** @type {Promise<void> | null} */ (null);
  /** Where one was when the last question was asked. @type {Pick<State, "pinned" | "selected">} */
  let at = { pinned: null, selected: null };

  /** @param {AskedPair} [pair] the one that the state means when left out */
  function askWhy(pair = pairOf(store.get())) {
    wanted = pair;
    at = store.get();
    asking ??= askUntilKnown().finally(() => {
      asking = null;
    });
    return asking;
  }

  async function askUntilKnown() {
    try {
      while (wanted !== null && !isSamePair(store.get().why?.asked, wanted)) await ask(wanted);
    } finally {
      wanted = null;
    }
  }

  /** Ask again about the pair that is explained: the log has grown. */
  async function renewWhy() {
    const { why } = store.get();
    if (why !== null && asking === null) await ask(why.asked, () => isSamePair(store.get().why?.asked, why.asked));
  }

  /** Wait for the answer on the current node, also right after a step. */
  async function currentWhy() {
    const { pinned, selected } = store.get();
    await (at.pinned === pinned && at.selected === selected ? asking : askWhy());
  }

  /** @param {AskedPair} asked @param {() => boolean} [isWanted] whether the answer still is, once it is there */
  async function ask(asked, isWanted = () => true) {
    const { nodes } = store.get();
    try {
      const answer = await loader.ask((log) => api.explain(log, asked));
      if (answer === null) wanted = null;
      else if (isWanted()) store.update({ why: { asked, answer } });
    } catch (error) {
      if (!isWanted()) return;
      if (store.get().nodes !== nodes) wanted = null;
      else store.update({ why: { asked, answer: null, error: messageOf(error) } });
    }
  }

  /** Let X and Y change places; a ply that was not searched stays Y. */
  async function swapPair() {
    const { chosen = null, rival = null } = store.get().why?.answer ?? {};
    if (chosen === null || rival === null || rival.score === undefined) return;
    const pair = { node: rival.id, versus: chosen.id };
    store.update(({ lines }) => (lines === null ? {} : { lines: { ...lines, pair, x: lines.y, y: lines.x } }));
    await askWhy(pair);
  }

  /** Compare X with one ply of a stub. @param {string} ply */
  async function askAgainst(ply) {
    const { chosen = null, rival = null } = store.get().why?.answer ?? {};
    if (chosen !== null && rival !== null) await askWhy({ node: chosen.id, versus: rival.id, ply });
  }

  /** The search of each ply that is followed: another begins where one was cancelled. @type {Map<string, object>} */
  const followed = new Map();
  /** Searches that are being cancelled. @type {Map<string, Promise<unknown>>} */
  const ending = new Map();

  /** @param {string} key @param {ExactSearch | null} found null: it is forgotten */
  function putExact(key, found) {
    store.update(({ exact }) => {
      const next = new Map(exact);
      if (found === null) next.delete(key);
      else next.set(key, found);
      return { exact: next };
    });
  }

  /**
   * Let our engine search a ply of the pair exactly, and follow that until it is done, cancelled or another log is
   * open.
   * @param {"chosen" | "rival"} which
   */
  async function searchExactly(which) {
    const { why } = store.get();
    if (why === null) return;
    const asked = { ...why.asked, which };
    const key = exactKey(why.asked, which);
    const { nodes } = store.get();
    const mine = {};
    followed.set(key, mine);
    const isMine = () => followed.get(key) === mine && store.get().exact.has(key);
    putExact(key, { state: "running", nodes: 0 });
    try {
      await ending.get(key);
      if (!isMine()) return;
      let found = await loader.ask((log) => api.exact(log, "POST", asked));
      while (found?.state === "running" && isMine()) {
        putExact(key, found);
        found = await loader.ask((log) => api.exact(log, "GET", { ...asked, wait: WAIT }));
      }
      if (found !== null && isMine()) putExact(key, found.state === "none" ? null : found);
    } catch (error) {
      if (store.get().nodes === nodes && isMine()) putExact(key, { state: "failed", error: messageOf(error) });
    }
  }

  /** Cancel such a search. @param {"chosen" | "rival"} which */
  async function cancelExact(which) {
    const { why } = store.get();
    if (why === null) return;
    const key = exactKey(why.asked, which);
    putExact(key, null);
    const end = attempt(() => loader.ask((log) => api.exact(log, "DELETE", { ...why.asked, which })));
    ending.set(key, end);
    await end;
    if (ending.get(key) === end) ending.delete(key);
  }

  /** Keep such a search as a log of its own, and open that. @param {"chosen" | "rival"} which */
  async function openExact(which) {
    const { why } = store.get();
    if (why === null) return;
    await attempt(async () => {
      const summary = await loader.ask((log) => api.keepExact(log, { ...why.asked, which }));
      if (summary !== null) await openKept(summary);
    });
  }

  return { askWhy, renewWhy, currentWhy, askAgainst, swapPair, searchExactly, cancelExact, openExact };
}
