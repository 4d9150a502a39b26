import assert from "node:assert/strict";
import test from "node:test";

import { neededFrame, showsHex, steadyFrame } from "../../static/views/board/frame.js";
import {
  halvesOf,
  isThrow,
  keyToPlies,
  markRadius,
  plyArrow,
  plyWords,
  plyWorth,
  sharedCells,
} from "../../static/views/board/plies.js";
import { boardWords, endingWords, heldWords, namesFile } from "../../static/views/board/words.js";
import { boardShapes } from "../../static/views/board/board.js";
import { PIECES, shapeOf } from "../../static/views/board/shapes.js";
import { apart } from "../../static/draw/numbers.js";
import { figureText } from "../../static/draw/scores.js";
import { moverWords } from "../../static/draw/seats.js";

function squares(pieces, width) {
  const names = { b: "black disc", w: "white disc", x: "x", o: "o", Q: "joker" };
  return [...pieces].map((piece, i) => ({
    x: i % width,
    y: Math.floor(i / width),
    pieces: names[piece] === undefined ? [] : [names[piece]],
    name: `${String.fromCharCode(97 + (i % width))}${Math.floor(i / width) + 1}`,
  }));
}

const classes = (drawing, options) => boardShapes(drawing, options).shapes.map((shape) => shape.className);

test("every cell is drawn, and every piece on its cell", () => {
  const { shapes } = boardShapes({ kind: "squares", cells: squares("bw..", 2) });
  assert.equal(shapes.filter((shape) => shape.className === "board-cell").length, 4);
  const disc = shapes.find((shape) => shape.className.includes("board-shape-white"));
  assert.equal(disc?.attributes["transform"], "translate(1 0) scale(0.01)");
});

test("the name of a file at the beginning of a reason keeps its small letter", () => {
  const files = ["p_bc2.py: IndexError (line 3)", "folder/game.py:Nim: no board", "a\\b: no board"];
  assert.deepEqual(files.map(namesFile), [true, true, true]);
  assert.equal(namesFile("the game 'nim' is not known here"), false);
});

test("crosses and noughts are drawn as such, other pieces are written", () => {
  const drawing = { kind: "squares", cells: squares("xoQ", 3) };
  assert.ok(classes(drawing).includes("board-cross"));
  assert.ok(classes(drawing).includes("board-nought"));
  assert.ok(boardShapes(drawing).shapes.some((shape) => shape.text === "joker"));
});

test("shapes are known by the ends of their names, in a colour or grey, and other words in a colour lie on a disc", () => {
  const known = (piece) => {
    const { colour, name, word } = shapeOf(piece) ?? {};
    return [colour, name, word].filter((part) => part !== "" && part !== undefined).join(" ");
  };
  const names = ["Black man", "white crowned discs", "red big star", "counter", "blue K", "wooden box", "red", "3"];
  assert.deepEqual(names.map(known), [
    "black disc",
    "white crowned disc",
    "red star",
    "grey disc",
    "blue disc K",
    "",
    "",
    "",
  ]);
  const { shapes } = boardShapes({ kind: "squares", cells: [{ x: 0, y: 0, pieces: ["red K", "black crowned disc"] }] });
  const drawn = shapes.map((shape) => shape.className).filter((name) => name.includes("shape"));
  assert.deepEqual(drawn, ["board-shape board-shape-red", "board-shape board-shape-black", "board-shape-line"]);
  assert.ok(!shapes.some((shape) => shape.text === "K"), "of the lower pieces of a stack no word is written");
});

test("points are crossings of the lines that are stated, else of those between neighbours", () => {
  const at = (...named) => named.map(([name, x, y]) => ({ name, x, y }));
  const cells = at(["a1", 0, 1], ["b1", 1, 1], ["b2", 1, 0]);
  const drawn = (lines) => boardShapes({ kind: "points", cells, lines });
  const lines = (stated) => drawn(stated).shapes.find((shape) => shape.className === "board-lines")?.attributes["d"];
  assert.equal(lines(undefined), "M0 1L1 1M1 0L1 1");
  assert.equal(lines([["a1", "b2", "no such"]]), "M0 1L1 0");
  assert.equal(drawn(undefined).shapes.filter((shape) => shape.className === "board-name").length, 4);
});

