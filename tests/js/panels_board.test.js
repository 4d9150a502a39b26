import assert from "node:assert/strict";
import test from "node:test";

import { neededFrame, showsHex, steadyFrame } from "../../static/views/board/frame.js";
import { halvesOf, keyToPlies, markRadius, plyArrow, plyWords, plyWorth } from "../../static/views/board/plies.js";
import { boardWords, endingWords, heldWords, namesFile } from "../../static/views/board/words.js";
import { boardShapes } from "../../static/views/board/board.js";
import { PIECES, shapeOf } from "../../static/views/board/shapes.js";
import { apart } from "../../static/draw/numbers.js";
import { figureText } from "../../static/draw/scores.js";
import { moverWords } from "../../static/draw/seats.js";

const PLAYERS = { b: "black disc", w: "white disc", x: "x", o: "o", Q: "joker" };

/** A board of squares, as many in a row as `width`. */
function squares(pieces, width, more = {}) {
  const cells = [...pieces].map((piece, i) => ({
    x: i % width,
    y: Math.floor(i / width),
    pieces: PLAYERS[piece] === undefined ? [] : [PLAYERS[piece]],
    name: `${String.fromCharCode(97 + (i % width))}${Math.floor(i / width) + 1}`,
  }));
  return { kind: "squares", cells, ...more };
}

/** Places from a text, as "1,0 2,-1". */
const at = (text) => text.split(" ").map((place) => place.split(",").map(Number));
/** Hexes on which these pieces lie, by their places. */
function hexes(pieces, more = {}) {
  const cells = Object.entries(pieces).map(([place, stack]) => {
    const [x, y] = place.split(",").map(Number);
    return { x, y, pieces: stack === "" ? [] : stack.split(" ") };
  });
  return { kind: "hexes", cells, ...more };
}

const shapes = (drawing, options) => boardShapes(drawing, options).shapes;
const classes = (drawing, options) => shapes(drawing, options).map((shape) => shape.className);
const counted = (drawing, name, options) => classes(drawing, options).filter((one) => one === name).length;
const texts = (drawing) => shapes(drawing).flatMap(({ tag, text }) => (tag === "text" ? [text] : []));
/** The drawn lines of a class. */
const lines = (drawing, name) =>
  shapes(drawing).flatMap(({ className, attributes }) => (className.startsWith(name) ? [String(attributes["d"])] : []));

test("every cell is drawn, every piece on its cell, and columns and rows are named once", () => {
  const board = squares("bw..", 2);
  assert.equal(counted(board, "board-cell"), 4);
  const disc = shapes(board).find((shape) => shape.className.includes("board-shape-white"));
  assert.equal(disc?.attributes["transform"], "translate(1 0) scale(0.01)");
  assert.deepEqual(texts(squares("......", 3)).sort(), ["1", "2", "a", "b", "c"]);
  const numbered = [1, 2].map((column, x) => ({ x, y: 0, pieces: [], name: `${column}.1` }));
  assert.deepEqual(texts({ kind: "squares", cells: numbered }).sort(), ["1", "1", "2"]);
});

test("the name of a file at the beginning of a reason keeps its small letter", () => {
  const files = ["p_bc2.py: IndexError (line 3)", "folder/game.py:Nim: no board", "a\\b: no board"];
  assert.deepEqual(files.map(namesFile), [true, true, true]);
  assert.equal(namesFile("the game 'nim' is not known here"), false);
});

test("shapes are known by the ends of their names, in a colour or grey, and other words in a colour lie on a disc", () => {
  for (const [piece, drawn] of [
    ["Black man", "black disc"],
    ["white crowned discs", "white crowned disc"],
    ["red big star", "red star"],
    ["counter", "grey disc"],
    ["blue K", "blue disc K"],
    ["wooden box", ""],
    ["red", ""],
    ["3", ""],
  ]) {
    const { colour, name, word } = shapeOf(piece) ?? {};
    assert.equal([colour, name, word].filter((part) => part !== "" && part !== undefined).join(" "), drawn);
  }
  const stack = { kind: "squares", cells: [{ x: 0, y: 0, pieces: ["red K", "black crowned disc"] }] };
  const drawn = classes(stack).filter((name) => name.includes("shape"));
  assert.deepEqual(drawn, ["board-shape board-shape-red", "board-shape board-shape-black", "board-shape-line"]);
  assert.ok(!texts(stack).includes("K"), "of the lower pieces of a stack no word is written");
  // Crosses and noughts are drawn as such, other pieces are written.
  const others = squares("xoQ", 3);
  assert.deepEqual([counted(others, "board-cross"), counted(others, "board-nought")], [1, 1]);
  assert.ok(texts(others).includes("joker"));
});

