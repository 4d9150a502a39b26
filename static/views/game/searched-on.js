// @ts-check
/** A search from a node on, below its board: asked for by an agent's line, followed, and set beside the log. */

import { smallButton } from "../../draw/buttons.js";
import { html, progressBar, redraw, withCode } from "../../draw/element.js";
import { count } from "../../draw/numbers.js";
import { idle } from "../page/focus.js";
import { notCompared } from "./actions.js";

/** @import { Id, Mount, SearchedOn, State } from "../../data/types.js" */

/** @type {Mount} */
export function mountSearchedOn(container, store, actions) {
  let shown = /** @type {Id | null} */ (null);
  const line = html("input.field", {
    "aria-label": "Search with",
    "data-key": "searched-on-line",
    autocomplete: "off",
    spellcheck: "false",
    title: "depth=6, nodes=100000, seconds=5, algorithm=mcts,playouts=2000: other options stay those of the log",
  });
  const form = html(
    "form",
    {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (shown !== null && line.value.trim() !== "") void actions.searchOn(shown, "POST", line.value.trim());
      },
    },
    line,
    html("button.button", { type: "submit", "data-key": "searched-on-begin" }, "Search"),
  );
  const said = html("div", { role: "status" });
  container.replaceChildren(form, said);

  /** @param {State} state */
  function draw({ searchedOn: found, details, opened }) {
    container.hidden = found === null || found.node !== details?.id;
    if (found === null || container.hidden) return;
    if (shown !== found.node) {
      line.value = found.agent ?? "";
      void idle().then(() => line.focus()); // details that had been closed are drawn first
    }
    shown = found.node;
    form.hidden = ["running", "refused"].includes(found.state);
    redraw(
      said,
      html("p", withCode(wordsOf(found))),
      found.state === "running" && [
        progressBar("Search from here"),
        smallButton("Cancel the search", () => void actions.searchOn(found.node, "DELETE"), {
          "data-key": "searched-on-cancel",
        }),
      ],
      found.log !== undefined && html("p.dim", notCompared(found, opened)),
      found.log !== undefined &&
        smallButton(
          notCompared(found, opened) === null ? "Compare with its log" : "Open its log",
          () => void actions.openSearchedOn(found),
          { "data-key": "searched-on-open" },
        ),
    );
  }

  store.follow(draw, ["searchedOn", "details"]);
}

/** @param {SearchedOn} found */
function wordsOf({ state, reason = "", phase, depth, nodes = 0, playouts, seconds = 0, ply, says = "" }) {
  if (state === "refused") return `This cannot be searched on: ${reason}.`;
  if (state === "failed") return `The search did not come to its end: ${reason}.`;
  if (state !== "running") return says;
  if (phase === "writing") return "Writing its log\u2026";
  if (phase !== "searching") return "Getting ready\u2026";
  const done = playouts === undefined ? `Depth ${depth}: ${count(nodes)} nodes` : `${count(playouts)} play-outs`;
  return `${done} in ${seconds.toFixed(1)} s.${ply ? ` Best so far: ${ply}.` : ""}`;
}
