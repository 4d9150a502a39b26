// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { boardShapes, boardWords } from "../../static/draw/board.js";

/** @param {string} pieces row by row, `.` for an empty cell @param {number} width */
function squares(pieces, width) {
  const names = /** @type {Record<string, string>} */ ({ b: "black disc", w: "white disc", x: "x", o: "o", Q: "queen" });
  return [...pieces].map((piece, i) => ({
    x: i % width,
    y: Math.floor(i / width),
    pieces: names[piece] === undefined ? [] : [names[piece]],
    name: `${String.fromCharCode(97 + (i % width))}${Math.floor(i / width) + 1}`,
  }));
}

/** @param {import("../../static/data/types.js").Drawing} drawing @param {{changed?: boolean}} [options] */
const classes = (drawing, options) => boardShapes(drawing, options).shapes.map((shape) => shape.className);

test("every cell is drawn, and every piece on its cell", () => {
  const { shapes } = boardShapes({ kind: "squares", cells: squares("bw..", 2) });
  assert.equal(shapes.filter((shape) => shape.className === "board-cell").length, 4);
  const disc = shapes.find((shape) => shape.className.includes("board-disc-white"));
  assert.deepEqual([disc?.attributes["cx"], disc?.attributes["cy"]], [1, 0]);
});

test("crosses and noughts are drawn as such, other pieces are written", () => {
  const drawing = { kind: /** @type {const} */ ("squares"), cells: squares("xoQ", 3) };
  assert.ok(classes(drawing).includes("board-cross"));
  assert.ok(classes(drawing).includes("board-nought"));
  assert.ok(boardShapes(drawing).shapes.some((shape) => shape.text === "queen"));
});

test("columns and rows are named at the edge, once each", () => {
  const { shapes } = boardShapes({ kind: "squares", cells: squares("......", 3) });
  const names = shapes.filter((shape) => shape.className === "board-name").map((shape) => shape.text);
  assert.deepEqual(names.sort(), ["1", "2", "a", "b", "c"]);
});

test("columns that plies name by numbers are named so", () => {
  const cells = [1, 2].map((column, x) => ({ x, y: 0, pieces: [], name: `${column}.1` }));
  const { shapes } = boardShapes({ kind: "squares", cells });
  const names = shapes.filter((shape) => shape.className === "board-name").map((shape) => shape.text);
  assert.deepEqual(names.sort(), ["1", "1", "2"]);
});

test("the last ply is always marked, what changed only on request", () => {
  const drawing = {
    kind: /** @type {const} */ ("squares"),
    cells: squares("bw", 2),
    last: /** @type {[number, number][]} */ ([[1, 0], [0, 0]]),
    changed: /** @type {[number, number][]} */ ([[0, 0], [1, 0]]),
  };
  assert.equal(classes(drawing).filter((name) => name === "board-last").length, 1);
  assert.equal(classes(drawing).filter((name) => name === "board-touched").length, 1);
  assert.equal(classes(drawing).filter((name) => name === "board-changed").length, 0);
  assert.equal(classes(drawing, { changed: true }).filter((name) => name === "board-changed").length, 2);
});

test("hexes lie in axial coordinates, all neighbours one unit apart", () => {
  const around = [[0, 0], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]].map(([x = 0, y = 0]) => ({ x, y, pieces: ["wQ"] }));
  const texts = boardShapes({ kind: "hexes", cells: around }).shapes.filter((shape) => shape.tag === "text");
  const [middle, ...others] = texts.map((shape) => [Number(shape.attributes["x"]), Number(shape.attributes["y"])]);
  for (const at of others) {
    const distance = Math.hypot((at[0] ?? 0) - (middle?.[0] ?? 0), (at[1] ?? 0) - (middle?.[1] ?? 0));
    assert.ok(Math.abs(distance - 1) < 1e-3, String(distance));
  }
  assert.ok(texts.every((shape) => shape.text === "Q"));
});

test("a stack of pieces shows the top one and how many lie there", () => {
  const { shapes } = boardShapes({ kind: "hexes", cells: [{ x: 0, y: 0, pieces: ["bA1", "wB1"] }] });
  assert.ok(shapes.some((shape) => shape.className.includes("board-cell-white")));
  assert.deepEqual(shapes.filter((shape) => shape.tag === "text").map((shape) => shape.text), ["B1", "2"]);
});

test("a screen reader hears what stands on the board and where the last ply was", () => {
  assert.equal(
    boardWords({ kind: "squares", cells: squares("bbw.", 2), last: [[1, 0]] }),
    "2 black disc, 1 white disc; last ply at b1",
  );
  assert.equal(boardWords({ kind: "squares", cells: squares("..", 2) }), "empty");
});