test("points are crossings of the lines that are stated, else of those between neighbours", () => {
  const cells = [
    { name: "a1", x: 0, y: 1 },
    { name: "b1", x: 1, y: 1 },
    { name: "b2", x: 1, y: 0 },
  ];
  const points = { kind: "points", cells };
  assert.deepEqual(lines(points, "board-lines"), ["M0 1L1 1M1 0L1 1"]);
  assert.deepEqual(lines({ ...points, lines: [["a1", "b2", "no such"]] }, "board-lines"), ["M0 1L1 0"]);
  assert.equal(counted(points, "board-name"), 4);
});

test("a free place is a circle with its name below, and hexes that have names stay under their pieces", () => {
  const free = shapes({ kind: "free", cells: [{ x: 0.5, y: 2, pieces: ["4"], name: "pit" }] });
  const said = free.map((shape) => shape.text ?? shape.className);
  assert.deepEqual(said, ["board-cell", "4", "pit"]);
  const named = { kind: "hexes", cells: [{ x: 0, y: 0, name: "a1", pieces: ["red disc"] }] };
  assert.deepEqual(classes(named), ["board-cell", "board-shape board-shape-red"]);
});

test("the ring of the last ply leaves a bug's letter and number whole", () => {
  const bug = hexes({ "0,0": "wS2" }, { last: [[0, 0]] });
  const baseline = Number(shapes(bug).find((shape) => shape.text === "S2")?.attributes["y"]);
  const [ring] = lines(bug, "board-last");
  const corner = Math.max(...[...ring.matchAll(/ (-?[\d.]+)/g)].map(([, y]) => Number(y)));
  const [halfName, halfStroke] = [0.2, 0.04];
  assert.ok(baseline < corner - halfName * Math.tan(Math.PI / 6) - halfStroke / Math.cos(Math.PI / 6));
});

test("hexes lie in axial coordinates, all neighbours one unit apart", () => {
  const around = ["0,0", "1,0", "0,1", "-1,1", "-1,0", "0,-1", "1,-1"];
  const drawn = shapes(hexes(Object.fromEntries(around.map((place) => [place, "wQ"]))));
  const [middle, ...others] = drawn.filter(({ tag }) => tag === "text").map(({ attributes }) => attributes);
  assert.equal(others.length, 6);
  for (const { x, y } of others)
    assert.ok(Math.abs(Math.hypot(Number(x) - Number(middle["x"]), Number(y) - Number(middle["y"])) - 1) < 1e-3);
});

test("a stack shows its top and its height over the mark of the last ply, a screen reader hears it from the top", () => {
  const stack = hexes({ "0,0": "bA1 wB1 bB2" }, { step: { to: [0, 0] } });
  assert.deepEqual(texts(stack), ["B2", "3"]);
  const tiles = classes(stack).filter((name) => name.startsWith("board-tile "));
  const sides = ["black", "white", "black"].map((side) => `board-tile board-tile-${side}`);
  assert.deepEqual(tiles, sides);
  assert.equal(new Set(lines(stack, "board-tile ")).size, 3);
  assert.equal(lines(stack, "bug-body").length, 1);
  assert.ok(classes(stack).indexOf("board-height") > classes(stack).indexOf("board-last"));
  const moved = hexes({ "0,0": "bQ wB1", "1,0": "wA2" }, { last: at("2,0 1,0"), step: { from: [2, 0], to: [1, 0] } });
  const heard = "white beetle 1, ant 2; black queen; white beetle 1 on black queen; last ply by white ant 2";
  assert.equal(boardWords(moved), heard);
});

test("a stack of any height stays within its cell, and every tile of it is seen", () => {
  for (let height = 2; height <= 7; height += 1) {
    const pieces = ["bQ", "wB1", "bB1", "wB2", "bB2", "wM", "bM"].slice(0, height);
    const corners = lines(hexes({ "0,0": pieces.join(" ") }), "board-tile ").map((tile) =>
      [...tile.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]),
    );
    assert.equal(corners.length, height);
    // How far a point lies from the middle of a hex with pointed tops, by its three pairs of sides.
    const far = ([x, y]) =>
      Math.max(Math.abs(x), Math.abs(x / 2 + (y * Math.sqrt(3)) / 2), Math.abs(x / 2 - (y * Math.sqrt(3)) / 2));
    assert.ok(Math.max(...corners.flat().map(far)) <= 0.5, String(height));
    const lowest = corners.map((tile) => Math.max(...tile.map(([, y]) => y)));
    assert.ok(
      lowest.every((y, i) => i === 0 || y < lowest[i - 1] - 0.02),
      String(height),
    );
  }
});

