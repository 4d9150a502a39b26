// @ts-check
/** The details of the selected or pinned node: all that the log says of it, and the line that decided its score. */

import { isStub } from "../../data/claims.js";
import { followed } from "../../data/line-actions.js";
import { isOld } from "../../data/merged.js";
import { intervalOf, isReweighed, differ } from "../../data/state.js";
import { asKnown, isBeingSearched, openOf, stageOf } from "../../data/then.js";
import { factorRows } from "../../draw/bars.js";
import { button, iconButton } from "../../draw/buttons.js";
import { html, redraw, withCode } from "../../draw/element.js";
import { icon, layerMark } from "../../draw/icons.js";
import { cardMean } from "../../draw/lettering.js";
import { fullInterval, reweighedParts } from "../../draw/reweighed.js";
import { fullFigure, fullScore, resultText, shortScore } from "../../draw/scores.js";
import { seatOf } from "../../draw/seats.js";
import { createSteps, PATH } from "../../draw/steps.js";
import { nodeName } from "../../draw/words.js";
import { mountLazily } from "../lazily.js";
import { findingsPart } from "../check/parts.js";
import { boardPart, keepingBoard } from "../board/details.js";
import { changePart, diffPart } from "../diff/details.js";
import { mountSearchedOn } from "../game/searched-on.js";
import { mountNote } from "../notes/details.js";
import { mountTranspositions } from "../transpositions/details.js";
import { isChosen, nowPart } from "../replay/details.js";
import { reweighedNote, standsPart } from "../weights/details.js";
import {
  evaluationPart,
  extrasPart,
  fieldsPart,
  headerPart,
  linePart,
  pliesPart,
  tablePart,
  textPart,
  scoresPart,
  visitsPart,
} from "./parts.js";
import { openText } from "../../draw/window-bar.js";

/** @import { Actions, Opened, State, Store, TreeNode } from "../../data/types.js" */
/** @import { Draft } from "../live/draft.js" */
/** @import { Part } from "./parts.js" */

/** Nodes of the path shown at most, beside the root. */
const NEAREST = 60;
const FROM_ROOT = "plies from the root to the end of the game; proven where all plies of the loser were searched";

/**
 * @param {HTMLElement} container
 * @param {Store} store
 * @param {Actions} actions
 * @param {Draft} draft
 */
