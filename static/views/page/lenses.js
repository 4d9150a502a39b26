// @ts-check
/**
 * The row of lenses over the tree: the questions that are asked of it. Each lens that is on is a chip that names itself
 * and ends with its ×; Esc ends the newest. A new lens is a new row of `LENSES`.
 */

import { besideName } from "../../data/merged.js";
import { nChanges } from "../../draw/changes.js";
import { placeOn } from "../../data/line-actions.js";
import { iconButton } from "../../draw/buttons.js";
import { html, keyParts, redraw } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { count, counted } from "../../draw/numbers.js";
import { weightText } from "../weights/words.js";
import { nodeName } from "../../draw/words.js";

/** @import { Actions, Mount, State } from "../../data/types.js" */
/** @import { Child } from "../../draw/element.js" */
/** @import { IconName } from "../../draw/icons.js" */

/**
 * @typedef {object} Lens
 * @property {string} name
 * @property {IconName} icon
 * @property {(state: State) => boolean} isOn
 * @property {(state: State) => Child[]} words what the chip says
 * @property {[keys: string[], what: string][]} keys that work while it is on
 * @property {string} ends what its × does
 * @property {(actions: Actions) => unknown} end
 */

/** @type {readonly Lens[]} */
const LENSES = Object.freeze([
  {
    name: "search",
    icon: "search",
    isOn: ({ search }) => search !== null && search.total > 0,
    words: ({ search }) => [
      html("b.number", count(search?.total ?? 0)),
      search?.total === 1 ? " hit of " : " hits of ",
      html("bdi", { class: search?.source === "hits" ? "expression" : "" }, search?.q ?? ""),
    ],
    keys: [[["n", "N"], "step"]],
    ends: "End the search and return",
    end: (actions) => actions.leaveSearch(),
  },
  {
    name: "only",
    icon: "filter",
    isOn: ({ only }) => only !== null,
    words: ({ only }) => [
      "only ",
      only?.of === "search" ? "hits" : "the rows of the table",
      " and what stands above them",
    ],
    keys: [[["n", "N"], "step"]],
    ends: "Draw the whole tree again",
    end: (actions) => actions.setOnly(false),
  },
  {
    name: "time",
    icon: "motion",
    isOn: ({ replay }) => replay !== null,
    words: ({ replay }) => [
      "replay, event ",
      html("b.number", count(replay?.event ?? 0)),
      ` of ${count(replay?.events ?? 0)}`,
    ],
    keys: [
      [["."], "in"],
      [[","], "back"],
      [[">"], "over"],
      [["<"], "out"],
      [["h"], "next stop"],
      [["k"], "play"],
    ],
    ends: "End the replay",
    end: (actions) => actions.endReplay(),
  },
  {
    name: "pair",
    icon: "pin",
    isOn: ({ pinned }) => pinned !== null,
    words: ({ pinned, nodes, why }) => {
      const { chosen, rival } = (why?.asked.node === pinned && why?.answer) || { chosen: null, rival: null };
      if (chosen !== null && rival !== null)
        return [html("b", chosen.ply ?? "a ply"), " rather than ", html("b", rival.ply ?? "a ply")];
      const node = pinned === null ? undefined : nodes.get(pinned);
      return ["details stay at ", html("b", node === undefined ? `#${pinned}` : nodeName(node))];
    },
    keys: [
      [["x"], "swap"],
      [["l"], "both lines"],
    ],
    ends: "Let the details follow again",
    end: (actions) => actions.pin(null),
  },
  {
    name: "lines",
    icon: "line",
    isOn: ({ lines }) => lines !== null,
    words: ({ lines, selected }) => {
      const place = lines === null ? null : placeOn(lines, selected);
      if (lines === null || place === null) return ["both lines"];
      return [
        "both lines, ply ",
        html("b.number", String(place.at + 1)),
        ` of ${lines[place.side].length} of ${place.side.toUpperCase()}`,
      ];
    },
    keys: [
      [["ArrowUp", "ArrowDown"], "change sides"],
      [["ArrowLeft", "ArrowRight"], "walk"],
      [["b"], "two boards"],
    ],
    ends: "The tree as it was",
    end: (actions) => actions.endLines(),
  },
  {
    name: "weights",
    icon: "sliders",
    isOn: ({ weights }) => Object.keys(weights.changed).length > 0,
    words: ({ weights: { changed, found } }) =>
      Object.entries(changed).flatMap(([name, weight], place) => {
        const logged = found?.logged[name];
        const from = typeof logged === "number" ? ` ${weightText(logged)} \u2192 ` : " ";
        return [place > 0 && ", ", html("bdi", html("b", name)), from, html("b.number", weightText(weight))];
      }),
    keys: [[["g"], "weights"]],
    ends: "The weights of the log again",
    end: (actions) => actions.endWeights(),
  },
  {
    name: "against",
    icon: "compare",
    isOn: ({ diff }) => diff.against !== null,
    words: (state) => {
      const { found } = state.diff;
      return [
        "against ",
        html("b", html("bdi", besideName(state))),
        found !== null && ` \u00b7 ${counted(nChanges(found), "change")}`,
      ];
    },
    keys: [[["n", "N"], "step"]],
    ends: "End the comparison",
    end: (actions) => actions.endDiff(),
  },
]);

/** Those that are on, the newest last. @param {State} state */
function lensesOn(state) {
  const on = LENSES.filter(({ isOn }) => state.phase === "ready" && isOn(state));
  const age = (/** @type {Lens} */ { name }) =>
    state.lenses.includes(name) ? state.lenses.indexOf(name) : LENSES.length;
  return on.sort((a, b) => age(a) - age(b));
}

/** What each lens that is on says of itself, as text. @param {State} state */
export function lensWords(state) {
  return lensesOn(state).map((lens) => html("span", lens.words(state)).textContent ?? "");
}

/** End the lens that was turned on last, if any is on. @param {Actions} actions @param {State} state */
export function endNewest(actions, state) {
  return lensesOn(state).at(-1)?.end(actions);
}

/** @type {Mount} */
export function mountLenses(container, store, actions) {
  const chips = html("ul.lens-chips");
  const keys = html("span.lens-keys", { "aria-hidden": "true" });
  container.replaceChildren(chips, keys);

  /** @param {State} state */
  function draw(state) {
    const on = lensesOn(state);
    const names = on.map(({ name }) => name);
    if (names.join() !== state.lenses.join()) actions.setLenses(names);
    container.hidden = on.length === 0;
    redraw(
      chips,
      on.map((lens) => chip(lens, state)),
    );
    const works = [...(on.at(-1)?.keys ?? []), /** @type {[string[], string]} */ ([["Escape"], "end"])];
    keys.replaceChildren(
      ...works.map(([each, what]) =>
        html(
          "span.lens-key",
          each.flatMap(keyParts).map((part) => html("kbd", part)),
          ` ${what}`,
        ),
      ),
    );
  }

  /** @param {Lens} lens @param {State} state */
  function chip(lens, state) {
    return html(
      "li.lens",
      { "data-lens": lens.name },
      icon(lens.icon),
      html("span.lens-words.cut", lens.words(state)),
      iconButton("close", lens.ends, () => void lens.end(actions), { "data-key": lens.name }),
    );
  }

  store.follow(draw);
}