test("a free place is a circle with its name below, and hexes that have names stay under their pieces", () => {
  const cells = [{ x: 0.5, y: 2, pieces: ["4"], name: "pit" }];
  const free = boardShapes({ kind: "free", cells }).shapes;
  assert.deepEqual(
    free.map((shape) => shape.text ?? shape.className),
    ["board-cell", "4", "pit"],
  );
  const hexes = boardShapes({ kind: "hexes", cells: [{ x: 0, y: 0, name: "a1", pieces: ["red disc"] }] }).shapes;
  assert.deepEqual(
    hexes.map((shape) => shape.className),
    ["board-cell", "board-shape board-shape-red"],
  );
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

test("the ring of the last ply leaves a bug's letter and number whole", () => {
  const drawing = { kind: "hexes", cells: [{ x: 0, y: 0, pieces: ["wS2"] }], last: [[0, 0]] };
  const { shapes } = boardShapes(drawing);
  const baseline = Number(shapes.find((shape) => shape.text === "S2")?.attributes["y"]);
  const ring = String(shapes.find((shape) => shape.className === "board-last")?.attributes["d"]);
  const corner = Math.max(...[...ring.matchAll(/ (-?[\d.]+)/g)].map(([, y]) => Number(y)));
  const [halfName, halfStroke] = [0.2, 0.04];
  assert.ok(baseline < corner - halfName * Math.tan(Math.PI / 6) - halfStroke / Math.cos(Math.PI / 6));
});

test("the last ply is always marked, what changed only on request", () => {
  const drawing = {
    kind: "squares",
    cells: squares("bw", 2),
    last: [
      [1, 0],
      [0, 0],
    ],
    changed: [
      [0, 0],
      [1, 0],
    ],
  };
  assert.equal(classes(drawing).filter((name) => name === "board-last").length, 1);
  assert.equal(classes(drawing).filter((name) => name === "board-touched").length, 1);
  assert.equal(classes(drawing).filter((name) => name === "board-changed").length, 0);
  assert.equal(classes(drawing, { changed: true }).filter((name) => name === "board-changed").length, 2);
});

test("hexes lie in axial coordinates, all neighbours one unit apart", () => {
  const around = [
    [0, 0],
    [1, 0],
    [0, 1],
    [-1, 1],
    [-1, 0],
    [0, -1],
    [1, -1],
  ].map(([x = 0, y = 0]) => ({ x, y, pieces: ["wQ"] }));
  const texts = boardShapes({ kind: "hexes", cells: around }).shapes.filter((shape) => shape.tag === "text");
  const at = texts.map((shape) => [Number(shape.attributes["x"]), Number(shape.attributes["y"])]);
  const distances = at.map(([x = 0, y = 0]) =>
    at.map(([otherX = 0, otherY = 0]) => Math.hypot(otherX - x, otherY - y)),
  );
  const middle = distances.filter((each) => each.every((distance) => distance === 0 || Math.abs(distance - 1) < 1e-3));
  assert.equal(middle.length, 1);
  assert.ok(texts.every((shape) => shape.text === "Q"));
});

test("a stack of pieces shows the top one and how many lie there", () => {
  const { shapes } = boardShapes({ kind: "hexes", cells: [{ x: 0, y: 0, pieces: ["bA1", "wB1"] }] });
  assert.ok(shapes.some((shape) => shape.className.includes("board-tile-white")));
  assert.deepEqual(
    shapes.filter((shape) => shape.tag === "text").map((shape) => shape.text),
    ["B1", "2"],
  );
});

test("a screen reader hears what stands on the board and where the last ply was", () => {
  assert.equal(
    boardWords({ kind: "squares", cells: squares("bbw.", 2), last: [[1, 0]] }),
    "2 black disc, 1 white disc; last ply at b1",
  );
  assert.equal(boardWords({ kind: "squares", cells: squares("..", 2) }), "empty");
});

test("a screen reader hears what a player holds, bugs one by one and other pieces by their number", () => {
  assert.equal(heldWords(["wQ", "wA2"]), "queen, ant 2");
  assert.equal(heldWords(["red disc", "red disc", "red star"]), "2 red disc, 1 red star");
});

test("a screen reader hears bugs by their names, stacks from the top, and which piece moved", () => {
  const drawing = {
    kind: "hexes",
    cells: [
      { x: 0, y: 0, pieces: ["bQ", "wB1"] },
      { x: 1, y: 0, pieces: ["wA2"] },
    ],
    last: [
      [2, 0],
      [1, 0],
    ],
    step: { from: [2, 0], to: [1, 0] },
  };
  assert.equal(
    boardWords(drawing),
    "white beetle 1, ant 2; black queen; white beetle 1 on black queen; last ply by white ant 2",
  );
});

test("where a piece moves, its end is marked strongly and its way is drawn", () => {
  const cells = [
    { x: 1, y: 0, pieces: ["wA2"] },
    { x: 2, y: 0, pieces: [] },
  ];
  const last = [
    [2, 0],
    [1, 0],
  ];
  const { shapes } = boardShapes({ kind: "hexes", cells, last, step: { from: [2, 0], to: [1, 0] } });
  const of = (name) => shapes.filter((shape) => shape.className === name).map((shape) => String(shape.attributes["d"]));
  assert.equal(of("board-way").length, 1);
  assert.equal(of("board-touched").length, 0);
  const bounds = (d) => Number(/^M(-?[\d.]+)/.exec(d)?.[1]);
  assert.ok(bounds(of("board-last")[0] ?? "") < bounds(of("board-left")[0] ?? ""));
});

test("the tiles of a stack lie on one another, the top one with the face", () => {
  const { shapes } = boardShapes({ kind: "hexes", cells: [{ x: 0, y: 0, pieces: ["bA1", "wB1", "bB2"] }] });
  const tiles = shapes.filter((shape) => shape.className.startsWith("board-tile "));
  assert.deepEqual(
    tiles.map((tile) => tile.className),
    ["black", "white", "black"].map((side) => `board-tile board-tile-${side}`),
  );
  assert.equal(new Set(tiles.map((tile) => tile.attributes["d"])).size, 3);
  assert.equal(shapes.filter((shape) => shape.className.startsWith("bug-body")).length, 1);
});

test("a stack of any height stays within its cell, and every tile of it is seen", () => {
  for (let height = 2; height <= 7; height += 1) {
    const pieces = ["bQ", "wB1", "bB1", "wB2", "bB2", "wM", "bM"].slice(0, height);
    const { shapes } = boardShapes({ kind: "hexes", cells: [{ x: 0, y: 0, pieces }] });
    const corners = shapes
      .filter((shape) => shape.className.startsWith("board-tile "))
      .map((tile) =>
        [...String(tile.attributes["d"]).matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]),
      );
    assert.equal(corners.length, height);
    // How far a point lies from the middle of a hex with pointed tops, by its three pairs of sides.
    const far = ([x = 0, y = 0]) =>
      Math.max(Math.abs(x), Math.abs(x / 2 + (y * Math.sqrt(3)) / 2), Math.abs(x / 2 - (y * Math.sqrt(3)) / 2));
    assert.ok(
      corners.flat().every((corner) => far(corner) <= 0.5),
      String(height),
    );
    const lowest = corners.map((tile) => Math.max(...tile.map(([, y = 0]) => y)));
    assert.ok(
      lowest.every((y, i) => i === 0 || y < (lowest[i - 1] ?? 0) - 0.02),
      String(height),
    );
  }
});

test("the height of a stack is written over the mark of the last ply", () => {
  const drawing = { kind: "hexes", cells: [{ x: 0, y: 0, pieces: ["bQ", "wB1"] }], step: { to: [0, 0] } };
  const order = classes(drawing);
  assert.ok(order.indexOf("board-height") > order.indexOf("board-last"));
});

test("every bug has a drawing of its own, inside its box", () => {
  assert.equal(Object.keys(PIECES.bugs).join(""), "QSBGAMLP");
  assert.equal(new Set(Object.values(PIECES.bugs).map((bug) => bug.body + bug.legs)).size, 8);
  for (const { body, legs } of Object.values(PIECES.bugs)) {
    const starts = (body + legs)
      .split("M")
      .slice(1)
      .flatMap((part) => part.match(/-?(?:\d+\.?\d*|\.\d+)/g)?.slice(0, 2) ?? []);
    assert.ok(starts.length > 4 && starts.every((number) => Math.abs(Number(number)) <= 10), String(starts));
  }
});

const ply = (id, to, rank) => ({ id, ply: `p${id}`, to, rank });

test("plies that end on one cell share its mark, cells stand in the order of their best plies", () => {
  const shared = sharedCells([ply(4, [1, 1], 0), ply(2, [0, 0], 1), ply(3, [1, 1], 2)]);
  assert.deepEqual(
    shared.map(({ to, plies }) => [to, plies.map(({ id }) => id)]),
    [
      [
        [1, 1],
        [4, 3],
      ],
      [[0, 0], [2]],
    ],
  );
});

test("the better the rank, the larger the mark; without a score it is the smallest", () => {
  const radii = [0, 1, 2, 5, 20, 299, undefined].map(markRadius);
  assert.deepEqual(
    radii,
    [...radii].sort((a, b) => b - a),
  );
  assert.equal(new Set(radii).size, radii.length);
});

test("a ply is heard with its score as a bound where it is one, and its place", () => {
  assert.equal(
    plyWords({ ...ply(4, [0, 0], 2), score: 4, bound: "upper" }, { total: 9 }),
    `p4, ${figureText({ score: 4, bound: "upper" })}, number 3 of 9`,
  );
  assert.equal(plyWords({ ...ply(4, [0, 0], 0), score: 4 }, { total: 9 }), "p4, +4, best of 9");
  assert.equal(plyWords(ply(4, [0, 0]), { total: 9 }), "p4, no score");
});

const RING = [
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, 0],
  [-1, 1],
  [0, 1],
];

