// @ts-check
/** Figures as rows with bars, and as a strip of cells; and their picture, drawn when it is saved. */

import { button } from "../../draw/buttons.js";
import { html, standingAlone, svg } from "../../draw/element.js";

/**
 * A row: its name, the filled part of its bar, and the texts of its cells. `act` makes the name a button, `acts` its
 * cells. `value` is the figure of the bar, where `share` is its part of the greatest of them. `old` is the row of
 * another log; null where that has none.
 * @typedef {{share: number | null, cells: string[]}} OldRow
 * @typedef {{key: string, name: string, share: number | null, value?: number, old?: OldRow | null, cells: string[],
 *   title?: string, act?: () => unknown, acts?: ((() => unknown) | undefined)[], strong?: boolean}} FigureRow
 */

/**
 * @param {string} caption for those who do not see the table
 * @param {string} what the name of the first column
 * @param {readonly string[]} columns names of the cells
 * @param {readonly FigureRow[]} rows
 */
export function drawFigures(caption, what, columns, rows) {
  return html(
    "table.figures",
    html("caption.visually-hidden", caption),
    html(
      "thead",
      html(
        "tr",
        html("th", { scope: "col" }, what),
        html("td.figures-track"),
        columns.map((name) => html("th.number", { scope: "col" }, name)),
      ),
    ),
    html("tbody", rows.map(drawRow)),
  );
}

/**
 * Rows of two logs in pairs, by their names, on one scale; those of the old log alone follow.
 * @param {readonly FigureRow[]} rows
 * @param {readonly string[]} columns
 * @param {readonly FigureRow[]} old
 * @param {readonly string[]} oldColumns
 * @returns {FigureRow[]}
 */
export function pairRows(rows, columns, old, oldColumns) {
  const values = [...rows, ...old].flatMap(({ value }) => value ?? []);
  const most = Math.max(...values, Number.MIN_VALUE);
  const scaled = (/** @type {FigureRow} */ { share, value }) =>
    share === null || value === undefined ? share : value / most;
  const cellsOf = (/** @type {FigureRow} */ { cells }) =>
    columns.map((column) => cells[oldColumns.indexOf(column)] ?? "–");
  const before = new Map(old.map((row) => [row.name, { share: scaled(row), cells: cellsOf(row) }]));
  const names = new Set(rows.map(({ name }) => name));
  return [
    ...rows.map((row) => ({ ...row, share: scaled(row), old: before.get(row.name) ?? null })),
    ...old.flatMap(({ key, name }) =>
      names.has(name)
        ? []
        : [{ key: `old-${key}`, name, share: null, cells: columns.map(() => "–"), old: before.get(name) ?? null }],
    ),
  ];
}

/** @param {number | null} share @param {string} [kind] */
function track(share, kind = "") {
  const style = { "--share": Math.max(0, Math.min(1, share ?? 0)) };
  const bar = html("span", { class: `bar bar-plain${kind}`, style });
  return share !== null && html("span.bar-track", { "aria-hidden": "true" }, bar);
}

/** @param {FigureRow} row */
function drawRow({ key, name, share, old, cells, title, act, acts, strong }) {
  const label =
    act === undefined
      ? html("bdi", name)
      : button(html("bdi", name), () => void act(), { class: "figure-go", "data-key": key });
  return html(
    "tr",
    { title, class: strong === true ? "figures-strong" : null },
    html("th", { scope: "row" }, label),
    html("td.figures-track", old && track(old.share, " bar-old"), track(share)),
    cells.map((cell, i) => {
      const go = acts?.[i];
      const before =
        old !== undefined && html("span.figure-old", html("span.visually-hidden", "before "), old?.cells[i] ?? "–");
      return html(
        "td.number",
        before,
        go === undefined ? cell : button(cell, () => void go(), { class: "figure-go", "data-key": `${key}-${i}` }),
      );
    }),
  );
}

/** @typedef {{name: string, mark: string, kind: string, says: string}} Cell */

/**
 * A strip of cells, each with a name above a mark; what a mark means is said in words.
 * @param {string} label
 * @param {readonly Cell[]} cells
 * @returns {HTMLElement}
 */
export function drawStrip(label, cells) {
  return html(
    "ul.strip",
    { "aria-label": label },
    cells.map(({ name, mark, kind, says }) =>
      html(
        "li",
        { class: `strip-cell strip-${kind}`, title: says },
        html("span.number", { "aria-hidden": "true" }, name),
        html("b", { "aria-hidden": "true" }, mark),
        html("span.visually-hidden", says),
      ),
    ),
  );
}

/** Pixels of the picture. */
const PICTURE = { width: 640, row: 20, head: 34, name: 150, bar: 250, cell: 80 };

/**
 * The rows as a picture that needs no page around it.
 * @param {string} caption
 * @param {readonly FigureRow[]} rows
 * @param {{ink: string, bar: string, paper: string, font: string}} look colours and letters as they are now
 * @returns {string} SVG
 */
export function pictureOf(caption, rows, look) {
  const { row, head, name, bar } = PICTURE;
  const cells = Math.max(1, ...rows.map((each) => each.cells.length));
  const width = Math.max(PICTURE.width, name + bar + 24 + cells * PICTURE.cell);
  const height = head + rows.length * row + 8;
  const { ink, paper, font } = look;
  const drawn = rows.flatMap((each, i) => {
    const y = head + i * row;
    const label = each.name.length > 22 ? `${each.name.slice(0, 21)}…` : each.name;
    const old = each.old?.share ?? null;
    const half = each.old == null ? 0 : 8;
    const long = (/** @type {number} */ share) => Math.max(1, share * bar);
    return [
      svg("text", { x: 8, y: y + 14, fill: ink }, label),
      old !== null && svg("rect", { x: name, y: y + 2, width: long(old), height: 6, fill: "none", stroke: ink }),
      each.share !== null &&
        svg("rect", { x: name, y: y + 5 + half / 2, width: long(each.share), height: 10 - half / 2, fill: look.bar }),
      ...each.cells.map((cell, at) => {
        const x = name + bar + 16 + (at + 1) * PICTURE.cell;
        return svg("text", { x, y: y + 14, fill: ink, "text-anchor": "end" }, cell);
      }),
    ];
  });
  const heading = svg("text", { x: 8, y: 20, fill: ink, "font-weight": 600 }, caption);
  return standingAlone({ width, height, title: caption, paper, font }, [heading, ...drawn]);
}
