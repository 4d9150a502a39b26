// @ts-check
/** The parts of the details: each takes a node and gives a title and its content, or null where there is nothing. */

import { drawBars, factorRows, valuesNote } from "../../draw/bars.js";
import { button } from "../../draw/buttons.js";
import { html } from "../../draw/element.js";
import { apart, isGiven, signed, signedFull } from "../../draw/numbers.js";
import { fullScore } from "../../draw/scores.js";
import { scoreBars } from "../../draw/seats.js";
import { visitedParts } from "../../draw/visited-parts.js";
import { lineText, nodeFields, nodeName, searchedPlies, tableText } from "../../draw/words.js";

/** @import { Id, Line, Opened, State, TreeNode } from "../../data/types.js" */
/** @import { DrawSteps } from "../../draw/steps.js" */

/** @typedef {{title: string, content: (Node | string | null)[]}} Part */
/**
 * Whether bars say what their factors count, and how that is changed; without `toggle` another switch does it.
 * @typedef {{shown: boolean, toggle?: () => void}} Meanings
 */

/**
 * The evaluation of a node by its factors.
 * @param {string} title
 * @param {TreeNode} node
 * @param {Opened} opened
 * @param {Meanings} meanings
 * @returns {Part | null}
 */
export function evaluationPart(title, node, opened, meanings) {
  const bars = evaluation(node, opened, meanings);
  return bars.length === 0 ? null : { title, content: bars };
}

/**
 * The line that decided the score, each node of it a button, and the evaluation of its leaf by factors.
 * @param {Line} line
 * @param {TreeNode} node
 * @param {Opened} opened
 * @param {Meanings} meanings
 * @param {(id: Id) => void} go
 * @param {DrawSteps} drawSteps
 * @returns {Part | null}
 */
export function linePart(line, node, opened, meanings, go, drawSteps) {
  const bars = evaluation(line.leaf, opened, meanings);
  if (line.nodes.length === 0) {
    if (bars.length === 0)
      return line.note ? { title: "What decided the score", content: [html("p", line.note)] } : null;
    return { title: "Evaluation of this position", content: [...bars, line.note ? html("p.dim", line.note) : null] };
  }
  const steps = line.nodes.map((step, at) => {
    const above = at === 0 ? node : line.nodes[at - 1];
    const isNext = step.parent === above?.id || (line.more !== undefined && at === line.nodes.length / 2);
    // The node that stored an entry of the table is another visit of the position of the node before it.
    return button(isNext ? nodeName(step) : "(table)", () => go(step.id), {
      class: "step",
      "data-key": `line-${step.id}`,
      title: `${isNext ? "" : "The node that stored the entry: "}${fullScore(step, opened.search?.["mate"])}`,
    });
  });
  const name = nodeName(line.leaf);
  return {
    title: line.how === "visits" ? "The line visited most" : "The line that decided the score",
    content: [
      drawSteps(`line-of-${node.id}`, steps, { unsent: line.more, after: steps.length / 2 }),
      html("p.dim", `From ${nodeName(node)} ${lineText(line.how)}${line.note ? `. ${line.note}` : ""}`),
      bars.length > 0 ? html("h3.part-title", `Evaluation of its leaf, ${name}`) : null,
      ...bars,
    ],
  };
}

/**
 * The figures of the visits of a best-first node.
 * @param {TreeNode} node
 * @param {Opened} opened
 * @returns {Part | null}
 */
export function visitsPart(node, opened) {
  const content = visitedParts(node, opened);
  return content.length === 0 ? null : { title: "What its visits came to", content };
}

/**
 * Everybody's scores, in games of more than two.
 * @param {TreeNode} node
 * @param {Opened} opened
 * @returns {Part | null}
 */
export function scoresPart({ scores }, opened) {
  return scores === undefined ? null : { title: "Scores by player", content: [scoreBars(scores, opened)] };
}

/** Every field in words. @param {TreeNode} node @param {State} state @returns {Part} */
export function fieldsPart(node, state) {
  const known = state.children.get(node.id);
  const whole = known !== undefined && known.prefix >= known.total;
  const searched = whole ? searchedPlies(known.items.flatMap((id) => state.nodes.get(id) ?? [])) : undefined;
  const unit = state.opened?.search?.["unit"];
  const fields = nodeFields(node, {
    searched,
    unit: typeof unit === "string" ? unit : undefined,
    mate: state.opened?.search?.["mate"],
    players: state.opened?.players,
    position: state.opened?.drawable === false ? positionOf(node, state.opened) : undefined,
  });
  const items = fields.flatMap(({ label, value, title }) => [html("dt", { title }, label), html("dd.number", value)]);
  return { title: "All fields", content: [html("dl.facts.facts-wide", items)] };
}

