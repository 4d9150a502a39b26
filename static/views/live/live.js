// @ts-check
/** The bar over the tree of a log that is being written: its nodes, their rate, and the engine that waits. */

import { standsStill } from "./actions.js";
import { smallButton } from "../../draw/buttons.js";
import { html, redraw, withCode } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { count, counted } from "../../draw/numbers.js";
import { seen } from "../../draw/seen.js";

/** @import { Live, Mount, State } from "../../data/types.js" */

/** @type {Mount} */
export function mountLive(container, store, actions) {
  const said = html("p.live-said");
  const pause = smallButton([], () => actions.pauseLive());
  const follow = smallButton("Follow", () => void actions.followSearch(!store.get().following), {
    title: "Keep the line that is searched in view, until you press anything else",
  });
  const held = html("div.live-hold", { hidden: true });
  /** Read out by screen readers: only what changes seldom, not the figures that change all the time. */
  const status = html("p.visually-hidden", { role: "status" });
  container.replaceChildren(html("span.live-dot", { "aria-hidden": "true" }), said, pause, follow, held, status);
  let holdDrawn = "";

  /** @param {State} state */
  function draw(state) {
    const live = state.phase === "ready" ? state.live : null;
    container.hidden = live === null;
    if (live === null) return;
    const isOver = live.state === "failed" || live.lost !== undefined;
    container.dataset["state"] = isOver ? "failed" : state.paused ? "paused" : "written";
    container.dataset["shown"] = String(state.opened?.totals.nodes ?? 0);
    set(said, liveWords(state, live));
    pause.hidden = isOver;
    follow.hidden = isOver || live.open === undefined || state.paused || standsStill(state);
    follow.setAttribute("aria-pressed", String(state.following));
    set(pause, state.paused ? "Go on" : "Pause");
    pause.title = state.paused ? "Follow what was written meanwhile" : "Stop the page here; the engine writes on";
    set(status, statusWords(state, live));
    drawHold(live);
  }

  /** @param {Live} live */
  function drawHold({ hold }) {
    const key = JSON.stringify(hold ?? null);
    if (key === holdDrawn) return;
    holdDrawn = key;
    held.hidden = hold === undefined;
    if (hold === undefined) return held.replaceChildren();
    const { why, node } = hold;
    const place = smallButton(`#${node}`, () => void (node != null && actions.goTo(node)));
    redraw(held, [
      icon("warning"),
      html("span", "The engine waits", node == null ? "" : " at ", node == null ? "" : place),
      why === "" ? "" : html("bdi.live-why", seen(why)),
      smallButton("Let it go on", () => void actions.goOn()),
    ]);
  }

  /** Stop following when the user presses anything else, as in a terminal. @param {Event} event */
  function leave(event) {
    const isHere = event.target instanceof Node && container.contains(event.target);
    if (store.get().following && !isHere) void actions.followSearch(false);
  }
  for (const press of ["pointerdown", "keydown", "wheel"])
    container.ownerDocument.addEventListener(press, leave, { capture: true, passive: true });

  store.follow(draw, ["live", "paused", "following", "phase", "opened", "replay", "diff"]);
}

/** @param {HTMLElement} element @param {string} text */
function set(element, text) {
  if (element.textContent !== text.replaceAll("`", "")) element.replaceChildren(...withCode(text));
}

/** @param {State} state @param {Live} live */
function liveWords(state, live) {
  const shown = state.opened?.totals.nodes ?? 0;
  if (live.lost !== undefined) return `${lostWords(live)} What came before is shown.`;
  if (live.state === "failed") {
    const next = live.from === "file" ? " If the file is written anew, the page shows that." : "";
    return `Not followed any more: ${live.error}. What came before is shown.${next}`;
  }
  const waiting = live.waiting ? `, ${counted(live.waiting, "node")} waiting for a parent` : "";
  const gone = live.gone ? ", its file is not there now" : "";
  const unread = live.unread_bytes ? `, ${count(Math.ceil(live.unread_bytes / 2 ** 20))} MB still to be read` : "";
  const awaited = live.chunk_bytes
    ? `, a chunk that says it has ${counted(live.chunk_bytes, "byte")}: ${count(live.chunk_came ?? 0)} have come`
    : "";
  const rate = live.per_second ? `${count(live.per_second)} a second` : "none in the last seconds";
  const written = `${counted(live.nodes, live.counts)}, ${live.unread_bytes && live.per_second ? `read at ${rate}` : rate}${waiting}${gone}${unread}${awaited}`;
  const now = live.left ? leftWords(live, waiting) : `being written: ${written}`;
  if (state.paused) return `Paused at ${counted(shown, "node")}; ${now}`;
  if (standsStill(state)) {
    const what = state.replay !== null ? "a replay" : "a comparison";
    return `Stands still at ${counted(shown, "node")} for ${what}; ${now}`;
  }
  return now[0]?.toUpperCase() + now.slice(1);
}

/** @param {Live} live @param {string} waiting */
function leftWords({ nodes, counts, cut_bytes: bytes }, waiting) {
  const cut = bytes ? `, then ${counted(bytes, "byte")} of a line or chunk without its end` : "";
  return `not being written: no program that can be seen here has the file open; ${counted(nodes, counts)} came${waiting}${cut}`;
}

/** @param {Live} live */
function lostWords({ lost }) {
  return lost === "silent"
    ? "The viewer does not answer: is `plyscope view` still running?"
    : "The viewer was started anew and does not know this log.";
}

/** @param {State} state @param {Live} live */
function statusWords(state, live) {
  if (live.lost !== undefined) return lostWords(live);
  if (live.state === "failed") return `Not followed any more: ${live.error}`;
  if (live.hold !== undefined) return `The engine waits${live.hold.why === "" ? "" : `: ${live.hold.why}`}`;
  if (live.left) return "No program writes the log";
  return state.paused ? "Paused; the engine writes on" : "The log is being written";
}
