// @ts-check
/** The games of a match: whose, how they ended, their plies, and the way to the logs of their searches. */

import { messageOf } from "../data/api.js";
import { button, smallButton } from "../draw/buttons.js";
import { html, redraw, withCode } from "../draw/element.js";
import { count, counted, duration } from "../draw/numbers.js";
import { worstPlies } from "../views/game/game.js";
import { table } from "./standings.js";

/** @import { WorstPly } from "../views/game/actions.js" */
/** @import { Counted, Game, GameUnfolded } from "./types.js" */

/** Games on a page. */
const PAGE = 50;

/** @type {[string, string][]} */
const OUTCOMES = [
  ["", "all"],
  ["won", "won"],
  ["drawn", "drawn"],
  ["lost", "lost"],
  ["logged", "with logs"],
];

/** How a game ended. */
const WHY = {
  over: "by the rules",
  length: "by the limit of plies",
  adjudicated: "adjudicated",
  fault: "by a fault",
  resigned: "by resignation",
  going: "not over",
};

/**
 * @param {HTMLElement} container
 * @param {ReturnType<import("../data/api.js").createApi>} api
 * @param {string} match
 * @param {(work: () => Promise<void>) => Promise<void>} during runs a work during which the page is not idle
 * @returns {(results: Counted) => Promise<void>} draws the list again when there are more games
 */