/** Black's queen below a beetle with five or six pieces around, white's free. */
const besieged = (around) => ({
  kind: "hexes",
  cells: [
    { x: 0, y: 0, pieces: ["bQ", "wB1"] },
    { x: 2, y: 0, pieces: ["wQ"] },
    ...RING.map(([x, y], i) => ({ x, y, pieces: i < around ? [`wA${i}`] : [] })),
  ],
});

test("a queen with no empty cell around her is marked and said, also under a beetle", () => {
  assert.equal(classes(besieged(6)).filter((name) => name === "board-surrounded").length, 1);
  assert.equal(classes(besieged(5)).filter((name) => name === "board-surrounded").length, 0);
  assert.match(boardWords(besieged(6)), /black queen surrounded$/);
  assert.doesNotMatch(boardWords(besieged(5)), /surrounded/);
});

test("a king in check is marked and said", () => {
  const drawing = { kind: "squares", cells: [{ x: 0, y: 0, pieces: ["black king"], name: "a1" }], check: [0, 0] };
  assert.equal(classes(drawing).filter((name) => name === "board-surrounded").length, 1);
  assert.match(boardWords(drawing), /black king in check$/);
});

test("a piece that moves has an arrow, the stronger the better its rank; of the worst and of a placement is none", () => {
  const arrows = [0, 3, 12].map((rank) => plyArrow({ id: rank, ply: "Ra4", from: [0, 0], to: [0, 4], rank }));
  assert.ok((arrows[0]?.opacity ?? 0) > (arrows[1]?.opacity ?? 0));
  assert.ok((arrows[0]?.["stroke-width"] ?? 0) > (arrows[1]?.["stroke-width"] ?? 0));
  assert.match(arrows[0]?.d ?? "", /^M0 0L0 3\.66/);
  assert.equal(arrows[2], null);
  assert.equal(plyArrow({ id: 1, ply: "c6", to: [0, 4], rank: 0 }), null);
});

