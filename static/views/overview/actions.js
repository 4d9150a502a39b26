// @ts-check
/**
 * The overview: the whole tree as one picture, asked for pixel by pixel. A part of it is a run of nodes in the order
 * searched, or of visits, or the same share of every level. The question follows the state: the part, the width, the
 * colour of the tree, the query, the check.
 */

import { messageOf } from "../../data/api.js";
import { isOld } from "../../data/merged.js";
import { differ } from "../../data/state.js";

/** @import { Id, Part, Room, State } from "../../data/types.js" */

/** @typedef {{key: string, isOld: boolean}} Question a question that is under way; `isOld` where the log grew since */

/** Bands of the picture at most: deeper trees have several levels in one. */
const MOST_BANDS = 24;
/** Nodes, or visits, that a part has at least. */
const LEAST = 4;
/** Nodes of the principal variation that are outlined. */
const MOST_PV = 150;
/** Notes that are marked, so that the places of all are one question. */
const MOST_NOTES = 49;
const UNASKED = Object.freeze({ picture: "", hits: "", findings: "", places: "" });
/** The parts of the state that the questions are made of. */
const ASKED_OF = /** @type {const} */ ([
  "phase",
  "log",
  "opened",
  "overview",
  "panels",
  "colour",
  "search",
  "report",
  "selected",
  "notes",
]);

/**
 * A part of so much in all around a place of it, `factor` times as long: 0.5 shows half of it.
 * @param {Part} part
 * @param {number} length
 * @param {number} share where it stays, 0 at the left edge
 * @param {number} factor
 * @returns {Part | null} null for all of it
 */
export function zoomed({ first, last }, length, share, factor) {
  const size = Math.min(length, Math.max(LEAST, Math.round((last - first) * factor)));
  const at = first + share * (last - first);
  const begin = Math.max(0, Math.min(length - size, Math.round(at - share * size)));
  return size === length ? null : { first: begin, last: begin + size };
}

/**
 * The part as far to the right as `share` of it, or to the left.
 * @param {Part} part
 * @param {number} length
 * @param {number} share
 * @returns {Part}
 */
export function moved({ first, last }, length, share) {
  const size = last - first;
  const begin = Math.max(0, Math.min(length - size, Math.round(first + share * size)));
  return { first: begin, last: begin + size };
}

