// @ts-check
/** The line below the tree: what its marks and colours mean, and where the selected node stands. */

import { scoreReach } from "../draw/card.js";
import { html } from "../draw/element.js";
import { icon, layerMark } from "../draw/icons.js";
import { count, signed } from "../draw/numbers.js";

/** @typedef {import("../data/types.js").State} State */

const OUTCOMES = {
  searched: "searched",
  cutoff: "cut off",
  leaf: "leaf",
  terminal: "game over",
  tt: "from the table",
  stopped: "stopped",
};

/**
 * @param {HTMLElement} container
 * @param {import("../data/state.js").Store} store
 * @returns {() => void}
 */
export function mountLegend(container, store) {
  const marks = html("ul", { class: "legend-marks", "aria-label": "Key to the tree" });
  const place = html("span", { class: "legend-place number" });
  container.replaceChildren(marks, place);

  /** @param {State} state */
  function draw(state) {
    container.hidden = state.phase !== "ready";
    marks.replaceChildren(...legendItems(state));
    const { selected, opened } = state;
    place.textContent = opened && selected !== null ? `node ${count(selected)} of ${count(opened.totals.rows)} rows` : "";
  }

  draw(store.get());
  const remove = store.subscribe((state, previous) => {
    const same = ["phase", "colour", "opened", "selected"];
    if (same.some((key) => state[/** @type {keyof State} */ (key)] !== previous[/** @type {keyof State} */ (key)])) draw(state);
  });
  return () => {
    remove();
    container.replaceChildren();
  };
}

/**
 * @param {State} state
 * @returns {HTMLElement[]}
 */
function legendItems({ colour, opened }) {
  const items =
    colour === "outcome"
      ? []
      : [html("li", {}, layerMark("max"), "root player moves"), html("li", {}, layerMark("min"), "opponent moves")];
  if (colour === "score") {
    const reach = scoreReach(opened);
    items.push(html("li", { class: "number" }, signed(-reach), html("span", { class: "legend-scale" }), signed(reach)));
  }
  if (colour === "outcome") {
    for (const [outcome, name] of Object.entries(OUTCOMES)) {
      const swatch = html("span", { class: "legend-swatch" });
      swatch.style.setProperty("background", `var(--outcome-${outcome})`);
      items.push(html("li", {}, swatch, name));
    }
    return items;
  }
  items.push(
    html("li", {}, html("span", { class: "legend-line" }), "principal variation"),
    html("li", {}, icon("pruned"), "pruned"),
    html("li", {}, icon("limited"), "over the limit"),
  );
  return items;
}
