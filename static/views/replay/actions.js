// @ts-check
/** Actions on the replay of a search: step, run to a stop, go to an event, play, and end. */

import { isOld } from "../../data/merged.js";

/** @import { Moment, Room, State } from "../../data/types.js" */

/** `in`, `over`, `out`, `back`, or a stop: `cut`, `best`, else an expression. @typedef {string} Step */

/** The words for a stop that a step did not find. */
const STOPS = new Map([
  ["cut", "cut"],
  ["best", "better ply"],
  ["in", "event"],
  ["over", "event"],
  ["out", "event"],
  ["back", "event"],
]);

/** Milliseconds between two moments while it plays, at least; a faster replay passes over events. */
const LEAST_BEAT = 100;

/** @param {Room} room */
export function createReplayActions({ store, api, loader, walk, attempt, notify, pause }) {
  let asked = 0;

  /**
   * Ask for an event and go there; the last request wins.
   * @param {(log: string) => Promise<Moment | {event: null, events: number}>} question
   * @param {() => void} [none] called where there is none
   * @returns {Promise<boolean>} whether there was one
   */
  async function come(question, none = () => {}) {
    asked += 1;
    const turn = asked;
    const moment = await attempt(() => loader.ask(question));
    if (moment === null || turn !== asked) return false;
    if (moment.event === null) {
      none();
      return false;
    }
    const { replay } = store.get();
    store.update({ replay: moment });
    if (replay?.node !== moment.node) await attempt(() => walk.goTo(moment.node));
    return true;
  }

  /** Begin the replay at the event that enters the selected node. */
  async function startReplay() {
    const { selected, opened } = store.get();
    const node = selected !== null && isOld(selected) ? opened?.root : (selected ?? opened?.root);
    if (node !== undefined && node !== null) await come((log) => api.replay(log, { node }));
  }

  /**
   * Go to the next event of a kind; without a replay one begins at the selected node.
   * @param {Step} to
   * @param {boolean} [backwards]
   */
  async function step(to, backwards = false) {
    const { replay } = store.get();
    if (replay === null) {
      await startReplay();
      return true;
    }
    const none = `The replay has no ${STOPS.get(to) ?? `node where ${to}`} ${backwards || to === "back" ? "before" : "after"} this.`;
    return come(
      (log) => api.replayNext(log, replay.event, to, backwards),
      () => notify("note", none),
    );
  }

  /** Go on to the end at the rate that is chosen, which may change meanwhile. */
  async function play() {
    store.update({ playing: true });
    for (
      let { playing, replay, rate } = store.get();
      playing && replay !== null;
      { playing, replay, rate } = store.get()
    ) {
      const { event, events } = replay;
      const beat = Math.max(LEAST_BEAT, 1000 / rate);
      const next = Math.min(events - 1, event + Math.max(1, Math.round((rate * beat) / 1000)));
      if (event === events - 1 || !(await come((log) => api.replay(log, { event: next })))) break;
      await pause(beat);
    }
    store.update({ playing: false });
  }

  /** The event that the bar of time was last dragged to; one request is under way at a time. */
  let sought = /** @type {number | null} */ (null);
  let seeking = false;

  /** @param {number} event */
  async function seek(event) {
    sought = event;
    if (seeking) return;
    seeking = true;
    try {
      while (sought !== null) {
        const at = sought;
        sought = null;
        await come((log) => api.replay(log, { event: at }));
      }
    } finally {
      seeking = false;
    }
  }

  return {
    startReplay,

    /** @param {Step} to @param {boolean} [backwards] */
    async stepReplay(to, backwards) {
      store.update({ playing: false });
      await step(to, backwards);
    },

    /** Run to the next stop, or back to the last. @param {boolean} [backwards] */
    async runReplay(backwards) {
      store.update({ playing: false });
      await step(store.get().stop, backwards);
    },

    /** Go to an event; while the bar of time is dragged, some between are left out. @param {number} event */
    seekReplay: seek,

    /** @param {number} rate events a second */
    setRate: (rate) => store.update({ rate }),

    /** @param {State["stop"]} stop */
    setStop: (stop) => store.update({ stop }),

    /** Play, or pause. */
    async playReplay() {
      if (store.get().playing) store.update({ playing: false });
      else {
        if (store.get().replay === null) await startReplay();
        await play();
      }
    },

    endReplay() {
      asked += 1;
      store.update({ replay: null, playing: false });
    },
  };
}
