// @ts-check
/**
 * Charts with axes, drawn by Vega-Lite, which is fetched with the first chart. A chart has a caption in words, a table
 * of the same figures, and buttons that save it as a picture.
 */

import { smallButton } from "../draw/buttons.js";
import { html, tableHead } from "../draw/element.js";
import { icon } from "../draw/icons.js";

/** @import { Store } from "../data/types.js" */

/**
 * What a chart shows, beside its specification.
 * @typedef {object} Chart
 * @property {string} name of the file that a saved picture gets, without its ending
 * @property {string} caption what is to be seen, in words; it names the picture for those who do not see it
 * @property {Record<string, any>} spec of Vega-Lite, its data in it; colours may be custom properties, `var(--good)`
 * @property {{columns: string[], rows: (string | number)[][]}} table the same figures
 * @property {(view: View) => void} [drawn] told whenever it is drawn
 */

/**
 * A chart that stands: its parameters can be set, its clicks heard, its scales asked.
 * @typedef {object} View
 * @property {(name: string, value: unknown) => View} signal
 * @property {() => Promise<unknown>} runAsync
 * @property {(kind: string, listener: (event: Event, item: {datum?: Record<string, unknown>} | null) => void) => View} addEventListener
 * @property {(name: string) => ((value: unknown) => number | undefined) & {bandwidth?: () => number}} scale
 * @property {() => {left: number}} padding
 * @property {() => [number, number]} origin
 */

/**
 * @typedef {{finalize: () => void, view: View & {toSVG: () => Promise<string>, toImageURL: (type: string, scale?:
 *   number) => Promise<string>}}} Drawn
 */
/** @typedef {(place: HTMLElement, spec: object, options: object) => Promise<Drawn>} Embed */

/** Where the server has the library. */
const LIBRARY = "/vendor/vega.js";

let loading = /** @type {Promise<Embed> | null} */ (null);

/** The library, fetched once. */
function library() {
  loading ??= import(LIBRARY).then(() => /** @type {any} */ (window).vegaEmbed);
  loading.catch(() => void (loading = null)); // the next chart tries again
  return loading;
}

/**
 * A chart in `container`, instead of what it holds.
 * @param {HTMLElement} container
 * @param {Chart} chart
 * @param {Store} store the page is not idle until the chart is drawn
 * @returns {() => void} removes it
 */
export function drawChart(container, { name, caption, spec, table, drawn: tell }, store) {
  const place = html("div.chart-place");
  // The library empties its element by assigning markup, which the page's policy refuses: this assignment only empties
  // it.
  Object.defineProperty(place, "innerHTML", {
    set: () => {
      place.replaceChildren();
    },
  });
  const figures = html("div.chart-table", { hidden: true }, tableOf(table));
  const asTable = smallButton("As a table", turn, { "aria-pressed": "false" });
  const saveSvg = saving("SVG", async (drawn) => new Blob([await drawn.view.toSVG()], { type: "image/svg+xml" }));
  const savePng = saving("PNG", async (drawn) => blobOf(await drawn.view.toImageURL("png", 2)));
  const figure = html(
    "figure.chart",
    html("figcaption.chart-caption", html("span.chart-words", caption), asTable, saveSvg, savePng),
    place,
    figures,
  );
  container.replaceChildren(figure);
  let drawn = /** @type {Drawn | null} */ (null);
  let isGone = false;
  let turnOfDrawing = 0;
  let theme = store.get().theme;

  /** Drawn again where the theme changes: its colours stand in the picture as they were. */
  async function draw() {
    turnOfDrawing += 1;
    const turn = turnOfDrawing;
    const release = store.hold();
    try {
      const embed = await library();
      if (isGone || turn !== turnOfDrawing) return;
      drawn?.finalize();
      const said = resolved({ description: caption, ...spec });
      // The library takes long: the surroundings of the chart are laid out and painted before.
      await new Promise((done) => void requestAnimationFrame(() => void setTimeout(done)));
      if (isGone || turn !== turnOfDrawing) return;
      drawn = await embed(place, said, OPTIONS);
      tell?.(drawn.view);
    } catch {
      place.replaceChildren(html("p.dim", "The chart could not be drawn; the table has its figures."));
      figures.hidden = false;
    } finally {
      release();
    }
  }

  function turn() {
    figures.hidden = !figures.hidden;
    place.hidden = !figures.hidden;
    asTable.setAttribute("aria-pressed", String(place.hidden));
  }

  /** @param {string} format @param {(drawn: Drawn) => Promise<Blob>} make */
  function saving(format, make) {
    const label = `Save the picture as ${format}`;
    return smallButton(
      [icon("down"), format],
      async () => drawn !== null && save(await make(drawn), `${name}.${format.toLowerCase()}`),
      { "aria-label": label, title: label },
    );
  }

  void draw();
  const system = matchMedia("(prefers-color-scheme: dark)");
  const again = () => void draw();
  system.addEventListener("change", again);
  const remove = store.subscribe((state) => {
    if (state.theme === theme) return;
    theme = state.theme;
    again();
  });
  return () => {
    isGone = true;
    remove();
    system.removeEventListener("change", again);
    drawn?.finalize();
    container.replaceChildren();
  };
}

/** The page's policy lets nothing be run that a specification makes: its expressions are read, not compiled. */
const OPTIONS = Object.freeze({
  mode: "vega-lite",
  renderer: "svg",
  ast: true,
  actions: false,
  defaultStyle: false,
  tooltip: false,
  config: {},
});

/**
 * The specification with the page's colours and letters, each `var(--name)` replaced by its current value.
 * @param {object} spec
 */
function resolved(spec) {
  const style = getComputedStyle(document.body);
  const probe = html("span", { hidden: true });
  document.body.append(probe);
  /** @param {string} variable */
  const value = (variable) => {
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  };
  const text = {
    labelColor: value("--dim"),
    titleColor: value("--dim"),
    labelFont: style.fontFamily,
    titleFont: style.fontFamily,
    titleFontWeight: "normal",
  };
  const look = {
    background: "transparent",
    view: { stroke: null },
    axis: {
      ...text,
      gridColor: value("--line"),
      domainColor: value("--line-strong"),
      tickColor: value("--line-strong"),
    },
    legend: text,
    header: text,
    text: { color: value("--ink"), font: style.fontFamily },
  };
  const named = JSON.stringify(spec).replace(/var\((--[\w-]+)\)/g, (_, variable) => value(variable));
  probe.remove();
  const read = JSON.parse(named);
  return {
    autosize: { type: "fit", contains: "padding" },
    width: "container",
    ...read,
    config: { ...look, ...read.config },
  };
}

/** @param {Chart["table"]} table */
function tableOf({ columns, rows }) {
  return html(
    "table",
    tableHead(columns),
    html(
      "tbody",
      rows.map((row) =>
        html(
          "tr",
          row.map((cell) => html("td", { class: typeof cell === "number" ? "number" : null }, String(cell))),
        ),
      ),
    ),
  );
}

/** @param {string} url of data, as the library gives a picture */
function blobOf(url) {
  const [, type = "", data = ""] = /^data:([^;]+);base64,(.*)$/s.exec(url) ?? [];
  return new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], { type });
}

/** Give the person a file. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = html("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(address);
}
