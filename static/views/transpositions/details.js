// @ts-check
/** The part of the details on the position of the node: the number of its visits in the log, those drawn, and the path of each. */

import { drawnNodes, samePosition } from "../../data/opening.js";
import { isShared } from "../../data/shared/embedded.js";
import { asOneStop, button } from "../../draw/buttons.js";
import { html, redraw } from "../../draw/element.js";
import { count, counted } from "../../draw/numbers.js";
import { shortScore } from "../../draw/scores.js";
import { seen } from "../../draw/seen.js";
import { nodeName } from "../../draw/words.js";

/** @import { Mount, State } from "../../data/types.js" */

/** @type {Mount} */
export function mountTranspositions(container, store, actions) {
  /** @param {State} state */
  function draw(state) {
    const { details, transpositions: found, replay, opened } = state;
    const id = details?.id ?? null;
    const isThere = found !== null && found.of === id && replay === null;
    container.hidden = !isThere || (found.total < 2 && found.error === undefined);
    if (!isThere || container.hidden) return;
    const { total, items, paths, error } = found;
    if (error !== undefined) return redraw(container, html("p.panel-error", { role: "alert" }, error));
    const drawn = samePosition(state, id, drawnNodes(state)).length + 1;
    const ties = html("input", {
      type: "checkbox",
      "data-key": "ties",
      onchange: () => actions.setShowTies(ties.checked),
    });
    ties.checked = state.showTies;
    const steps = items.map((node, at) => {
      const score = shortScore(node, opened?.search?.["mate"]);
      const path = node.parent === null ? nodeName(node) : seen(paths[at] ?? "");
      const words = [
        html("bdi.cut.transposition-path", path),
        html("span.dim", `#${node.id}`),
        html("span.number", score),
      ];
      return button(words, () => void actions.goTo(node.id), {
        class: "transposition",
        "data-key": `visit-${node.id}`,
        "aria-current": node.id === id && "true",
      });
    });
    redraw(container, [
      html(
        "p",
        `${counted(total, "visit")} of this position in ${isShared ? "this file" : "the log"}, `,
        `${drawn === total ? "all" : count(drawn)} of them drawn. `,
        total > items.length && `The first ${count(items.length)}:`,
      ),
      asOneStop(
        html(
          "ul.transpositions",
          steps.map((step) => html("li", step)),
        ),
      ),
      html(
        "div.transpositions-how",
        html(
          "label.check",
          { title: "Dashed ties from the selected node to the others that are drawn (Shift T)" },
          ties,
          "Ties in the tree",
        ),
        html(
          "span",
          { "data-asks": true },
          button("All as a table", () => void actions.showTable("visits", id), {
            class: "link-button",
            "data-key": "visits-table",
          }),
        ),
      ),
    ]);
  }

  store.follow(
    draw,
    [
      "details",
      "transpositions",
      "replay",
      "showTies",
      "expanded",
      "revision",
      "shown",
      "room",
      "order",
      "least",
      "only",
      "top",
    ],
    { atRest: true },
  );
}