test("the ending is said by the queen that is surrounded, else by the node as far as it tells", () => {
  const sides = { players: ["x", "o"], rootPlayer: "x" };
  assert.equal(endingWords(besieged(6), {}, sides), "White wins: the black queen is surrounded");
  assert.equal(endingWords(besieged(5), { outcome: "searched" }, sides), "");
  const grid = { kind: "squares", cells: squares("xoQ", 3) };
  assert.equal(endingWords(grid, { outcome: "terminal", ending: "win" }, sides), "X wins");
  assert.equal(endingWords(grid, { outcome: "terminal", ending: "loss", why: "a row" }, sides), "O wins: a row");
  assert.equal(
    endingWords(grid, { outcome: "terminal", ending: "loss" }, { players: [] }),
    "The opponent of the root player wins",
  );
  assert.equal(endingWords(grid, { outcome: "terminal", ending: "draw" }, sides), "A draw");
  assert.equal(endingWords(grid, { outcome: "terminal" }, sides), "The game is over");
});

test("both queens surrounded are a draw", () => {
  const { cells } = besieged(6);
  const both = [...cells, ...RING.map(([x, y]) => ({ x: x + 2, y, pieces: ["bA1"] }))].filter(
    ({ x, y }, i, all) => all.findIndex((other) => other.x === x && other.y === y) === i,
  );
  assert.equal(
    endingWords({ kind: "hexes", cells: both }, { outcome: "terminal", ending: "draw" }, { players: [] }),
    "A draw: both queens are surrounded",
  );
});

test("a ply that moves the other side's piece is a throw, and heard so", () => {
  assert.deepEqual(
    ["bA1 -wP", "wA1 -wP", "pass", "c6"].map((text) => isThrow(text, "white")),
    [true, false, false, false],
  );
  assert.equal(isThrow("bA1 -wP", undefined), false);
  assert.equal(
    plyWords({ ...ply(4, [0, 0], 0), ply: "bA1 -wP", score: 4 }, { total: 9, player: "white" }),
    "bA1 -wP, a throw, +4, best of 9",
  );
});

