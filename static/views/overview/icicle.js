// @ts-check
/** The icicle of the overview as shapes: a path for all runs of one colour, outlines, and ticks below it. */

import { toneOf } from "../../draw/colours.js";
import { paintOf } from "../../draw/paint.js";
import { scoreText } from "../../draw/scores.js";

/** @import { Id, OverviewPicture } from "../../data/types.js" */
/** @import { Scale } from "../../draw/colours.js" */

/**
 * The cell under a pixel: the largest node there, and the number of nodes that touch it.
 * @typedef {{at: number, id: Id, nodes: number, from: number, to: number}} Cell
 */
/**
 * A colour: its classes, how strong it is, and its place among the categories.
 * @typedef {{name: string, share?: number, place?: number}} Ink
 */

/** Steps of a scale of colours: each is a path. */
const STEPS = 8;

/**
 * The cell of a band at a pixel; null without a node there.
 * @param {OverviewPicture} picture
 * @param {number} band
 * @param {number} x
 * @returns {Cell | null}
 */
export function cellAt({ bands, ids }, band, x) {
  const runs = bands[band] ?? [];
  let from = 0;
  for (let i = 0; i < runs.length; i += 3) {
    const to = from + (runs[i] ?? 0);
    const at = runs[i + 1] ?? -1;
    const id = ids[at];
    if (x >= from && x < to) return id === undefined ? null : { at, id, nodes: runs[i + 2] ?? 0, from, to };
    from = to;
  }
  return null;
}

/**
 * The next cell of a band to the right of a pixel, or to the left; null at the end.
 * @param {OverviewPicture} picture
 * @param {number} band
 * @param {number} x
 * @param {1 | -1} step
 * @returns {Cell | null}
 */
export function cellBeside(picture, band, x, step) {
  const here = cellAt(picture, band, x);
  for (
    let at = here === null ? x + step : step > 0 ? here.to : here.from - 1;
    at >= 0 && at < picture.width;
    at += step
  ) {
    const cell = cellAt(picture, band, at);
    if (cell !== null) return cell;
  }
  return null;
}

/**
 * The colour of a node of the picture, as its card has it.
 * @param {OverviewPicture} picture
 * @param {number} at its place in the picture's lists
 * @param {Scale} scale
 * @returns {Ink}
 */
function inkOf(picture, at, scale) {
  const { colour } = picture;
  if (picture.layers) return { name: picture.layers[at] || "none" };
  if (picture.outcomes) return { name: `outcome-${picture.outcomes[at] || "none"}` };
  if (picture.scores) {
    const { side, share } = toneOf(/** @type {any} */ (claimOf(picture, at)), scale);
    return { name: `score-${side}`, share: stepped(share) };
  }
  const values = new Map([[0, { value: picture.values?.[at], place: picture.places?.[at] ?? -1 }]]);
  const paint = paintOf(/** @type {any} */ ({ colour, colouring: { of: colour, scale: picture.scale, values } }), 0);
  return paint === undefined
    ? { name: "none" }
    : { name: `paint-${paint.name}`, share: stepped(paint.share), place: paint.place };
}

/** @param {number} share */
const stepped = (share) => Math.round(share * STEPS) / STEPS;

/** @param {OverviewPicture} picture @param {number} at */
function claimOf({ scores, bounds, means }, at) {
  const score = scores?.[at] ?? undefined;
  const bound = bounds?.[at] || undefined;
  const mean = means?.[at] ?? undefined;
  return { ...(score !== undefined && { score }), ...(bound && { bound }), ...(mean !== undefined && { mean }) };
}

/**
 * The meaning of a node's colour in words; "" where the node itself says it.
 * @param {OverviewPicture} picture
 * @param {number} at
 * @param {unknown} mate how the log scores wins
 */
export function inkWords(picture, at, mate) {
  if (picture.layers) return picture.layers[at] ?? "";
  if (picture.outcomes) return picture.outcomes[at] ?? "";
  if (picture.scores) return scoreText(/** @type {any} */ (claimOf(picture, at)), mate);
  const value = picture.values?.[at];
  return value === null || value === undefined ? "not stated" : `${picture.colour}: ${String(value)}`;
}

/**
 * A path for all runs of each colour; neighbours that are wide enough stand apart.
 * @param {OverviewPicture} picture
 * @param {number} height pixels of a band
 * @param {Scale} scale
 * @returns {(Ink & {d: string})[]}
 */
export function icicle(picture, height, scale) {
  /** @type {Map<string, Ink & {d: string[]}>} */
  const found = new Map();
  /** @type {Map<number, string>} */
  const keys = new Map();
  picture.bands.forEach((runs, band) => {
    let x = 0;
    for (let i = 0; i < runs.length; i += 3) {
      const size = runs[i] ?? 0;
      const at = runs[i + 1] ?? -1;
      if (at >= 0) {
        let key = keys.get(at);
        if (key === undefined) {
          const ink = inkOf(picture, at, scale);
          key = `${ink.name} ${ink.share} ${ink.place}`;
          keys.set(at, key);
          if (!found.has(key)) found.set(key, { ...ink, d: [] });
        }
        const width = size > 3 ? size - 0.6 : size;
        found.get(key)?.d.push(`M${x} ${band * height}h${width}v${height - 0.6}h${-width}z`);
      }
      x += size;
    }
  });
  return [...found.values()].map((ink) => ({ ...ink, d: ink.d.join("") }));
}

/**
 * The box of a node in the picture, at least a pixel wide; null where it lies outside.
 * @param {OverviewPicture} picture
 * @param {[number, number, number] | undefined} place its number, that behind its subtree, its level
 * @param {number} height
 */
export function boxOf({ first, last, width, top, per_band, bands }, place, height) {
  if (place === undefined) return null;
  const [begin, behind, level] = place;
  const band = Math.floor((level - top) / per_band);
  if (behind <= first || begin >= last || band < 0 || band >= bands.length) return null;
  const scale = width / (last - first);
  const x = (Math.max(begin, first) - first) * scale;
  return { x, y: band * height, width: Math.max(1, (Math.min(behind, last) - first) * scale - x) };
}
