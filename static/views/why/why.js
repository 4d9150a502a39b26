// @ts-check
/** At the top of the details: why X rather than Y, in sentences whose figures lead to their nodes, and as a waterfall. */

import { toNumber } from "../../data/claims.js";
import { isShared } from "../../data/shared/embedded.js";
import { differ } from "../../data/state.js";
import { exactKey } from "./actions.js";
import { asOneStop, button, smallButton } from "../../draw/buttons.js";
import { html, redraw, withCode } from "../../draw/element.js";
import { percentText } from "../../draw/lettering.js";
import { count, counted, plain, signed } from "../../draw/numbers.js";
import { amongFigures, brief, seen } from "../../draw/seen.js";
import { nodeName } from "../../draw/words.js";
import { stepsOf, waterfall, waterfallPicture } from "./waterfall.js";
import { keepingBoard } from "../board/details.js";

/** @import { ExactSearch, Explanation, Means, PairedPly, Parts, Score } from "../../data/types.js" */
/** @import { Mount, State } from "../../data/types.js" */

/** @type {Mount} */
export function mountWhy(container, store, actions) {
  let means = /** @type {ReturnType<typeof import("./means.js").createMeansPart> | null} */ (null);

  /** @param {State} state */
  function draw(state) {
    const { why } = state;
    if (why === null) return;
    const { answer, error } = why;
    const drawn =
      answer === null
        ? [
            isShared
              ? html("p.dim", { role: "status" }, error ?? "")
              : html("p.panel-error", { role: "alert" }, error ?? ""),
          ]
        : [
            head(answer),
            sentences(answer.parts, "said"),
            pliesOfStub(answer, state),
            ...searches(answer, state),
            chart(answer),
            charts(answer),
            sentences(answer.parts, "caveat"),
          ];
    keepingBoard(container.parentElement ?? container, () => redraw(container, drawn));
  }

  /** @param {Explanation} answer */
  function head({ chosen, rival, means: found, outcomes }) {
    if (chosen === null || rival === null) {
      const title = outcomes === undefined ? "Why this ply" : "Chance moves here";
      return html("h2.why-title", { tabindex: -1, "data-key": "why-title" }, title);
    }
    const canSwap = rival.score !== undefined;
    return asOneStop(
      html(
        "div.why-title",
        { role: "group", "aria-label": "The two plies", tabindex: -1, "data-key": "why-title" },
        html("h2.visually-hidden", "Why this ply and not that one"),
        ply(chosen, "x", found),
        html("span.why-than", "rather than"),
        ply(rival, "y", found),
        button("Walk both lines", () => void actions.walkLines(), {
          class: "button button-small why-walk",
          "aria-pressed": String(store.get().lines !== null),
          title: "Fold the tree to both lines and walk them (L)",
          "data-key": "why-walk",
        }),
        canSwap &&
          button("\u21c5", () => void actions.swapPair(), {
            class: "button button-icon button-small",
            "aria-label": "Swap X and Y",
            title: "Swap X and Y (X)",
            "data-key": "why-swap",
            "data-asks": true,
          }),
      ),
    );
  }

  /** @param {PairedPly} paired @param {"x" | "y"} badge @param {Means} [found] */
  function ply(paired, badge, found) {
    const stub = paired.score === undefined ? store.get().nodes.get(paired.id) : undefined;
    const mean = found?.plies.find(({ id }) => id === paired.id)?.mean;
    const score = typeof paired.score === "number" ? signed(paired.score) : meanText(mean, found);
    return html(
      "button.why-ply",
      {
        type: "button",
        "data-key": `why-${badge}`,
        title: `${badge.toUpperCase()}: ${paired.path}`,
        ...leads(paired.id),
      },
      html("span", { class: `why-badge why-badge-${badge}`, "aria-hidden": "true" }, badge.toUpperCase()),
      html("bdi.why-name", paired.ply ?? (stub === undefined ? `#${paired.id}` : nodeName(stub))),
      html(
        "span.number",
        { lower: "\u2265 ", upper: "\u2264 ", exact: "", unstated: "" }[paired.bound ?? "exact"] + score,
      ),
    );
  }

  /** @param {number} node its card is ringed while a button that leads to it is pointed at */
  const leads = (node) => ({
    onclick: () => void actions.goTo(node),
    onpointerenter: (/** @type {PointerEvent} */ event) =>
      event.pointerType !== "touch" && actions.hover(node, event.clientX, event.clientY),
    onpointerleave: () => actions.hover(null),
  });

  /** What a factor counts, where the log says so. @param {string | undefined} name */
  const meaningOf = (name) => store.get().opened?.factors.find((factor) => factor.name === name)?.meaning;

  /** @param {Parts} parts @param {"said" | "caveat"} which @param {string} [of] */
  function sentences(parts, which, of = "") {
    const shown = parts.filter(({ kind }) => (kind === "caveat") === (which === "caveat"));
    if (shown.length === 0) return null;
    return asOneStop(
      html(
        "p",
        { class: which === "caveat" ? "why-caveat dim" : "why-words" },
        shown.flatMap(({ segments }, place) => [
          place > 0 && " ",
          ...segments.flatMap(({ text, node, factor }, at) => {
            const title = meaningOf(factor);
            if (node === undefined)
              return factor === undefined ? withCode(text) : html("b", { title: title ?? text }, brief(text));
            return html(
              "button.weights-link",
              { type: "button", title, "data-key": `why-${of}${which}-${place}-${at}`, ...leads(node) },
              brief(text),
            );
          }),
        ]),
      ),
    );
  }

  /** The choice of a ply to ask about among those that a stub names. @param {Explanation} answer @param {State} state */
  function pliesOfStub({ rival }, { nodes }) {
    const plies = rival === null || rival.score !== undefined ? [] : (nodes.get(rival.id)?.plies ?? []);
    if (plies.length === 0) return null;
    const choose = (/** @type {Event} */ event) => {
      const { value } = /** @type {HTMLSelectElement} */ (event.currentTarget);
      if (value !== "") void actions.askAgainst(value);
    };
    const options = plies.map((ply) => html("option", { value: ply, selected: ply === rival?.ply }, seen(ply)));
    return html(
      "label.why-one",
      { "data-asks": true },
      "One of them: ",
      html(
        "select.field",
        { "data-key": "why-one", onchange: choose },
        html("option", { value: "", selected: rival?.ply === null }, "choose"),
        options,
      ),
    );
  }

  /**
   * Plies of the two that our engine can search exactly, how far that is and what came out.
   * @param {Explanation} answer
   * @param {State} state
   */
  function searches({ exact }, state) {
    return exact.map((searchable) => {
      const { which, ply, depth, reason } = searchable;
      if (reason !== undefined) {
        const isOfUse = ply !== null && state.opened?.game !== undefined;
        return isOfUse
          ? html("p.why-caveat.dim", withCode(`${amongFigures(seen(ply))} cannot be searched exactly: ${reason}.`))
          : null;
      }
      const name = seen(ply ?? "");
      const found = state.why === null ? undefined : state.exact.get(exactKey(state.why.asked, which));
      if (found?.state === "done") {
        const open = smallButton("Open this search", () => void actions.openExact(which), {
          "data-key": `exact-open-${which}`,
        });
        return html(
          "div.why-exact",
          { role: "status" },
          sentences(found.parts ?? [], "said", `exact-${which}-`),
          sentences(found.parts ?? [], "caveat", `exact-${which}-`),
          open,
        );
      }
      if (found?.state === "running") {
        const cancel = smallButton("Cancel", () => void actions.cancelExact(which), {
          "data-key": `exact-cancel-${which}`,
        });
        return html(
          "div.why-exact.why-exact-running",
          html("span.number", { role: "status" }, `Searching ${name}: ${howFar(found)}`),
          cancel,
        );
      }
      const words = state.why?.answer?.[which]?.score !== undefined ? `Search ${name} exactly` : `Search ${name}`;
      const title = `Our engine searches it ${counted(depth ?? 0, "ply", "plies")} deep, with the settings of this log and a full window`;
      return html(
        "div.why-exact",
        smallButton(words, () => void actions.searchExactly(which), {
          title,
          "data-key": `exact-${which}`,
          "data-asks": true,
        }),
        found?.state === "failed" &&
          html(
            "p.panel-error",
            { role: "alert" },
            withCode(`${name} was not searched: ${found.error ?? "the search broke off"}.`),
          ),
      );
    });
  }

  /** @param {Explanation} answer */
  function chart(answer) {
    const steps = stepsOf(answer);
    if (steps.length < 3) return null;
    return html(
      "div.why-chart",
      html(
        "div.why-chart-head",
        html("span.section-title", "The margin, where the lines end", ...seenBy(answer)),
        smallButton("Save picture", () => void savePicture(answer), {
          title: "Save the chart as a picture (SVG)",
          "data-key": "why-save",
        }),
      ),
      waterfall(steps, {
        go: (node) => void actions.goTo(node),
        pointed: (node, x, y) => actions.hover(node, x, y),
        left: () => actions.hover(null),
        meaningOf,
      }),
    );
  }

  /** The charts of a best-first tree, whose code is loaded with the first of them. @param {Explanation} answer */
  function charts(answer) {
    if (answer.means === undefined) return null;
    if (means !== null) {
      means.show(answer);
      return means.part;
    }
    const release = store.hold();
    void import("./means.js").then(
      ({ createMeansPart }) => {
        means ??= createMeansPart(leads);
        draw(store.get());
        release();
      },
      () => {
        actions.notify("error", "A part of the page could not be loaded; is the server still there?");
        release();
      },
    );
    return null;
  }

  /** @param {Explanation} answer */
  async function savePicture(answer) {
    const { save } = await import("../chart.js");
    save(new Blob([waterfallPicture(stepsOf(answer))], { type: "image/svg+xml" }), "why.svg");
  }

  void actions.askWhy();
  draw(store.get());
  store.subscribeAtRest((state, previous) => {
    const isWalked = (state.lines === null) !== (previous.lines === null);
    if (isWalked || differ(state, previous, "why", "exact")) draw(state);
    const isElsewhere = differ(state, previous, "selected", "pinned", "nodes", "phase");
    if (isElsewhere && state.phase === "ready") void actions.askWhy();
  });
}

/**
 * Whose view the figures have, where another player moves than the one whose they are.
 * @param {Explanation} answer
 */
function seenBy({ mover }) {
  const name = mover?.name ?? null;
  return name === null ? [] : [html("span.dim", ` as the root player sees it; ${amongFigures(seen(name))} moves here`)];
}

/** How far a search is, in words. @param {ExactSearch} found */
function howFar({ nodes = 0, compiling = false, writing = false }) {
  if (compiling) return "compiling, once on a machine\u2026";
  return writing ? `${count(nodes)} nodes, being written down\u2026` : `${count(nodes)} nodes\u2026`;
}

/** The mean of a ply: a percentage of the declared range. @param {Score | undefined} mean @param {Means} [found] */
function meanText(mean, found) {
  if (mean === undefined) return "";
  const [low, high] = (found?.range ?? []).map(toNumber);
  if (low === undefined || high === undefined) return plain(mean);
  return percentText((toNumber(mean) - low) / (high - low));
}
