// @ts-check
/** Logs that the user brings: small ones are posted whole, large ones in pieces and read while they are sent. */

import { messageOf } from "../../data/api.js";

/** @import { FirstNodes, ToldWith } from "../../data/api.js" */
/** @import { Room, Route, State, Summary, TopSoFar } from "../../data/types.js" */

/**
 * How far a log is that is being sent.
 * @typedef {{arrived: number, progress: number, compiling?: boolean, top?: TopSoFar}} Sent
 */

/** The least size in bytes of a log that is sent in pieces, and the number of pieces that are sent at once. */
export const LARGE = 16 * 1024 * 1024;
const LANES = 2;

/**
 * @param {Room & {openLog: (id: string, route?: Route, before?: State, told?: ToldWith) => Promise<void>, firstNodes: () =>
 *   FirstNodes, forget: (id: string | null) => void, claim: () => () => boolean}} room
 */
export function createBringing({ store, api, notify, openLog, firstNodes, forget, claim }) {
  /** @type {AbortController | null} */
  let sending = null;

  /**
   * Bring a log in any form: it is sent, listed and opened.
   * @param {string | Blob} content
   * @param {string} name
   * @param {{map?: string, quiet?: boolean}} [options] quiet: the caller shows what is wrong with it
   * @returns {Promise<{log: Summary} | {error: string}>}
   */
  async function postLog(content, name, options = {}) {
    const isLarge = content instanceof Blob && content.size > LARGE;
    try {
      const { map } = options;
      const first = firstNodes();
      const log = await store.wait(isLarge ? send(content, name, map) : api.post(content, name, first, map));
      store.update({ dialog: null });
      await openLog(log.id, undefined, undefined, { log, first });
      return { log };
    } catch (error) {
      const text = messageOf(error);
      if (!options.quiet) notify("error", text);
      return { error: text };
    }
  }

  /**
   * Send a large log, showing its progress. If that fails or is stopped, the page shows again what it showed before,
   * and nothing of the log stays.
   * @param {Blob} blob
   * @param {string} name
   * @param {string} [map]
   * @returns {Promise<Summary>}
   */
  async function send(blob, name, map) {
    const before = store.get();
    const isShown = claim();
    const stop = new AbortController();
    sending = stop;
    forget(null);
    store.update({ message: reading(name), progress: 0 });
    /** @param {Sent} told */
    const show = (told) => {
      if (!isShown()) return;
      const top = told.top ?? store.get().topSoFar;
      store.update({ message: reading(name, told.compiling), progress: part(told, blob.size), topSoFar: top });
    };
    let upload = null;
    try {
      const begun = await api.beginUpload(blob.size, name, map);
      upload = begun.upload;
      return await sendPieces(blob, begun, stop.signal, show);
    } catch (error) {
      stop.abort();
      if (upload !== null) await api.giveUpUpload(upload).catch(() => null);
      if (isShown()) await goBack(before);
      throw wasStopped(error)
        ? new Error(`${name || "The log"} was not sent to its end: nothing of it was kept.`)
        : error;
    } finally {
      if (sending === stop) sending = null;
    }
  }

  /** Show the page again as it was before. @param {State} before */
  async function goBack(before) {
    const { log, phase } = before;
    if (log === null)
      store.update({ phase: phase === "loading" ? "empty" : phase, message: before.message, progress: null });
    else await openLog(log, undefined, phase === "ready" ? before : undefined);
  }

  /**
   * @param {Blob} blob
   * @param {{upload: string, piece: number}} begun
   * @param {AbortSignal} signal
   * @param {(told: Sent) => void} show
   * @returns {Promise<Summary>}
   */
  async function sendPieces(blob, { upload, piece }, signal, show) {
    let next = 0;
    /** @type {Summary | null} */
    let log = null;
    const lane = async () => {
      while (next < blob.size) {
        const at = next;
        next = Math.min(blob.size, at + piece);
        const told = await api.sendPiece(upload, at, blob.slice(at, next), signal);
        show(told);
        log = told.log ?? log;
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    if (log === null) throw new Error("The server did not say that it has the whole log; bring it again.");
    return log;
  }

  /** Tell the server that a log is about to come, so that it prepares for a large one. Without an answer nothing changes. */
  function expectLog() {
    void api.expectUpload().catch(() => null);
  }

  /** Stop sending; says whether something was being sent. */
  function stopSending() {
    sending?.abort();
    return sending !== null;
  }

  return { postLog, expectLog, stopSending };
}

/** The progress of a log that is read while it is sent. @param {Sent} told @param {number} size */
function part({ progress, arrived }, size) {
  return Math.max(progress, (arrived / size) * SENT_PART);
}

/** The part of the progress that sending makes up, where reading has not come as far. */
const SENT_PART = 0.4;

/** @param {string} name @param {boolean} [compiling] */
function reading(name, compiling = false) {
  const what = name === "" ? "Reading the pasted log …" : `Reading ${name} …`;
  return compiling ? `${what} (compiling what reads large logs, once on a machine)` : what;
}

/** @param {unknown} error */
function wasStopped(error) {
  return error instanceof DOMException && error.name === "AbortError";
}