export function mountGames(container, api, match, during) {
  let offset = 0;
  /** The place at which the list is to begin; the last request wins. */
  let wanted = 0;
  let asked = 0;
  let turned = 0;
  /** @type {{number: number} & GameUnfolded | null} */
  let opened = null;
  /** @type {Game[]} */
  let shown = [];
  let total = 0;
  /** @type {string | null} */
  let wrong = null;

  const player = html("select.field", { id: "match-player", onchange: () => void ask(0) });
  const outcome = html(
    "select.field",
    { id: "match-outcome", onchange: () => void ask(0) },
    OUTCOMES.map(([value, text]) => html("option", { value }, text)),
  );
  const pages = html("p.match-pages");
  const list = html("div", { id: "match-list" });
  container.replaceChildren(
    html("h2.section-title", "Games"),
    html(
      "div.match-filter",
      html("label", { for: "match-player" }, "Player"),
      player,
      html("label", { for: "match-outcome" }, "Games"),
      outcome,
      pages,
    ),
    list,
  );

  /** @param {number} from */
  async function ask(from) {
    wanted = from;
    asked += 1;
    const turn = asked;
    await during(async () => {
      try {
        const options = { offset: from, limit: PAGE };
        const answer = await api.games(match, {
          ...options,
          ...(player.value !== "" && { player: player.value }),
          ...(outcome.value !== "" && { outcome: outcome.value }),
        });
        if (turn !== asked) return;
        ({ items: shown, total, offset } = answer);
        wanted = offset;
        wrong = null;
        keepPlace();
      } catch (error) {
        if (turn !== asked) return;
        wrong = messageOf(error);
      }
      draw();
    });
  }

  /** Put the listed games into the address, for the way back from a log. */
  function keepPlace() {
    const place = new URLSearchParams();
    if (player.value !== "") place.set("player", player.value);
    if (outcome.value !== "") place.set("games", outcome.value);
    if (offset > 0) place.set("from", String(offset));
    const hash = place.toString();
    history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
  }

  /** List the games that the address names. */
  function takePlace() {
    const place = new URLSearchParams(location.hash.slice(1));
    player.value = place.get("player") ?? "";
    outcome.value = place.get("games") ?? "";
    if (player.selectedIndex < 0) player.value = "";
    if (outcome.selectedIndex < 0) outcome.value = "";
    const from = Number(place.get("from"));
    wanted = Number.isSafeInteger(from) && from > 0 ? from : 0;
  }

  /** @param {number} number */
  async function unfold(number) {
    turned += 1;
    const turn = turned;
    if (opened?.number === number) opened = null;
    else
      await during(async () => {
        try {
          const game = await api.game(match, number);
          if (turn !== turned) return;
          opened = game;
          wrong = null;
        } catch (error) {
          if (turn !== turned) return;
          wrong = messageOf(error);
        }
      });
    draw();
  }

  /**
   * List the logs of a player's searches, and go to the first, or to one of this name.
   * @param {number} number
   * @param {string} name
   * @param {string} [named]
   * @param {string | null} [ply] the chosen one, at whose node it opens
   */
  async function openLogs(number, name, named, ply = null) {
    await during(async () => {
      try {
        const { logs } = await api.logsOfGame(match, number, name);
        const first = logs.find((log) => log.name === named) ?? logs[0];
        if (first !== undefined)
          location.assign(`/#${new URLSearchParams({ log: first.id, ...(ply !== null && { ply }) })}`);
      } catch (error) {
        wrong = messageOf(error);
        draw();
      }
    });
  }

  /** @param {number} number of the game @returns {(ply: WorstPly) => void} */
  const openWorst = (number) => (ply) => void openLogs(number, ply.player ?? "", ply.log, ply.ply);

  function draw() {
    const last = offset + shown.length;
    redraw(
      pages,
      html("span.number", total === 0 ? "" : `${count(offset + 1)} to ${count(last)} of ${counted(total, "game")}`),
      total > PAGE && step("Before", offset - PAGE, offset === 0),
      total > PAGE && step("Next", offset + PAGE, last >= total),
    );
    if (wrong !== null) {
      redraw(list, html("p.match-wrong", { role: "alert" }, withCode(wrong)));
      return;
    }
    if (shown.length === 0) {
      redraw(list, html("p.dim", "No game is like that."));
      return;
    }
    const columns = ["game", "moved first", "moved second", "won by", "how", "opening", "plies", "time", "logs"];
    redraw(
      list,
      table(
        "Games",
        columns,
        shown.map((game) => [
          button(String(game.number), () => void unfold(game.number), {
            class: "figure-go",
            "data-key": `game-${game.number}`,
            "aria-expanded": String(opened?.number === game.number),
            title: "Its plies",
          }),
          html("bdi", game.players[0]),
          html("bdi", game.players[1]),
          game.winner === null ? html("span.dim", game.why === "going" ? "" : "drawn") : html("bdi", game.winner),
          how(game),
          String(game.opening),
          count(game.n_plies),
          duration(game.seconds[0] + game.seconds[1]),
          logsOf(game),
        ]),
        opened === null
          ? null
          : {
              at: shown.findIndex(({ number }) => number === opened?.number),
              part: pliesOf(opened, openWorst(opened.number)),
            },
      ),
    );
  }

  /** @param {Game} game */
  function logsOf(game) {
    const named = Object.entries(game.logs);
    const missing = Object.entries(game.no_logs);
    return html(
      "span.match-logs",
      named.map(([name, n]) =>
        button(`${counted(n, "log")} of ${name}`, () => void openLogs(game.number, name), {
          class: "figure-go",
          "data-key": `logs-${game.number}-${name}`,
          title: `Open the logs of ${name} in game ${game.number}`,
        }),
      ),
      missing.map(([name, why]) => html("span.dim", { title: why }, `none of ${name}`)),
    );
  }

  /** @param {string} text @param {number} to @param {boolean} isEnd */
  function step(text, to, isEnd) {
    return smallButton(text, () => void ask(to), { disabled: isEnd, "data-key": text });
  }

  return async (results) => {
    const names = results.agents.map(({ name }) => name);
    if (player.options.length !== names.length + 1) {
      player.replaceChildren(
        html("option", { value: "" }, "all"),
        ...names.map((name) => html("option", { value: name }, name)),
      );
      takePlace();
    }
    await ask(wanted);
  };
}

/** How a game ended, in words. @param {Game} game */
function how({ why, fault }) {
  return fault === null ? WHY[why] : html("span", { title: fault }, `${WHY[why]}: it ${fault}`);
}

/** @param {{number: number} & GameUnfolded} game @param {(ply: WorstPly) => void} press on one of the worst plies */
function pliesOf({ number, plies, n_opening: opening, worst }, press) {
  return html(
    "section.match-plies",
    { "aria-label": `Plies of game ${number}` },
    html(
      "p.dim",
      `Game ${number}: ${counted(plies.length, "ply", "plies")}${opening > 0 ? `, the first ${opening} drawn at random` : ""}.`,
    ),
    html(
      "ol.match-line",
      plies.map((ply, at) => html("li", { class: at < opening ? "dim" : null }, html("bdi", ply))),
    ),
    worstPlies(worst, press),
  );
}
