// @ts-check
/**
 * A drawing of the page as an independent picture: the styles of each shape become its attributes, so that it looks the
 * same in every program. It has no script, no style sheet and no reference to other files.
 */

import { svg } from "../../draw/element.js";
import { seen } from "../../draw/seen.js";

/** Attributes on the place and the meaning of a shape. */
const KEPT = new Set([
  "class",
  "d",
  "x",
  "y",
  "width",
  "height",
  "rx",
  "ry",
  "cx",
  "cy",
  "r",
  "transform",
  "text-anchor",
  "data-id",
]);
const LINES = /** @type {const} */ (["stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin"]);
const LETTERS = /** @type {const} */ (["font-size", "font-weight", "font-style"]);
/** What a shape has where nothing is said. */
const USUAL = new Set(["none", "normal", "butt", "miter", "400"]);
/** Shapes that are there only to be pointed at, and the ring of the selected node. */
const UNWANTED = ".wedge-reach, .node-ring, .going";
/** Characters that XML cannot hold. */
const REFUSED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A fill that names a pattern of the page. */
const PATTERN = /^url\("?#([\w-]+)"?\)$/;

/**
 * A copy of a drawing of the page that needs none of its style sheets, with the patterns that fill its shapes.
 * @param {SVGGElement} drawing in the document
 * @param {boolean} [withPatterns] false where another drawing of the picture has them
 */
export function standalone(drawing, withPatterns = true) {
  /** @type {Set<string>} */
  const patterns = new Set();
  const copy = /** @type {SVGGElement} */ (drawing.cloneNode(true));
  const paint = createPaint();
  const copies = [copy, ...copy.querySelectorAll("*")];
  [drawing, ...drawing.querySelectorAll("*")].forEach((original, at) => {
    const one = copies[at];
    if (one === undefined || original.localName === "title") return;
    const spoken = original.getAttribute("aria-label");
    const style = getComputedStyle(original);
    for (const { name } of [...one.attributes]) if (!KEPT.has(name)) one.removeAttribute(name);
    if (style.display === "none" || original.matches(UNWANTED)) one.setAttribute("class", "unwanted");
    if (style.opacity !== "1") one.setAttribute("opacity", style.opacity);
    const pattern = PATTERN.exec(style.fill)?.[1];
    if (pattern !== undefined) patterns.add(pattern);
    if (original.localName !== "g") dress(one, style, paint);
    else if (spoken !== null && one !== copy) one.prepend(svg("title", seen(spoken)));
  });
  for (const one of copy.querySelectorAll(".unwanted, .links > :not(path)")) one.remove();
  for (const empty of copy.querySelectorAll("g:empty, text:empty, path[d='']")) empty.remove();
  if (withPatterns) for (const id of patterns) copy.prepend(svg("defs", ownPattern(drawing, id, paint)));
  return copy;
}

/**
 * A pattern of the page, as a picture has it.
 * @param {SVGGElement} drawing
 * @param {string} id
 * @param {ReturnType<typeof createPaint>} paint
 */
function ownPattern(drawing, id, paint) {
  const original = drawing.ownerDocument.getElementById(id);
  const copy = /** @type {Element | undefined} */ (original?.cloneNode(true));
  [...(original?.children ?? [])].forEach((shape, at) => {
    const one = copy?.children[at];
    if (one === undefined) return;
    one.removeAttribute("class");
    dress(one, getComputedStyle(shape), paint);
  });
  return copy;
}

/** @param {Element} shape @param {CSSStyleDeclaration} style @param {ReturnType<typeof createPaint>} paint */
function dress(shape, style, paint) {
  paint(shape, "fill", style.fill);
  if (paint(shape, "stroke", style.stroke)) {
    for (const name of LINES) give(shape, name, style.getPropertyValue(name));
  }
  if (shape.localName !== "text") return;
  for (const name of LETTERS) give(shape, name, style.getPropertyValue(name));
  if (style.paintOrder !== "normal") shape.setAttribute("paint-order", style.paintOrder);
}

/** @param {Element} shape @param {string} name @param {string} value */
function give(shape, name, value) {
  if (value !== "" && !USUAL.has(value)) shape.setAttribute(name, value.replace(/px/g, ""));
}

/**
 * Writes colours as every program reads them, `#rrggbb` and an opacity: mixed ones come in spaces of their own.
 * @returns {(shape: Element, name: "fill" | "stroke", colour: string) => boolean} whether there is any colour
 */
function createPaint() {
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", {
    willReadFrequently: true,
  });
  /** @type {Map<string, [hex: string, alpha: number]>} */
  const known = new Map();

  /** @param {string} colour */
  function solid(colour) {
    let found = known.get(colour);
    if (found === undefined) {
      found = ["#000000", 1];
      if (context !== null) {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
        found = [`#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`, alpha / 255];
      }
      known.set(colour, found);
    }
    return found;
  }

  return (shape, name, colour) => {
    const pattern = PATTERN.exec(colour)?.[1];
    if (pattern !== undefined) {
      shape.setAttribute(name, `url(#${pattern})`);
      return true;
    }
    const [hex, alpha] = colour === "none" ? ["none", 0] : solid(colour);
    if (alpha === 0) {
      if (name === "fill") shape.setAttribute("fill", "none");
      return false;
    }
    shape.setAttribute(name, hex);
    if (alpha < 1) shape.setAttribute(`${name}-opacity`, alpha.toFixed(2));
    return true;
  };
}

/**
 * A whole picture as text: drawings on paper of a colour.
 * @param {{width: number, height: number, paper: string, fonts: string, title: string}} sheet
 * @param {SVGElement[]} drawings
 */
export function pictureText({ width, height, paper, fonts, title }, drawings) {
  const ground = svg("rect", { width: "100%", height: "100%" });
  createPaint()(ground, "fill", paper);
  const whole = svg(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "font-family": fonts },
    svg("title", title),
    ground,
    drawings,
  );
  return new XMLSerializer().serializeToString(whole).replace(REFUSED, "\ufffd");
}
