// @ts-check
/** The strip of a replay: commands, the stops of a run, the rate of playing, and the bar of time. */

import { iconButton, nameControl } from "../../draw/buttons.js";
import { html } from "../../draw/element.js";
import { icon } from "../../draw/icons.js";
import { count } from "../../draw/numbers.js";
import { nodeName } from "../../draw/words.js";

/** @import { Mount, State } from "../../data/types.js" */
/** @import { IconName } from "../../draw/icons.js" */

/** The stops of a run; an expression typed by the user is the last choice. */
const STOPS = /** @type {const} */ ([
  ["cut", "next cut"],
  ["best", "next better ply"],
  ["score != parent.score", "next score unlike its parent's"],
  ["where", "next node where\u2026"],
]);
/** Events a second. */
const RATES = Object.freeze([1, 3, 10, 30, 100, 1000, 10_000, 100_000]);

/** @type {Mount} */
export function mountReplay(container, store, actions) {
  const play = command("motion", "Play (k)", () => void actions.playReplay());
  const stop = html(
    "select.replay-choice",
    { "aria-label": "What a run stops at", title: "What a run stops at", onchange: pickStop },
    STOPS.map(([value, text]) => html("option", { value }, text)),
  );
  const rate = html(
    "select.replay-choice",
    {
      "aria-label": "Events a second while it plays",
      title: "Events a second while it plays",
      onchange: () => actions.setRate(Number(rate.value)),
    },
    RATES.map((each) => html("option", { value: each }, `${count(each)}/s`)),
  );
  const where = html("input.replay-where", {
    type: "text",
    placeholder: "score != parent.score",
    "aria-label": "An expression that is true of the node to stop at",
    autocomplete: "off",
    spellcheck: "false",
    hidden: true,
    onkeydown: entered,
  });
  const time = html("input.replay-time", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Time of the search, in events",
    title: "Time of the search: drag, or the arrow keys",
    oninput: () => void actions.seekReplay(Number(time.value)),
  });
  const place = html("span.replay-place.number");
  container.replaceChildren(
    html(
      "div.replay-bar",
      html(
        "div.replay-commands",
        { role: "group", "aria-label": "Steps" },
        command("back", "Step back (,)", () => void actions.stepReplay("back")),
        command("forward", "Step in (.)", () => void actions.stepReplay("in")),
        command("over", "Step over, until the node is left (>)", () => void actions.stepReplay("over")),
        command("out", "Step out, until its parent is left (<)", () => void actions.stepReplay("out")),
        play,
        rate,
        command("run", "Run to the next stop (h)", () => void actions.runReplay()),
        stop,
        where,
      ),
      place,
    ),
    time,
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
    nameControl(play, label);
    play.replaceChildren(icon(playing ? "still" : "motion"));
    const isOffered = STOPS.some(([value]) => value === state.stop);
    if (isOffered && stop.value !== "where") stop.value = state.stop;
    if (!isOffered && document.activeElement !== stop) {
      stop.value = "where";
      if (document.activeElement !== where) where.value = state.stop;
    }
    where.hidden = stop.value !== "where";
    rate.value = String(state.rate);
    time.max = String(replay.events - 1);
    if (!time.matches(":active")) time.value = String(replay.event); // not from under a hand that drags it
    const node = state.nodes.get(replay.node);
    const name = node === undefined ? `#${replay.node}` : nodeName(node);
    time.setAttribute("aria-valuetext", `${replay.enters ? "enters" : "leaves"} ${name}`);
    place.replaceChildren(
      html("b", replay.enters ? "enters " : "leaves "),
      html("bdi.cut", name),
      ` \u00b7 row ${count(replay.row)} of ${count(replay.rows)}`,
    );
  }

  store.follow(draw, ["replay", "playing", "stop", "rate", "revision"]);
}

/** @param {IconName} name @param {string} label @param {() => void} press */
function command(name, label, press) {
  return iconButton(name, label, press);
}
