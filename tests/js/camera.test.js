import assert from "node:assert/strict";
import test from "node:test";

import {
  cardBox,
  centreCamera,
  contains,
  familyBox,
  fillCamera,
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

const laid = (nodes, open) => layOut(knowing(nodes, open, { size: SIZE }), LETTERING, String);

test("a column is as wide as its longest ply and score, and starts after the lanes of the one before", () => {
  const nodes = plant([{ children: [{ ply: "wA1 bQ-", score: 12, children: [{}] }, { ply: "pass" }] }]);
  const { columns, width } = laid(nodes, [0]);
  assert.equal(columns[1]?.width, SIZES.beforeName + 70 + SIZES.afterName + 20 + SIZES.end);
  assert.equal(columns[0]?.lane, 0);
  assert.equal(columns[1]?.x, (columns[0]?.width ?? 0) + SIZES.link);
  assert.ok((columns[1]?.lane ?? 0) > wedgeLength(1));
  assert.equal(width, (columns[1]?.x ?? 0) + (columns[1]?.width ?? 0) + (columns[1]?.lane ?? 0));
});

test("a stub's words do not make room for a score", () => {
  const nodes = plant([
    {
      children: [
        { ply: "c6", score: 12 },
        { ply: "0123456789", outcome: "pruned", count: 3 },
      ],
    },
  ]);
  assert.equal(laid(nodes, [0]).columns[1]?.width, SIZES.beforeName + 100 + SIZES.end);
});

test("wedges grow with the logarithm of what they hold", () => {
  assert.ok(Math.abs(wedgeLength(10_000) - wedgeLength(100) - (wedgeLength(100) - wedgeLength(1))) < 1e-9);
  assert.equal(wedgeLength(1e9), wedgeLength(1e6));
});

test("fitting shows everything, and never enlarges", () => {
  const small = laid(plant([full(2, 1)]), [0]);
  assert.equal(fitCamera(small, SIZE, 0.1).scale, 1);
  const nodes = plant([full(10, 2)]);
  const large = laid(nodes, [...nodes.keys()]);
  const camera = fitCamera(large, SIZE, 0.1);
  assert.ok(camera.scale < 1);
  assert.ok(contains(shownBox(camera, SIZE, 0), { left: 0, top: 0, right: large.width, bottom: large.totalHeight }));
});

test("revealing goes where more of the boxes are seen, and stays where that shows no more", () => {
  const camera = { x: 0, y: 0, scale: 1 };
  const column = (from, n) =>
    Array.from({ length: n }, (_, i) => ({ left: 100, right: 200, top: from + 34 * i, bottom: from + 34 * i + 28 }));
  assert.equal(revealCamera(camera, [], SIZE), camera);
  assert.equal(revealCamera(camera, column(100, 5), SIZE), camera);
  assert.equal(revealCamera(camera, column(0, 30), SIZE), camera, "as many as the window holds are seen already");
  assert.deepEqual(revealCamera(camera, column(500, 5), SIZE), { x: 0, y: 600 - 24 - (500 + 4 * 34 + 28), scale: 1 });
  assert.deepEqual(revealCamera(camera, column(700, 30), SIZE), { x: 0, y: 24 - 700, scale: 1 });
  assert.deepEqual(revealCamera(camera, column(-2000, 30), SIZE), { x: 0, y: 2024, scale: 1 });
});

test("showing moves the camera no further than needed", () => {
  const camera = { x: 0, y: 0, scale: 1 };
  const inside = { left: 100, top: 100, right: 200, bottom: 130 };
  assert.deepEqual(showCamera(camera, inside, inside, SIZE), camera);
  const below = { left: 100, top: 700, right: 200, bottom: 730 };
  assert.deepEqual(showCamera(camera, below, below, SIZE), { x: 0, y: 600 - 24 - 730, scale: 1 });
});

test("where a family is too large, the node itself is in view", () => {
  const card = { left: 0, top: 1000, right: 100, bottom: 1030 };
  const camera = showCamera({ x: 0, y: 0, scale: 1 }, { ...card, top: 0, bottom: 2000 }, card, SIZE);
  assert.ok(contains(shownBox(camera, SIZE, 0), card));
});

test("centring puts the middle of the box into the middle of the window, at any scale", () => {
  const camera = centreCamera({ x: 5, y: 5, scale: 2 }, { left: 100, top: 0, right: 200, bottom: 40 }, SIZE);
  assert.deepEqual([150 * 2 + camera.x, 20 * 2 + camera.y], [400, 300]);
});

test("the wedge of a folded node belongs to what comes into view with it", () => {
  const layout = laid(plant([full(2, 2)]), [0]);
  const leaf = layout.rowOf.get(1) ?? -1;
  assert.ok((layout.columns[1]?.lane ?? 0) > 0);
  assert.equal(familyBox(layout, leaf).right, cardBox(layout, leaf).right + (layout.columns[1]?.lane ?? NaN));
});

test("a family is a node and its own children, not their children", () => {
  const nodes = plant([{ children: [full(3, 1), full(3, 1)] }]);
  const layout = laid(nodes, [0, 1, 5]);
  const family = familyBox(layout, 0);
  assert.equal(family.right, cardBox(layout, 1).right + (layout.columns[1]?.lane ?? NaN));
  assert.equal(family.bottom, cardBox(layout, 5).bottom);
});

test("of a huge tree only the rows near the window are drawn, and those asked for", () => {
  const nodes = plant([full(3000, 1)]);
  const state = knowing(nodes, [0], { size: SIZE, shown: new Map([[0, 3000]]) });
  const layout = layOut(state, LETTERING, String);
  const rows = rowsToDraw(layout, { x: 0, y: -30_000, scale: 1 }, SIZE, [2999]);
  assert.ok(rows.length < 100);
  assert.equal(rows.at(-1), 2999);
  const middle = layout.rowOf.get(1 + Math.floor(30_300 / 34)) ?? -1;
  assert.ok(rows.includes(middle));
});

test("of many new rows those in the window are drawn first, and all that were there", () => {
  const state = knowing(plant([full(100, 1)]), [0], { size: SIZE, shown: new Map([[0, 100]]) });
  const layout = layOut(state, LETTERING, String);
  const rows = Array.from({ length: layout.rows.ids.length }, (_, row) => row);
  const camera = { x: 0, y: 0, scale: 1 };
  const first = rowsAtFirst(layout, camera, SIZE, rows, (row) => row === 99);
  const seen = rows.filter((row) => cardBox(layout, row).top <= SIZE.height && cardBox(layout, row).left <= SIZE.width);
  assert.deepEqual(
    first,
    [...new Set([...seen, 99])].sort((a, b) => a - b),
  );
  assert.ok(first.length < 50);
  const known = rows.length - NEW_AT_ONCE;
  assert.equal(
    rowsAtFirst(layout, camera, SIZE, rows, (row) => row < known),
    rows,
    "few new rows come at once",
  );
  assert.equal(
    rowsAtFirst(layout, { ...camera, scale: 0.05 }, SIZE, rows, () => false),
    rows,
    "all are in the window",
  );
});

test("a small tree is drawn whole", () => {
  const layout = laid(plant([full(10, 1)]), [0]);
  assert.equal(rowsToDraw(layout, { x: -99_999, y: 0, scale: 1 }, SIZE, []).length, 11);
});

test("however far it is dragged, a piece of the tree stays in the window", () => {
  const tree = { width: 400, totalHeight: 200 };
  const camera = { x: 30, y: 40, scale: 1 };
  assert.equal(keepCamera(camera, tree, SIZE), camera);
  assert.deepEqual(keepCamera({ x: 5000, y: 40, scale: 1 }, tree, SIZE), { x: 740, y: 40, scale: 1 });
  assert.deepEqual(keepCamera({ x: -5000, y: -5000, scale: 0.5 }, tree, SIZE), { x: -140, y: -40, scale: 0.5 });
  assert.deepEqual(keepCamera({ x: 0, y: 5000, scale: 0.1 }, tree, SIZE).y, 580);
});

test("no part of the tree is outside on one side while there is room on the other", () => {
  const layout = { width: 1000, totalHeight: 300 };
  const cut = fillCamera({ x: -400, y: 24, scale: 1 }, layout, SIZE);
  assert.deepEqual(cut, { x: SIZE.width - 24 - 1000, y: 24, scale: 1 });
  assert.deepEqual(fillCamera(cut, layout, SIZE), cut);
  assert.equal(fillCamera({ x: 100, y: 24, scale: 1 }, layout, SIZE).x, 24);
});
