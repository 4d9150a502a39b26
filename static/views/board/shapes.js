// @ts-check
/**
 * How a piece's name becomes a drawing. `PIECES` is written as JSON, for visualizer/board_picture.py reads it too. A box of
 * shapes and signs is from −50 to 50, one of Hive's bugs from −10 to 10; a `body` is filled, a `line` is stroked over it. A
 * terminal writes a shape that has a `letter` by that.
 */

/** @typedef {{names: string[], letter?: string, body: string, line?: string}} Form */
/** @typedef {{name: string, body: string, legs: string}} Bug */

/**
 * Colours, tokens of tokens.css, with the ink that is read on them; shapes in these, signs in colours of their own, and bugs by
 * the letter in a piece's name.
 * @type {{colours: Record<string, string>, shapes: Record<string, Form>, signs: Record<string, {names: string[], line: string}>,
 *   bugs: Record<string, Bug>}}
 */
// prettier-ignore
export const PIECES = {
  "colours": { "black": "light", "white": "dark", "red": "light", "yellow": "dark", "blue": "light", "green": "dark", "grey": "dark" },
  "shapes": {
    "crowned disc": { "names": ["crowned disc", "crowned man", "crowned stone", "crowned piece", "king disc"], "body": "M-39 0a39 39 0 1 0 78 0a39 39 0 1 0-78 0Z", "line": "M-19 13L-23-13-10-2 0-19 10-2 23-13 19 13Z" },
    "disc": { "names": ["disc", "stone", "counter", "man", "piece"], "body": "M-39 0a39 39 0 1 0 78 0a39 39 0 1 0-78 0Z" },
    "ring": { "names": ["ring", "circle"], "body": "M-39 0a39 39 0 1 0 78 0a39 39 0 1 0-78 0ZM-20 0a20 20 0 1 0 40 0a20 20 0 1 0-40 0Z" },
    "square": { "names": ["square"], "body": "M-33-33h66v66h-66Z" },
    "triangle": { "names": ["triangle"], "body": "M0-38L40 31H-40Z" },
    "diamond": { "names": ["diamond"], "body": "M0-43L36 0 0 43-36 0Z" },
    "hexagon": { "names": ["hexagon"], "body": "M0 -41L35.5 -20.5L35.5 20.5L0 41L-35.5 20.5L-35.5 -20.5Z" },
    "star": { "names": ["star"], "body": "M0 -39L10.6 -11.6L39.9 -10L17.1 8.6L24.7 37L0 21L-24.7 37L-17.1 8.6L-39.9 -10L-10.6 -11.6Z" },
    "plus": { "names": ["plus"], "body": "M-11 -34h22v23h23v22h-23v23h-22v-23h-23v-22h23Z" },
    "cross": { "names": ["cross"], "body": "M16.3 -31.8L31.8 -16.3L15.6 0L31.8 16.3L16.3 31.8L0 15.6L-16.3 31.8L-31.8 16.3L-15.6 0L-31.8 -16.3L-16.3 -31.8L0 -15.6Z" },
    "cube": { "names": ["cube"], "body": "M0 -41L35.5 -20.5L35.5 20.5L0 41L-35.5 20.5L-35.5 -20.5Z", "line": "M-35.5-20.5L0 0 35.5-20.5M0 0V41" },
    "house": { "names": ["house"], "body": "M-31 36V-6L0-38 31-6V36Z", "line": "M-9 36V13H9V36" },
    "king": { "names": ["king"], "letter": "K", "body": "M-26 38L-28 26-24 16C-44 2-36-22-18-20C-10-19-5-13-4-8V-26H-13V-34H-4V-43H4V-34H13V-26H4V-8C5-13 10-19 18-20C36-22 44 2 24 16L28 26 26 38Z", "line": "M-24 16H24M-27 27H27" },
    "queen": { "names": ["queen"], "letter": "Q", "body": "M-28 38L-30 26-24 18-38-18-20-4-14-32 0-8 14-32 20-4 38-18 24 18 30 26 28 38Z", "line": "M-24 18H24M-29 28H29" },
    "rook": { "names": ["rook"], "letter": "R", "body": "M-30 38V26L-20 20V-12H-28V-36H-15V-26H-6V-36H6V-26H15V-36H28V-12H20V20L30 26V38Z", "line": "M-20 20H20M-20-12H20" },
    "bishop": { "names": ["bishop"], "letter": "B", "body": "M-28 38C-26 27-16 26-13 22C-24 6-16-14-3-25A9 9 0 1 1 3-25C16-14 24 6 13 22C16 26 26 27 28 38Z", "line": "M-13 22H13M0-12V10M-9-3H9" },
    "knight": { "names": ["knight"], "letter": "N", "body": "M-24 38C-24 20-6 14-4 0C-12 8-20 13-28 12L-35 3C-29-9-21-22-9-29L-8-42 4-33C25-28 31-6 28 38Z", "line": "M-13-13l5-4M-30 5l5-3" },
    "pawn": { "names": ["pawn", "meeple"], "letter": "P", "body": "M-27 38C-24 22-14 14-11 1A19 19 0 1 1 11 1C14 14 24 22 27 38Z" }
  },
  "signs": {
    "cross": { "names": ["x", "cross"], "line": "M-25-25L25 25M25-25L-25 25" },
    "nought": { "names": ["o", "nought", "naught", "circle", "ring"], "line": "M-27 0a27 27 0 1 0 54 0a27 27 0 1 0-54 0Z" }
  },
  "bugs": {
    "Q": { "name": "queen",
      "body": "M-6-9.5l2.6 2.4L0-10l3.4 2.9L6-9.5 5-4.2H-5ZM-3 -1.2a3 2.6 0 1 0 6 0a3 2.6 0 1 0 -6 0ZM-4.4 2.6h8.8q.4 1.4 0 2.8h-8.8q-.4-1.4 0-2.8ZM-3.7 6.6h7.4Q2.5 9.8 0 9.8t-3.7-3.2Z",
      "legs": "M3-1C8-4.5 11-1 9 2S4 3.5 3 1M-3-1C-8-4.5-11-1-9 2s5 1.5 6-1" },
    "S": { "name": "spider",
      "body": "M-4.2 3a4.2 5 0 1 0 8.4 0a4.2 5 0 1 0 -8.4 0ZM-2.6 -4a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0Z",
      "legs": "M2-3.5 6-7 7-10M2.5-2.5 7.5-4 9.5-6.5M3 0l5.5 1.5L10 6M3 4l4 2.5V10M-2-3.5-6-7-7-10M-2.5-2.5-7.5-4-9.5-6.5M-3 0l-5.5 1.5L-10 6M-3 4l-4 2.5V10" },
    "B": { "name": "beetle",
      "body": "M-.7-4.2V9.5C-4.5 9-6.2 5.5-6.2 2S-4-3.8-.7-4.2ZM.7-4.2V9.5C4.5 9 6.2 5.5 6.2 2S4-3.8.7-4.2ZM-3 -6.6a3 1.9 0 1 0 6 0a3 1.9 0 1 0 -6 0Z",
      "legs": "M2-8 4-10M-2-8l-2-2M6-1.5 9.5-4M6.2 2.5H10M5.5 6 9 9M-6-1.5-9.5-4M-6.2 2.5H-10M-5.5 6-9 9" },
    "G": { "name": "grasshopper",
      "body": "M-9.5 1.5C-8-1.5-5.5-2-3.5-1.5L8.5 1.2C10 1.8 9.5 3.3 8 3.4L-4 5C-7.5 5.4-10 4-9.5 1.5Z",
      "legs": "M-7.5-.5-9.5-6M-6-1-5-6.5M-4.5 4.5-7 9M-1 4l-1.5 5M.5 3 5-7 9.5 9" },
    "A": { "name": "ant",
      "body": "M-2.4 -6.2a2.4 2.2 0 1 0 4.8 0a2.4 2.2 0 1 0 -4.8 0ZM-1.8 -1.3a1.8 2.4 0 1 0 3.6 0a1.8 2.4 0 1 0 -3.6 0ZM-3.4 5.6a3.4 4.2 0 1 0 6.8 0a3.4 4.2 0 1 0 -6.8 0Z",
      "legs": "M1-8 3-10M-1-8l-2-2M1.5-2.5 6-4.5 8-8M1.8-1h7M1.5.2 6 2.5 8.5 8M-1.5-2.5-6-4.5-8-8M-1.8-1h-7M-1.5.2-6 2.5-8.5 8" },
    "M": { "name": "mosquito",
      "body": "M-2.2 -4.2a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0ZM-1.5-2.5h3L.9 9.5h-1.8Z",
      "legs": "M0-6v-4M1-.5C5-6 10-5 9-2S4 1.5 1.2 1M-1-.5C-5-6-10-5-9-2s5 3.5 7.8 3M1 3.5 6 6v4M-1 3.5-6 6v4" },
    "L": { "name": "ladybug",
      "body": "M-.6-4.5V9.5C-5 9-7.5 5.5-7.5 2S-4.5-4-.6-4.5ZM.6-4.5V9.5C5 9 7.5 5.5 7.5 2S4.5-4 .6-4.5ZM-3.2 -6.6a3.2 2 0 1 0 6.4 0a3.2 2 0 1 0 -6.4 0ZM-5.3 0.4a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0 -2.6 0ZM2.7 0.4a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0 -2.6 0ZM-4.5 5a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0 -2.6 0ZM1.9 5a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0 -2.6 0Z",
      "legs": "M1.5-8.3 3.5-10M-1.5-8.3l-2-1.7" },
    "P": { "name": "pillbug",
      "body": "M-4-5.6Q0-9.8 4-5.6ZM-5.6-4.2H5.6L6.3-1.8H-6.3ZM-6.6-.5H6.6V2H-6.6ZM-6.3 3.3H6.3L5.5 5.7H-5.5ZM-4.8 7H4.8Q3 9.6 0 9.6T-4.8 7Z",
      "legs": "M1.5-8 3.5-10M-1.5-8l-2-2M6.5-3H9M7 .8H9.5M6.5 4.5H9M-6.5-3H-9M-7 .8H-9.5M-6.5 4.5H-9" }
  }
};

