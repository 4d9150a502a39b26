// @ts-check
/**
 * The tab *Statistics* of the drawer: the search in figures. Each part has a caption in words and a table of rows, and
 * can be saved as a picture. A figure that the log cannot give is replaced by the reason.
 */

import { messageOf } from "../../data/api.js";
import { besideName } from "../../data/merged.js";
import { button, smallButton } from "../../draw/buttons.js";
import { html, redraw, withCode } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { count } from "../../draw/numbers.js";
import { drawFigures, pairRows, pictureOf } from "./figures.js";
import { lacks } from "./parts.js";
import { save } from "../chart.js";
import { mountIterations } from "./iterations.js";
import { apart, order, pruned } from "./questions.js";
import { visitedLevels, visitedPlies } from "./visited.js";
import { counters, levels, limits, quotient, where } from "./run.js";

/** @import { Statistics } from "../../data/answers.js" */
/** @import { Actions, MountTab } from "../../data/types.js" */
/** @import { Figure } from "./actions.js" */
/** @import { FigureRow } from "./figures.js" */
/** @import { Part } from "./parts.js" */

/** What a log of one tree has to say of iterations. */
const ONE_SEARCH = "The log holds one search, so there is no other to compare its score and choice with.";
/** The note on figures that a best-first tree does not have. */
const MEANINGLESS = "Windows, cuts, smaller limits and the order of plies have no meaning in a best-first tree.";
/** Rows of one part; the others are counted. */
const MOST_ROWS = 40;

/** @type {MountTab} */
export function mountStatistics({ head, body }, store, actions) {
  const jumps = html("nav.figure-jumps", { "aria-label": "Figures" });
  const place = html("div.figure-parts", { tabindex: 0, role: "region", "aria-label": "Figures of the search" });
  const told = html("p.visually-hidden", { role: "status" }); // the answers, to those who do not see them come
  head.replaceChildren(jumps, told);
  body.replaceChildren(place);
  let removeChart = () => {};
  let isGone = false;
  let shown = /** @type {object | null} */ (null);
  let shownBeside = /** @type {string | null} */ (null);

  async function load() {
    const { opened, diff } = store.get();
    const beside = diff.found === null ? null : diff.against;
    if (opened === null || (opened === shown && beside === shownBeside)) return;
    shown = opened;
    shownBeside = beside;
    removeChart();
    removeChart = () => {};
    jumps.replaceChildren();
    place.replaceChildren(html("p.dim.figure-waits", "Counting …"));
    const release = store.hold();
    try {
      const [found, old] = await Promise.all([actions.statistics(), actions.oldStatistics()]);
      if (!isGone && shown === opened && beside === shownBeside) draw(found, old);
    } catch (error) {
      if (!isGone && shown === opened) {
        shown = null;
        const again = smallButton("Count again", () => void load());
        place.replaceChildren(html("p", messageOf(error)), again);
      }
    } finally {
      release();
    }
  }

  /** @param {Statistics} found @param {Statistics | null} old of the log beside this one */
  function draw(found, old) {
    const { questions, figures } = partsOf(found, actions, old);
    const drawnOf = (/** @type {Part} */ part) => drawPart(part, lacks(found, part.name));
    const drawn = questions.map(drawnOf);
    /** @type {Pick<Part, "name" | "title" | "short">[]} */
    const parts = [...questions];
    if (found.iterations.length > 1) {
      const section = html("section.figure-part.figure-wide", { "data-figure": "iterations", tabindex: -1 });
      removeChart = mountIterations(section, found, store, actions);
      drawn.push(section);
      parts.push({ name: "iterations", title: "Iterations" });
    } else if (found.iterations.length === 1) {
      const only = { name: /** @type {const} */ ("iterations"), title: "Iterations", caption: ONE_SEARCH };
      drawn.push(drawnOf(only));
      parts.push(only);
    }
    const key =
      old === null
        ? []
        : [
            html(
              "p.figure-key",
              html("span.bar-sign.bar-old"),
              html("bdi", besideName(store.get())),
              html("span.bar-sign.bar-plain"),
              "this log",
            ),
          ];
    const note = found.visited != null && html("p.dim.figure-note", MEANINGLESS);
    place.replaceChildren(...key, ...drawn, ...figures.map(drawnOf), note || "");
    told.textContent = drawn
      .map((each) => each.querySelector(".figure-says")?.textContent ?? "")
      .filter((says) => says !== "")
      .join(" ");
    redraw(
      jumps,
      [...parts, ...figures].map(({ name, title, short = title }) =>
        button(short, () => reveal(name), { class: "link-button", "data-key": `jump-${name}`, title }),
      ),
    );
    reveal(store.get().figure);
  }

  /** Have a part in sight, and the focus on it. @param {Figure | null} name */
  function reveal(name) {
    const part = name === null ? null : place.querySelector(`[data-figure="${name}"]`);
    if (!(part instanceof HTMLElement)) return;
    part.scrollIntoView({ block: "nearest", inline: "nearest" });
    part.focus({ preventScroll: true });
  }

  void load();
  const remove = store.subscribe((state, previous) => {
    if (state.opened !== previous.opened || state.diff.found !== previous.diff.found) void load();
    else if (state.figure !== previous.figure) reveal(state.figure);
  });
  return () => {
    isGone = true;
    remove();
    removeChart();
    head.replaceChildren();
    body.replaceChildren();
  };
}