export function mountDetails(container, store, actions, draft) {
  /** @type {Set<string>} titles of the parts that are folded */
  const folded = new Set();
  let showChanges = false;
  let isStale = false;
  const drawSteps = createSteps();
  const why = html("section.section.why", { id: "why", "aria-label": "Why this ply and not that one", hidden: true });
  mountLazily(why, store, actions, {
    isThere: (state) =>
      state.phase === "ready" &&
      state.opened !== null &&
      state.details !== null &&
      state.details.data !== null &&
      isChosen(state),
    load: async () => {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))); // the tree is on the screen first
      return (await import("../why/why.js")).mountWhy;
    },
  });

  const note = html("section.section.note-part", { "aria-label": "Note", hidden: true });
  mountNote(note, store, actions);

  const searchedOn = html("div.searched-on", { hidden: true });
  mountSearchedOn(searchedOn, store, actions);

  const visits = html("section.section", { "aria-label": "Visits of this position", hidden: true });
  mountTranspositions(visits, store, actions);

  const quotient = html("section.section.quotient", {
    id: "quotient",
    "aria-label": "What the randomness quotient may play",
    hidden: true,
  });
  mountLazily(quotient, store, actions, {
    isThere: ({ phase, opened, details, replay }) =>
      phase === "ready" &&
      replay === null &&
      opened?.result?.["randomness_quotient"] != null &&
      details?.data?.node.id === opened.root,
    load: async () => (await import("../statistics/quotient.js")).mountQuotient,
  });

  const stack = html("section.section", { id: "replay-stack", "aria-label": "Where the replay is", hidden: true });
  mountLazily(stack, store, actions, {
    isThere: ({ phase, replay }) => phase === "ready" && replay !== null,
    load: async () => (await import("../replay/stack.js")).mountReplayStack,
  });

  function toggleChanges() {
    showChanges = !showChanges;
    draw(store.get());
  }

  /** @param {Part} part */
  function section({ title, content }) {
    /** @param {Event} event */
    const keep = (event) => {
      const { open } = /** @type {HTMLDetailsElement} */ (event.currentTarget);
      if (open) folded.delete(title);
      else folded.add(title);
    };
    return html(
      "details.section",
      { open: !folded.has(title), ontoggle: keep },
      html("summary.section-title", { "data-key": `part-${title}` }, title),
      content,
    );
  }

  /** @param {State} state */
  function draw(state) {
    isStale = false;
    const { details, opened } = state;
    const data = details?.data ?? null;
    const logged = data?.node ?? (details === null ? undefined : state.nodes.get(details.id));
    const node = logged === undefined ? undefined : asKnown(state.replay, logged);
    const busy = followed(state) !== (details?.id ?? null) || (data === null && details?.error === undefined);
    container.setAttribute("aria-busy", String(busy));
    if (node === undefined || opened === null) {
      const words = opened === null ? "The details of a node appear here once a log is open." : "Loading\u2026";
      redraw(container, html("p.section.section-empty", words));
      return;
    }
    const leaf = data?.line?.leaf;
    const meanings = { shown: state.showMeanings, toggle: () => actions.setShowMeanings() };
    const isExplained = leaf !== undefined && factorRows(leaf, opened).some(({ meaning }) => meaning);
    const isLeft = stageOf(state.replay, node) === "left";
    const parts = !isLeft
      ? [
          nowPart(node, state, actions),
          data?.board && opened.drawable !== false
            ? boardPart({ ...data.board, plies: [] }, node, state, actions, { showChanges, toggleChanges, searchedOn })
            : null,
          fieldsPart(node, state),
          opened.drawable === false ? null : textPart("Position as text", node.position),
          textPart("Board", node.board),
        ]
      : isStub(node)
        ? [findingsPart(node.id, state, actions), pliesPart(node), fieldsPart(node, state)]
        : [
            findingsPart(node.id, state, actions),
            node.id === opened.root ? standsPart(state, actions) : null,
            visitsPart(node, opened),
            scoresPart(node, opened),
            data?.line && linePart(data.line, node, opened, meanings, (id) => void actions.goTo(id), drawSteps),
            data?.board && opened.drawable !== false
              ? boardPart(data.board, node, state, actions, { showChanges, toggleChanges, searchedOn })
              : null,
            leaf?.id === node.id
              ? null
              : evaluationPart(
                  "Evaluation of this position",
                  node,
                  opened,
                  isExplained ? { shown: state.showMeanings } : meanings,
                ),
            fieldsPart(node, state),
            tablePart(node, opened.search?.["mate"], (id) => void actions.goTo(id)),
            opened.drawable === false ? null : textPart("Position as text", node.position),
            textPart("Board", node.board),
            data && extrasPart("Other fields", data.extras),
            node.id === opened.root ? headerPart(opened) : null,
          ];
    const drawn = [
      handle(),
      stack,
      isChosen(state) ? reweighedNote(state) : null,
      isChosen(state) ? diffPart(state, actions) : null,
      isOld(node.id) ? null : why,
      head(node, state),
      changePart(node, state),
      resultLine(node, state),
      data?.isInPart && html("p.section.dim", "This file has neither board nor line of this node."),
      data && path(data.path, data.more ?? 0, node.id, opened),
      note,
      visits,
      details?.error !== undefined && html("p.section.panel-error", { role: "alert" }, withCode(details.error)),
      quotient,
      ...parts.filter((part) => part !== null && part !== undefined).map(section),
      !isStub(node) && !isOld(node.id) && commands(node),
    ];
    keepingBoard(container, () => redraw(container, drawn));
  }

  /** On a phone the panel is a sheet below the tree, which its handle makes tall and low again. */
  function handle() {
    const toggle = () => {
      container.classList.toggle("panel-tall");
      draw(store.get());
    };
    const isTall = container.classList.contains("panel-tall");
    return button([], toggle, {
      class: "sheet-handle",
      "data-key": "sheet-handle",
      "aria-expanded": String(isTall),
      "aria-label": "More room for the details",
    });
  }

  /** @param {TreeNode} node @param {State} state */
  function head(node, state) {
    const mate = state.opened?.search?.["mate"];
    const held = state.pinned === node.id;
    const interval = isStub(node) ? undefined : intervalOf(state, node.id);
    const full = interval
      ? `${fullInterval(interval, mate)} with other weights, ${fullScore(node, mate) || "no score"} as logged`
      : fullScore(node, mate);
    return html(
      "div.details-head",
      isStub(node)
        ? icon(node.outcome === "limited" ? "limited" : "pruned")
        : layerMark(node.layer, seatOf(node, state.opened)),
      html("h2.details-name", { title: nodeName(node) }, nodeName(node)),
      html(
        "span",
        { class: `details-score number${interval === undefined ? "" : " details-reweighed"}`, title: full },
        interval === undefined ? shortScore(node, mate) || visitedMean(node) : reweighedParts(node, interval, mate),
      ),
      iconButton("pin", "Pin the details", () => void actions.pin(held ? null : node.id), {
        "aria-pressed": String(held),
        "data-key": "details-pin",
        title: held
          ? "Pinned: the details stay at this node. Press to let them follow the selection"
          : "The details follow the selection. Press to keep them at this node",
      }),
      iconButton("close", "Close the details", () => actions.setPanel("details", false), {
        title: "Close",
        "data-key": "details-close",
      }),
    );
  }

  /**
   * A won or lost game in full words, and its score; nothing for other scores.
   * @param {TreeNode} node
   * @param {State} state
   */
  function resultLine(node, state) {
    if (isBeingSearched(state, node))
      return html(
        "p.details-result",
        "Being searched: ",
        html("span.number", openText(openOf(state, node) ?? { id: node.id, left: 0 })),
      );
    const result = resultText(node, state.opened?.search?.["mate"]);
    return result === ""
      ? null
      : html(
          "p.details-result",
          { title: FROM_ROOT },
          `${isReweighed(state) ? "As logged: " : ""}${result} `,
          html("span.dim.number", fullFigure(node)),
        );
  }

  /**
   * The path as buttons: the root and the nearest nodes, with the number of those between.
   * @param {TreeNode[]} nodes
   * @param {number} unsent
   * @param {number} id
   * @param {Opened} opened
   */
  function path(nodes, unsent, id, opened) {
    const top = unsent > 0 ? [] : nodes.slice(0, 1);
    const near = nodes.slice(Math.max(top.length, nodes.length - NEAREST));
    const steps = [...top, ...near].map((step) =>
      button(nodeName(step), () => void actions.goTo(step.id), {
        class: "crumb-button",
        "data-key": `path-${step.id}`,
        "aria-current": step.id === id && "true",
        title: `${nodeName(step)} ${fullScore(asKnown(store.get().replay, step), opened.search?.["mate"])}${isReweighed(store.get()) ? " as logged" : ""}`,
      }),
    );
    const gap = { unsent: unsent + nodes.length - steps.length, after: top.length };
    return html("nav.details-path", { "aria-label": "Path of the node" }, drawSteps(`path-of-${id}`, steps, gap, PATH));
  }

  /** @param {TreeNode} node */
  function commands(node) {
    return html(
      "div.section.details-commands",
      { "data-asks": true },
      button([icon("json"), "Shown subtree as JSON"], () => void draft.open(node.id)),
    );
  }

  draw(store.get());
  store.subscribe((state) => {
    const { details } = state;
    if (details !== null && followed(state) !== details.id) container.setAttribute("aria-busy", "true");
  });
  store.subscribeAtRest((state, previous) => {
    const isWeighedAnew = differ(state.weights, previous.weights, "intervals", "found");
    if (state.panels.weights && isWeighedAnew) isStale = true; // out of sight: drawn when it is seen again
    const isLate = isStale && !state.panels.weights;
    if (
      isLate ||
      (isWeighedAnew && !state.panels.weights) ||
      differ(state, previous, "details", "pinned", "selected", "opened", "ofNode") ||
      differ(state, previous, "showPlies", "showMeanings", "replay") ||
      differ(state.weights, previous.weights, "ranges") ||
      differ(state.diff, previous.diff, "found", "against")
    )
      draw(state);
  });
}

/** The mean of a node of a best-first tree that has no score. @param {TreeNode} node */
function visitedMean(node) {
  return node.visited === undefined || isStub(node) ? "" : cardMean(node);
}
