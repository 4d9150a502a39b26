// @ts-check
/** The filter of the check's panel: the server looks for a text, the page hides severities. */

/** @import { Api, Kind, Room, Severity, State } from "../../data/types.js" */

/**
 * @param {Room & {findingsOf: (options: Parameters<Api["findings"]>[1]) =>
 *   Promise<Awaited<ReturnType<Api["findings"]>> | null>, page: (kind: Kind, offset: number) => Promise<unknown>}}
 *   room
 */
export function createFilterActions({ store, attempt, findingsOf, page }) {
  let seeking = false;

  /**
   * Ask for the findings with the text of the filter, again as long as the text changes meanwhile.
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
        // A finding since then may stand before those that are listed.
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

  /** List the filtered findings of the unfolded group. */
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
    /** @param {Severity} severity to be hidden if it is shown, and shown if it is hidden */
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

/** Findings on one page of a group. */
export const PAGE = 20;
/** @param {Kind | null} a @param {Kind | null} b */
export const isSameKind = (a, b) => a?.rule === b?.rule && a?.severity === b?.severity;

/**
 * The groups that the filter leaves, by severity and by a text, with the number of findings that it leaves of each.
 * @param {Pick<State, "report" | "findingFilter">} state
 */
export function shownGroups({ report, findingFilter: { hidden, found } }) {
  const groups = (report?.groups ?? []).filter(({ severity }) => !hidden.includes(severity));
  if (found === null) return groups;
  return groups.flatMap((group) => {
    const left = found.groups.find((one) => isSameKind(one, group));
    return left === undefined ? [] : { ...group, count: left.count };
  });
}

/**
 * The listed page of findings of a kind, if it is of the current filter.
 * @param {Kind} kind
 * @param {Pick<State, "findings" | "findingFilter">} state
 */
export function listedOf(kind, { findings, findingFilter: { found } }) {
  return findings !== null && isSameKind(findings.kind, kind) && findings.text === (found?.text ?? "")
    ? findings
    : null;
}

/**
 * The place of the finding among all filtered ones, from 0; −1 where it is none of them or not listed.
 * @param {Pick<State, "report" | "findingFilter" | "finding" | "findings">} state
 */
export function placeOfFinding(state) {
  const { finding } = state;
  let before = 0;
  for (const group of shownGroups(state)) {
    if (finding !== null && isSameKind(group, finding)) {
      if (state.findingFilter.found === null) return before + finding.at;
      const page = listedOf(group, state);
      const at = page?.items.findIndex((one) => one.at === finding.at) ?? -1;
      return page === null || at < 0 ? -1 : before + page.offset + at;
    }
    before += group.count;
  }
  return -1;
}
