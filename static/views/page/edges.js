// @ts-check
/** The edges between the panels and the tree: dragged, or moved by the arrow keys, they give a panel another width. */

import { WIDTHS } from "../../data/actions.js";
import { html } from "../../draw/element.js";

/** @import { Actions, State, Store } from "../../data/types.js" */

/** @typedef {keyof State["widths"]} Side */

/** Pixels that an arrow key moves an edge. */
const STEP = 16;

/**
 * @param {HTMLElement} left beside the list of logs
 * @param {HTMLElement} right beside the details and the check
 * @param {Store} store
 * @param {Actions} actions
 */
export function mountEdges(left, right, store, actions) {
  const edges = {
    left: edge("left", "Width of the logs", "logs-panel"),
    right: edge("right", "Width of the details", "details-panel check-panel"),
  };
  left.replaceChildren(edges.left);
  right.replaceChildren(edges.right);

  /** @param {Side} side @param {string} label @param {string} controls */
  function edge(side, label, controls) {
    /** Pixels of the panel's width for a pixel to the right. */
    const outward = side === "left" ? 1 : -1;
    const element = html("div.edge", {
      role: "separator",
      tabindex: 0,
      title: "Drag to resize; double-click for the usual width",
      "aria-label": label,
      "aria-orientation": "vertical",
      "aria-controls": controls,
      "aria-valuemin": WIDTHS.least,
      "aria-valuemax": WIDTHS.most,
      onpointerdown: grasp,
      ondblclick: () => actions.setWidth(side, null),
      onkeydown: step,
    });

    /** @param {Event} event */
    function grasp(event) {
      const { button, clientX, pointerId } = /** @type {PointerEvent} */ (event);
      if (button !== 0) return;
      event.preventDefault();
      element.focus();
      element.setPointerCapture(pointerId);
      const from = store.get().widths[side] - outward * clientX;
      element.onpointermove = (moved) => actions.setWidth(side, from + outward * moved.clientX);
      element.onlostpointercapture = () => (element.onpointermove = null);
    }

    /** @param {Event} event */
    function step(event) {
      const { key, altKey } = /** @type {KeyboardEvent} */ (event);
      const width = store.get().widths[side];
      const to = /** @type {Record<string, number>} */ ({
        ArrowLeft: width - outward * STEP,
        ArrowRight: width + outward * STEP,
        Home: WIDTHS.least,
        End: WIDTHS.most,
      })[key];
      if (to === undefined || altKey) return;
      event.preventDefault();
      actions.setWidth(side, to);
    }

    return element;
  }

  /** @param {State} state */
  function draw({ panels, widths }) {
    left.hidden = !panels.logs;
    right.hidden = !panels.details && !panels.check;
    for (const side of /** @type {Side[]} */ (["left", "right"])) {
      edges[side].setAttribute("aria-valuenow", String(widths[side]));
      document.documentElement.style.setProperty(`--${side}`, `${widths[side]}px`);
    }
  }

  store.follow(draw);
}
