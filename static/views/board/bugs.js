// @ts-check
/** The bugs of Hive as small drawings, in a box from −10 to 10: what is filled, and what is stroked over it. */

/** @typedef {{name: string, body: string, legs: string}} Bug */

/** By the letter that names the piece. @type {Readonly<Record<string, Bug>>} */
export const BUGS = Object.freeze({
  Q: {
    name: "queen",
    body: `M-6-9.5l2.6 2.4L0-10l3.4 2.9L6-9.5 5-4.2H-5Z${oval(0, -1.2, 3, 2.6)}M-4.4 2.6h8.8q.4 1.4 0 2.8h-8.8q-.4-1.4 0-2.8ZM-3.7 6.6h7.4Q2.5 9.8 0 9.8t-3.7-3.2Z`,
    legs: "M3-1C8-4.5 11-1 9 2S4 3.5 3 1M-3-1C-8-4.5-11-1-9 2s5 1.5 6-1",
  },
  S: {
    name: "spider",
    body: oval(0, 3, 4.2, 5) + oval(0, -4, 2.6, 2.6),
    legs: "M2-3.5 6-7 7-10M2.5-2.5 7.5-4 9.5-6.5M3 0l5.5 1.5L10 6M3 4l4 2.5V10M-2-3.5-6-7-7-10M-2.5-2.5-7.5-4-9.5-6.5M-3 0l-5.5 1.5L-10 6M-3 4l-4 2.5V10",
  },
  B: {
    name: "beetle",
    body: `M-.7-4.2V9.5C-4.5 9-6.2 5.5-6.2 2S-4-3.8-.7-4.2ZM.7-4.2V9.5C4.5 9 6.2 5.5 6.2 2S4-3.8.7-4.2Z${oval(0, -6.6, 3, 1.9)}`,
    legs: "M2-8 4-10M-2-8l-2-2M6-1.5 9.5-4M6.2 2.5H10M5.5 6 9 9M-6-1.5-9.5-4M-6.2 2.5H-10M-5.5 6-9 9",
  },
  G: {
    name: "grasshopper",
    body: "M-9.5 1.5C-8-1.5-5.5-2-3.5-1.5L8.5 1.2C10 1.8 9.5 3.3 8 3.4L-4 5C-7.5 5.4-10 4-9.5 1.5Z",
    legs: "M-7.5-.5-9.5-6M-6-1-5-6.5M-4.5 4.5-7 9M-1 4l-1.5 5M.5 3 5-7 9.5 9",
  },
  A: {
    name: "ant",
    body: oval(0, -6.2, 2.4, 2.2) + oval(0, -1.3, 1.8, 2.4) + oval(0, 5.6, 3.4, 4.2),
    legs: "M1-8 3-10M-1-8l-2-2M1.5-2.5 6-4.5 8-8M1.8-1h7M1.5.2 6 2.5 8.5 8M-1.5-2.5-6-4.5-8-8M-1.8-1h-7M-1.5.2-6 2.5-8.5 8",
  },
  M: {
    name: "mosquito",
    body: `${oval(0, -4.2, 2.2, 2.2)}M-1.5-2.5h3L.9 9.5h-1.8Z`,
    legs: "M0-6v-4M1-.5C5-6 10-5 9-2S4 1.5 1.2 1M-1-.5C-5-6-10-5-9-2s5 3.5 7.8 3M1 3.5 6 6v4M-1 3.5-6 6v4",
  },
  L: {
    name: "ladybug",
    body: `M-.6-4.5V9.5C-5 9-7.5 5.5-7.5 2S-4.5-4-.6-4.5ZM.6-4.5V9.5C5 9 7.5 5.5 7.5 2S4.5-4 .6-4.5Z${oval(0, -6.6, 3.2, 2)}${oval(-4, 0.4, 1.3, 1.3)}${oval(4, 0.4, 1.3, 1.3)}${oval(-3.2, 5, 1.3, 1.3)}${oval(3.2, 5, 1.3, 1.3)}`,
    legs: "M1.5-8.3 3.5-10M-1.5-8.3l-2-1.7",
  },
  P: {
    name: "pillbug",
    body: "M-4-5.6Q0-9.8 4-5.6ZM-5.6-4.2H5.6L6.3-1.8H-6.3ZM-6.6-.5H6.6V2H-6.6ZM-6.3 3.3H6.3L5.5 5.7H-5.5ZM-4.8 7H4.8Q3 9.6 0 9.6T-4.8 7Z",
    legs: "M1.5-8 3.5-10M-1.5-8l-2-2M6.5-3H9M7 .8H9.5M6.5 4.5H9M-6.5-3H-9M-7 .8H-9.5M-6.5 4.5H-9",
  },
});

/**
 * A piece by its name, `wA1`: whose it is, which bug, which of them.
 * @param {string} piece
 * @returns {{side: "white" | "black", letter: string, number: string, bug: Bug} | null}
 */
export function bugOf(piece) {
  const [, side, letter = "", number = ""] = /^([wb])([A-Z])([1-9]?)$/.exec(piece) ?? [];
  const bug = BUGS[letter];
  return bug === undefined ? null : { side: side === "w" ? "white" : "black", letter, number, bug };
}

/** An ellipse as a part of a path. @param {number} x @param {number} y @param {number} rx @param {number} ry */
function oval(x, y, rx, ry) {
  return `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;
}
