// @ts-check
/** The page's icons, drawn in a box of 16 by 16 in the colour of the text around them. */

import { svg } from "./element.js";

/** Outlines, stroked; a name that ends in `-solid` is filled. */
export const ICONS = Object.freeze({
  back: "M10 3 5 8l5 5",
  forward: "m6 3 5 5-5 5",
  up: "m3 10 5-5 5 5",
  down: "m3 6 5 5 5-5",
  edit: "M3 13l.7-3L10.5 3.2a1.2 1.2 0 0 1 1.7 0l.6.6a1.2 1.2 0 0 1 0 1.7L6 12.3 3 13Z",
  filter: "M2 3h12L9.500 8.500V13l-3-1.500v-3z",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.4 10.4 14 14",
  close: "m4 4 8 8m0-8-8 8",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  line: "M2 12.5h2.5l3-5h3l3-5M2 12.5h.01M13.5 2.5H11m2.5 0V5",
  sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M13 3l-1.1 1.1M4.1 11.9 3 13",
  moon: "M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1Z",
  system: "M2.5 3h11v8h-11zM6 13.5h4M8 11v2.5",
  motion: "M5 3.5 12 8l-7 4.5z",
  still: "M5.5 3.5v9M10.5 3.5v9",
  help: "M5.6 6a2.4 2.4 0 1 1 3.5 2.1c-.7.4-1.1.9-1.1 1.7M8 12.4v.1",
  paste: "M5.5 3h-2v11h9V3h-2M5.5 2h5v2.5h-5zM6 8h4M6 11h4",
  open: "M2 12.5v-9h4l1.5 2H14v7z",
  dots: "M2.5 8h1M7.5 8h1M12.5 8h1M2.5 7.5h1M7.5 7.5h1M12.5 7.5h1",
  over: "M2.5 10a5.500 5.500 0 0 1 10-3M13 3v4.200H8.800M7.500 13h1",
  out: "M8 11V3M4.500 6.500 8 3l3.500 3.500M3 13.500h10",
  run: "M3 3.500 8.500 8 3 12.500zM12.500 3.500v9",
  "left-panel": "M2 3h12v10H2zM6.5 3v10",
  "right-panel": "M2 3h12v10H2zM9.5 3v10",
  save: "M8 2v8M4.8 7 8 10.200 11.200 7M2.500 12v1.500h11V12",
  trash: "M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5 5 13.5h6l.5-9M7 7v4M9 7v4",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  folder: "M2 12.5v-9h4l1.5 2H14v7z",
  example: "M8 2.2 9.8 6l4.2.5-3.1 2.8.8 4.1L8 11.4l-3.7 2 .8-4.1L2 6.5 6.2 6z",
  pasted: "M5.5 3h-2v11h9V3h-2M5.5 2h5v2.5h-5z",
  warning: "M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1",
  info: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2ZM8 7.4v3.8M8 4.9v.1",
  card: "M2 4.500h12v7H2zM5 8h3M10.500 8h1",
  note: "M4 14V2.500h8.500L10.500 6l2 3.500H4",
  pin: "M6 2h4l-.5 4.5L12 9H4l2.5-2.5zM8 9v5",
  json: "M6 2.5c-1.8 0-2 .8-2 2v1.6C4 7.3 3.5 8 2.5 8 3.5 8 4 8.7 4 9.900v1.600c0 1.2.2 2 2 2M10 2.500c1.8 0 2 .8 2 2v1.600c0 1.2.5 1.9 1.5 1.9-1 0-1.5.7-1.5 1.900v1.600c0 1.2-.2 2-2 2",
  compare: "M2.5 3h4.500v10H2.500zM9 3h4.500v10H9",
  pruned: "M4 4.2 12.5 12M4 11.8 12.5 4M3.4 5.200a1.7 1.7 0 1 1 .1 0M3.4 14.200a1.7 1.7 0 1 1 .1 0",
  limited: "M2.5 3h11L9.5 8v5l-3-1.500V8z",
  wrong:
    "M5.4 1.8h5.200l3.600 3.600v5.200l-3.600 3.600H5.400L1.800 10.600V5.400zM5.800 5.800l4.400 4.400M10.200 5.800l-4.400 4.400",
  waste:
    "M3.5 2h9M3.500 14h9M4.500 2c0 4 3.500 4.500 3.500 6s-3.500 2-3.500 6h7c0-4-3.500-4.500-3.500-6s3.500-2 3.500-6z",
  odd: "M3.500 2h9a1.500 1.500 0 0 1 1.500 1.500v9a1.500 1.500 0 0 1-1.500 1.500h-9a1.500 1.500 0 0 1-1.500-1.500v-9a1.500 1.500 0 0 1 1.500-1.500zM4.800 9.200c1-2.600 2.300-2.600 3.200-1.200s2.200 1.400 3.200-1.200",
  clean: "M8 1.800a6.200 6.200 0 1 1 0 12.400A6.200 6.200 0 0 1 8 1.800ZM5 8.200l2.200 2.200L11 6",
  check: "M2 4.500 3.200 5.700 5.500 3.200M2 11.500l1.200 1.200 2.300-2.500M8 4.500h6M8 11.500h6",
  sliders:
    "M2 4.5h6m3.500 0H14M2 11.500h2.500m3.500 0h6M9.700 2.800a1.700 1.700 0 1 1 0 3.400 1.700 1.700 0 0 1 0-3.400ZM6.200 9.800a1.700 1.700 0 1 1 0 3.400 1.700 1.700 0 0 1 0-3.400Z",
  ranking: "M2.500 13.500v-4h3v4zM6.500 13.500v-10h3v10zM10.500 13.500v-6.500h3v6.500z",
  copy: "M5.500 5.500h8v8h-8zM3.500 10.500h-1v-8h8v1",
  "max-solid": "M8 3.2 13.5 12.500h-11z",
  "min-solid": "M8 12.8 13.5 3.500h-11z",
  "chance-solid": "M8 2.5 13.5 8 8 13.5 2.5 8z",
  "other-solid": "M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3z",
  "other-1-solid": "M3.5 3.500h9v9h-9z",
  "other-2-solid": "M8 2.500 13.600 6.600 11.500 13.200h-7L2.400 6.600z",
  "other-3-solid": "M6 2.500h4V6h3.500v4H10v3.500H6V10H2.500V6H6z",
});

