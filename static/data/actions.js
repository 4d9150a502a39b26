// @ts-check
/**
 * Everything a person can do, as functions that change the state. Views call these and nothing else; failures become
 * notices or the state's message.
 */

import { ApiError, messageOf } from "./api.js";
import { createAgainActions } from "../views/weights/again-actions.js";
import { askAhead } from "./ahead.js";
import { createColourActions } from "../views/colour/actions.js";
import { createCheckActions } from "../views/check/actions.js";
import { createDiffActions } from "../views/diff/actions.js";
import { createGameActions } from "../views/game/actions.js";
import { createFollower } from "../views/details/follow-actions.js";
import { createLiveActions } from "../views/live/actions.js";
import { createLineActions } from "./line-actions.js";
import { createLogActions } from "./log-actions.js";
import { createLoader } from "./loading.js";
import { shownBeside } from "./merged.js";
import { createNoteActions } from "../views/notes/actions.js";
import { createOverviewActions } from "../views/overview/actions.js";
import { createRailActions } from "../views/replay/rail-actions.js";
import { createReplayActions } from "../views/replay/actions.js";
import { followQueryMarks, createOnlyActions } from "../views/table/only-actions.js";
import { changesOf, createSearchActions, listedOf, questionOf, usualColumns } from "../views/table/actions.js";
import { createShareActions } from "../views/share/actions.js";
import { isShared } from "./shared/embedded.js";
import { USUAL_WIDTHS } from "./state.js";
import { followTranspositions } from "../views/transpositions/actions.js";
import { createStatisticsActions } from "../views/statistics/actions.js";
import { createWeightsActions } from "../views/weights/actions.js";
import { FOREST } from "./types.js";
import { createWhyActions } from "../views/why/actions.js";
import { createWalkActions } from "./walk-actions.js";

/** @import { Api, Camera, Id, Notice, Route, State, Store } from "./types.js" */

/** @typedef {ReturnType<typeof createActions>} Actions */

/**
 * The functions of the floors above that actions call.
 * @typedef {object} Surroundings
 * @property {(state: State, id: Id | null) => Set<Id>} fold the nodes that stay open once `id` was opened, so that all
 *   fit the window
 * @property {(state: State) => number} room how many children an open node can show in the height of the window
 * @property {(state: State) => boolean} fits whether all that is open can be read in the window at once
 * @property {(steps: number) => void} travel go this far in the history of visited nodes
 * @property {(milliseconds: number) => Promise<void>} pause
 * @property {boolean} isAsking whether the server is asked ahead for what a press would need
 * @property {(address: string) => void} download saves what is at an address
 * @property {() => Promise<void>} painted resolves once what was drawn last is on the screen
 */

/** Pixels that a panel may be wide, at least and at most. */
export const WIDTHS = { least: 200, most: 720 };

/** The least and greatest scale of the drawing. */
export const SCALES = { low: 0.15, high: 3 };