test("a screen reader hears that a board is empty, and what a player holds", () => {
  assert.equal(boardWords(squares("..", 2)), "empty");
  assert.equal(heldWords(["wQ", "wA2"]), "queen, ant 2");
  assert.equal(heldWords(["red disc", "red disc", "red star"]), "2 red disc, 1 red star");
});

test("where a piece moves, its end is marked strongly and its way is drawn", () => {
  const moved = hexes({ "1,0": "wA2", "2,0": "" }, { last: at("2,0 1,0"), step: { from: [2, 0], to: [1, 0] } });
  const names = ["board-way", "board-touched", "board-last", "board-left"];
  const [ways, touched, [last], [left]] = names.map((name) => lines(moved, name));
  assert.deepEqual([ways.length, touched.length], [1, 0]);
  const begins = (d) => Number(/^M(-?[\d.]+)/.exec(d)?.[1]);
  assert.ok(begins(last) < begins(left));
});

test("every bug has a drawing of its own, inside its box", () => {
  assert.equal(Object.keys(PIECES.bugs).join(""), "QSBGAMLP");
  assert.equal(new Set(Object.values(PIECES.bugs).map((bug) => bug.body + bug.legs)).size, 8);
  for (const { body, legs } of Object.values(PIECES.bugs)) {
    const strokes = (body + legs).split("M").slice(1);
    const starts = strokes.flatMap((part) => part.match(/-?(?:\d+\.?\d*|\.\d+)/g)?.slice(0, 2) ?? []);
    assert.ok(starts.length > 4 && starts.every((number) => Math.abs(Number(number)) <= 10), String(starts));
  }
});

const ply = (id, to, rank, more = {}) => ({ id, ply: `p${id}`, to, rank, ...more });

test("the better the rank, the larger the mark; without a score it is the smallest", () => {
  const radii = [0, 1, 2, 5, 20, 299, undefined].map(markRadius);
  for (const [i, radius] of radii.entries()) assert.ok(i === 0 || radius < radii[i - 1]);
});

test("a ply is heard with its score as a bound where it is one, its place, and whether it throws", () => {
  const bound = { score: 4, bound: "upper" };
  assert.equal(plyWords(ply(4, [0, 0], 2, bound), { total: 9 }), `p4, ${figureText(bound)}, number 3 of 9`);
  assert.equal(plyWords(ply(4, [0, 0], 0, { score: 4 }), { total: 9 }), "p4, +4, best of 9");
  assert.equal(plyWords(ply(4, [0, 0]), { total: 9 }), "p4, no score");
  // A throw is a ply that moves the other side's piece.
  for (const [text, player, heard] of [
    ["bA1 -wP", "white", ", a throw"],
    ["wA1 -wP", "white", ""],
    ["c6", "white", ""],
    ["bA1 -wP", undefined, ""],
  ])
    assert.equal(plyWords({ ...ply(4, [0, 0]), ply: text }, { total: 9, player }), `${text}${heard}, no score`);
});

const RING = ["1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1"];

/** Black's queen below a beetle with five or six pieces around, white's free. */
function besieged(around) {
  const ring = RING.map((place, i) => [place, i < around ? `wA${i}` : ""]);
  return hexes({ "0,0": "bQ wB1", "2,0": "wQ", ...Object.fromEntries(ring) });
}

test("a queen with no empty cell around her, also under a beetle, and a king in check are marked and said", () => {
  const checked = squares("x", 1, { check: [0, 0] });
  checked.cells[0].pieces = ["black king"];
  for (const [drawing, marked, said] of [
    [besieged(6), 1, /black queen surrounded$/],
    [besieged(5), 0, /^((?!surrounded).)*$/],
    [checked, 1, /black king in check$/],
  ]) {
    assert.equal(counted(drawing, "board-surrounded"), marked);
    assert.match(boardWords(drawing), said);
  }
});

test("a piece that moves has an arrow, the stronger the better its rank; of the worst and of a placement is none", () => {
  const arrows = [0, 3, 12].map((rank) => plyArrow(ply(rank, [0, 4], rank, { from: [0, 0] })));
  assert.ok(arrows[0].opacity > arrows[1].opacity);
  assert.ok(arrows[0]["stroke-width"] > arrows[1]["stroke-width"]);
  assert.match(arrows[0].d, /^M0 0L0 3\.66/);
  assert.equal(arrows[2], null);
  assert.equal(plyArrow(ply(1, [0, 4], 0)), null);
});

