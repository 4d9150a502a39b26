// @ts-check
/** What can be done with the filter of the check's panel: a text is looked for by the server, severities are hidden here. */

import { isSameKind, listedOf, PAGE, shownGroups } from "./finding-filter.js";

/** @typedef {import("./types.js").Kind} Kind */
/** @typedef {import("./types.js").Severity} Severity */
/** @typedef {import("./api.js").Api} Api */

/**
 * @param {object} room
 * @param {import("./state.js").Store} room.store
 * @param {<T>(work: () => Promise<T>) => Promise<T | null>} room.attempt
 * @param {(options: Parameters<Api["findings"]>[1]) => Promise<Awaited<ReturnType<Api["findings"]>> | null>} room.findingsOf
 * @param {(kind: Kind, offset: number) => Promise<unknown>} room.page lists a page of what the filter leaves
 */
export function createFilterActions({ store, attempt, findingsOf, page }) {
  let seeking = false;

  /**
   * Look for the text of the filter, and again as long as it changes meanwhile.
   * @param {{more?: boolean}} [options] more: read on in the messages that were not read yet
   */
  async function seek({ more = false } = {}) {
    if (seeking) return;
    seeking = true;
    const { report } = store.get();
    const wanted = () => store.get().findingFilter.text.trim();
    await attempt(async () => {
      for (
        let text = wanted();
        text !== "" && (report?.groups ?? []).length > 0 && store.get().report === report;
        text = wanted()
      ) {
        const answer = await findingsOf({ text, limit: 0, ...(more && { more: 1 }) });
        if (answer === null) return;
        if (wanted() !== text || store.get().report !== report) continue;
        const { groups = [], unread = 0 } = answer;
        // What was found since may stand before what is listed.
        store.update(({ findingFilter }) => ({
          findingFilter: { ...findingFilter, found: { text, groups, unread } },
          ...(more && { findings: null }),
        }));
        await listAgain();
        if (wanted() === text) return;
      }
    });
    seeking = false;
    if (store.get().report !== report) void seek();
  }

  /** List what the filter leaves of the group that is unfolded. */
  async function listAgain() {
    const { openGroup } = store.get();
    const group = shownGroups(store.get()).find((one) => isSameKind(one, openGroup));
    if (group === undefined || listedOf(group, store.get()) !== null) return;
    const { finding, findingFilter } = store.get();
    await page(
      group,
      findingFilter.found === null && isSameKind(finding, group) && finding !== null
        ? finding.at - (finding.at % PAGE)
        : 0,
    );
  }

  /** @param {string} text that rule, `#id`, path or message of a finding must hold */
  function filterFindings(text) {
    store.update(({ findingFilter }) => ({
      findingFilter: { ...findingFilter, text, found: text.trim() === "" ? null : findingFilter.found },
    }));
    if (text.trim() === "") void attempt(listAgain);
    else void seek();
  }

  return {
    seek,
    filterFindings,
    /** Read further messages for the text of the filter. */
    seekOn: () => void seek({ more: true }),
    /** Show all findings again. */
    clearFilter: () => {
      store.update(({ findingFilter }) => ({ findingFilter: { ...findingFilter, hidden: [] } }));
      filterFindings("");
    },
    /** @param {Severity} severity shown or hidden, the other way round */
    toggleSeverity: (severity) =>
      store.update(({ findingFilter }) => {
        const { hidden } = findingFilter;
        return {
          findingFilter: {
            ...findingFilter,
            hidden: hidden.includes(severity) ? hidden.filter((one) => one !== severity) : [...hidden, severity],
          },
        };
      }),
  };
}
