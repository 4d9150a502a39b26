// @ts-check
/** What the filter of the check's panel leaves: groups, the page that is listed, the place of a finding in it. */

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Group} Group */
/** @typedef {import("./types.js").Kind} Kind */

/** Findings on one page of a group. */
export const PAGE = 20;
/** @param {Kind | null} a @param {Kind | null} b */
export const isSameKind = (a, b) => a?.rule === b?.rule && a?.severity === b?.severity;

/**
 * The groups that the filter leaves, by severity and by a text, with the number of findings that it leaves of each.
 * @param {Pick<State, "report" | "findingFilter">} state
 * @returns {Group[]}
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
 * The page of findings that is listed of a kind, if it is a page of what the filter leaves now.
 * @param {Kind} kind
 * @param {Pick<State, "findings" | "findingFilter">} state
 */
export function listedOf(kind, { findings, findingFilter: { found } }) {
  return findings !== null && isSameKind(findings.kind, kind) && findings.text === (found?.text ?? "")
    ? findings
    : null;
}

/**
 * Where the finding stands among all that the filter leaves, from 0; −1 where it is none of them or not listed.
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
