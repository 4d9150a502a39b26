import assert from "node:assert/strict";
import test from "node:test";

import { ApiError } from "../../static/data/api.js";
import { PAGE, placeOfFinding, shownGroups } from "../../static/views/check/filter-actions.js";
import { readRoute, writeRoute } from "../../static/data/route.js";
import { figuresOf, lackText, markText } from "../../static/draw/finding-words.js";
import { fakeApi, full, openPage, pageOn, plant, settle } from "./forest.js";

const group = (rule, severity, count) => ({ rule, severity, count, reason: "r", meaning: "", first: 0 });
const VALUE = { rule: "value", severity: "wrong" };

const DONE = {
  state: "done",
  rows: 40,
  quick: true,
  counts: { wrong: 25, waste: 0, odd: 2 },
  groups: [group("value", "wrong", 25), group("depth-step", "odd", 2)],
  checked: [],
  not_checked: [],
};

const TOLD = { path: "a", message: "m", reproduce: "r", involved: [] };

/** A page on a log of 40 nodes whose check answers `reports`, one after the other; the last one stays. */
function table(reports, other = {}) {
  const asked = [];
  const next = () => (reports.length > 1 ? reports.shift() : reports[0]);
  const findings = async (_, { rule = "", severity, node, text = "", more, offset = 0, limit = 0 }) => {
    if (text !== "" && rule === "") {
      asked.push(`${text}${more ? " more" : ""}`);
      const groups = text === "nowhere" ? [] : [{ ...VALUE, count: 23 }];
      return { total: 23, offset, items: [], groups, unread: more ? 0 : 7 };
    }
    asked.push(`${rule || `node ${node}`} from ${offset}`);
    const total = text !== "" ? 23 : (DONE.groups.find((one) => one.rule === rule)?.count ?? 1);
    const skipped = text === "" ? 0 : 2; // the first two do not hold it
    const finding = (at) => ({ ...TOLD, rule, severity, at, node: 5 + at });
    const length = Math.min(limit, total - offset);
    return { total, offset, items: Array.from({ length }, (_, i) => finding(offset + i + skipped)) };
  };
  const startCheck = async (_, options) => (asked.push(options?.quick ? "start if quick" : "start"), next());
  const check = async () => (asked.push("look"), next());
  const page = pageOn(plant([full(3, 3)]), {}, { startCheck, check, findings, ...other });
  return { ...page, asked, found: () => [page.state().finding?.rule, page.state().finding?.at] };
}

async function opened(reports = [DONE], other = {}) {
  const all = table(reports, other);
  await all.actions.openLog("a");
  await settle();
  return all;
}

test("the check of a small log is asked for only after all that opens by itself is open", async () => {
  const asked = [];
  const tree = plant([full(3, 3)]);
  const { api } = fakeApi(tree);
  const nodes = (...question) => (asked.push("nodes"), api.nodes(...question));
  const startCheck = async () => (asked.push("check"), DONE);
  await openPage(tree, {}, { nodes, startCheck }, { fits: ({ expanded }) => expanded.size < 9 });
  await settle();
  assert.ok(asked.length > 2, asked.join());
  assert.equal(asked.indexOf("check"), asked.length - 1, asked.join());
});

test("a log is checked by itself once it is open, where that is quick, and a check that runs is followed", async () => {
  const quick = await opened();
  assert.deepEqual([quick.asked[0], quick.state().report], ["start if quick", DONE]);
  const running = { state: "running", rows: 40, quick: false, progress: 0.5 };
  const { state, asked } = await opened([running, running, DONE]);
  assert.deepEqual(asked.slice(0, 3), ["start if quick", "look", "look"]);
  assert.equal(state().report?.state, "done");
});

test("next goes through all findings, group by group, and from the last to the first", async () => {
  const { state, actions, found } = await opened();
  await actions.stepFinding(1);
  assert.deepEqual([...found(), state().selected], ["value", 0, 5]);
  assert.ok(state().panels.check);
  await actions.stepFinding(-1);
  assert.deepEqual([...found(), placeOfFinding(state())], ["depth-step", 1, 26]);
  await actions.stepFinding(1);
  assert.equal(placeOfFinding(state()), 0);
});

test("a text leaves the findings that the server found for it, and next goes through these", async () => {
  const { state, actions, asked } = await opened();
  actions.filterFindings(" p3 > p4 ");
  await settle();
  assert.equal(asked.at(-1), "p3 > p4");
  const [{ rule, count }, ...others] = shownGroups(state());
  assert.deepEqual([rule, count, others], ["value", 23, []]);
  assert.equal(placeOfFinding(state()), -1);
  await actions.stepFinding(1);
  assert.deepEqual([state().finding?.at, placeOfFinding(state())], [2, 0]);
  await actions.stepFinding(-1);
  assert.deepEqual([state().finding?.at, placeOfFinding(state()), state().findings?.offset], [24, 22, PAGE]);
});

