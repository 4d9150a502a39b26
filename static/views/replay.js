// @ts-check
/**
 * The strip of a replay: commands, the bar of time, and the nodes that the search is in, the root first. Each of
 * them has the best so far and, as a bar on one scale for all, the window that is left.
 */

import { toNumber } from "../data/claims.js";
import { html, redraw, svg } from "../draw/element.js";
import { icon } from "../draw/icons.js";
import { count, signed } from "../draw/numbers.js";
import { nodeName } from "../draw/words.js";

/** @typedef {import("../data/types.js").State} State */
/** @typedef {import("../data/types.js").Open} Open */
/** @typedef {import("../data/types.js").Moment} Moment */

/** Width and height of a bar, in pixels. */
const BAR = { width: 104, height: 10 };

/**
 * @param {HTMLElement} container
 * @param {import("../data/state.js").Store} store
 * @param {import("../data/actions.js").Actions} actions
 * @returns {() => void}
 */
export function mountReplay(container, store, actions) {
  const play = command("motion", "Play (k)", () => void actions.playReplay());
  const stop = html(
    "select",
    { class: "replay-stop", "aria-label": "What a run stops at", title: "What a run stops at",
      onchange: pickStop },
    html("option", { value: "cut" }, "next cut"),
    html("option", { value: "best" }, "next better ply"),
    html("option", { value: "where" }, "next node where\u2026"),
  );
  const where = html("input", { class: "replay-where", type: "text", placeholder: "score != parent.score", "aria-label": "An expression that is true of the node to stop at",
    autocomplete: "off", spellcheck: "false", hidden: true, onkeydown: entered });
  const time = html("input", { class: "replay-time", type: "range", min: 0, step: 1, "aria-label": "Time of the search, in events", oninput: () => void actions.seekReplay(Number(time.value)) });
  const place = html("span", { class: "replay-place number" });
  const stack = html("ol", { class: "replay-stack", "aria-label": "Nodes that the search is in" });
  container.replaceChildren(
    html(
      "div",
      { class: "replay-bar" },
      html(
        "div",
        { class: "replay-commands", role: "group", "aria-label": "Steps" },
        command("back", "Step back (,)", () => void actions.stepReplay("back")),
        command("forward", "Step in (.)", () => void actions.stepReplay("in")),
        command("over", "Step over, until the node is left (>)", () => void actions.stepReplay("over")),
        command("out", "Step out, until its parent is left (<)", () => void actions.stepReplay("out")),
        play,
        command("run", "Run to the next stop (h)", () => void actions.runReplay()),
        stop,
        where,
      ),
      time,
      place,
    ),
    stack,
  );

  function pickStop() {
    where.hidden = stop.value !== "where";
    if (where.hidden) actions.setStop(stop.value);
    else where.focus();
  }

  /** Enter in the field runs to the next node for which its expression is true. @param {KeyboardEvent} event */
  function entered(event) {
    if (event.key !== "Enter" || where.value.trim() === "") return;
    actions.setStop(where.value.trim());
    void actions.runReplay();
  }

  /** @param {State} state */
  function draw(state) {
    const { replay, playing } = state;
    if (replay === null) return;
    const label = playing ? "Pause (k)" : "Play (k)";
    play.setAttribute("aria-label", label);
    play.title = label;
    play.replaceChildren(icon(playing ? "still" : "motion"));
    if (stop.value !== "where" && (state.stop === "cut" || state.stop === "best")) stop.value = state.stop;
    time.max = String(replay.events - 1);
    time.value = String(replay.event);
    const node = state.nodes.get(replay.node);
    const name = node === undefined ? `#${replay.node}` : nodeName(node);
    time.setAttribute("aria-valuetext", `${replay.enters ? "enters" : "leaves"} ${name}`);
    place.replaceChildren(html("b", {}, replay.enters ? "enters " : "leaves "), html("bdi", { class: "cut" }, name), ` \u00b7 row ${count(replay.row)} of ${count(replay.rows)}`);
    const scale = scaleOf(replay.stack);
    redraw(stack, replay.stack.map((open, i) => html("li", {}, frame(state, replay, open, i, scale))));
    stack.scrollLeft = stack.scrollWidth;
  }

  /** @param {State} state @param {Moment} replay @param {Open} open @param {number} i @param {Scale} scale */
  function frame(state, replay, open, i, scale) {
    const node = state.nodes.get(open.id);
    const name = node === undefined ? (open.ply ?? "root") : nodeName(node);
    const isClosed = i === replay.stack.length - 1 && !replay.enters;
    const best = open.best === undefined ? "no ply yet" : `best ${signed(open.best)}`;
    const window = windowText(open);
    const label = `${name}: ${best}${window === "" ? "" : `, window ${window}`}${isClosed ? ", left now" : ""}`;
    return html(
      "button",
      { class: isClosed ? "replay-frame replay-left" : "replay-frame", type: "button", "data-key": `frame-${open.id}`, "aria-label": label, title: label,
        onclick: () => void actions.goTo(open.id) },
      html("span", { class: "replay-name" }, html("b", { class: "cut" }, name), html("span", { class: "number" }, open.best === undefined ? "\u2013" : signed(open.best))),
      bar(open, scale),
      html("span", { class: "replay-window number" }, window === "" ? "no window stated" : window),
    );
  }

  draw(store.get());
  const remove = store.subscribe((state, previous) => {
    if (state.replay !== previous.replay || state.playing !== previous.playing || state.stop !== previous.stop || state.revision !== previous.revision) draw(state);
  });
  return () => {
    remove();
    container.replaceChildren();
  };
}

