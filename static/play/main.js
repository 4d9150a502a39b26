// @ts-check
/** A game against an agent: the board in the middle, the commands, and the agent's reasons for its ply. */

import { ApiError, messageOf } from "../data/api.js";
import { asOneStop, button, smallButton, stepWithin } from "../draw/buttons.js";
import { html, redraw, withCode } from "../draw/element.js";
import { at, beginPage } from "../match/page.js";
import { mountSpots } from "./spots.js";

/** @import { Legal, Played } from "./types.js" */

/** Seconds for which the server keeps its answer back while the agent thinks, and milliseconds to the next look. */
const WAIT = 10;
const LOOK = 1000;

const AGAIN = "Where it is your turn, its last ply is taken back first";

const { api, id, during } = beginPage();

/** @type {Played | null} */
let game = null;
/** The number of the last question; answers to earlier ones are dropped. */
let asked = 0;
/** Plies of which one is to be chosen. @type {readonly Legal[]} */
let choices = [];
/** The server's reason for its last refusal, and the request that it refused. */
let refused = "";
let refusedFor = "";
/** The status of a game that is not served: 404, or 0 where no server answers. @type {number | null} */
let gone = null;
let isActing = false;

const board = html("div.play-board");
const says = html("div.play-says", { role: "status" });
const wrong = html("p.match-wrong", { role: "alert" });
const buttons = html("div.play-buttons", { role: "group", "aria-label": "The game" });
const choice = html("div.play-choice");
const why = html("section.play-why", { "aria-label": "Why" });
const plies = html("section.play-part", { "aria-label": "Plies" });
const list = html("div.play-list", { role: "group", "aria-label": "Legal plies" });
const typed = html("input.field", { id: "play-ply", autocomplete: "off", spellcheck: "false" });
const typing = form("Ply", typed, "Play", () =>
  act("ply", typed.value).then(() => refused === "" && void (typed.value = "")),
);
const line = html("input.field", {
  id: "play-agent",
  autocomplete: "off",
  spellcheck: "false",
  placeholder: "depth=4,weights=mobility:2;corners:8",
  title:
    "random, depth=4, seconds=5, algorithm=mcts,playouts=400; with other weights depth=4,weights=mobility:2;corners:8",
});
const agent = form("Agent", line, "Change", () => act("agent", line.value));
const quotient = html("input.field", { id: "play-quotient", type: "number", min: "1" });
const chance = form("Quotient", quotient, "Change", () => act("quotient", quotient.value));
const links = html("p.play-links");
const settings = html("details.play-part", html("summary", "The agent"), agent, chance, links);
agent.classList.add("play-agent");

at("match").classList.add("play");
at("match").replaceChildren(
  html("div.play-middle", board, choice, wrong, says, buttons),
  why,
  html("div.play-side", typing, list, plies, settings),
);
list.addEventListener("keydown", (event) => {
  if (stepWithin(event)) event.preventDefault();
});
const drawSpots = mountSpots(board, (found) => {
  const [only] = found;
  if (found.length === 1 && only !== undefined) return void act("ply", only.ply);
  choices = found;
  draw();
  choice.querySelector("button")?.focus();
});

/** A field with its button. @param {string} label @param {HTMLInputElement} field @param {string} word @param {() => unknown} send */
function form(label, field, word, send) {
  return html(
    "form.play-form",
    {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (field.value.trim() !== "") send();
      },
    },
    html("label", { for: field.id }, label),
    field,
    html("button.button", { type: "submit" }, word),
  );
}

/** Do something, once: what is pressed while that is on its way was pressed on an old board. @param {string} what @param {string} [words] */
async function act(what, words = "") {
  if (isActing) return;
  isActing = true;
  refused = "";
  refusedFor = what;
  const isDone = await take(() => api.playDo(id, what, words.trim()));
  isActing = false;
  if (isDone) void follow();
  else if (gone === null) void look();
}

/** Ask, and show the answer unless something else was asked meanwhile; whether it was shown. @param {() => Promise<Played>} ask */
async function take(ask) {
  asked += 1;
  const turn = asked;
  let isShown = false;
  await during(async () => {
    try {
      const answer = await ask();
      if (turn !== asked) return;
      if (answer.plies.length !== game?.plies.length) refused = "";
      game = answer;
      choices = [];
      gone = null;
      isShown = true;
    } catch (error) {
      if (turn !== asked) return;
      gone = error instanceof ApiError && [0, 404].includes(error.status) ? error.status : null;
      if (gone !== null) setTimeout(() => turn === asked && void look(), LOOK);
      else refused = messageOf(error);
    }
    draw();
  });
  return isShown;
}