test("a finding that the text hides is gone to without the text", async () => {
  const { state, actions } = await opened();
  actions.filterFindings("p3");
  await settle();
  await actions.goToFinding(VALUE, 1);
  assert.deepEqual([state().finding?.at, state().findingFilter.text, placeOfFinding(state())], [1, "", 1]);
});

test("what was typed last is what is found, and messages are read on when asked for", async () => {
  const { state, actions, asked } = await opened();
  for (const text of ["n", "no", "nowhere"]) actions.filterFindings(text);
  await settle();
  assert.deepEqual([state().findingFilter.found?.text, shownGroups(state())], ["nowhere", []]);
  assert.equal(state().findingFilter.found?.unread, 7);
  actions.seekOn();
  await settle();
  assert.deepEqual([asked.at(-1), state().findingFilter.found?.unread], ["nowhere more", 0]);
  actions.clearFilter();
  assert.equal(shownGroups(state()).length, 2);
  // The page is listed anew once more messages were read.
  actions.filterFindings("p3");
  await settle();
  await actions.stepFinding(1);
  actions.seekOn();
  await settle();
  assert.deepEqual(asked.slice(-2), ["p3 more", "value from 0"]);
});

test("the unfolded group lists what the text leaves, and all of it again without", async () => {
  const { state, actions } = await opened();
  await actions.openFindings(VALUE);
  for (const [text, first] of [
    ["p3", 2],
    ["", 0],
  ]) {
    actions.filterFindings(text);
    await settle();
    assert.deepEqual([state().findings?.text, state().findings?.items[0]?.at], [text, first]);
  }
});

test("a report that the server let go counts as not checked", async () => {
  const findings = async () => {
    throw new ApiError("gone", 409);
  };
  const { state, actions } = await opened([DONE], { findings });
  await actions.stepFinding(1);
  assert.deepEqual([state().report?.state, state().notices], ["none", []]);
});

test("another log begins without findings of the one before", async () => {
  const { state, actions } = await opened();
  await actions.stepFinding(1);
  const open = actions.openLog("b");
  assert.deepEqual([state().report, state().finding, state().findings], [null, null, null]);
  await open;
});

test("a link holds the finding one looks at, and opens at it without moving", async () => {
  const { state, actions } = await opened();
  await actions.stepFinding(1);
  const route = readRoute(writeRoute(state()));
  assert.deepEqual([route.check, route.finding], [true, { ...VALUE, at: 0 }]);
  assert.equal(readRoute("#log=a&check=wrong.<b>.0").finding, null);
  const again = table([DONE]);
  await again.actions.openLog("a", { ...route, node: null });
  await settle();
  assert.deepEqual([again.state().finding?.at, again.state().selected, again.state().panels.check], [0, 0, true]);
});

test("what a rule lacks is told with each field by itself", () => {
  const lack = { rule: "leaf", needs: ["static", "alpha|beta"], nodes: 2 };
  assert.equal(lackText(lack), "needs `static`, `alpha` or `beta` at 2 nodes");
  assert.equal(lackText({ ...lack, nodes: 0, why: "no game 'nim'" }), "no game 'nim'");
});

test("figures are numbers, intervals or words, two that differ never read the same, and won games are said", () => {
  const mate = { score: 1_000_000, step: 1, threshold: 999_000 };
  for (const [expected, found, texts, rule = "value"] of [
    [-2.5, [3, "inf"], ["\u22122.5", "[3, \u221e]"]],
    [1000.04, "a number", ["1,000.04", "a number"]],
    [null, undefined, ["\u2013", "\u2013"]],
    [65.2, 65.19999999999999, ["65.2", "65.19999999999999"]],
    [
      [0.1 + 0.2, 1],
      [0.3, 1],
      ["[0.30000000000000004, 1]", "[0.3, 1]"],
    ],
    [999_995, 3, ["999,995", "3"], "moves"],
    [999_995, -999_996, ["999,995 (the score of a win in 5)", "\u2212999,996 (the score of a loss in 4)"]],
  ])
    assert.deepEqual(Object.values(figuresOf({ rule, expected, found }, mate)), texts);
  const [must, is] = Object.values(figuresOf({ rule: "value", expected: 1e300, found: 1.0001e300 }));
  assert.notEqual(must, is);
});

test("a mark tells what lies below only of a folded node", () => {
  const mark = { count: 1, below: 3, severity: "odd", worst_below: "wrong" };
  assert.equal(markText(mark, false), "1 finding, odd, 3 findings below");
  assert.equal(markText(mark, true), "1 finding, odd");
  assert.equal(markText(undefined, false), "");
});