/** @typedef {keyof typeof ICONS} IconName */

/**
 * The icon called `name`. It is hidden from screen readers: the control around it carries the name.
 * @param {IconName} name
 * @param {string} [className]
 */
export function icon(name, className = "") {
  const solid = name.endsWith("-solid");
  return svg(
    "svg",
    {
      class: `icon${solid ? " icon-solid" : ""}${className ? ` ${className}` : ""}`,
      viewBox: "0 0 16 16",
      width: 16,
      height: 16,
      "aria-hidden": "true",
      focusable: "false",
    },
    svg("path", { d: ICONS[name] }),
  );
}

/**
 * The mark of a layer: up for max, down for min, a diamond for chance, a disc for any other player; of several others
 * the `seat` says which, and each has a shape of its own.
 * @param {string | undefined} layer
 * @param {number} [seat]
 */
export function layerMark(layer, seat) {
  if (layer !== "max" && layer !== "min" && layer !== "chance" && layer !== "other") return null;
  if (layer === "other" && seat !== undefined)
    return icon(SEATS[seat % SEATS.length] ?? SEATS[0], `layer-mark layer-other seat-${seat % SEATS.length}`);
  return icon(`${layer}-solid`, `layer-mark layer-${layer}`);
}

/** The shapes of the other players in games of more than two; a fifth begins again. */
export const SEATS = /** @type {const} */ (["other-solid", "other-1-solid", "other-2-solid", "other-3-solid"]);

/** Half of a badge's width and height. */
const HALF = 8;

/**
 * The badge of one of two plies that are set against each other: X filled, Y hollow and dashed.
 * @param {"x" | "y"} badge
 * @param {number} x its middle
 * @param {number} y
 */
export function pairBadge(badge, x, y) {
  return svg(
    "g",
    { class: `pair-badge pair-${badge}`, "aria-hidden": "true" },
    svg("rect", { x: x - HALF, y: y - HALF, width: 2 * HALF, height: 2 * HALF, rx: 4 }),
    svg("text", { x, y: y + 4, "text-anchor": "middle" }, badge.toUpperCase()),
  );
}
