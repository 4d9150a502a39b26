// @ts-check
/**
 * The parts of the check's panel: a group of findings and its page, one finding in full, the rules that were and were
 * not asked.
 */

import { isSameKind, listedOf, PAGE, placeOfFinding } from "./filter-actions.js";
import { pathTo } from "../../data/opening.js";
import { button, iconButton, smallButton } from "../../draw/buttons.js";
import { html, withCode } from "../../draw/element.js";
import { figuresOf, lackText } from "../../draw/finding-words.js";
import { icon } from "../../draw/icons.js";
import { count, counted } from "../../draw/numbers.js";
import { nodeName } from "../../draw/words.js";

/** @import { Actions, Finding, Group, Id, Report, State } from "../../data/types.js" */

/** @typedef {{title: string, content: (Node | string | null)[], open?: boolean}} Part */

/** Milliseconds that a copy button says so. */
const SAID = 1600;
/** The most unjudged matters that are shown at once. */
const MATTERS = 3;

/**
 * The place of the chosen finding among all, with buttons to its neighbours.
 * @param {State} state
 * @param {Group[]} groups those that the filter leaves
 * @param {Actions} actions
 */
export function stepPart(state, groups, actions) {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  const at = placeOfFinding(state);
  /** @type {(name: "up" | "down", label: string, key: string, by: number) => HTMLElement} */
  const step = (name, label, key, by) =>
    smallButton([icon(name), label], () => void actions.stepFinding(by), {
      "data-key": `check-step-${by}`,
      title: `${label} (${key})`,
      "aria-disabled": String(total === 0),
    });
  return html(
    "div.check-steps",
    step("up", "Previous", "Shift E", -1),
    step("down", "Next", "E", 1),
    html(
      "span.dim.number",
      { role: "status" },
      at < 0 ? counted(total, "finding") : `${count(at + 1)} of ${count(total)}`,
    ),
  );
}

/** One finding in full. @param {Finding} finding @param {State} state @param {Actions} actions */
export function findingPart(finding, state, actions) {
  const { rule, severity, node, path, message, reproduce, involved } = finding;
  const { expected, found } = figuresOf(finding, state.opened?.search?.["mate"]);
  const group = state.report?.groups?.find((one) => isSameKind(one, finding));
  const others = involved.filter((id) => id !== node);
  return html(
    "article",
    { class: `check-finding check-finding-${severity}`, "aria-label": `Finding ${rule}` },
    html(
      "h3.check-rule",
      icon(severity, `severity-${severity}`),
      html("span", rule),
      html("span.dim.check-kind", severity),
    ),
    html("p.check-message", withCode(message)),
    html(
      "dl.check-figures",
      html("div", html("dt", "must be"), html("dd.number", expected)),
      html("div", html("dt", "the log says"), html("dd.number", found)),
    ),
    html("p.check-where", html("span.dim", "at "), nodeButton(node, path, actions)),
    others.length > 0 &&
      html(
        "p.check-where",
        html("span.dim", "with "),
        others.map((id) => nodeButton(id, nameOf(id, node, state), actions)),
      ),
    group &&
      group.meaning !== "" &&
      html("div.check-meaning", html("h4.part-title", "What it means"), html("p", withCode(group.meaning))),
    reproduce !== "" && reproducePart(reproduce),
    button("Details of this node", () => seeDetails(node, actions), {
      class: "link-button",
      "data-key": "check-details",
    }),
  );
}

/** @param {Id} node @param {Actions} actions */
function seeDetails(node, actions) {
  void actions.goTo(node);
  actions.setPanel("details", true);
}

/**
 * The name of an involved node: its ply where it is near the node of the finding, else its path.
 * @param {Id} id
 * @param {Id} node of the finding
 * @param {State} state
 */
function nameOf(id, node, state) {
  const known = state.nodes.get(id);
  if (known === undefined) return `#${id}`;
  if (known.parent === node || state.nodes.get(node)?.parent === id) return nodeName(known);
  const plies = pathTo({ ...state, top: null }, id)
    .flatMap((on) => state.nodes.get(on) ?? [])
    .slice(1);
  return plies.length === 0 ? nodeName(known) : plies.map(nodeName).join(" > ");
}

