// @ts-check
/** The results of a match, asked for again while games are played. */

import { messageOf } from "../data/api.js";
import { html, redraw, withCode } from "../draw/element.js";
import { counted } from "../draw/numbers.js";
import { drawChart } from "../views/chart.js";
import { mountGames } from "./games.js";
import { at, beginPage } from "./page.js";
import { chartOfRatings, crossTable, sentencesOf, tableOfPlayers, termsOf } from "./standings.js";

/** @import { Counted } from "./types.js" */

/** Milliseconds between two looks while games are played and the page is seen. */
const LOOK = 2000;

const { store, api, id: match, during } = beginPage();

const says = html("div.match-says", { role: "status" });
const players = html("div");
const chart = html("div.match-chart");
const cross = html("div");
const games = html("section.match-part", { "aria-label": "Games" });
const parts = html(
  "div",
  { hidden: true },
  html("p.dim", { id: "match-terms" }),
  says,
  html("section.match-part.match-both", { "aria-label": "Ratings" }, players, chart),
  html("section.match-part", { "aria-label": "Points of each against each" }, cross),
  games,
);
const waits = html("p.match-waits.dim", { role: "status" }, "Reading the games …");
at("match").replaceChildren(waits, parts);
const drawGames = mountGames(games, api, match, during);
let removeChart = () => {};
let before = "";

/** @param {Counted} results */
async function show(results) {
  parts.hidden = false;
  waits.hidden = true;
  redraw(
    says,
    sentencesOf(results).map((sentence) => html("p", withCode(sentence))),
  );
  at("match-terms").textContent = termsOf(results);
  at("match-state").textContent = stateOf(results);
  redraw(players, tableOfPlayers(results));
  const crossed = crossTable(results);
  redraw(cross, crossed !== null && html("h2.section-title", "Points of each against each"), crossed);
  removeChart();
  if (results.games > 0) removeChart = drawChart(chart, chartOfRatings(results), store);
  await drawGames(results);
}

/** @param {Counted} results */
function stateOf({ games: played, total, is_cut: isCut, test }) {
  if (played >= total) return "all games are played";
  if (test !== undefined && test.says !== "go on") return "ended by its test";
  const left = `${counted(total - played, "game")} to go`;
  return isCut ? `${left}; a line is being written, or was cut short by a kill` : left;
}

/** Ask for the results, and draw them if they are new. @returns {Promise<boolean>} whether more games may come */
async function look() {
  try {
    const results = await api.match(match);
    const text = JSON.stringify(results);
    document.title = `${results.name} – Plyscope`;
    at("match-title").textContent = results.name;
    if (results.awaited) waits.textContent = "No game is over yet: this page shows them as they end.";
    else if (text !== before) await show(results);
    before = text;
    return results.awaited || results.games < results.total;
  } catch (error) {
    parts.hidden = true;
    waits.hidden = false;
    redraw(waits, withCode(messageOf(error)));
    before = "";
    return true;
  }
}

/** Look again and again while games may come. */
async function follow() {
  let goesOn = true;
  await during(async () => void (goesOn = await look()));
  if (!goesOn) return;
  const clock = setInterval(async () => {
    if (document.visibilityState === "visible" && !(await look())) clearInterval(clock);
  }, LOOK);
}

void follow();
