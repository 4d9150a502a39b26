// @ts-check
/**
 * Many nodes as rows of one table, in the drawer below the tree. Today it lists the hits of the search; the component
 * takes rows from anywhere. Only what is in sight is drawn, so that a hundred thousand rows are no burden.
 */

import { html, redraw } from "../draw/element.js";
import { layerMark } from "../draw/icons.js";
import { apart, count } from "../draw/numbers.js";
import { fullScore, shortScore } from "../draw/scores.js";
import { nodeName } from "../draw/words.js";

/** @typedef {import("../data/types.js").State} State */
/** @typedef {import("../data/types.js").TreeNode} TreeNode */

/** Pixels of a row, as in the style sheet; and of the longest list that browsers scroll pixel by pixel. */
const ROW = 28;
const LONGEST = 8_000_000;
const SEPARATOR = " > ";

/**
 * @param {import("./drawer.js").Places} places
 * @param {import("../data/state.js").Store} store
 * @param {import("../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountRows({ head, body }, store, actions) {
  const title = html("h2", { class: "rows-title" });
  const space = html("div", { class: "rows-space", role: "presentation" });
  const list = html("div", { class: "rows-list", role: "listbox", tabindex: 0, "aria-label": "Hits of the search", onscroll: scrolled, onkeydown: keyed }, space);
  const names = html("div", { class: "rows-row rows-names", "aria-hidden": "true" }, ["path", "score", "nodes below", "id"].map((name) => html("span", {}, name)));
  head.replaceChildren(title);
  body.replaceChildren(names, list);
  let known = /** @type {State["search"]} */ (null);

  /** How long the list is drawn, and whether its scroll bar stands for more than it can scroll. */
  const length = () => Math.min(LONGEST, (known?.total ?? 0) * ROW);
  const inSight = () => Math.ceil(list.clientHeight / ROW) + 1;

  /** The first row in sight. */
  function firstRow() {
    const total = known?.total ?? 0;
    if (total * ROW <= LONGEST) return Math.floor(list.scrollTop / ROW);
    return Math.floor((list.scrollTop / Math.max(1, LONGEST - list.clientHeight)) * Math.max(0, total - inSight() + 1));
  }

  function scrolled() {
    const search = known;
    if (search === null) return;
    const first = firstRow();
    const last = Math.min(search.total, first + inSight()) - 1;
    drawRows();
    for (const at of [last, first]) {
      if (at < search.offset || at >= search.offset + search.items.length) {
        actions.showHits(first);
        return;
      }
    }
  }

  function drawRows() {
    const search = known;
    if (search === null) return;
    const first = firstRow();
    const top = search.total * ROW <= LONGEST ? first * ROW : list.scrollTop;
    const rows = [];
    const digits = apart(search.items.map(({ score }) => score));
    for (let at = first; at < Math.min(search.total, first + inSight()); at += 1) {
      const row = hitRow(search, at, digits, store.get(), () => void actions.goToHit(at));
      row.style.setProperty("top", `${top + (at - first) * ROW}px`);
      rows.push(row);
    }
    redraw(space, rows);
    if (search.at >= first && search.at < first + rows.length) list.setAttribute("aria-activedescendant", `hit-${search.at}`);
    else list.removeAttribute("aria-activedescendant");
  }

  /** Have the current hit in sight. @param {number} at */
  function reveal(at) {
    const total = known?.total ?? 0;
    if (total * ROW > LONGEST) {
      if (at < firstRow() || at >= firstRow() + inSight() - 1) list.scrollTop = (at / total) * (LONGEST - list.clientHeight);
    } else if (at * ROW < list.scrollTop) list.scrollTop = at * ROW;
    else if ((at + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (at + 1) * ROW - list.clientHeight;
  }

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    if (known === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, inSight() - 2);
    const steps = /** @type {Record<string, number>} */ ({
      ArrowDown: known.at + 1, ArrowUp: known.at - 1, PageDown: known.at + page, PageUp: known.at - page, Home: 0, End: known.total - 1,
    });
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    void actions.goToHit(to);
  }

  /** @param {State} state */
  function draw(state) {
    const before = known;
    const { search } = state;
    known = search !== null && search.total > 0 && state.phase === "ready" ? search : null;
    if (known === null) return;
    title.replaceChildren(html("b", { class: "number" }, count(known.total)), known.total === 1 ? " hit of " : " hits of ", html("bdi", { class: "cut" }, known.q));
    if (!state.panels.drawer) return;
    space.style.setProperty("height", `${length()}px`);
    if (before?.at !== known.at || before?.q !== known.q) reveal(known.at);
    drawRows();
  }

  draw(store.get());
  const remove = store.subscribe((state, previous) => {
    if (state.search !== previous.search || state.panels.drawer !== previous.panels.drawer || state.phase !== previous.phase) draw(state);
  });
  const watcher = new ResizeObserver(drawRows);
  watcher.observe(list);
  return () => {
    remove();
    watcher.disconnect();
    head.replaceChildren();
    body.replaceChildren();
  };
}

/**
 * One hit: the way to it, its score, how much lies below it; a row that is not here yet is blank until it comes.
 * @param {NonNullable<State["search"]>} search
 * @param {number} at
 * @param {import("../draw/numbers.js").Digits} digits that tell the scores of the page apart
 * @param {State} state
 * @param {() => void} go
 */
function hitRow(search, at, digits, state, go) {
  const node = search.items[at - search.offset];
  const attributes = {
    class: "rows-row", id: `hit-${at}`, role: "option", "aria-selected": String(at === search.at), "aria-posinset": at + 1, "aria-setsize": search.total, onclick: go,
  };
  if (node === undefined) return html("div", { ...attributes, "aria-busy": "true" }, html("span", { class: "dim" }, "\u2026"));
  const mate = state.opened?.search?.["mate"];
  const path = search.paths[at - search.offset] ?? "";
  const steps = path.split(SEPARATOR);
  const way = steps.slice(0, -1).join(" \u203a ");
  return html(
    "div",
    attributes,
    html("span", { class: "rows-path", title: path }, layerMark(node.layer), way !== "" && html("span", { class: "rows-way cut" }, html("bdi", {}, `${way} \u203a`)), html("b", { class: "cut" }, nodeName(node))),
    html("span", { class: "number", title: fullScore(node, mate) }, shortScore(node, mate, digits)),
    html("span", { class: "number dim" }, count(node.below?.nodes ?? 0)),
    html("span", { class: "number dim" }, `#${node.id}`),
  );
}
