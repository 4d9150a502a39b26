// @ts-check
/**
 * At the top of the details while a search is replayed: the nodes that it is in, the root first. Each has the best so
 * far and, on one scale for all, the window that is left; the edge that has just moved is ringed.
 */

import { isStub } from "../../data/claims.js";
import { button } from "../../draw/buttons.js";
import { html, redraw, svg } from "../../draw/element.js";
import { count, decimalsFor, signed } from "../../draw/numbers.js";
import { openText, openWindowText, windowBar, windowScale } from "../../draw/window-bar.js";
import { nodeName } from "../../draw/words.js";

/** @import { Moment, Mount, Open, State } from "../../data/types.js" */
/** @import { Scale } from "../../draw/window-bar.js" */

/** Width and height of a bar, in pixels. */
const BAR = { x: 0, y: 0, width: 64, height: 10 };

/** @type {Mount} */
export function mountReplayStack(container, store, actions) {
  const stack = html("ol.replay-stack", { "aria-label": "Nodes that the search is in" });
  const title = html("h2.section-title", "The search is in");
  container.replaceChildren(title, stack);
  let last = /** @type {Moment | null} */ (null);
  let before = /** @type {Moment | null} */ (null);

  /** @param {State} state */
  function draw(state) {
    const { replay } = state;
    if (replay === null) return;
    if (replay !== last) [before, last] = [last, replay];
    const scale = windowScale(replay.stack);
    const rows = replay.stack.map((open, i) => html("li", frame(state, replay, open, i, scale)));
    if (replay.more !== undefined)
      rows.splice(replay.stack.length / 2, 0, html("li.dim.replay-more", `${count(replay.more)} more between these`));
    redraw(stack, rows);
    stack.scrollTop = stack.scrollHeight;
  }

  /** The edge of a node's window that the last step moved. @param {Open} open */
  function movedEdge(open) {
    const was = before?.stack.find(({ id }) => id === open.id);
    if (was === undefined) return null;
    return was.alpha !== open.alpha ? "alpha" : was.beta !== open.beta ? "beta" : null;
  }

  /** @param {State} state @param {Moment} replay @param {Open} open @param {number} i @param {Scale} scale */
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
    return button(
      [
        html("b.cut", name),
        svg(
          "svg.replay-window-bar",
          { width: BAR.width, height: BAR.height, "aria-hidden": "true" },
          windowBar(open, scale, BAR, moved),
        ),
        html(
          "span.replay-window.number.cut",
          window === "" ? (node !== undefined && isStub(node) ? "" : "no window") : window,
        ),
        html("span.number", open.best === undefined ? "\u2013" : signed(open.best, decimals)),
      ],
      () => void actions.goTo(open.id),
      {
        class: isClosed ? "replay-frame replay-left" : "replay-frame",
        "data-key": `frame-${open.id}`,
        "aria-label": label,
        title: label,
        "aria-current": open.id === state.selected && "true",
      },
    );
  }

  store.follow(draw, ["replay", "details", "revision", "selected"]);
}
