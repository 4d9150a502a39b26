// @ts-check
/** The content of the tree's place while there is no tree: how to begin, the progress, the error. */

import { button } from "../../draw/buttons.js";
import { html, progressBar, showProgress, withCode } from "../../draw/element.js";
import { icon, layerMark } from "../../draw/icons.js";
import { chooseFiles } from "../logs/files.js";
import { isStub } from "../../data/claims.js";
import { count, counted } from "../../draw/numbers.js";
import { shortScore } from "../../draw/scores.js";
import { stubText } from "../../draw/words.js";
import { seen } from "../../draw/seen.js";

/** @import { Mount, State, TopSoFar } from "../../data/types.js" */
/** @import { IconName } from "../../draw/icons.js" */

/** The server's message for a log that it does not have, and the most others that are offered instead. */
const GONE = /^there is no log /i;
const OTHERS = 4;
/** The message of a reading that was stopped; an upload is not kept, so it cannot be read again. */
const STOPPED = /^the reading of .* was stopped; /i;
const NOTHING_KEPT = /was stopped; nothing of it is kept/i;

/** @type {Mount} */
export function mountPhase(container, store, actions) {
  function bringButtons() {
    return [
      button([icon("paste"), "Paste JSON"], () => actions.openDialog("paste")),
      button([icon("open"), "Open file\u2026"], () => chooseFiles(store, actions)),
    ];
  }

  /** @param {State} state */
  function emptyCard({ logs, folders }) {
    const others = logs.length > 0;
    const awaited = !others && folders.length > 0;
    const nowhere = awaited
      ? `There are no logs in ${folders.join(", ")} yet`
      : "Bring a search, and see why it chose its ply";
    return card(
      html("h1", others ? "No log is open" : nowhere),
      awaited &&
        html(
          "p",
          "Files ending in .json, .jsonl, .plyb, .gz or .zst of these, .parquet, .js or .ndjson are listed here once they are there. Folders inside are not looked into.",
        ),
      html(
        "ul.phase-ways",
        others && way("left-panel", "Pick one", "The list of logs is behind the first button at the top left."),
        way(
          "paste",
          "Paste it",
          "Copy the JSON of a search tree and press Ctrl+V anywhere on this page. Any size, any engine's own form.",
        ),
        way("open", "Drop it", "Drag files onto the page: .json, .jsonl, .plyb, .gz or .zst of these, .parquet."),
        way(
          "motion",
          "Record one",
          "Run a search of your own in a terminal:",
          html(
            "pre.phase-code",
            { tabindex: 0 },
            "plyscope search reversi --depth 5 --limit 10 -o a.json\nplyscope view a.json",
          ),
        ),
      ),
      html(
        "div.phase-actions",
        awaited && button("Look again", () => void lookAgain(), { class: "button button-first" }),
        bringButtons(),
      ),
    );
  }

  async function lookAgain() {
    const first = await actions.loadLogs();
    if (first !== null) await actions.openLog(first);
  }

  // Kept from one redraw to the next: a button replaced under the pointer is never pressed.
  const loadingText = html("p", { role: "status" });
  const loadingProgress = progressBar("");
  const loadingActions = html(
    "div.phase-actions",
    button("Stop reading", () => void actions.stopReading()),
  );
  const loadingTop = html("div.so-far-place");
  const loading = card(loadingText, loadingProgress, loadingActions, loadingTop);
  /** @type {State["topSoFar"]} */
  let drawnTop = null;

  /** @param {State} state */
  function loadingCard({ message, progress, topSoFar, log, logs }) {
    const name = logs.find((other) => other.id === log)?.name;
    const text = message || (name === undefined ? "Loading\u2026" : `Opening ${name} \u2026`);
    const percent = progress === null ? null : Math.floor(progress * 100);
    loadingText.textContent = percent === null ? text : `${text} ${percent} %`;
    showProgress(loadingProgress, text, progress);
    loadingActions.hidden = percent === null;
    if (drawnTop !== topSoFar) loadingTop.replaceChildren(...(topSoFar === null ? [] : [topOfTree(topSoFar)]));
    drawnTop = topSoFar;
    return loading;
  }

  /** @param {State} state */
  function goneCard({ log, logs }) {
    const others = logs
      .filter((other) => other.id !== log)
      .slice(-OTHERS)
      .reverse();
    return card(
      html("h1", "This log is not on the list any more"),
      html(
        "p",
        { role: "alert" },
        "It may have been deleted. ",
        others.length > 0 ? "Open another:" : "Bring another:",
      ),
      html(
        "div.phase-actions",
        others.map((other) => button(other.name, () => void actions.openLog(other.id), { class: "button cut" })),
      ),
      html("div.phase-actions", button([icon("left-panel"), "Show the list of logs"], showList), bringButtons()),
    );
  }

  function showList() {
    actions.setPanel("logs", true);
    void actions.loadLogs();
  }

  /** @param {State} state */
  function errorCard(state) {
    const { message, log, logs } = state;
    const name = logs.find((other) => other.id === log)?.name;
    if (log !== null && GONE.test(message)) return goneCard(state);
    const isStopped = STOPPED.test(message);
    const fault = name === undefined ? "This did not work" : `${name} cannot be shown`;
    return card(
      html("h1", isStopped ? "Reading was stopped" : fault),
      html("p.phase-error", { role: "alert" }, withCode(message)),
      !isStopped && html("p.dim", "Correct it and try again, or open another log."),
      html(
        "div.phase-actions",
        log !== null &&
          !NOTHING_KEPT.test(message) &&
          button("Try again", () => void actions.openLog(log), { class: "button button-first" }),
        bringButtons(),
      ),
    );
  }

  /** @param {State} state */
  function draw(state) {
    container.hidden = state.phase === "ready";
    const drawCard = { empty: emptyCard, loading: loadingCard, error: errorCard, ready: () => null }[state.phase];
    const drawn = drawCard(state);
    if (drawn !== null && drawn === container.firstChild) return;
    container.replaceChildren(...(drawn === null ? [] : [drawn]));
  }

  store.follow(draw, ["phase", "message", "progress", "topSoFar", "log", "logs"]);
}