/** @param {Id} id @param {string} name @param {Actions} actions */
function nodeButton(id, name, actions) {
  const named = name !== "" && name !== `#${id}`;
  return button(
    [named && html("span", `${name} `), html("span", { class: named ? "check-id" : "" }, `#${id}`)],
    () => void actions.goTo(id),
    { class: "step", title: named ? `${name} (#${id})` : `#${id}`, "data-key": `check-node-${id}` },
  );
}

/** @param {string} text */
function reproducePart(text) {
  const button = html(
    "button.button.button-small.check-copy",
    { type: "button", "data-key": "check-copy" },
    icon("copy"),
    html("span", { "aria-live": "polite" }, "Copy"),
  );
  const line = html(
    "pre.text-box.check-reproduce",
    { tabindex: 0, role: "region", "aria-label": "To reproduce" },
    text,
  );
  button.addEventListener("click", () => void copy(text, button, line));
  return html("div", html("div.check-line", html("h4.part-title", "To reproduce"), button), line);
}

/**
 * Copy the text; where the browser does not allow it, mark it so that a key can.
 * @param {string} text
 * @param {HTMLElement} button
 * @param {HTMLElement} line
 */
async function copy(text, button, line) {
  const said = button.querySelector("[aria-live]");
  let word = "Copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    getSelection()?.selectAllChildren(line);
    word = "Marked: press Ctrl+C";
  }
  if (said === null) return;
  said.textContent = word;
  setTimeout(() => (said.textContent = "Copy"), SAID);
}

/**
 * The button of a group: its severity, rule, reason and count.
 * @param {Group} group
 * @param {Record<string, string | (() => void)>} attributes
 */
function groupButton({ rule, severity, reason, count: n }, attributes) {
  return html(
    "button.check-group-button",
    { type: "button", ...attributes },
    icon(severity, `severity-${severity}`),
    html(
      "span.check-group-text",
      html("b", rule),
      html("span.visually-hidden", `, ${severity}`),
      html("span.dim", withCode(reason)),
    ),
    html("span.check-group-count.number", count(n)),
  );
}

/**
 * A group: its rule, the number of its findings, and if unfolded a page of them.
 * @param {Group} group
 * @param {State} state
 * @param {Actions} actions
 */
export function groupPart(group, state, actions) {
  const { rule, severity } = group;
  const open = isSameKind(state.openGroup, group);
  const page = open ? listedOf(group, state) : null;
  return html(
    "li.check-group",
    groupButton(group, {
      "aria-expanded": String(open),
      "data-key": `check-group-${severity}-${rule}`,
      onclick: () => void actions.openFindings(group),
    }),
    page &&
      html(
        "ol.check-list",
        { start: page.offset + 1, "aria-label": `Findings of ${rule}` },
        page.items.map((item) => itemPart(item, state, actions)),
      ),
    page && group.count > PAGE && pager(group, page.offset, actions),
  );
}

/** The findings so far of all rules but the last. @param {Report} report @param {Actions} actions */
export function soFarPart({ groups }, actions) {
  if (groups === undefined) return null;
  return html(
    "div.section.check-say",
    html("p", { role: "status" }, groups.length === 0 ? "All other rules found nothing." : "All other rules found:"),
    html(
      "ul.check-groups",
      { "aria-label": "Findings so far" },
      groups.map((group) =>
        html(
          "li.check-group",
          groupButton(group, {
            "data-key": `check-so-far-${group.severity}-${group.rule}`,
            onclick: () => void actions.goTo(group.first),
          }),
        ),
      ),
    ),
  );
}

/** @param {Finding} finding @param {State} state @param {Actions} actions */
function itemPart(finding, state, actions) {
  const current = isSameKind(state.finding, finding) && state.finding?.at === finding.at;
  return html(
    "li",
    button(
      [
        html(
          "span.check-path.cut",
          { title: finding.path },
          html("bdi", finding.path === "" ? `#${finding.node}` : finding.path),
        ),
        html("span.dim", withCode(finding.message)),
      ],
      () => void actions.goToFinding(finding, finding.at),
      {
        class: "check-item",
        "aria-current": current && "true",
        "data-key": `check-item-${finding.rule}-${finding.at}`,
      },
    ),
  );
}

