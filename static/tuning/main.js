// @ts-check
/** The trials of a tuning under one slider, and the way from a trial to its games and to the tree of a log. */

import { messageOf } from "../data/api.js";
import { packWeights } from "../data/route.js";
import { smallButton } from "../draw/buttons.js";
import { html, redraw, withCode } from "../draw/element.js";
import { at, beginPage } from "../match/page.js";
import { drawChart } from "../views/chart.js";
import { TRIAL, chartOfValues, chartOfWeights } from "./charts.js";
import { saysOf, sentencesOf, tableOfTrials, tableOfWeights, termsOf } from "./trials.js";

/** @import { Summary } from "../data/types.js" */
/** @import { View } from "../views/chart.js" */
/** @import { Tuned } from "./types.js" */

/** The window in which a log is shown with the weights of a trial. */
const WINDOW = "plyscope-log";

const { store, api, id, during } = beginPage();
const waits = html("p.match-waits.dim", { role: "status" }, "Reading the trials …");
at("match").replaceChildren(waits);
void during(begin);

async function begin() {
  try {
    const [tuned, { logs }] = await Promise.all([api.tuning(id), api.logs()]);
    document.title = `${tuned.name} – Plyscope`;
    at("match-title").textContent = tuned.name;
    show(
      tuned,
      logs.filter((log) => isOfGame(log, tuned.game)),
    );
  } catch (error) {
    redraw(waits, withCode(messageOf(error)));
  }
}

/** Whether a log may have been searched in the game; of one that was not read yet that is unknown. @param {Summary} log @param {string} game */
function isOfGame({ game: of, games, tuning }, game) {
  return games !== true && tuning !== true && (of === undefined || of === game || game.includes(":"));
}

/** @param {Tuned} tuned @param {Summary[]} logs */
function show(tuned, logs) {
  const last = tuned.trials.length - 1;
  const asked = /^#trial=(\d+)$/.exec(location.hash)?.[1];
  let place = Math.max(0, placeOf(asked === undefined ? tuned.best : Number(asked)));
  let isByShare = false;
  let wrong = "";
  /** @type {View[]} */
  const views = [];
  /** @type {{window: Window, log: string} | null} */
  let other = null;

  const slider = html("input", {
    type: "range",
    id: "tuning-trial",
    min: "0",
    max: String(last),
    value: String(place),
    "data-key": "tuning-slider",
    oninput: () => choose(tuned.trials[Number(slider.value)]?.trial ?? 0),
  });
  const says = html("output.number", { for: "tuning-trial" });
  const choice = html(
    "select.field",
    { id: "tuning-log" },
    logs.map((log) => html("option", { value: log.id }, log.name)),
  );
  const weights = html("div");
  const ways = html("div.tuning-ways");
  const list = html("div", { id: "tuning-list" });
  const [values, parts] = [html("div.match-chart"), html("div.match-chart")];
  at("match").replaceChildren(
    html("p.dim", { id: "match-terms" }, termsOf(tuned)),
    html(
      "div.match-says",
      sentencesOf(tuned).map((sentence) => html("p", withCode(sentence))),
      tuned.fresh?.has_games === true && gamesButton("fresh", "Its fresh games"),
    ),
    html(
      "section.match-part",
      { "aria-label": "History" },
      values,
      parts,
      html("div.tuning-slider", html("label", { for: "tuning-trial" }, "Trial"), slider, says),
    ),
    html("section.match-part.match-both", { "aria-label": "The trial" }, weights, ways),
    html(
      "section.match-part",
      { "aria-label": "Trials" },
      html("h2.section-title", "Trials"),
      html(
        "div.match-filter",
        html("label", { for: "tuning-order" }, "Order"),
        html(
          "select.field",
          {
            id: "tuning-order",
            onchange: (/** @type {Event} */ event) => {
              isByShare = /** @type {HTMLSelectElement} */ (event.currentTarget).value === "share";
              draw();
            },
          },
          html("option", { value: "trial" }, "as they were tried"),
          html("option", { value: "share" }, "the best first"),
        ),
      ),
      list,
    ),
  );
  for (const [container, chart] of /** @type {const} */ ([
    [values, chartOfValues],
    [parts, chartOfWeights],
  ]))
    drawChart(container, { ...chart(tuned, now()), drawn: listen }, store);
  draw();

  /** @param {number} trial */
  function placeOf(trial) {
    return tuned.trials.findIndex((each) => each.trial === trial);
  }

  function now() {
    return tuned.trials[place]?.trial ?? 0;
  }

  /** A chart that was drawn, or drawn again in other colours. @param {View} view */
  function listen(view) {
    views.push(view);
    view.addEventListener("click", (_, item) => {
      const trial = item?.datum?.["trial"];
      if (typeof trial === "number") choose(trial);
    });
    point(view);
  }

  /** @param {View} view */
  function point(view) {
    void during(async () => void (await view.signal(TRIAL, now()).runAsync()));
  }

  /** @param {number} trial */
  function choose(trial) {
    place = Math.max(0, placeOf(trial));
    wrong = "";
    history.replaceState(null, "", `#trial=${now()}`);
    slider.value = String(place);
    for (const view of views) point(view);
    if (other !== null && !other.window.closed) other.window.location.hash = hashOf(other.log);
    draw();
  }

  /** The address of a log with the trial's weights. @param {string} log */
  function hashOf(log) {
    const trial = tuned.trials[place];
    const of = Object.fromEntries(tuned.names.map((name, at) => [name, trial?.weights[at] ?? 0]));
    return `#${new URLSearchParams({ log, drawer: "weights", weights: packWeights(of) })}`;
  }

  /** Another window shows a log with the trial's weights, and follows the slider from now on. */
  function setWeights() {
    const log = choice.value;
    const opened = window.open(`/${hashOf(log)}`, WINDOW);
    other = opened === null ? null : { window: opened, log };
    wrong = opened === null ? "The browser opened no window: allow it for this page." : "";
    draw();
  }

  /** @param {string} which @param {string} label */
  function gamesButton(which, label) {
    return smallButton(label, () => void openGames(which), { "data-key": `games-${which}` });
  }

  /** @param {string} which */
  async function openGames(which) {
    await during(async () => {
      try {
        const { match } = await api.gamesOfTrial(id, which);
        location.assign(`/match/${match.id}`);
      } catch (error) {
        wrong = messageOf(error);
        draw();
      }
    });
  }

  function draw() {
    const trial = tuned.trials[place];
    if (trial === undefined) return;
    says.textContent = `${trial.trial}: ${saysOf(trial)}`;
    slider.setAttribute("aria-valuetext", says.textContent);
    redraw(weights, html("h2.section-title", `Trial ${trial.trial}`), tableOfWeights(tuned, trial));
    redraw(
      ways,
      html("h2.section-title", "From here"),
      trial.has_games
        ? gamesButton(String(trial.trial), "The games of this trial")
        : html("p.dim", "Its games were not kept: tune with --keep-games FOLDER."),
      logs.length === 0
        ? html("p.dim", `To see what a tree says by these weights, view a log of ${tuned.game} beside this file.`)
        : html(
            "div.tuning-log",
            html("label", { for: "tuning-log" }, "What if"),
            choice,
            smallButton("had these weights", setWeights, { "data-key": "what-if" }),
          ),
      other !== null && !other.window.closed && html("p.dim", "The other window follows the slider."),
      wrong !== "" && html("p.match-wrong", { role: "alert" }, withCode(wrong)),
    );
    redraw(list, ...tableOfTrials(tuned, { now: now(), isByShare, choose }));
  }
}
