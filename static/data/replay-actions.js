// @ts-check
/** What can be done with the search as it ran: step, run to a stop, go to an event, play, and end. */

import { isOld } from "./merged.js";

/** @typedef {import("./types.js").Id} Id */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Moment} Moment */
/** `in`, `over`, `out`, `back`, or a stop: `cut`, `best`, else an expression. @typedef {string} Step */

/** What is not there, where a step finds nothing. */
const STOPS = new Map([["cut", "cut"], ["best", "better ply"], ["in", "event"], ["over", "event"], ["out", "event"], ["back", "event"]]);

/** Milliseconds between two events while it plays. */
const BEAT = 350;

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
export function createReplayActions({ store, api, loader, walk, attempt, notify, pause }) {
  let asked = 0;

  /**
   * Ask for a moment and go there; whoever asks later wins.
   * @param {(log: string) => Promise<Moment | {event: null, events: number}>} question
   * @param {() => void} [none] told where there is none
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

  /** Replay from the selected node on, as it is entered. */
  async function startReplay() {
    const { selected, opened } = store.get();
    const node = selected !== null && isOld(selected) ? opened?.root : (selected ?? opened?.root);
    if (node !== undefined && node !== null) await come((log) => api.replay(log, { node }));
  }

  /**
   * Go to the next event of a kind; where nothing is replayed yet, the replay begins at the selected node.
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
    return come((log) => api.replayNext(log, replay.event, to, backwards), () => notify("note", none));
  }

  async function play() {
    store.update({ playing: true });
    while (store.get().playing && store.get().replay !== null) {
      if (!(await step("in"))) break;
      await pause(BEAT);
    }
    store.update({ playing: false });
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

    /** @param {number} event */
    async seekReplay(event) {
      await come((log) => api.replay(log, { event }));
    },

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

/**
 * Whether the replay has not come to a node yet.
 * @param {Moment | null} replay
 * @param {{id: Id, row?: number, level: number}} node
 */
export function isLater(replay, node) {
  return replay !== null && 2 * (node.row ?? node.id) - node.level > replay.event;
}