/**
 * The position as the log writes it: at the node, for the root also in the header.
 * @param {TreeNode} node
 * @param {Opened} opened
 */
function positionOf(node, opened) {
  return (
    node.position ?? (node.id === opened.root && typeof opened.position === "string" ? opened.position : undefined)
  );
}

/**
 * The table entry that the node used, and the way to the node that stored it.
 * @param {TreeNode} node
 * @param {unknown} mate how the log scores wins
 * @param {(id: Id) => void} go
 * @returns {Part | null}
 */
export function tablePart({ tt }, mate, go) {
  if (tt === undefined) return null;
  const { from } = tt;
  const source =
    from === undefined
      ? null
      : button(`Go to #${from}, which stored it`, () => go(from), { class: "link-button", "data-key": "table-source" });
  return { title: "Transposition table", content: [html("p.sentence", tableText(tt, mate)), source] };
}

/**
 * The plies that a stub stands for, with their pre-scores where they are known.
 * @param {TreeNode} node
 * @returns {Part}
 */
export function pliesPart(node) {
  const plies = node.plies ?? [];
  const scores = node.pre_scores ?? [];
  if (plies.length === 0) return { title: "Plies", content: [html("p.section-empty", "The log does not name them.")] };
  const digits = apart(scores);
  const items = plies.map((ply, i) =>
    html(
      "li",
      html("b", ply),
      isGiven(scores[i]) && html("span.dim.number", { title: signedFull(scores[i]) }, signed(scores[i], digits)),
    ),
  );
  const more = node.more_plies ?? 0;
  const note = scores.length > 0 ? html("p.dim", "with their pre-scores") : null;
  return {
    title: "Plies",
    content: [note, html("ul.plies", items), more > 0 ? html("p.dim", `and ${more} more`) : null],
  };
}

/** A text as it is. @param {string} title @param {string | undefined} text @returns {Part | null} */
export function textPart(title, text) {
  if (text === undefined || text === "") return null;
  return { title, content: [preformatted(title, text)] };
}

/**
 * Fields that the format does not know, as they are.
 * @param {string} title
 * @param {Record<string, any> | undefined} extras
 * @returns {Part | null}
 */
export function extrasPart(title, extras) {
  const entries = Object.entries(extras ?? {});
  if (entries.length === 0) return null;
  const items = entries.flatMap(([key, value]) => [
    html("dt.cut", { title: key }, key),
    html("dd", extraValue(key, value)),
  ]);
  return { title, content: [html("dl.facts.facts-wide.facts-extra", items)] };
}

/** The fields of the log's header that the page shows nowhere else. @param {Opened} opened @returns {Part | null} */
export function headerPart(opened) {
  const search = Object.keys(opened.search ?? {}).length > 0 ? { search: opened.search } : {};
  return extrasPart("The log's header", { ...search, ...opened.header });
}

/** @param {string} key @param {unknown} value @returns {Node | string} */
function extraValue(key, value) {
  if (typeof value === "string") return value.includes("\n") ? preformatted(key, value) : value;
  if (value === null || typeof value !== "object") return String(value);
  return preformatted(key, JSON.stringify(value, null, 2));
}

/** @param {string} label @param {string} text @returns {HTMLElement} */
function preformatted(label, text) {
  return html("pre.text-box", { tabindex: 0, role: "region", "aria-label": label }, text);
}

/**
 * The bars of a node; where factors have words, below the switch that shows them, and whose values they are.
 * @param {TreeNode} node
 * @param {Opened} opened
 * @param {Meanings} meanings
 * @returns {HTMLElement[]}
 */
function evaluation(node, opened, { shown, toggle }) {
  const rows = factorRows(node, opened);
  if (rows.length === 0) return [];
  const tolerance = opened.search?.["tolerance"];
  const bars = drawBars(rows, {
    caption: `Factors of ${nodeName(node)}`,
    static: node.static,
    tolerance,
    player: opened.root_player,
    meanings: shown,
  });
  if (toggle === undefined || !rows.some(({ meaning }) => meaning)) return [bars];
  const box = html("input", { type: "checkbox", "data-key": "meanings", onchange: toggle });
  box.checked = shown;
  const words = html(
    "label.check.bars-switch",
    { title: "Say below each factor what it counts (w)" },
    box,
    "What each factor counts",
  );
  return [words, ...(shown ? [html("p.bars-values", valuesNote(opened))] : []), bars];
}
