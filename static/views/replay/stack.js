// @ts-check
/**
 * At the top of the details while a search is replayed: the nodes that it is in, the root first. Each has the best so
 * far and, on one scale for all, the window that is left; the edge that has just moved is ringed.
 */

import { isStub } from "../../data/claims.js";
import { html, redraw, svg } from "../../draw/element.js";
import { count, decimalsFor, signed } from "../../draw/numbers.js";
import { openText, openWindowText, windowBar, windowScale } from "../../draw/window-bar.js";
import { nodeName } from "../../draw/words.js";

/** @typedef {import("../../data/types.js").State} State */
/** @typedef {import("../../data/types.js").Open} Open */
/** @typedef {import("../../data/types.js").Moment} Moment */

/** Width and height of a bar, in pixels. */
const BAR = { x: 0, y: 0, width: 64, height: 10 };

/**
 * @param {HTMLElement} container
 * @param {import("../../data/state.js").Store} store
 * @param {import("../../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountReplayStack(container, store, actions) {
  const stack = html("ol", { class: "replay-stack", "aria-label": "Nodes that the search is in" });
  const title = html("h2", { class: "section-title" }, "The search is in");
  container.replaceChildren(title, stack);
  let last = /** @type {Moment | null} */ (null);
  let before = /** @type {Moment | null} */ (null);

  /** @param {State} state */
  function draw(state) {
    const { replay } = state;
    if (replay === null) return;
    if (replay !== last) [before, last] = [last, replay];
    const scale = windowScale(replay.stack);
    const rows = replay.stack.map((open, i) => html("li", {}, frame(state, replay, open, i, scale)));
    if (replay.more !== undefined)
      rows.splice(
        replay.stack.length / 2,
        0,
        html("li", { class: "dim replay-more" }, `${count(replay.more)} more between these`),
      );
    redraw(stack, rows);
    stack.scrollTop = stack.scrollHeight;
  }

  /** The edge of a node's window that the last step moved. @param {Open} open @returns {"alpha" | "beta" | null} */
  function movedEdge(open) {
    const was = before?.stack.find(({ id }) => id === open.id);
    if (was === undefined) return null;
    return was.alpha !== open.alpha ? "alpha" : was.beta !== open.beta ? "beta" : null;
  }

  /**
   * @param {State} state
   * @param {Moment} replay
   * @param {Open} open
   * @param {number} i
   * @param {import("../../draw/window-bar.js").Scale} scale
   */
  function frame(state, replay, open, i, scale) {
    const node = state.nodes.get(open.id);
    const name = node === undefined ? (open.ply ?? "root") : node.parent === null ? "root" : nodeName(node);
    const isClosed = i === replay.stack.length - 1 && !replay.enters;
    const moved = movedEdge(open);
    const decimals = decimalsFor(
      replay.stack.flatMap(({ alpha, beta, best }) => [alpha, beta, best]),
      2,
    );
    const window = openWindowText(open, decimals);
    const label = `${name}: ${openText(open)}${moved === null ? "" : `, ${moved} has just moved`}${isClosed ? ", left now" : ""}`;
    return html(
      "button",
      {
        class: isClosed ? "replay-frame replay-left" : "replay-frame",
        type: "button",
        "data-key": `frame-${open.id}`,
        "aria-label": label,
        title: label,
        "aria-current": open.id === state.selected && "true",
        onclick: () => void actions.goTo(open.id),
      },
      html("b", { class: "cut" }, name),
      svg(
        "svg",
        { class: "replay-window-bar", width: BAR.width, height: BAR.height, "aria-hidden": "true" },
        windowBar(open, scale, BAR, moved),
      ),
      html(
        "span",
        { class: "replay-window number cut" },
        window === "" ? (node !== undefined && isStub(node) ? "" : "no window") : window,
      ),
      html("span", { class: "number" }, open.best === undefined ? "\u2013" : signed(open.best, decimals)),
    );
  }

  draw(store.get());
  const remove = store.subscribe((state, previous) => {
    // The details put the list in its place again, which scrolls it back.
    if (
      state.replay !== previous.replay ||
      state.details !== previous.details ||
      state.revision !== previous.revision ||
      state.selected !== previous.selected
    )
      draw(state);
  });
  return () => {
    remove();
    container.replaceChildren();
  };
}
