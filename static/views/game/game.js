// @ts-check
/**
 * The tab *Game* of the drawer: the searches of a game as a chain. Their costs and results are drawn against the turn;
 * a point or a ply leads to its log.
 */

import { messageOf } from "../../data/api.js";
import { button, smallButton } from "../../draw/buttons.js";
import { html, redraw } from "../../draw/element.js";
import { count, counted, duration, plain } from "../../draw/numbers.js";
import { seen } from "../../draw/seen.js";
import { drawChart } from "../chart.js";

/** @import { MountTab } from "../../data/types.js" */
/** @import { Chart, View } from "../chart.js" */
/** @import { GameOfTurns, Turn, WorstPly } from "./actions.js" */

/**
 * What can be drawn against the turn.
 * @typedef {object} Measure
 * @property {string} name
 * @property {string} axis
 * @property {string} caption
 * @property {(turn: Turn) => number | null} of
 */

/** @type {readonly Measure[]} */
const MEASURES = Object.freeze([
  {
    name: "each",
    axis: "play-outs a ply",
    caption: "N, the play-outs of each ply, turn by turn",
    of: ({ each }) => each,
  },
  {
    name: "playouts",
    axis: "play-outs",
    caption: "Play-outs, turn by turn",
    of: ({ each, playouts }) => (each === null ? playouts : null),
  },
  { name: "nodes", axis: "nodes", caption: "Nodes, turn by turn", of: ({ nodes }) => nodes },
  {
    name: "milliseconds",
    axis: "ms",
    caption: "Milliseconds of the search, turn by turn",
    of: ({ seconds }) => (seconds === null ? null : 1000 * seconds),
  },
  {
    name: "mean",
    axis: "mean",
    caption: "The mean of the ply played, as its player saw it",
    of: ({ score, is_mean: isMean }) => (isMean ? score : null),
  },
  {
    name: "score",
    axis: "score",
    caption: "The score of the ply played, as its player saw it, without wins and losses",
    of: ({ score, wins, is_mean: isMean }) => (isMean || wins !== 0 ? null : score),
  },
]);

/** How the players' lines are drawn, so that colour does not tell alone. */
const LINES = /** @type {const} */ ([
  { colour: "var(--max)", dash: [1, 0] },
  { colour: "var(--min)", dash: [5, 3] },
]);

/** The button that led to another log, which has the focus once the tab is drawn again. @type {string | null} */
let pressed = null;

/** @type {MountTab} */
export function mountGame({ head, body }, store, actions) {
  const steps = html("div.game-steps");
  const turns = html("ol.game-turns");
  const worst = html("div.game-worst");
  const charts = html("div.game-charts");
  const place = html("div.game", { tabindex: 0, role: "region", "aria-label": "The game, turn by turn" });
  head.replaceChildren(steps);
  body.replaceChildren(place);
  /** @type {GameOfTurns | null} */
  let game = null;
  let removeCharts = () => {};
  let isGone = false;

  async function load() {
    const { log } = store.get();
    if (game !== null && game.turns.some(({ id }) => id === log)) return draw();
    const release = store.hold();
    try {
      const found = await actions.gameOfLog();
      if (isGone || store.get().log !== log) return;
      game = found;
      drawAll(found);
    } catch (error) {
      if (!isGone) say(messageOf(error));
    } finally {
      release();
    }
  }

  /** @param {string} text */
  function say(text) {
    game = null;
    removeCharts();
    redraw(steps, []);
    place.replaceChildren(html("p", text));
  }

  /** @param {GameOfTurns} found */
  function drawAll(found) {
    removeCharts();
    place.replaceChildren(turns, worst, charts);
    const drawn = MEASURES.flatMap((measure) => {
      const rows = found.turns.filter((turn) => measure.of(turn) !== null);
      return rows.length === 0 ? [] : [{ measure, rows, part: html("div.game-chart") }];
    });
    charts.replaceChildren(...drawn.map(({ part }) => part));
    const removes = drawn.map(({ measure, rows, part }) =>
      drawChart(part, { ...chartOf(found, measure, rows), drawn: listen }, store),
    );
    removeCharts = () => removes.forEach((remove) => remove());
    draw();
  }

  /** Go to the log of a point that is clicked. @param {View} view */
  function listen(view) {
    view.addEventListener("click", (_, item) => {
      const id = item?.datum?.id;
      if (typeof id === "string" && id !== store.get().log) void actions.openLog(id);
    });
  }

  /** Draw the place of the open log in the game. */
  function draw() {
    if (game === null) return;
    const { log } = store.get();
    const all = game.turns;
    const at = all.findIndex(({ id }) => id === log);
    redraw(steps, [
      step("Before", "The search before", all[at - 1]),
      step("Next", "The next search", all[at + 1]),
      html(
        "span.number",
        `Game ${count(game.game)}: ${counted(all.length + game.left_out, "search", "searches")}`,
        all[at] !== undefined && ` \u00b7 turn ${count(all[at].turn)}`,
      ),
    ]);
    redraw(
      turns,
      all.map((turn) => html("li", turnButton(turn, turn.id === log))),
    );
    redraw(
      worst,
      worstPlies(game.worst, (ply) => void go(ply.log, `worst-${ply.log}`, ply.ply)),
    );
    turns.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    const button = pressed && (head.querySelector(keyed(pressed)) ?? place.querySelector(keyed(pressed)));
    pressed = null;
    if (button instanceof HTMLElement) button.focus({ preventScroll: true });
  }

  /**
   * Open another log, at a ply of its root if one is named, and draw the tab again.
   * @param {string} id
   * @param {string} key the key of the button
   * @param {string | null} [ply]
   */
  async function go(id, key, ply = null) {
    pressed = key;
    if (store.get().log !== id) await actions.openLog(id);
    if (store.get().log === id && ply !== null) await actions.goToChosen(ply);
  }

  /** @param {string} name @param {string} what @param {Turn | undefined} turn */
  function step(name, what, turn) {
    const label = turn === undefined ? what : `${what}: ${wordsOf(turn)}`;
    return smallButton(name, () => turn !== undefined && void go(turn.id, `game-${name}`), {
      "data-key": `game-${name}`,
      disabled: turn === undefined,
      "aria-label": label,
      title: label,
    });
  }

  /** @param {Turn} turn @param {boolean} isHere */
  function turnButton(turn, isHere) {
    return button(
      [html("span.dim.number", count(turn.turn)), " ", html("bdi", turn.ply === null ? "?" : seen(turn.ply))],
      () => void go(turn.id, `turn-${turn.id}`),
      { class: "game-turn", "data-key": `turn-${turn.id}`, "aria-current": isHere && "true", title: wordsOf(turn) },
    );
  }

  void load();
  const remove = store.subscribe((state, previous) => {
    if (state.opened !== previous.opened && state.opened !== null) void load();
  });
  return () => {
    isGone = true;
    remove();
    removeCharts();
    head.replaceChildren();
    body.replaceChildren();
  };
}

