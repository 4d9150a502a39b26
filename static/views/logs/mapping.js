// @ts-check
/** The mapping dialog: which field of a foreign tree is taken for which of ours. The server remembers it. */

import { button } from "../../draw/buttons.js";
import { html, redraw, withCode } from "../../draw/element.js";
import { seen } from "../../draw/seen.js";
import { followState } from "../dialog.js";

/** @import { Mount, Opened } from "../../data/types.js" */

/** Fields of ours that can be chosen, with what they mean. */
const OURS = new Map([
  ["children", "the replies: a list, or a map from ply to node"],
  ["ply", "the move that led to the node"],
  ["score", "what the search returned"],
  ["layer", "whether max or min moves; or both in turn, who first"],
  ["player", "who is to move"],
  ["pre_score", "the quick score that sorts siblings"],
  ["static", "the evaluation of the position"],
  ["factors", "the terms of the evaluation"],
  ["alpha", "lower edge of the window"],
  ["beta", "upper edge of the window"],
  ["depth", "plies left to search"],
  ["bound", "exact, lower or upper"],
  ["outcome", "why the visit ended"],
  ["iteration", "which deepening a root belongs to"],
  ["visits", "visits, in a Monte Carlo tree"],
  ["mean", "mean result, in a Monte Carlo tree"],
  ["total", "sum of results over the visits, which gives the mean"],
  ["prior", "probability, of chance or of a policy"],
  ["game", "the game that is played, for boards and its rules"],
  ["position", "the position as text"],
  ["board", "the board as text"],
  ["perspective", "whose view scores are written from"],
]);

/** The settings of a UCI session that the user types, each with the text that an empty box shows. */
const OF_SESSIONS = new Map([
  ["go", { about: "which search of the session: 1, 2 \u2026", usual: "the last" }],
  [
    "position",
    {
      about: "where the search began: FEN or startpos, also with moves e2e4 \u2026",
      usual: "as its position line says",
    },
  ],
]);

/** The choices beside the fields of the file: every object inside a node, and words of ours. */
const BESIDE = new Map([
  ["children", [["*", "every object inside a node"]]],
  [
    "layer",
    [
      ["max first", "in turn"],
      ["min first", "in turn"],
    ],
  ],
  ["game", [["chess", "known here"]]],
  [
    "perspective",
    [
      ["root", "the root player"],
      ["mover", "who is to move"],
      ["parent", "who moved last"],
      ["first", "the first player"],
    ],
  ],
]);

/** The most values of a field that are shown as its examples, and the most characters of one. */
const EXAMPLES = 3;
const LONGEST_EXAMPLE = 24;

/**
 * Different values of nodes in the field `name`; none for the children and for a field that no node has.
 * @param {string} name
 * @param {Iterable<object>} nodes
 */
function examples(name, nodes) {
  const found = /** @type {Set<string>} */ (new Set());
  for (const node of nodes) {
    const value = Object.entries(node).find(([key]) => key === name)?.[1];
    if (["string", "number"].includes(typeof value)) found.add(String(value).slice(0, LONGEST_EXAMPLE));
    if (found.size === EXAMPLES) break;
  }
  return [...found];
}

/** @type {Mount} */
export function mountMapping(container, store, actions) {
  const dialog = /** @type {HTMLDialogElement} */ (container);
  /** @type {Map<string, HTMLSelectElement | HTMLInputElement>} */
  const selects = new Map();

  /** @param {Opened} opened */
  function fill(opened) {
    selects.clear();
    const error = html("p.dialog-error", { role: "alert" });
    const isSession = opened.search?.["said_over"] === "UCI";

    /** @param {Record<string, string>} mapping */
    async function read(mapping) {
      error.textContent = "";
      const answer = await actions.setMapping(mapping);
      redraw(error, withCode(answer.error ?? ""));
    }

    /** @param {SubmitEvent} event */
    function submitted(event) {
      event.preventDefault();
      // An emptied choice means no field; one that was empty before leaves the guess to the reader.
      const chosen = [...selects].map(([name, select]) => /** @type {[string, string]} */ ([name, select.value]));
      void read(Object.fromEntries(chosen.filter(([name, value]) => value !== "" || name in opened.mapping)));
    }

    dialog.replaceChildren(
      html(
        "form.dialog-form",
        { onsubmit: submitted },
        html(
          "h2.dialog-title",
          { id: "mapping-title" },
          isSession ? "How this session is read" : "How this tree is read",
        ),
        html(
          "p.dim",
          isSession
            ? "Say which of its searches is shown, and where that began. The choice is remembered for this text."
            : "Say which of its fields means what. The choice is remembered for trees of the same shape.",
        ),
        error,
        html(
          "div.mapping-rows.dialog-body",
          isSession
            ? [...OF_SESSIONS.keys()].map((name) => typed(name, opened))
            : [...OURS.keys()].map((name) => row(name, opened, examples(name, store.get().nodes.values()))),
        ),
        html(
          "div.dialog-commands",
          button(isSession ? "Read as it stands" : "Guess again", () => void read({})),
          button("Cancel", () => actions.closeDialog()),
          html("button.button.button-first", { type: "submit" }, "Read again with this mapping"),
        ),
      ),
    );
  }

  /** @param {string} name @param {Opened} opened @param {string[]} values that it has by what is taken now */
  function row(name, opened, values) {
    const now = opened.mapping[name] ?? "";
    const beside = BESIDE.get(name) ?? [];
    const named = ["perspective", "game"].includes(name) ? [] : opened.fields;
    const isListed = now === "" || named.includes(now) || beside.some(([value]) => value === now);
    const fields = isListed ? named : [now, ...named];
    const select = html(
      "select.field",
      { id: `mapping-${name}`, "aria-describedby": `mapping-${name}-about` },
      html("option", { value: "" }, "\u2013"),
      fields.map((field) => html("option", { value: field }, field)),
      beside.map(([value, words]) => html("option", { value }, `${value} (${words})`)),
    );
    select.value = now;
    const read = values.length === 0 ? "" : `read as ${values.map(seen).join(", ")}`;
    return rowOf(name, select, [OURS.get(name) ?? "", read].filter(Boolean).join("; "));
  }

  /** A row in which something is written. @param {string} name @param {Opened} opened */
  function typed(name, opened) {
    const { about = "", usual = "" } = OF_SESSIONS.get(name) ?? {};
    const attributes = { id: `mapping-${name}`, "aria-describedby": `mapping-${name}-about`, placeholder: usual };
    return rowOf(name, html("input.field", { ...attributes, value: opened.mapping[name] ?? "" }), about);
  }

  /** @param {string} name @param {HTMLSelectElement | HTMLInputElement} field @param {string} about */
  function rowOf(name, field, about) {
    selects.set(name, field);
    return html(
      "div.mapping-row",
      html("label", { for: `mapping-${name}` }, name),
      field,
      html("span.dim", { id: `mapping-${name}-about` }, about),
    );
  }

  followState(dialog, "mapping", store, actions, ({ opened }) => {
    if (opened !== null) fill(opened);
    return opened !== null;
  });
}
