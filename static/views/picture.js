// @ts-check
/** The tree as a picture: all that is open, in the colours and with the marks of the page, and a caption. */

import { svg } from "../draw/element.js";
import { canvasMeasure, createLettering } from "../draw/lettering.js";
import { count, counted } from "../draw/numbers.js";
import { seen } from "../draw/seen.js";
import { pictureText, standalone } from "../draw/standalone.js";
import { createTree } from "../draw/tree.js";
import { countText } from "../draw/wedge.js";
import { layOut } from "../layout/tree-layout.js";
import { lensWords } from "./lenses.js";
import { sceneOf } from "./scene.js";

/** @typedef {import("../data/types.js").State} State */
/** @typedef {{text: string, width: number, height: number}} Picture */

const MARGIN = 24;
const LINE = 17;
/** What browsers draw on one canvas: pixels to a side, and in all. */
const MOST = { side: 16_000, pixels: 120_000_000 };

/**
 * The tree as it is shown now, also what lies beyond the window's edges. The node that is selected is not marked.
 * @param {HTMLElement} container of the tree, whose style sheets it takes
 * @param {State} state
 * @returns {Picture}
 */
export function pictureOf(container, state) {
  const writing = createLettering(canvasMeasure(container));
  const layout = layOut(state, writing, countText);
  const tree = createTree();
  const stage = svg("svg", { class: "tree-canvas", "aria-hidden": "true" }, tree.world);
  container.append(stage); // for the style sheets; it goes before a frame is drawn
  try {
    const rows = Array.from({ length: layout.rows.ids.length }, (_, row) => row);
    const items = sceneOf(state, layout, rows, writing);
    tree.draw(items, { animate: false });
    const box = tree.world.getBBox();
    const drawing = standalone(tree.world);
    const style = getComputedStyle(container);
    const words = captionOf(state, items);
    const wide = Math.max(box.width, ...words.map((line) => writing.width(line, "name")));
    const width = Math.ceil(wide + 2 * MARGIN);
    const height = Math.ceil(box.height + (words.length + 0.5) * LINE + 2 * MARGIN);
    drawing.setAttribute("transform", `translate(${(MARGIN - box.x).toFixed(1)} ${(MARGIN - box.y).toFixed(1)})`);
    const caption = svg("g", { class: "caption" }, words.map((line, at) =>
      svg("text", { x: MARGIN, y: MARGIN + box.height + (at + 1.5) * LINE, fill: "currentColor", "font-size": at === 0 ? 13 : 12, "font-weight": at === 0 ? 600 : 400 }, line)));
    stage.replaceChildren(caption); // for the colour of its letters
    const letters = standalone(caption);
    const sheet = { width, height, paper: style.backgroundColor, fonts: style.fontFamily, title: words.join(". ") };
    return { text: pictureText(sheet, [drawing, letters]), width, height };
  } finally {
    stage.remove();
  }
}

/**
 * What stands under the picture: the log, how much of it is drawn, the heavy lines, the lenses that are on.
 * @param {State} state
 * @param {import("../draw/tree.js").Item[]} items
 */
function captionOf(state, items) {
  const { opened, why } = state;
  const drawn = items.filter(({ face }) => face !== undefined).length;
  const linked = items.filter((item) => item.linked);
  const ply = (/** @type {"chosen" | "rival"} */ which) => `the line of ${seen(why?.answer?.[which]?.ply ?? "a ply")}`;
  const solid = [linked.some(({ pv }) => pv) && "the principal variation", linked.some(({ pv, line }) => line === "x" && !pv) && ply("chosen")];
  const heavy = [solid.filter(Boolean).join(" and "), linked.some(({ line }) => line === "y") ? ply("rival") : ""];
  const lines = ["Solid", "Dashed"].flatMap((how, at) => (heavy[at] ? [`${how}: ${heavy[at]}.`] : [])).join(" ");
  const rows = opened?.totals.rows ?? drawn;
  const all = drawn === rows ? `All ${counted(rows, "row")} of the log` : `${count(drawn)} of the log's ${counted(rows, "row")}`;
  return [seen(opened?.log.name ?? ""), all, lines, ...lensWords(state).map(seen)].filter(Boolean);
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
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(width * scale), height: Math.round(height * scale) });
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("this browser has no canvas");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) throw new Error("it is too large for a PNG; save it as SVG");
  return { blob, scale };
}
