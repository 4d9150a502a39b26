// @ts-check
/** The page around the tree: every part in its place, and the listeners of the whole document. */

import { isShared } from "../../data/shared/embedded.js";
import { railQuestions } from "../replay/rail-actions.js";
import { mountBoardDialog } from "../board/dialog.js";
import { mountCheck } from "../check/check.js";
import { mountDetails } from "../details/details.js";
import { createDraft } from "../live/draft.js";
import { mountDrawer } from "./drawer.js";
import { mountDrop } from "../logs/drop.js";
import { mountEdges } from "./edges.js";
import { mountHelp } from "./help.js";
import { mountLazily } from "../lazily.js";
import { mountLegend } from "../colour/legend.js";
import { mountLenses } from "./lenses.js";
import { mountLive } from "../live/live.js";
import { mountLogs } from "../logs/logs.js";
import { mountMapping } from "../logs/mapping.js";
import { mountNotes } from "./notes.js";
import { mountNotices } from "./notices.js";
import { mountPaste } from "../logs/paste.js";
import { mountPhase } from "./phase.js";
import { mountRun } from "../logs/run.js";
import { mountTooltip } from "../tree/tooltip.js";
import { mountTopbar } from "./topbar.js";

/** @import { Actions, Store } from "../../data/types.js" */

/** Windows narrower or lower than this start with the list of logs folded. */
const ROOMY = { width: 1360, height: 760 };
/** Windows narrower than this have panels that lie over the tree; none is open at the start. */
const NARROW = 960;

/**
 * Mount everything but the tree on the elements of the template.
 * @param {Document} page
 * @param {Store} store
 * @param {Actions} actions
 */
export function mountPage(page, store, actions) {
  const draft = createDraft(actions);
  const at = (/** @type {string} */ id) => {
    const element = page.getElementById(id);
    if (element === null) throw new Error(`The page has no element #${id}.`);
    return element;
  };
  const { innerWidth, innerHeight } = window;
  if (innerWidth < ROOMY.width || innerHeight < ROOMY.height) actions.setPanel("logs", false);
  if (innerWidth < NARROW) actions.setPanel("details", false);
  mountTopbar(at("topbar"), store, actions);
  mountLogs(at("logs"), store, actions);
  mountRun(at("run"), store, actions);
  mountLazily(at("first-visit"), store, actions, {
    isThere: ({ isFirst, phase }) => isFirst && phase === "ready",
    load: async () => (await import("./first-visit.js")).mountFirstVisit,
  });
  mountNotes(at("notes"), store, actions);
  mountPhase(at("phase"), store, actions);
  mountLive(at("live"), store, actions);
  mountLenses(at("lenses"), store, actions);
  mountDrawer(at("drawer"), store, actions);
  mountLazily(at("replay"), store, actions, {
    isThere: ({ phase, replay }) => phase === "ready" && replay !== null,
    load: async () => (await import("../replay/replay.js")).mountReplay,
  });
  mountLazily(at("rail"), store, actions, {
    isThere: (state) => Object.values(railQuestions(state)).some((question) => question !== null),
    load: async () => (await import("../replay/rail.js")).mountRail,
  });
  mountLazily(at("overview"), store, actions, {
    isThere: ({ phase, panels }) => phase === "ready" && panels.overview,
    load: async () => (await import("../overview/overview.js")).mountOverview,
  });
  mountLegend(at("legend"), store, actions);
  mountDetails(at("details-panel"), store, actions, draft);
  mountCheck(at("check-panel"), store, actions);
  mountLazily(at("weights-panel"), store, actions, {
    isThere: ({ panels }) => panels.weights,
    load: async () => (await import("../weights/weights.js")).mountWeights,
  });
  mountEdges(at("left-edge"), at("right-edge"), store, actions);
  mountNotices(at("notices"), store, actions);
  mountTooltip(at("tooltip"), store, actions);
  if (!isShared) {
    mountDrop(at("drop"), store, actions, draft);
    mountPaste(at("paste-dialog"), store, actions, draft);
  }
  mountLazily(at("labels-dialog"), store, actions, {
    isThere: ({ dialog }) => dialog === "labels",
    load: async () => (await import("../labels/dialog.js")).mountLabels,
  });
  mountLazily(at("compare-dialog"), store, actions, {
    isThere: ({ dialog }) => dialog === "compare",
    load: async () => (await import("../diff/choice.js")).mountChoice,
  });
  mountMapping(at("mapping-dialog"), store, actions);
  mountHelp(at("help-dialog"), store, actions);
  mountBoardDialog(at("board-dialog"), store, actions);
  mountPointing(page, store);
  foldPanels(page, store);
}

/** @param {Document} page @param {Store} store */
function foldPanels(page, store) {
  const draw = () => {
    const { logs, details, check, weights } = store.get().panels;
    page.getElementById("logs-panel")?.toggleAttribute("hidden", !logs);
    page.getElementById("details-panel")?.toggleAttribute("hidden", !details || check || weights);
    page.getElementById("check-panel")?.toggleAttribute("hidden", !check);
    page.getElementById("weights-panel")?.toggleAttribute("hidden", !weights);
  };
  store.follow(draw);
}

/**
 * Mark the node that is pointed at wherever it stands: its card in the tree, its ply on a board and in a list.
 * @param {Document} page
 * @param {Store} store
 */
function mountPointing(page, store) {
  store.subscribe((state, previous) => {
    if (state.hovered === null && previous.hovered === null) return;
    const id = state.hovered === null ? "" : String(state.hovered.id);
    for (const old of page.querySelectorAll(".node-pointed, .ply-pointed"))
      old.classList.remove("node-pointed", "ply-pointed");
    if (id === "") return;
    page.querySelector(`#tree [data-id="${id}"]`)?.classList.add("node-pointed");
    for (const ply of page.querySelectorAll("[data-ids]")) {
      if (ply.getAttribute("data-ids")?.split(" ").includes(id)) ply.classList.add("ply-pointed");
    }
  });
}