/** @param {Part} part @param {Statistics["missing"]} missing */
function drawPart({ name, title, caption, says, what = "", columns = [], rows = [], lead, more = [] }, missing) {
  const shown = rows.slice(0, MOST_ROWS);
  const left = rows.length - shown.length;
  return html(
    "section.figure-part",
    { "data-figure": name, tabindex: -1, "aria-label": title },
    html(
      "div.figure-head",
      html("h2.section-title", title),
      shown.length > 0 &&
        smallButton([icon("down"), "SVG"], (/** @type {Event} */ event) => savePicture(name, caption, rows, event), {
          "aria-label": `Save the picture of “${title}”`,
          title: "Save the picture",
        }),
    ),
    caption !== "" && html("p.figure-caption.figure-says", says ?? caption),
    lead,
    shown.length > 0 && drawFigures(caption, what, columns, shown),
    left > 0 && html("p.dim", `and ${count(left)} more`),
    more,
    missing.map(({ says }) => html("p.dim.figure-lack", withCode(sentence(says)))),
  );
}

/** A part with the rows of another log beside its own, where both have some. @param {Part | null} part @param {Part | null} old */
function paired(part, old) {
  if (part?.rows === undefined || old?.rows === undefined) return part;
  return { ...part, rows: pairRows(part.rows, part.columns ?? [], old.rows, old.columns ?? []) };
}

/** @param {string} says */
function sentence(says) {
  return `${says.charAt(0).toUpperCase()}${says.slice(1)}.`;
}

/** @param {Figure} name @param {string} caption @param {FigureRow[]} rows @param {Event} event */
function savePicture(name, caption, rows, event) {
  const button = /** @type {HTMLElement} */ (event.currentTarget);
  const bar = button.closest(".figure-part")?.querySelector(".bar");
  const style = getComputedStyle(button);
  const look = {
    ink: style.color,
    bar: bar == null ? style.color : getComputedStyle(bar).backgroundColor,
    paper: getComputedStyle(document.body).backgroundColor,
    font: style.fontFamily,
  };
  save(new Blob([pictureOf(caption, rows, look)], { type: "image/svg+xml" }), `${name}.svg`);
}

/**
 * Every part that the log has something for, or says what it lacks; figures of the run in pairs with another log's.
 * @param {Statistics} found
 * @param {Actions} actions
 * @param {Statistics | null} old
 */
function partsOf(found, actions, old) {
  const { visited } = found;
  if (visited != null) {
    const parts = [visitedLevels(visited, actions), visitedPlies(found, visited, actions)];
    const beside =
      old?.visited == null ? [] : [visitedLevels(old.visited, actions), visitedPlies(old, old.visited, actions)];
    const drawn = parts.map((part, at) => paired(part, beside[at] ?? null));
    return { questions: [], figures: drawn.filter((part) => part !== null) };
  }
  const questions = [pruned(found, actions), apart(found, actions), order(found, actions, old)];
  const ofRun = (/** @type {Statistics} */ of) => [
    levels(of, actions),
    limits(of),
    where(of, actions),
    counters(of, actions),
    quotient(of, actions),
  ];
  const before = old === null ? [] : ofRun(old);
  const figures = ofRun(found).map((part, at) => paired(part, before[at] ?? null));
  return { questions: questions.filter((part) => part !== null), figures: figures.filter((part) => part !== null) };
}
