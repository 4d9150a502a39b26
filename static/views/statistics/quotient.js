// @ts-check
/** The first part of the root's details: the plies that the randomness quotient may play, the drawn rank ringed, and a slider for Q. */

import { html, redraw, withCode } from "../../draw/element.js";
import { drawFigures } from "./figures.js";
import { count } from "../../draw/numbers.js";
import { RANK_COLUMNS, rankCaption, rankRows } from "./ranks.js";

/** @import { Quotient } from "../../data/answers.js" */
/** @import { Mount, Opened, State } from "../../data/types.js" */

/** Ranks shown; the statistics list more. */
const MOST_ROWS = 10;
const GREATEST = 20;

/** @type {Mount} */
export function mountQuotient(container, store, actions) {
  /** @type {Opened | null} */
  let shown = null;
  /** @type {Quotient | null} */
  let found = null;
  let logged = 0;
  let asked = 0;

  /** @param {number} [q] */
  async function ask(q) {
    const mine = ++asked;
    const release = store.hold();
    try {
      const answer = await actions.quotient(q);
      if (mine !== asked) return;
      if (answer.quotient === null) {
        found = null;
        redraw(container, [title(), html("p.dim", withCode(`Not given: ${answer.says}.`))]);
        return;
      }
      found = answer;
      if (q === undefined) logged = found.quotient;
      draw(found);
    } catch {
      if (mine === asked) redraw(container, [title(), html("p.dim", "The server gives no answer.")]);
    } finally {
      release();
    }
  }

  const title = () => html("h3.section-title", "Randomness quotient");

  /** @param {Quotient} of */
  function draw(of) {
    const isOther = of.quotient !== logged;
    const ply = shown?.result?.["ply"];
    const rows = rankRows(of, {
      act: (id) => void actions.goTo(id),
      most: MOST_ROWS,
      ...(typeof ply === "string" && { drawn: ply }),
    });
    const left = of.n_plies - rows.length;
    redraw(container, [
      title(),
      html("p.figure-caption", rankCaption(of)),
      drawFigures("How often each rank is played, and what it costs", "rank", RANK_COLUMNS, rows),
      left > 0 && html("p.dim.figure-caption", `and ${count(left)} ranks below these`),
      html(
        "label.quotient-choice",
        "Q",
        html("input", {
          type: "range",
          min: String(Math.min(2, logged)),
          max: String(Math.max(GREATEST, logged)),
          value: String(of.quotient),
          "data-key": "quotient-slider",
          "aria-label": "Randomness quotient",
          "aria-valuetext": `Q = ${of.quotient}`,
          oninput: (/** @type {Event} */ event) =>
            void ask(Number(/** @type {HTMLInputElement} */ (event.currentTarget).value)),
        }),
        html("output.number", String(of.quotient)),
      ),
      isOther && html("p.dim.figure-caption", `The search drew with Q = ${logged}.`),
    ]);
  }

  /** @param {State} state */
  function follow({ opened }) {
    if (container.hidden || opened === null || opened === shown) return;
    shown = opened;
    void ask();
  }

  follow(store.get());
  store.subscribe(follow);
}