/**
 * The plies of a game that lost the most, each a button; nothing where none lost anything.
 * @param {WorstPly[]} worst
 * @param {(ply: WorstPly) => void} press
 */
export function worstPlies(worst, press) {
  if (worst.length === 0) return [];
  return [
    html("p.dim", "The plies after which the next search of the same player found less, the greatest loss first:"),
    html(
      "ol.game-turns",
      { "aria-label": "Worst plies" },
      worst.map((ply) =>
        html(
          "li",
          button(
            [
              html("span.dim.number", count(ply.turn)),
              " ",
              html("bdi", ply.ply === null ? "?" : seen(ply.ply)),
              " ",
              html("span.number", ply.in_words),
            ],
            () => press(ply),
            {
              class: "game-turn",
              "data-key": `worst-${ply.log}`,
              title: `${[`turn ${count(ply.turn)}`, ply.player].filter(Boolean).join(", ")}: open the search that chose it`,
            },
          ),
        ),
      ),
    ),
  ];
}

/** @param {string} key */
function keyed(key) {
  return `[data-key="${CSS.escape(key)}"]`;
}

/** A turn in words. @param {Turn} turn */
function wordsOf({ turn, player, ply, each, playouts, nodes, seconds }) {
  const cost =
    each !== null
      ? `${counted(each, "play-out")} of each ply`
      : playouts !== null
        ? counted(playouts, "play-out")
        : nodes !== null
          ? counted(nodes, "node")
          : null;
  const parts = [
    `turn ${count(turn)}`,
    player,
    ply === null ? null : `played ${ply}`,
    cost,
    seconds === null ? null : duration(seconds),
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** @param {GameOfTurns} game @param {Measure} measure @param {Turn[]} rows @returns {Chart} */
function chartOf({ game, players }, { name, axis, caption, of }, rows) {
  const values = rows.map((turn) => ({
    id: turn.id,
    turn: turn.turn,
    player: turn.player ?? "",
    ply: turn.ply ?? "?",
    value: of(turn),
  }));
  const shown = players.filter((player) => rows.some((turn) => turn.player === player));
  const isOne = shown.length < 2;
  const x = {
    field: "turn",
    type: "quantitative",
    title: "turn",
    axis: { tickMinStep: 1 },
    scale: { zero: false, nice: false },
  };
  const y = { field: "value", type: "quantitative", title: axis, axis: { tickCount: 4 } };
  const lines = shown.map((player) => LINES[players.indexOf(player) % LINES.length] ?? LINES[0]);
  const by = { field: "player", type: "nominal", title: null, legend: { orient: "top", labelLimit: 180 } };
  const looks = isOne
    ? { color: { value: lines[0]?.colour }, strokeDash: { value: lines[0]?.dash } }
    : {
        color: { ...by, scale: { domain: shown, range: lines.map(({ colour }) => colour) } },
        strokeDash: { ...by, scale: { domain: shown, range: lines.map(({ dash }) => dash) } },
      };
  const ofWhom = isOne && players.length > 1 ? `${caption}: ${shown[0]}` : caption;
  const tooltip = [
    { field: "turn" },
    ...(isOne ? [] : [{ field: "player" }]),
    { field: "ply" },
    { field: "value", title: axis, format: ",.4~r" },
  ];
  return {
    name: `game-${game}-${name}`,
    caption: ofWhom,
    spec: {
      width: "container",
      height: 130,
      data: { values },
      mark: { type: "line", strokeWidth: 1.5, point: { filled: true, size: 26, opacity: 1, cursor: "pointer" } },
      encoding: { x, y, ...looks, tooltip },
    },
    table: {
      columns: ["turn", ...(isOne ? [] : ["player"]), "ply", axis],
      rows: rows.map((turn) => [
        turn.turn,
        ...(isOne ? [] : [turn.player ?? ""]),
        turn.ply ?? "?",
        plain(of(turn) ?? 0, 3),
      ]),
    },
  };
}
