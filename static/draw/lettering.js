// @ts-check
/** The texts of cards: their words, their widths, and how they are cut where there is no room. */

import { changedName, changedScore } from "./changes.js";
import { FIELDS } from "../data/fields.js";
import { apart, count, fixed, isGiven, MINUS, plain, shortCount, signed } from "./numbers.js";
import { reweighedScore } from "./reweighed.js";
import { shortScore } from "./scores.js";
import { seen } from "./seen.js";
import { moreText } from "./wedge.js";

/** @import { Opened, TreeNode } from "../data/types.js" */
/** @import { Lettering } from "../layout/tree-layout.js" */
/** @import { Digits, Figure } from "./numbers.js" */

/** @typedef {"name" | "score" | "small"} Style */

/** The words for a visit that is no search with the full window. */
export const PURPOSES = Object.freeze({ scout: "scout", research: "re-search", null: "null move", probe: "probe" });
/** The signs before the name on a card: a ring for a scout, an arrow that turns back for a re-search. */
export const PURPOSE_MARKS = Object.freeze({ scout: "\u25e6", research: "\u21bb", null: "\u2205", probe: "?" });

/** The most widths that are kept, and the most families whose digits are: one more, and all are dropped. */
const MOST_KEPT = 20_000;
const MOST_FAMILIES = 500;

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

  /** @type {Map<string, Digits>} by the figures as text: every layout asks for those of all families */
  const digitsOf = new Map();

  /** @param {Figure[]} figures */
  function digits(figures) {
    const key = figures.join();
    let found = digitsOf.get(key);
    if (found === undefined) {
      if (digitsOf.size >= MOST_FAMILIES) digitsOf.clear();
      digitsOf.set(key, (found = apart(figures)));
    }
    return found;
  }

  return {
    width,
    name: (node, label) => (label && labelText(node, label.fields[0], label.opened)) || cardName(node),
    digits: (nodes, intervals) => digits(nodes.flatMap((node) => intervals?.get(node.id) ?? [node.score ?? node.mean])),
    score: (node, digits, mate, interval, label) => {
      const [, second = "score"] = label?.fields ?? [];
      if (label !== undefined && second !== "score") return labelText(node, second, label.opened);
      if (interval !== undefined) return reweighedScore(node, interval, digits, mate);
      return (
        (node.beside ? changedScore(node, digits, mate) : shortScore(node, mate, digits)) || changedMean(node, digits)
      );
    },

    soFar: (open, digits) => (open?.best === undefined ? "" : `so far ${signed(open.best, digits)}`),

    third: (node, label) => (label ? labelText(node, label.fields[2], label.opened) : visitsText(node)),
    more: moreText,

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

/** Fields that a card writes without their name, and says anyway. */
const BARE = new Set(["ply", "score", "visits", "mean"]);
/** The most characters of a text field that the user chose for cards. */
const LONGEST = 24;
/** Lists of numbers, of which each has a name. @param {Opened} opened @returns {Record<string, string[]>} */
const listsOf = (opened) => ({
  factors: opened.factors.map(({ name }) => name),
  contributions: opened.contribution_names,
  scores: opened.players,
});

/** Whether a card can show a field: what pages of nodes state. @param {string} name @param {Opened} opened */
export function isWritten(name, opened) {
  const [group = "", part = ""] = split(name);
  if (part !== "") return listsOf(opened)[group]?.includes(part) ?? true;
  const kind = FIELDS.find((field) => field.name === name)?.kind;
  return name !== "is_stub" && kind !== "long text";
}

/** @param {string} name `factors.mobility`, whose part may have any character */
const split = (name) => [name.replace(/\..*$/s, ""), name.includes(".") ? name.slice(name.indexOf(".") + 1) : ""];

/**
 * A field as a card shows it, with its name: `depth 4`; empty where the node does not state it.
 * @param {TreeNode} node
 * @param {string | undefined} name
 * @param {Opened} opened
 */
function labelText(node, name, opened) {
  if (name === undefined) return "";
  if (name === "ply") return cardName(node);
  if (name === "score") return shortScore(node, opened.search?.["mate"]) || cardMean(node);
  if (name === "visits") return visitsText(node);
  if (name === "mean") return cardMean(node);
  const value = valueText(node, name, opened);
  if (value === "" || name === "id") return value;
  const [group = "", part = ""] = split(name);
  return `${seen(part) || (FIELDS.find((field) => field.name === group)?.label ?? group.replace("_", " "))} ${value}`;
}

/** @param {TreeNode} node @param {string} name @param {Opened} opened */
function valueText(node, name, opened) {
  const [group = "", part = ""] = split(name);
  const fields = /** @type {Record<string, any>} */ (node);
  const own = { id: node.id, children: node.n_children, nodes_below: node.below?.nodes ?? 0, extra: node.others };
  let value = /** @type {Record<string, any>} */ (own)[group] ?? fields[group];
  if (part !== "") value = Array.isArray(value) ? value[listsOf(opened)[group]?.indexOf(part) ?? -1] : value?.[part];
  if (!isGiven(value)) return "";
  const kind = FIELDS.find((field) => field.name === group)?.kind;
  if (name === "id") return `#${value}`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number")
    return kind === undefined || kind === "amount" || kind === "whole" ? plain(value) : signed(value);
  if (value === "inf" || value === "-inf") return signed(value);
  const text = seen(String(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}\u2026` : text;
}

/** A chosen field as it is said, beside what every card says. @param {TreeNode} node @param {string} name @param {Opened} opened */
export function saidOf(node, name, opened) {
  return BARE.has(name) ? [] : [labelText(node, name, opened)].filter((text) => text !== "");
}

/**
 * The name on the card: before it, a mark of a visit that is no search with the full window.
 * @param {TreeNode} node
 */
export function cardName(node) {
  const mark = node.purpose === undefined || node.purpose === "full" ? "" : PURPOSE_MARKS[node.purpose];
  const name = changedName(node);
  return mark === "" ? name : `${mark}\u2009${name}`;
}

/**
 * The text in the place of a score on a card, with that of the other log before it where they differ.
 * @param {TreeNode} node
 * @param {Digits | undefined} digits
 */
function changedMean(node, digits) {
  const write = node.visited === undefined ? meanText : cardMean;
  const now = write(node, digits);
  const old = node.beside?.kind === "same" ? undefined : node.beside?.old;
  const before = old === undefined ? "" : write(old, digits);
  return before === "" || before === now ? now : `${before} \u2192 ${now}`;
}

/**
 * The mean and the visits of a node that has no score, where no card shows the visits beside: `⌀ 58.2 % · 10.4k`.
 * @param {Pick<TreeNode, "mean" | "visits" | "visited">} node
 * @param {number | Digits} [digits]
 */
export function meanText(node, digits) {
  const n = isGiven(node.visits) ? shortCount(Number(node.visits)) : "";
  if (!isGiven(node.mean)) return n === "" ? "" : `n\u202f=\u202f${n}`;
  return `\u2300\u202f${cardMean(node, digits)}${n && ` \u00b7 ${n}`}`;
}

/**
 * The mean of a node: a percentage of the declared range, else as it is.
 * @param {Pick<TreeNode, "mean" | "visited">} node
 * @param {number | Digits} [digits]
 */
export function cardMean({ mean, visited }, digits) {
  if (!isGiven(mean)) return "";
  if (visited?.rate !== undefined) return percentText(visited.rate);
  const few = typeof digits === "object" ? Math.min(digits.decimals, MEAN_DECIMALS) : digits;
  return plain(Number(mean), few);
}

/** The most decimals of a mean on a card whose range is not declared. */
const MEAN_DECIMALS = 4;

/** A share as a card says it: `61.2 %`. @param {number} share */
export function percentText(share) {
  return `${fixed(100 * share, 1).replace("-", MINUS)}\u202f%`;
}

/**
 * The visits as a card says them: whole up to 9,999, then `10.4\u202fk`.
 * @param {Pick<TreeNode, "visits" | "beside">} node
 */
export function visitsText({ visits, beside }) {
  const old = beside?.kind === "same" ? undefined : beside?.old?.visits;
  return isGiven(old) && old !== visits ? `${shortVisits(old)} \u2192 ${shortVisits(visits)}` : shortVisits(visits);
}

/** @param {number | undefined} visits */
function shortVisits(visits) {
  if (!isGiven(visits)) return "";
  const n = Number(visits);
  return n < 10_000 ? count(Math.round(n)) : shortCount(n).replace(/(?=[kMG]$)/, "\u202f");
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
