import assert from "node:assert/strict";
import test from "node:test";

import {
  cardBox,
  centreCamera,
  contains,
  familyBox,
  fitCamera,
  keepCamera,
  revealCamera,
  showCamera,
  shownBox,
} from "../../static/layout/camera.js";
import { layOut, SIZES, wedgeLength } from "../../static/layout/tree-layout.js";
import { NEW_AT_ONCE, rowsAtFirst, rowsToDraw } from "../../static/layout/visible.js";
import { full, knowing, plant } from "./forest.js";

const LETTERING = {
  name: (node) => node.ply ?? "root",
  digits: () => undefined,
  more: () => "+",
  score: (node) => String(node.score ?? ""),
  width: (text) => 10 * text.length,
};
const SIZE = { width: 800, height: 600 };
const STILL = { x: 0, y: 0, scale: 1 };

const laid = (nodes, open, more) => layOut(knowing(nodes, open, { size: SIZE, ...more }), LETTERING, String);
const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });

test("a column is as wide as its longest ply and score, and starts after the lanes of the one before", () => {
  const nodes = plant([{ children: [{ ply: "wA1 bQ-", score: 12, children: [{}] }, { ply: "pass" }] }]);
  const { columns, width } = laid(nodes, [0]);
  const [first, second] = columns;
  assert.equal(second.width, SIZES.beforeName + 70 + SIZES.afterName + 20 + SIZES.end);
  assert.deepEqual([first.lane, second.x], [0, first.width + SIZES.link]);
  assert.ok(second.lane > wedgeLength(1));
  assert.equal(width, second.x + second.width + second.lane);
  // A stub's words do not make room for a score.
  const stub = { ply: "0123456789", outcome: "pruned", count: 3 };
  const beside = laid(plant([{ children: [{ ply: "c6", score: 12 }, stub] }]), [0]);
  assert.equal(beside.columns[1].width, SIZES.beforeName + 100 + SIZES.end);
});

test("wedges grow with the logarithm of what they hold", () => {
  assert.ok(Math.abs(wedgeLength(10_000) - wedgeLength(100) - (wedgeLength(100) - wedgeLength(1))) < 1e-9);
  assert.equal(wedgeLength(1e9), wedgeLength(1e6));
});

test("fitting shows everything, and never enlarges", () => {
  assert.equal(fitCamera(laid(plant([full(2, 1)]), [0]), SIZE, 0.1).scale, 1);
  const nodes = plant([full(10, 2)]);
  const large = laid(nodes, [...nodes.keys()]);
  const camera = fitCamera(large, SIZE, 0.1);
  assert.ok(camera.scale < 1);
  assert.ok(contains(shownBox(camera, SIZE, 0), box(0, 0, large.width, large.totalHeight)));
});

test("revealing goes where more of the boxes are seen, and stays where that shows no more", () => {
  const column = (from, n) => Array.from({ length: n }, (_, i) => box(100, from + 34 * i, 100, 28));
  for (const [boxes, y] of [
    [[], 0],
    [column(100, 5), 0],
    [column(0, 30), 0], // as many as the window holds are seen already
    [column(500, 5), 600 - 24 - (500 + 4 * 34 + 28)],
    [column(700, 30), 24 - 700],
    [column(-2000, 30), 2024],
  ])
    assert.deepEqual(revealCamera(STILL, boxes, SIZE), { ...STILL, y });
  assert.equal(revealCamera(STILL, [], SIZE), STILL, "the very same, so that nothing is drawn");
});

test("showing moves the camera no further than needed, to the node itself where its family is too large", () => {
  const [inside, below] = [box(100, 100, 100, 30), box(100, 700, 100, 30)];
  assert.deepEqual(showCamera(STILL, inside, inside, SIZE), STILL);
  assert.deepEqual(showCamera(STILL, below, below, SIZE), { x: 0, y: 600 - 24 - 730, scale: 1 });
  const card = box(0, 1000, 100, 30);
  assert.ok(contains(shownBox(showCamera(STILL, box(0, 0, 100, 2000), card, SIZE), SIZE, 0), card));
});

test("centring puts the middle of the box into the middle of the window, at any scale", () => {
  const camera = centreCamera({ x: 5, y: 5, scale: 2 }, box(100, 0, 100, 40), SIZE);
  assert.deepEqual([150 * 2 + camera.x, 20 * 2 + camera.y], [400, 300]);
});

test("a family is a node, its wedge, and its own children, not their children", () => {
  const folded = laid(plant([full(2, 2)]), [0]);
  const leaf = folded.rowOf.get(1);
  assert.ok(folded.columns[1].lane > 0);
  assert.equal(familyBox(folded, leaf).right, cardBox(folded, leaf).right + folded.columns[1].lane);
  const layout = laid(plant([{ children: [full(3, 1), full(3, 1)] }]), [0, 1, 5]);
  const { right, bottom } = familyBox(layout, 0);
  assert.deepEqual([right, bottom], [cardBox(layout, 1).right + layout.columns[1].lane, cardBox(layout, 5).bottom]);
});

test("of a huge tree only the rows near the window are drawn, and those asked for; a small one is drawn whole", () => {
  const layout = laid(plant([full(3000, 1)]), [0], { shown: new Map([[0, 3000]]) });
  const rows = rowsToDraw(layout, { x: 0, y: -30_000, scale: 1 }, SIZE, [2999]);
  assert.ok(rows.length < 100);
  assert.equal(rows.at(-1), 2999);
  assert.ok(rows.includes(layout.rowOf.get(1 + Math.floor(30_300 / 34))));
  assert.equal(rowsToDraw(laid(plant([full(10, 1)]), [0]), { ...STILL, x: -99_999 }, SIZE, []).length, 11);
});

test("of many new rows those in the window are drawn first, and all that were there", () => {
  const layout = laid(plant([full(100, 1)]), [0], { shown: new Map([[0, 100]]) });
  const rows = [...layout.rows.ids.keys()];
  const at = (camera, isKnown) => rowsAtFirst(layout, camera, SIZE, rows, isKnown);
  const seen = rows.filter((row) => cardBox(layout, row).top <= SIZE.height && cardBox(layout, row).left <= SIZE.width);
  const first = at(STILL, (row) => row === 99);
  assert.deepEqual(new Set(first), new Set([...seen, 99]));
  assert.ok(first.length < 50);
  const few = (row) => row < rows.length - NEW_AT_ONCE;
  assert.equal(at(STILL, few), rows, "few new rows come at once");
  assert.equal(
    at({ ...STILL, scale: 0.05 }, () => false),
    rows,
    "all are in the window",
  );
});

test("however far it is dragged, a piece of the tree stays in the window", () => {
  const tree = { width: 400, totalHeight: 200 };
  for (const [dragged, kept] of [
    [{ x: 30, y: 40, scale: 1 }, {}],
    [{ x: 5000, y: 40, scale: 1 }, { x: 740 }],
    [
      { x: -5000, y: -5000, scale: 0.5 },
      { x: -140, y: -40 },
    ],
    [{ x: 0, y: 5000, scale: 0.1 }, { y: 580 }],
  ])
    assert.deepEqual(keepCamera(dragged, tree, SIZE), { ...dragged, ...kept });
  assert.equal(keepCamera(STILL, tree, SIZE), STILL);
});
