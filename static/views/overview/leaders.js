// @ts-check
/** Under the overview of a best-first log: which ply led after how many play-outs, from the trees that it holds. */

import { html, redraw } from "../../draw/element.js";
import { percentText } from "../../draw/lettering.js";
import { count, counted, plain } from "../../draw/numbers.js";
import { seen } from "../../draw/seen.js";

/** @import {Snapshot} from "../../data/answers.js" */

/**
 * @param {HTMLElement} container
 * @param {import("../../data/state.js").Store} store
 * @param {import("../../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountLeaders(container, store, actions) {
  /** @param {import("../../data/types.js").State} state */
  function draw({ opened, selected, nodes }) {
    const snapshots = opened?.snapshots ?? [];
    const at = rootOf(selected, nodes);
    redraw(container, [
      html("span", { class: "leaders-title dim" }, "led:"),
      ...snapshots.map((snapshot, place) => part(snapshot, snapshots[place - 1], snapshot.id === at, opened)),
    ]);
  }

  /**
   * @param {Snapshot} snapshot
   * @param {Snapshot | undefined} before
   * @param {boolean} isHere
   * @param {import("../../data/types.js").Opened | null} opened
   */
  function part({ id, playouts, ply, leader, visits, mean }, before, isHere, opened) {
    const name = seen(ply ?? `#${leader}`);
    const ends = opened?.means;
    const worth =
      mean === null
        ? ""
        : `, mean ${ends?.declared ? percentText((mean - ends.low) / (ends.high - ends.low)) : plain(mean, 4)}`;
    const words = `After ${counted(Math.round(playouts), "play-out")} ${name} led, with ${counted(Math.round(visits), "visit")}${worth}. Who led before is not in this log`;
    const button = html(
      "button",
      {
        class: `leader${before !== undefined && before.ply !== ply ? " leader-new" : ""}`,
        type: "button",
        "data-key": `leader-${id}`,
        "aria-current": isHere && "true",
        title: words,
        onclick: () => void actions.goTo(id),
      },
      html("b", {}, html("bdi", {}, name)),
      html("span", { class: "number dim" }, ` after ${count(Math.round(playouts))}`),
    );
    // As long as its play-outs are more than those before, by powers of ten.
    const grow = before === undefined ? 1 : Math.log10(Math.max(1.0001, playouts / before.playouts));
    button.style.setProperty("flex-grow", grow.toFixed(3));
    return button;
  }

  draw(store.get());
  const remove = store.subscribe((state, previous) => {
    if (state.opened !== previous.opened || state.selected !== previous.selected) draw(state);
  });
  return () => {
    remove();
    container.replaceChildren();
  };
}

/**
 * The root of the tree of a node, as far as its ancestors are known.
 * @param {number | null} id
 * @param {import("../../data/types.js").State["nodes"]} nodes
 */
function rootOf(id, nodes) {
  let at = id;
  for (let parent = at; parent !== null; parent = nodes.get(parent)?.parent ?? null) at = parent;
  return at;
}
