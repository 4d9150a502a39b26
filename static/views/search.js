// @ts-check
/** The search box: hits are counted, and walked by the arrows beside it, arrow keys, Enter and Shift+Enter. */

import { html } from "../draw/element.js";
import { icon } from "../draw/icons.js";
import { count } from "../draw/numbers.js";

/** @typedef {import("../data/types.js").State} State */

/** Milliseconds without a key before what is typed is searched for. */
const PATIENCE = 180;

/**
 * @param {HTMLElement} container
 * @param {import("../data/state.js").Store} store
 * @param {import("../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountSearch(container, store, actions) {
  const input = html("input", {
    id: "search",
    class: "field search-field",
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Search c6, c6 > d6, #4117",
    "aria-label": "Search plies, paths and ids",
    "aria-keyshortcuts": "/",
    oninput: typed,
    onkeydown: keyed,
  });
  const hits = html("span", { class: "search-hits number", role: "status" });
  const previous = step("up", "Previous hit", -1);
  const next = step("down", "Next hit", 1);
  container.replaceChildren(icon("search", "search-icon"), input, hits, previous, next);

  let timer = 0;
  let release = () => {};

  /**
   * @param {"up" | "down"} name
   * @param {string} label
   * @param {number} by
   */
  function step(name, label, by) {
    return html(
      "button",
      { class: "button button-icon button-small", type: "button", "aria-label": label, title: label,
        onclick: () => void actions.searchStep(by) },
      icon(name),
    );
  }

  function forget() {
    clearTimeout(timer);
    release();
  }

  function typed() {
    forget();
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

  /** @param {State} state */
  function draw(state) {
    const { search } = state;
    input.disabled = state.phase !== "ready";
    if (search === null && document.activeElement !== input) input.value = "";
    hits.textContent = search === null ? "" : hitsText(search);
    hits.title = search?.error ?? "";
    hits.classList.toggle("search-failed", search !== null && search.total === 0);
    const none = search === null || search.total === 0;
    previous.hidden = none;
    next.hidden = none;
  }

  draw(store.get());
  const remove = store.subscribe(draw);
  return () => {
    forget();
    remove();
    container.replaceChildren();
  };
}

/**
 * @param {NonNullable<State["search"]>} search
 * @returns {string}
 */
function hitsText(search) {
  if (search.error !== undefined) return "not found";
  if (search.total === 0) return "no hits";
  return `${count(search.at + 1)} of ${count(search.total)}`;
}
