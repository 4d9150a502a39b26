// @ts-check
/**
 * The panel of other weights: what they make of the choice, a slider a weight, and how far each may go.
 * Longer than most files because sliders, words and table are drawn from one answer and kept while they are used.
 */

import { withCode, html, redraw } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { brief } from "../../draw/seen.js";
import { spanOf, standsText, stepOf, track, weightText } from "./words.js";
import { againPart } from "./again.js";

/** @typedef {import("../../data/types.js").State} State */
/** @typedef {import("../../data/actions.js").Actions} Actions */

/**
 * A weight's row, whose controls stay while one drags.
 * @typedef {{row: HTMLElement, undo: HTMLElement, slider: HTMLInputElement, number: HTMLInputElement, track:
 *   HTMLElement, drawn: string}} Row
 */

/**
 * @param {HTMLElement} container
 * @param {import("../../data/state.js").Store} store
 * @param {Actions} actions
 * @returns {() => void}
 */
export function mountWeights(container, store, actions) {
  const reset = html(
    "button",
    {
      class: "button button-small",
      type: "button",
      title: "The weights of the log again",
      onclick: () => void actions.endWeights(),
    },
    "Reset",
  );
  const copy = html(
    "button",
    { class: "button", type: "button", onclick: () => void copyWeights() },
    icon("copy"),
    html("span", {}, "Copy weights"),
  );
  const words = html("p", { class: "weights-words", role: "status" });
  const list = html("div", { class: "weights-list", role: "group", "aria-label": "Weights" });
  const fixed = html("div");
  const again = html("div", { class: "again" });
  const note = html("p", { class: "weights-note" });
  const controls = html(
    "div",
    { class: "section" },
    html(
      "div",
      { class: "weights-key dim", "aria-hidden": "true" },
      "Weights",
      key("certain"),
      key("depends"),
      key("falls"),
    ),
    list,
    fixed,
    note,
    again,
    html("div", { class: "weights-buttons" }, copy),
  );
  const flips = html("div", { class: "section flips" });
  container.replaceChildren(head(), html("div", { class: "section" }, words), controls, flips);
  /** @type {Map<string, Row>} */
  const rows = new Map();
  let names = "";
  /** @type {Map<string, unknown[]>} by part: what it showed when it was drawn last */
  const drawn = new Map();

  function head() {
    return html(
      "div",
      { class: "details-head" },
      icon("sliders"),
      html("h2", { class: "details-name" }, "With other weights"),
      reset,
      html(
        "button",
        {
          class: "button button-icon button-small",
          type: "button",
          "aria-label": "Close the weights",
          title: "Close (G)",
          onclick: () => actions.closeWeights(),
        },
        icon("close"),
      ),
    );
  }

  /** @param {string} state */
  function key(state) {
    return html("span", { class: "weights-key-part" }, html("span", { class: `track-sample track-${state}` }), state);
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
   * What was typed: nothing is the weight of the log, what is no number is said and stays as it was.
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
    const slider = html("input", {
      class: "weight-slider",
      type: "range",
      "aria-label": `Weight of ${name}`,
      oninput: () => void actions.setWeight(name, Number(slider.value)),
    });
    const number = html("input", {
      class: "field weight-number number",
      type: "number",
      step: "any",
      "aria-label": `Weight of ${name}, a number`,
      onchange: () => void typed(name, number),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Escape") number.value = fieldText(weightsOf(name).now); // what was begun is not taken
      },
    });
    const undo = html(
      "button",
      {
        class: "button button-icon weight-undo",
        type: "button",
        "aria-label": `${name} as logged`,
        onclick: () => void actions.setWeight(name, weightsOf(name).logged).then(() => slider.focus()),
      },
      icon("close"),
    );
    const place = html("span", { class: "track" });
    const row = html(
      "div",
      {
        class: "weight",
        "data-factor": name,
        onpointerdown: () => actions.pickFactor(name),
        onfocusin: () => actions.pickFactor(name),
      },
      html("bdi", { class: "weight-name cut", title: name }, name),
      html("span", { class: "weight-track" }, place, slider),
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
        `${weightText(now)}${range === undefined || standsText(range) === "" ? "" : `, certain ${standsText(range)}`}`,
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
      found.parts.map(({ text, id, strong }, place) => {
        if (id !== null)
          return html(
            "button",
            {
              class: "weights-link",
              type: "button",
              "data-key": `weights-${place}`,
              onclick: () => void actions.goTo(id),
            },
            brief(text),
          );
        return strong ? html("strong", {}, brief(text)) : text;
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
          html(
            "button",
            {
              class: "weights-link",
              type: "button",
              "data-key": `flips-${range.name}`,
              "aria-pressed": String(range.name === factor),
              onclick: () => actions.showFactor(range.name),
            },
            html("bdi", {}, range.name),
          ),
        ),
        html("td", { class: "number" }, range.takes),
        html(
          "td",
          { class: "number dim" },
          standsText(range) || (range.state === "falls" ? "another is first" : "depends as logged"),
        ),
      ),
    );
    return [
      html("h3", { class: "section-title" }, "How little unsettles the choice"),
      html(
        "table",
        { class: "flips-table" },
        html(
          "thead",
          {},
          html(
            "tr",
            {},
            ["weight", "change", "certain"].map((title) => html("th", { scope: "col" }, title)),
          ),
        ),
        html("tbody", {}, rows),
      ),
      html("p", { class: "dim" }, "Each alone, the others as logged. A weight shows its chart."),
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
   * Draw a part where what it shows is another than the last time.
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

  /** Which leaves took part, and which weights cannot be changed. @param {import("../../data/types.js").Reweighted | null} found */
  function drawLeaves(found) {
    if (found === null) return;
    redraw(
      fixed,
      Object.values(found.fixed).map((reason) => html("p", { class: "dim weights-fixed" }, withCode(`${reason}.`))),
    );
    redraw(
      note,
      icon("info"),
      html("span", {}, `Each track: that weight alone, the others as logged. ${found.leaves.words}`),
    );
  }

  draw(store.get());
  const remove = store.subscribe((state, previous) => {
    if (state.weights !== previous.weights || state.panels !== previous.panels) draw(state);
  });
  return () => {
    remove();
    container.replaceChildren();
  };
}

/** A weight as it stands in a field. @param {number} weight */
function fieldText(weight) {
  return String(Number(weight.toPrecision(10)));
}

/** Why there is no answer, as a sentence. @param {import("../../data/types.js").WeightsState | null} waits */
function says(waits) {
  if (waits?.state !== "refused" && waits?.state !== "failed") return "Weighing the leaves\u2026";
  const { reason = "this log cannot be re-weighed" } = waits;
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