/** @param {Room} room */
export function createOverviewActions({ store, api, notify }) {
  /** @type {Record<"picture" | "hits" | "findings" | "places", string>} what was asked for last */
  const asked = { ...UNASKED };
  /** @type {Record<keyof typeof asked, Question | null>} */
  const underWay = { picture: null, hits: null, findings: null, places: null };

  /** @param {Partial<State["overview"]>} change */
  const keep = (change) => store.update(({ overview }) => ({ overview: { ...overview, ...change } }));

  /**
   * Ask a question once, as named by `key`, or nothing without a key. One question of a kind is under way at a time: a
   * log that grows may have a new snapshot before a slow answer comes, which is shown all the same.
   * @template T
   * @param {keyof typeof asked} what
   * @param {string} key
   * @param {(log: string) => Promise<T>} question
   * @param {(answer: T | null) => void} take
   */
  async function ask(what, key, question, take) {
    if (asked[what] === key) return;
    asked[what] = key;
    if (key === "") {
      underWay[what] = null; // its answer is of what is not shown any more
      return take(null);
    }
    if (underWay[what]?.key === key) {
      underWay[what].isOld = true;
      return;
    }
    const mine = { key, isOld: true };
    underWay[what] = mine;
    while (mine.isOld && underWay[what] === mine) {
      mine.isOld = false;
      if (!(await answer(what, mine, question, take))) break;
    }
    if (underWay[what] === mine) underWay[what] = null;
  }

  /**
   * Wait for one answer and show it; false where it failed or is not wanted any more.
   * @template T
   * @param {keyof typeof asked} what
   * @param {Question} mine
   * @param {(log: string) => Promise<T>} question
   * @param {(answer: T | null) => void} take
   */
  async function answer(what, mine, question, take) {
    const { log } = store.get();
    if (log === null) return false;
    try {
      const found = await store.wait(question(log));
      const isWanted = underWay[what] === mine && store.get().log === log;
      if (isWanted) take(found);
      if (isWanted && what === "picture") store.drawNow();
      return isWanted;
    } catch (error) {
      if (underWay[what] !== mine || what !== "picture") return false; // who asked the query or the check is told there
      notify("error", `The overview cannot be drawn: ${messageOf(error)}`);
      store.update(({ panels }) => ({ panels: { ...panels, overview: false } }));
      return false;
    }
  }

  function follow() {
    const state = store.get();
    const { opened, overview, panels, colour, search, report } = state;
    const { width, part, form } = overview;
    const isThere = panels.overview && state.phase === "ready" && opened !== null && width > 0;
    const pixels = { form, width, bands: MOST_BANDS, ...(part ?? {}) };
    const of = JSON.stringify([state.log, opened?.log.stamp, pixels]);
    const q = search?.source === "hits" && search.total > 0 ? search.q : null;
    const isChecked = panels.check && report?.state === "done";
    const noted = state.notes.slice(0, MOST_NOTES).map(({ id }) => id ?? null);
    const ids = [...new Set([state.selected, ...noted, ...(opened?.pv ?? []).slice(0, MOST_PV)])].filter(
      (id) => id !== null && id >= 0 && !isOld(id),
    );
    void ask(
      "picture",
      isThere ? JSON.stringify([of, colour]) : "",
      (log) => api.overview(log, { ...pixels, colour }),
      (picture) => keep({ picture: picture && { ...picture, colour } }),
    );
    void ask(
      "hits",
      isThere && q !== null ? JSON.stringify([of, q]) : "",
      (log) => api.overviewMarks(log, { ...pixels, of: "hits", q: q ?? "" }),
      (hits) => keep({ hits }),
    );
    void ask(
      "findings",
      isThere && isChecked ? JSON.stringify([of, report.counts]) : "",
      (log) => api.overviewMarks(log, { ...pixels, of: "findings" }),
      (findings) => keep({ findings }),
    );
    void ask(
      "places",
      isThere && ids.length > 0 ? JSON.stringify([state.log, opened.log.stamp, form, ids]) : "",
      (log) => api.overviewPlaces(log, /** @type {Id[]} */ (ids), { form, bands: MOST_BANDS }),
      (found) => keep({ places: new Map(Object.entries(found?.places ?? {}).map(([id, at]) => [Number(id), at])) }),
    );
  }

  store.subscribe((state, previous) => {
    if (state.opened !== previous.opened) Object.assign(asked, UNASKED); // what was here of it is gone
    if (differ(state, previous, ...ASKED_OF)) follow();
  });

  /** @param {(part: Part, length: number) => Part | null} change */
  function setPart(change) {
    const { picture, part } = store.get().overview;
    if (picture === null) return;
    keep({ part: change(part ?? { first: 0, last: picture.length }, picture.length) });
  }

  return {
    /** Show or hide the overview. @param {boolean} [open] */
    toggleOverview: (open) => {
      store.update(({ panels }) => ({ panels: { ...panels, overview: open ?? !panels.overview } }));
      store.drawNow(); // so that the picture is asked for at once
    },

    /** Show all of it in a form, by default in the other one. @param {State["overview"]["form"]} [wanted] */
    setOverviewForm: (wanted) => {
      const { form } = store.get().overview;
      const other = form === "icicle" ? "levels" : "icicle";
      if (form !== wanted)
        keep({ form: wanted ?? other, part: null, picture: null, hits: null, findings: null, places: new Map() });
    },

    /** The pixels that it has now. @param {number} width */
    setOverviewWidth: (width) => {
      if (store.get().overview.width !== width) keep({ width });
    },

    /** Show a longer or shorter part. @param {number} share where it stays, 0…1 @param {number} factor below 1 zooms in */
    zoomOverview: (share, factor) => setPart((part, length) => zoomed(part, length, share, factor)),

    /** Move the shown part. @param {number} share of its width, to the left where it is negative */
    moveOverview: (share) => setPart((part, length) => moved(part, length, share)),

    /** Show all of it again. */
    wholeOverview: () => setPart(() => null),
  };
}
