// @ts-check
/** A log as a page that is one file: begun, followed and stopped here; the server makes it beside its answers. */

import { besideName, isOld } from "../../data/merged.js";
import { isReweighed } from "../../data/state.js";
import { FOREST } from "../../data/types.js";

/** @import { Room, State } from "../../data/types.js" */

/** Seconds that the server may wait before it says how far it is. */
const WAIT = 1;
/** The most nodes that the page opens with: as many as one question may name. */
const MOST_OPEN = 200;

/** @param {Room & {download: (address: string) => void}} room */
export function createShareActions({ store, api, attempt, notify, download }) {
  return {
    /**
     * Make such a page of the open log, which opens with the current view; its content is shown before it is saved. One
     * is made at a time.
     * @param {State["labels"][string]} labels the fields of its cards
     */
    async share(labels) {
      const { opened, sharing, selected, expanded } = store.get();
      if (opened === null) return notify("note", "There is no log to share yet: open one first.");
      if (sharing?.state === "running") return;
      const { id: log, name } = opened.log;
      const open = [...expanded].filter((id) => !isOld(id)).slice(-MOST_OPEN);
      const view = { open: open.join(), ...(selected !== null && selected > FOREST && { node: selected }) };
      const lost = notInside(store.get());
      // The page made before is not offered any more: it is removed as this one begins.
      store.update({ sharing: { log, name, state: "running", phase: "checking", progress: 0 } });
      let made = await attempt(() => store.wait(api.startShare(log, labels, view)));
      if (store.get().sharing === null) return attempt(() => api.endShare(log)); // stopped before it had begun
      while (made?.state === "running") {
        store.update({ sharing: { log, name, ...made } });
        made = await attempt(() => api.share(log, { wait: WAIT }));
        if (store.get().sharing === null) return; // it was stopped
      }
      store.update({
        sharing: made?.state === "done" ? { log, name, ...made, says: [...(made.says ?? []), ...lost] } : null,
      });
      if (made?.reason !== undefined) notify("error", `The page of ${name} was not made: ${made.reason}.`);
    },

    /** Stop making the page, or forget it. */
    async endSharing() {
      const { sharing } = store.get();
      store.update({ sharing: null });
      if (sharing !== null) await attempt(() => store.wait(api.endShare(sharing.log)));
    },

    /** Save the page that was made. */
    saveShared() {
      const { sharing } = store.get();
      store.update({ sharing: null });
      if (sharing !== null) download(api.fileOfShare(sharing.log));
    },
  };
}

/** A sentence on what is shown now and would be missing in the page. @param {State} state */
function notInside(state) {
  const lost = [
    ...(state.diff.against === null ? [] : [`the comparison with ${besideName(state)}`]),
    ...(isReweighed(state) ? ["the other weights"] : []),
    ...(state.replay === null ? [] : ["the replay"]),
  ];
  return lost.length === 0 ? [] : [`Not inside: ${lost.join(", ")}.`];
}
