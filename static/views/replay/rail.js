// @ts-check
/**
 * The rail along the time of the search: a lane each for hits, findings and stops, a tick a pixel, higher where there
 * are more. A press goes to the nearest; with the focus on a lane the arrow keys go from tick to tick.
 */

import { enteredAt } from "../../data/then.js";
import { html, redraw, svg } from "../../draw/element.js";
import { count, counted } from "../../draw/numbers.js";

/** @import { Mount, RailMark, State } from "../../data/types.js" */

/** Pixels of a lane. */
const HEIGHT = 10;
/** The lanes from above, with the noun for their marks. */
const LANES = /** @type {const} */ ([
  ["stops", "stops", "stop of a run", "stops of a run"],
  ["hits", "hits", "hit of the query", "hits of the query"],
  ["findings", "wrong", "finding: wrong", "findings: wrong"],
  ["findings", "waste", "finding: waste", "findings: waste"],
  ["findings", "odd", "finding: odd", "findings: odd"],
]);
/** Pixels within which a press means a tick. */
const NEAR = 6;

/** @type {Mount} */
export function mountRail(container, store, actions) {
  const lanes = html("div.rail-lanes");
  container.replaceChildren(lanes);

  /** The event of the current place. @param {State} state */
  function placeOf({ replay, nodes, selected }) {
    if (replay !== null) return replay.event;
    const node = selected === null ? undefined : nodes.get(selected);
    return node === undefined ? null : enteredAt(node);
  }

  /** @param {RailMark | undefined} mark */
  function go(mark) {
    if (mark === undefined) return;
    const [, , event, id] = mark;
    void (store.get().replay === null ? actions.goTo(id) : actions.seekReplay(event));
  }

  /** @param {readonly RailMark[]} marks @param {number} x */
  function nearest(marks, x) {
    const mark = marks.reduce(
      (best, each) => (Math.abs(each[0] - x) < Math.abs(best[0] - x) ? each : best),
      marks[0] ?? [Infinity, 0, 0, 0],
    );
    return Math.abs(mark[0] - x) <= NEAR ? mark : undefined;
  }

  /** @param {KeyboardEvent} event @param {readonly RailMark[]} marks */
  function keyed(event, marks) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const here = placeOf(store.get()) ?? -1;
    const to = /** @type {Record<string, () => RailMark | undefined>} */ ({
      ArrowRight: () => marks.find(([, , at]) => at > here),
      ArrowLeft: () => marks.findLast(([, , at]) => at < here),
      Home: () => marks[0],
      End: () => marks.at(-1),
    })[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(to());
  }

  /** @param {State} state */
  function draw(state) {
    const here = placeOf(state);
    const drawn = LANES.flatMap(([part, name, one, many]) => {
      const found = state.rail[part];
      const marks = found?.lanes[name] ?? [];
      if (found === null || (marks.length === 0 && part === "findings")) return [];
      return [lane(name, marks, found, here, [one, many])];
    });
    redraw(lanes, drawn);
    const width = Math.floor(lanes.getBoundingClientRect().width);
    if (width > 0) actions.setRailWidth(width);
  }

  /**
   * @param {string} name
   * @param {readonly RailMark[]} marks
   * @param {{width: number, events: number}} found
   * @param {number | null} here
   * @param {[string, string]} nouns
   */
  function lane(name, marks, { width, events }, here, [one, many]) {
    const total = marks.reduce((sum, [, n]) => sum + n, 0);
    const most = Math.log2(1 + Math.max(1, ...marks.map(([, n]) => n)));
    const ticks = marks
      .map(([x, n]) => `M${x + 0.5} ${HEIGHT}v${-(3 + (HEIGHT - 3) * (Math.log2(1 + n) / most)).toFixed(1)}`)
      .join("");
    const at = here === null ? null : (here / Math.max(1, events)) * width;
    const passed = here === null ? 0 : marks.filter(([, , event]) => event <= here).length;
    const label = `${counted(total, one, many)} along the search`;
    return html(
      "div",
      {
        class: `rail-lane rail-${name}`,
        role: "slider",
        tabindex: 0,
        "data-key": `rail-${name}`,
        "aria-label": label,
        "aria-valuemin": 0,
        "aria-valuemax": marks.length,
        "aria-valuenow": passed,
        "aria-valuetext": `${count(passed)} of ${counted(marks.length, "tick")} passed`,
        title: `${label}: press a tick, or the arrow keys`,
        onkeydown: (/** @type {KeyboardEvent} */ event) => keyed(event, marks),
        onclick: (/** @type {MouseEvent} */ event) => {
          const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
          go(nearest(marks, ((event.clientX - box.left) / box.width) * width));
        },
      },
      svg(
        "svg.rail-drawing",
        { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("path.rail-ticks", { d: ticks }),
        at !== null && svg("path.rail-here", { d: `M${at.toFixed(1)} 0v${HEIGHT}` }),
      ),
    );
  }

  const watcher = new ResizeObserver(() => draw(store.get()));
  watcher.observe(lanes);
  store.follow(draw, ["rail", "replay", "selected", "phase"]);
}
