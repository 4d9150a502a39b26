// @ts-check
/** The tree as a picture: all that is open, in the colours and with the marks of the page, and a caption. */

import { isStub } from "../../data/claims.js";
import { WORDS } from "../../data/fields.js";
import { svg } from "../../draw/element.js";
import { canvasMeasure, createLettering } from "../../draw/lettering.js";
import { count, counted, signed } from "../../draw/numbers.js";
import { endsOf, valueText } from "../../draw/paint.js";
import { seen } from "../../draw/seen.js";
import { pictureText, standalone } from "./standalone.js";
import { createTree } from "../tree/tree.js";
import { nodeName } from "../../draw/words.js";
import { countText } from "../../draw/wedge.js";
import { layOut } from "../../layout/tree-layout.js";
import { lensWords } from "../page/lenses.js";
import { sceneOf } from "../tree/scene.js";

/** @import { State } from "../../data/types.js" */
/** @import { Face } from "../tree/card.js" */
/** @import { Item } from "../tree/tree.js" */

/** @typedef {{text: string, width: number, height: number}} Picture */

const MARGIN = 24;
const LINE = 17;
/** The limits of a canvas in browsers: pixels of a side, and in all. */
const MOST = { side: 16_000, pixels: 120_000_000 };

/**
 * The tree as it is shown now, with the parts beyond the window's edges. The selected node is not marked.
 * @param {HTMLElement} container of the tree, whose style sheets it takes
 * @param {State} state
 * @returns {Picture}
 */
export function pictureOf(container, state) {
  const writing = createLettering(canvasMeasure(container));
  const layout = layOut(state, writing, countText);
  const tree = createTree();
  const stage = svg("svg.tree-canvas", { "aria-hidden": "true" }, tree.world);
  container.append(stage); // for the style sheets; it goes before a frame is drawn
  try {
    const rows = Array.from({ length: layout.rows.ids.length }, (_, row) => row);
    const items = sceneOf(state, layout, rows, writing);
    tree.draw(items, { animate: false });
    const box = tree.world.getBBox();
    const drawing = standalone(tree.world);
    const style = getComputedStyle(container);
    const words = captionOf(state, items);
    const key = keyOf(state, items, drawing);
    const under = (/** @type {number} */ line) => MARGIN + box.height + (line + 1.5) * LINE;
    const caption = svg(
      "g.caption",
      words.map((line, at) => letters(line, MARGIN, under(at), at === 0)),
    );
    let right = MARGIN;
    for (const [label, fill] of key) {
      const y = under(words.length);
      caption.append(
        svg("rect", {
          x: right,
          y: y - 11,
          width: 14,
          height: 13,
          rx: 3,
          fill,
          stroke: "currentColor",
          "stroke-width": 0.6,
        }),
      );
      caption.append(letters(label, right + 20, y, false));
      right += 20 + writing.width(label, "name") + LINE;
    }
    const wide = Math.max(box.width, right - MARGIN, ...words.map((line) => writing.width(line, "name")));
    const width = Math.ceil(wide + 2 * MARGIN);
    const height = Math.ceil(box.height + (words.length + (key.size > 0 ? 1 : 0) + 0.5) * LINE + 2 * MARGIN);
    drawing.setAttribute("transform", `translate(${(MARGIN - box.x).toFixed(1)} ${(MARGIN - box.y).toFixed(1)})`);
    stage.replaceChildren(caption); // for the colour of its letters
    const sheet = { width, height, paper: style.backgroundColor, fonts: style.fontFamily, title: words.join(". ") };
    return { text: pictureText(sheet, [drawing, standalone(caption, false)]), width, height };
  } finally {
    stage.remove();
  }
}

/** @param {string} text @param {number} x @param {number} y @param {boolean} bold */
function letters(text, x, y, bold) {
  return svg(
    "text",
    { x, y, fill: "currentColor", "font-size": bold ? 13 : 12, "font-weight": bold ? 600 : 400 },
    text,
  );
}

/**
 * The key to the colours of cards, where they stand for words: each word that is drawn, with its colour.
 * @param {State} state
 * @param {Item[]} items
 * @param {SVGGElement} drawing
 */
