// @ts-check
/** The list of logs, which grows as logs come: the figures of each, the progress of its reading, its error; pasted logs can be renamed and deleted. */

import { pageOfResults } from "../../data/route.js";
import { differ } from "../../data/state.js";
import { asOneStop, button, iconButton, smallButton } from "../../draw/buttons.js";
import { html, progressBar, redraw, withCode } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { SOURCES, aboutLog, newsOf, reasonAgainst, resultsItem } from "./about.js";

/** @import { Mount, State, Summary } from "../../data/types.js" */

/** Milliseconds between two looks at the list while the page is seen. */
const LOOK = 3000;

/** @type {Mount} */
export function mountLogs(container, store, actions) {
  const list = html("ul.logs");
  /** @type {string | null} the log about whose deletion the page asks */
  let asking = null;
  /** @type {string | null} the log that is given another name */
  let naming = null;
  /** @type {WeakMap<Summary, {of: string, element: HTMLElement}>} what is drawn of each, and by what it was drawn */
  const items = new WeakMap();
  container.replaceChildren(html("h2.section-title", { id: "logs-title" }, "Logs"), list);

  /** @param {string | null} id */
  function ask(id) {
    asking = id;
    draw(store.get());
    const key = id === null ? null : `keep-${id}`;
    const button = key && list.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (button instanceof HTMLElement) button.focus();
  }

  /** @param {Summary} log @param {boolean} isOpen @param {boolean} compares whether it can be compared @param {State} state */
  function item(log, isOpen, compares, state) {
    if (pageOfResults(log) !== null) return resultsItem(log);
    return html(
      "li",
      { class: `log${isOpen ? " log-open" : ""}${log.state === "failed" ? " log-failed" : ""}` },
      button(
        [
          icon(log.state === "failed" ? "warning" : log.source, "log-icon"),
          html(
            "span.log-text",
            html("span.log-name", log.name),
            html("span.log-about.number", aboutLog(log), newsOf(log)),
            log.state === "failed" &&
              html("span.log-error", { title: log.error }, withCode(log.error ?? "cannot be read")),
            log.state === "reading" &&
              progressBar(`Reading ${log.name}`, isOpen ? state.progress : (log.progress ?? null)),
          ),
        ],
        () => void actions.openLog(log.id),
        {
          class: "log-button",
          "data-key": `log-${log.id}`,
          "aria-current": isOpen && "true",
          title: `${log.name}, ${SOURCES[log.source]}`,
        },
      ),
      compares && asking !== log.id && naming !== log.id && compareButton(log, state.diff.against === log.id),
      log.deletable && asking !== log.id && naming !== log.id && [renameButton(log), deleteButton(log)],
      log.deletable && asking === log.id && confirmation(log),
      log.deletable && naming === log.id && nameForm(log),
    );
  }

  /** @param {string | null} id */
  function rename(id) {
    const before = naming;
    naming = id;
    draw(store.get());
    const key = id === null ? `rename-${before}` : `name-${id}`;
    const control = list.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (control instanceof HTMLInputElement) control.select();
    if (control instanceof HTMLElement) control.focus();
  }

  /** @param {Summary} log */
  function nameForm(log) {
    const input = html("input.field.log-rename-field", {
      type: "text",
      value: log.name,
      maxlength: 200,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": `New name of ${log.name}`,
      "data-key": `name-${log.id}`,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        rename(null);
      },
    });
    /** @param {SubmitEvent} event */
    const submit = (event) => {
      event.preventDefault();
      rename(null);
      const name = input.value.trim();
      if (name !== "" && name !== log.name) void actions.renameLog(log.id, name);
    };
    return html(
      "form.log-rename",
      { onsubmit: submit },
      input,
      html("button.button.button-small", { type: "submit" }, "Rename"),
    );
  }

  /** @param {Summary} log @param {boolean} isOn */
  function compareButton(log, isOn) {
    const label = isOn ? `End the comparison with ${log.name}` : `Compare with ${log.name}`;
    return iconButton("compare", label, () => (isOn ? actions.endDiff() : void actions.compareWith(log.id)), {
      class: "button button-icon button-small log-delete log-compare",
      "data-key": `compare-${log.id}`,
      "aria-pressed": String(isOn),
    });
  }

  /** @param {Summary} log */
  function renameButton(log) {
    const label = `Rename ${log.name}`;
    return iconButton("edit", label, () => rename(log.id), {
      class: "button button-icon button-small log-delete",
      "data-key": `rename-${log.id}`,
    });
  }

  /** @param {Summary} log */
  function deleteButton(log) {
    const label = `Delete ${log.name}`;
    return iconButton("trash", label, () => ask(log.id), {
      class: "button button-icon button-small log-delete",
      "data-key": `delete-${log.id}`,
    });
  }

  /** @param {Summary} log */
  function confirmation(log) {
    return html(
      "div.log-confirm",
      { role: "group", "aria-label": `Delete ${log.name}?` },
      html("span.dim", "Delete the stored copy?"),
      smallButton("Keep", () => ask(null), { "data-key": `keep-${log.id}` }),
      button(
        "Delete",
        () => {
          ask(null);
          void actions.deleteLog(log.id);
        },
        { class: "button button-small button-danger" },
      ),
    );
  }

  /**
   * The item of a log: the one that is there where it would say the same.
   * @param {Summary} log
   * @param {State} state
   */
  function itemOf(log, state) {
    const { phase, diff, progress } = state;
    const isOpen = log.id === state.log;
    const open = state.logs.find(({ id }) => id === state.log);
    const compares = !isOpen && phase === "ready" && open !== undefined && reasonAgainst(log, open) === null;
    const today = new Date().toDateString(); // times of other days are said otherwise
    const of = [
      isOpen,
      compares,
      asking === log.id,
      naming === log.id,
      diff.against === log.id,
      isOpen && progress,
      today,
    ];
    const known = items.get(log);
    if (known?.of === String(of)) return known.element;
    const element = item(log, isOpen, compares, state);
    items.set(log, { of: String(of), element });
    return element;
  }

  /** @param {State} state */
  function draw(state) {
    const drawn = state.logs.map((log) => itemOf(log, state));
    const changed = drawn.flatMap((element, at) => (element === list.children[at] ? [] : [at]));
    if (drawn.length > 0 && drawn.length === list.children.length && changed.length < 2) {
      const [at] = changed;
      if (at === undefined) return;
      const old = list.children[at];
      const element = drawn[at];
      if (old && element && !old.contains(document.activeElement)) {
        old.replaceWith(element);
        asOneStop(list);
        return;
      }
    }
    const none = html("li.section-empty", "None yet: paste one, drop a file here, or open one.");
    const { scrollTop } = list;
    redraw(list, drawn.length > 0 ? drawn : none);
    asOneStop(list);
    list.scrollTop = scrollTop;
  }

  /** Scroll the list to the open log. */
  function reveal() {
    const open = list.querySelector(".log-open");
    if (!(open instanceof HTMLElement)) return;
    const [top, bottom] = [open.offsetTop, open.offsetTop + open.offsetHeight];
    if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight)
      list.scrollTop = top - list.clientHeight / 3;
  }

  // A hidden page asks nothing; it asks as soon as it is visible again.
  const look = () => void (document.visibilityState === "visible" && actions.refreshLogs());
  setInterval(look, LOOK);
  document.addEventListener("visibilitychange", look);

  draw(store.get());
  store.subscribe((state, previous) => {
    // The list is not drawn over a name that is being typed; it is drawn once the name is given or given up.
    const isOther =
      differ(
        state,
        previous,
        "logs",
        "log",
        "phase",
        ...(isReading(state) ? /** @type {const} */ (["progress"]) : []),
      ) || state.diff.against !== previous.diff.against;
    if (naming === null && isOther) draw(state);
    const shown = state.panels.logs && !previous.panels.logs;
    if (shown || placeOf(state) !== placeOf(previous)) reveal();
  });
}

/** Whether the list shows how far the open log is. @param {State} state */
function isReading({ logs, log }) {
  return logs.some(({ id, state }) => id === log && state === "reading");
}

/** The place of the open log in the list. @param {State} state */
function placeOf({ logs, log }) {
  return logs.findIndex(({ id }) => id === log);
}
