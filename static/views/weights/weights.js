// @ts-check
/** The panel of other weights: the choice under them, a slider a weight, and the range of each. */

import { button, iconButton, smallButton } from "../../draw/buttons.js";
import { html, redraw, withCode, tableHead } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { brief } from "../../draw/seen.js";
import { spanOf, stepOf, track, weightText } from "./words.js";
import { againPart } from "./again.js";

/** @import { Mount, Reweighted, State, WeightsState } from "../../data/types.js" */

/**
 * A weight's row, whose controls stay while one drags.
 * @typedef {{row: HTMLElement, undo: HTMLElement, slider: HTMLInputElement, number: HTMLInputElement, track:
 *   HTMLElement, drawn: string}} Row
 */

/** @type {Mount} */
export function mountWeights(container, store, actions) {
  const reset = smallButton("Reset", () => void actions.endWeights(), { title: "The weights of the log again" });
  const copy = button([icon("copy"), html("span", "Copy weights")], () => void copyWeights());
  const words = html("p.weights-words", { role: "status" });
  const list = html("div.weights-list", { role: "group", "aria-label": "Weights" });
  const fixed = html("div");
  const again = html("div.again");
  const note = html("p.weights-note");
  const controls = html(
    "div.section",
    html("div.weights-key.dim", { "aria-hidden": "true" }, "Weights", key("certain"), key("depends"), key("falls")),
    list,
    fixed,
    note,
    again,
    html("div.weights-buttons", copy),
  );
  const flips = html("div.section.flips");
  container.replaceChildren(head(), html("div.section", words), controls, flips);
  /** @type {Map<string, Row>} */
  const rows = new Map();
  let names = "";
  /** @type {Map<string, unknown[]>} by part: what it showed when it was drawn last */
  const drawn = new Map();

  function head() {
    return html(
      "div.details-head",
      icon("sliders"),
      html("h2.details-name", "With other weights"),
      reset,
      iconButton("close", "Close the weights", () => actions.closeWeights(), { title: "Close (G)" }),
    );
  }

  /** @param {string} state */
  function key(state) {
    return html("span.weights-key-part", html("span", { class: `track-sample track-${state}` }), state);
  }

  async function copyWeights() {
    const { found } = store.get().weights;
    const text = Object.entries(found?.weights ?? {})
      .map(([name, weight]) => `${name}=${weight}`)
      .join(",");
    try {
      await navigator.clipboard.writeText(text);
      actions.notify("note", `Copied for --weights: ${text}`);
    } catch {
      actions.notify("note", text); // where the browser does not let pages copy, the person does
    }
  }

  /** The weight of the log and the one of now. @param {string} name */
  function weightsOf(name) {
    const { found, changed } = store.get().weights;
    const logged = found?.logged[name] ?? 0;
    return { logged, now: changed[name] ?? logged };
  }

  /**
   * Take a typed weight: an empty text means the weight of the log, a text that is no number gives an error and changes
   * nothing.
   * @param {string} name
   * @param {HTMLInputElement} field
   */
  async function typed(name, field) {
    const text = field.value.trim();
    const isNumber = !field.validity.badInput && Number.isFinite(Number(text));
    if (!isNumber)
      actions.notify(
        "error",
        `The weight of ${name} must be a number, such as 2.5 or -1; it stays ${weightText(weightsOf(name).now)}.`,
      );
    else await actions.setWeight(name, text === "" ? weightsOf(name).logged : Number(text));
    field.value = fieldText(weightsOf(name).now);
  }

  /** @param {string} name @returns {Row} */
  function makeRow(name) {
    const slider = html("input.weight-slider", {
      type: "range",
      "aria-label": `Weight of ${name}`,
      oninput: () => void actions.setWeight(name, Number(slider.value)),
    });
    const number = html("input.field.weight-number.number", {
      type: "number",
      step: "any",
      "aria-label": `Weight of ${name}, a number`,
      onchange: () => void typed(name, number),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Escape") number.value = fieldText(weightsOf(name).now); // what was begun is not taken
      },
    });
    const undo = button(
      icon("close"),
      () => void actions.setWeight(name, weightsOf(name).logged).then(() => slider.focus()),
      { class: "button button-icon weight-undo", "aria-label": `${name} as logged` },
    );
    const place = html("span.track");
    const row = html(
      "div.weight",
      { "data-factor": name, onpointerdown: () => actions.pickFactor(name), onfocusin: () => actions.pickFactor(name) },
      html("bdi.weight-name.cut", { title: name }, name),
      html("span.weight-track", place, slider),
      number,
      undo,
    );
    return { row, undo, slider, number, track: place, drawn: "" };
  }

  /** @param {State} state */
  function drawRows({ weights: { found, ranges, changed } }) {
    if (found === null) return;
    const free = Object.keys(found.weights);
    if (free.join("\n") !== names) {
      names = free.join("\n");
      rows.clear();
      for (const name of free) rows.set(name, makeRow(name));
      list.replaceChildren(...[...rows.values()].map(({ row }) => row));
    }
    const largest = Math.max(...Object.values(found.logged).map((weight) => Math.abs(weight ?? 0)));
    for (const [name, row] of rows) {
      const logged = found.logged[name] ?? 0;
      const now = changed[name] ?? logged;
      const span = spanOf(logged, now, largest);
      const range = ranges?.find((each) => each.name === name);
      const isActive = row.slider === document.activeElement;
      const drawn = [...span, ranges === null].join();
      if (drawn !== row.drawn) {
        row.drawn = drawn;
        row.slider.min = String(span[0]);
        row.slider.max = String(span[1]);
        row.slider.step = String(stepOf(span));
        const fresh = track(range, span, logged);
        row.track.replaceWith(fresh);
        row.track = fresh;
      }
      if (!isActive || Number(row.slider.value) !== now) row.slider.value = String(now);
      if (row.number !== document.activeElement) row.number.value = fieldText(now);
      row.undo.hidden = !(name in changed);
      row.undo.title = `As logged: ${weightText(logged)}`;
      row.row.classList.toggle("weight-changed", name in changed);
      const text = range === undefined ? "" : `As logged ${weightText(logged)}; ${range.words}`;
      row.row.title = text;
      row.slider.setAttribute(
        "aria-valuetext",
        `${weightText(now)}${range === undefined || range.certain === "" ? "" : `, certain ${range.certain}`}`,
      );
    }
  }

  /** @param {State} state */
  function drawWords({ weights: { found, waits } }) {
    if (found === null) {
      const isFailed = waits?.state === "failed";
      redraw(words, html("span", { class: isFailed ? "panel-error" : "dim" }, withCode(says(waits))));
      return;
    }
    redraw(
      words,
      found.parts.flatMap(({ text, id, strong }, place) => {
        if (id !== null)
          return button(brief(text), () => void actions.goTo(id), {
            class: "weights-link",
            "data-key": `weights-${place}`,
          });
        return strong ? html("strong", brief(text)) : withCode(text);
      }),
    );
  }

  /** By how little each weight alone unsettles the choice, the closest first. @param {State} state */
  function flipsTable({ weights: { ranges, factor } }) {
    const rows = (ranges ?? []).map((range) =>
      html(
        "tr",
        { title: `${range.name} ${weightText(range.weight)}: ${range.words}` },
        html(
          "th",
          { scope: "row" },
          button(html("bdi", range.name), () => actions.showFactor(range.name), {
            class: "weights-link",
            "data-key": `flips-${range.name}`,
            "aria-pressed": String(range.name === factor),
          }),
        ),
        html("td.number", range.takes),
        html("td.number.dim", range.certain || (range.state === "falls" ? "another is first" : "depends as logged")),
      ),
    );
    return [
      html("h3.section-title", "How little unsettles the choice"),
      html("table.flips-table", tableHead(["weight", "change", "certain"]), html("tbody", rows)),
      html("p.dim", "Each alone, the others as logged. A weight shows its chart."),
    ];
  }

  /** @param {State} state */
  function draw(state) {
    if (!state.panels.weights) return;
    const { found, waits, changed, ranges } = state.weights;
    container.setAttribute("aria-busy", String(found === null && (waits === null || waits.state === "running")));
    controls.hidden = found === null;
    flips.hidden = found === null || ranges === null || ranges.length === 0;
    reset.disabled = Object.keys(changed).length === 0;
    drawRows(state);
    once("words", [found, waits], () => drawWords(state));
    once("again", [state.weights.again, reset.disabled], () => redraw(again, againPart(state, actions)));
    once("flips", [ranges, state.weights.factor], () => redraw(flips, flipsTable(state)));
    once("leaves", [found?.leaves.words, Object.values(found?.fixed ?? {}).join()], () => drawLeaves(found));
  }

  /**
   * Draw a part if its content has changed since the last time.
   * @param {string} part
   * @param {unknown[]} shown
   * @param {() => void} drawPart
   */
  function once(part, shown, drawPart) {
    const before = drawn.get(part);
    if (before !== undefined && shown.every((each, i) => each === before[i])) return;
    drawn.set(part, shown);
    drawPart();
  }

  /** Which leaves took part, and which weights cannot be changed. @param {Reweighted | null} found */
  function drawLeaves(found) {
    if (found === null) return;
    redraw(
      fixed,
      Object.values(found.fixed).map((reason) => html("p.dim.weights-fixed", withCode(`${reason}.`))),
    );
    redraw(
      note,
      icon("info"),
      html("span", `Each track: that weight alone, the others as logged. ${found.leaves.words}`),
    );
  }

  store.follow(draw, ["weights", "panels"]);
}

/** A weight as the text of a field. @param {number} weight */
function fieldText(weight) {
  return String(Number(weight.toPrecision(10)));
}

/** Why there is no answer, as a sentence. @param {WeightsState | null} waits */
function says(waits) {
  if (waits?.state !== "refused" && waits?.state !== "failed") return "Weighing the leaves\u2026";
  const { reason = "this log cannot be re-weighed" } = waits;
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
