// @ts-check
/**
 * Notices, which screen readers read out: errors, notes, changes of the open log's file, and the progress of a shared
 * page. An error stays until it is closed or another log is opened, a note until it was read.
 */

import { staleToTell } from "../../data/stale.js";
import { iconButton, smallButton } from "../../draw/buttons.js";
import { html, progressBar, showProgress, withCode } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";

/** @import { Stale } from "../../data/stale.js" */
/** @import { Mount, Notice, State } from "../../data/types.js" */

/** How many are shown at once, the newest; older ones come back when these are closed. */
const MOST = 2;
/** Seconds that a note stays, and for each of its characters. */
const READING = { least: 5, character: 0.08 };

/** @type {Mount} */
export function mountNotices(container, store, actions) {
  const errors = html("div.notices-kind", { role: "alert" });
  const notes = html("div.notices-kind", { role: "status" });
  const file = html("div.notices-kind", { role: "status" });
  const shared = html("div.notices-kind", { role: "status", tabindex: -1 });
  container.replaceChildren(errors, notes, file, shared);
  /** The shown notice about the file; it is drawn again only where its words differ, however often the file changes. */
  let told = "";
  let toldOfShared = "";
  const progress = progressBar("");
  /** @type {Map<number, HTMLElement>} */
  const shown = new Map();

  /** @param {Notice} notice */
  function make({ id, kind, text, act }) {
    const isPassing = kind === "note";
    const element = html(
      "div",
      {
        class: `notice notice-${kind}${isPassing ? " notice-passing" : ""}`,
        onanimationend: () => actions.dismiss(id),
      },
      icon(kind === "error" ? "warning" : "info"),
      html("p.notice-text", withCode(text)),
      closeButton(() => leave(() => actions.dismiss(id))),
      act !== undefined &&
        html(
          "div.notice-actions",
          smallButton(act.label, () => leave(done)),
        ),
    );
    element.style.setProperty("--read", `${READING.least + READING.character * text.length}s`);
    return element;

    async function done() {
      actions.dismiss(id);
      await act?.press();
    }
  }

  /** @param {Stale} stale */
  function makeOfFile({ kind, name }) {
    const close = closeButton(() => leave(actions.dismissStale));
    if (kind === "gone") {
      const text = `${name} is not there any more; what was read of it is shown.`;
      return html("div.notice.notice-warning", icon("warning"), html("p.notice-text", text), close);
    }
    const again = smallButton("Read again", () => leave(actions.readAgain));
    return html(
      "div.notice.notice-note",
      icon("info"),
      html("p.notice-text", `${name} has changed since it was read.`),
      close,
      html("div.notice-actions", again),
    );
  }

  /**
   * Do the work of a button that closes the notice, and move the focus from it to the tree.
   * @param {() => void | Promise<void>} work
   */
  async function leave(work) {
    await work();
    requestAnimationFrame(() => {
      const tree = document.querySelector('#tree [tabindex="0"]');
      if (document.activeElement === document.body && tree instanceof SVGElement) tree.focus({ preventScroll: true });
    });
  }

  /** @param {State} state */
  function drawOfFile(state) {
    const stale = staleToTell(state);
    const tells = stale === null ? "" : `${state.log} ${stale.kind} ${stale.name}`;
    if (tells === told) return;
    told = tells;
    file.replaceChildren(...(stale === null ? [] : [makeOfFile(stale)]));
  }

  /** @param {NonNullable<State["sharing"]>} sharing */
  const workOn = ({ name, phase }) =>
    phase === "checking" ? `Checking ${name} before it is shared` : `Making one file of ${name}`;

  /** @param {NonNullable<State["sharing"]>} sharing */
  function makeOfShared(sharing) {
    const { state, says = [] } = sharing;
    const isDone = state === "done";
    const text = isDone ? ["The page as one file, for whoever opens it:", ...says].join("\n") : workOn(sharing);
    return html(
      "div.notice.notice-note",
      icon("info"),
      html("p.notice-text.notice-says", withCode(text)),
      isDone && closeButton(() => leave(actions.endSharing)),
      html(
        "div.notice-actions",
        !isDone && progress,
        isDone
          ? smallButton("Save it", () => leave(actions.saveShared))
          : smallButton("Stop", () => leave(actions.endSharing)),
      ),
    );
  }

  /** @param {State} state */
  function drawOfShared({ sharing }) {
    if (sharing !== null) showProgress(progress, workOn(sharing), sharing.progress ?? 0);
    const tells = sharing === null ? "" : `${sharing.log} ${sharing.state} ${sharing.phase}`;
    if (tells === toldOfShared) return;
    const isBegun = toldOfShared === "";
    toldOfShared = tells;
    const { activeElement } = document;
    const isHere = isBegun || activeElement === document.body || shared.contains(activeElement);
    shared.replaceChildren(...(sharing === null ? [] : [makeOfShared(sharing)]));
    if (sharing === null || !isHere) return;
    const save = /** @type {HTMLElement | null} */ (shared.querySelector(".notice-actions button"));
    (sharing.state === "done" ? save : shared)?.focus();
  }

  /** @param {State} state */
  function draw(state) {
    drawOfFile(state);
    drawOfShared(state);
    const others = file.childElementCount + shared.childElementCount;
    const notices = state.notices.slice(-Math.max(1, MOST - others));
    const kept = new Set(notices.map((notice) => notice.id));
    for (const [id, element] of shown) {
      if (kept.has(id)) continue;
      element.remove();
      shown.delete(id);
    }
    for (const notice of notices) {
      if (shown.has(notice.id)) continue;
      const element = make(notice);
      shown.set(notice.id, element);
      (notice.kind === "error" ? errors : notes).append(element);
    }
  }

  // A note that came while the page was hidden is still to be read.
  document.addEventListener("visibilitychange", () => {
    for (const animation of container.getAnimations({ subtree: true })) animation.currentTime = 0;
  });
  store.follow(draw);
}

/** @param {() => void} close */
function closeButton(close) {
  return iconButton("close", "Close this message", close, { title: "Close" });
}