/**
 * @param {import("../draw/icons.js").IconName} name
 * @param {string} label
 * @param {() => void} press
 */
function command(name, label, press) {
  return html("button", { class: "button button-icon button-small", type: "button", "aria-label": label, title: label, onclick: press }, icon(name));
}

/** @typedef {{low: number, high: number}} Scale */

/**
 * The finite numbers of all windows and bests, with room at either end for what is open.
 * @param {readonly Open[]} stack
 * @returns {Scale}
 */
export function scaleOf(stack) {
  const numbers = stack.flatMap(({ alpha, beta, best }) => [alpha, beta, best]).flatMap((each) => (each === undefined ? [] : [toNumber(each)])).filter(Number.isFinite);
  if (numbers.length === 0) return { low: -1, high: 1 };
  const low = Math.min(...numbers);
  const high = Math.max(...numbers);
  const margin = (high - low || Math.abs(high) || 1) * 0.15;
  return { low: low - margin, high: high + margin };
}

/** The live window as a bar, its open ends at the edges, and a tick at the best. @param {Open} open @param {Scale} scale */
function bar({ alpha, beta, best }, scale) {
  /** @param {number} value */
  const x = (value) => Math.round(Math.max(0, Math.min(1, (value - scale.low) / (scale.high - scale.low))) * BAR.width * 10) / 10;
  const left = alpha === undefined ? 0 : x(toNumber(alpha));
  const right = beta === undefined ? BAR.width : x(toNumber(beta));
  const isStated = alpha !== undefined || beta !== undefined;
  return svg(
    "svg",
    { class: "replay-window-bar", width: BAR.width, height: BAR.height, "aria-hidden": "true" },
    svg("rect", { class: "replay-track", x: 0, y: 4, width: BAR.width, height: 2 }),
    isStated && right > left && svg("rect", { class: "replay-open", x: left, y: 2, width: Math.max(1, right - left), height: 6, rx: 1 }),
    isStated && right <= left && svg("rect", { class: "replay-closed", x: Math.max(0, right - 1), y: 0, width: 2, height: BAR.height }),
    best !== undefined && svg("rect", { class: "replay-best", x: x(toNumber(best)) - 1, y: 0, width: 2, height: BAR.height }),
  );
}

/** A window in figures; nothing where the log states none. @param {Open} open */
function windowText({ alpha, beta }) {
  if (alpha === undefined && beta === undefined) return "";
  if (alpha !== undefined && beta !== undefined && toNumber(alpha) >= toNumber(beta)) return "closed: cut";
  return `${edge(alpha)} \u2026 ${edge(beta)}`;
}

/** @param {import("../data/types.js").Score | undefined} value */
function edge(value) {
  if (value === undefined) return "?";
  return signed(value);
}