test("the key explains the marks that there are and no others", () => {
  assert.deepEqual(
    keyToPlies([{ ...ply(1, [0, 0], 0), score: 4 }]).map(({ kind }) => kind),
    ["for"],
  );
  const kinds = keyToPlies([
    { ...ply(1, [0, 0], 0), score: -4, bound: "exact" },
    { ...ply(2, [0, 0], 1), score: -5, bound: "upper" },
  ]).map(({ kind }) => kind);
  assert.deepEqual(kinds, ["against", "bound", "several"]);
});

test("two plies with means that end on one cell are halves of its mark, by name", () => {
  const white = { ...ply(1, [0, 0], 0), ply: "a1 w", mean: 0.75, visits: 20, visited: { rate: 0.75 } };
  const black = { ...ply(2, [0, 0], 1), ply: "a1 b", mean: 0.25, visits: 20, visited: { rate: 0.25 } };
  assert.deepEqual(
    halvesOf([white, black])?.map((each) => each.ply),
    ["a1 b", "a1 w"],
  );
  assert.equal(halvesOf([white]), null);
  assert.equal(halvesOf([white, { ...ply(2, [0, 0], 1), score: 4 }]), null);
  assert.deepEqual(
    keyToPlies([white, black]).map(({ kind }) => kind),
    ["halves"],
  );
  assert.deepEqual(
    keyToPlies([white, { ...black, to: [1, 0] }]).map(({ kind }) => kind),
    ["size"],
  );
  assert.equal(plyWords(white, { total: 2 }), "a1 w, mean 75.0\u202f%, 20 visits, best of 2");
  assert.equal(plyWorth(white, undefined, apart([])), "75.0\u202f%");
});

const hive = (at, ends = []) => ({
  kind: "hexes",
  cells: at.map(([x, y]) => ({ x, y, pieces: ["wA1"] })),
  plies: ends.map((to, id) => ({ id, ply: "wA1", to })),
});

test("a hive stays where it is while what is to be seen fits, and grows the frame where it does not", () => {
  const first = steadyFrame(
    undefined,
    neededFrame(
      hive(
        [
          [0, 0],
          [1, 0],
        ],
        [[2, 0]],
      ),
    ),
  );
  const placed = steadyFrame(
    first,
    neededFrame(
      hive(
        [
          [0, 0],
          [1, 0],
          [2, 0],
        ],
        [
          [3, 0],
          [0, 1],
        ],
      ),
    ),
  );
  assert.deepEqual(placed, first);
  const far = steadyFrame(
    first,
    neededFrame(
      hive([
        [0, 0],
        [1, 0],
        [2, 0],
        [3, 0],
        [4, 0],
      ]),
    ),
  );
  assert.equal(far.left, first.left);
  assert.ok(far.width > first.width);
  assert.deepEqual(
    steadyFrame(
      far,
      neededFrame(
        hive([
          [0, 0],
          [1, 0],
        ]),
      ),
    ),
    far,
  );
});

test("a frame that was far larger than the hive needs is laid anew", () => {
  const large = steadyFrame(
    undefined,
    neededFrame(
      hive([
        [0, 0],
        [20, 0],
        [0, 20],
      ]),
    ),
  );
  const small = steadyFrame(
    large,
    neededFrame(
      hive([
        [0, 0],
        [1, 0],
      ]),
    ),
  );
  assert.ok(small.width < 6);
});

test("empty cells that the frame would cut are left out", () => {
  const frame = { left: -0.6, top: -0.6, width: 1.2, height: 1.2 };
  assert.deepEqual([showsHex(frame, [0, 0]), showsHex(frame, [1, 0])], [true, false]);
  const cells = [
    { x: 0, y: 0, pieces: [] },
    { x: 1, y: 0, pieces: [] },
  ];
  const { shapes, left, width } = boardShapes({ kind: "hexes", cells }, { frame });
  assert.deepEqual([shapes.length, left, width], [1, -0.6, 1.2]);
});

test("who is to move is said by name, as far as the log tells", () => {
  const two = { players: ["white", "black"], root_player: "black" };
  assert.equal(moverWords({ player: "white", layer: "min" }, two), "white to move");
  assert.equal(moverWords({ layer: "max" }, two), "black to move");
  assert.equal(moverWords({ layer: "min" }, two), "white to move");
  assert.equal(moverWords({ layer: "chance" }, two), "chance moves");
  assert.equal(moverWords({ layer: "min", outcome: "terminal" }, two), "");
  assert.equal(moverWords({ layer: "other" }, { ...two, players: ["white", "black", "red"] }), "");
  assert.equal(moverWords({ layer: "max" }, { players: [] }), "");
  assert.equal(moverWords({ layer: "min" }, { players: ["white", "black"] }), "");
});
