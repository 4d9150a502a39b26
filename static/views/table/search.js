// @ts-check
/**
 * The search box: hits are counted, and walked by the arrows beside it, arrow keys, Enter and Shift+Enter. Plies, paths
 * and ids are searched as they are typed; an expression over fields is asked by Enter, with suggestions of fields, and
 * its error stands below.
 */

import { kindOf } from "../../data/expression.js";
import { iconButton, smallButton } from "../../draw/buttons.js";
import { html, withCode } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { count } from "../../draw/numbers.js";

/** @import { AskedField, Mount, NoHit, State } from "../../data/types.js" */

/** What may begin an expression: some letters of a field, which are then suggested. */
const BEGUN = /^[\s(]*(?:not\s+)?[a-z][a-z_]{2}/i;
/** The word that is being typed, at the end of the text; and a word that belongs to a field. */
const WORD = /[a-z_][a-z0-9_.]*$/i;
const TEXT = /([a-z_][a-z0-9_.]*)\s*(?:=|!=|\bin\s*\((?:[^()]*,)?)\s*'([a-z_]*)$/i;
const MOST = 12;
/** Milliseconds without a key before the typed text is searched. */
const PATIENCE = 180;

/** @type {Mount} */
export function mountSearch(container, store, actions) {
  const input = html("input.field.search-field", {
    id: "search",
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Search c6, c6 > d6, #4117, score < -50",
    "aria-label": "Search plies, paths, ids and expressions",
    "aria-describedby": "search-error",
    "aria-keyshortcuts": "/",
    oninput: typed,
    onkeydown: keyed,
  });
  const hits = html("span.search-hits.number", { role: "status" });
  const previous = step("up", "Previous hit", -1);
  const next = step("down", "Next hit", 1);
  const fields = html("datalist", { id: "search-fields" });
  const wrong = html("div.search-error", { id: "search-error", role: "alert", hidden: true });
  container.replaceChildren(icon("search", "search-icon"), input, hits, previous, next, fields, wrong);
  let names = /** @type {AskedField[]} */ ([]);
  let namesOf = /** @type {string | null} */ (null);

  /** What the log has to ask for, once somebody writes an expression. */
  async function learn() {
    const { log } = store.get();
    if (namesOf === log) return;
    namesOf = log;
    const found = await actions.fieldsToAsk();
    if (namesOf !== log) return;
    names = found;
    suggest();
  }

  /** Suggest the fields, and the words of a field, that may complete the typed text. */
  function suggest() {
    const values = BEGUN.test(input.value) ? goesOn(input.value, names) : [];
    fields.replaceChildren(...values.map((value) => html("option", { value })));
    if (values.length > 0) input.setAttribute("list", fields.id);
    else input.removeAttribute("list"); // with a list it is a combobox to those who read it aloud
  }

  const isExpression = () => kindOf(input.value) !== "text";

  let timer = 0;
  let release = () => {};

  /** @param {"up" | "down"} name @param {string} label @param {number} by */
  function step(name, label, by) {
    return iconButton(name, label, () => void actions.searchStep(by));
  }

  function forget() {
    clearTimeout(timer);
    release();
  }

  function typed() {
    forget();
    container.classList.toggle("search-expression", isExpression());
    if (BEGUN.test(input.value)) void learn();
    suggest();
    drawWrong(store.get());
    if (isExpression()) return;
    release = store.hold();
    timer = setTimeout(seek, PATIENCE);
  }

  function seek() {
    const search = actions.searchFor(input.value);
    forget();
    return search;
  }

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      if (store.get().search?.q === input.value.trim()) void actions.searchStep(event.shiftKey ? -1 : 1);
      else void seek();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && store.get().search !== null) {
      event.preventDefault();
      void actions.searchStep(event.key === "ArrowUp" ? -1 : 1);
    } else if (event.key === "Escape") {
      event.preventDefault();
      forget();
      input.value = "";
      actions.leaveSearch();
      const tree = document.querySelector('#tree [tabindex="0"]');
      if (tree instanceof HTMLElement || tree instanceof SVGElement) tree.focus();
    }
  }

  /** The error of the expression in the box: its place underlined, and a suggestion. @param {State} state */
  function drawWrong({ search }) {
    const { error, place, suggestion, none, q = "" } = search ?? {};
    const isAsked = search?.source === "hits" && input.value.trim() === q;
    const isHere = error !== undefined && isAsked;
    wrong.hidden = !isHere && !(none !== undefined && isAsked);
    wrong.classList.toggle("search-none", none !== undefined && isAsked);
    input.setAttribute("aria-invalid", String(isHere));
    if (none !== undefined && isAsked) return void wrong.replaceChildren(...noHitParts(none, put));
    if (!isHere) return void wrong.replaceChildren();
    const signs = [...q]; // places count characters, as the server does
    const [start, end] = place ?? [0, 0];
    const [before, bad, after] = [
      signs.slice(0, start),
      signs.slice(start, Math.max(end, start + 1)),
      signs.slice(end),
    ].map((part) => part.join(""));
    wrong.replaceChildren(
      ...(place === undefined
        ? []
        : [html("code.search-place", before, html("u", bad || "\u00a0"), end > start ? after : "")]),
      html("span", withCode(error)),
      ...(place === undefined || suggestion === undefined
        ? []
        : [smallButton(`Put ${suggestion}`, () => put(`${before}${suggestion}${after}`))]),
    );
  }

  /** Ask another expression. @param {string} text */
  function put(text) {
    input.value = text;
    input.focus();
    void seek();
  }

  /** @param {State} state */
  function draw(state) {
    const { search } = state;
    if (state.log !== namesOf) names = [];
    if (search?.source === "hits" && document.activeElement !== input && input.value.trim() !== search.q)
      input.value = search.q;
    container.classList.toggle("search-expression", isExpression());
    drawWrong(state);
    input.disabled = state.phase !== "ready";
    if (search === null && document.activeElement !== input) input.value = "";
    hits.textContent = search === null ? "" : hitsText(search);
    hits.title = search?.error ?? "";
    hits.classList.toggle("search-failed", search !== null && search.total === 0);
    const none = search === null || search.total === 0;
    previous.hidden = none;
    next.hidden = none;
  }

  store.follow(draw);
}