/**
 * A piece by its name, `wA1`: whose it is, which bug, which of them.
 * @param {string} piece
 * @returns {{side: "white" | "black", letter: string, number: string, bug: Bug} | null}
 */
export function bugOf(piece) {
  const [, side, letter = "", number = ""] = /^([wb])([A-Z])([1-9]?)$/.exec(piece) ?? [];
  const bug = PIECES.bugs[letter];
  return bug === undefined ? null : { side: side === "w" ? "white" : "black", letter, number, bug };
}

/**
 * The sign that a piece is by its name: `x`, `o`.
 * @param {string} piece
 */
export function signOf(piece) {
  const [name, sign] = Object.entries(PIECES.signs).find(([, { names }]) => names.includes(piece.toLowerCase())) ?? [];
  return name === undefined || sign === undefined ? null : { name, line: sign.line };
}

/**
 * The shape that a piece is by its name: `white disc`, `two red stars`; grey without a colour. A word in a colour that is
 * no shape is written on a disc: `black K`.
 * @param {string} piece
 */
export function shapeOf(piece) {
  const [, first = "", rest = ""] = /^(\w*)\s*(.*)$/.exec(piece.trim()) ?? [];
  const colour = Object.keys(PIECES.colours).find((each) => each === first.toLowerCase());
  const said = ` ${colour === undefined ? piece.trim() : rest}`.toLowerCase().replace(/s$/, "");
  for (const [name, form] of Object.entries(PIECES.shapes)) {
    const fits = form.names.map((each) => ` ${each.replace(/s$/, "")}`);
    if (fits.some((each) => (colour === undefined ? said === each : said.endsWith(each))))
      return { colour: colour ?? "grey", name, form, word: "" };
  }
  const form = PIECES.shapes["disc"];
  return colour === undefined || rest === "" || form === undefined ? null : { colour, name: "disc", form, word: rest };
}