function keyOf(state, items, drawing) {
  /** @type {Map<string, string>} */
  const key = new Map();
  for (const { face } of items) {
    const label = face === undefined ? undefined : meaningOf(state, face);
    if (face === undefined || label === undefined || key.has(label)) continue;
    const fill = drawing.querySelector(`[data-id="${face.node.id}"] > .node-card`)?.getAttribute("fill");
    if (fill) key.set(label, fill);
  }
  return key;
}

/** @param {State} state @param {Face} face */
function meaningOf({ colour }, { node, paint }) {
  if (colour === "outcome") return isStub(node) || node.outcome === undefined ? undefined : WORDS.outcome[node.outcome];
  if (paint === undefined || paint.name === "low" || paint.name === "high" || paint.name === "ramp") return undefined;
  return paint.name === "other" ? "other values" : seen(paint.words);
}

/**
 * The caption of the picture: the log, the drawn part of it, the heavy lines, the lenses that are on.
 * @param {State} state
 * @param {Item[]} items
 */
function captionOf(state, items) {
  const { opened, why } = state;
  const drawn = items.filter(({ face }) => face !== undefined && face.node.beside?.side !== "old").length;
  const old = items.filter(({ face }) => face?.node.beside?.side === "old").length;
  const linked = items.filter((item) => item.linked);
  const isDiff = state.diff.found !== null && state.pinned === null;
  const ply = (/** @type {"chosen" | "rival"} */ which) => `the line of ${seen(why?.answer?.[which]?.ply ?? "a ply")}`;
  const solid = [
    linked.some(({ pv }) => pv) && "the principal variation",
    linked.some(({ pv, line }) => line === "x" && !pv) && !isDiff && ply("chosen"),
  ];
  const heavy = [
    solid.filter(Boolean).join(" and "),
    linked.some(({ line }) => line === "y") ? (isDiff ? "that of the other log" : ply("rival")) : "",
  ];
  const lines = ["Solid", "Dashed"].flatMap((how, at) => (heavy[at] ? [`${how}: ${heavy[at]}.`] : [])).join(" ");
  const isTied = items.some(({ tied }) => tied);
  const of = state.selected === null ? undefined : state.nodes.get(state.selected);
  const ties = isTied && of !== undefined ? `Dashed arcs: further visits of the position of ${nodeName(of)}.` : "";
  const rows = opened?.totals.rows ?? drawn;
  const all =
    drawn === rows ? `All ${counted(rows, "row")} of the log` : `${count(drawn)} of the log's ${counted(rows, "row")}`;
  const others = old > 0 ? `; ${count(old)} that only the other log has` : "";
  return [
    seen(opened?.log.name ?? ""),
    all + others,
    lines,
    ties,
    colourWords(state),
    ...lensWords(state).map(seen),
  ].filter(Boolean);
}

/** What the cards are coloured by; empty where by who moves, as usual. @param {State} state */
function colourWords({ colour, colouring, opened }) {
  if (colour === "layer") return "";
  const reach = opened?.colour?.reach;
  if (colour === "score")
    return `Coloured by score${reach === undefined ? "" : `, from ${signed(-reach)} to ${signed(reach)}`}.`;
  const ends = colouring?.of === colour && colouring.scale.kind === "number" ? endsOf(colouring.scale) : null;
  const said =
    ends === null || colouring === null
      ? ""
      : `, from ${valueText(ends.low, colouring.scale)} to ${valueText(ends.high, colouring.scale)}`;
  return `Coloured by ${seen(colour)}${said}.`;
}

/**
 * The picture as a PNG of twice its size, or as near to that as browsers draw.
 * @param {Picture} picture
 * @returns {Promise<{blob: Blob, scale: number}>}
 */
export async function pngOf({ text, width, height }) {
  const scale = Math.min(2, MOST.side / width, MOST.side / height, Math.sqrt(MOST.pixels / (width * height)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.round(width * scale),
    height: Math.round(height * scale),
  });
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("this browser has no canvas");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) throw new Error("it is too large for a PNG; save it as SVG");
  return { blob, scale };
}
