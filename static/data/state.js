// @ts-check
/**
 * The one state of the page and its changes: every change goes through `update`, and all changes between two
 * frames of the screen cause one redraw. Knows neither the document nor the server.
 */

import { isOld } from "./merged.js";

/** @import { Id, Overview, State } from "./types.js" */

/** @typedef {(state: State, previous: State) => void} Listener */
/** @typedef {Partial<State> | ((state: State) => Partial<State>)} Change */
/** @typedef {ReturnType<typeof createStore>} Store */

/**
 * Whether one of these parts of the state has changed.
 * @template T
 * @param {T} now
 * @param {T} before
 * @param {...(keyof T)} parts
 */
export const differ = (now, before, ...parts) => parts.some((part) => now[part] !== before[part]);

/** The state of the weights of a log that has just been opened. */
export const UNWEIGHED = Object.freeze({
  changed: {},
  found: null,
  logged: null,
  intervals: /** @type {State["weights"]["intervals"]} */ (new Map()),
  ranges: null,
  waits: null,
  factor: null,
  again: null,
});

/** Whether what is shown is what other weights make of the log. @param {Pick<State, "weights">} state */
export function isReweighed({ weights: { changed, found } }) {
  return Object.keys(changed).length > 0 && found !== null && Object.keys(found.changed).length > 0;
}

/**
 * The interval of a node's score under other weights: null while it is not known, undefined where all weights are as
 * logged.
 * @param {Pick<State, "weights">} state
 * @param {Id} id
 */
export function intervalOf(state, id) {
  return isReweighed(state) && !isOld(id) ? (state.weights.intervals.get(id) ?? null) : undefined;
}

/** Colours that nodes have by themselves; all others are fields and expressions. */
export const OWN_COLOURS = Object.freeze(["layer", "score", "outcome"]);

/** No overview. @type {Overview} */
export const UNSEEN = {
  form: "icicle",
  part: null,
  width: 0,
  picture: null,
  hits: null,
  findings: null,
  places: new Map(),
};

/** No log beside the open one. */
export const UNCOMPARED = Object.freeze({ against: null, iteration: null, found: null, began: null });

/** Widths of the panels in pixels until the user drags them. */
export const USUAL_WIDTHS = Object.freeze({ left: 256, right: 344 });

/** The state of a log that is not opened yet. */
export const unopened = () => ({
  opening: {},
  opened: null,
  message: "",
  progress: null,
  topSoFar: null,
  dismissed: null,
  nodes: new Map(),
  children: new Map(),
  expanded: new Set(),
  held: new Set(),
  kept: new Set(),
  shown: new Map(),
  room: 0,
  top: null,
  selected: null,
  pinned: null,
  details: null,
  transpositions: null,
  hovered: null,
  search: null,
  table: null,
  hitMarks: new Map(),
  figure: null,
  replay: null,
  playing: false,
  live: null,
  paused: false,
  following: false,
  notes: [],
  weights: UNWEIGHED,
  why: null,
  exact: new Map(),
  searchedOn: null,
  lines: null,
  diff: UNCOMPARED,
  aim: null,
  report: null,
  openGroup: null,
  findings: null,
  finding: null,
  marks: new Map(),
  ofNode: null,
});

/** The state before anything is known. @returns {State} */
export function initialState() {
  return {
    logs: [],
    folders: [],
    log: null,
    ...unopened(),
    phase: "empty",
    notices: [],
    sharing: null,
    revision: 0,
    order: "best",
    least: 0,
    camera: { x: 24, y: 24, scale: 1 },
    size: { width: 960, height: 640 },
    colour: "layer",
    colouring: null,
    only: null,
    linked: null,
    findingFilter: { hidden: [], text: "", found: null },
    visited: { at: 0, length: 1 },
    theme: "system",
    animate: true,
    isFirst: true,
    tried: [],
    showPlies: true,
    showMeanings: false,
    showTies: true,
    labels: {},
    panels: { logs: true, details: true, check: false, weights: false, drawer: true, overview: false },
    drawer: null,
    iteration: null,
    stop: "cut",
    rate: 3,
    rail: { width: 0, hits: null, findings: null, stops: null },
    overview: UNSEEN,
    lenses: [],
    widths: { ...USUAL_WIDTHS },
    dialog: null,
    pending: 0,
  };
}

/**
 * A store of `initial`. `frame` asks for the next frame of the screen; `idle` is called with whether anything is under
 * way: a request, an animation (`hold`) or a redraw. `early` is called after a drawing that does not wait for its
 * frame; `rest` is the time at a node, in milliseconds, until the listeners at rest draw.
 * @param {State} initial
 * @param {{frame?: (draw: () => void) => void, idle?: (idle: boolean) => void, early?: () => void, rest?: number}} [hooks]
 */
