// @ts-check
/** At the top of the details: why X rather than Y, in sentences whose figures lead to their nodes, and as a waterfall. */

import { html, redraw } from "../draw/element.js";
import { signed } from "../draw/numbers.js";
import { stepsOf, waterfall, waterfallPicture } from "../draw/waterfall.js";
import { keepingBoard } from "./details-board.js";

/** @typedef {import("../data/types.js").State} State */
/** @typedef {import("../data/types.js").Explanation} Explanation */
/** @typedef {import("../data/types.js").PairedPly} PairedPly */
/** @typedef {import("../data/actions.js").Actions} Actions */

/**
 * @param {HTMLElement} container
 * @param {import("../data/state.js").Store} store
 * @param {Actions} actions
 * @returns {() => void}
 */
export function mountWhy(container, store, actions) {
  /** @param {State} state */
  function draw({ why }) {
    if (why === null) return;
    const { answer, error } = why;
    const drawn = answer === null
      ? [html("p", { class: "panel-error", role: "alert" }, error ?? "")]
      : [head(answer), sentences(answer, "said"), chart(answer), sentences(answer, "caveat")];
    keepingBoard(container.parentElement ?? container, () => redraw(container, drawn));
  }

  /** @param {Explanation} answer */
  function head({ chosen, rival }) {
    if (chosen === null || rival === null) return html("h2", { class: "why-title", tabindex: -1, "data-key": "why-title" }, "Why this ply");
    const canSwap = rival.score !== undefined;
    return html(
      "div",
      { class: "why-title", role: "group", "aria-label": "The two plies", tabindex: -1, "data-key": "why-title" },
      html("h2", { class: "visually-hidden" }, "Why this ply and not that one"),
      ply(chosen, "x"),
      html("span", { class: "why-than" }, "rather than"),
      ply(rival, "y"),
      canSwap && html("button", { class: "button button-icon button-small", type: "button", "aria-label": "Swap X and Y", title: "Swap X and Y (X)", "data-key": "why-swap", onclick: () => void actions.swapPair() }, "\u21c5"),
    );
  }

  /** @param {PairedPly} paired @param {"x" | "y"} badge */
  function ply(paired, badge) {
    const score = typeof paired.score === "number" ? signed(paired.score) : "";
    return html(
      "button",
      { class: "why-ply", type: "button", "data-key": `why-${badge}`, title: `${badge.toUpperCase()}: ${paired.path}`, onclick: () => void actions.goTo(paired.id) },
      html("span", { class: `why-badge why-badge-${badge}`, "aria-hidden": "true" }, badge.toUpperCase()),
      html("bdi", { class: "why-name" }, paired.ply ?? `#${paired.id}`),
      html("span", { class: "number" }, { lower: "\u2265 ", upper: "\u2264 ", exact: "", unstated: "" }[paired.bound ?? "exact"] + score),
    );
  }

  /** @param {Explanation} answer @param {"said" | "caveat"} which */
  function sentences({ parts }, which) {
    const shown = parts.filter(({ kind }) => (kind === "caveat") === (which === "caveat"));
    if (shown.length === 0) return null;
    return html(
      "p",
      { class: which === "caveat" ? "why-caveat dim" : "why-words" },
      shown.flatMap(({ segments }, place) => [
        place > 0 && " ",
        ...segments.map(({ text, node, factor }, at) => {
          if (node === undefined) return factor === undefined ? text : html("b", {}, text);
          return html("button", { class: "weights-link", type: "button", "data-key": `why-${which}-${place}-${at}`, onclick: () => void actions.goTo(node) }, text);
        }),
      ]),
    );
  }

  /** @param {Explanation} answer */
  function chart(answer) {
    const steps = stepsOf(answer);
    if (steps.length < 3) return null;
    return html(
      "div",
      { class: "why-chart" },
      html(
        "div",
        { class: "why-chart-head" },
        html("span", { class: "section-title" }, "The margin, where the lines end"),
        html("button", { class: "button button-small", type: "button", title: "Save the chart as a picture (SVG)", "data-key": "why-save", onclick: () => void savePicture(answer) }, "Save picture"),
      ),
      waterfall(steps),
    );
  }

  /** @param {Explanation} answer */
  async function savePicture(answer) {
    const { save } = await import("./chart.js");
    save(new Blob([waterfallPicture(stepsOf(answer))], { type: "image/svg+xml" }), "why.svg");
  }

  void actions.askWhy();
  draw(store.get());
  const remove = store.subscribe((state, previous) => {
    if (state.why !== previous.why) draw(state);
    const moved = /** @type {(keyof State)[]} */ (["selected", "pinned", "nodes", "phase"]).some((key) => state[key] !== previous[key]);
    if (moved && state.phase === "ready") void actions.askWhy();
  });
  return () => {
    remove();
    container.replaceChildren();
  };
}