/**
 * The sentences on an expression without a hit, and the nearest looser one as a button.
 * @param {NoHit} none
 * @param {(text: string) => void} ask
 */
function noHitParts({ rows, unknown, looser }, ask) {
  const where =
    unknown === 0
      ? ""
      : unknown === rows
        ? ": it is unknown at every one"
        : `; unknown at ${count(unknown)}, false at the others`;
  const parts = [html("span", `No node of ${count(rows)}${where}.`)];
  if (looser === undefined) return parts;
  const without = looser.without.flatMap((part, at) => [at > 0 && " and ", html("bdi.expression", part)]);
  return [
    ...parts,
    html("span", "Without ", without, looser.total === 1 ? " there is 1:" : ` there are ${count(looser.total)}:`),
    smallButton(html("bdi.expression", looser.q), () => ask(looser.q)),
  ];
}

/** @param {NonNullable<State["search"]>} search */
function hitsText(search) {
  if (search.error !== undefined) return search.source === "hits" ? "" : "not found";
  if (search.total === 0) return "no hits";
  if (search.at < 0) return search.total === 1 ? "1 hit" : `${count(search.total)} hits`;
  return `${count(search.at + 1)} of ${count(search.total)}`;
}

/**
 * The completions of the typed text: with a field in place of its last word, or with a word of a field.
 * @param {string} text
 * @param {readonly AskedField[]} fields
 */
export function goesOn(text, fields) {
  const quoted = TEXT.exec(text);
  if (quoted !== null) {
    const [, name, begun = ""] = quoted;
    const words = fields.find((field) => field.name === name?.replace(/^(?:parent|root)\./, ""))?.words ?? [];
    return words
      .filter((word) => word.startsWith(begun))
      .map((word) => `${text.slice(0, text.length - begun.length)}${word}'`);
  }
  const begun = WORD.exec(text)?.[0] ?? "";
  const inner = begun.replace(/^(?:parent|root)\./i, "");
  if (inner.length < 2) return [];
  const before = text.slice(0, text.length - inner.length);
  const matching = fields.filter(({ name }) => name.startsWith(inner) || name.includes(`.${inner}`));
  return matching
    .filter(({ name }) => name !== inner)
    .slice(0, MOST)
    .map(({ name, written }) => before + (written ?? name));
}