/** @param {Group} group @param {number} offset @param {Actions} actions */
function pager(group, offset, actions) {
  const last = Math.min(group.count, offset + PAGE);
  /** @type {(name: "back" | "forward", label: string, to: number) => HTMLElement} */
  const turn = (name, label, to) =>
    iconButton(name, label, () => void actions.openFindings(group, to), {
      "aria-disabled": String(to < 0 || to >= group.count),
      "data-key": `check-page-${name}`,
    });
  return html(
    "div.check-pager",
    turn("back", "Findings before these", offset - PAGE),
    html("span.dim.number", `${count(offset + 1)}\u2013${count(last)} of ${count(group.count)}`),
    turn("forward", "Findings after these", offset + PAGE),
  );
}

/** The rules that were asked. @param {Report} report @returns {Part} */
export function askedPart({ checked = [], plain = false }) {
  const items = checked.map(({ rule, reason }) => html("li", html("b", rule), html("span.dim", withCode(reason))));
  return {
    title: `Checked: ${counted(checked.length, "rule")}`,
    content: [
      plain
        ? html(
            "p.dim",
            "Checked without machine code, as none was at hand. It is compiled meanwhile, for the next check.",
          )
        : null,
      html("ul.check-rules", items),
    ],
  };
}

/** The rules that could not be asked, by what they lack. @param {Report} report @returns {Part | null} */
export function unaskedPart({ not_checked: unasked = [] }) {
  if (unasked.length === 0) return null;
  /** @type {Map<string, string[]>} */
  const rules = new Map();
  for (const one of unasked) {
    const lack = lackText(one);
    rules.set(lack, [...(rules.get(lack) ?? []), one.rule]);
  }
  const items = [...rules].map(([lack, names]) =>
    html("li", html("p.dim", withCode(lack)), html("b", names.join(", "))),
  );
  return { title: `Not checked: ${counted(unasked.length, "rule")}`, content: [html("ul.check-needs", items)] };
}

/**
 * The matters that no rule judged, the most important first, each with the reason: three of them, the others on
 * request.
 * @param {Report} report
 * @returns {HTMLElement | null} null without such matters
 */
export function notJudged({ not_judged: matters = [] }) {
  const said = (/** @type {typeof matters} */ some) =>
    withCode(some.map(({ what, why }) => `${what}, since ${why}`).join("; "));
  const more = matters.slice(MATTERS);
  if (matters.length === 0) return null;
  return html(
    "div.dim",
    html("p", "Not judged: ", said(matters.slice(0, MATTERS)), more.length === 0 ? "." : ";"),
    more.length > 0 &&
      html("details.check-more", html("summary", `${count(more.length)} more`), html("p", said(more), ".")),
  );
}

/**
 * What the check found at a node, for its details.
 * @param {Id} id
 * @param {State} state
 * @param {Actions} actions
 * @returns {Part | null}
 */
export function findingsPart(id, { ofNode }, actions) {
  if (ofNode === null || ofNode.id !== id || ofNode.items.length === 0) return null;
  const items = ofNode.items.map((finding) =>
    html(
      "li",
      button(
        [
          icon(finding.severity, `severity-${finding.severity}`),
          html(
            "span",
            html("b", finding.rule),
            html("span.visually-hidden", `, ${finding.severity}`),
            " ",
            html("span.dim", withCode(finding.message)),
          ),
        ],
        () => void actions.goToFinding(finding, finding.at),
        { class: "check-item check-of-node", "data-key": `found-${finding.rule}-${finding.at}` },
      ),
    ),
  );
  const more = ofNode.total - ofNode.items.length;
  return {
    title: `Check: ${counted(ofNode.total, "finding")}`,
    content: [html("ul.check-list.check-list-node", items), more > 0 ? html("p.dim", `and ${count(more)} more`) : null],
  };
}