/** @param {number} [wait] */
async function look(wait = 0) {
  if (await take(() => api.play(id, wait))) void follow();
}

/** Wait for the agent. */
async function follow() {
  if (game?.thinking != null) await look(WAIT);
}

function draw() {
  const command = `${game?.command ?? "plyscope play GAME -o FOLDER"}${gone === 0 ? ` --port ${location.port}` : ""}`;
  const isAway = `The game is not served now: \`${command}\` goes on with it.`;
  redraw(wrong, withCode(gone === null ? refused : isAway));
  const above = gone !== null ? choice : refusedFor === "agent" ? agent : refusedFor === "quotient" ? chance : choice;
  if (wrong.previousElementSibling !== above) above.after(wrong);
  if (game === null) return;
  const { agent: name, players, side, to_move: toMove, thinking, over, legal, said } = game;
  document.title = `${game.game} against ${name} – Plyscope`;
  at("match-title").textContent = `${game.game} against ${name}`;
  at("match-state").textContent = stateOf(game);
  redraw(
    choice,
    choices.length > 1 && html("p", "Which ply?"),
    choices.map(({ ply }) => button(ply, () => void act("ply", ply))),
  );
  drawSpots(game);
  redraw(
    says,
    over !== null && html("p.play-over", over),
    said !== "" && html("p", { class: game.is_wrong ? "match-wrong" : null }, withCode(said)),
  );
  const isOwn = toMove === side;
  redraw(
    buttons,
    word("back", "Take back", game.plies.length > 0),
    word("hint", "Hint", isOwn && thinking === null),
    thinking !== null && word("stop", "Stop", true),
    thinking === null && word("go", "Ask again", game.plies.length > 0 || toMove === 1 - side, AGAIN),
    word("side", `Play ${players[1 - side] ?? "the other side"}`, over === null),
    word("resign", "Resign", over === null),
  );
  redraw(
    why,
    html("h2.section-title", "Why"),
    game.plies.length === 0 && html("p.dim", "Why the agent plays its ply is said here once it has."),
    game.why.map((sentence) => html("p", withCode(sentence))),
    Object.entries(game.meanings).map(([name, meaning]) => html("p.dim", html("b", name), `: ${meaning}`)),
    game.log !== null &&
      html("a.button", { href: `/#log=${game.log}`, "data-key": "tree" }, "Open the tree of its search"),
    game.hint !== null &&
      html("a.button", { href: `/#log=${game.hint}`, "data-key": "hint-tree" }, "Open the tree of the hint"),
  );
  redraw(
    list,
    legal.map(({ ply }) => smallButton(ply, () => void act("ply", ply), { "data-key": `ply-${ply}` })),
  );
  asOneStop(list);
  list.hidden = legal.length === 0;
  typing.hidden = over !== null; // while the agent thinks it keeps the focus
  redraw(
    plies,
    html("h2.section-title", "Plies"),
    html(
      "ol.match-line",
      game.plies.map((ply) => html("li", html("bdi", ply))),
    ),
  );
  for (const [field, value] of /** @type {const} */ ([
    [line, name],
    [quotient, String(game.quotient)],
  ]))
    if (document.activeElement !== field && field.defaultValue !== value) field.value = field.defaultValue = value;
  chance.hidden = !game.is_search;
  redraw(
    links,
    html("a.link-button", { href: `/match/${id}` }, "The game with its logs"),
    ` is kept in ${game.folder}; its worst plies: plyscope worst ${game.folder}/games.jsonl`,
  );
}

/** @param {string} what @param {string} text @param {boolean} isPossible @param {string} [title] */
function word(what, text, isPossible, title) {
  const attributes = { "data-key": what, "aria-disabled": isPossible ? null : "true", title };
  return button(text, () => void act(what), attributes);
}

/** Whose turn it is. @param {Played} game */
function stateOf({ agent: name, players, side, to_move: mover, thinking, is_hint: isHint, is_compiling: isCompiling }) {
  if (mover === null) return "over";
  const compiles = isCompiling ? ", which compiles its game first" : "";
  if (isHint) return `${name} looks for a hint${compiles}`;
  if (thinking !== null) return `${name} thinks${compiles}`;
  return mover === side ? `your turn, as ${players[side] ?? ""}` : `${name} is to move`;
}

window.addEventListener("focus", () => game?.thinking == null && void look());
void look();
