// @ts-check
/**
 * Icons as paths that already lie where they are drawn. A `transform` on each card's mark would do the same, but
 * makes the browser sort twice as many coordinate systems for every frame of panning.
 */

/** How many numbers each command of a path takes. */
const TAKES = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

/**
 * The path `d`, scaled and then moved to (x, y).
 * @param {string} d
 * @param {number} x
 * @param {number} y
 * @param {number} scale
 */
export function placedPath(d, x, y, scale) {
  const words = d.match(/[a-z]|-?(?:\d+\.?\d*|\.\d+)/gi) ?? [];
  const written = [];
  let command = "M";
  let at = 0;
  let first = true;
  while (at < words.length) {
    const word = /** @type {string} */ (words[at]);
    if (/[a-z]/i.test(word)) {
      command = word;
      at += 1;
      written.push(command);
    }
    const upper = /** @type {keyof typeof TAKES} */ (command.toUpperCase());
    // A path's first point is absolute, however it is written.
    const absolute = command === upper || first;
    for (let nth = 0; nth < TAKES[upper]; nth += 1) {
      const value = Number(words[at]);
      at += 1;
      written.push(placed(upper, nth, value, absolute));
    }
    first = false;
  }
  return written.join(" ");

  /** @param {keyof typeof TAKES} kind @param {number} nth @param {number} value @param {boolean} absolute */
  function placed(kind, nth, value, absolute) {
    if (kind === "A" && nth >= 2 && nth <= 4) return value; // an angle and two flags
    const vertical = kind === "V" || (kind === "A" ? nth === 6 : kind !== "H" && nth % 2 === 1);
    const isPoint = kind !== "A" || nth >= 5;
    const start = absolute && isPoint ? (vertical ? y : x) : 0;
    return Math.round((value * scale + start) * 100) / 100;
  }
}
