// @ts-check
/** The run: the chosen ply and its cost, the principal variation, and the nodes of each level. */

import { isBestFirst } from "../../data/claims.js";
import { isOfGame } from "../game/actions.js";
import { drawLevels } from "../../draw/bars.js";
import { button } from "../../draw/buttons.js";
import { html, redraw } from "../../draw/element.js";
import { atLeast, count, shortCount } from "../../draw/numbers.js";
import { counterFields, runFields } from "../../draw/run-words.js";
import { createSteps } from "../../draw/steps.js";
import { nodeName } from "../../draw/words.js";

/** @import { LevelCounts } from "../../data/answers.js" */
/** @import { Actions, Mount, Opened, State } from "../../data/types.js" */
/** @import { DrawSteps } from "../../draw/steps.js" */
/** @import { Figure } from "../statistics/actions.js" */

/** Levels shown before the rest is summed up. */
const LEVELS = 40;

/** @type {Mount} */
export function mountRun(container, store, actions) {
  const drawSteps = createSteps();

  /** @param {State} state */
  function draw(state) {
    const { opened } = state;
    container.hidden = opened === null;
    redraw(
      container,
      opened === null
        ? []
        : [
            runSection(state, opened, actions),
            lineSection(state, opened, actions, drawSteps),
            techniquesSection(opened, actions),
            levelsSection(opened, actions),
          ],
    );
  }

  store.follow(draw, ["opened", "revision", "selected"], { atRest: true });
}

/**
 * A title that leads to the statistics of the part below it.
 * @param {string} text
 * @param {Figure} figure
 * @param {Actions} actions
 */
function title(text, figure, actions) {
  return html(
    "h2.section-title",
    button(text, () => actions.showStatistics(figure), {
      class: "link-button figure-link",
      "data-key": `figure-${figure}`,
      title: "Show the statistics (s)",
    }),
  );
}

/** @param {State} state @param {Opened} opened @param {Actions} actions @returns {HTMLElement} */
function runSection(state, opened, actions) {
  const fields = runFields(opened, state.nodes.get(opened.root)).flatMap(({ label, value, title, whole }) => [
    html("dt", { title }, label),
    html("dd", { class: "number wraps-strong", title: whole }, value),
  ]);
  const game =
    isOfGame(state) &&
    button("The game, turn by turn", () => actions.toggleGame(), {
      class: "link-button",
      "data-key": "game-of-turns",
      "data-asks": true,
      title: "Its searches one after the other, and what each cost (u)",
    });
  return html("div.section", title("Search", "where", actions), html("dl.facts", fields), game);
}

/**
 * The tries and successes of each technique of the search.
 * @param {Opened} opened
 * @param {Actions} actions
 * @returns {HTMLElement | null}
 */
function techniquesSection(opened, actions) {
  const fields = counterFields(opened);
  if (fields.length === 0) return null;
  const parts = fields.flatMap(({ label, value, title }) => [
    html("dt", { title }, label),
    html("dd.number.wraps", value),
  ]);
  return html("div.section", title("Techniques", "counters", actions), html("dl.facts", parts));
}

/**
 * @param {State} state
 * @param {Opened} opened
 * @param {Actions} actions
 * @param {DrawSteps} drawSteps
 * @returns {HTMLElement | null}
 */
function lineSection(state, opened, actions, drawSteps) {
  const line = opened.pv.map((id, i) => ({ id, ply: opened.pv_plies?.[i] })).filter(({ id }) => id !== opened.root);
  if (line.length === 0) return null;
  const items = line.map(({ id, ply }) => {
    const known = state.nodes.get(id);
    const name = ply ?? (known === undefined ? `#${id}` : nodeName(known));
    const attributes = {
      class: "step",
      type: "button",
      "data-key": `pv-${id}`,
      "aria-current": id === state.selected && "true",
      onclick: () => void actions.goTo(id),
    };
    return html("button", attributes, name);
  });
  return html(
    "div.section",
    html("h2.section-title", "Principal variation"),
    drawSteps("pv", items, { unsent: opened.more_pv }),
  );
}

/** @param {Opened} opened @param {Actions} actions @returns {HTMLElement} */
function levelsSection(opened, actions) {
  const { levels, more_levels: unsent = 0 } = opened.totals;
  const shown = levels
    .slice(0, LEVELS)
    .map((level) => ({
      level: level.level,
      nodes: level.nodes,
      title: `Level ${level.level}: ${isBestFirst(opened) ? visitedLevel(level) : levelText(level, Object.keys(opened.mapping ?? {}).length > 0)}`,
    }));
  const ofAll = opened.roots.length > 1 ? `, all ${count(opened.roots.length)} trees` : "";
  const more = levels.length - shown.length + unsent;
  return html(
    "div.section",
    title(`Nodes per level${ofAll}`, "levels", actions),
    drawLevels(`Nodes on each level of ${ofAll === "" ? "the tree" : "all trees"}`, shown, shortCount),
    more > 0 && html("p.section-empty", `and ${count(more)} deeper levels`),
  );
}

/** The counts of a level of a best-first tree, in words. @param {LevelCounts} level */
function visitedLevel({ nodes, leaves }) {
  return `${count(nodes)} nodes${leaves > 0 ? `, ${count(leaves)} not expanded yet` : ""}`;
}

/**
 * The counts of a level, in words; counts of 0 are left out for a foreign tree, which may not state them.
 * @param {LevelCounts} level
 * @param {boolean} foreign
 */
function levelText({ nodes, leaves, cuts, pruned, limited, uncounted_pruned, uncounted_limited }, foreign) {
  /** @type {[number, string, number?][]} */
  const counts = [
    [nodes, "nodes"],
    [leaves, "leaves"],
    [cuts, "cuts"],
    [pruned, "siblings pruned", uncounted_pruned],
    [limited, "limited", uncounted_limited],
  ];
  return counts
    .filter(([n, , more]) => n > 0 || more || !foreign)
    .map(([n, what, more]) => `${atLeast(n, more)} ${what}`)
    .join(", ");
}
