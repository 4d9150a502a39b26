// @ts-check
/** The leading ply by number of play-outs, under the overview of a best-first log, from the trees that the log holds. */

import { button } from "../../draw/buttons.js";
import { html, redraw } from "../../draw/element.js";
import { percentText } from "../../draw/lettering.js";
import { count, counted, plain } from "../../draw/numbers.js";
import { seen } from "../../draw/seen.js";

/** @import { Snapshot } from "../../data/answers.js" */
/** @import { Mount, Opened, State } from "../../data/types.js" */

/** @type {Mount} */
export function mountLeaders(container, store, actions) {
  /** @param {State} state */
  function draw({ opened, selected, nodes }) {
    const snapshots = opened?.snapshots ?? [];
    const at = rootOf(selected, nodes);
    redraw(container, [
      html("span.leaders-title.dim", "led:"),
      ...snapshots.map((snapshot, place) => part(snapshot, snapshots[place - 1], snapshot.id === at, opened)),
    ]);
  }

  /**
   * @param {Snapshot} snapshot
   * @param {Snapshot | undefined} before
   * @param {boolean} isHere
   * @param {Opened | null} opened
   */
  function part({ id, playouts, ply, leader, visits, mean }, before, isHere, opened) {
    const name = seen(ply ?? `#${leader}`);
    const ends = opened?.means;
    const worth =
      mean === null
        ? ""
        : `, mean ${ends?.declared ? percentText((mean - ends.low) / (ends.high - ends.low)) : plain(mean, 4)}`;
    const words = `After ${counted(Math.round(playouts), "play-out")} ${name} led, with ${counted(Math.round(visits), "visit")}${worth}. Who led before is not in this log`;
    // As wide as the play-outs grew by powers of ten.
    const grow = before === undefined ? 1 : Math.log10(Math.max(1.0001, playouts / before.playouts));
    return button(
      [html("b", html("bdi", name)), html("span.number.dim", ` after ${count(Math.round(playouts))}`)],
      () => void actions.goTo(id),
      {
        class: `leader${before !== undefined && before.ply !== ply ? " leader-new" : ""}`,
        "data-key": `leader-${id}`,
        "aria-current": isHere && "true",
        title: words,
        style: { "flex-grow": grow.toFixed(3) },
      },
    );
  }

  store.follow(draw, ["opened", "selected"]);
}

/**
 * The root of the tree of a node, as far as its ancestors are known.
 * @param {number | null} id
 * @param {State["nodes"]} nodes
 */
function rootOf(id, nodes) {
  let at = id;
  for (let parent = at; parent !== null; parent = nodes.get(parent)?.parent ?? null) at = parent;
  return at;
}
