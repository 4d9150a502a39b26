// @ts-check
/** How cards are written: their texts, the width these take, and how they are cut where there is no room. */

import { decimalsFor, scoreText } from "./numbers.js";
import { nodeName } from "./words.js";

/** @typedef {import("../layout/tree-layout.js").Lettering} Lettering */
/** @typedef {"name" | "score" | "small"} Style */

/** Widths kept before they are forgotten, all at once. */
const MOST_KEPT = 20_000;

/**
 * Lettering in the fonts that the style sheets give to `.node-name`, `.node-score` and `.wedge-text`.
 * @param {(style: Style) => (text: string) => number} measure pixels of a text in a style
 * @returns {Lettering & {cut: (text: string, room: number) => string}}
 */
export function createLettering(measure) {
  /** @type {Record<Style, {width: (text: string) => number, kept: Map<string, number>}>} */
  const styles = {
    name: { width: measure("name"), kept: new Map() },
    score: { width: measure("score"), kept: new Map() },
    small: { width: measure("small"), kept: new Map() },
  };

  /** @param {string} text @param {Style} style */
  function width(text, style) {
    const { kept, width: ask } = styles[style];
    let pixels = kept.get(text);
    if (pixels === undefined) {
      if (kept.size >= MOST_KEPT) kept.clear();
      pixels = ask(text);
      kept.set(text, pixels);
    }
    return pixels;
  }

  return {
    width,
    name: nodeName,
    decimals: (nodes) => decimalsFor(nodes.map((node) => node.score), 2),
    score: (node, decimals) => scoreText(node.score, node.bound, decimals),

    /** The text, or as much of its beginning as fits into `room` pixels. */
    cut(text, room) {
      if (width(text, "name") <= room) return text;
      const letters = [...text.slice(0, 400)];
      let [fits, fails] = [0, letters.length];
      while (fails - fits > 1) {
        const half = (fits + fails) >> 1;
        if (styles.name.width(`${letters.slice(0, half).join("")}…`) <= room) fits = half;
        else fails = half;
      }
      return `${letters.slice(0, fits).join("")}…`;
    },
  };
}

/**
 * Measures with a canvas, in the fonts that `container`'s style sheets give.
 * @param {Element} container
 * @returns {(style: Style) => (text: string) => number}
 */
export function canvasMeasure(container) {
  const context = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(container).fontFamily;
  const fonts = { name: `600 13px ${family}`, score: `500 13px ${family}`, small: `500 11px ${family}` };
  return (style) => (text) => {
    if (context === null) return text.length * 8;
    context.font = fonts[style];
    return context.measureText(text).width;
  };
}
