// @ts-check
/**
 * Actions on the check of a log: run it, cancel it, go through its findings. A log that takes less than a second is
 * checked unasked once all that opens by itself is on the screen.
 */

import { ApiError, messageOf } from "../../data/api.js";
import { createFilterActions, isSameKind, listedOf, PAGE, placeOfFinding, shownGroups } from "./filter-actions.js";
import { createMarking } from "../../data/loading.js";

/** @import { Finding, Group, Kind, Report, Room } from "../../data/types.js" */

/** Seconds that the server may wait before it says how far a check is. */
const WAIT = 1;
/** Findings of a node that its details list. */
const OF_NODE = 8;
/** Nodes of one finding that are brought into the tree. */
const INVOLVED = 12;

/** @param {Room} room */
export function createCheckActions(room) {
  const { store, api, loader, walk, attempt, painted } = room;
  const { forget, mark } = createMarking(room, {
    subject() {
      const { report } = store.get();
      return hasFindings(report) ? report : null;
    },
    question: api.marks,
    keep: (found) => store.update(({ marks }) => ({ marks: new Map([...marks, ...found]) })),
  });
  /** The numbers of the last questions about the check and its findings: an answer to an earlier one is dropped. */
  let checksAsked = 0;
  let pagesAsked = 0;
  /** The place among the findings that one is on the way to. @type {{report: Report | null, at: number} | null} */
  let heading = null;
  const filter = createFilterActions({ ...room, findingsOf, page });

  /** Check a log that was just opened, where that is quick; else ask whether it was checked before. */
  async function beginCheck() {
    const { nodes } = store.get();
    await painted();
    if (store.get().nodes !== nodes) return;
    await follow(() => loader.ask((log) => api.startCheck(log, { quick: 1 })));
  }

  /** Keep the answers until the check has come to an end. @param {() => Promise<Report | null>} question */
  async function follow(question) {
    const { nodes } = store.get();
    checksAsked += 1;
    const turn = checksAsked;
    try {
      let report = await question();
      while (report !== null && report.state === "running" && turn === checksAsked) {
        store.update({ report });
        report = await loader.ask((log) => api.check(log, WAIT));
      }
      if (report !== null && turn === checksAsked) arrive(report);
    } catch (error) {
      const text = messageOf(error);
      if (store.get().nodes === nodes && turn === checksAsked)
        arrive({ state: "failed", rows: 0, quick: false, error: text });
    }
  }

  /** @param {Report} report */
  function arrive(report) {
    forget();
    store.update(({ findingFilter }) => ({
      report,
      marks: new Map(),
      openGroup: null,
      findings: null,
      finding: null,
      ofNode: null,
      findingFilter: { ...findingFilter, found: null },
    }));
    void filter.seek();
  }

  /** Run the check. */
  async function runCheck() {
    const { report } = store.get();
    if (report?.state === "running") return;
    await follow(() => loader.ask((log) => api.startCheck(log)));
  }

  /** Cancel the check that runs. */
  async function cancelCheck() {
    const before = checksAsked;
    await attempt(async () => {
      const report = await loader.ask((log) => api.endCheck(log));
      if (report === null || checksAsked !== before) return;
      checksAsked += 1;
      arrive(report);
    });
  }

  /**
   * Findings from the server; where it has let the report go meanwhile, the log counts as not checked.
   * @param {Parameters<typeof api.findings>[1]} options
   */
  async function findingsOf(options) {
    try {
      return await loader.ask((log) => api.findings(log, options));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      arrive({ state: "none", rows: store.get().opened?.totals.rows ?? 0, quick: false });
      return null;
    }
  }

  /** Load a page of the findings of one kind. @param {Kind} kind @param {number} offset */
  async function page({ rule, severity }, offset) {
    const { found } = store.get().findingFilter;
    const text = found?.text ?? "";
    pagesAsked += 1;
    const turn = pagesAsked;
    const answer = await findingsOf({ rule, severity, offset, limit: PAGE, ...(text !== "" && { text }) });
    if (answer !== null && turn === pagesAsked)
      store.update({ findings: { kind: { rule, severity }, offset, text, items: answer.items } });
    return answer;
  }

  /**
   * Unfold a group of findings and list a page of it; the one that is unfolded folds.
   * @param {Kind} kind
   * @param {number} [offset]
   */
  async function openFindings(kind, offset) {
    if (offset === undefined && isSameKind(store.get().openGroup, kind)) {
      store.update({ openGroup: null });
      return;
    }
    store.update({ openGroup: { rule: kind.rule, severity: kind.severity } });
    await attempt(() => page(kind, offset ?? 0));
  }

  /**
   * Go to a finding: list it, select its node, draw the nodes that are involved. Where the filter's text hides it, the text goes.
   * @param {Kind} kind
   * @param {number} at its place among the findings of its kind
   * @param {{stay?: boolean}} [options] stay: the selection and the camera stay as they are
   */
  async function goToFinding(kind, at, { stay = false } = {}) {
    await attempt(async () => {
      unfold(kind);
      const there = listedOf(kind, store.get())?.items.find((one) => one.at === at);
      if (there === undefined)
        store.update(({ findingFilter }) => ({ findingFilter: { ...findingFilter, text: "", found: null } }));
      await tell(kind, there ?? (await page(kind, at - (at % PAGE)))?.items[at % PAGE], stay);
    });
  }

  /** @param {Kind} kind */
  function unfold({ rule, severity }) {
    store.update(({ panels }) => ({
      panels: { ...panels, check: true, weights: false },
      openGroup: { rule, severity },
    }));
  }

  /** @param {Kind} kind @param {Finding | undefined} finding @param {boolean} stay */
  async function tell(kind, finding, stay) {
    if (finding === undefined || !isSameKind(store.get().openGroup, kind)) return;
    store.update({ finding });
    if (!stay) await show(finding);
  }

  /** @param {Finding} finding */
  async function show({ node, involved }) {
    const near = involved.filter((id) => id !== node).slice(0, INVOLVED);
    for (const id of near) {
      if ((await loader.path(id)) === null) return;
    }
    store.update(({ kept }) => ({ kept: new Set([...kept, ...near]) }));
    await walk.goTo(node);
    const { nodes, selected } = store.get();
    if (selected !== node) return; // somebody went elsewhere meanwhile
    if (near.some((id) => nodes.get(id)?.parent === node)) await walk.expand(node);
    store.update({ aim: { kind: "centre", id: node } });
  }

  /**
   * @param {Group} group
   * @param {number} place among the findings that the filter leaves of the group
   * @param {() => boolean} isWanted whether one still goes there
   */
  async function goToPlace(group, place, isWanted) {
    unfold(group);
    const listed = listedOf(group, store.get());
    const there = listed?.items[place - listed.offset];
    const finding = there ?? (await page(group, place - (place % PAGE)))?.items[place % PAGE];
    if (isWanted()) await tell(group, finding, false);
  }

  /**
   * Go to the next finding (1) or the previous one (−1) of those that the filter leaves, around the ends.
   * @param {number} step
   */
  async function stepFinding(step) {
    const state = store.get();
    const groups = shownGroups(state);
    const total = groups.reduce((sum, { count }) => sum + count, 0);
    if (total === 0) {
      store.update(({ panels }) => ({ panels: { ...panels, check: true, weights: false } }));
      return;
    }
    const now = heading?.report === state.report ? heading.at : placeOfFinding(state);
    let to = now < 0 ? (step > 0 ? 0 : total - 1) : (now + step + total) % total;
    const mine = { report: state.report, at: to };
    heading = mine;
    try {
      for (const group of groups) {
        if (to >= group.count) to -= group.count;
        else return await attempt(() => goToPlace(group, to, () => heading === mine));
      }
    } finally {
      if (heading === mine) heading = null;
    }
  }

  /** Load the findings of the node that the details show. */
  async function ofNode() {
    const { details, marks } = store.get();
    const id = details?.id ?? null;
    if (id === null || !marks.get(id)?.count || store.get().ofNode?.id === id) return;
    store.update({ ofNode: { id, total: 0, items: [] } });
    await attempt(async () => {
      const answer = await findingsOf({ node: id, limit: OF_NODE });
      if (answer !== null && store.get().ofNode?.id === id) {
        store.update({ ofNode: { id, total: answer.total, items: answer.items } });
      }
    });
  }

  /** The finding that a link names, once the report is there. */
  async function openLinked() {
    const { linked } = store.get();
    if (linked === null) return;
    store.update({ linked: null });
    await goToFinding(linked, linked.at, { stay: true });
  }

  store.subscribe((state, previous) => {
    if (state.linked !== null && hasFindings(state.report)) void openLinked();
    if (state.report !== previous.report || state.revision !== previous.revision || state.nodes !== previous.nodes)
      void mark();
    if (state.details !== previous.details || state.marks !== previous.marks) void ofNode();
  });

  return {
    beginCheck,
    runCheck,
    cancelCheck,
    openFindings,
    goToFinding,
    stepFinding,
    filterFindings: filter.filterFindings,
    seekOn: filter.seekOn,
    clearFilter: filter.clearFilter,
    toggleSeverity: filter.toggleSeverity,
  };
}

/** @param {Report | null} report */
function hasFindings(report) {
  return report?.state === "done" && (report.groups ?? []).length > 0;
}