export function createStore(initial, hooks = {}) {
  const frame = hooks.frame ?? ((draw) => void requestAnimationFrame(draw));
  const rest = hooks.rest ?? 0;
  let state = initial;
  let drawn = initial;
  let scheduled = false;
  let holds = 0;
  let wasIdle = false;
  let rested = initial;
  let timer = /** @type {ReturnType<typeof setTimeout> | null} */ (null);
  let isWalking = false;
  let isDue = false;
  let release = () => {};
  /** @type {Set<Listener>} */
  const listeners = new Set();
  /** @type {Set<Listener>} */
  const resting = new Set();
  /** @type {Set<(next: State) => void>} */
  const foreseers = new Set();

  function report() {
    const idle = !scheduled && holds === 0 && state.pending === 0;
    if (idle !== wasIdle) {
      wasIdle = idle;
      hooks.idle?.(idle);
    }
  }

  function draw() {
    if (!scheduled) return; // drawn at once since this frame was asked for
    scheduled = false;
    const previous = drawn;
    drawn = state;
    for (const listener of [...listeners]) listener(drawn, previous);
    if (timer === null) drawRested();
    report();
  }

  /** Call the listeners at rest in a frame of their own, after the one that shows the effect of a press. */
  function drawRested() {
    if (isDue || resting.size === 0) return;
    isDue = true;
    const done = hold();
    frame(() => {
      isDue = false;
      if (timer === null) {
        const previous = rested;
        rested = drawn;
        for (const listener of [...resting]) listener(rested, previous);
      }
      done();
    });
  }

  function hold() {
    let held = true;
    holds += 1;
    report();
    return () => {
      if (!held) return;
      held = false;
      holds -= 1;
      report();
    };
  }

  /** Restart the wait of the listeners at rest, since the user went to another node. */
  function move() {
    isWalking = timer !== null;
    if (timer === null) release = hold();
    else clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      isWalking = false;
      drawRested();
      release();
    }, rest);
  }

  function schedule() {
    if (scheduled) return;
    scheduled = true;
    report();
    frame(draw);
  }

  return {
    /** The current state, which callers must not change. */
    get: () => state,

    /** Merge a change into the state and redraw in the next frame. @param {Change} change */
    update(change) {
      const patch = typeof change === "function" ? change(state) : change;
      const { selected } = state;
      state = { ...state, ...patch };
      if (rest > 0 && state.selected !== selected) move();
      schedule();
    },

    /** Whether the user goes from node to node faster than the listeners at rest could draw. */
    isWalking: () => isWalking,

    /**
     * Draw the changes at once and not in the next frame: after a press, so that the work is done when the frame comes.
     */
    drawNow() {
      if (!scheduled) return;
      draw();
      hooks.early?.();
    },

    /**
     * Call `listener` once per frame in which the state changed.
     * @param {Listener} listener
     * @returns {() => void} removes the listener
     */
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /**
     * Call `listener` in the frame after one in which the state changed, but not while somebody goes from node to node
     * with an arrow key held: then once, when the key rests. For large views that are read rather than glanced at.
     * @param {Listener} listener
     * @returns {() => void} removes the listener
     */
    subscribeAtRest(listener) {
      resting.add(listener);
      return () => void resting.delete(listener);
    },

    /**
     * Call `draw` now, and once per frame in which one of these parts of the state changed, or any.
     * @param {Listener} draw
     * @param {(keyof State)[]} [keys]
     * @param {{atRest?: boolean}} [options] atRest: as of `subscribeAtRest`
     * @returns {() => void} removes it
     */
    follow(draw, keys, { atRest = false } = {}) {
      draw(state, drawn);
      /** @type {Listener} */
      const listener = (now, before) => {
        if (keys === undefined || differ(now, before, ...keys)) draw(now, before);
      };
      return atRest ? this.subscribeAtRest(listener) : this.subscribe(listener);
    },

    /**
     * Call the listeners of `onForeseen` with a likely next state, so that they prepare its drawing. The state stays.
     * @param {State} next
     */
    foresee(next) {
      for (const prepare of [...foreseers]) prepare(next);
    },

    /**
     * Call `prepare` with each likely next state.
     * @param {(next: State) => void} prepare
     */
    onForeseen: (prepare) => void foreseers.add(prepare),

    /**
     * Say that something is under way that is no request: the page is not idle until it is released.
     * @returns {() => void} releases, once
     */
    hold,

    /**
     * Count `promise` as a pending request until it settles.
     * @template T
     * @param {Promise<T>} promise
     */
    async wait(promise) {
      state = { ...state, pending: state.pending + 1 };
      schedule();
      try {
        return await promise;
      } finally {
        state = { ...state, pending: state.pending - 1 };
        schedule();
      }
    },
  };
}