/** @param {...(Node | false)} children @returns {HTMLElement} */
function card(...children) {
  return html("div.phase-card", ...children);
}

/**
 * @param {IconName} iconName
 * @param {string} title
 * @param {string} text
 * @param {Node} [more]
 * @returns {HTMLElement}
 */
function way(iconName, title, text, more) {
  return html("li", icon(iconName), html("div", html("strong", title), text, more));
}

/**
 * The top of a tree whose log is being read: its root and the first of its plies, as far as they have come.
 * @param {TopSoFar} top
 */
function topOfTree({ nodes, n_children, n_nodes, mate }) {
  const [root, ...children] = nodes;
  const others = n_children - children.length;
  return html(
    "section.so-far",
    { "aria-label": "The top of the tree so far" },
    html("p.dim", `So far ${counted(n_nodes, "node")}, of the root ${counted(n_children, "child", "children")}:`),
    html("div.so-far-root", root !== undefined && nodeSoFar(root, mate)),
    html(
      "ul",
      children.map((child) => html("li", nodeSoFar(child, mate))),
      others > 0 && html("li.so-far-card.dim", `\u2026 ${count(others)} more`),
    ),
  );
}

/** @param {TopSoFar["nodes"][number]} node @param {unknown} mate */
function nodeSoFar(node, mate) {
  const { score, bound } = node;
  return html(
    "span.so-far-card",
    layerMark(node.layer),
    html("b.cut", nameOf(node)),
    score !== undefined && html("span.so-far-score", shortScore({ score, bound }, mate)),
  );
}

/** The name of a node that may not be complete yet. @param {TopSoFar["nodes"][number]} node */
function nameOf(node) {
  if (isStub(node)) return stubText(node);
  if (node.ply !== undefined && node.ply !== "") return seen(node.ply);
  return node.level === 0 ? "root" : "\u2026";
}