test("the ending is said by the queen that is surrounded, else by the node as far as it tells", () => {
  const sides = { players: ["x", "o"], rootPlayer: "x" };
  const grid = squares("xoQ", 3);
  const over = (ending, why) => ({ outcome: "terminal", ending, why });
  const both = besieged(6);
  const second = RING.map((place) => place.split(",").map(Number)).map(([x, y]) => ({ x: x + 2, y, pieces: ["bA1"] }));
  const isNew = ({ x, y }) => both.cells.every((cell) => cell.x !== x || cell.y !== y);
  both.cells.push(...second.filter(isNew));
  for (const [drawing, node, said, told = sides] of [
    [besieged(6), {}, "White wins: the black queen is surrounded"],
    [besieged(5), { outcome: "searched" }, ""],
    [both, over("draw"), "A draw: both queens are surrounded"],
    [grid, over("win"), "X wins"],
    [grid, over("loss", "a row"), "O wins: a row"],
    [grid, over("loss"), "The opponent of the root player wins", { players: [] }],
    [grid, over("draw"), "A draw"],
    [grid, over(), "The game is over"],
  ])
    assert.equal(endingWords(drawing, node, told), said);
});

test("the key explains the marks that there are and no others, halves of one mark by name", () => {
  const kinds = (...plies) => keyToPlies(plies).map(({ kind }) => kind);
  assert.deepEqual(kinds(ply(1, [0, 0], 0, { score: 4 })), ["for"]);
  const [worse, bound] = [ply(1, [0, 0], 0, { score: -4 }), ply(2, [0, 0], 1, { score: -5, bound: "upper" })];
  assert.deepEqual(kinds(worse, bound), ["against", "bound", "several"]);
  // Two plies with means that end on one cell are halves of its mark.
  const mean = (id, name, rate) => ({ ...ply(id, [0, 0], id), ply: name, mean: rate, visits: 20, visited: { rate } });
  const [white, black] = [mean(0, "a1 w", 0.75), mean(1, "a1 b", 0.25)];
  const halves = halvesOf([white, black])?.map((each) => each.ply);
  assert.deepEqual(halves, ["a1 b", "a1 w"]);
  assert.deepEqual([halvesOf([white]), halvesOf([white, bound])], [null, null]);
  assert.deepEqual(kinds(white, black), ["halves"]);
  assert.deepEqual(kinds(white, { ...black, to: [1, 0] }), ["size"]);
  assert.equal(plyWords(white, { total: 2 }), "a1 w, mean 75.0\u202f%, 20 visits, best of 2");
  assert.equal(plyWorth(white, undefined, apart([])), "75.0\u202f%");
});

/** The frame after a hive with pieces at these places, and with plies that end at others, was to be seen. */
function framed(before, pieces, ends = "") {
  const drawing = hexes(Object.fromEntries(pieces.split(" ").map((place) => [place, "wA1"])));
  drawing.plies = ends === "" ? [] : at(ends).map((to, id) => ({ id, ply: "wA1", to }));
  return steadyFrame(before, neededFrame(drawing));
}

test("a hive stays where it is while what is to be seen fits, and grows the frame where it does not", () => {
  const first = framed(undefined, "0,0 1,0", "2,0");
  assert.deepEqual(framed(first, "0,0 1,0 2,0", "3,0 0,1"), first);
  const far = framed(first, "0,0 1,0 2,0 3,0 4,0");
  assert.equal(far.left, first.left);
  assert.ok(far.width > first.width);
  assert.deepEqual(framed(far, "0,0 1,0"), far);
  const huge = framed(undefined, "0,0 20,0 0,20");
  assert.ok(framed(huge, "0,0 1,0").width < 6, "a frame that was far larger than needed is laid anew");
});

test("empty cells that the frame would cut are left out", () => {
  const frame = { left: -0.6, top: -0.6, width: 1.2, height: 1.2 };
  const seen = [0, 0.2, 1].map((x) => showsHex(frame, [x, 0]));
  assert.deepEqual(seen, [true, false, false]);
  const { shapes: drawn, left, width } = boardShapes(hexes({ "0,0": "", "1,0": "" }), { frame });
  assert.deepEqual([drawn.length, left, width], [1, -0.6, 1.2]);
});

test("who is to move is said by name, as far as the log tells", () => {
  const two = { players: ["white", "black"], root_player: "black" };
  for (const [node, words, told = two] of [
    [{ player: "white", layer: "min" }, "white to move"],
    [{ layer: "max" }, "black to move"],
    [{ layer: "min" }, "white to move"],
    [{ layer: "chance" }, "chance moves"],
    [{ layer: "min", outcome: "terminal" }, ""],
    [{ layer: "other" }, "", { ...two, players: ["white", "black", "red"] }],
    [{ layer: "max" }, "", { players: [] }],
    [{ layer: "min" }, "", { players: ["white", "black"] }],
  ])
    assert.equal(moverWords(node, told), words);
});