/** @param {Store} store @param {Api} api @param {Partial<Surroundings>} [surroundings] */
export function createActions(store, api, surroundings = {}) {
  const around = {
    /** @param {State} state */
    fold: (state) => state.expanded,
    room: () => 0,
    fits: () => false,
    travel: () => {},
    /** @param {number} milliseconds */
    pause: (milliseconds) => new Promise((resolve) => void setTimeout(resolve, milliseconds)),
    painted: async () => {},
    /** @type {Surroundings["download"]} */
    download: () => {},
    isAsking: false,
    ...surroundings,
  };
  const loader = createLoader(store, api);
  let noticesGiven = 0;

  /**
   * Tell the person something, until it is closed or read, or another log is opened.
   * @param {Notice["kind"]} kind
   * @param {string} text
   * @param {Notice["act"]} [act]
   */
  function notify(kind, text, act) {
    const { notices } = store.get();
    if (notices.some((notice) => notice.text === text)) return;
    noticesGiven += 1;
    store.update({ notices: [...notices, { id: noticesGiven, kind, text, ...(act && { act }) }].slice(-5) });
  }

  /**
   * Run `work`, and show the error that it throws as a notice, in a shared page as a note where the file has no answer.
   * @template T
   * @param {() => Promise<T>} work
   */
  async function attempt(work) {
    try {
      return await work();
    } catch (error) {
      notify(isShared && error instanceof ApiError ? "note" : "error", messageOf(error));
      return null;
    }
  }

  const { pause, painted } = around;
  const asking = { store, api, loader, attempt, notify, pause, painted };
  const walk = createWalkActions({ ...asking, fold: around.fold, room: around.room });
  const room = { ...asking, walk };
  const { wantedNext, pressed } = walk;
  if (around.isAsking) askAhead({ ...room, wantedNext, pressed });
  const { beginCheck, ...check } = createCheckActions(room);
  const { beginWeights, ...weights } = createWeightsActions(room);
  const shown = () => {
    if (store.get().opened?.log.live !== undefined) return; // of what has not come yet nothing is concluded
    void store.wait(beginCheck());
    void store.wait(beginWeights());
  };
  const search = createSearchActions({ ...room, showFinding: check.goToFinding });
  const diff = createDiffActions({ ...room, showChanges: () => search.showTable("changes", null) });
  followQueryMarks(room);
  const only = createOnlyActions(room);
  /** The table that a link names, and whether only its rows are drawn. @param {Route["table"]} link */
  const restoreTable = async (link) => {
    const narrow = () => only.setOnly(link?.only ?? false);
    if (await search.restoreTable(link, narrow)) await narrow();
  };
  const logs = createLogActions({
    ...room,
    shown,
    restoreTable,
    restoreWeights: weights.restoreWeights,
    compareWith: diff.compareWith,
    endDiff: diff.endDiff,
    fits: around.fits,
  });
  const { loadLogs, openLog } = logs;
  const again = createAgainActions({ ...room, loadLogs, openLog, compareWith: diff.compareWith });
  const follow = createFollower(store, api, loader);
  followTranspositions(room);

  /**
   * Hold the details at a node on purpose, whatever is selected; null lets them follow the selection again.
   * @param {Id | null} id
   */
  async function pin(id) {
    store.update(({ panels }) => ({
      pinned: id,
      ...(id !== null && { panels: { ...panels, details: true, check: false, weights: false } }),
    }));
    await follow();
  }

  /**
   * Point at a node; the tooltip stands near (x, y), in pixels of the window. Null points at nothing.
   * @param {Id | null} id
   * @param {number} [x]
   * @param {number} [y]
   * @param {"card" | "wedge" | "more"} [part] the part of it: `more` stands for its children without room
   */
  function hover(id, x = 0, y = 0, part = "card") {
    if (id === null && store.get().hovered === null) return;
    store.update({ hovered: id === null ? null : { id, x, y, part } });
  }

  const why = createWhyActions({ ...room, openKept: logs.openKept });
  const renew = () => Promise.all([search.renewRows(), why.renewWhy()]);
  const replay = createReplayActions(room);

  return {
    ...logs,
    ...createLiveActions({ ...room, openLog, renew }),
    ...walk,
    ...only,
    ...check,
    ...search,
    restoreTable,
    ...replay,
    ...createRailActions(room),
    ...createOverviewActions(room),
    ...createStatisticsActions({ ...room, searchFor: search.searchFor }),
    ...createGameActions({ ...room, loadLogs, openLog, compareWith: diff.compareWith }),
    ...createNoteActions(room),
    ...createShareActions({ ...room, download: around.download }),
    ...weights,
    ...again,
    ...createColourActions(room),
    ...why,
    ...createLineActions({ ...room, currentWhy: why.currentWhy }),
    ...diff,
    notify,
    pin,
    hover,

    /** The address of the textbook figure of the tree below the selected node; null without a log. */
    fileOfFigure() {
      const { opened, selected } = store.get();
      return opened === null
        ? null
        : api.fileOfFigure(opened.log.id, selected === null || selected === FOREST ? undefined : selected);
    },

    /** Where all rows of the listed table are a file. @param {"csv" | "parquet"} form */
    fileOfRows(form) {
      const { log } = store.get();
      const listing = listedOf(store.get());
      if (log === null || listing === null) return "";
      const beside = listing.source === "changes" ? shownBeside(store.get()) : null;
      return beside === null
        ? api.fileOfRows(log, form, questionOf(listing, store.get().order, usualColumns(store.get(), listing.source)))
        : api.fileOfChanges(log, beside, changesOf(listing));
    },

    /** @param {number} id of a notice */
    dismiss: (id) => store.update(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) })),

    /** @param {State["theme"]} theme */
    setTheme: (theme) => store.update({ theme }),
    /** @param {boolean} animate */
    setAnimate: (animate) => store.update({ animate }),

    /** End the first visit, so that its suggestions are not shown again. */
    endFirstVisit: () => store.update({ isFirst: false }),
    /** Remove a suggestion of the first visit that the user tried. @param {string} text */
    tryOut: (text) => store.update(({ tried }) => ({ tried: [...tried, text] })),

    /** Show or hide the plies of a position on its board; without `showPlies`, switch. @param {boolean} [showPlies] */
    setShowPlies: (showPlies) => store.update((state) => ({ showPlies: showPlies ?? !state.showPlies })),

    /** Show or hide the meanings of factors beside their bars; without `showMeanings`, switch. @param {boolean} [showMeanings] */
    setShowMeanings: (showMeanings) => store.update((state) => ({ showMeanings: showMeanings ?? !state.showMeanings })),

    /**
     * Show these fields on cards, by layer, in all logs that keep their choice by this name.
     * @param {string} key
     * @param {State["labels"][string]} chosen
     */
    setLabels: (key, chosen) => store.update(({ labels }) => ({ labels: { ...labels, [key]: chosen } })),

    /** Show or hide the ties from the selected node to the drawn visits of its position; without `showTies`, switch. @param {boolean} [showTies] */
    setShowTies: (showTies) => store.update((state) => ({ showTies: showTies ?? !state.showTies })),

    /**
     * Open or fold a panel; without `open`, switch. Check and weights lie over the details: closing them shows the
     * details again, and showing the details closes them.
     * @param {"logs" | "details" | "check" | "drawer"} name
     * @param {boolean} [open]
     */
    setPanel: (name, open) =>
      store.update(({ panels }) => {
        const covered = panels.check || panels.weights;
        if (name === "check") return { panels: { ...panels, check: open ?? !panels.check, weights: false } };
        if (name !== "details") return { panels: { ...panels, [name]: open ?? !panels[name] } };
        const over = open === false ? {} : { check: false, weights: false };
        return { panels: { ...panels, details: open ?? (covered || !panels.details), ...over } };
      }),

    /**
     * Show a tab of the drawer, unfolded; null: no tab is asked for, so that rows are shown where there are any.
     * @param {State["drawer"]} tab
     */
    showDrawer: (tab) =>
      store.update(({ panels }) => ({ drawer: tab, panels: tab === null ? panels : { ...panels, drawer: true } })),

    /** Say which lenses are on, the newest last. @param {string[]} lenses */
    setLenses: (lenses) => store.update({ lenses }),

    /**
     * Set the width of a panel, kept within the allowed widths; null: the usual one.
     * @param {keyof State["widths"]} side
     * @param {number | null} pixels
     */
    setWidth: (side, pixels) =>
      store.update(({ widths }) => ({
        widths: {
          ...widths,
          [side]:
            pixels === null ? USUAL_WIDTHS[side] : Math.round(Math.min(WIDTHS.most, Math.max(WIDTHS.least, pixels))),
        },
      })),

    /** @param {Exclude<State["dialog"], null>} dialog */
    openDialog: (dialog) => store.update({ dialog, hovered: null }),

    /** The board of the node, large; the details, which have it, open where they are closed. */
    async openBoard() {
      store.update(({ panels }) => ({ panels: { ...panels, details: true } }));
      await follow();
      if (store.get().details?.data?.board?.cells?.length) store.update({ dialog: "board", hovered: null });
      else notify("note", "This node has no board to show.");
    },

    closeDialog: () => store.update({ dialog: null }),

    /** Bring the whole drawn tree into the window. */
    fit: () => store.update({ aim: { kind: "fit", id: null } }),

    /**
     * Zoom by `factor` around a point of the tree's part of the window, by default its middle.
     * @param {number} factor
     * @param {{x: number, y: number}} [about]
     */
    zoom: (factor, about) =>
      store.update(({ camera, size }) => {
        const scale = Math.min(SCALES.high, Math.max(SCALES.low, camera.scale * factor));
        const { x, y } = about ?? { x: size.width / 2, y: size.height / 2 };
        const ratio = scale / camera.scale;
        return { camera: { x: x - (x - camera.x) * ratio, y: y - (y - camera.y) * ratio, scale }, hovered: null };
      }),

    /** Go back to the scale 1, with the selection in the middle. */
    resetZoom: () =>
      store.update(({ camera, selected }) => ({
        camera: { ...camera, scale: 1 },
        aim: { kind: "centre", id: selected },
      })),

    /** @param {number} dx pixels @param {number} dy pixels */
    pan: (dx, dy) =>
      store.update(({ camera }) => ({ camera: { ...camera, x: camera.x + dx, y: camera.y + dy }, hovered: null })),

    /** @param {Camera} camera */
    setCamera: (camera) => store.update({ camera, aim: null }),

    /** @param {number} width pixels of the tree's part of the window @param {number} height */
    setSize: (width, height) => {
      store.update({ size: { width, height } });
      walk.fillRoom();
    },

    /** Back to the node visited before. */
    back: () => around.travel(-1),
    forward: () => around.travel(1),
  };
}
